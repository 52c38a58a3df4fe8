"""The rules across passages: from what a verifier says about a claim's windows to one verdict.

1. *One passage suffices.* The window with the highest probability of support decides: `p_ungrounded` is one minus
   that probability. A maximum has no order, so the order of passages never changes a verdict. The probability of
   support is the verifier's probability of entailment, or, where weights were fitted for the verifier, its mix with
   how closely the window's wording follows the claim (see `support`).
2. *Two may be joined.* The selector may join two short passages into one window; that window counts like any other,
   and both passages are its evidence.
3. *Contradicted* is a claim that is flagged and that some window contradicts, as long as that window bears on the
   claim: it must share enough of the claim's words. A window contradicts where the verifier says so (probability of
   contradiction at least `contradiction`) or where the explicit comparison finds something else in the place of what
   the claim says: another number, date or time, the opposite word, a negation. Everything else that is flagged is
   `unsupported`: the context does not say.
4. *Conflicting* is a claim that one source supports and a different source contradicts strongly (at least `conflict`),
   where no window of the contradicting source supports it, and that source shares most of the claim's words. Such a
   claim is not flagged; its reason is `sources_conflict`.
5. *Unrelated passages do not count.* What shares too few words with the claim can neither contradict nor conflict, and
   a maximum is not lowered by windows that say nothing.
6. *A number must be stated.* Where a claim states a number, date or time that none of the windows that support it
   states, its probability is multiplied by `missing_number`; a fitted mix weighs these itself, so then this rule rests.
   Whatever the weights, what the comparison found is kept in the verdict, each finding with its reason as a sentence.
7. *What was not judged is not made up.* Windows without a probability are left out; if none has one, the claim is
   `unverified` with the reason. A flagged claim of which some windows could not be judged carries that reason too.
8. *Evidence* is cut down to the sentences that hold the claim's words, strongest first; of joined passages, one that
   adds none of them is left out. `unsupported` and `unverified` claims have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from grapheval.protocols import Judgement, Passage, Window
from grapheval.types import Claim, Evidence, Label, Reason, Source, Span, Stance, Verdict
from grapheval.verification.explicit.check import Mismatch
from grapheval.verification.overlap import Overlap
from grapheval.verification.support import ClaimWording, Support
from grapheval.verification.surroundings import surroundings

_MOST_EVIDENCE = 4
_SUPPORTS = 0.5
"""From here on a window supports a claim where exact values are compared: no probability depends on the threshold."""
_ADDS = 0.05
"""Least share of the claim's words that a joined passage must add to be evidence."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """A window with its judgement."""

    window: Window
    entailment: float
    probabilities: tuple[float, float, float] | None
    mismatch: Mismatch

    @property
    def contradiction(self) -> float:
        return self.probabilities[2] if self.probabilities else 0.0

    @property
    def says_otherwise(self) -> bool:
        """Whether the explicit comparison found something else in the place of what the claim says."""
        polarity = self.mismatch.polarity
        return self.mismatch.instead > 0 or (polarity.negation or polarity.opposite or polarity.exchanged) is not None

    @property
    def sources(self) -> frozenset[str]:
        return frozenset(passage.source_id for passage in self.window.passages)


@dataclass(frozen=True, slots=True)
class EvidenceRules:
    """The rules of this module's description, with their settings.

    Args:
        contradiction: Least probability of contradiction for `contradicted`, in [0, 1].
        conflict: Least probability of contradiction, and of entailment on the other side, for `conflicting`.
        relevance: Least share of the claim's words (names and numbers weigh more) in a window that contradicts.
        conflict_relevance: The same for a window that makes a conflict.
        missing_number: Factor on the probability of entailment of a claim that states a number that no supporting
            window states; 1 switches the rule off.
        support: How a window's probability of entailment and its wording become its probability of support; the
            default is the former alone.
    """

    contradiction: float = 0.5
    conflict: float = 0.9
    relevance: float = 0.4
    conflict_relevance: float = 0.6
    missing_number: float = 0.4
    support: Support = field(default_factory=Support)

    def fold(
        self,
        claim: Claim,
        windows: Sequence[Window],
        judgements: Sequence[Judgement],
        sources: Sequence[Source],
        threshold: float,
    ) -> Verdict:
        """The verdict on one claim.

        Args:
            claim: The claim.
            windows: Its windows, in any order.
            judgements: One per window.
            sources: The sources that the windows come from.
            threshold: A claim whose `p_ungrounded` is above it is flagged.

        Returns:
            The verdict. `probabilities` are those of the window that decides: the supporting one, or for
            `contradicted` the contradicting one.
        """
        wording = ClaimWording(claim)
        judged, unjudged = _split(wording, windows, judgements, sources, self.support)
        if not judged:
            return Verdict(claim, Label.UNVERIFIED, reason=_first_reason(unjudged))
        overlap = wording.explicit.overlap
        texts = {source.id: source.text for source in sources}
        judged.sort(key=lambda item: (-item.entailment, item.window.text))
        best = judged[0]
        p_ungrounded = 1.0 - best.entailment * self._number_factor(judged)
        fine = p_ungrounded <= threshold
        deciding = [item.mismatch for item in judged if not fine or item.entailment >= 1.0 - threshold]
        findings = wording.explicit.findings(deciding, sources)
        if fine:
            return replace(self._supported(claim, judged, overlap, texts, threshold, p_ungrounded), findings=findings)
        contrary = any(finding.found for finding in findings)
        against = [
            item
            for item in judged
            if (
                item.contradiction >= self.contradiction
                and item.entailment < 1.0 - threshold
                and self._bears(overlap, item, self.relevance)
            )
            or (contrary and item.says_otherwise and self._bears(overlap, item, self.relevance))
        ]
        limit = _first_reason(unjudged) if unjudged else None
        if not against:
            return Verdict(claim, Label.UNSUPPORTED, p_ungrounded, best.probabilities, True, (), limit, findings)
        against.sort(key=lambda item: (-item.contradiction, item.window.text))
        evidence = _evidence(against, Stance.CONTRADICTS, overlap, texts)
        evidence = evidence[:_MOST_EVIDENCE]
        return Verdict(
            claim, Label.CONTRADICTED, p_ungrounded, against[0].probabilities, True, evidence, limit, findings
        )

    def _supported(
        self,
        claim: Claim,
        judged: Sequence[_Judged],
        overlap: Overlap,
        texts: dict[str, str],
        threshold: float,
        p_ungrounded: float,
    ) -> Verdict:
        """The verdict on a claim that is not flagged: supported, or conflicting."""
        supporting = [item for item in judged if item.entailment >= 1.0 - threshold] or [judged[0]]
        supporters = frozenset().union(*(item.sources for item in supporting))
        against = [
            item
            for item in judged
            if item.contradiction >= self.conflict
            and not item.sources & supporters
            and self._bears(overlap, item, self.conflict_relevance)
        ]
        evidence = _evidence(supporting, Stance.SUPPORTS, overlap, texts)
        best = judged[0]
        if not against or best.entailment < self.conflict:
            return Verdict(claim, Label.SUPPORTED, p_ungrounded, best.probabilities, False, evidence[:_MOST_EVIDENCE])
        against.sort(key=lambda item: (-item.contradiction, item.window.text))
        half = _MOST_EVIDENCE // 2
        both = (*evidence[:half], *_evidence(against, Stance.CONTRADICTS, overlap, texts)[:half])
        return Verdict(claim, Label.CONFLICTING, p_ungrounded, best.probabilities, False, both, Reason.SOURCES_CONFLICT)

    def _bears(self, overlap: Overlap, item: _Judged, least: float) -> bool:
        return overlap.share(overlap.held(item.window.text)) >= least

    def _number_factor(self, judged: Sequence[_Judged]) -> float:
        """`missing_number` where a supported claim states something exact that no supporting window states, else 1."""
        if self.missing_number >= 1.0 or not self.support.plain:
            return 1.0
        supporting = [item.mismatch for item in judged if item.entailment >= _SUPPORTS]
        if not supporting:
            return 1.0
        missing = [
            frozenset(item.span for item in mismatch.lacking if item.certain or item.instead) for mismatch in supporting
        ]
        return self.missing_number if frozenset.intersection(*missing) else 1.0


def _split(
    wording: ClaimWording,
    windows: Sequence[Window],
    judgements: Sequence[Judgement],
    sources: Sequence[Source],
    support: Support,
) -> tuple[list[_Judged], list[Judgement]]:
    """The windows with their probabilities of support, and the judgements that have none."""
    judged, unjudged = [], []
    for window, judgement in zip(windows, judgements, strict=True):
        if judgement.p_entailment is None:
            unjudged.append(judgement)
            continue
        mismatch = wording.explicit.against(window.text)
        judged.append(_Judged(window, judgement.p_entailment, judgement.probabilities, mismatch))
    if not support.plain:
        around = surroundings([passage for item in judged for passage in item.window.passages], sources)
        features = wording.among([item.mismatch for item in judged], around, sources) if judged else []
        judged = [
            replace(item, entailment=support.of(item.entailment, each))
            for item, each in zip(judged, features, strict=True)
        ]
    return judged, unjudged


def _first_reason(unjudged: Sequence[Judgement]) -> Reason:
    """The most frequent reason, the alphabetically first of several; no window at all means an empty context."""
    reasons = [judgement.reason or Reason.MODEL_ERROR for judgement in unjudged]
    if not reasons:
        return Reason.EMPTY_CONTEXT
    return min(set(reasons), key=lambda reason: (-reasons.count(reason), reason.value))


def _evidence(
    items: Sequence[_Judged], stance: Stance, overlap: Overlap, texts: dict[str, str]
) -> tuple[Evidence, ...]:
    """The deciding sentences of each window's passages, in the windows' order, each place once."""
    found: list[Evidence] = []
    for item in items:
        for passage in _telling(item.window.passages, overlap, texts):
            span = _deciding(passage, overlap, texts)
            taken = any(
                piece.source_id == passage.source_id and piece.start < span.end and span.start < piece.end
                for piece in found
            )
            if not taken:
                found.append(
                    Evidence(passage.source_id, span.start, span.end, span.of(texts[passage.source_id]), stance)
                )
    return tuple(found)


def _telling(passages: Sequence[Passage], overlap: Overlap, texts: dict[str, str]) -> list[Passage]:
    """The passages without those that add none of the claim's words to what the others hold; at least one."""
    kept = list(passages)
    held = {passage: overlap.held(passage.span.of(texts[passage.source_id])) for passage in passages}
    for passage in sorted(passages, key=lambda passage: (overlap.share(held[passage]), texts[passage.source_id])):
        others = frozenset().union(*(held[other] for other in kept if other != passage))
        if len(kept) > 1 and overlap.share(held[passage] - others) < _ADDS:
            kept.remove(passage)
    return kept


def _deciding(passage: Passage, overlap: Overlap, texts: dict[str, str]) -> Span:
    inner = overlap.deciding_span(passage.span.of(texts[passage.source_id]))
    return Span(passage.span.start + inner.start, passage.span.start + inner.end)
