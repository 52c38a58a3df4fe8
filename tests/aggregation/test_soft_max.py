"""The soft maximum: one claim keeps its probability, many doubtful ones do not add up, a sure one decides."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapheval.aggregation import MaxAggregator, SoftMaxAggregator
from grapheval.types import Claim, Finding, FindingKind, Label, Verdict


def verdicts(*values: float) -> list[Verdict]:
    return [Verdict(Claim("x"), Label.SUPPORTED, value) for value in values]


def test_one_claim_and_equal_claims_keep_their_probability() -> None:
    assert SoftMaxAggregator().aggregate(verdicts(0.3)) == 0.3
    assert SoftMaxAggregator().aggregate(verdicts(*[0.6] * 12)) == 0.6


def test_the_odds_are_averaged() -> None:
    # At temperature 1 the odds themselves: 0.5 has 1, 0.75 has 3, their mean is 2, which is 2/3.
    assert SoftMaxAggregator(1.0).aggregate(verdicts(0.5, 0.75)) == pytest.approx(2 / 3)


def test_a_doubt_among_many_good_claims_does_not_decide_and_a_sure_error_does() -> None:
    good = [0.1] * 11
    doubtful = SoftMaxAggregator(1.0).aggregate(verdicts(*good, 0.55))
    sure = SoftMaxAggregator(1.0).aggregate(verdicts(*good, 0.97))
    assert doubtful is not None
    assert sure is not None
    assert doubtful < 0.5 < sure
    # (11 / 9 + 0.97 / 0.03) / 12 = 2.796 to 1
    odds = (11 / 9 + 0.97 / 0.03) / 12
    assert sure == pytest.approx(odds / (1 + odds))


def test_a_flagged_claim_with_a_finding_decides_by_itself() -> None:
    finding = Finding(FindingKind.NUMBER, "999", ("67",), "999 stands nowhere in the sources; they say 67")
    found = Verdict(Claim("x"), Label.CONTRADICTED, 0.55, flagged=True, findings=(finding,))
    fine = Verdict(Claim("x"), Label.SUPPORTED, 0.45, findings=(finding,))
    assert SoftMaxAggregator().aggregate([*verdicts(*[0.1] * 11), found]) == 0.55
    assert (SoftMaxAggregator().aggregate([*verdicts(*[0.1] * 11), fine]) or 1.0) < 0.5


def test_what_does_not_count_and_nothing_at_all() -> None:
    conflicting = Verdict(Claim("x"), Label.CONFLICTING, 0.9)
    assert SoftMaxAggregator().aggregate([*verdicts(0.2), conflicting, Verdict(Claim("x"), Label.UNVERIFIED)]) == 0.2
    assert SoftMaxAggregator().aggregate([]) is None


def test_temperature_zero_is_the_paper_s_rule() -> None:
    assert SoftMaxAggregator(0.0).aggregate(verdicts(0.2, 0.7)) == MaxAggregator().aggregate(verdicts(0.2, 0.7)) == 0.7


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_it_lies_between_the_least_and_the_largest_in_any_order(values: list[float]) -> None:
    found = SoftMaxAggregator().aggregate(verdicts(*values))
    assert found is not None
    assert min(values) - 1e-5 <= found <= max(values) + 1e-5
    assert math.isclose(found, SoftMaxAggregator().aggregate(verdicts(*reversed(values))) or 0.0, abs_tol=1e-9)
