"""Settings for the whole suite."""

from __future__ import annotations

import os
import sys
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No deadlines: tests are never timed, and build machines are busy. Derandomised in CI, so that a run can be repeated.
settings.register_profile(
    "grapheval", deadline=None, derandomize="CI" in os.environ, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("grapheval")

_numbers = count()


@pytest.fixture(scope="session", autouse=True)
def _real_stderr_for_absl() -> None:
    """Give the log handler of absl (rouge-score brings it) the real standard error.

    It keeps the stream of its first import, a test's capture, and closes it when a server sets up logging; the capture
    of the whole run then fails.
    """
    from absl import logging

    logging.get_absl_handler().python_handler.stream = sys.__stderr__


@pytest.fixture(scope="session")
def cache_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("caches")


@pytest.fixture(autouse=True)
def _own_cache(cache_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has a result cache of its own, and nobody's is touched."""
    monkeypatch.setenv("GRAPHEVAL_CACHE_DIR", str(cache_root / str(next(_numbers))))
