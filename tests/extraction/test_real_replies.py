"""Replies of a real 135M-parameter model (SmolLM2), kept as it wrote them: poor, and read without an accident."""

from __future__ import annotations

from pathlib import Path

import pytest

from grapheval import Outcome, parse_triples

REPLIES = sorted((Path(__file__).resolve().parents[1] / "fixtures" / "llm_replies").glob("*.txt"))


@pytest.mark.parametrize("path", REPLIES, ids=lambda path: path.stem)
def test_a_real_reply_is_read_or_said_to_be_unreadable(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = parse_triples(text)
    assert found.raw == text
    for triple in found.triples:
        assert all(part.strip() for part in (triple.subject, triple.relation, triple.object))
    if not found.triples:
        assert found.outcome is Outcome.NO_CLAIMS
        assert found.reason is not None


def test_there_are_replies() -> None:
    assert len(REPLIES) >= 5
