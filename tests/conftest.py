"""Settings for the whole suite."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# No deadlines: tests are never timed, and build machines are busy. Derandomised in CI, so that a run can be repeated.
settings.register_profile(
    "grapheval", deadline=None, derandomize="CI" in os.environ, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("grapheval")
