"""The program as people start it, with the real offline pipeline."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys

import httpx

ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}
PROGRAM = [sys.executable, "-m", "grapheval", "serve"]


def test_serve_judges_over_http_and_stops_with_ctrl_c() -> None:
    with subprocess.Popen(
        [*PROGRAM, "--port", "0"],
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline().decode()
            assert line.startswith("grapheval: http://127.0.0.1:")
            url = line.split()[1]
            body = {
                "answer": "The library opened in 1904. It was founded by Paul Stone.",
                "contexts": [{"id": "history.md", "text": "The library opened in 1904. It was founded by Mary Doyle."}],
            }
            with httpx.Client(base_url=url, timeout=300) as http:
                found = http.post("check", json=body).json()
                assert found["status"] == "inconsistent"
                assert [v["flagged"] for v in found["verdicts"]] == [False, True]
                assert found["verdicts"][1]["evidence"][0]["source_id"] == "history.md"
                assert http.get("health").json()["verifier"].startswith("bundled")
                assert http.get(url, headers={"host": "evil.example"}).status_code == 400
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=120) == 0
            assert process.stderr.read() == b""
        finally:
            process.kill()  # where something failed; leaving the block waits for the end


def test_a_port_that_is_taken_is_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [*PROGRAM, "--port", port], capture_output=True, timeout=300, env=ENVIRONMENT, check=False
        )
    assert done.returncode == 2
    assert (
        done.stderr.decode() == f"grapheval: error: cannot listen on 127.0.0.1, port {port}: Address already in use\n"
    )
