from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from grapheval import BudgetExceeded, Correction, Evaluation, ExtractionError, GraphEval, InputError, ModelError, Status
from grapheval.serve import Limits
from grapheval.serve.app import status_of
from grapheval.serve.calls import Abandoned, Calls, TooSlow
from grapheval.testing import FakeExtractor

from .conftest import ANSWER, ASK, CONTEXT, Broken, Held, client, pipeline


async def test_check_is_the_evaluation() -> None:
    async with client() as http:
        reply = await http.post("/check", json=ASK)
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "application/json"
    assert reply.headers["cache-control"] == "no-store"
    assert reply.headers["x-content-type-options"] == "nosniff"
    evaluation = Evaluation.from_dict(reply.json())
    assert evaluation == pipeline().evaluate(ANSWER, [CONTEXT])
    assert evaluation.status is Status.INCONSISTENT
    assert [verdict.flagged for verdict in evaluation.verdicts] == [False, True]


async def test_correct_is_the_correction() -> None:
    async with client() as http:
        reply = await http.post("/correct", json=ASK)
    assert reply.status_code == 200
    correction = Correction.from_dict(reply.json())
    assert correction.answer == "Oslo is the capital of Norway. Oslo has about 700,000 inhabitants."
    assert [(edit.old, edit.new) for edit in correction.edits] == [("nine million", "about 700,000")]


async def test_health_says_what_it_is() -> None:
    async with client(pipeline(threshold=0.4), Limits(running=2, waiting=3)) as http:
        found = (await http.get("/health")).json()
    assert found == {
        "status": "ok",
        "version": "0.1.0",
        "extractor": "fake",
        "verifier": "fake@1",
        "threshold": 0.4,
        "aggregator": "max",
        "corrects": True,
        "running": 0,
        "waiting": 0,
        "capacity": 5,
    }


@pytest.mark.parametrize(
    ("contexts", "ids"),
    [
        ("Oslo has nine million inhabitants.", ["1"]),
        (["A.", {"text": "B."}, {"text": "C.", "id": "c.md"}], ["1", "2", "c.md"]),
        ([], []),
    ],
)
async def test_contexts_come_in_every_form(contexts: Any, ids: list[str]) -> None:
    seen: list[list[str]] = []

    class Spy(FakeExtractor):
        def extract(self, samples):  # type: ignore[no-untyped-def]
            seen.append([source.id for source in samples[0].sources])
            return super().extract(samples)

    async with client(pipeline(extractor=Spy())) as http:
        reply = await http.post("/check", json={"answer": "Oslo is big.", "contexts": contexts, "question": "Why?"})
    assert reply.status_code == 200
    assert seen == [ids]


@pytest.mark.parametrize(
    ("answer", "status"), [("", "no_claims"), (" \n", "no_claims"), ("\x00\x1b Über 北京", "consistent")]
)
async def test_odd_answers_get_a_status_not_an_error(answer: str, status: str) -> None:
    async with client() as http:
        reply = await http.post("/check", json={"answer": answer, "contexts": [CONTEXT]})
    assert (reply.status_code, reply.json()["status"]) == (200, status)


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (b"", 422, "the body"),
        (b"{", 422, "JSON"),
        (b"\xff\xfe", 422, ""),
        (b"[]", 422, "the body"),
        (b'{"answer": "x"}', 422, "contexts: Field required"),
        (b'{"answer": 7, "contexts": []}', 422, "answer"),
        (b'{"answer": "x", "contexts": [7]}', 422, "contexts"),
        (b'{"answer": "x", "contexts": [{"id": "a"}]}', 422, "contexts"),
        (b'{"answer": "x", "contexts": [], "treshold": 1}', 422, "treshold"),
        (b'{"answer": "x", "contexts": [], "\\ud800": 1}', 422, ""),
        (b'{"answer": "x", "contexts": null}', 422, "contexts"),
        (b'{"answer": ' + b"[" * 5000 + b"]" * 5000 + b', "contexts": []}', 422, ""),
    ],
)
async def test_bad_input_is_refused_in_one_form(body: bytes, status: int, message: str) -> None:
    async with client() as http:
        reply = await http.post("/check", content=body, headers={"content-type": "application/json"})
    assert reply.status_code in {status, 400}
    error = reply.json()["error"]
    assert set(error) == {"code", "message", "retryable"}
    assert error["code"] == "input_error"
    assert message in error["message"]
    assert error["retryable"] is False


async def test_the_wrong_content_type_and_unknown_paths() -> None:
    async with client() as http:
        form = await http.post("/check", data={"answer": "x", "contexts": "y"})
        assert form.status_code == 422
        missing = await http.get("/nothing")
        assert (missing.status_code, missing.json()["error"]["code"]) == (404, "not_found")
        wrong = await http.get("/check")
        assert (wrong.status_code, wrong.headers["allow"]) == (405, "POST")
        for path in ("/docs", "/redoc"):  # they would load scripts from elsewhere
            assert (await http.get(path)).status_code == 404


# ------------------------------------------------------------------------------------------------------------- limits


async def test_too_long_is_refused_before_it_is_read() -> None:
    async with client(limits=Limits(body_bytes=1000)) as http:
        said = await http.post("/check", json={"answer": "x" * 2000, "contexts": []})
        assert (said.status_code, said.json()["error"]["code"]) == (413, "too_long")

        async def pieces() -> AsyncIterator[bytes]:
            for _ in range(50):
                yield b" " * 100

        unsaid = await http.post("/check", content=pieces(), headers={"content-type": "application/json"})
        assert (unsaid.status_code, unsaid.json()["error"]["code"]) == (413, "too_long")
        assert (await http.post("/check", json={"answer": "x", "contexts": []})).status_code == 200


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"answer": "x" * 11, "contexts": []}, "the answer has 11 characters; this service takes 10"),
        ({"answer": "x", "contexts": [], "question": "y" * 6}, "the question has 6 characters"),
        ({"answer": "x", "contexts": ["a", "b", "c"]}, "there are 3 passages; this service takes 2"),
    ],
)
async def test_parts_that_are_too_long(body: dict[str, Any], message: str) -> None:
    async with client(limits=Limits(answer_chars=10, question_chars=5, contexts=2)) as http:
        reply = await http.post("/check", json=body)
    assert reply.status_code == 422
    assert message in reply.json()["error"]["message"]


async def test_a_full_queue_is_429_and_drains() -> None:
    held = Held()
    async with client(pipeline(verifier=held), Limits(running=1, waiting=1)) as http:
        first = asyncio.create_task(http.post("/check", json=ASK))
        await held.began.wait()
        second = asyncio.create_task(http.post("/check", json=ASK))
        while (await http.get("/health")).json()["waiting"] == 0:  # noqa: ASYNC110 - what a client can see
            await asyncio.sleep(0)
        refused = await http.post("/check", json=ASK)
        assert refused.status_code == 429
        assert refused.headers["retry-after"] == "1"
        assert refused.json()["error"]["code"] == "busy"
        assert refused.json()["error"]["retryable"] is True
        assert held.asked == 1  # the second waits for its turn
        held.go.set()
        assert [(await task).status_code for task in (first, second)] == [200, 200]
        assert (await http.get("/health")).json()["running"] == 0
        assert (await http.post("/check", json=ASK)).status_code == 200


async def test_a_call_that_takes_too_long_is_504_and_frees_its_place() -> None:
    held = Held()
    calls = Calls(pipeline(verifier=held), Limits(running=1, waiting=0, seconds=0.05))
    with pytest.raises(TooSlow, match=r"longer than 0\.05 seconds") as caught:
        await calls.check(ANSWER, [CONTEXT])
    assert status_of(caught.value) == 504
    held.go.set()
    calls.limits = Limits(running=1, waiting=0)
    assert (await calls.check(ANSWER, [CONTEXT])).status is Status.INCONSISTENT


async def test_lone_surrogates_are_replaced_one_for_one() -> None:
    async with client() as http:
        body = b'{"answer": "Oslo \\ud800 is big.", "contexts": ["\\udfff"]}'
        reply = await http.post("/check", content=body, headers={"content-type": "application/json"})
    assert reply.status_code == 200
    assert reply.json()["verdicts"][0]["claim"]["text"] == "Oslo \ufffd is big."


async def test_nobody_waits_any_more() -> None:
    verified = Held()
    calls = Calls(pipeline(verifier=verified))

    async def gone() -> bool:
        return True

    with pytest.raises(Abandoned):
        await calls.check(ANSWER, [CONTEXT], gone=gone)
    assert verified.asked == 0
    assert calls.health()["running"] == 0


@pytest.mark.parametrize("limits", [{"body_bytes": 0}, {"running": 0}, {"waiting": -1}, {"seconds": 0.0}])
def test_limits_without_meaning_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="above 0"):
        Limits(**limits)


# ----------------------------------------------------------------------------------------------------------- failures


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (ModelError("gone"), 502, "model_error"),
        (ModelError("busy", retryable=True), 503, "model_error"),
        (ModelError("slow", retryable=True, code="timeout"), 504, "timeout"),
        (BudgetExceeded("spent"), 503, "budget_exceeded"),
        (ExtractionError("unreadable"), 502, "extraction_error"),
        (RuntimeError("secret detail"), 502, "model_error"),
    ],
)
async def test_failures_are_typed(error: Exception, status: int, code: str) -> None:
    async with client(pipeline(verifier=Broken(error))) as http:
        reply = await http.post("/check", json=ASK)
        assert (reply.status_code, reply.json()["error"]["code"]) == (status, code)
        assert (await http.get("/health")).json()["running"] == 0


async def test_what_nobody_foresaw_tells_nothing() -> None:
    class Odd:
        info = "odd"

        def aggregate(self, verdicts: Any) -> float | None:
            raise RuntimeError("secret detail")

    async with client(pipeline(aggregator=Odd())) as http:
        reply = await http.post("/check", json=ASK)
    assert (reply.status_code, reply.json()["error"]["code"]) == (500, "internal_error")
    assert "secret" not in reply.text


async def test_a_pipeline_without_a_corrector_says_so() -> None:
    async with client(pipeline(corrector=None)) as http:
        reply = await http.post("/correct", json=ASK)
        assert reply.status_code == 422
        assert "no corrector" in reply.json()["error"]["message"]
        assert 'value="correct"' not in (await http.get("/")).text


# -------------------------------------------------------------------------------------------------------- who may call


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "localhost:8000"}, 200),
        ({"host": "127.0.0.1:8000"}, 200),
        ({"host": "[::1]:8000"}, 200),
        ({"host": "LOCALHOST"}, 200),
        ({"host": "evil.example"}, 400),  # a name that was pointed at this machine
        ({"host": ""}, 400),
        ({"origin": "http://localhost:8000", "host": "localhost:8000"}, 200),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "null", "sec-fetch-site": "same-origin"}, 200),
        ({"origin": "https://evil.example", "sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "none"}, 200),
    ],
)
async def test_other_sites_pages_are_kept_out(headers: dict[str, str], status: int) -> None:
    async with client() as http:
        reply = await http.post("/check", json=ASK, headers=headers)
    assert reply.status_code == status
    assert "access-control-allow-origin" not in reply.headers


async def test_other_names_can_be_allowed() -> None:
    async with client(hosts=["grapheval.internal"], base="http://grapheval.internal") as http:
        assert (await http.get("/health")).status_code == 200
    async with client(hosts=(), base="http://anything.example") as http:
        assert (await http.get("/health")).status_code == 200


async def test_the_default_pipeline_is_the_local_one() -> None:
    from grapheval.serve import create_app

    app = create_app()
    assert isinstance(app.state.calls.pipeline, GraphEval)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as http:
        assert (await http.get("/health")).json()["extractor"].startswith("local")
