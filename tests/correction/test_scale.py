"""Candidates are compared with the threshold on the scale of the pipeline's probabilities."""

from __future__ import annotations

from grapheval import GraphEval, Sample
from grapheval.calibration.maps import LogisticMap
from grapheval.calibration.settings import Settings
from grapheval.correction.evidence import EvidenceCorrector
from grapheval.correction.policy import on_scale
from grapheval.testing import FakeVerifier
from grapheval.types import CorrectionStatus
from tests.correction.words import judge

CONTEXT = "Tove Lind founded Nordkai in 1958."
WRONG = "Karin Lind founded Nordkai in 1958."

LENIENT = LogisticMap(offset=-2.2)
"""What is at least 0.1 probable is supported."""


def _doubtful(premise: str, hypothesis: str) -> float:
    """A model that never says more than 0.15."""
    return 0.15 if judge(premise, hypothesis)[0] > 0.5 else 0.02


def test_a_pipeline_hands_its_map_to_the_corrector() -> None:
    verifier = FakeVerifier(_doubtful)
    pipeline = GraphEval.local(verifier=verifier, calibration=LENIENT)
    correction = pipeline.correct(WRONG, CONTEXT)
    assert (correction.answer, correction.status) == (CONTEXT, CorrectionStatus.CORRECTED)
    assert isinstance(pipeline.corrector, EvidenceCorrector)
    assert pipeline.corrector.calibration == LENIENT
    assert pipeline.corrector.leaving("drop").calibration == LENIENT


def test_settings_hand_their_map_to_the_corrector_of_the_copy() -> None:
    pipeline = GraphEval.local(verifier=FakeVerifier(_doubtful))
    calibrated = Settings(threshold=0.5, map=LENIENT).apply_to(pipeline)
    assert calibrated.correct(WRONG, CONTEXT).answer == CONTEXT
    assert isinstance(pipeline.corrector, EvidenceCorrector)
    assert pipeline.corrector.calibration is None


def test_without_the_map_the_same_probability_is_too_low() -> None:
    corrector = EvidenceCorrector(FakeVerifier(_doubtful))
    pipeline = GraphEval.local(verifier=FakeVerifier(_doubtful), calibration=LENIENT)
    before = pipeline.evaluate(WRONG, CONTEXT)
    correction = corrector.correct(Sample(WRONG, CONTEXT), before, pipeline.evaluate)
    assert (correction.answer, correction.status) == (WRONG, CorrectionStatus.FAILED)


def test_a_corrector_on_the_same_scale_is_the_same() -> None:
    corrector = EvidenceCorrector(FakeVerifier(judge))
    assert on_scale(corrector, None) is corrector
    assert on_scale(None, LENIENT) is None
    assert on_scale(corrector, LENIENT) is not corrector
