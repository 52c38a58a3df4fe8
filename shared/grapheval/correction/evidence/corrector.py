"""`EvidenceCorrector`: repairs an answer from the evidence alone, offline, without an LLM.

For each flagged claim the sentences of the sources that bear on its sentence are read. Names, numbers, dates, the
polarity and the verb are compared with them; what differs gives candidates: small changes of the answer's own words.
The verifier scores all candidates of an answer in one batch, as whole sentences. The cheapest that is supported is
made; the pipeline then judges the new answer, and what made it no better is undone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, get_args

from grapheval.correction.edits import Change
from grapheval.correction.evidence.answer import Piece, pieces_of, read_pieces
from grapheval.correction.evidence.candidates import candidates
from grapheval.correction.evidence.choice import Judged, Limits, choose
from grapheval.correction.evidence.drop import renamed, without_phrase, without_piece
from grapheval.correction.evidence.match import Candidate, absent
from grapheval.correction.evidence.passages import Library
from grapheval.correction.evidence.reading import LONGEST, parse
from grapheval.correction.evidence.score import Scorer
from grapheval.correction.evidence.slots import find_slots
from grapheval.correction.evidence.task import (
    Task,
    asked,
    hypothesis,
    is_wanted,
    object_tokens,
    premises,
)
from grapheval.correction.evidence.wording import polished, size
from grapheval.correction.loop import Asks, Work, drive, repair_plan
from grapheval.correction.policy import Unrepairable
from grapheval.errors import InputError
from grapheval.protocols import Passage, Verifier
from grapheval.types import Action, Claim, Correction, Evaluation, Sample, Span, Verdict
from grapheval.verification.support import Support

if TYPE_CHECKING:
    from grapheval.calibration.maps import ProbabilityMap

MARK: Final = " [not supported by the sources]"
_NOTHING = "the sources state nothing that could stand there"
_NONE_HOLDS = "no repair that the sources suggest is supported by them as a whole"


class EvidenceCorrector:
    """Repairs flagged claims by what the sources say in their place.

    Args:
        verifier: Scores candidates; None = the bundled model.
        support: How the verifier's probability is mixed with the wording; None = as the pipeline's verdicts do it.
        unrepaired: What happens to a flagged claim that cannot be repaired: `keep` leaves it, `drop` takes its clause
            or sentence out, `mark` adds `mark` behind its sentence.
        mark: The text of the mark.
        limits: When a candidate is tried; None = as fitted.
        calibration: The map of the pipeline's probabilities, whose scale its threshold is on; None = there is none.
            A pipeline gives its own to the corrector.

    Raises:
        InputError: `unrepaired` is none of these.
    """

    def __init__(
        self,
        verifier: Verifier | None = None,
        *,
        support: Support | None = None,
        unrepaired: Unrepairable = "keep",
        mark: str = MARK,
        limits: Limits | None = None,
        calibration: ProbabilityMap | None = None,
    ) -> None:
        if unrepaired not in get_args(Unrepairable):
            msg = f"unrepaired must be one of {', '.join(get_args(Unrepairable))}, not {unrepaired!r}"
            raise InputError(msg)
        from grapheval import defaults

        self.verifier: Verifier = verifier if verifier is not None else defaults.verifier(None)
        self.support = support if support is not None else defaults.support(self.verifier)
        self.unrepaired: Unrepairable = unrepaired
        self.mark = mark
        self.limits = limits if limits is not None else Limits()
        self.calibration = calibration

    @property
    def info(self) -> str:
        """Name of the method and the model."""
        return f"evidence/{self.verifier.info.name}"

    def leaving(self, unrepaired: Unrepairable) -> EvidenceCorrector:
        """The same corrector with another policy for what cannot be repaired."""
        if unrepaired == self.unrepaired:
            return self
        twin = copy(self)
        twin.unrepaired = unrepaired
        return twin

    def on_scale(self, calibration: ProbabilityMap | None) -> EvidenceCorrector:
        """The same corrector for a pipeline whose probabilities are mapped."""
        if calibration == self.calibration:
            return self
        twin = copy(self)
        twin.calibration = calibration
        return twin

    def correct(self, sample: Sample, before: Evaluation, evaluate: Callable[[Sample], Evaluation]) -> Correction:
        """Repair an answer that `before` flags, judge the result by `evaluate`; what fails is said, never raised.

        Raises:
            MissingExtraError: The extra `local` is not installed.
        """
        rounds = 4 if self.unrepaired == "drop" else 2
        proposer = _Rounds(self, sample.answer)
        correction = drive(repair_plan(sample, before, proposer, rounds=rounds, undo=True), None, evaluate)
        if self.unrepaired != "mark":
            return correction
        from grapheval.correction.evidence.marking import marked

        return marked(sample, correction, self.mark)

    # ------------------------------------------------------------------------------------------------------ a round

    def work_on(self, work: Work, original: str) -> None:
        """Repair, then once more what was repaired in part; then, where that is the policy, drop phrases, sentences.

        Args:
            work: The round.
            original: The answer as it was before the first round.
        """
        if work.round == 0 or (work.round == 1 and work.sample.answer != original):
            self._repair(work)
        elif work.round == 2:
            self._drop_phrases(work)
        elif work.round == 3:
            self._drop_sentences(work)
        work.more = self.unrepaired == "drop" and work.round < 3

    def _repair(self, work: Work) -> None:
        tasks, library = self._tasks(work)
        for task in tasks:
            task.candidates = candidates(task, library, self.limits)
        self._score(tasks, work)

    def _tasks(self, work: Work) -> tuple[list[Task], Library]:
        """The sentences that flagged claims stand in, parsed, with their evidence."""
        answer = work.sample.answer
        pieces = read_pieces(answer)
        held: dict[Span, tuple[Piece, list[Verdict]]] = {}
        for verdict in work.flagged:
            found = [p for p in pieces_of(verdict.claim, pieces) if len(p.plain.text) <= LONGEST]
            if not found:
                work.fail(verdict.claim, "the claim has no place in the answer that could be edited")
            for piece in found:
                held.setdefault(piece.span, (piece, []))[1].append(verdict)
        kept = [held[span] for span in sorted(held)]
        sentences = parse([piece.plain.text for piece, _ in kept])
        tasks = [Task(piece, verdicts, sentence) for (piece, verdicts), sentence in zip(kept, sentences, strict=True)]
        texts = [asked(task) for task in tasks]
        library = Library(work.sample.sources, texts)
        for task, passages in zip(tasks, library.passages(texts), strict=True):
            task.passages = passages
            task.every = find_slots(task.sentence)
            task.slots = [slot for slot in task.every if is_wanted(task, slot)]
        return tasks, library

    def _score(self, tasks: Sequence[Task], work: Work) -> None:
        """Judge all candidates, and what they change as it is, in one batch; make the best of each sentence."""
        least = 1.0 - work.evaluation.threshold
        chosen: list[tuple[Task, Candidate]] = []
        for task, judged in zip(tasks, self._judged(tasks, work), strict=True):
            best = choose(judged, least, self.limits)
            if best is not None:
                chosen.append((task, best.candidate))
            else:
                _fail(work, task, _NONE_HOLDS if judged else _NOTHING)
        answer = work.sample.answer
        places = [(piece, task, c) for task, c in chosen for piece in _alike(task.piece, read_pieces(answer))]
        for piece, task, candidate in sorted(places, key=lambda item: item[0].span, reverse=True):
            changes = piece.to_answer(answer, candidate.changes)
            if changes is None:
                _fail(work, task, "markup or code stands in the way of the repair")
                continue
            evidence = tuple(passage.evidence(work.sample.sources) for passage in candidate.passages)
            work.edit(changes, task.verdicts[0].claim, evidence)

    def _judged(self, tasks: Sequence[Task], work: Work) -> list[list[Judged]]:
        """The candidates of each sentence with the verifier's word on them, on the pipeline's scale."""
        asked: dict[tuple[str, tuple[str, ...]], None] = {}
        read: list[list[tuple[Candidate, tuple[str, tuple[str, ...]], tuple[str, tuple[str, ...]]]]] = []
        for task in tasks:
            first = tuple(premises(task, task.passages[:1]))
            own = []
            for candidate in task.candidates:
                old, new = hypothesis(task, candidate.changes)
                before, after = (old, first), (new, tuple(premises(task, candidate.passages)))
                asked |= {before: None, after: None}
                own.append((candidate, before, after))
            read.append(own)
        sources, claims = work.sample.sources, len(work.evaluation.verdicts)
        passages = [Passage(found.source_id, found.span) for task in tasks for found in task.passages]
        scores = Scorer(self.verifier, self.support, passages, sources).best(list(asked))
        by = {key: None if p is None else self._scaled(p, claims) for key, p in zip(asked, scores, strict=True)}
        return [
            [
                Judged(candidate, by[before] or 0.0, by[after], size(task.sentence.text, candidate.changes))
                for candidate, before, after in own
            ]
            for task, own in zip(tasks, read, strict=True)
        ]

    def _scaled(self, p: float, claims: int) -> float:
        """A probability of support on the scale of the pipeline's verdicts and threshold."""
        return p if self.calibration is None else 1.0 - self.calibration.apply(1.0 - p, max(1, claims))

    # -------------------------------------------------------------------------------------------------------- drops

    def _drop_phrases(self, work: Work) -> None:
        tasks, library = self._tasks(work)
        for task in reversed(tasks):
            bad = [s for s in task.slots if absent(s, task.passages, library)]
            tokens = [i for slot in bad for i in range(slot.start, slot.end)] or object_tokens(task)
            cut = without_phrase(task.sentence, tokens)
            cut = polished(task.sentence.text, cut)
            changes = task.piece.to_answer(work.sample.answer, cut) if cut else None
            if changes:
                work.edit(changes, task.verdicts[0].claim, (), Action.DROP)

    def _drop_sentences(self, work: Work) -> None:
        answer = work.sample.answer
        pieces = read_pieces(answer)
        flagged: dict[Span, Claim] = {}
        for verdict in reversed(work.flagged):
            for stated in pieces_of(verdict.claim, pieces):
                flagged |= {piece.span: verdict.claim for piece in _alike(stated, pieces)}
        cuts: list[tuple[Change, Claim, Action]] = []
        dropped: list[Piece] = []
        left = False
        for piece in pieces:
            claim = flagged.get(piece.span)
            cut = without_piece(answer, piece) if claim is not None else None
            if cut is not None and claim is not None:
                dropped.append(piece)
                cuts.append((cut, claim, Action.DROP))
                continue
            left = left or any(char.isalnum() for char in piece.plain.text)
            name = renamed(answer, dropped, piece, work.evaluation.verdicts) if dropped else None
            if name is not None and cuts:
                cuts.append((name, cuts[-1][1], Action.REPLACE))
            dropped = []
        if not left:  # never an empty answer
            for verdict in work.flagged:
                work.fail(verdict.claim, "nothing would be left of the answer")
            return
        for change, claim, action in reversed(cuts):
            work.edit([change], claim, (), action)


@dataclass(frozen=True, slots=True)
class _Rounds:
    """The repair of one answer."""

    corrector: EvidenceCorrector
    original: str

    def propose(self, work: Work) -> Asks:
        """Do a round's work; no LLM is asked."""
        self.corrector.work_on(work, self.original)
        return
        yield


def _alike(piece: Piece, pieces: Sequence[Piece]) -> list[Piece]:
    """A piece, and those with the same text: a claim that is stated several times is judged once."""
    return [other for other in pieces if other.plain.text == piece.plain.text]


def _fail(work: Work, task: Task, reason: str) -> None:
    for verdict in task.verdicts:
        work.fail(verdict.claim, reason)
