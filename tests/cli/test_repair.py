"""`check --correct` without an LLM: the repair, what happens to the rest, citations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from grapheval import GraphEval
from grapheval.cli.factory import Choices, build
from grapheval.correction.evidence import EvidenceCorrector
from grapheval.errors import InputError
from tests.correction.words import pipeline

if TYPE_CHECKING:
    from tests.cli.conftest import Run

ANSWER = "Tove Lind founded Nordkai in 1985. The weather was fine in the village."


@pytest.fixture
def firm(tmp_path: Path) -> str:
    path = tmp_path / "firm.md"
    path.write_text("Tove Lind founded Nordkai in 1958. The firm owns 14 ships.", encoding="utf-8")
    return str(path)


def factory(choices: Choices) -> GraphEval:
    assert choices.correct
    return pipeline(choices.unrepaired)


@pytest.mark.parametrize(
    ("policy", "answer", "code"),
    [
        ("keep", "Tove Lind founded Nordkai in 1958. The weather was fine in the village.", 1),
        ("drop", "Tove Lind founded Nordkai in 1958.", 0),
        (
            "mark",
            "Tove Lind founded Nordkai in 1958. The weather was fine in the village. [not supported by the sources]",
            1,
        ),
    ],
)
def test_what_cannot_be_repaired(run: Run, firm: str, policy: str, answer: str, code: int) -> None:
    argv = ["check", "-c", firm, "-a", ANSWER, "--correct", "--json", "--unrepaired", policy]
    result = run(*argv, factory=factory)
    assert json.loads(result.out)["correction"]["answer"] == answer
    assert result.code == code


def test_citations(run: Run, firm: str) -> None:
    argv = ["check", "-c", firm, "-a", ANSWER, "--correct", "--cite"]
    cited = json.loads(run(*argv, "--json", factory=factory).out)["cited"]
    assert cited["text"] == "Tove Lind founded Nordkai in 1958. [1] The weather was fine in the village."
    assert [(c["number"], [p["text"] for p in c["passages"]]) for c in cited["citations"]] == [
        (1, ["Tove Lind founded Nordkai in 1958."])
    ]
    shown = run(*argv, factory=factory).out
    assert "With citations" in shown
    assert "1958. [1]" in shown


def test_the_policy_reaches_the_corrector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    corrector = build(Choices(correct=True, unrepaired="drop")).corrector
    assert isinstance(corrector, EvidenceCorrector)
    assert corrector.unrepaired == "drop"
    with pytest.raises(InputError, match="leave --llm out"):
        build(Choices(llm="openai:small", correct=True, unrepaired="drop"))


def test_an_unknown_policy_is_2(run: Run, firm: str) -> None:
    assert run("check", "-c", firm, "-a", ANSWER, "--unrepaired", "delete").code == 2
