"""What is read around a window: all of a short source, a page to each side in a long one."""

from grapheval.protocols import Passage
from grapheval.types import Source, Span
from grapheval.verification.surroundings import surroundings

SHORT = Source("The gallery opened in 2004. It closed in Bergen.", "short")
OTHER = Source("Nothing to see.", "other")
SENTENCE = "Line {:05d} is here. "  # 20 characters
LONG = Source("".join(SENTENCE.format(n) for n in range(5000)), "long")


def numbers(passages: list[Passage]) -> list[int]:
    """The numbers of the lines that are read in `LONG`."""
    found = surroundings(passages, [SHORT, LONG])
    return sorted({int(word) for sentence in found for word in sentence.words if word.isdigit()})


def test_a_short_source_is_read_whole_and_others_not_at_all() -> None:
    found = surroundings([Passage("short", Span(0, 27)), Passage("short", Span(28, 48))], [OTHER, SHORT])
    assert [sentence.words[:2] for sentence in found] == [("gallery", "opened"), ("it", "closed")]


def test_a_long_source_is_read_a_page_to_each_side() -> None:
    # Lines 2000 to 2009 stand at 40,000 to 40,200: 4,000 characters more are lines 1,800 to 2,209, cut at multiples of
    # 4,000 characters: 36,000 to 48,000, which are lines 1,800 to 2,399.
    assert numbers([Passage("long", Span(40_000, 40_200))]) == list(range(1800, 2400))


def test_the_ends_of_a_long_source() -> None:
    assert numbers([Passage("long", Span(0, 20))]) == list(range(400))
    assert numbers([Passage("long", Span(99_980, 100_000))]) == list(range(4600, 5000))


def test_no_word_is_cut() -> None:
    text = "abcdefg " * 5000
    found = surroundings([Passage("words", Span(20_000, 20_007))], [Source(text, "words")])
    assert {word for sentence in found for word in sentence.words} == {"abcdefg"}


def test_neither_is_text_without_spaces_lost_nor_an_empty_passage_refused() -> None:
    text = "".join(chr(ord("a") + number % 26) for number in range(50_000))
    found = surroundings(
        [Passage("words", Span(20_000, 20_007)), Passage("words", Span(0, 0))], [Source(text, "words")]
    )
    assert sum(len(word) for sentence in found for word in sentence.words) >= 12_000


def test_no_passage_no_sentence() -> None:
    assert surroundings([], [SHORT]) == []
