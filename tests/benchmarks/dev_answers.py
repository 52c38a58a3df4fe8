"""The dev answers taken apart once: their claims, the windows that were read, and what the bundled verifier said.

What is fitted on top of the verifier (`fit_answers`) reads these records; the verifier runs once, the features as often
as they change. Only sets that may be tuned on are here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grapheval import GraphEval, Sample
from grapheval.protocols import Judgement, Pair, Window
from grapheval.serialize import from_plain, to_plain
from grapheval.types import Claim
from tests.benchmarks.data import Labelled, labelled, rows

SETS = ("begin-wow", "summaries", "falke19", "fm2", "infotabs")
"""What can be collected; the weights are fitted on the first three."""
_BATCH = 16


@dataclass(frozen=True, slots=True)
class ReadClaim:
    """A claim with its windows and their judgements."""

    claim: Claim
    windows: tuple[Window, ...]
    judgements: tuple[Judgement, ...]


@dataclass(frozen=True, slots=True)
class DevAnswer:
    """One dev answer.

    Args:
        domain: Where its context comes from, for example `cliff-xsum`.
        group: Names answers that share a context.
        label: 1 = inconsistent.
        sample: Answer and context.
        claims: What the pipeline makes of it.
    """

    domain: str
    group: str
    label: int
    sample: Sample
    claims: tuple[ReadClaim, ...]


def items(name: str, data: Path) -> list[tuple[str, Labelled]]:
    """The answers of one set, each with its domain."""
    if name == "summaries":
        origins = [f"{row['source']}-{row['origin']}" for row in rows("factuality/summaries", data)]
        return list(zip(origins, labelled(name, data), strict=True))
    if name == "begin-wow":
        return [(name, item) for item in labelled(name, data)]
    if name == "falke19":
        found = rows("factuality/falke19_pairs", data)
    else:
        found = [row for row in rows("nli/pairs", data) if row["source"] == name and row["split"] == "dev"][:500]
    return [
        (name, Labelled(Sample(r["hypothesis"], r["premise"]), int(r["label"] != "entailment"), r["premise"]))
        for r in found
    ]


def collect(name: str, data: Path, limit: int | None = None) -> Iterator[DevAnswer]:
    """Take the answers of one set apart with the local pipeline."""
    pipeline = GraphEval.local()
    verifier = pipeline.verifier
    chosen = items(name, data)[:limit]
    for start in range(0, len(chosen), _BATCH):
        part = chosen[start : start + _BATCH]
        extractions = pipeline.extractor.extract([item.sample for _, item in part])
        for (domain, item), extraction in zip(part, extractions, strict=True):
            found = pipeline.selector.select(
                extraction.claims, item.sample.sources, verifier.count_tokens, verifier.info
            )
            pairs = [
                Pair(window.text, claim.text)
                for claim, windows in zip(extraction.claims, found.windows, strict=True)
                for window in windows
            ]
            judged = iter(verifier.verify(pairs))
            claims = tuple(
                ReadClaim(claim, windows, tuple(next(judged) for _ in windows))
                for claim, windows in zip(extraction.claims, found.windows, strict=True)
            )
            yield DevAnswer(domain, item.group, item.label, item.sample, claims)


def read(name: str, data: Path, cache: Path | None, limit: int | None = None) -> list[DevAnswer]:
    """The answers of one set, from the folder `cache` where they lie there for the present model."""
    if cache is None:
        return list(collect(name, data, limit))
    version = GraphEval.local().verifier.info.version
    path = cache / f"{name}-{version}{f'-{limit}' if limit else ''}.jsonl"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        with part.open("w", encoding="utf-8") as lines:
            for answer in collect(name, data, limit):
                lines.write(json.dumps(_plain(answer)) + "\n")
        part.rename(path)
    return [_answer(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def _plain(answer: DevAnswer) -> dict[str, Any]:
    return to_plain(answer)  # type: ignore[no-any-return]


def _answer(plain: dict[str, Any]) -> DevAnswer:
    sample = Sample(plain["sample"]["answer"], [source["text"] for source in plain["sample"]["contexts"]])
    claims = tuple(
        ReadClaim(
            from_plain(Claim, each["claim"]),
            tuple(from_plain(Window, window) for window in each["windows"]),
            tuple(from_plain(Judgement, judgement) for judgement in each["judgements"]),
        )
        for each in plain["claims"]
    )
    return DevAnswer(plain["domain"], plain["group"], plain["label"], sample, claims)
