"""The benchmark sets of the paper, and what a row of one is."""

from __future__ import annotations

from dataclasses import dataclass

from grapheval.errors import InputError
from grapheval.types import Sample


@dataclass(frozen=True, slots=True)
class KnownSet:
    """What is known of a set in advance.

    Args:
        name: The name that the command line takes.
        title: Name for tables.
        size: Number of answers in the complete set.
        inconsistent: How many of them are inconsistent.
        files: File names that it goes by, in order of preference.
    """

    name: str
    title: str
    size: int
    inconsistent: int
    files: tuple[str, ...]


KNOWN_SETS = {
    known.name: known
    for known in (
        KnownSet(
            "summeval",
            "SummEval",
            1600,
            294,
            (
                "summeval.jsonl.gz",
                "summeval.jsonl",
                "model_annotations.aligned.paired.jsonl",
                "model_annotations.aligned.jsonl",
            ),
        ),
        KnownSet("qags-c", "QAGS-C", 235, 122, ("qags_c.jsonl.gz", "qags_c.jsonl", "mturk_cnndm.jsonl")),
        KnownSet("qags-x", "QAGS-X", 239, 123, ("qags_x.jsonl.gz", "qags_x.jsonl", "mturk_xsum.jsonl")),
    )
}


@dataclass(frozen=True, slots=True)
class BenchmarkRow:
    """One answer with the label that people gave it.

    Args:
        id: Unique in its set.
        answer: The text to judge.
        context: What it must be grounded in.
        label: 1 = inconsistent (at least one piece is not grounded), 0 = consistent.
    """

    id: str
    answer: str
    context: str
    label: int

    @property
    def sample(self) -> Sample:
        """The row as the pipeline takes it; the label stays behind."""
        return Sample(self.answer, self.context, id=self.id)


def known_set(name: str) -> KnownSet:
    """Look a set up by name.

    Raises:
        InputError: There is none of that name.
    """
    try:
        return KNOWN_SETS[name.lower().replace("_", "-")]
    except KeyError:
        msg = f"no benchmark is called {name!r}; there are {', '.join(KNOWN_SETS)}"
        raise InputError(msg) from None
