"""The share of a claim's words in a text is exact, so it does not depend on the order of sets, which differs by process."""

from __future__ import annotations

import pytest

from grapheval.types import Claim
from grapheval.verification.explicit.check import Explicit
from grapheval.verification.explicit.reading import read
from grapheval.verification.overlap import Overlap

NAMES = ("Brown", "Jones", "Smith", "Miller", "Wilson", "Moore")


@pytest.mark.parametrize("names", range(1, 7))
@pytest.mark.parametrize("numbers", range(3, 9))
def test_a_text_that_holds_every_word_holds_a_share_of_exactly_one(names: int, numbers: int) -> None:
    figures = ", ".join(str(1000 + 37 * number) for number in range(numbers))
    claim = f"yesterday the {' '.join(NAMES[:names])} company sold {figures} old green wooden boxes quickly"
    overlap = Overlap(claim)
    assert overlap.share(overlap.held(claim)) == 1.0
    assert Explicit(Claim(claim)).overlap.share(read(claim).held) == 1.0
