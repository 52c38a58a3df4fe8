"""Markdown answers: checked as what they say, with spans into the original text."""

from __future__ import annotations


def texts(extraction):
    return [claim.text for claim in extraction.claims]


def test_spans_point_into_the_original(read):
    answer = "The **Nordbrua** bridge [1] was opened in *1932*[2]."
    (claim,) = read(answer).claims
    assert claim.text == "The Nordbrua bridge was opened in 1932"
    assert claim.span is not None
    assert answer[claim.span.start : claim.span.end] == "The **Nordbrua** bridge [1] was opened in *1932*"
    assert answer[slice(*claim.parts.object)] == "1932"
    assert answer[slice(*claim.parts.subject)] == "The **Nordbrua** bridge"


def test_list_with_introduction(read):
    found = read("The main exports are:\n\n- oil\n- dried fish\n")
    assert texts(found) == ["The main exports are oil", "The main exports are dried fish"]
    assert [str(t) for t in found.triples] == ["main exports are oil", "main exports are dried fish"]


def test_items_without_a_subject_take_that_of_the_introduction(read):
    assert texts(read("Nordic Oil does three things:\n1. drills wells\n2. It also sells gas")) == [
        "Nordic Oil does three things",
        "Nordic Oil drills wells",
        "Nordic Oil also sells gas",
    ]
    tablet = read("The Dolexan tablet:\n\n* **Safe** for adults\n* Not approved for children\n* is sold in Oslo")
    assert texts(tablet) == [
        "The Dolexan tablet is safe for adults",
        "The Dolexan tablet is not approved for children",
        "The Dolexan tablet is sold in Oslo",
    ]
    assert texts(read("Benefits of the drug:\n- reduces pain")) == ["Benefits of the drug: reduces pain"]


def test_a_pronoun_in_an_item_means_what_the_introduction_speaks_of(read):
    found = read("Key features of the X100 include:\n- Water resistance\n- It weighs 200 grams")
    assert texts(found) == ["Key features of the X100 include water resistance", "The X100 weighs 200 grams"]


def test_spans_keep_marks_in_pairs(read):
    answer = "**Safe** for adults is what the `print` command is called."
    (claim, *_) = read(answer).claims
    assert claim.span is not None
    assert answer[slice(*claim.span)].startswith("**Safe** for")


def test_list_of_members_with_descriptions(read):
    answer = "Notable people include:\n\n1. **Olga Lind** - a singer who won two prizes\n2. **Bo Ek** (1901-1970): founded a school\n"
    assert texts(read(answer)) == [
        "Notable people include Olga Lind",
        "Olga Lind is a singer",
        "Olga Lind won two prizes",
        "Notable people include Bo Ek (1901-1970)",
        "Bo Ek (1901-1970) founded a school",
    ]


def test_the_following(read):
    assert texts(read("The following films came out after 1948:\n* Red Hill (1954)\n* Dust (1955)")) == [
        "Red Hill (1954) came out after 1948",
        "Dust (1955) came out after 1948",
    ]


def test_table(read):
    answer = "| City | Population |\n|---|---|\n| Oslo | **700,000** |\n| Bergen | 290,000 |\n"
    found = read(answer)
    assert texts(found) == ["The population of Oslo is 700,000", "The population of Bergen is 290,000"]
    assert str(found.triples[0]) == "Oslo Population 700,000"
    assert [answer[slice(*c.parts.object)] for c in found.claims] == ["700,000", "290,000"]


def test_headings_and_code_are_no_claims(read):
    assert texts(read("## Facts\n\nOslo lies on a fjord.\n\n```python\nx = a[1]\n```\n")) == ["Oslo lies on a fjord"]


def test_index_in_code_is_no_citation(read):
    assert texts(read("The expression `a[1]` returns the second item [1].")) == [
        "The expression a[1] returns the second item"
    ]


def test_links_show_their_text(read):
    assert texts(read("The bridge was designed by [Anna Berg](https://example.org/a_(b)).")) == [
        "The bridge was designed by Anna Berg"
    ]


def test_quoted_titles(read):
    found = read('The song "I Want to Go Outside" was sung by Olga Lind.')
    assert [str(t) for t in found.triples] == ['song "I Want to Go Outside" was sung by Olga Lind']


def test_list_without_bullets(read):
    assert texts(read("The main exports are:\n\nOil from the north sea\nDried fish")) == [
        "The main exports are oil from the north sea",
        "The main exports are dried fish",
    ]


def test_notes_about_the_text_are_left_out(read):
    assert texts(read("It's worth noting that the port is small.")) == ["The port is small"]
