"""A model hub in miniature, on 127.0.0.1: what `huggingface_hub` asks for when it downloads a snapshot."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class HubStub:
    """Models by id; `asked` are the files that were downloaded, in order.

    Args:
        models: Directory of each model's files.
        status: Answer everything with this HTTP status instead.
    """

    def __init__(self, models: dict[str, Path], status: int | None = None) -> None:
        self.models = models
        self.status = status
        self.asked: list[str] = []
        self.endpoint = ""


@contextmanager
def hub_stub(models: dict[str, Path], status: int | None = None) -> Iterator[HubStub]:
    """Run a hub while the block runs."""
    stub = HubStub(models, status)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args: Any) -> None:
            pass

        def do_GET(self) -> None:
            self._answer(body=True)

        def do_HEAD(self) -> None:
            self._answer(body=False)

        def _answer(self, *, body: bool) -> None:
            path = unquote(urlsplit(self.path).path).strip("/")
            if stub.status is not None:
                self._send(stub.status, b"{}", {}, body=body)
            elif path.startswith("api/models/"):
                self._describe(path.removeprefix("api/models/"), body=body)
            else:
                self._file(path, body=body)

        def _describe(self, path: str, *, body: bool) -> None:
            owner, name, *rest = path.split("/")
            directory = stub.models.get(f"{owner}/{name}")
            if directory is None:
                self._send(404, b"{}", {"X-Error-Code": "RepoNotFound"}, body=body)
            elif rest[:1] == ["revision"] and rest[1] not in {"main", COMMIT}:
                self._send(404, b"{}", {"X-Error-Code": "RevisionNotFound"}, body=body)
            elif rest[:1] == ["tree"]:
                files = sorted(file for file in directory.iterdir() if file.is_file())
                tree = [
                    {"type": "file", "path": file.name, "size": file.stat().st_size, "oid": _etag(file)}
                    for file in files
                ]
                self._send(200, json.dumps(tree).encode(), {}, body=body)
            else:
                siblings = [{"rfilename": file.name} for file in sorted(directory.iterdir())]
                found = {"id": f"{owner}/{name}", "modelId": f"{owner}/{name}", "sha": COMMIT, "siblings": siblings}
                self._send(200, json.dumps(found).encode(), {}, body=body)

        def _file(self, path: str, *, body: bool) -> None:
            owner, name, _resolve, _revision, *rest = path.split("/")
            directory = stub.models.get(f"{owner}/{name}")
            file = directory / "/".join(rest) if directory else None
            if file is None or not file.is_file():
                self._send(404, b"", {"X-Error-Code": "EntryNotFound"}, body=body)
                return
            if body:
                stub.asked.append(file.name)
            self._send(200, file.read_bytes(), {"ETag": f'"{_etag(file)}"', "X-Repo-Commit": COMMIT}, body=body)

        def _send(self, status: int, content: bytes, headers: dict[str, str], *, body: bool) -> None:
            self.send_response(status)
            for key, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(key, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if body:
                self.wfile.write(content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stub.endpoint = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()


def _etag(file: Path) -> str:
    return hashlib.sha1(file.read_bytes(), usedforsecurity=False).hexdigest()
