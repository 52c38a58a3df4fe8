"""What a stream releases, and when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grapheval import InputError
from grapheval.guard import Decision, Guard, GuardError
from grapheval.guard.ledger import applied
from grapheval.testing import FakeVerifier
from tests.guard.helpers import CONTEXT, TableCorrector, pipeline

GOOD = "Oslo is the capital of Norway."
WRONG = "Bergen is a wrong town."
FIXED = "Bergen lies on the west coast."
LAST = "Tromso lies in the north."
ANSWER = f"{GOOD} {WRONG} {LAST}"

_TEXT = st.lists(
    st.sampled_from([GOOD, WRONG, LAST, "Odd, odd.", "Hello!", " ", "\n\n", "\n- ", "wrong", "# Head\n"]), max_size=8
).map(" ".join)
_POLICY = st.sampled_from(
    [
        {},
        {"on_unrepaired": "block"},
        {"on_unrepaired": "mark"},
        {"on_unrepaired": "keep", "on_unjudged": "pass"},
        {"hold": "answer"},
        {"on_flagged": "block"},
        {"on_flagged": "block", "hold": "sentence"},
        {"on_flagged": "flag"},
        {"on_flagged": "flag", "on_unjudged": "block"},
    ]
)


@settings(max_examples=60, deadline=None)
@given(_TEXT, st.integers(1, 40), _POLICY, st.booleans())
def test_a_stream_releases_what_the_whole_call_returns(
    answer: str, size: int, policy: dict[str, str], repairable: bool
) -> None:
    guard = Guard(pipeline(TableCorrector({WRONG: FIXED} if repairable else {})), **policy)  # type: ignore[arg-type]
    stream = guard.stream(CONTEXT)
    out = "".join(stream.feed(answer[i : i + size]) for i in range(0, len(answer), size)) + stream.close()
    whole = guard.run(answer, CONTEXT)
    assert out == stream.result.text == whole.text
    assert stream.result == whole
    if whole.correction is not None:
        assert applied(answer, whole.correction.edits) == whole.text


def test_the_first_sentence_is_out_before_the_last_is_made() -> None:
    made: list[str] = []

    def model() -> Iterator[str]:
        for word in ANSWER.split(" "):
            made.append(word)
            yield word + " "

    out = Guard(pipeline(TableCorrector({WRONG: FIXED}))).pipe(model(), CONTEXT)
    assert next(out) == GOOD
    assert "Tromso" not in made
    assert next(out) == f" {FIXED}"
    assert "north." not in made
    assert "".join(out) == f" {LAST} "


def test_nothing_uncorrected_ever_leaves() -> None:
    stream = Guard(pipeline(TableCorrector({WRONG: FIXED}))).stream(CONTEXT)
    sent = ""
    for character in ANSWER:
        sent += stream.feed(character)
        assert f"{GOOD} {FIXED} {LAST}".startswith(sent)
    assert sent + stream.close() == f"{GOOD} {FIXED} {LAST}"


def test_block_holds_everything_back_until_the_end() -> None:
    stream = Guard(pipeline(None), on_flagged="block").stream(CONTEXT)
    assert [stream.feed(word) for word in (GOOD, " ", LAST)] == ["", "", ""]
    assert stream.close() == f"{GOOD} {LAST}"


def test_flag_passes_chunks_on_as_they_come() -> None:
    stream = Guard(pipeline(None), on_flagged="flag").stream(CONTEXT)
    assert [stream.feed(chunk) for chunk in ("Bergen is ", "a wrong town.")] == ["Bergen is ", "a wrong town."]
    assert stream.close() == ""
    assert stream.result.decision is Decision.FLAGGED


def test_nothing_leaves_after_a_block() -> None:
    guard = Guard(pipeline(TableCorrector()), on_unrepaired="block", block_message="No.")
    stream = guard.stream(CONTEXT)
    assert stream.feed(f"{GOOD} {WRONG} Tromso lies") == f"{GOOD} No."
    assert stream.stopped
    assert stream.feed(" in the north. And on. And on.") == ""
    assert stream.close() == ""
    assert stream.result.original == f"{GOOD} {WRONG} Tromso lies in the north. And on. And on."


def test_a_stream_serves_one_answer() -> None:
    stream = Guard(pipeline(TableCorrector())).stream(CONTEXT)
    with pytest.raises(InputError, match="after close"):
        _ = stream.result
    stream.feed(GOOD)
    stream.close()
    for call in (lambda: stream.feed("x"), stream.close):
        with pytest.raises(InputError, match="was closed"):
            call()


def test_a_refused_stream_still_has_a_result() -> None:
    stream = Guard(pipeline(None), on_flagged="raise").stream(CONTEXT)
    assert stream.feed(WRONG) == ""
    with pytest.raises(GuardError):
        stream.close()
    assert stream.result.blocked


async def test_async_streams() -> None:
    async def model() -> AsyncIterator[str]:
        for word in ANSWER.split(" "):
            await asyncio.sleep(0)
            yield word + " "

    guard = Guard(pipeline(TableCorrector({WRONG: FIXED})))
    got = [chunk async for chunk in guard.apipe(model(), CONTEXT)]
    assert got == list(guard.pipe((word + " " for word in ANSWER.split(" ")), CONTEXT))


async def test_a_cancelled_call_lets_nothing_leave() -> None:
    class Slow(FakeVerifier):
        async def averify(self, pairs):  # type: ignore[no-untyped-def]
            await asyncio.sleep(60)

    stream = Guard(pipeline(TableCorrector(), verifier=Slow())).stream(CONTEXT)
    task = asyncio.create_task(stream.afeed(f"{GOOD} {LAST} More"))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
