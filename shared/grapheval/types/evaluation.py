"""The judgement of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from grapheval.types.claims import Span, Triple
from grapheval.types.reasons import Reason
from grapheval.types.shown import Shown
from grapheval.types.verdict import Verdict

SCHEMA_VERSION = "1"


class Status(StrEnum):
    """What an evaluation came to. Precedence: inconsistent > partial > consistent."""

    CONSISTENT = "consistent"
    INCONSISTENT = "inconsistent"
    PARTIAL = "partial"
    """Nothing is flagged, but something was not judged (or sources conflict)."""
    ABSTAINED = "abstained"
    """The answer declines to answer."""
    NO_CLAIMS = "no_claims"
    NO_CONTEXT = "no_context"


@dataclass(frozen=True, slots=True)
class Coverage:
    """What no triple covers: spans of the answer. Sentences listed here were checked as whole sentences."""

    sentences: tuple[Span, ...] = ()
    numbers: tuple[Span, ...] = ()
    names: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Provenance:
    """What ran: enough to repeat the evaluation.

    Args:
        version: Version of grapheval.
        extractor: Name and version of the extractor.
        verifier: Name and version of the verifier model.
        selector: Name of the evidence selector, with its settings.
        aggregator: Name of the aggregation rule.
        threshold: Above it, `p_inconsistent` makes an answer inconsistent.
        prompts: SHA-256 of each prompt that was used, by name.
        selection: Counts: windows in all, pairs that the verifier read, characters that were not read, …
        usage: LLM calls and tokens, where an LLM took part.
    """

    version: str = ""
    extractor: str = ""
    verifier: str = ""
    selector: str = ""
    aggregator: str = ""
    threshold: float = 0.5
    prompts: Mapping[str, str] = field(default_factory=dict, hash=False)
    selection: Mapping[str, int] = field(default_factory=dict, hash=False)
    usage: Mapping[str, int] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Evaluation(Shown):
    """The judgement of one answer against its contexts.

    Args:
        status: What it came to.
        reason: Cause code where the status needs one.
        p_inconsistent: Probability in [0, 1] that at least one claim is ungrounded; None when nothing could be
            judged, never a made-up 0 or 1.
        verdicts: One per claim, in the order of the answer.
        coverage: What no triple covers.
        threshold: `status` is `inconsistent` exactly when `p_inconsistent` is above it.
        provenance: What ran.
        schema_version: Version of the dictionary form.
        answer: The text that was judged, into which the spans point; None where it is not at hand. What was judged is
            no part of the judgement: two evaluations that differ in nothing else are equal.
    """

    status: Status
    reason: Reason | None = None
    p_inconsistent: float | None = None
    verdicts: tuple[Verdict, ...] = ()
    coverage: Coverage = Coverage()
    threshold: float = 0.5
    provenance: Provenance = field(default_factory=Provenance)
    schema_version: str = SCHEMA_VERSION
    answer: str | None = field(default=None, compare=False, repr=False)

    @property
    def groundedness(self) -> float | None:
        """`1 - p_inconsistent`: higher is better; None when nothing could be judged."""
        return None if self.p_inconsistent is None else 1.0 - self.p_inconsistent

    @property
    def flagged(self) -> tuple[Verdict, ...]:
        """The verdicts that count as ungrounded: the explanation of an inconsistent answer."""
        return tuple(verdict for verdict in self.verdicts if verdict.flagged)

    @property
    def triples(self) -> tuple[Triple, ...]:
        """The answer's knowledge graph."""
        return tuple(v.claim.triple for v in self.verdicts if v.claim.triple is not None)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON-ready form; its schema is `docs/evaluation.schema.json`."""
        from grapheval.serialize import to_plain

        plain: dict[str, Any] = to_plain(self)
        return plain

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Evaluation:
        """Read what `to_dict` wrote.

        Raises:
            InputError: The data does not fit the schema; the message names the first place.
        """
        from grapheval.serialize import from_plain

        return from_plain(cls, data)


@dataclass(frozen=True, slots=True)
class Failure:
    """A sample that raised, as a value: how batches report it.

    Args:
        sample_id: The sample's id, or its position.
        stage: `input`, `extract`, `verify`, `aggregate`, `correct`.
        code: Machine-readable cause (`model_error`, `timeout`, `input_error`, …).
        message: One sentence for a person.
        retryable: Whether the same call may succeed later.
    """

    sample_id: str
    stage: str
    code: str
    message: str
    retryable: bool = False
