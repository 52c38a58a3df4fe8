"""The HTTP service as an ASGI application. Import `create_app` from `grapheval.serve`, which checks the extra."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from grapheval import __version__
from grapheval.errors import BudgetExceeded, ExtractionError, GraphEvalError, InputError, ModelError
from grapheval.io.batch import dump
from grapheval.pipeline import GraphEval
from grapheval.serve import page, schemas
from grapheval.serve.calls import Abandoned, Busy, Calls, Limits, TooSlow
from grapheval.serve.gate import Gate
from grapheval.types import Correction, Evaluation
from grapheval.types.sample import clean_text

logger = logging.getLogger(__name__)

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""The names under which a service on this machine is called."""

_STATUS: tuple[tuple[type[GraphEvalError], int], ...] = (
    (InputError, 422),
    (Busy, 429),
    (Abandoned, 499),
    (TooSlow, 504),
    (BudgetExceeded, 503),
    (ExtractionError, 502),
)


def create_app(
    pipeline: GraphEval | None = None, *, limits: Limits | None = None, hosts: Iterable[str] = LOOPBACK
) -> FastAPI:
    """The service over one pipeline.

    Args:
        pipeline: Judges and repairs; None = `GraphEval.local()`.
        limits: What is accepted; None = the defaults of `Limits`.
        hosts: Host names under which it answers, without ports; empty = any.
    """
    calls = Calls(pipeline if pipeline is not None else GraphEval.local(), limits)
    app = FastAPI(
        title="GraphEval",
        version=__version__,
        summary="Finds what an answer says that its context does not, and repairs it.",
        docs_url=None,  # both pages would load scripts from elsewhere
        redoc_url=None,
    )
    app.state.calls = calls
    _add_calls(app, calls)
    _add_pages(app, calls)
    _add_errors(app)
    app.add_middleware(Gate, hosts=tuple(hosts), body_bytes=calls.limits.body_bytes)
    return app


def _add_calls(app: FastAPI, calls: Calls) -> None:
    async def check(body: schemas.Request, request: Request) -> Response:
        found = await calls.check(body.answer, body.sources(), body.question, request.is_disconnected)
        return _json(found.to_dict())

    async def correct(body: schemas.Request, request: Request) -> Response:
        found = await calls.correct(body.answer, body.sources(), body.question, request.is_disconnected)
        return _json(found.to_dict())

    async def health() -> Response:
        return _json(calls.health())

    repair = "Judge an answer, repair what is flagged, judge the result."
    _route(app, "/check", check, "POST", Evaluation, "Judge an answer.")
    _route(app, "/correct", correct, "POST", Correction, repair)
    _route(app, "/health", health, "GET", schemas.Health, "That the service runs.")


def _route(
    app: FastAPI, path: str, function: Callable[..., Awaitable[Response]], method: str, model: Any, summary: str
) -> None:
    errors = schemas.ERRORS
    app.add_api_route(
        path,
        function,
        methods=[method],
        response_model=model,
        responses=errors if method == "POST" else {status: errors[status] for status in (400, 403, 500)},
        summary=summary,
        operation_id=path.strip("/"),
    )


def _add_pages(app: FastAPI, calls: Calls) -> None:
    async def start(request: Request) -> Response:
        return HTMLResponse(page.start(corrects=calls.pipeline.corrector is not None), headers=page.HEADERS)

    async def report(request: Request) -> Response:
        status = 200
        try:
            form = page.read_form(await request.body())
            call = calls.correct if form.correct else calls.check
            found = await call(form.answer, form.contexts, form.question, request.is_disconnected)
            content = page.report(found, form)
        except GraphEvalError as error:
            status, content = status_of(error), page.problem(str(error))
        return HTMLResponse(content, status, headers=page.REPORT_HEADERS)

    app.add_route("/", start, methods=["GET"], include_in_schema=False)
    app.add_route("/report", report, methods=["POST"], include_in_schema=False)


def _add_errors(app: FastAPI) -> None:
    async def typed(request: Request, error: Exception) -> Response:
        assert isinstance(error, GraphEvalError)
        return _problem(status_of(error), error.code, str(error), retryable=error.retryable)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part != "body") or "the body"
        return _problem(422, "input_error", f"{place[:200]}: {first['msg']}")

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "input_error")
        return _problem(error.status_code, code, str(error.detail), headers=error.headers)

    async def broken(request: Request, error: Exception) -> Response:
        return _problem(500, "internal_error", "the service failed; its log says where")

    app.add_exception_handler(GraphEvalError, typed)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(Exception, broken)


def status_of(error: GraphEvalError) -> int:
    """The HTTP status that tells what went wrong."""
    for kind, status in _STATUS:
        if isinstance(error, kind):
            return status
    if isinstance(error, ModelError):
        return 504 if error.code == "timeout" else 503 if error.retryable else 502
    return 500


def _problem(
    status: int, code: str, message: str, *, retryable: bool = False, headers: Mapping[str, str] | None = None
) -> Response:
    body = {"error": {"code": code, "message": clean_text(message), "retryable": retryable}}
    extra = dict(headers or {})
    if status in {429, 503}:
        extra["Retry-After"] = "1"
    if status >= 500:
        logger.warning("%d %s: %s", status, code, message)
    return _json(body, status, extra)


def _json(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(dump(value), status, headers=headers, media_type="application/json")
