"""What runs in the cluster: a pipeline whose models are loaded once per actor, and batches that are sized by tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from grapheval.io.batch import BatchLine
from grapheval.types import Failure

if TYPE_CHECKING:
    from grapheval.cli.working import Done
    from grapheval.pipeline import GraphEval

TOKENS_PER_BATCH: Final = 20_000
"""Estimated tokens of answers and contexts that an actor is given at once; what is lost with it is done again."""

_CHARACTERS_PER_TOKEN: Final = 4

Maker = Callable[[], "GraphEval"]


class Worker:
    """One actor's pipeline.

    Args:
        pipeline: It pickles as its configuration, so that each actor loads the models itself; or a function that makes
            one there. None = `GraphEval.local()`.
        correct: Whether to repair what is flagged.
    """

    def __init__(self, pipeline: GraphEval | Maker | None = None, *, correct: bool = False) -> None:
        from grapheval.pipeline import GraphEval

        if pipeline is None:
            pipeline = GraphEval.local
        self._pipeline = pipeline if isinstance(pipeline, GraphEval) else pipeline()
        self._correct = correct
        self._pipeline.warm_up()

    def ready(self) -> bool:
        """True, once the models are there."""
        return True

    def judge(self, lines: Sequence[BatchLine]) -> list[Done]:
        """One record per line, in order; what fails is a failure in its place."""
        from grapheval.cli.working import process

        return list(process(iter(lines), self._pipeline, correct=self._correct))


def by_tokens(lines: Iterable[BatchLine], most: int) -> Iterator[list[BatchLine]]:
    """Cut lines into batches of about the same work.

    Args:
        lines: In order.
        most: Estimated tokens of a batch; a line that is longer alone is a batch by itself.
    """
    batch: list[BatchLine] = []
    size = 0
    for line in lines:
        tokens = tokens_of(line)
        if batch and size + tokens > most:
            yield batch
            batch, size = [], 0
        batch.append(line)
        size += tokens
    if batch:
        yield batch


def tokens_of(line: BatchLine) -> int:
    """Estimated tokens of what a line has to be read: four characters each."""
    if isinstance(line.content, Failure):
        return 1
    sample = line.content
    characters = len(sample.answer) + len(sample.question or "") + sum(len(source.text) for source in sample.sources)
    return 1 + characters // _CHARACTERS_PER_TOKEN
