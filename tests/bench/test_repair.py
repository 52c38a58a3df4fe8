"""Tables 3 and 4 from the command line, with the real LLM client, extractor, GraphCorrect and direct prompt."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from grapheval import GraphEval
from grapheval.cli.factory import Choices
from grapheval.cli.run import run
from grapheval.llm import from_spec
from grapheval.testing import FakeVerifier
from tests.tools.openai_stub import OpenAIStub

CONTEXT = "In those days Ida bakes bread in Bergen."
TRIPLES = {
    "Ida bakes bread.": ["Ida", "bakes", "bread"],
    "Ida bakes bread in Oslo.": ["Ida", "bakes bread in", "Oslo"],
    "Ida bakes bread in Bergen.": ["Ida", "bakes bread in", "Bergen"],
    "Ida bakes rolls in Oslo.": ["Ida", "bakes rolls in", "Oslo"],
}
LABELS = {"Ida bakes bread.": 0, "Ida bakes bread in Oslo.": 1}


def _reply(body: dict[str, Any]) -> str:
    """A model that repairs Oslo when asked triple by triple, and makes it worse when asked for the whole text."""
    system, prompt = body["messages"][0]["content"], body["messages"][-1]["content"]
    if "knowledge graph" in system:
        text = re.findall(r"<text>\n(.*?)\n</text>", prompt)[-1]
        return f"<triples>{json.dumps([TRIPLES[text]])}</triples>"
    if "A triple [subject, relation, object]" in system:
        return '<triple>["Ida", "bakes bread in", "Bergen"]</triple>'
    if "A text holds a piece of information" in system:
        return "<text>Ida bakes bread in Bergen.</text>"
    assert "A text was written from a source" in system
    return "<text>Ida bakes rolls in Oslo.</text>"


def _factory(choices: Choices) -> GraphEval:
    def judge(premise: str, hypothesis: str) -> float:
        return 0.9 if set(re.findall(r"\w+", hypothesis)) <= set(re.findall(r"\w+", premise)) else 0.1

    assert choices.llm is not None
    return GraphEval.from_llm(from_spec(choices.llm), verifier=FakeVerifier(judge), protocol=choices.protocol)


@pytest.mark.parametrize("protocol", ["ours", "paper"])
def test_graphcorrect_and_the_direct_prompt_are_scored(
    protocol: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "mturk_xsum.jsonl"
    rows = [
        {
            "article": CONTEXT,
            "summary_sentences": [{"sentence": answer, "responses": [{"response": "no" if label else "yes"}]}],
        }
        for answer, label in LABELS.items()
    ]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with OpenAIStub(_reply) as stub:
        monkeypatch.setenv("VLLM_BASE_URL", stub.url)
        argv = [
            "bench",
            "qags-x",
            "--data",
            str(data),
            "--llm",
            "vllm:m",
            "--correct",
            "--protocol",
            protocol,
            "--json",
        ]
        status = run(argv, _factory)
        shown = capsys.readouterr()
        assert status == 0, shown.err
        (one,) = json.loads(shown.out)["sets"]
        raw, ours = one["detectors"]
        assert ours["scores"]["balanced_accuracy"] == 1
        assert ours["usage"]["calls"] == 2
        assert raw["usage"] == {}
        by_name = {corrector["name"]: corrector for corrector in one["correctors"]}
        graph, direct = by_name["graphcorrect"], by_name["direct prompt"]
        assert (graph["flagged"], graph["believed"], graph["changed"]) == (1, 1.0, 1)
        assert graph["usage"]["calls"] >= 2
        # One word of five replaced: 4 shared words and 3 shared pairs of 4.
        assert graph["rouge"] == {
            "rouge1": pytest.approx(4 / 5),
            "rouge2": pytest.approx(3 / 4),
            "rouge_l": pytest.approx(4 / 5),
        }
        assert (direct["flagged"], direct["believed"]) == (1, 0.0)
        contexts = [CONTEXT in json.dumps(body) for body in stub.requests]
        extracts = ["knowledge graph" in body["messages"][0]["content"] for body in stub.requests]
        assert not any(context and extract for context, extract in zip(contexts, extracts, strict=True))
