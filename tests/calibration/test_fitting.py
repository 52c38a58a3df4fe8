from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from grapheval import Failure, GraphEval, InputError, ModelError, Reason, Sample, Status
from grapheval.calibration import LabelledSample, LogisticMap, PipelineChoices, Settings, calibrate
from grapheval.calibration.advice import is_enough, more_answers, summary
from grapheval.calibration.candidates import Observed, choose
from grapheval.calibration.labelled import fingerprint
from grapheval.calibration.settings import FitReport
from grapheval.calibration.threshold import choose_threshold
from grapheval.testing import FakeExtractor, FakeVerifier

from .conftest import shifted


def test_a_threshold_that_is_far_off_is_found(make) -> None:  # type: ignore[no-untyped-def]
    pipeline, answers = make(shifted())
    made = calibrate(pipeline, answers)
    report = made.report
    assert (report.answers, report.inconsistent, report.unjudged) == (120, sum(a.label for a in answers), 0)
    assert report.default_balanced_accuracy == 0.5  # everything is above 0.5
    assert report.balanced_accuracy > 0.9
    assert report.gain_interval[0] > 0.3
    assert report.enough
    assert "There was enough data" in report.summary
    assert made.settings.report == report
    calibrated = GraphEval.calibrated(made.settings, pipeline)
    found = [calibrated.evaluate(item.sample) for item in answers]
    right = [(f.status is Status.INCONSISTENT) == bool(item.label) for f, item in zip(found, answers, strict=True)]
    assert sum(right) >= 116
    for evaluation in found:
        assert evaluation.p_inconsistent is not None
        assert (evaluation.status is Status.INCONSISTENT) is (evaluation.p_inconsistent > evaluation.threshold)
        assert all(v.flagged is (v.p_ungrounded > evaluation.threshold) for v in evaluation.verdicts)  # type: ignore[operator]


def test_the_pipeline_itself_is_left_alone(make) -> None:  # type: ignore[no-untyped-def]
    pipeline, answers = make(shifted(60))
    before = pipeline.evaluate(answers[0].sample)
    GraphEval.calibrated(calibrate(pipeline, answers).settings, pipeline)
    assert pipeline.threshold == 0.5
    assert pipeline.calibration is None
    assert pipeline.evaluate(answers[0].sample) == before


def test_a_calibrated_pipeline_is_calibrated_anew_from_its_plain_probabilities(make) -> None:  # type: ignore[no-untyped-def]
    pipeline, answers = make(shifted(60))
    once = calibrate(pipeline, answers).settings
    again = calibrate(GraphEval(pipeline.extractor, pipeline.verifier, calibration=LogisticMap(2.0, -3.0)), answers)
    assert again.settings == once


def test_the_worst_claim_decides_whatever_the_aggregator(make) -> None:  # type: ignore[no-untyped-def]
    class Never:
        info = "never"

        def aggregate(self, verdicts: object) -> float:
            return 0.0

    pipeline, answers = make(shifted(60))
    lenient = GraphEval(pipeline.extractor, pipeline.verifier, aggregator=Never())
    made = calibrate(lenient, answers)
    assert made.report.default_balanced_accuracy == 0.5
    assert made.report.found > 0.8
    calibrated = GraphEval.calibrated(made.settings, lenient)
    assert calibrated.aggregator.info == "max"
    assert any(calibrated.evaluate(item.sample).status is Status.INCONSISTENT for item in answers)
    assert GraphEval.calibrated(Settings(0.3), lenient).aggregator.info == "never"  # nothing was fitted


def test_false_alarms_do_not_compound_over_many_claims(make) -> None:  # type: ignore[no-untyped-def]
    """Clean claims are sometimes at 0.7 by chance, so long clean answers look as bad as short wrong ones."""
    chance = random.Random(4)
    answers = []
    for number in range(240):
        size = 1 if number % 2 else 20
        wrong = number % 4 < 2
        claims = [0.7 if chance.random() < 0.25 else 0.1 for _ in range(size)]
        if wrong:
            claims[0] = 0.7 if size == 1 else 0.95
        answers.append((claims, int(wrong)))
    pipeline, labelled = make(answers)
    made = calibrate(pipeline, labelled)
    assert isinstance(made.settings.map, LogisticMap)
    assert made.settings.map.per_log_claims < -0.3
    assert made.report.gain_interval[0] > 0.1
    by, threshold = made.settings.map, made.settings.threshold
    assert by.apply(0.7, 1) > threshold  # a lone claim at 0.7 is flagged
    assert by.apply(0.7, 20) <= threshold  # the worst of twenty is not
    assert by.apply(0.95, 20) > threshold


def test_good_probabilities_stay_as_they_are() -> None:
    chance = np.random.default_rng(0)
    p = chance.uniform(0.02, 0.98, 400)
    label = (chance.uniform(size=400) < p).astype(int)
    assert choose(Observed(p, np.ones(400, int), label, np.arange(400))) is None


def test_the_threshold_worked_by_hand() -> None:
    p = np.array([0.1, 0.2, 0.3, 0.4] * 10 + [0.6, 0.7, 0.8, 0.9] * 10)
    label = np.array([0] * 40 + [1] * 40)
    threshold, (low, high) = choose_threshold(p, label, np.arange(80))
    assert threshold == pytest.approx(0.5)
    assert low <= 0.5 <= high
    # A quarter of the clean answers may be flagged: the cut lies between 0.3 and 0.4.
    loose, _ = choose_threshold(p, label, np.arange(80), max_false_alarms=0.25)
    assert 0.25 <= loose <= 0.45


def test_false_alarms_stay_below_what_was_asked(make) -> None:  # type: ignore[no-untyped-def]
    chance = random.Random(9)
    answers = []
    for number in range(300):
        wrong = number % 2
        answers.append(([min(0.99, max(0.01, chance.gauss(0.65 if wrong else 0.5, 0.15)))], wrong))
    pipeline, labelled = make(answers)
    made = calibrate(pipeline, labelled, max_false_alarms=0.1)
    assert made.report.objective == "at most 10 % false alarms"
    assert made.report.false_alarms < 0.2  # held out, so not exactly
    plain = calibrate(pipeline, labelled)
    assert plain.report.false_alarms > made.report.false_alarms
    assert plain.report.found > made.report.found


def test_answers_that_were_not_judged_take_no_part(make) -> None:  # type: ignore[no-untyped-def]
    pipeline, answers = make(shifted(60))
    assert isinstance(pipeline.verifier, FakeVerifier)
    assert isinstance(pipeline.verifier.judge, dict)
    pipeline.verifier.judge["Item0 has part0"] = Reason.CLAIM_TOO_LONG
    report = calibrate(pipeline, answers).report
    assert (report.answers, report.unjudged) == (59, 1)
    assert "(1 more could not be judged)" in report.summary


def test_failures_are_reported_and_the_rest_is_used(make) -> None:  # type: ignore[no-untyped-def]
    pipeline, answers = make(shifted(60))

    class Flaky(FakeExtractor):
        def extract(self, samples):  # type: ignore[no-untyped-def]
            if any(sample.answer == answers[3].sample.answer for sample in samples):
                raise ModelError("the server is gone")
            return super().extract(samples)

    flaky = GraphEval(Flaky(pipeline.extractor.table), pipeline.verifier)
    steps: list[int] = []
    made = calibrate(flaky, answers, progress=lambda: steps.append(1))
    assert len(steps) == 60
    assert [failure.message for failure in made.failures] == ["the server is gone"]
    assert isinstance(made.failures[0], Failure)
    assert made.report.unjudged == 1


def test_too_few_or_one_kind_is_refused(make) -> None:  # type: ignore[no-untyped-def]
    pipeline, answers = make([([0.9], 1)] * 9 + [([0.1], 0)] * 30)
    with pytest.raises(InputError, match=r"at least 10 answers of each kind .* 9 inconsistent and 30 consistent"):
        calibrate(pipeline, answers)
    pipeline, answers = make([([0.1], 0)] * 30)
    with pytest.raises(InputError, match="0 inconsistent and 30 consistent"):
        calibrate(pipeline, answers)
    with pytest.raises(InputError, match="0 inconsistent and 0 consistent"):
        calibrate(pipeline, [])


@pytest.mark.parametrize("share", [0.0, 1.0, -0.1, float("nan")])
def test_a_share_out_of_range_is_refused(make, share: float) -> None:  # type: ignore[no-untyped-def]
    pipeline, answers = make(shifted(40))
    with pytest.raises(InputError, match="max_false_alarms"):
        calibrate(pipeline, answers, max_false_alarms=share)


def test_few_answers_are_fitted_and_said_to_be_few(make) -> None:  # type: ignore[no-untyped-def]
    chance = random.Random(2)
    answers = [([min(0.99, max(0.01, chance.gauss(0.6 if n % 2 else 0.45, 0.2)))], n % 2) for n in range(24)]
    report = calibrate(*make(answers)).report
    assert not report.enough
    assert "There was not enough data to rely on this: label about" in report.summary


def test_answers_to_one_context_are_held_out_together(make) -> None:  # type: ignore[no-untyped-def]
    """One context's answers are inconsistent below 0.5, all others above: only leaving it out whole shows that."""
    pipeline, answers = make(shifted(100), contexts=12)
    assert calibrate(pipeline, answers).report.answers == 100
    pipeline, answers = make(shifted(100), contexts=1)  # a single context: answers are held out one by one
    assert calibrate(pipeline, answers).report.balanced_accuracy > 0.9


REPORT = FitReport(
    answers=100,
    inconsistent=40,
    unjudged=0,
    objective="balanced accuracy",
    balanced_accuracy=0.7,
    interval=(0.55, 0.85),
    false_alarms=0.3,
    found=0.7,
    default_balanced_accuracy=0.65,
    gain=0.05,
    gain_interval=(-0.02, 0.12),
    threshold_interval=(0.4, 0.6),
    enough=False,
    summary="",
)


def test_how_many_more_answers_worked_by_hand() -> None:
    # The interval is 30 points wide and may be 15: four times as many answers, 300 more.
    assert more_answers(REPORT) == 300
    # Narrow enough, but 10 of 100 are inconsistent and 30 are asked for: three times as many answers.
    rare = replace(REPORT, inconsistent=10, interval=(0.65, 0.75))
    assert more_answers(rare) == 200
    assert not is_enough(rare)
    assert is_enough(replace(REPORT, interval=(0.63, 0.77)))


@pytest.mark.parametrize(
    ("interval", "words"),
    [((-0.02, 0.12), "may be chance"), ((0.01, 0.1), "is more than chance"), ((-0.1, -0.01), "speaks against")],
)
def test_the_summary_says_whether_it_is_chance(interval: tuple[float, float], words: str) -> None:
    text = summary(replace(REPORT, gain_interval=interval), Settings(0.42))
    assert words in text
    assert "Threshold 0.420; the probabilities stay as they are" in text
    assert "+5.0 points" in text


def test_the_same_answers_give_the_same_settings_file(make, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    pipeline, answers = make(shifted(60))
    texts = []
    for name in ("a", "b"):
        calibrate(pipeline, answers, choices=PipelineChoices("local")).settings.save(tmp_path / name)
        texts.append((tmp_path / name).read_bytes())
    assert texts[0] == texts[1]


def test_the_fingerprint_tells_data_apart() -> None:
    one = [LabelledSample(Sample("A.", "c"), 1)]
    assert fingerprint(one) == fingerprint([LabelledSample(Sample("A.", "c", id="other"), 1)])
    assert fingerprint(one) != fingerprint([LabelledSample(Sample("A.", "c"), 0)])
    assert fingerprint(one) != fingerprint([LabelledSample(Sample("A.", "d"), 1)])


def test_contradictory_labels_are_not_enough_data(make) -> None:  # type: ignore[no-untyped-def]
    """Each answer stands there twice, once with each label: the interval is narrow, at chance."""
    pipeline, answers = make([([0.3 + 0.005 * n], 0) for n in range(60)])
    both = [LabelledSample(item.sample, label) for item in answers for label in (0, 1)]
    report = calibrate(pipeline, both).report
    assert report.interval == (0.5, 0.5)
    assert not report.enough
    assert "the labels contradict each other" in report.summary
    assert "more answers like these" not in report.summary
