"""What an answer says: triples and claims, each with its place in the answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from grapheval.types.reasons import Reason


class Span(NamedTuple):
    """Half-open range of Python code points."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The part of `text` that this span covers."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Triple:
    """One edge of the answer's knowledge graph, as plain text (arXiv 2407.10793, section 4).

    Args:
        subject: Non-empty string.
        relation: Non-empty string; polarity, modality and attribution stay in it.
        object: Non-empty string.
    """

    subject: str
    relation: str
    object: str

    def __str__(self) -> str:
        """The triple joined to a sentence, without a final full stop."""
        return f"{self.subject} {self.relation} {self.object}"


@dataclass(frozen=True, slots=True)
class TripleParts:
    """Where subject, relation and object stand in the answer; None where a part has no place of its own."""

    subject: Span | None = None
    relation: Span | None = None
    object: Span | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """What is verified.

    Args:
        text: The claim as a sentence that can be understood alone: the NLI hypothesis.
        triple: The triple behind it, or None for a sentence that no triple covers.
        span: Its place in the answer, or None when it could not be aligned.
        parts: Places of subject, relation and object. Pronouns and shared subjects mean that they need not be
            adjacent, nor lie inside `span`.
    """

    text: str
    triple: Triple | None = None
    span: Span | None = None
    parts: TripleParts = TripleParts()


class Outcome(StrEnum):
    """What an extraction came to."""

    OK = "ok"
    ABSTAINED = "abstained"
    """The answer declines to answer and claims nothing besides."""
    NO_CLAIMS = "no_claims"
    """There is nothing to check in the answer."""
    UNSUPPORTED_LANGUAGE = "unsupported_language"
    """The extractor cannot read this language; `claims` then hold whole sentences."""
    INCOMPLETE = "incomplete"
    """The claims are good, but more may be missing (a reply that was cut off); see `reason`."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """An item of the extractor's output that is not a claim, kept with the reason."""

    item: str
    reason: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """The claims of one answer.

    Args:
        claims: In the order of the answer.
        rejected: Items that were dropped, with reasons.
        outcome: What the extraction came to.
        raw: The model's raw reply, None for extractors without one.
        reason: A cause for every outcome but `ok`.
    """

    claims: tuple[Claim, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    outcome: Outcome = Outcome.OK
    raw: str | None = None
    reason: Reason | None = None

    @property
    def triples(self) -> tuple[Triple, ...]:
        """The triples of the claims that have one, in order."""
        return tuple(claim.triple for claim in self.claims if claim.triple is not None)
