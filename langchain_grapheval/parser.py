"""`TripleOutputParser`: triples out of whatever a model replies."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from langchain_core.exceptions import OutputParserException
from langchain_core.messages import BaseMessage
from langchain_core.output_parsers import BaseCumulativeTransformOutputParser
from langchain_core.outputs import Generation

from grapheval import Extraction, Outcome, Reason, Triple, parse_triples
from langchain_grapheval.convert import answer_text

_INSTRUCTIONS = (
    "Reply with a list of lists of strings, each [subject, relation, object], between <triples> and </triples>, and "
    "with nothing else. Exactly three non-empty strings each; if nothing is stated, reply <triples>[]</triples>. "
    'Example: <triples>[["Oslo", "is the capital of", "Norway"]]</triples>'
)


class TripleOutputParser(BaseCumulativeTransformOutputParser[list[Triple]]):
    """Reads triples with the core's tolerant parser: thinking, fences, chatter, broken JSON and the like.

    Streaming yields the triples that are complete so far, again each time there is one more. An explicitly empty list
    gives `[]`; a reply without triples, or whose items are all unusable, is an `OutputParserException`, never `[]`.

    Args:
        strict: A reply that was cut off is an exception, too; otherwise its complete triples are kept.
    """

    strict: bool = False

    def parse(self, text: str) -> list[Triple]:
        """The triples of a reply.

        Raises:
            OutputParserException: There are none; `observation` tells the model what was wrong.
        """
        extraction = parse_triples(text)
        problem = self._problem(extraction)
        if problem is not None:
            raise OutputParserException(
                f"no triples could be read from the reply: {problem}",
                observation=f"No triples could be read from your reply: {problem}. {_INSTRUCTIONS}",
                llm_output=text,
                send_to_llm=True,
            )
        return list(extraction.triples)

    def parse_result(self, result: list[Generation], *, partial: bool = False) -> list[Triple] | None:  # type: ignore[override]
        """As `parse`, of a generation.

        Args:
            result: The first generation counts.
            partial: More is to come: gives the triples that are complete, None as long as there is none.
        """
        text = result[0].text
        return (list(parse_triples(text).triples) or None) if partial else self.parse(text)

    async def aparse_result(self, result: list[Generation], *, partial: bool = False) -> list[Triple] | None:  # type: ignore[override]
        """As `parse_result`: parsing takes microseconds, so no thread is needed."""
        return self.parse_result(result, partial=partial)

    def get_format_instructions(self) -> str:
        """What to tell the model."""
        return _INSTRUCTIONS

    def _problem(self, extraction: Extraction) -> str | None:
        if self.strict and extraction.outcome is Outcome.INCOMPLETE:
            return "it was cut off"
        if extraction.triples or extraction.reason is Reason.NOTHING_TO_CHECK:
            return None
        if extraction.reason is Reason.LENGTH_STOP:
            return "it was cut off"
        if not (extraction.raw or "").strip():
            return "it is empty"
        return extraction.rejected[0].reason if extraction.rejected else "there is no list of triples in it"

    # A stream without triples must fail like a whole reply does: the base class would end it in silence.

    def _transform(self, input: Iterator[str | BaseMessage]) -> Iterator[Any]:
        seen: list[str] = []

        def noted() -> Iterator[str | BaseMessage]:
            for chunk in input:
                seen.append(answer_text(chunk))
                yield chunk

        last: list[Triple] | None = None
        for last in super()._transform(noted()):
            yield last
        final = self.parse("".join(seen))
        if final != last:
            yield final

    async def _atransform(self, input: AsyncIterator[str | BaseMessage]) -> AsyncIterator[Any]:
        seen: list[str] = []

        async def noted() -> AsyncIterator[str | BaseMessage]:
            async for chunk in input:
                seen.append(answer_text(chunk))
                yield chunk

        last: list[Triple] | None = None
        async for last in super()._atransform(noted()):
            yield last
        final = self.parse("".join(seen))
        if final != last:
            yield final

    @property
    def _type(self) -> str:
        return "grapheval_triples"

    @classmethod
    def is_lc_serializable(cls) -> bool:
        """It is."""
        return True
