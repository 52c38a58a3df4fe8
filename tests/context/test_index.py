"""The index of a context, kept for the next answer about the same sources."""

from __future__ import annotations

import pytest

from grapheval.context import index
from grapheval.context.index import build_index
from grapheval.types import Source

TEXTS = ["Oslo lies at the fjord. Bergen lies in the west.", "Oslo has about 700,000 inhabitants. It grows."]


def sources(*texts: str) -> list[Source]:
    return [Source(text, str(number)) for number, text in enumerate(texts)]


def test_positions_of_terms_by_hand() -> None:
    found = build_index(sources(*TEXTS), ["oslo"], 96)
    assert len(found.units) == 4
    assert found.postings["oslo"] == [0, 2]
    assert found.postings["bergen"] == [1]
    assert list(found.units.source) == [0, 0, 1, 1]


def test_the_same_texts_are_read_once_whatever_their_ids_and_other_texts_are_not_mixed_up() -> None:
    first = build_index(sources(*TEXTS), ["oslo"], 96)
    assert build_index([Source(text, f"other {text[:3]}") for text in TEXTS], ["fjord"], 96) is first
    assert build_index(sources(*reversed(TEXTS)), ["oslo"], 96).postings["oslo"] == [0, 2]
    assert build_index(sources(*reversed(TEXTS)), ["oslo"], 96) is not first
    assert build_index(sources(*TEXTS), ["oslo"], 6) is not first


def test_a_long_context_is_not_kept_and_gives_the_same_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = build_index(sources(*TEXTS), ["oslo", "fjord"], 96)
    monkeypatch.setattr(index, "MAX_KEPT_CHARS", 10)
    fresh = build_index(sources(*TEXTS), ["oslo", "fjord", "nowhere"], 96)
    assert fresh is not build_index(sources(*TEXTS), ["oslo", "fjord", "nowhere"], 96)
    assert set(fresh.postings) == {"oslo", "fjord"}
    assert {key: kept.postings[key] for key in fresh.postings} == fresh.postings
    assert list(fresh.units.start) == list(kept.units.start)
