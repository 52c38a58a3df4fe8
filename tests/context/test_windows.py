"""Units and windows: everything is read, sizes hold, long sentences are cut at safe points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapheval.context.index import build_index
from grapheval.context.windows import cut_windows, estimate_tokens, read_units, split_long
from grapheval.types import Source, Span

TEXT = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("aB1 .,!?\n。é日本")), max_size=400)


@given(TEXT, st.integers(min_value=8, max_value=60))
def test_units_hold_every_visible_character(text: str, limit: int) -> None:
    covered = {position for span, _, _ in read_units(text, limit) for position in range(*span)}
    assert all(character.isspace() for position, character in enumerate(text) if position not in covered)


@given(st.lists(TEXT, max_size=4), st.integers(min_value=8, max_value=60))
def test_windows_hold_every_visible_character_of_every_source(texts: list[str], limit: int) -> None:
    sources = [Source(text, str(number)) for number, text in enumerate(texts)]
    units = build_index(sources, (), limit).units
    covered: dict[int, set[int]] = {number: set() for number in range(len(sources))}
    for first, last in cut_windows(units, limit):
        assert units.source[first] == units.source[last]
        assert first == last or sum(units.tokens[first : last + 1]) <= limit
        covered[units.source[first]].update(range(units.start[first], units.end[last]))
    for number, source in enumerate(sources):
        missing = [c for position, c in enumerate(source.text) if position not in covered[number]]
        assert all(character.isspace() for character in missing)


def test_windows_overlap_as_far_as_they_fit() -> None:
    units = build_index([Source("One two. Three four. Five six. Seven eight.")], (), 8).units
    assert list(units.tokens) == [2, 2, 2, 3]  # 0.42 a word and 0.15 a character: 0.84 + 1.2, …, 0.84 + 1.8
    assert cut_windows(units, 4) == [(0, 1), (1, 2), (3, 3)]
    assert cut_windows(units, 6) == [(0, 2), (2, 3)]
    assert cut_windows(units, 100) == [(0, 3)]


def test_windows_never_cross_sources() -> None:
    units = build_index([Source("One two."), Source("Three four.")], (), 50).units
    assert cut_windows(units, 50) == [(0, 0), (1, 1)]


def test_a_long_sentence_is_cut_after_clauses_with_overlap() -> None:
    text = "the first part of it was dull, the second one was better, and the third, as they all said, was long"
    pieces = list(split_long(text, Span(0, len(text)), 40))
    texts = [piece.of(text) for piece in pieces]
    assert texts == [
        "the first part of it was dull,",
        "dull, the second one was better,",
        "better, and the third,",
        "third, as they all said, was long",
    ]


@pytest.mark.parametrize("text", ["x" * 5_000, "日" * 5_000, "a b " * 3_000, "=" * 4_000])
def test_text_without_sentences_is_cut_into_units_of_a_window(text: str) -> None:
    found = list(read_units(text, 50))
    assert len(found) > 5
    assert all(tokens <= 60 for _, tokens, _ in found)


def test_estimates_grow_with_words_characters_and_other_scripts() -> None:
    assert estimate_tokens("The committee approved the budget on Friday.", 7) == round(0.42 * 7 + 0.15 * 44)
    assert estimate_tokens("日本語", 2) == round(0.42 * 2 + 0.15 * 3 + 0.4 * 6)
    assert estimate_tokens("", 0) == 1
