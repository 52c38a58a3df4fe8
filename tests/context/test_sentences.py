"""Sentence boundaries: where they are, and that nothing is lost."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapheval.context.sentences import split_sentences


def pieces(text: str) -> list[str]:
    return [span.of(text) for span in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ana slept. Ben woke.", ["Ana slept.", "Ben woke."]),
        (
            "Dr. Ruiz met Mr. J. R. Hall at 5.30 p.m. on Monday.",
            ["Dr. Ruiz met Mr. J. R. Hall at 5.30 p.m. on Monday."],
        ),
        ("It cost $3.14 in the U.S. The price fell.", ["It cost $3.14 in the U.S.", "The price fell."]),
        ("He works for Acme Inc. in Oslo.", ["He works for Acme Inc. in Oslo."]),
        ("See e.g. the first page. Then stop!", ["See e.g. the first page.", "Then stop!"]),
        ('"Really?" he asked. "Yes."', ['"Really?" he asked.', '"Yes."']),
        ("What? No! Yes… Maybe", ["What?", "No!", "Yes…", "Maybe"]),
        ("well... maybe not. fine.", ["well... maybe not.", "fine."]),
        ("彼は来た。本当ですか？はい！", ["彼は来た。", "本当ですか？", "はい！"]),
        ("هل جاء؟ نعم جاء.", ["هل جاء؟", "نعم جاء."]),
        ("वह आया। वह गया।", ["वह आया।", "वह गया।"]),
        ("the man died . police came .", ["the man died .", "police came ."]),
        ("A heading\n\nBody text", ["A heading", "Body text"]),
        ("- one thing\n- another thing", ["- one thing", "- another thing"]),
        ("1. First step\n2. Second step", ["1. First step", "2. Second step"]),
        ("a line that was wrapped\nin the middle of it", ["a line that was wrapped\nin the middle of it"]),
        ("Room No. 5 is free. No. It is not.", ["Room No. 5 is free.", "No.", "It is not."]),
        ("Visit example.com. It is new.", ["Visit example.com.", "It is new."]),
        ("   \n\t ", []),
        ("", []),
    ],
)
def test_boundaries(text: str, expected: list[str]) -> None:
    assert pieces(text) == expected


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from(" .!?\n\r\u2028。؟\"')ABCabc12")), max_size=300))
def test_every_visible_character_is_in_one_sentence(text: str) -> None:
    spans = split_sentences(text)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert all(span.of(text) == span.of(text).strip() != "" for span in spans)
    inside = {position for span in spans for position in range(*span)}
    assert all(character.isspace() for position, character in enumerate(text) if position not in inside)


@pytest.mark.parametrize(
    "unit", [".", "\n", '."', "1. ", "a.", "... ", "\n\n ", "!?", "Mr. ", "x\n", " ", "。", "- ", "U.S. "]
)
def test_hostile_repetition_is_read_in_one_pass(unit: str) -> None:
    # Quadratic work on this length would take minutes.
    text = unit * 20_000
    visible = sum(not character.isspace() for character in text)
    assert sum(1 for span in split_sentences(text) for c in span.of(text) if not c.isspace()) == visible
