"""Why something was not judged, or not judged fully: codes that programs can match on."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Machine-readable causes, kept apart from statuses and labels."""

    ANSWER_DECLINES = "answer_declines"
    """The answer says that it cannot answer."""
    NOTHING_TO_CHECK = "nothing_to_check"
    """The answer states nothing: empty, a greeting, a bare heading, a question."""
    EMPTY_CONTEXT = "empty_context"
    """There is no context, or no text in it."""
    UNSUPPORTED_LANGUAGE = "unsupported_language"
    """The model cannot judge text in this language."""
    CLAIM_TOO_LONG = "claim_too_long"
    """The claim does not fit the verifier's input; claims are never cut."""
    CONTEXT_CUT = "context_cut"
    """Part of the context did not fit the model's input and was not read."""
    LENGTH_STOP = "length_stop"
    """The model's reply was cut off at its length limit."""
    UNPARSEABLE = "unparseable"
    """The model replied, but not in a form that can be read."""
    NO_TRIPLES = "no_triples"
    """The model replied without any triple."""
    TIMEOUT = "timeout"
    """A call took longer than allowed."""
    MODEL_ERROR = "model_error"
    """A model or service failed."""
    BUDGET_EXCEEDED = "budget_exceeded"
    """A limit on calls or tokens was reached."""
    SOURCES_CONFLICT = "sources_conflict"
    """One source supports the claim and another contradicts it."""
