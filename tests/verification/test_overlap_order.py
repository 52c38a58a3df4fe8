"""The share of a claim's words is the same number in every process, whatever the order of its sets."""

from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = """
from grapheval.verification.overlap import Overlap
claim = "Ada Lovelace wrote 3 long notes about the analytical engine of Charles Babbage in London in 1843."
words = claim.split()
overlap = Overlap(claim)
print([overlap.share(overlap.held(" ".join(words[start:end]))).hex() for start in range(8) for end in range(9, 17)])
"""


def test_the_share_does_not_depend_on_the_seed_of_hashes() -> None:
    found = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"PYTHONHASHSEED": str(seed), "PYTHONPATH": os.pathsep.join(sys.path)},
        ).stdout
        for seed in (1, 2, 3, 4)
    }
    assert len(found) == 1
