"""A stand-in for Bedrock's runtime: answers over HTTP, in AWS's own event-stream framing, what the prompt asks for."""

from __future__ import annotations

import json
import struct
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

USAGE = {"inputTokens": 7, "outputTokens": 5, "totalTokens": 12}


def frame(kind: str, payload: dict[str, Any]) -> bytes:
    """One message of the application/vnd.amazon.eventstream encoding."""
    body = json.dumps(payload).encode()
    headers = b""
    for name, value in ((":event-type", kind), (":content-type", "application/json"), (":message-type", "event")):
        headers += (
            struct.pack("!B", len(name)) + name.encode() + b"\x07" + struct.pack("!H", len(value)) + value.encode()
        )
    start = struct.pack("!II", 16 + len(headers) + len(body), len(headers))
    start += struct.pack("!I", zlib.crc32(start))
    message = start + headers + body
    return message + struct.pack("!I", zlib.crc32(message))


class Bedrock:
    """What the stub has seen, and how it answers.

    Args:
        answer: Reply to prompts that are neither extraction nor correction.
        triples: Reply to the extraction prompt by sentence: the triples of the sentences that the text holds.
        corrections: Triple -> corrected triple.
        grounding: GROUNDING score by claim.
        fail: Status and code to answer with instead.
    """

    def __init__(self, answer: str = "", triples: dict[str, list[list[str]]] | None = None) -> None:
        self.answer = answer
        self.triples = triples or {}
        self.corrections: dict[str, list[str]] = {}
        self.grounding: dict[str, float] = {}
        self.fail: tuple[int, str] | None = None
        self.seen: list[tuple[str, dict[str, Any]]] = []
        self.url = ""

    def reply(self, body: dict[str, Any]) -> str:
        system = " ".join(block.get("text", "") for block in body.get("system", []))
        last = body["messages"][-1]["content"][0]["text"]
        if "knowledge graph" in system:
            text = _inside(last, "text")
            found = [triple for sentence, triples in self.triples.items() if sentence in text for triple in triples]
            return f"<triples>{json.dumps(found)}</triples>"
        if "found to disagree" in system:
            return f"<triple>{json.dumps(self.corrections.get(_inside(last, 'triple'), []))}</triple>"
        if "has been corrected" in system:
            old, new = json.loads(_inside(last, "old")), json.loads(_inside(last, "new"))
            return f"<text>{_inside(last, 'text').replace(old[2], new[2])}</text>"
        return self.answer


def _inside(text: str, tag: str) -> str:
    return text.split(f"<{tag}>", 1)[1].rsplit(f"</{tag}>", 1)[0].strip()


@contextmanager
def bedrock(stub: Bedrock) -> Iterator[Bedrock]:
    """Serve the stub on a free local port."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
            path = unquote(self.path)
            stub.seen.append((path, body))
            status, kind = 200, "application/json"
            if stub.fail is not None:
                status, code = stub.fail
                self._send(status, kind, json.dumps({"message": "refused"}).encode(), {"x-amzn-ErrorType": code})
                return
            if path.startswith("/guardrail/"):
                out = json.dumps(_guardrail(stub, body)).encode()
            elif path.endswith("/converse-stream"):
                out, kind = b"".join(_stream(stub.reply(body))), "application/vnd.amazon.eventstream"
            else:
                message = {"role": "assistant", "content": [{"text": stub.reply(body)}]}
                plain = {
                    "output": {"message": message},
                    "stopReason": "end_turn",
                    "usage": USAGE,
                    "metrics": {"latencyMs": 1},
                }
                out = json.dumps(plain).encode()
            self._send(status, kind, out, {})

        def _send(self, status: int, kind: str, out: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in ({"content-type": kind, "content-length": str(len(out))} | headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(out)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    stub.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _stream(text: str) -> Iterator[bytes]:
    yield frame("messageStart", {"role": "assistant"})
    for number, word in enumerate(text.split(" ")):
        piece = word if number == 0 else f" {word}"
        yield frame("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": piece}})
    yield frame("contentBlockStop", {"contentBlockIndex": 0})
    yield frame("messageStop", {"stopReason": "end_turn"})
    yield frame("metadata", {"usage": USAGE, "metrics": {"latencyMs": 1}})


def _guardrail(stub: Bedrock, body: dict[str, Any]) -> dict[str, Any]:
    claim = next(item["text"]["text"] for item in body["content"] if "guard_content" in item["text"]["qualifiers"])
    score = next((score for part, score in stub.grounding.items() if part in claim), 0.95)
    filters = [{"type": "GROUNDING", "threshold": 0.7, "score": score, "action": "NONE", "detected": score < 0.7}]
    return {
        "usage": {},
        "action": "NONE",
        "outputs": [],
        "assessments": [{"contextualGroundingPolicy": {"filters": filters}}],
    }
