"""What of the context goes into a correction prompt: all of it, or the windows that bear on the claim."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from grapheval.protocols import VerifierInfo
from grapheval.types import Claim, Evidence, Source, Stance, Verdict

_log = logging.getLogger(__name__)

WINDOW_TOKENS: Final = 200
_CHARS_PER_TOKEN: Final = 3.2
"""Low on purpose: English has about 4, other languages fewer, and an overflow costs more than a window less."""


def estimate_tokens(texts: Sequence[str]) -> list[int]:
    """About how many tokens of an LLM each text has, rather too many than too few."""
    return [math.ceil(max(len(text) / _CHARS_PER_TOKEN, len(text.encode()) / 4.5)) for text in texts]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The context of one prompt.

    Args:
        text: What the model reads.
        whole: Whether that is all of the context.
        passages: The passages, in the order of the sources, when it is not.
    """

    text: str
    whole: bool
    passages: tuple[Evidence, ...] = ()


def whole_context(sources: Sequence[Source], limit: int) -> Excerpt | None:
    """All sources one after the other, None if they have more than `limit` tokens."""
    texts = [source.text.strip() for source in sources if source.text.strip()]
    return Excerpt("\n\n".join(texts), True) if sum(estimate_tokens(texts)) <= limit else None


def excerpt(verdict: Verdict, sources: Sequence[Source], limit: int) -> Excerpt:
    """The context for one claim: whole if it fits, otherwise its evidence windows in the order of the sources.

    Args:
        verdict: The flagged claim; its evidence is always among the passages.
        sources: The context.
        limit: Most tokens, as estimated.
    """
    fits = whole_context(sources, limit)
    if fits is not None:
        return fits
    order = {source.id: number for number, source in enumerate(sources)}
    by_id = {source.id: source for source in sources}
    spans: list[tuple[str, int, int]] = []
    left = limit
    for source_id, start, end in [*_evidence(verdict, by_id), *_windows(verdict.claim, sources)]:
        cost = estimate_tokens([by_id[source_id].text[start:end]])[0]
        known = any(source_id == i and a <= start and end <= b for i, a, b in spans)
        if not known and cost <= left:
            spans.append((source_id, start, end))
            left -= cost
    joined = _joined(sorted(spans, key=lambda span: (order[span[0]], span[1])))
    passages = tuple(
        Evidence(source_id, start, end, by_id[source_id].text[start:end], Stance.SUPPORTS)
        for source_id, start, end in joined
    )
    _log.info("correcting from %d passages, the context does not fit %d tokens", len(passages), limit)
    return Excerpt("\n[…]\n".join(passage.text for passage in passages), False, passages)


def _evidence(verdict: Verdict, by_id: dict[str, Source]) -> list[tuple[str, int, int]]:
    """The deciding passages with what stands around them."""
    found = []
    for item in verdict.evidence:
        if item.source_id in by_id:
            text = by_id[item.source_id].text
            found.append((item.source_id, max(0, item.start - 300), min(len(text), item.end + 300)))
    return found


def _windows(claim: Claim, sources: Sequence[Source]) -> list[tuple[str, int, int]]:
    """The windows that the evidence selector finds for the claim, best first."""
    from grapheval.context.selector import HybridSelector

    info = VerifierInfo("llm", max_tokens=None, window_tokens=WINDOW_TOKENS)
    (windows,) = HybridSelector().select([claim], sources, estimate_tokens, info).windows
    return [(p.source_id, p.span.start, p.span.end) for window in windows for p in window.passages]


def _joined(spans: Sequence[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """Sorted spans, those that overlap made one."""
    joined: list[tuple[str, int, int]] = []
    for source_id, start, end in spans:
        if joined and joined[-1][0] == source_id and start <= joined[-1][2]:
            joined[-1] = (source_id, joined[-1][1], max(end, joined[-1][2]))
        else:
            joined.append((source_id, start, end))
    return joined
