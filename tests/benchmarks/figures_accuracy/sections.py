"""The parts of the report. Each prints its tables as soon as it has them and returns its numbers."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from tests.benchmarks import same_words
from tests.benchmarks.data import BENCHMARKS, rows
from tests.benchmarks.figures_accuracy import measure
from tests.benchmarks.figures_accuracy.configurations import DEFAULT
from tests.benchmarks.figures_accuracy.progress import step
from tests.benchmarks.figures_accuracy.run import Run
from tests.benchmarks.figures_accuracy.sets import USES
from tests.benchmarks.figures_accuracy.tables import (
    SCORE_HEAD,
    between,
    percent,
    points,
    points_between,
    score_cells,
    table,
)

THREE_WAY = ("mnli", "snli", "infotabs")
SPANS = ("summaries", "rag-answers")


def accuracy(run: Run) -> dict[str, Any]:
    """Every set with the pipeline as it ships, and by domain."""
    made: dict[str, Any] = {}
    body, domains = [], []
    for name in run.sets:
        found = run.probabilities(name, DEFAULT, run.bench.default())
        made[name] = measure.scores(run.cases(name), found)
        made[name]["use"] = USES[name]
        body.append([f"{name} ({USES[name]})", *score_cells(made[name])])
        by_domain = measure.by_domain(run.cases(name), found)
        made[name]["domains"] = by_domain
        domains += [[domain, name, *score_cells(scores)] for domain, scores in by_domain.items()]
    run.say(table(("set", *SCORE_HEAD), body))
    run.say("By domain:\n\n" + table(("domain", "set", *SCORE_HEAD), sorted(domains)))
    return made


def gain(run: Run) -> dict[str, Any]:
    """The verifier alone on the whole answer against GraphEval on top of it, in both protocols."""
    bench = run.bench
    protocols = {
        "ours": (("raw, every window", bench.raw()), (DEFAULT, bench.default())),
        "paper": (("raw, whole context", bench.raw_whole()), ("paper's protocol", bench.paper())),
    }
    made: dict[str, Any] = {}
    for protocol, ((base_name, base), (our_name, ours)) in protocols.items():
        made[protocol] = {}
        body = []
        for name in run.sets:
            known = run.cases(name)
            alone, on_top = run.probabilities(name, base_name, base), run.probabilities(name, our_name, ours)
            raw, full = measure.scores(known, alone), measure.scores(known, on_top)
            found = measure.gains(known, alone, on_top)
            made[protocol][name] = {"raw": raw, "grapheval": full, "gain": found}
            body.append(
                [
                    f"{name} ({USES[name]})",
                    str(len(known)),
                    f"{percent(raw['balanced_accuracy'])} / {percent(raw['auc'])}",
                    f"{percent(full['balanced_accuracy'])} / {percent(full['auc'])}",
                    points(found["value"]) + points_between(found["interval"]),
                ]
            )
        run.say(
            f"Protocol `{protocol}`: {base_name}, against {our_name} (balanced accuracy / AUC).\n\n"
            + table(("set", "n", "verifier alone", "GraphEval", "gain [95 %]"), body)
        )
        for title, kept in (("benchmarks", BENCHMARKS), ("dev sets", [n for n in run.sets if n not in BENCHMARKS])):
            sets = [(len(run.cases(n)), made[protocol][n]["gain"]) for n in run.sets if n in kept]
            overall = measure.overall_gain(sets)
            made[protocol][f"weighted gain, {title}"] = overall
            if overall["sets"]:
                error = overall["standard_error"]
                spread = "" if error is None else f", SE {100 * error:.1f}"
                run.say(f"Gain over {overall['sets']} {title}, weighted by size: {points(overall['value'])}{spread}")
    return made


def ablations(run: Run) -> dict[str, Any]:
    """Every part changed or taken out alone, without fitting anything anew."""
    made: dict[str, Any] = {}
    configurations = run.bench.all()
    for name in run.ablate:
        known = run.cases(name)
        reference = run.probabilities(name, DEFAULT, configurations[0].pipeline)
        made[name] = {}
        body = []
        for each in configurations:
            found = run.probabilities(name, each.name, each.pipeline)
            scores = measure.scores(known, found, resamples=0)
            change = measure.gains(known, reference, found)
            made[name][each.name] = {"part": each.part, **scores, "change": change}
            body.append(
                [
                    each.part,
                    each.name,
                    percent(scores["balanced_accuracy"]),
                    "" if each.name == DEFAULT else points(change["value"]) + points_between(change["interval"]),
                    percent(scores["auc"]),
                    percent(scores["recall"]),
                    percent(scores["specificity"]),
                    str(scores["unjudged"]),
                ]
            )
        head = (
            "part",
            "configuration",
            "balanced accuracy",
            "change [95 %]",
            "AUC",
            "recall",
            "specificity",
            "unjudged",
        )
        run.say(f"{name} ({USES[name]}, {len(known)} answers):\n\n" + table(head, body))
    run.say("Nothing is fitted anew, so a change also moves the threshold: the AUC does not depend on that.")
    return made


def localisation(run: Run) -> dict[str, Any]:
    """Whether the flagged places are the wrong ones."""
    made: dict[str, Any] = {}
    body = []
    for name in (name for name in SPANS if name in run.sets):
        found = measure.localisation(measure.localise(run.cases(name), run.results(name, DEFAULT, run.bench.default())))
        made[name] = found
        body.append(
            [
                name,
                str(found["places"]),
                percent(found["touched"]) + between(found["touched_ci"]),
                percent(found["correct_flagged"]),
                percent(found["wrong_flagged"]),
                percent(found["marked"]),
                percent(found["flagged_that_is_marked"]),
                str(found["unplaced"]),
            ]
        )
    head = (
        "set",
        "annotated wrong places",
        "touched by a flagged claim [95 %]",
        "words of correct answers flagged",
        "words of wrong answers flagged",
        "annotated words of wrong answers",
        "flagged words that are annotated",
        "flagged without a place",
    )
    run.say(table(head, body))
    return made


def findings(run: Run) -> dict[str, Any]:
    """What the comparison of numbers, dates, names and polarity by rules finds in wrong and in correct answers."""
    made: dict[str, Any] = {}
    body = []
    for name in run.sets:
        made[name] = measure.findings(run.cases(name), run.results(name, DEFAULT, run.bench.default()))
        body += [
            [
                f"{name} ({USES[name]})",
                kind,
                f"{found['inconsistent']} ({percent(found['of_inconsistent'])} %)",
                f"{found['consistent']} ({percent(found['of_consistent'])} %)",
            ]
            for kind, found in made[name].items()
        ]
    if body:
        run.say(table(("set", "kind of finding", "in inconsistent answers", "in consistent answers"), body))
    else:
        run.say("Nothing was found by rule.")
    return made


def verifier_alone(run: Run) -> dict[str, Any]:
    """Three classes on NLI pairs, and the pairs made of the same words."""
    made: dict[str, Any] = {}
    body = []
    pairs = [row for row in rows("nli/pairs", run.data) if row["split"] == "dev"]
    for source in THREE_WAY:
        kept = [row for row in pairs if row["source"] == source][: run.limit]
        with step(f"three classes, {source}", len(kept)) as tell:
            found = measure.three_way(run.verifier, kept, tell)
        made[source] = found
        body.append(
            [
                source,
                str(found["n"]),
                percent(found["accuracy"]) + between(found["accuracy_ci"]),
                percent(found["floor"]),
            ]
        )
    run.say(table(("dev pairs", "n", "three-class accuracy [95 %]", "always the largest class"), body))
    known = same_words.rows()
    groups = same_words.right_by_group(known, run.verifier)
    made["same_words"] = {name: same_words.summary(hits) for name, hits in groups.items()}
    body = [
        [name, str(len(hits)), percent(made["same_words"][name]["share"]) + between(made["same_words"][name]["ci"])]
        for name, hits in groups.items()
    ]
    run.say("Same words, other meaning:\n\n" + table(("pairs", "n", "right [95 %]"), body))
    return made


def cross_validated(run: Run) -> dict[str, Any]:
    """The fit of the weights, cross-validated over contexts, as `fit_answers` reports it."""
    if run.limit is not None:
        run.say("Left out under `--limit`: a fit on a slice says nothing.")
        return {}
    command = [sys.executable, "-m", "tests.benchmarks.fit_answers", "--data", str(run.data)]
    with step("cross-validated fit", 1):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        run.say(f"`fit_answers` failed with status {done.returncode}: {done.stderr.strip()[-400:]}")
        return {"returncode": done.returncode}
    run.say("```\n" + done.stdout.strip() + "\n```")
    return {"output": done.stdout.strip().splitlines()}


def speed(run: Run) -> dict[str, Any]:
    """Time of the configuration whose accuracy stands above, nothing remembered."""
    from tests.benchmarks.speed import cases as speed_cases
    from tests.benchmarks.speed import percentile

    samples = speed_cases(run.data, min(run.limit or 60, 60))
    for sample in samples[:3]:
        run.base.evaluate(sample)
    times, pairs = [], []
    with step("speed", len(samples)) as tell:
        for sample in samples:
            began = time.perf_counter()
            evaluation = run.base.evaluate(sample)
            times.append(time.perf_counter() - began)
            pairs.append(evaluation.provenance.selection.get("pairs", 0))
            tell(1)
    made = {
        "answers": len(samples),
        "median_ms": 1000 * statistics.median(times),
        "p95_ms": 1000 * percentile(times, 0.95),
        "pairs_per_answer": statistics.mean(pairs),
        "pairs_per_second": sum(pairs) / sum(times),
    }
    run.say(
        f"A 60-word answer against 2,000 words in five passages, warm: median {made['median_ms']:.0f} ms, p95 "
        f"{made['p95_ms']:.0f} ms over {made['answers']} answers; {made['pairs_per_answer']:.1f} pairs an answer, "
        f"{made['pairs_per_second']:.0f} pairs/s with everything around them."
    )
    return made


SECTIONS: dict[str, tuple[str, Callable[[Run], dict[str, Any]]]] = {
    "accuracy": ("Accuracy as it ships", accuracy),
    "gain": ("GraphEval over the verifier alone", gain),
    "ablations": ("With and without each part", ablations),
    "localisation": ("Localisation", localisation),
    "findings": ("Explicit evidence", findings),
    "verifier": ("The verifier alone", verifier_alone),
    "cross-validated": ("Cross-validated, where weights were fitted", cross_validated),
    "speed": ("Speed of the same configuration", speed),
}
