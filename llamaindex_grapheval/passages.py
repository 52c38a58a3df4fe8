"""Before an answer: what the retrieved passages say about each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from llama_index.core.schema import BaseNode, NodeWithScore
from rapidfuzz.distance import Indel

from grapheval import Claim, Evaluation, Failure, GraphEval, Label, Sample, Source, Span, Stance
from grapheval.context.sentences import split_sentences
from grapheval.verification.rules import EvidenceRules
from llamaindex_grapheval.annotate import Note, with_claims

Trust = Callable[[BaseNode], bool]

_WORD = re.compile(r"\w+(?:[.,'’]\w+)*")
_POLAR = frozenset({"no", "not", "never", "none", "neither", "nor", "without", "cannot"})


def trust_of(trusted: Trust | Mapping[str, Any] | None) -> Trust | None:
    """A rule that says which nodes are trusted.

    Args:
        trusted: A function of a node; or values by metadata key (one value, or a list of them), all of which must fit.
    """
    if trusted is None or callable(trusted):
        return trusted
    rules = {key: value if isinstance(value, list | tuple | set) else [value] for key, value in trusted.items()}

    def fits(node: BaseNode) -> bool:
        return all(node.metadata.get(key) in values for key, values in rules.items())

    return fits


# --------------------------------------------------------------------------------------------------------- duplicates


def duplicate_of(nodes: Sequence[NodeWithScore], trust: Trust | None, least: float) -> dict[int, int]:
    """Passages that say nothing that another one does not say, as far as words tell.

    Two passages that differ in a number, a name or a negation are never duplicates, however similar.

    Args:
        nodes: In retrieval order.
        trust: Of two, a trusted one stays.
        least: Least similarity of the word sequences, in [0, 1].

    Returns:
        Position of a duplicate -> position of the passage that stays.
    """
    words = [_WORD.findall(item.node.get_content()) for item in nodes]
    order = sorted(range(len(nodes)), key=lambda i: (not (trust and trust(nodes[i].node)), -len(words[i]), i))
    kept: list[int] = []
    found: dict[int, int] = {}
    for number in order:
        same = next((other for other in kept if _same(words[number], words[other], least)), None)
        if same is None or not words[number]:
            kept.append(number)
        else:
            found[number] = same
    return found


def _same(one: Sequence[str], other: Sequence[str], least: float) -> bool:
    """Whether `one` adds nothing to `other`: contained in it, or the same but for a few plain words."""
    low, base = [word.casefold() for word in one], [word.casefold() for word in other]
    if len(low) <= len(base) and any(base[i : i + len(low)] == low for i in range(len(base) - len(low) + 1)):
        return True
    if Indel.normalized_similarity(low, base) < least:
        return False
    differing = (Counter(one) - Counter(other)) + (Counter(other) - Counter(one))
    return not any(_telling(word) for word in differing)


def _telling(word: str) -> bool:
    negated = word.casefold() in _POLAR or word.casefold().endswith(("n't", "n’t"))
    return negated or word[0].isupper() or any(map(str.isdigit, word))


# ---------------------------------------------------------------------------------------------------------- conflicts


def conflicts(
    pipeline: GraphEval, nodes: Sequence[NodeWithScore], least_contradiction: float, least_overlap: float
) -> tuple[list[list[Note]], list[Failure | None]]:
    """Sentences of passages that other passages contradict.

    Each passage is judged, sentence by sentence, against all others. This needs a verifier with three classes: one
    that knows only "supported" finds no contradictions.

    Args:
        pipeline: Judges.
        nodes: The passages.
        least_contradiction: Least probability of contradiction, in [0, 1].
        least_overlap: Least share of the sentence's words, by weight, in the passage that contradicts it.

    Returns:
        For each node its conflicts: `node_id` of the other, `text` (its own sentence), `other` (the other's). Each is
        listed on both sides. And for each node what failed, if something did.
    """
    texts = [item.node.get_content() for item in nodes]
    spans = [split_sentences(text) for text in texts]
    claims = {text: tuple(_claim(text, span) for span in own) for text, own in zip(texts, spans, strict=True)}
    judge = with_claims(pipeline, claims)
    judge.folder = EvidenceRules(
        contradiction=least_contradiction,
        conflict=least_contradiction,
        relevance=least_overlap,
        conflict_relevance=least_overlap,
    )
    samples = [
        Sample(text, [Source(other, str(j)) for j, other in enumerate(texts) if j != i and other != text])
        for i, text in enumerate(texts)
    ]
    found: list[list[Note]] = [[] for _ in nodes]
    failed: list[Failure | None] = [None] * len(nodes)
    for i, result in enumerate(judge.evaluate_many(samples)):
        if isinstance(result, Failure):
            failed[i] = result
            continue
        for j, own, other in _contradictions(result):
            _add(found[i], nodes[j].node.node_id, own, other)
            _add(found[j], nodes[i].node.node_id, other, own)
    return found, failed


def _claim(text: str, span: Span) -> Claim:
    return Claim(span.of(text).strip(), None, span)


def _contradictions(result: Evaluation) -> list[tuple[int, str, str]]:
    return [
        (int(piece.source_id), verdict.claim.text, piece.text)
        for verdict in result.verdicts
        if verdict.label in {Label.CONTRADICTED, Label.CONFLICTING}
        for piece in verdict.evidence
        if piece.stance is Stance.CONTRADICTS
    ]


def _add(notes: list[Note], node_id: str, own: str, other: str) -> None:
    note = {"node_id": node_id, "text": own, "other": other}
    if note not in notes:
        notes.append(note)
