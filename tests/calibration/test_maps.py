from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grapheval import Claim, InputError, Label, Verdict
from grapheval.calibration.maps import IsotonicMap, LogisticMap, ProbabilityMap, mapped_verdict

BENT = IsotonicMap((0.1, 0.5, 0.9), (0.2, 0.2, 0.8))
MAPS: list[ProbabilityMap] = [
    LogisticMap(),
    LogisticMap(0.5, -1.0, -0.7),
    LogisticMap(3.0, 2.0),
    BENT,
    IsotonicMap((0.0, 1.0), (0.0, 1.0)),
]
unit = st.floats(0.0, 1.0)
thresholds = st.floats(0.01, 0.99)


def test_a_logistic_map_worked_by_hand() -> None:
    by = LogisticMap(slope=2.0, offset=math.log(3.0), per_log_claims=-1.0)
    # logit(0.5) = 0, one claim: the odds are 3 to 1. Three claims take them back to even. logit(2/3) = ln 2: 4 * 3 = 12.
    assert by.apply(0.5, 1) == pytest.approx(0.75)
    assert by.apply(0.5, 3) == pytest.approx(0.5)
    assert by.apply(2 / 3, 1) == pytest.approx(12 / 13)
    assert by.cut(0.5, 3) == pytest.approx(0.5)
    assert by.cut(12 / 13, 1) == pytest.approx(2 / 3)


def test_an_isotonic_map_worked_by_hand() -> None:
    assert [BENT.apply(p, 7) for p in (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)] == pytest.approx(
        [0.2, 0.2, 0.2, 0.2, 0.5, 0.8, 0.8]
    )
    assert BENT.cut(0.5, 1) == pytest.approx(0.7)
    assert BENT.cut(0.2, 1) == 0.5  # above it, not at it
    assert BENT.cut(0.1, 1) == 0.0
    assert BENT.cut(0.8, 1) == 1.0


@pytest.mark.parametrize("by", MAPS, ids=lambda by: by.info)
@settings(max_examples=40)
@given(low=unit, high=unit, claims=st.integers(1, 60), threshold=thresholds)
def test_maps_are_monotone_and_cuts_agree(
    by: ProbabilityMap, low: float, high: float, claims: int, threshold: float
) -> None:
    low, high = sorted((low, high))
    assert 0.0 <= by.apply(low, claims) <= by.apply(high, claims) <= 1.0
    assert by.apply(high, claims + 1) <= by.apply(high, claims)
    cut = by.cut(threshold, claims)
    assert 0.0 <= cut <= 1.0
    if high > cut + 1e-6 and cut > 0.0:
        assert by.apply(high, claims) > threshold - 1e-9
    if low < cut - 1e-6 and cut < 1.0:
        assert by.apply(low, claims) <= threshold + 1e-9


@pytest.mark.parametrize("by", MAPS, ids=lambda by: by.info)
@settings(max_examples=40)
@given(p=unit, claims=st.integers(1, 60), threshold=thresholds)
def test_a_mapped_verdict_is_above_the_threshold_exactly_when_flagged(
    by: ProbabilityMap, p: float, claims: int, threshold: float
) -> None:
    flagged = p > by.cut(threshold, claims)
    found = mapped_verdict(Verdict(Claim("x"), Label.SUPPORTED, p, None, flagged), by, claims, threshold)
    assert found.p_ungrounded is not None
    assert (found.p_ungrounded > threshold) is flagged


def test_what_was_not_judged_stays_so() -> None:
    unjudged = Verdict(Claim("x"), Label.UNVERIFIED)
    assert mapped_verdict(unjudged, LogisticMap(), 1, 0.5) == unjudged


@pytest.mark.parametrize(
    "numbers", [(0.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (1.0, 0.0, 0.1), (1.0, math.nan, 0.0), (math.inf, 0.0, 0.0)]
)
def test_a_logistic_map_that_could_fall_is_refused(numbers: tuple[float, float, float]) -> None:
    with pytest.raises(InputError, match="slope > 0"):
        LogisticMap(*numbers)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ((0.1,), (0.1,)),
        ((0.1, 0.1), (0.1, 0.2)),
        ((0.1, 0.2), (0.3, 0.2)),
        ((0.1, 0.2), (0.3,)),
        ((0.1, 0.2), (0.3, 1.2)),
        ((0.1, math.nan), (0.3, 0.4)),
    ],
)
def test_an_isotonic_map_that_is_no_rising_line_is_refused(x: tuple[float, ...], y: tuple[float, ...]) -> None:
    with pytest.raises(InputError, match="rising"):
        IsotonicMap(x, y)
