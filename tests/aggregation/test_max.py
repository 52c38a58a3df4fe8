"""The paper's rule: as inconsistent as the worst claim."""

from hypothesis import given
from hypothesis import strategies as st

from grapheval.aggregation import MaxAggregator
from grapheval.types import Claim, Label, Reason, Verdict


def verdict(p: float | None, label: Label = Label.SUPPORTED) -> Verdict:
    return Verdict(Claim("x"), label, p)


def test_the_worst_claim_decides() -> None:
    assert MaxAggregator().aggregate([verdict(0.1), verdict(0.7, Label.UNSUPPORTED), verdict(0.4)]) == 0.7


def test_what_was_not_judged_or_is_disputed_does_not_count() -> None:
    unverified = Verdict(Claim("x"), Label.UNVERIFIED, None, reason=Reason.CLAIM_TOO_LONG)
    conflicting = Verdict(Claim("x"), Label.CONFLICTING, 0.9, reason=Reason.SOURCES_CONFLICT)
    assert MaxAggregator().aggregate([unverified, verdict(0.2), conflicting]) == 0.2


def test_nothing_judged_is_none_never_a_number() -> None:
    assert MaxAggregator().aggregate([]) is None
    assert MaxAggregator().aggregate([Verdict(Claim("x"), Label.UNVERIFIED)]) is None


@given(st.lists(st.floats(0, 1), min_size=1), st.floats(0.01, 0.99))
def test_above_the_threshold_exactly_when_some_claim_is(values: list[float], threshold: float) -> None:
    found = MaxAggregator().aggregate([verdict(value) for value in values])
    assert found is not None
    assert (found > threshold) is any(value > threshold for value in values)
