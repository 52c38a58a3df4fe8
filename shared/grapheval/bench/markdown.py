"""A report as Markdown: tables laid out as the paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grapheval.bench.metrics import Interval
from grapheval.bench.report import CorrectorFigures, DetectorFigures, Report, SetFigures
from grapheval.bench.runner import RAW
from grapheval.bench.sets import KNOWN_SETS

_NONE = "–"


def render(report: Report) -> str:
    """The whole report; a Markdown document that ends in a newline."""
    parts = ["# Benchmark results", _overview(report)]
    parts += [_set(figures) for figures in report.sets]
    parts.append(f"*{report.paper_caveat}*")
    return "\n\n".join(parts) + "\n"


def _overview(report: Report) -> str:
    """The paper's table 2: raw verifier and GraphEval side by side, the paper's rows above ours."""
    names = [name for name in KNOWN_SETS if any(figures.name == name for figures in report.sets)]
    rows = []
    for paper in report.paper:
        rows.append([f"{paper.verifier} (paper)", *(f"{paper.raw[name]:.1f}" for name in names)])
        rows.append([f"{paper.verifier} + GraphEval (paper)", *(f"{paper.grapheval[name]:.1f}" for name in names)])
    by_place = {(figures.protocol, figures.name): figures for figures in report.sets}
    for protocol in dict.fromkeys(figures.protocol for figures in report.sets):
        of_protocol = [by_place.get((protocol, name)) for name in names]
        rows += _our_rows(protocol, of_protocol)
    lines = [
        f"Balanced accuracy in % at threshold {report.threshold}; an answer that was not judged counts as wrong. In"
        f" brackets the 95 % bootstrap interval ({report.resamples} resamples of whole contexts, seed {report.seed}).",
        _table(["", *(KNOWN_SETS[name].title for name in names)], rows),
    ]
    for weighted in report.weighted:
        error = _NONE if weighted.standard_error is None else f"{100 * weighted.standard_error:.1f}"
        lines.append(
            f"Protocol {weighted.protocol}: GraphEval gains {100 * weighted.value:+.1f} points over the raw verifier,"
            f" weighted by set size (SE {error} over {len(weighted.sets)} sets). Paper: +6.2 (SE 1.3)."
        )
    return "\n\n".join(lines)


def _our_rows(protocol: str, figures: Sequence[SetFigures | None]) -> list[list[str]]:
    names = list(dict.fromkeys(d.name for one in figures if one is not None for d in one.detectors))
    rows = []
    for name in names:
        cells, label = [], ""
        for one in figures:
            found = None if one is None else next((d for d in one.detectors if d.name == name), None)
            cells.append(_NONE if found is None else _accuracy(found))
            label = label or ("" if found is None else _label(found))
        rows.append([f"**{label} ({protocol})**", *cells])
    return rows


def _label(detector: DetectorFigures) -> str:
    verifier = str(detector.made_of["verifier"]).partition("@")[0]
    extractor = str(detector.made_of["extractor"]).partition("/")[0].partition(",")[0]
    return verifier if detector.name == RAW else f"{verifier} + GraphEval, {extractor}"


def _accuracy(detector: DetectorFigures) -> str:
    scores = detector.scores
    return f"**{_percent(scores.balanced_accuracy)}** {_interval(scores.balanced_accuracy_ci)}".rstrip()


def _set(figures: SetFigures) -> str:
    limited = f" of {figures.total}" if figures.n < figures.total else ""
    first = figures.detectors[0].scores
    lines = [
        f"## {figures.title}, protocol {figures.protocol}",
        f"{figures.n}{limited} answers, {first.inconsistent} inconsistent; data SHA-256 `{figures.data_sha256}`."
        + (f" Careful: {figures.remark}." if figures.remark else ""),
        _table(
            ["", "bal. acc.", "AUC", "precision", "recall", "specificity", "unjudged", "cut", "claims", "LLM calls"],
            [
                [
                    detector.name,
                    f"{_percent(detector.scores.balanced_accuracy)} {_interval(detector.scores.balanced_accuracy_ci)}",
                    f"{_percent(detector.scores.auc)} {_interval(detector.scores.auc_ci)}",
                    _percent(detector.scores.precision),
                    _percent(detector.scores.recall),
                    _percent(detector.scores.specificity),
                    str(detector.scores.unjudged),
                    str(detector.cut),
                    str(detector.claims),
                    str(detector.usage.get("calls", 0)),
                ]
                for detector in figures.detectors
            ],
        ),
    ]
    if figures.gain is not None and figures.gain.value is not None:
        interval = figures.gain.interval
        span = "" if interval is None else f" [{100 * interval.low:+.1f}, {100 * interval.high:+.1f}]"
        lines.append(f"Gain in balanced accuracy: {100 * figures.gain.value:+.1f} points{span} (paired bootstrap).")
    for detector in figures.detectors:
        made = ", ".join(f"{key} {value}" for key, value in detector.made_of.items() if key != "prompts")
        lines.append(
            f"`{detector.name}`: {made}. Statuses: {_counts(detector.statuses)}."
            + (f" Reasons: {_counts(detector.reasons)}." if detector.reasons else "")
        )
    if figures.correctors:
        lines.append(_repairs(figures.correctors))
    return "\n\n".join(lines)


def _repairs(correctors: Sequence[CorrectorFigures]) -> str:
    """The paper's tables 3 and 4: believed corrected, and ROUGE between original and corrected."""
    table = _table(
        ["corrector", "flagged", "believed corrected", "changed", "ROUGE-1", "ROUGE-2", "ROUGE-L", "LLM calls"],
        [
            [
                one.name,
                str(one.flagged),
                f"{_percent(one.believed)} {_interval(one.believed_ci)}".rstrip(),
                str(one.changed),
                *(
                    [_NONE] * 3
                    if one.rouge is None
                    else [f"{100 * value:.1f}" for value in (one.rouge.rouge1, one.rouge.rouge2, one.rouge.rouge_l)]
                ),
                str(one.usage.get("calls", 0)),
            ]
            for one in correctors
        ],
    )
    states = " ".join(f"`{one.name}`: {_counts(one.statuses)}." for one in correctors)
    return (
        "Repair of the answers that `grapheval` flags. Believed corrected: the detector finds the changed answer"
        " consistent. ROUGE F1 between original and repaired answer, in %, over all flagged answers (one that was left"
        f" alone counts 100).\n\n{table}\n\n{states}"
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|").strip() for cell in line) + " |" for line in lines)


def _percent(value: float | None) -> str:
    return _NONE if value is None else f"{100 * value:.1f}"


def _interval(interval: Interval | None) -> str:
    return "" if interval is None else f"[{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.items()) or "none"
