"""The offline extractor: spaCy's English pipeline and rules on its dependency trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grapheval.errors import InputError
from grapheval.extraction.english import EnglishPipeline, load_english
from grapheval.extraction.inline import Plain
from grapheval.extraction.local.marks import with_marks
from grapheval.extraction.local.question import clean_question, is_question_like
from grapheval.extraction.local.reading import AnswerReader
from grapheval.extraction.local.shadow import Word, shadow_doc, to_tree
from grapheval.extraction.local.units import Reading, Unit, to_units
from grapheval.extraction.markdown import read_blocks
from grapheval.offload import offload
from grapheval.types import Claim, Extraction, Outcome, Reason, Sample

if TYPE_CHECKING:
    from spacy.tokens import Doc

_BATCH = 64
_LONGEST_QUESTION = 500


@dataclass(frozen=True, slots=True)
class _Job:
    """One text on its way through the parser: a unit of an answer, or the question (`unit` is None)."""

    sample: int
    unit: Unit | None
    words: list[Word]
    text: str


class LocalExtractor:
    """Answer -> claims, offline, English.

    Thread-safe. The pipeline is loaded on the first use, once per process.

    Args:
        max_chars: Longest answer that is accepted, in characters (300,000 are about 50,000 words, and take some 15
            seconds); longer ones raise `InputError` at once.

    Raises:
        MissingExtraError: On the first use, if spaCy or the English pipeline is not installed.
    """

    name = "local"
    compute_bound = True

    def __init__(self, *, max_chars: int = 300_000) -> None:
        self.max_chars = max_chars

    @property
    def info(self) -> str:
        """`local/<pipeline>-<version>/spacy-<version>`."""
        pipeline = load_english()
        return f"{self.name}/{pipeline.name}-{pipeline.version}/spacy-{pipeline.spacy_version}"

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """One extraction per sample, in order; the context is never read.

        Args:
            samples: Answers, with their questions if known.

        Raises:
            InputError: An answer is longer than `max_chars`.
            MissingExtraError: spaCy or the English pipeline is not installed.
            ModelError: The pipeline's files are damaged.
        """
        for sample in samples:
            if len(sample.answer) > self.max_chars:
                msg = (
                    f"the answer has {len(sample.answer):,} characters; the local extractor accepts up to "
                    f"{self.max_chars:,} (split it, or pass max_chars=)"
                )
                raise InputError(msg)
        pipeline = load_english()
        results: list[Extraction] = []
        readings: dict[int, Reading] = {}
        reader = AnswerReader()
        question: str | None = None
        for job, tree_doc in self._parsed(pipeline, samples, readings):
            while len(results) < job.sample:
                results.append(_result(samples[len(results)], readings.pop(len(results)), reader.claims))
                reader = AnswerReader()
            if job.unit is None:
                if tree_doc is None:
                    continue
                question = job.text
                reader = AnswerReader((question, to_tree(tree_doc, job.words, job.text)))
            else:
                reader.add(job.unit, None if tree_doc is None else to_tree(tree_doc, job.words, job.text))
        while len(results) < len(samples):
            results.append(_result(samples[len(results)], readings.pop(len(results)), reader.claims))
            reader = AnswerReader()
        return results

    async def aextract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """As `extract`, in a worker thread."""
        return await offload(self.extract, samples)

    def _parsed(
        self, pipeline: EnglishPipeline, samples: Sequence[Sample], readings: dict[int, Reading]
    ) -> Iterator[tuple[_Job, Doc | None]]:
        """Everything to read, in order: each sample's question, then its units; parsed in batches."""
        waiting: list[tuple[_Job, Doc | None]] = []
        size = 0
        for job, doc in self._jobs(pipeline, samples, readings):
            waiting.append((job, doc))
            size += 0 if doc is None else len(doc)
            if size >= _BATCH * 60:
                yield from _run(pipeline, waiting)
                waiting, size = [], 0
        yield from _run(pipeline, waiting)

    def _jobs(
        self, pipeline: EnglishPipeline, samples: Sequence[Sample], readings: dict[int, Reading]
    ) -> Iterator[tuple[_Job, Doc | None]]:
        for number, sample in enumerate(samples):
            reading = to_units(read_blocks(sample.answer))
            readings[number] = reading
            if sample.question and len(sample.question) <= _LONGEST_QUESTION and is_question_like(sample.question):
                text = clean_question(sample.question)
                doc, words = shadow_doc(pipeline.nlp, Plain(text))
                yield _Job(number, None, words, text), doc
            for unit in reading.units:
                if unit.form == "text":
                    doc, words = shadow_doc(pipeline.nlp, unit.plain)
                    yield _Job(number, unit, words, unit.plain.text), doc
                else:
                    yield _Job(number, unit, [], unit.plain.text), None


def _run(pipeline: EnglishPipeline, waiting: list[tuple[_Job, Doc | None]]) -> Iterator[tuple[_Job, Doc | None]]:
    docs = pipeline.nlp.pipe([doc for _, doc in waiting if doc is not None], batch_size=_BATCH)
    for job, doc in waiting:
        yield job, None if doc is None else next(docs)


def _result(sample: Sample, reading: Reading, claims: list[Claim]) -> Extraction:
    claims = [with_marks(sample.answer, claim) for claim in claims]
    if reading.foreign and claims:
        return Extraction(tuple(claims), outcome=Outcome.UNSUPPORTED_LANGUAGE, reason=Reason.UNSUPPORTED_LANGUAGE)
    if claims:
        return Extraction(tuple(claims))
    if reading.declines:
        return Extraction(outcome=Outcome.ABSTAINED, reason=Reason.ANSWER_DECLINES)
    return Extraction(outcome=Outcome.NO_CLAIMS, reason=Reason.NOTHING_TO_CHECK)
