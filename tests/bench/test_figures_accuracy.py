"""The accuracy figures: what is remembered, what is compared, what is counted."""

from __future__ import annotations

import dataclasses
import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from grapheval import Claim, Evaluation, Failure, GraphEval, Label, Sample, Source, Span, Status
from grapheval.protocols import Judgement, Pair, Passage, Selected, VerifierInfo, Window
from grapheval.testing import FakeExtractor
from grapheval.types import Verdict
from grapheval.verification.rules import EvidenceRules
from grapheval.verification.support import BUNDLED, Support
from tests.benchmarks.figures_accuracy import __main__ as command
from tests.benchmarks.figures_accuracy import measure, sets, tables
from tests.benchmarks.figures_accuracy.configurations import DEFAULT, NoisyOr, SentencesOnly, Workbench
from tests.benchmarks.figures_accuracy.remembered import RememberedExtractor, RememberedSelector
from tests.benchmarks.figures_accuracy.sets import Case


class Inside:
    """A verifier that entails claims that stand in the premise."""

    info = VerifierInfo(name="inside", version="1")

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        return [self._one(pair) for pair in pairs]

    def _one(self, pair: Pair) -> Judgement:
        return Judgement(0.75, (0.75, 0.25, 0.0)) if pair.hypothesis in pair.premise else Judgement(0.25)


class EachSource:
    """A selector that takes every source as one window and counts its calls."""

    info = "each-source"

    def __init__(self) -> None:
        self.calls = 0

    def select(
        self,
        claims: Sequence[Claim],
        sources: Sequence[Source],
        count_tokens: Callable[[Sequence[str]], list[int]],
        verifier: VerifierInfo,
    ) -> Selected:
        self.calls += 1
        windows = tuple(Window(s.text, (Passage(s.id, Span(0, len(s.text))),), 1) for s in sources)
        return Selected((windows,) * len(claims))


# ------------------------------------------------------------------------------------------------ what is remembered


def test_answers_and_windows_are_made_once() -> None:
    extractor, selector = FakeExtractor(), EachSource()
    again = RememberedExtractor(extractor)
    assert again.extract([Sample("One.", "x"), Sample("One.", "y"), Sample("Two.", "x")])[0].claims[0].text == "One."
    again.extract([Sample("Two.", "z")])
    assert extractor.calls == ["One.", "Two."]
    chosen = RememberedSelector(selector)
    claims, sources = [Claim("One.")], Sample("One.", ["p", "q"]).sources
    for _ in range(2):
        assert len(chosen.select(claims, sources, Inside().count_tokens, VerifierInfo("v")).windows[0]) == 2
    assert selector.calls == 1


# ---------------------------------------------------------------------------------------------------- configurations


def workbench() -> Workbench:
    verifier = Inside()
    base = GraphEval(FakeExtractor(), verifier, EachSource(), folder=EvidenceRules(support=BUNDLED))
    return Workbench(base, verifier)


def test_every_part_is_changed_once() -> None:
    made = workbench().all()
    names = [each.name for each in made]
    assert names[0] == DEFAULT
    assert len(set(names)) == len(names)
    assert {"wording mix", "rules", "aggregation", "selector", "claims", "protocol"} <= {each.part for each in made}
    folders = {each.name: each.pipeline.folder for each in made}
    assert folders[DEFAULT] == EvidenceRules(support=BUNDLED)
    assert folders["without the wording mix"] == EvidenceRules(support=Support())
    for each in made:
        found = each.pipeline.evaluate("Oslo is big.", ["Oslo is big. Bergen is wet."])
        assert found.p_inconsistent is not None or each.name.startswith(("triples", "paper")), each.name


def test_a_pipeline_without_rules_has_fewer_parts() -> None:
    from grapheval.verification.plain import BestWindow

    base = GraphEval(FakeExtractor(), Inside(), EachSource(), folder=BestWindow())
    names = [each.name for each in Workbench(base, base.verifier).all()]
    assert "without the wording mix" not in names
    assert DEFAULT in names


def verdict(
    p: float | None, span: Span | None = None, *, flagged: bool = False, label: Label = Label.SUPPORTED
) -> Verdict:
    return Verdict(Claim("x", None, span), label, p, None, flagged)


def test_noisy_or_compounds() -> None:
    found = NoisyOr().aggregate([verdict(0.5), verdict(0.5), verdict(None), verdict(0.9, label=Label.CONFLICTING)])
    assert found == pytest.approx(0.75)
    assert NoisyOr().aggregate([verdict(None)]) is None


def test_sentences_are_claims_with_their_places() -> None:
    (found, nothing) = SentencesOnly().extract([Sample("Oslo is big. Bergen is wet.", "x"), Sample("  ", "x")])
    assert [claim.text for claim in found.claims] == ["Oslo is big.", "Bergen is wet."]
    assert found.claims[1].span == Span(13, 27)
    assert nothing.claims == ()


# -------------------------------------------------------------------------------------------------------------- sets


@pytest.mark.parametrize(
    ("part", "text", "found"),
    [
        ("( 656 ft) tower", "A 198-metre (656 ft) tower opens.", "(656 ft) tower"),
        ("re-signed", "They re - signed him.", "re - signed"),
        ("OSLO", "In Oslo.", "Oslo"),
        ("Oslo, not Bergen", "In Oslo.", None),
        (" ", "In Oslo.", None),
    ],
)
def test_annotated_words_are_found_whatever_the_spacing(part: str, text: str, found: str | None) -> None:
    span = sets.find_loosely(part, text)
    assert (None if span is None else span.of(text)) == found


@pytest.mark.parametrize(
    ("error", "marked", "found"),
    [
        ("['extrinsic-NP']", "['in Oslo', 'nine']", ["in Oslo", "nine"]),
        ("['intrinsic-NP']", "[['nine'], ['not ten']]", ["nine"]),
        ("['entire_sent']", "[['very bad']]", ["All nine met in Oslo."]),
        ("['intrinsic-NP']", "[['a remark']]", []),
        ("['intrinsic-NP']", "", []),
    ],
)
def test_wrong_places_of_a_summary(error: str, marked: str, found: list[str]) -> None:
    output = "All nine met in Oslo."
    places = sets.wrong_places({"error_type": error, "annotated_span": marked, "output": output})
    assert [place.of(output) for place in places] == found


def test_a_smaller_limit_takes_some_of_the_same_answers() -> None:
    few, more = (sets.cases("rag-answers", Path("nowhere"), limit) for limit in (7, 20))
    assert (len(few), len(more)) == (7, 20)
    assert {case.sample.id for case in few} <= {case.sample.id for case in more}
    assert len({case.domain for case in more}) > 3
    assert len(sets.cases("rag-answers", Path("nowhere"), 10_000)) >= 60


# ------------------------------------------------------------------------------------------------------------ counts


def evaluation(*verdicts: Verdict, p: float | None = None) -> Evaluation:
    return Evaluation(Status.CONSISTENT, None, p, verdicts)


def case(answer: str, label: int, *wrong: Span, domain: str = "d", group: str = "") -> Case:
    return Case(Sample(answer, "x", id=answer), label, group or answer, domain, wrong)


def test_flagged_places_are_compared_with_the_marked_ones() -> None:
    cases = [
        case("Ann met Bob in Rome", 1, Span(8, 11), Span(15, 19)),  # Bob, Rome
        case("Cy left early", 0),
        case("Dee sang twice", 1),  # no place was marked
        case("Eve won it all", 1, Span(0, 3)),
    ]
    results: measure.Results = [
        evaluation(verdict(0.9, Span(0, 11), flagged=True), verdict(0.1, Span(12, 19))),  # Ann met Bob
        evaluation(verdict(0.8, Span(0, 7), flagged=True), verdict(0.9, None, flagged=True)),  # Cy left
        evaluation(verdict(0.9, Span(0, 3), flagged=True)),
        Failure("Eve", "verify", "model_error", "down"),
    ]
    found = measure.localise(cases, results)
    assert found.touched == (True, False, False)
    assert (found.correct_flagged, found.correct_words) == (2, 3)
    assert (found.wrong_flagged, found.wrong_words) == (3, 9)
    assert (found.marked_flagged, found.marked_words) == (1, 3)
    assert found.unplaced == 1
    shares = measure.localisation(found)
    assert shares["touched"] == pytest.approx(1 / 3)
    assert shares["correct_flagged"] == pytest.approx(2 / 3)
    assert shares["flagged_that_is_marked"] == pytest.approx(1 / 3)


@dataclasses.dataclass(frozen=True)
class Found:
    kind: str


@dataclasses.dataclass(frozen=True)
class Verdictlike:
    """A verdict with findings."""

    findings: tuple[Found, ...]


def test_findings_are_counted_by_answer_and_kind() -> None:
    cases = [case("a", 1), case("b", 1), case("c", 0), case("d", 0)]
    first: list[Any] = [Verdictlike((Found("number"), Found("date"))), Verdictlike((Found("number"),))]
    third: Any = Verdictlike((Found("name"),))
    results: measure.Results = [
        evaluation(*first),
        evaluation(),
        evaluation(third),
        Failure("d", "verify", "model_error", "down"),
    ]
    found = measure.findings(cases, results)
    assert list(found) == ["any", "date", "name", "number"]
    assert (found["any"]["inconsistent"], found["any"]["consistent"]) == (1, 1)
    assert found["number"]["of_inconsistent"] == 0.5
    assert found["name"] == {"consistent": 1, "inconsistent": 0, "of_consistent": 0.5, "of_inconsistent": 0.0}


def test_nothing_to_count_is_no_share() -> None:
    shares = measure.localisation(measure.localise([], []))
    assert shares["touched"] is None
    assert shares["touched_ci"] is None
    assert tables.percent(shares["correct_flagged"]) == "–"


def test_domains_are_scored_apart() -> None:
    cases = [
        case("a", 1, domain="law"),
        case("b", 0, domain="law"),
        case("c", 1, domain="code"),
        case("d", 0, domain="code"),
    ]
    found = measure.by_domain(cases, [0.9, 0.1, 0.2, None])
    assert found["law"]["balanced_accuracy"] == 1.0
    assert found["code"]["balanced_accuracy"] == 0.0  # one missed, one not judged
    assert found["code"]["unjudged"] == 1


def test_the_overall_gain_is_weighted_by_size() -> None:
    assert measure.overall_gain([(100, {"value": 0.1}), (300, {"value": 0.02}), (50, {"value": None})]) == {
        "value": pytest.approx(0.04),
        "standard_error": pytest.approx(0.04 / 2**0.5),
        "sets": 2,
    }
    assert measure.overall_gain([])["value"] is None


def test_three_classes_need_three_probabilities() -> None:
    rows = [
        {"premise": "a b", "hypothesis": "b", "label": "entailment"},
        {"premise": "a b", "hypothesis": "c", "label": "neutral"},
        {"premise": "a b", "hypothesis": "a", "label": "contradiction"},
        {"premise": "a b", "hypothesis": "a b", "label": "entailment"},
    ]
    told: list[int] = []
    found = measure.three_way(Inside(), rows, told.append)
    assert (found["n"], found["accuracy"], found["floor"]) == (4, 0.5, 0.5)
    assert sum(told) == 4


def test_tables_cannot_be_broken_by_what_stands_in_them() -> None:
    assert tables.table(["a"], [["x | y"]]).splitlines()[-1] == "| x \\| y |"
    assert tables.points(0.042) == "+4.2"
    assert tables.between({"low": 0.5, "high": 0.625}) == " [50.0, 62.5]"


# ----------------------------------------------------------------------------------------------------- the whole run


def write(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    path = folder / f"{name}.jsonl.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    text = "Ann Lee opened a bakery in Rome in 1990. Her brother Bob repairs clocks in Turin."
    right, wrong = "Ann Lee opened a bakery in Rome.", "Ann Lee opened a bakery in Vienna."
    pairs = [
        {"source": source, "split": "dev", "premise": text, "hypothesis": claim, "label": label}
        for source in ("begin-wow", "infotabs", "fm2", "mnli", "snli")
        for claim, label in ((right, "entailment"), (wrong, "contradiction"))
    ]
    write(folder, "nli/pairs", pairs)
    write(folder, "factuality/falke19_pairs", [p for p in pairs if p["source"] == "fm2"])
    summary = {"source": "cliff", "origin": "xsum", "context": text}
    write(
        folder,
        "factuality/summaries",
        [
            summary | {"id": "1", "output": right, "error_type": "correct", "annotated_span": ""},
            summary | {"id": "2", "output": wrong, "error_type": "['intrinsic-NP']", "annotated_span": "['Vienna']"},
        ],
    )
    for name in ("qags_c", "qags_x", "summeval"):
        rows = [{"id": str(i), "context": text, "output": o, "label": i} for i, o in enumerate((right, wrong))]
        write(folder, f"benchmarks/{name}", rows)
    write(folder, "text/paragraphs", [{"text": "The harbour was quiet that day. " * 30}])
    return folder


def test_the_whole_run_prints_and_writes_every_part(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--data", str(data), "--limit", "2", "--cache", str(tmp_path / "c.sqlite"), "--out", str(tmp_path / "out")]
    sections = ["accuracy", "gain", "ablations", "localisation", "cross-validated", "speed"]
    narrow = ["--sets", "summaries", "infotabs", "qags-x", "summeval", "--ablate", "summaries", "--sections", *sections]
    assert command.main([*given, *narrow]) == 0
    printed = capsys.readouterr()
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert list(report)[2:] == sections
    assert report["accuracy"]["summaries"]["n"] == 2
    assert report["accuracy"]["summeval"]["use"] == "report only"
    assert report["gain"]["ours"]["weighted gain, benchmarks"]["sets"] == 2
    assert report["localisation"]["summaries"]["places"] == 1
    assert {DEFAULT, "without the wording mix"} <= set(report["ablations"]["summaries"])
    assert report["speed"]["answers"] == 2
    assert "## With and without each part" in printed.out
    assert (tmp_path / "out" / "report.md").read_text(encoding="utf-8").strip() in printed.out
    assert "summaries, as it ships: 2 in" in printed.err

    assert command.main([*given, "--sets", "summaries", "--sections", "accuracy"]) == 0
    assert " 0 of " in capsys.readouterr().err  # everything was remembered


def test_a_file_that_is_no_cache_is_said_in_one_line(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("these are my notes, not a database\n" * 100, encoding="utf-8")
    assert command.main(["--data", str(data), "--cache", str(file)]) == 1
    assert "--cache" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8").startswith("these are my notes")


def test_missing_data_is_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--data", str(tmp_path / "none")]) == 1
    assert "--data" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        command.arguments(["--limit", "0"])
    assert dataclasses.is_dataclass(Case)
