"""What the service reads and writes, as its OpenAPI document shows it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from grapheval.types import Source


class Passage(BaseModel):
    """One piece of context."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(description="The passage.")
    id: str | None = Field(None, max_length=500, description="Its name, for the evidence; without one, its position.")


class Request(BaseModel):
    """An answer with what it must be grounded in."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "answer": "The library opened in 1904. Entry costs ten euros.",
                    "contexts": [{"id": "history.md", "text": "The library opened in 1904. Entry is free."}],
                    "question": "When did the library open?",
                }
            ]
        },
    )

    answer: str = Field(description="The text to judge.")
    contexts: str | list[Annotated[str, Field()] | Passage] = Field(
        description="The passages that the answer must rest on: a text, or a list of texts and objects."
    )
    question: str | None = Field(None, description="What was asked: short answers need it.")

    def sources(self) -> list[Source]:
        """The passages as sources."""
        listed = [self.contexts] if isinstance(self.contexts, str) else self.contexts
        return [Source(item) if isinstance(item, str) else Source(item.text, item.id or "") for item in listed]


class Health(BaseModel):
    """That the service runs, what it is made of, and how busy it is."""

    status: str
    version: str
    extractor: str
    verifier: str
    threshold: float
    aggregator: str
    corrects: bool = Field(description="Whether /correct is available.")
    running: int
    waiting: int
    capacity: int = Field(description="Calls that may run and wait; one more gets the status 429.")


class Problem(BaseModel):
    """Why a call was not carried out."""

    code: str = Field(description="For programs: input_error, busy, timeout, model_error, …")
    message: str = Field(description="For people.")
    retryable: bool = Field(description="Whether the same call may succeed later.")


class Error(BaseModel):
    """The body of every reply that is no result."""

    error: Problem


ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": Error, "description": "The request cannot be read, or came under an unknown host name."},
    403: {"model": Error, "description": "The request came from another site's page."},
    413: {"model": Error, "description": "The request is too long."},
    422: {"model": Error, "description": "The request does not fit, or one of its parts is too long."},
    429: {"model": Error, "description": "The queue is full: try again after the seconds in Retry-After."},
    500: {"model": Error, "description": "The service failed."},
    502: {"model": Error, "description": "A model failed."},
    503: {"model": Error, "description": "A model or service is not available for the moment."},
    504: {"model": Error, "description": "The call took too long."},
}
"""Replies that are no result."""
