"""The plain rule of the paper: the window that entails a claim most decides, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from grapheval.protocols import Judgement, Window
from grapheval.types import Claim, Evidence, Label, Source, Stance, Verdict


class BestWindow:
    """A folder without rules: the window that entails the claim most decides."""

    def fold(
        self,
        claim: Claim,
        windows: Sequence[Window],
        judgements: Sequence[Judgement],
        sources: Sequence[Source],
        threshold: float,
    ) -> Verdict:
        """`p_ungrounded` is one minus the highest probability of entailment."""
        judged = [
            (j.p_entailment, j, window)
            for j, window in zip(judgements, windows, strict=True)
            if j.p_entailment is not None
        ]
        reasons = [j.reason for j in judgements if j.reason is not None]
        if not judged:
            return Verdict(claim, Label.UNVERIFIED, reason=reasons[0] if reasons else None)
        p_entailment, best, window = max(judged, key=lambda item: (item[0], item[2].text))
        p_ungrounded = 1.0 - p_entailment
        flagged = p_ungrounded > threshold
        texts = {source.id: source.text for source in sources}
        evidence = tuple(
            Evidence(p.source_id, p.span.start, p.span.end, p.span.of(texts[p.source_id]), Stance.SUPPORTS)
            for p in window.passages
            if p.source_id in texts
        )
        return Verdict(
            claim,
            Label.UNSUPPORTED if flagged else Label.SUPPORTED,
            p_ungrounded,
            best.probabilities,
            flagged,
            () if flagged else evidence,
            best.reason,
        )
