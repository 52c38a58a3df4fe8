"""Evidence as LangChain's standard citations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessage
from langchain_core.messages.content import Citation, create_citation, create_text_block

from grapheval import Evaluation, Evidence, InputError, Span, Stance
from grapheval.types import to_sources
from langchain_grapheval.convert import to_context


def with_citations(message: AIMessage | str, evaluation: Evaluation, context: object = None) -> AIMessage:
    """The message with a citation for each passage that supports one of its claims.

    Args:
        message: The answer that was judged. Claims without a place in it get no citation.
        evaluation: Its judgement: `GuardResult.final`, or what `GraphEvaluator` returned.
        context: The context that it was judged against: gives the citations title and address, where the documents'
            metadata has a `title`, and a `url` or `source` that is an address.

    Returns:
        A copy whose text is one text block with `annotations`: `start_index` and `end_index` point into the text,
        `cited_text` is the passage, `extras` holds the source's id.

    Raises:
        InputError: The evaluation is of another text.
    """
    if isinstance(message, str):
        message = AIMessage(message)
    text = str(message.text)
    metadata = {source.id: source.metadata for source in to_sources(to_context(context))}
    found: list[Citation] = []
    for verdict in evaluation.verdicts:
        span = verdict.claim.span
        if span is None or verdict.flagged:
            continue
        if span.end > len(text):
            msg = "the evaluation is of another text: a claim lies behind the message's end"
            raise InputError(msg)
        found += [
            _citation(span, evidence, metadata.get(evidence.source_id, {}))
            for evidence in verdict.evidence
            if evidence.stance is Stance.SUPPORTS
        ]
    block = create_text_block(text, annotations=list(found))
    beside = (
        []
        if isinstance(message.content, str)
        else [item for item in message.content if isinstance(item, dict) and item.get("type") != "text"]
    )
    return message.model_copy(update={"content": [dict(block), *beside]})


def _citation(span: Span, evidence: Evidence, metadata: Mapping[str, Any]) -> Citation:
    title = metadata.get("title")
    address = metadata.get("url") or metadata.get("source")
    is_address = isinstance(address, str) and address.startswith(("http://", "https://"))
    return create_citation(
        url=address if is_address else None,
        title=title if isinstance(title, str) else None,
        start_index=span.start,
        end_index=span.end,
        cited_text=evidence.text,
        source_id=evidence.source_id,
        source_start=evidence.start,
        source_end=evidence.end,
    )
