"""Evaluations as OpenTelemetry events."""

from __future__ import annotations

import subprocess
import sys

import pytest
from opentelemetry import _logs
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor

from grapheval.guard import Guard
from tests.guard.helpers import CONTEXT, pipeline


@pytest.fixture(scope="module")
def exporter() -> InMemoryLogRecordExporter:
    exporter = InMemoryLogRecordExporter()
    provider = LoggerProvider()
    provider.add_log_record_processor(SimpleLogRecordProcessor(exporter))
    _logs.set_logger_provider(provider)
    return exporter


def test_a_guard_reports_its_evaluation(exporter: InMemoryLogRecordExporter) -> None:
    exporter.clear()
    Guard(pipeline(None), on_flagged="flag").run("Bergen is wrong.", CONTEXT)
    Guard(pipeline(None), on_flagged="flag", telemetry=False).run("Bergen is wrong.", CONTEXT)
    (entry,) = exporter.get_finished_logs()
    assert entry.log_record.event_name == "gen_ai.evaluation.result"
    found = dict(entry.log_record.attributes or {})
    assert found.pop("gen_ai.evaluation.score.value") == pytest.approx(0.02)
    assert found == {
        "gen_ai.evaluation.name": "grapheval",
        "gen_ai.evaluation.score.label": "inconsistent",
        "gen_ai.evaluation.explanation": "Bergen is wrong.",
    }


def test_what_was_not_judged_has_no_score(exporter: InMemoryLogRecordExporter) -> None:
    exporter.clear()
    Guard(pipeline(None), on_flagged="flag").run("Bergen is odd.", CONTEXT)
    (entry,) = exporter.get_finished_logs()
    assert dict(entry.log_record.attributes or {}) == {
        "gen_ai.evaluation.name": "grapheval",
        "gen_ai.evaluation.score.label": "partial",
        "gen_ai.evaluation.explanation": "unsupported_language",
    }


def test_without_opentelemetry_nothing_happens() -> None:
    code = """
import sys
sys.modules["opentelemetry"] = None
from grapheval.guard import Guard
from tests.guard.helpers import CONTEXT, pipeline
print(Guard(pipeline(None), on_flagged="flag").run("Bergen is wrong.", CONTEXT).decision.value)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "flagged"
