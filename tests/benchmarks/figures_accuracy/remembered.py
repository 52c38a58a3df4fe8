"""Stages that remember for one run: each answer is taken apart and each claim's windows are chosen once.

The verifier's scores are kept on disk by `grapheval.cache`, filed under the checksum of the model. With all three, another
configuration of the same pipeline costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grapheval.drive import batch_size_of
from grapheval.offload import compute_bound
from grapheval.protocols import EvidenceSelector, Extractor, Selected, VerifierInfo
from grapheval.types import Claim, Extraction, Sample, Source


class RememberedExtractor:
    """An extractor that takes each answer apart once.

    Args:
        extractor: Who does it.
    """

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor
        self._known: dict[tuple[str, str | None], Extraction] = {}

    @property
    def info(self) -> str:
        """The extractor's own."""
        return self._extractor.info

    @property
    def batch_size(self) -> int:
        """The extractor's own."""
        return batch_size_of(self._extractor)

    @property
    def compute_bound(self) -> bool:
        """The extractor's own."""
        return compute_bound(self._extractor)

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """As the extractor's own."""
        fresh = {(s.answer, s.question): s for s in samples if (s.answer, s.question) not in self._known}
        if fresh:
            self._known.update(zip(fresh, self._extractor.extract(list(fresh.values())), strict=True))
        return [self._known[s.answer, s.question] for s in samples]


class RememberedSelector:
    """A selector that chooses the windows of the same claims in the same sources once, for one verifier.

    Args:
        selector: Who chooses.
    """

    def __init__(self, selector: EvidenceSelector) -> None:
        self.selector = selector
        self._known: dict[tuple[tuple[str, ...], tuple[tuple[str, str], ...]], Selected] = {}

    @property
    def info(self) -> str:
        """The selector's own."""
        return self.selector.info

    def select(
        self,
        claims: Sequence[Claim],
        sources: Sequence[Source],
        count_tokens: Callable[[Sequence[str]], list[int]],
        verifier: VerifierInfo,
    ) -> Selected:
        """As the selector's own."""
        key = (tuple(claim.text for claim in claims), tuple((source.id, source.text) for source in sources))
        if key not in self._known:
            self._known[key] = self.selector.select(claims, sources, count_tokens, verifier)
        return self._known[key]
