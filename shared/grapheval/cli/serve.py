"""`grapheval serve` and `grapheval mcp`: one pipeline for other programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from grapheval.cli.exits import ExitCode
from grapheval.cli.options import (
    OUTPUT,
    DebugOption,
    ExtractorOption,
    LLMOption,
    ProtocolName,
    ProtocolOption,
    SettingsOption,
    ThresholdOption,
    VerifierOption,
    log_to_stderr,
)

if TYPE_CHECKING:
    import socket

    from grapheval.serve import Limits

LIMITS = "Limits"

RunningOption = Annotated[
    int, typer.Option("--running", min=1, metavar="N", help="Calls under way at once.", rich_help_panel=LIMITS)
]
WaitingOption = Annotated[
    int,
    typer.Option("--waiting", min=0, metavar="N", help="Calls that wait; one more is refused.", rich_help_panel=LIMITS),
]
AnswerCharsOption = Annotated[
    int, typer.Option("--max-answer", min=1, metavar="CHARS", help="Longest answer.", rich_help_panel=LIMITS)
]
SecondsOption = Annotated[
    float, typer.Option("--timeout", metavar="SECONDS", help="Longest that a call may run.", rich_help_panel=LIMITS)
]


def serve(
    ctx: typer.Context,
    host: Annotated[
        str,
        typer.Option("--host", metavar="HOST", help="Address to listen on; there is no authentication: mind who can."),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, metavar="PORT", help="0 takes any free one.")] = 8000,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host",
            metavar="NAME",
            help="Host name under which it answers, several times if need be. Without it: the loopback names; on other "
            "addresses any name.",
        ),
    ] = None,
    running: RunningOption = 4,
    waiting: WaitingOption = 32,
    max_answer: AnswerCharsOption = 20_000,
    max_body: Annotated[
        int, typer.Option("--max-body", min=1, metavar="BYTES", help="Longest request.", rich_help_panel=LIMITS)
    ] = 4_194_304,
    timeout: SecondsOption = 120.0,
    access_log: Annotated[
        bool, typer.Option("--access-log", metavar="", help="A line for each request.", rich_help_panel=OUTPUT)
    ] = False,
    extractor: ExtractorOption = None,
    verifier: VerifierOption = None,
    llm: LLMOption = None,
    protocol: ProtocolOption = ProtocolName.OURS,
    threshold: ThresholdOption = None,
    settings: SettingsOption = None,
    debug: DebugOption = False,
) -> None:
    """Serve /check, /correct, /health and a page to try them over HTTP, on this machine only unless --host says more.

    The page is at http://127.0.0.1:8000/, the OpenAPI document at /openapi.json. Needs the extra "serve".

    Exit status: 0 stopped, 2 bad usage (also a port that is taken), 4 failure.
    """
    from grapheval.cli.factory import Choices
    from grapheval.extras import require
    from grapheval.serve import create_app
    from grapheval.serve.app import LOOPBACK

    if debug:
        log_to_stderr()
    uvicorn = require("uvicorn", extra="serve")
    pipeline = ctx.obj(
        Choices(extractor.value if extractor else None, verifier, llm, protocol.value, threshold, False, settings)
    )
    loopback = host in {"127.0.0.1", "localhost", "::1"}
    hosts = tuple(allow_host or ()) or (LOOPBACK if loopback else ())
    limits = _limits(running, waiting, max_answer, timeout, max_body)
    app = create_app(pipeline, limits=limits, hosts=hosts)
    if not loopback:
        _say("listening beyond this machine, without authentication: put it behind a proxy that has it")
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level="info" if access_log or debug else "warning",
        access_log=access_log,
        server_header=False,
        limit_concurrency=None,
        timeout_keep_alive=15,
    )
    server = uvicorn.Server(config)
    sockets = [_bound(host, port)]
    address = f"[{host}]" if ":" in host else host
    _say(f"http://{address}:{sockets[0].getsockname()[1]}/ (stop with Ctrl-C)")
    try:
        server.run(sockets=sockets)
    except KeyboardInterrupt:  # uvicorn has shut down in order and passes it on
        raise typer.Exit(ExitCode.OK) from None


def mcp(
    ctx: typer.Context,
    running: RunningOption = 4,
    waiting: WaitingOption = 32,
    max_answer: AnswerCharsOption = 20_000,
    timeout: SecondsOption = 120.0,
    extractor: ExtractorOption = None,
    verifier: VerifierOption = None,
    llm: LLMOption = None,
    protocol: ProtocolOption = ProtocolName.OURS,
    threshold: ThresholdOption = None,
    settings: SettingsOption = None,
    debug: DebugOption = False,
) -> None:
    """Offer the tools check, correct and health to agents: Model Context Protocol over standard input and output.

    Needs the extra "mcp". Exit status: 0 the agent hung up, 2 bad usage, 4 failure.
    """
    from grapheval.cli.factory import Choices
    from grapheval.mcp import create_server

    if debug:
        log_to_stderr()
    pipeline = ctx.obj(
        Choices(extractor.value if extractor else None, verifier, llm, protocol.value, threshold, False, settings)
    )
    create_server(pipeline, limits=_limits(running, waiting, max_answer, timeout)).run("stdio")


def _limits(running: int, waiting: int, max_answer: int, timeout: float, max_body: int = 4_194_304) -> Limits:
    from grapheval.serve import Limits

    return Limits(body_bytes=max_body, answer_chars=max_answer, running=running, waiting=waiting, seconds=timeout)


def _bound(host: str, port: int) -> socket.socket:
    """A listening socket, so that a taken port is one clear line and port 0 can be told."""
    import socket

    from grapheval.errors import InputError

    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, proto)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen()  # the address is told before the server runs: who calls at once waits instead of failing
    except OSError as error:
        msg = f"cannot listen on {host}, port {port}: {error.strerror or error}"
        raise InputError(msg) from error
    return listening


def _say(message: str) -> None:
    from grapheval.report.text import one_line

    print(f"grapheval: {one_line(message, 500)}", file=sys.stderr, flush=True)
