"""Repair without an LLM: what it restores, what it leaves alone, how fast it is.

    python -m tests.benchmarks.repair [--part summaries|corruptions|correct|speed|tune …] [--policy keep|drop|mark]
                                      [--limit N] [--show N] [--data DIR] [--json FILE]

- `summaries`: dev summaries with errors that people marked word by word. Of those that are flagged: how many are not any
  more, and what became of the marked words.
- `corruptions`: true sentences made wrong (`tests.benchmarks.corruptions`); the share of all of them, flagged or not,
  that come back with the right value.
- `correct`: dev summaries that people annotated as correct: the share that comes back byte for byte.
- `tune`: the limits of the repair, fitted on half of the documents (`tests.benchmarks.repair_tune`); not part of the rest.
- `speed`: one flagged triple in a context of about 2,000 words; detection apart, the re-check included.

`--show N` prints N repairs to be read by eye. The benchmark sets are never touched here: their repair is measured by
`grapheval bench … --correct`.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from grapheval import Correction, GraphEval, Sample
from grapheval.correction.evidence import EvidenceCorrector
from grapheval.correction.policy import Unrepairable
from grapheval.types import Action, CorrectionStatus
from tests.benchmarks.corruptions import KINDS, corruptions, half_of, restored
from tests.benchmarks.data import DEFAULT, rows
from tests.benchmarks.repair_tune import tune

PARTS = ("summaries", "corruptions", "correct", "speed")
"""What is measured where nothing else is asked for; `tune` measures nothing that is reported."""
_TOKEN = re.compile(r"\w+")


class Repairer:
    """The local pipeline with a policy; keeps the repairs that are to be shown."""

    def __init__(self, policy: Unrepairable, show: int) -> None:
        self.pipeline = GraphEval.local()
        corrector = self.pipeline.corrector
        assert isinstance(corrector, EvidenceCorrector)
        self.corrector = corrector.leaving(policy)
        self.show = show

    def correct(self, sample: Sample) -> Correction:
        """Judge and repair."""
        return self.corrector.correct(sample, self.pipeline.evaluate(sample), self.pipeline.evaluate)

    def shown(self, correction: Correction, original: str, note: object) -> None:
        """Print a repair, as long as there are some to be printed."""
        if self.show <= 0 or not correction.edits:
            return
        self.show -= 1
        text, place = "", 0
        for edit in correction.edits:
            text += f"{original[place : edit.start]}[-{edit.old}-]{{+{edit.new}+}}"
            place = edit.end
        print(f"- ({correction.status.value}; {note}) {text}{original[place:]}")
        for passage in dict.fromkeys(e for edit in correction.edits for e in edit.evidence):
            print(f"    evidence: {' '.join(passage.text.split())[:300]}")


def marked_words(row: dict[str, Any]) -> set[int]:
    """The word positions (starts) of a summary that annotators marked as wrong."""
    spans = ast.literal_eval(row["annotated_span"]) if row["annotated_span"].startswith("[") else []
    found: set[int] = set()
    for text in _flat(spans):
        words = _TOKEN.findall(re.sub(r"\(.*", "", text).lower())
        if not words:
            continue
        pattern = r"\W+".join(map(re.escape, words))
        match = re.search(rf"\b{pattern}\b", row["output"].lower())
        if match:
            found |= {match.start() + m.start() for m in _TOKEN.finditer(row["output"][match.start() : match.end()])}
    return found


def _flat(spans: Any) -> Iterator[str]:
    for item in spans:
        if isinstance(item, str):
            yield item
        else:
            yield from _flat(item)


def summaries(repairer: Repairer, data: Path, limit: int | None) -> dict[str, Any]:
    """Figures on the erroneous dev summaries that are flagged."""
    from grapheval.bench.metrics import rouge

    wrong = [r for r in rows("factuality/summaries", data) if r["error_type"] not in {"correct", ""}][:limit]
    flagged = fixed = edits = drops = edited_words = all_marked = of_edited = 0
    fate: Counter[str] = Counter()
    statuses: Counter[str] = Counter()
    similar = []
    for row in wrong:
        done = repairer.correct(Sample(row["output"], row["context"]))
        if not done.before.flagged:
            continue
        flagged += 1
        statuses[done.status.value] += 1
        fixed += done.status is CorrectionStatus.CORRECTED
        places = marked_words(row)
        all_marked += len(places)
        for place in places:
            edit = next((e for e in done.edits if e.start <= place < e.end), None)
            fate["kept" if edit is None else "dropped" if edit.action is Action.DROP else "replaced"] += 1
        edits += len(done.edits)
        drops += sum(e.action is Action.DROP for e in done.edits)
        edited_words += sum(max(_words(e.old), _words(e.new)) for e in done.edits if e.action is not Action.MARK)
        if done.edits:
            similar.append(rouge(row["output"], done.answer).rouge1)
            of_edited += len(places)
        repairer.shown(done, row["output"], row["annotated_span"])
    return {
        "summaries": len(wrong),
        "flagged": flagged,
        "no longer flagged": _share(fixed, flagged),
        "statuses": dict(statuses),
        "annotated words": all_marked,
        **{f"annotated words {name}": _share(fate[name], all_marked) for name in ("replaced", "dropped", "kept")},
        "edits": edits,
        "drops among edits": _share(drops, edits),
        "edited words per annotated word, edited summaries": edited_words / of_edited if of_edited else None,
        "ROUGE-1 with the original, edited summaries": statistics.mean(similar) if similar else None,
    }


def _words(text: str) -> int:
    return len(_TOKEN.findall(text))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def restoring(repairer: Repairer, data: Path, limit: int | None) -> dict[str, Any]:
    """Figures on corrupted sentences; every corrupted one counts, whether it is flagged or not."""
    items = corruptions(data, limit or 1000)
    total: Counter[str] = Counter()
    right: Counter[str] = Counter()
    flagged: Counter[str] = Counter()
    changed: Counter[str] = Counter()
    held_out: Counter[bool] = Counter()
    for item in items:
        done = repairer.correct(item.sample)
        total[item.kind] += 1
        flagged[item.kind] += bool(done.before.flagged)
        changed[item.kind] += bool(done.edits)
        good = restored(item, done.answer)
        right[item.kind] += good
        if item.half == "held out":
            held_out[good] += 1
        repairer.shown(done, item.sample.answer, f"{item.kind}, {'restored' if good else 'not restored'}: {item.true}")
    return {
        "corrupted": len(items),
        "restored": _share(right.total(), len(items)),
        "restored, documents without part in the tuning": _share(held_out[True], held_out.total()),
        "flagged": _share(flagged.total(), len(items)),
        "changed, but not to the right value": _share(changed.total() - right.total(), len(items)),
        **{
            f"restored, {kind}": f"{right[kind]} of {total[kind]} ({flagged[kind]} flagged)"
            for kind in KINDS
            if total[kind]
        },
    }


def untouched(repairer: Repairer, data: Path, limit: int | None) -> dict[str, Any]:
    """Figures on the dev summaries that are correct."""
    right = [r for r in rows("factuality/summaries", data) if r["error_type"] in {"correct", ""}][:limit]
    same = flagged = apart = apart_same = 0
    for row in right:
        done = repairer.correct(Sample(row["output"], row["context"]))
        flagged += bool(done.before.flagged)
        same += done.answer == row["output"]
        if half_of(row) == "held out":
            apart += 1
            apart_same += done.answer == row["output"]
        repairer.shown(done, row["output"], "correct")
    return {
        "summaries": len(right),
        "flagged": _share(flagged, len(right)),
        "byte-identical": _share(same, len(right)),
        "byte-identical, documents without part in the tuning": _share(apart_same, apart),
    }


def speed(repairer: Repairer, data: Path, limit: int | None) -> dict[str, Any]:
    """Milliseconds for one flagged triple in about 2,000 words; detection apart."""
    texts = [r["text"] for r in rows("text/paragraphs", data)[:400]]
    found: list[float] = []
    detection: list[float] = []
    wanted = limit or 40
    for item in corruptions(data, 12 * wanted):
        context = list(item.sample.sources)
        words = sum(len(source.text.split()) for source in context)
        extra = iter(texts)
        while words < 2000:
            context.append(type(context[0])(text := next(extra)))
            words += len(text.split())
        sample = Sample(item.sample.answer, [source.text for source in context])
        began = time.perf_counter()
        before = repairer.pipeline.evaluate(sample)
        detection.append(1000 * (time.perf_counter() - began))
        if len(before.flagged) != 1:
            continue
        began = time.perf_counter()
        repairer.corrector.correct(sample, before, repairer.pipeline.evaluate)
        found.append(1000 * (time.perf_counter() - began))
        if len(found) > wanted:
            break
    warm = sorted(found[1:])
    return {
        "answers": len(warm),
        "median ms": statistics.median(warm) if warm else None,
        "p95 ms": _quantile(warm, 0.95),
        "median ms of the detection before": statistics.median(detection) if detection else None,
    }


def tuned(repairer: Repairer, data: Path, limit: int | None) -> dict[str, Any]:
    """The fitted limits."""
    return tune(data, limit, marked_words)


def _quantile(values: Sequence[float], share: float) -> float | None:
    return values[min(len(values) - 1, int(share * len(values)))] if values else None


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", nargs="+", choices=(*PARTS, "tune"), default=list(PARTS))
    parser.add_argument("--policy", choices=("keep", "drop", "mark"), default="keep")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--data", type=Path, default=DEFAULT)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    measures = {"summaries": summaries, "corruptions": restoring, "correct": untouched, "speed": speed, "tune": tuned}
    results: dict[str, Any] = {}
    for part in given.part:
        began = time.perf_counter()
        repairer = Repairer(given.policy, given.show)
        results[part] = measures[part](repairer, given.data, given.limit)
        print(f"\n{part} (policy {given.policy}, {time.perf_counter() - began:.0f} s)")
        for name, value in results[part].items():
            print(f"  {name}: {value:.3f}" if isinstance(value, float) else f"  {name}: {value}", flush=True)
    if given.json:
        given.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
