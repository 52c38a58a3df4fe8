"""How surely the evidence supports a text: the verifier's word and the wording, as in the pipeline's verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grapheval.protocols import Pair, Passage, Verifier
from grapheval.types import Source
from grapheval.verification.support import ClaimWording, Support
from grapheval.verification.surroundings import surroundings


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores texts against premises, all in one batch.

    Args:
        verifier: Judges the pairs.
        support: How its probability is mixed with the wording.
        passages: Where the premises come from: their surroundings count for the wording.
        sources: The context.
    """

    verifier: Verifier
    support: Support
    passages: Sequence[Passage]
    sources: Sequence[Source]

    def best(self, asked: Sequence[tuple[str, Sequence[str]]]) -> list[float | None]:
        """For each text the probability that its best premise supports it; None where nothing was judged.

        Args:
            asked: Texts, each with its premises.

        Raises:
            ModelError: The verifier failed.
        """
        pairs = [Pair(premise, text) for text, premises in asked for premise in premises]
        judged = iter(self.verifier.verify(pairs) if pairs else [])
        around = [] if self.support.plain else surroundings(self.passages, self.sources)
        found: list[float | None] = []
        for text, premises in asked:
            wording = None if self.support.plain else ClaimWording(text)
            best: float | None = None
            for premise in premises:
                p = next(judged).p_entailment
                if p is None:
                    continue
                if wording is not None:
                    mismatch = wording.explicit.against(premise)
                    p = self.support.of(p, wording.among([mismatch], around, self.sources)[0])
                best = p if best is None else max(best, p)
            found.append(best)
        return found
