"""The helper for people's own tests."""

from __future__ import annotations

import pytest

from grapheval import Status
from grapheval.testing import FakeVerifier
from grapheval.testing_grounded import assert_grounded
from tests.guard.helpers import CONTEXT, pipeline

GOOD = "Oslo is the capital of Norway."


def test_what_is_supported_passes() -> None:
    assert assert_grounded(GOOD, CONTEXT, pipeline=pipeline()).status is Status.CONSISTENT


def test_the_message_shows_the_claim_the_probability_and_the_passage() -> None:
    verifier = FakeVerifier({"Oslo is a wrong town.": (0.01, 0.04, 0.95)}, default=0.9)
    with pytest.raises(AssertionError) as caught:
        assert_grounded(f"{GOOD} Oslo is a wrong town.", CONTEXT, pipeline=pipeline(verifier=verifier))
    text = str(caught.value)
    assert text.splitlines()[:2] == [
        "the answer is not shown to be grounded: inconsistent",
        "  contradicted, p_ungrounded 0.99: Oslo is a wrong town.",
    ]
    assert "contradicts [1]: Oslo is the capital of Norway." in text
    assert GOOD not in text.splitlines()[1]


def test_what_was_not_judged_fails() -> None:
    with pytest.raises(AssertionError, match=r"no_context \(empty_context\)"):
        assert_grounded(GOOD, [], pipeline=pipeline())
    with pytest.raises(AssertionError, match="unverified, unsupported_language: This is odd"):
        assert_grounded("This is odd.", CONTEXT, pipeline=pipeline())


def test_an_abstention_passes_only_when_allowed() -> None:
    with pytest.raises(AssertionError, match="allow_abstention"):
        assert_grounded("Sorry, I found nothing.", CONTEXT, pipeline=pipeline())
    got = assert_grounded("Sorry, I found nothing.", CONTEXT, pipeline=pipeline(), allow_abstention=True)
    assert got.status is Status.ABSTAINED


def test_the_local_pipeline_is_the_default() -> None:
    assert_grounded("Hello!", CONTEXT, allow_abstention=True)
