"""Small real stand-ins for models: claims are sentences, verdicts and repairs come from tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from grapheval import Claim, Correction, Edit, Evaluation, Extraction, GraphEval, Outcome, Reason, Sample
from grapheval.context.sentences import split_sentences
from grapheval.testing import FakeVerifier
from grapheval.types import Action, CorrectionStatus, Usage


@dataclass
class SentenceExtractor:
    """Each sentence that ends in a full stop is a claim; what starts with "Sorry" declines."""

    calls: list[str] = field(default_factory=list)
    placed: bool = True

    @property
    def info(self) -> str:
        return "sentences"

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        self.calls += [sample.answer for sample in samples]
        return [self._one(sample.answer) for sample in samples]

    def _one(self, answer: str) -> Extraction:
        if answer.startswith("Sorry"):
            return Extraction(outcome=Outcome.ABSTAINED, reason=Reason.ANSWER_DECLINES)
        spans = [span for span in split_sentences(answer) if span.of(answer).endswith(".")]
        claims = tuple(Claim(span.of(answer), None, span if self.placed else None) for span in spans)
        if not claims:
            return Extraction(outcome=Outcome.NO_CLAIMS, reason=Reason.NOTHING_TO_CHECK)
        return Extraction(claims)


@dataclass
class TableCorrector:
    """Replaces a flagged claim's sentence by what the table says; what it lacks is left."""

    table: Mapping[str, str] = field(default_factory=dict)
    fail: Exception | None = None
    recheck: bool = True
    samples: list[Sample] = field(default_factory=list)

    @property
    def info(self) -> str:
        return "table"

    def correct(self, sample: Sample, before: Evaluation, evaluate: Callable[[Sample], Evaluation]) -> Correction:
        self.samples.append(sample)
        if self.fail is not None:
            raise self.fail
        edits = []
        for verdict in before.flagged:
            span, new = verdict.claim.span, self.table.get(verdict.claim.text)
            if span is not None and new is not None:
                action = Action.REPLACE if new else Action.DROP
                edits.append(Edit(span.start, span.end, span.of(sample.answer), new, verdict.claim, (), action))
        if not edits:
            return Correction(sample.answer, (), before, None, CorrectionStatus.FAILED, usage=Usage(1))
        answer = sample.answer
        for edit in reversed(edits):
            answer = answer[: edit.start] + edit.new + answer[edit.end :]
        after = evaluate(Sample(answer, sample.sources, sample.question)) if self.recheck else None
        return Correction(answer, tuple(edits), before, after, CorrectionStatus.CORRECTED, usage=Usage(1))


CONTEXT = "Oslo is the capital of Norway. Bergen lies on the west coast. Tromso lies in the north."


def judge(premise: str, hypothesis: str) -> float | Reason:
    """False sentences say "wrong"; what says "odd" cannot be judged; everything else is supported."""
    if "odd" in hypothesis:
        return Reason.UNSUPPORTED_LANGUAGE
    return 0.02 if "wrong" in hypothesis else 0.97


def pipeline(corrector: TableCorrector | None = None, **stages: object) -> GraphEval:
    stages.setdefault("extractor", SentenceExtractor())
    stages.setdefault("verifier", FakeVerifier(judge))
    return GraphEval(corrector=corrector, **stages)  # type: ignore[arg-type]
