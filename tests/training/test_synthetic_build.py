"""The generator as a whole: the same seed gives the same rows, labels fit families, both sides are balanced."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import pytest

from training.rows import CONTRADICTION, ENTAILMENT, NEUTRAL, NOT_ENTAILMENT, Row
from training.synthetic import build as module
from training.synthetic.build import NEGATIVE_WEIGHTS, POSITIVE_WEIGHTS, build
from training.synthetic.order.tell import KINDS
from training.synthetic.passages import parse_news


def forms(lemma: str, tag: str) -> str | None:
    """Regular verbs are enough here."""
    return lemma.rstrip("e") + "ed" if tag in ("VBD", "VBN") else None


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.training.conftest import PASSAGE

    folder = tmp_path_factory.mktemp("data")
    (folder / "text").mkdir()
    others = (
        "The harbour of Split was rebuilt in 1952. Fishermen from Hvar sell squid there on Fridays. "
        "The mayor, Ivo Radic, opened a new quay last spring.",
        "Lena Okafor trained as a pilot in Lagos. She crossed the Sahara alone in 1971. "
        "Her brother Sam repaired the engine after a storm.",
    )
    with gzip.open(folder / "text" / "paragraphs.jsonl.gz", "wt", encoding="utf-8") as handle:
        for text in (PASSAGE, *others):
            handle.write(json.dumps({"source": "own", "licence": "own", "text": text}) + "\n")
    return folder


@pytest.fixture(scope="module")
def rows(data: Path) -> list[Row]:
    return [row for seed in range(6) for row in build(data, seed, forms=forms)]


def test_the_same_seed_gives_the_same_rows(data: Path) -> None:
    assert build(data, 5, forms=forms) == build(data, 5, forms=forms)
    assert build(data, 5, forms=forms) != build(data, 6, forms=forms)


def test_labels_fit_their_families(rows: list[Row]) -> None:
    assert rows
    for row in rows:
        origin, family = row.source.split("-", maxsplit=1)
        if origin == "order":
            assert family in {kind.__name__ for kind, _ in KINDS}
        elif row.label == ENTAILMENT:
            assert family in POSITIVE_WEIGHTS or family == "twin"
        else:
            assert family in NEGATIVE_WEIGHTS
            assert row.label in (NEUTRAL, CONTRADICTION, NOT_ENTAILMENT)


def test_false_claims_are_never_a_sentence_of_the_window(rows: list[Row]) -> None:
    for row in rows:
        if row.label != ENTAILMENT:
            assert row.hypothesis.rstrip(".") not in row.premise


def test_both_sides_are_about_equal(rows: list[Row]) -> None:
    share = sum(row.label == ENTAILMENT for row in rows) / len(rows)
    assert 0.35 < share < 0.6


def test_verbatim_claims_stand_in_the_window(rows: list[Row]) -> None:
    for row in rows:
        if row.source == "syn-verbatim":
            assert row.hypothesis.rstrip(".") in row.premise


def test_weights_name_no_family_twice() -> None:
    assert not set(module.POSITIVE_WEIGHTS) & set(module.NEGATIVE_WEIGHTS)


def test_news_lends_claims_but_only_documents_that_may_be_learned_from(data: Path, tmp_path: Path) -> None:
    seen = "Marta Ruiz sold the vineyard to her cousin in May. The cousin planted olive trees on the northern slope."
    kept = [f"Report {n}: the ferry to Vis was cancelled. The captain blamed a broken rudder." for n in range(12)]
    path = tmp_path / "summaries.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as handle:
        for text in (seen, seen, *kept):
            handle.write(json.dumps({"context": text, "origin": "own", "output": "not read"}) + "\n")
    texts = [doc.text for doc in parse_news(path)]
    # By SHA-256: the first byte is even.
    assert sorted(texts) == sorted(
        {text for text in (seen, *kept) if int(hashlib.sha256(text.encode()).hexdigest()[:2], 16) % 2 == 0}
    )
    assert 0 < len(texts) < 13
    from training.synthetic.passages import load_pipeline

    news = [load_pipeline()(seen)]
    made = build(data, 5, share=0.0, forms=forms, stories=0.0, news=news)
    assert made
    assert all(row.premise in seen for row in made)
