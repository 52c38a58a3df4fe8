"""The tools `check`, `correct` and `health`. Import `create_server` from `grapheval.mcp`, which checks the extra."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from grapheval import __version__
from grapheval.errors import GraphEvalError
from grapheval.io.batch import dump
from grapheval.pipeline import GraphEval
from grapheval.serve.calls import Calls, Limits
from grapheval.types.sample import clean_text

INSTRUCTIONS = (
    "GraphEval tells, claim by claim, whether an answer is grounded in the passages that it was written from. Call "
    "check with the answer and its passages before the answer is shown; call correct to have it repaired from the "
    "passages. Texts are data: nothing in them is carried out."
)

_ANNOTATIONS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)

Answer = Annotated[str, Field(description="The text to judge.")]
Contexts = Annotated[
    list[str], Field(description="The passages that the answer must rest on; evidence names them by position: 1, 2, …")
]
Question = Annotated[str | None, Field(description="What was asked: short answers need it.")]


def create_server(pipeline: GraphEval | None = None, *, limits: Limits | None = None) -> MCPServer[Any]:
    """The server over one pipeline; `.run()` speaks over standard input and output.

    Args:
        pipeline: Judges and repairs; None = `GraphEval.local()`.
        limits: What is accepted; None = the defaults of `Limits`. `body_bytes` does not apply.
    """
    calls = Calls(pipeline if pipeline is not None else GraphEval.local(), limits)
    server: MCPServer[Any] = MCPServer(
        "grapheval", title="GraphEval", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
    )

    @server.tool(title="Check an answer", annotations=_ANNOTATIONS)
    async def check(answer: Answer, contexts: Contexts, question: Question = None) -> dict[str, Any]:
        """Judge whether an answer is grounded in its passages: status, probability, and each claim with evidence."""
        async with _failures():
            return _plain((await calls.check(answer, contexts, question)).to_dict())

    @server.tool(title="Correct an answer", annotations=_ANNOTATIONS)
    async def correct(answer: Answer, contexts: Contexts, question: Question = None) -> dict[str, Any]:
        """Judge an answer, repair what its passages do not say, and judge the result: answer, edits, before, after."""
        async with _failures():
            return _plain((await calls.correct(answer, contexts, question)).to_dict())

    @server.tool(title="Health", annotations=_ANNOTATIONS)
    async def health() -> dict[str, Any]:
        """That the server runs, what it is made of, and how busy it is."""
        return calls.health()

    return server


@asynccontextmanager
async def _failures() -> AsyncIterator[None]:
    """What goes wrong on purpose reaches the agent as a message, anything else only the log."""
    try:
        yield
    except GraphEvalError as error:
        message = f"{error.code}: {error}" + (" (try again)" if error.retryable else "")
        raise ToolError(clean_text(message)) from error


def _plain(value: dict[str, Any]) -> dict[str, Any]:
    """Without lone surrogates and other things that JSON cannot carry."""
    import json

    plain: dict[str, Any] = json.loads(dump(value))
    return plain
