"""`GraphEvalTool`: lets an agent check a text against passages."""

from __future__ import annotations

import json
from typing import Any, Literal

from langchain_core.tools import BaseTool
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from grapheval import Evaluation, GraphEval
from langchain_grapheval.convert import to_context


class GraphEvalToolInput(BaseModel):
    """What the tool is called with."""

    answer: str = Field(description="The text whose statements are to be checked.")
    context: list[str] = Field(description="The passages that must support it, each as a whole.")
    question: str | None = Field(default=None, description="The question that the text answers, if there is one.")


class GraphEvalTool(BaseTool):
    """Checks each statement of a text against passages.

    The content that the model sees is JSON: `status`, `groundedness`, and the statements that are not supported, each
    with its label and evidence. The artifact is the `Evaluation`.

    Args:
        pipeline: Judges; None = `GraphEval.local()`.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    name: str = "check_groundedness"
    description: str = (
        "Checks whether the given passages support every statement of a text. Returns JSON: status (consistent, "
        "inconsistent, partial, abstained, no_claims, no_context), groundedness from 0 to 1, and the statements that "
        "are not supported. Use it before you give an answer that must rest on sources."
    )
    args_schema: type[BaseModel] = GraphEvalToolInput
    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    pipeline: GraphEval | None = None
    _pipeline: GraphEval = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Build the pipeline."""
        super().model_post_init(context)
        self._pipeline = self.pipeline if self.pipeline is not None else GraphEval.local()

    def _run(self, answer: str, context: list[str], question: str | None = None) -> tuple[str, Evaluation]:
        return _report(self._pipeline.evaluate(answer, to_context(context), question))

    async def _arun(self, answer: str, context: list[str], question: str | None = None) -> tuple[str, Evaluation]:
        return _report(await self._pipeline.aevaluate(answer, to_context(context), question))


def _report(evaluation: Evaluation) -> tuple[str, Evaluation]:
    flagged = [
        {
            "statement": verdict.claim.text,
            "label": verdict.label.value,
            "evidence": [evidence.text for evidence in verdict.evidence],
        }
        for verdict in evaluation.flagged
    ]
    groundedness = evaluation.groundedness
    plain = {
        "status": evaluation.status.value,
        "reason": evaluation.reason.value if evaluation.reason else None,
        "groundedness": None if groundedness is None else round(groundedness, 3),
        "not_supported": flagged,
    }
    return json.dumps(plain, ensure_ascii=False), evaluation
