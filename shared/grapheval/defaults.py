"""Which plug-ins the pipeline takes where the user names none. Imports happen on use, models load on first call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from grapheval.protocols import Aggregator, Corrector, EvidenceSelector, Extractor, Folder, Verifier

if TYPE_CHECKING:
    from grapheval.verification.support import Support


def extractor() -> Extractor:
    """The local extractor: spaCy, English, no LLM."""
    from grapheval.extraction.local import LocalExtractor

    return LocalExtractor()


def verifier(choice: Verifier | str | None) -> Verifier:
    """The verifier of that name, the object itself, or the bundled one."""
    if choice is None:
        from grapheval.verification.bundled import BundledVerifier

        return BundledVerifier()
    if isinstance(choice, str):
        from grapheval.verification.registry import load_verifier

        return load_verifier(choice)
    return choice


def selector() -> EvidenceSelector:
    """Lexical, name and number matching over sentence-aligned windows."""
    from grapheval.context.selector import HybridSelector

    return HybridSelector()


def folder(verifier: Verifier | None = None) -> Folder:
    """The documented rules across passages, with the weights that were fitted for the verifier, if any were."""
    from grapheval.verification.bundled import BundledVerifier
    from grapheval.verification.rules import EvidenceRules
    from grapheval.verification.support import BUNDLED

    if isinstance(verifier, BundledVerifier):
        # Its calibrated probabilities of contradiction stay below 0.85: with the general 0.9 nothing would conflict.
        return EvidenceRules(support=BUNDLED, conflict=0.75)
    return EvidenceRules()


def aggregator() -> Aggregator:
    """The worst claim decides, as in the paper: no flagged claim hides behind many good ones."""
    from grapheval.aggregation import MaxAggregator

    return MaxAggregator()


def support(verifier: Verifier) -> Support:
    """The mix of a verifier's word with the wording that the default folder uses."""
    from grapheval.verification.rules import EvidenceRules
    from grapheval.verification.support import Support

    rules = folder(verifier)
    return rules.support if isinstance(rules, EvidenceRules) else Support()


def local_corrector(verifier: Verifier | None = None) -> Corrector:
    """Repair from the evidence, without an LLM.

    Args:
        verifier: Scores the candidates; None = the bundled model.
    """
    from grapheval.correction.evidence import EvidenceCorrector

    return EvidenceCorrector(verifier)


def llm_stages(
    llm: Any,
    *,
    verifier: Verifier | str,
    protocol: Literal["ours", "paper"],
    prompts: Mapping[str, str] | None,
) -> dict[str, Any]:
    """The stages of `GraphEval.from_llm`.

    Raises:
        InputError: The protocol or the verifier is unknown.
    """
    from grapheval.correction.graphcorrect import GraphCorrect
    from grapheval.errors import InputError
    from grapheval.extraction.llm import LLMExtractor
    from grapheval.llm import as_llm

    if protocol not in {"ours", "paper"}:
        msg = f'protocol must be "ours" or "paper", not {protocol!r}'
        raise InputError(msg)
    model = as_llm(llm)
    stages: dict[str, Any] = {
        "extractor": LLMExtractor(model, prompts=prompts, sentence_fallback=protocol == "ours"),
        "verifier": verifier,
        "corrector": GraphCorrect(model, prompts=prompts),
    }
    return stages
