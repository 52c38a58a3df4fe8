"""Bedrock's ApplyGuardrail in miniature, on 127.0.0.1."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

Answer = tuple[int, dict[str, Any]]


def grounding(score: float, relevance: float = 0.9) -> Answer:
    """A reply with these scores, in the shape of the service's."""
    filters = [
        {"type": "GROUNDING", "threshold": 0.75, "score": score, "action": "NONE", "detected": score < 0.75},
        {"type": "RELEVANCE", "threshold": 0.5, "score": relevance, "action": "NONE", "detected": relevance < 0.5},
    ]
    return 200, {
        "usage": {"contextualGroundingPolicyUnits": 1},
        "action": "GUARDRAIL_INTERVENED" if score < 0.75 else "NONE",
        "outputs": [],
        "assessments": [{"contextualGroundingPolicy": {"filters": filters}}],
    }


def failure(code: str, message: str, status: int = 400) -> Answer:
    """An error of the service."""
    return status, {"__type": code, "message": message}


class BedrockStub:
    """What was asked, and what is answered.

    Args:
        answer: (source, claim) -> status and body.
    """

    def __init__(self, answer: Callable[[str, str], Answer]) -> None:
        self.answer = answer
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.endpoint = ""

    @property
    def options(self) -> dict[str, Any]:
        """`client_options` that lead a verifier here."""
        from botocore.config import Config

        return {
            "endpoint_url": self.endpoint,
            "aws_access_key_id": "test",
            "aws_secret_access_key": "test",
            "config": Config(retries={"total_max_attempts": 1}, read_timeout=5),
        }


@contextmanager
def bedrock_stub(answer: Callable[[str, str], Answer]) -> Iterator[BedrockStub]:
    """Run the service while the block runs."""
    stub = BedrockStub(answer)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args: Any) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
            stub.calls.append((unquote(self.path), body))
            texts = {item["text"]["qualifiers"][0]: item["text"]["text"] for item in body["content"]}
            status, reply = stub.answer(texts["grounding_source"], texts["guard_content"])
            content = json.dumps(reply).encode()
            self.send_response(status)
            if "__type" in reply:
                self.send_header("x-amzn-ErrorType", reply["__type"])
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stub.endpoint = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
