from __future__ import annotations

import json
import logging
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from grapheval import GraphEval, InputError, Status
from grapheval.calibration import IsotonicMap, LogisticMap, PipelineChoices, Settings
from grapheval.guard import Guard
from grapheval.paper import as_paper
from grapheval.testing import FakeExtractor, FakeLLM, FakeVerifier

CONTEXT = "Oslo is the capital of Norway."
FULL = Settings(
    0.37,
    IsotonicMap((0.0, 0.4, 1.0), (0.01, 0.3, 0.99)),
    PipelineChoices("llm", "hhem", "ollama:llama3", "ours"),
    extractor="llm/llama3",
    verifier="hhem@main",
)


@pytest.mark.parametrize("settings", [Settings(), FULL, Settings(0.6, LogisticMap(1.5, -0.2, -0.3))])
def test_a_file_holds_everything(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    settings.save(path)
    assert Settings.load(path) == settings
    assert Settings.load(str(path)) == settings
    assert json.loads(path.read_text())["format"] == "grapheval-settings"
    assert [p.name for p in tmp_path.iterdir()] == ["settings.json"]  # no draft is left behind


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not valid JSON"),
        ("[]", "holds no JSON object"),
        ("{}", 'lacks "format"'),
        ('{"format": "other"}', 'lacks "format"'),
        ('{"format": "grapheval-settings", "version": 2}', "version"),
        ('{"format": "grapheval-settings", "threshold": 7}', "threshold must lie between 0 and 1"),
        ('{"format": "grapheval-settings", "threshold": "high"}', "threshold"),
        ('{"format": "grapheval-settings", "threshold": NaN}', "threshold must lie between"),
        ('{"format": "grapheval-settings", "map": {"kind": "logistic", "slope": -1}}', "slope > 0"),
        ('{"format": "grapheval-settings", "map": {"kind": "pickle", "slope": 1}}', "map"),
        ('{"format": "grapheval-settings", "map": {"kind": "isotonic", "x": [1, 0], "y": [0, 1]}}', "rising"),
        ('{"format": "grapheval-settings", "pipeline": {"protocol": "theirs"}}', "protocol"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_file_that_is_something_else_is_refused(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(content)
    with pytest.raises(InputError, match=message) as caught:
        Settings.load(path)
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        GraphEval.calibrated(tmp_path / "nothing.json")
    with pytest.raises(InputError, match="no such file"):
        Settings().save(tmp_path / "no" / "folder.json")


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.json"
    Settings(0.3).save(path)

    def broken(self: Path, target: Any) -> Path:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", broken)
    with pytest.raises(InputError, match="disk full"):
        Settings(0.4).save(path)
    assert Settings.load(path).threshold == 0.3


def test_no_key_is_in_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    FULL.save(tmp_path / "s.json")
    assert "sk-secret" not in (tmp_path / "s.json").read_text()
    assert stat.S_ISREG(os.stat(tmp_path / "s.json").st_mode)


def pipeline(p: float = 0.6) -> GraphEval:
    return GraphEval(FakeExtractor(), FakeVerifier(default=1 - p))


def test_another_verifier_is_refused() -> None:
    with pytest.raises(InputError, match="fitted for the verifier hhem@main, not for fake@1"):
        GraphEval.calibrated(FULL, pipeline())


def test_another_revision_or_extractor_is_said(caplog: pytest.LogCaptureFixture) -> None:
    settings = Settings(0.7, verifier="fake@0", extractor="other")
    with caplog.at_level(logging.WARNING, "grapheval"):
        assert GraphEval.calibrated(settings, pipeline()).threshold == 0.7
    assert [record.getMessage() for record in caplog.records] == [
        "the settings were fitted with verifier fake@0, this one is fake@1",
        "the settings were fitted with extractor other, this one is fake",
    ]


def test_threshold_and_map_reach_status_and_provenance() -> None:
    assert pipeline().evaluate("Oslo is big.", CONTEXT).status is Status.INCONSISTENT
    mild = GraphEval.calibrated(Settings(0.65), pipeline())
    assert mild.evaluate("Oslo is big.", CONTEXT).status is Status.CONSISTENT
    # logit(0.6) = ln 1.5; minus ln 6 the odds are 1 to 4.
    mapped = GraphEval.calibrated(
        {"format": "grapheval-settings", "map": {"kind": "logistic", "offset": -1.791759469228055}}, pipeline()
    )
    found = mapped.evaluate("Oslo is big.", CONTEXT)
    assert found.status is Status.CONSISTENT
    assert found.p_inconsistent == pytest.approx(0.2)
    assert found.verdicts[0].label.value == "supported"
    assert found.provenance.aggregator == "max of logistic(1*logit(p) -1.79)"
    assert mapped.evaluate_many([])[:] == []


async def test_the_asynchronous_form_and_batches_are_calibrated_too() -> None:
    from grapheval import Evaluation, Sample

    mild = GraphEval.calibrated(Settings(0.65), pipeline())
    assert (await mild.aevaluate("Oslo is big.", CONTEXT)).status is Status.CONSISTENT
    (found,) = mild.evaluate_many([Sample("Oslo is big.", CONTEXT)])
    assert isinstance(found, Evaluation)
    assert found.threshold == 0.65


def test_guards_follow_the_settings() -> None:
    strict, mild = pipeline(), GraphEval.calibrated(Settings(0.65), pipeline())
    assert Guard(strict, on_flagged="block").run("Oslo is big.", CONTEXT).text != "Oslo is big."
    assert Guard(mild, on_flagged="block").run("Oslo is big.", CONTEXT).text == "Oslo is big."


def test_settings_build_their_pipeline() -> None:
    local = GraphEval.calibrated(Settings(0.4))
    assert local.provenance().extractor.startswith("local")
    assert local.threshold == 0.4
    paper = GraphEval.calibrated(Settings(0.4, pipeline=PipelineChoices(protocol="paper")))
    assert paper.provenance().selector == "whole-context"
    assert paper.threshold == 0.4
    llm = FakeLLM(["[]"])
    mixed = GraphEval.calibrated(Settings(pipeline=PipelineChoices("local", "llm")), llm=llm)
    assert mixed.provenance().extractor.startswith("local")
    assert mixed.corrector is not None
    assert "fake" in mixed.provenance().verifier
    with pytest.raises(InputError, match="either a pipeline or its stages"):
        GraphEval.calibrated(Settings(), pipeline(), threshold=0.3)


def test_the_papers_protocol_is_never_calibrated_behind_ones_back() -> None:
    calibrated = GraphEval.calibrated(Settings(0.65, LogisticMap(2.0)), pipeline())
    assert as_paper(calibrated).calibration is None
