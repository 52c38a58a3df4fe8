"""A local server that speaks the OpenAI chat API, replies as a perfect model would, and keeps what it was sent.

Standard library only, so that it runs in any environment.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.benchmarks.cost_account.samples import SAMPLES, CostSample

TOOLS = ("grapheval", "ragas", "deepeval", "llamaindex")
_SENTENCE = re.compile(r"(?<=[.!?]) +")


@dataclass(frozen=True)
class Call:
    """One call of the chat API.

    Args:
        tool: Who called.
        sample: For which answer.
        words: Words of context that the answer came with.
        messages: Texts of the messages that were sent.
        schema: The tool or response schema that was sent beside them, as JSON; "" for none.
        reply: Text of the reply.
    """

    tool: str
    sample: str
    words: int
    messages: tuple[str, ...]
    schema: str
    reply: str


def contexts(sample: CostSample, words: int) -> list[str]:
    """The passage that the answer is about, then those of the others in turn, until there are `words` words."""
    others = [other for other in SAMPLES if other is not sample]
    found, count, turn = [sample.passage], len(sample.passage.split()), 0
    while count < words:
        found.append(others[turn % len(others)].passage)
        count += len(found[-1].split())
        turn += 1
    return found


def reply_to(tool: str, sample: CostSample, words: int, prompt: str) -> str:
    """What a model that makes no mistake and wastes no words would say.

    Raises:
        ValueError: The tool sent a prompt that the stub does not know: the peer has changed.
    """
    if tool == "grapheval":
        return f"<triples>{json.dumps([list(triple) for triple in sample.triples])}</triples>"
    if tool == "llamaindex":
        return "YES" if all(sample.grounded) else "NO"
    verdicts = list(zip(sample.statements, sample.grounded, strict=True))
    if tool == "ragas":
        if "faithfulness" in prompt and "verdict" in prompt:
            judged = [
                {
                    "statement": s,
                    "reason": "The context says so." if g else "The context does not say so.",
                    "verdict": int(g),
                }
                for s, g in verdicts
            ]
            return json.dumps({"statements": judged})
        if "Break down each sentence" in prompt:
            return json.dumps({"statements": sample.statements})
    if tool == "deepeval":
        if "Contradictions:" in prompt:
            return json.dumps({"reason": "The score is what it is because of the contradictions that are listed."})
        if "Claims:" in prompt:
            judged = [
                {"verdict": "yes"} if g else {"verdict": "no", "reason": "The context says otherwise."}
                for _, g in verdicts
            ]
            return json.dumps({"verdicts": judged})
        if '"truths"' in prompt:
            return json.dumps({"truths": _SENTENCE.split(" ".join(contexts(sample, words)))})
        if '"claims"' in prompt:
            return json.dumps({"claims": sample.statements})
    msg = f"the stub does not know this prompt of {tool}: {prompt[:200]!r}"
    raise ValueError(msg)


class Stub:
    """The server and what it was sent.

    Attributes:
        url: Base address for a client of the OpenAI API.
        calls: Every call so far.
    """

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/v1"
        self.calls: list[Call] = []
        self.tool, self.sample, self.words = "", SAMPLES[0], 0

    def now(self, tool: str, sample: CostSample, words: int) -> None:
        """Say whose calls come next, for which answer, with how many words of context."""
        self.tool, self.sample, self.words = tool, sample, words


class _Handler(BaseHTTPRequestHandler):
    stub: Stub

    def do_POST(self) -> None:
        stub = self.stub
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        messages = tuple(_text(message["content"]) for message in body["messages"])
        functions = [entry["function"] for entry in body.get("tools", ())]
        schema = functions or body.get("response_format", {}).get("json_schema")
        try:
            reply = reply_to(stub.tool, stub.sample, stub.words, "\n".join(messages))
        except ValueError as error:
            self._send(400, {"error": {"message": str(error)}})
            return
        # `list.append` is atomic: the server's threads share the list.
        stub.calls.append(
            Call(stub.tool, stub.sample.id, stub.words, messages, json.dumps(schema) if schema else "", reply)
        )
        message: dict[str, Any] = {"role": "assistant", "content": reply}
        if functions:
            call = {"name": functions[0]["name"], "arguments": reply}
            message = {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "call_0", "type": "function", "function": call}],
            }
        finish = "tool_calls" if functions else "stop"
        self._send(
            200,
            {
                "id": "chatcmpl-0",
                "object": "chat.completion",
                "created": 0,
                "model": body["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
                "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
            },
        )

    def _send(self, status: int, data: dict[str, Any]) -> None:
        raw = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


@contextmanager
def serving() -> Iterator[Stub]:
    """Run the server on a free local port."""
    handler = type("Handler", (_Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    handler.stub = Stub(server.server_port)  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield handler.stub  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def save(calls: list[Call], path: str) -> None:
    """Write the calls as JSON Lines, all that there are so far."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(asdict(call)) + "\n" for call in calls)


def load(path: str) -> list[Call]:
    """Read what `save` wrote."""
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [Call(**row | {"messages": tuple(row["messages"])}) for row in rows]
