"""After an answer: what each of its source nodes says about it."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from llama_index.core.schema import BaseNode, NodeWithScore

from grapheval import Claim, Evaluation, Extraction, Failure, GraphEval, Label, Sample, Stance
from llamaindex_grapheval.nodes import to_sources

KEY = "grapheval"
"""Where a node's annotation is in its metadata; hidden from LLMs and embeddings."""

Note = dict[str, Any]


@dataclass(frozen=True, slots=True)
class FixedClaims:
    """An extractor that hands out the same claims for every sample.

    Args:
        claims: The claims by answer.
    """

    claims: Mapping[str, tuple[Claim, ...]]

    @property
    def info(self) -> str:
        """Name, for provenance."""
        return "fixed"

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """The claims of each answer, whatever the contexts."""
        return [Extraction(self.claims.get(sample.answer, ())) for sample in samples]


def with_claims(pipeline: GraphEval, claims: Mapping[str, tuple[Claim, ...]]) -> GraphEval:
    """The pipeline with claims that are known already: no LLM is asked for them again."""
    narrow = copy.copy(pipeline)
    narrow.extractor = FixedClaims(claims)
    return narrow


def node_notes(
    pipeline: GraphEval, nodes: Sequence[NodeWithScore], answer: str, question: str | None, whole: Evaluation
) -> list[Note]:
    """What each node says about an answer.

    Args:
        pipeline: Judges each node alone, in one batch.
        nodes: The answer's source nodes.
        answer: Its text.
        question: What was asked.
        whole: The answer judged against all nodes together.

    Returns:
        One note per node: `supports` and `contradicts` (texts of claims), `groundedness` (mean probability, over the
        answer's claims, that this node alone supports them; None where nothing was judged), `reason` where there
        is none.
    """
    sources = to_sources(list(nodes))
    claims = tuple(verdict.claim for verdict in whole.verdicts)
    if not claims:
        reason = whole.reason.value if whole.reason else whole.status.value
        return [_note((), (), None, reason) for _ in sources]
    alone = with_claims(pipeline, {answer: claims})
    results = alone.evaluate_many([Sample(answer, [source], question) for source in sources])
    joint = _joint_support(whole)
    return [_noted(result, joint.get(source.id, set())) for source, result in zip(sources, results, strict=True)]


def _joint_support(whole: Evaluation) -> dict[str, set[str]]:
    """Claims by the node that is evidence for them, alone or together with another."""
    found: dict[str, set[str]] = {}
    for verdict in whole.verdicts:
        for piece in verdict.evidence:
            if piece.stance is Stance.SUPPORTS and not verdict.flagged:
                found.setdefault(piece.source_id, set()).add(verdict.claim.text)
    return found


def _noted(result: Evaluation | Failure, joint: set[str]) -> Note:
    if isinstance(result, Failure):
        return _note((), (), None, f"{result.code}: {result.message}")
    supports = [
        verdict.claim.text
        for verdict in result.verdicts
        if verdict.label is Label.SUPPORTED or verdict.claim.text in joint
    ]
    contradicts = [verdict.claim.text for verdict in result.verdicts if verdict.label is Label.CONTRADICTED]
    judged = [verdict.p_ungrounded for verdict in result.verdicts if verdict.p_ungrounded is not None]
    if not judged:
        return _note(supports, contradicts, None, result.reason.value if result.reason else result.status.value)
    return _note(supports, contradicts, sum(1.0 - p for p in judged) / len(judged), None)


def _note(supports: Iterable[str], contradicts: Iterable[str], groundedness: float | None, reason: str | None) -> Note:
    note: Note = {"supports": list(supports), "contradicts": list(contradicts), "groundedness": groundedness}
    return note if reason is None else note | {"reason": reason}


def annotated(item: NodeWithScore, note: Note) -> NodeWithScore:
    """A copy of a node with a note, which neither LLMs nor embeddings see. The node itself stays as it is."""
    node: BaseNode = item.node.model_copy()
    node.metadata = copy.deepcopy(item.node.metadata)
    node.metadata[KEY] = {**(node.metadata.get(KEY) or {}), **note}
    node.excluded_llm_metadata_keys = _with_key(item.node.excluded_llm_metadata_keys)
    node.excluded_embed_metadata_keys = _with_key(item.node.excluded_embed_metadata_keys)
    node.relationships = dict(item.node.relationships)
    return NodeWithScore(node=node, score=item.score)


def _with_key(keys: Sequence[str]) -> list[str]:
    return [*keys] if KEY in keys else [*keys, KEY]
