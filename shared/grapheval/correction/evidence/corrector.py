"""`EvidenceCorrector`: repairs an answer from the evidence alone, offline, without an LLM.

For each flagged claim the sentences of the sources that bear on its sentence are read. Names, numbers, dates, the
polarity and the verb are compared with them; what differs gives candidates: small changes of the answer's own words.
The verifier scores all candidates of an answer in one batch, as whole sentences. The cheapest that is supported is
made; the pipeline then judges the new answer, and what made it no better is undone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, get_args

from grapheval.correction.edits import Change
from grapheval.correction.evidence.answer import Piece, pieces_of, read_pieces
from grapheval.correction.evidence.drop import PRONOUNS, renamed, without_phrase, without_piece
from grapheval.correction.evidence.match import Candidate, absent, swaps, values
from grapheval.correction.evidence.passages import Library, Passage
from grapheval.correction.evidence.reading import LONGEST, Sentence, parse
from grapheval.correction.evidence.relations import opposites, polarity, relations
from grapheval.correction.evidence.score import Scorer
from grapheval.correction.evidence.slots import Slot, find_slots
from grapheval.correction.evidence.wording import changed, polished, size
from grapheval.correction.loop import Asks, Work, drive, repair_plan
from grapheval.correction.policy import Unrepairable
from grapheval.errors import InputError
from grapheval.protocols import Verifier
from grapheval.types import Action, Claim, Correction, Evaluation, Sample, Span, Verdict
from grapheval.verification.support import Support

MARK: Final = " [not supported by the sources]"
_MOST_CANDIDATES = 8
_GAIN = 0.03
"""A repaired sentence must be better supported than the original by this much."""
_LIKELY = 2.2
"""A candidate that fits the evidence so well is tried although its sentence, read as one claim, is not supported. Like
every other it stays only if the pipeline then flags none of the sentence's claims."""
_NOTHING = "the sources state nothing that could stand there"
_NONE_HOLDS = "no repair that the sources suggest is supported by them as a whole"


@dataclass(slots=True)
class _Task:
    """A sentence of the answer with what is flagged in it."""

    piece: Piece
    verdicts: list[Verdict]
    sentence: Sentence
    slots: list[Slot] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)


class EvidenceCorrector:
    """Repairs flagged claims by what the sources say in their place.

    Args:
        verifier: Scores candidates; None = the bundled model.
        support: How the verifier's probability is mixed with the wording; None = as the pipeline's verdicts do it.
        unrepaired: What happens to a flagged claim that cannot be repaired: `keep` leaves it, `drop` takes its clause
            or sentence out, `mark` adds `mark` behind its sentence.
        mark: The text of the mark.

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
    ) -> None:
        if unrepaired not in get_args(Unrepairable):
            msg = f"unrepaired must be one of {', '.join(get_args(Unrepairable))}, not {unrepaired!r}"
            raise InputError(msg)
        from grapheval import defaults

        self.verifier: Verifier = verifier if verifier is not None else defaults.verifier(None)
        self.support = support if support is not None else defaults.support(self.verifier)
        self.unrepaired: Unrepairable = unrepaired
        self.mark = mark

    @property
    def info(self) -> str:
        """Name of the method and the model."""
        return f"evidence/{self.verifier.info.name}"

    def leaving(self, unrepaired: Unrepairable) -> EvidenceCorrector:
        """The same corrector with another policy for what cannot be repaired."""
        if unrepaired == self.unrepaired:
            return self
        return EvidenceCorrector(self.verifier, support=self.support, unrepaired=unrepaired, mark=self.mark)

    def correct(self, sample: Sample, before: Evaluation, evaluate: Callable[[Sample], Evaluation]) -> Correction:
        """Repair an answer that `before` flags, judge the result by `evaluate`; what fails is said, never raised.

        Raises:
            MissingExtraError: The extra `local` is not installed.
        """
        rounds = 3 if self.unrepaired == "drop" else 1
        correction = drive(repair_plan(sample, before, self, rounds=rounds, undo=True), None, evaluate)
        if self.unrepaired != "mark":
            return correction
        from grapheval.correction.evidence.marking import marked

        return marked(sample, correction, self.mark)

    # ------------------------------------------------------------------------------------------------------ a round

    def propose(self, work: Work) -> Asks:
        """First round: repair. Later ones, where unrepaired claims are dropped: phrases, then sentences."""
        if work.round == 0:
            self._repair(work)
        elif work.round == 1:
            self._drop_phrases(work)
        else:
            self._drop_sentences(work)
        work.more = self.unrepaired == "drop" and work.round < 2
        return
        yield  # a generator that asks no LLM

    def _repair(self, work: Work) -> None:
        tasks, library = self._tasks(work)
        for task in tasks:
            task.candidates = _candidates(task, library)
        self._score(tasks, work)

    def _tasks(self, work: Work) -> tuple[list[_Task], Library]:
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
        tasks = [_Task(piece, verdicts, sentence) for (piece, verdicts), sentence in zip(kept, sentences, strict=True)]
        texts = [_asked(task) for task in tasks]
        library = Library(work.sample.sources, texts)
        for task, passages in zip(tasks, library.passages(texts), strict=True):
            task.passages = passages
            task.slots = [slot for slot in find_slots(task.sentence) if _is_wanted(task, slot)]
        return tasks, library

    def _score(self, tasks: Sequence[_Task], work: Work) -> None:
        """Judge all candidates, and the sentences as they are, in one batch; make the best of each sentence."""
        asked: list[tuple[str, list[str]]] = []
        for task in tasks:
            asked += [(_hypothesis(task, ()), _premises(task, task.passages[:1]))] if task.candidates else []
            asked += [(_hypothesis(task, c.changes), _premises(task, c.passages)) for c in task.candidates]
        scores = iter(Scorer(self.verifier, self.support).best(asked))
        least = 1.0 - work.evaluation.threshold
        chosen: list[tuple[_Task, Candidate]] = []
        for task in tasks:
            if not task.candidates:
                _fail(work, task, _NOTHING)
                continue
            original = next(scores) or 0.0
            judged = [(candidate, next(scores)) for candidate in task.candidates]
            good = [(c, p) for c, p in judged if p is not None and p >= least and p >= original + _GAIN]
            likely = [(c, p) for c, p in judged if p is not None and c.score >= _LIKELY and p >= original + _GAIN]
            if good or likely:
                best, _ = max(good or likely, key=lambda item: _worth(task, *item))
                chosen.append((task, best))
            else:
                _fail(work, task, _NONE_HOLDS)
        for task, candidate in reversed(chosen):
            changes = task.piece.to_answer(work.sample.answer, candidate.changes)
            if changes is None:
                _fail(work, task, "markup or code stands in the way of the repair")
                continue
            evidence = tuple(passage.evidence(work.sample.sources) for passage in candidate.passages)
            work.edit(changes, task.verdicts[0].claim, evidence)

    # -------------------------------------------------------------------------------------------------------- drops

    def _drop_phrases(self, work: Work) -> None:
        tasks, library = self._tasks(work)
        for task in reversed(tasks):
            bad = [s for s in task.slots if absent(s, task.passages, library)]
            tokens = [i for slot in bad for i in range(slot.start, slot.end)] or _object_tokens(task)
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
            for piece in pieces_of(verdict.claim, pieces):
                flagged[piece.span] = verdict.claim
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


def _candidates(task: _Task, library: Library) -> list[Candidate]:
    """The ways to repair a sentence that the evidence suggests, the likeliest few."""
    sentence, passages = task.sentence, task.passages
    wanted = _wanted(task)
    found = [
        *values(sentence, task.slots, passages, library),
        *swaps(sentence, find_slots(sentence), passages),
        *polarity(sentence, passages, wanted),
        *opposites(sentence, passages, wanted, library),
        *relations(sentence, passages, wanted, library),
    ]
    best: dict[str, Candidate] = {}
    for candidate in found:
        finished = replace(candidate, changes=tuple(polished(sentence.text, candidate.changes)))
        text = changed(sentence.text, finished.changes)
        if text == sentence.text or not any(char.isalnum() for char in text):
            continue
        if text not in best or finished.score > best[text].score:
            best[text] = finished
    return sorted(best.values(), key=lambda candidate: -candidate.score)[:_MOST_CANDIDATES]


def _worth(task: _Task, candidate: Candidate, p: float) -> float:
    return 0.5 * candidate.score + 1.2 * p - 0.06 * size(task.sentence.text, candidate.changes)


def _wanted(task: _Task) -> range:
    """The tokens of the sentence that flagged claims cover."""
    tokens = [i for i in range(len(task.sentence.tree)) if _covers(task, i)]
    return range(tokens[0], tokens[-1] + 1) if tokens else range(len(task.sentence.tree))


def _covers(task: _Task, token: int) -> bool:
    tree = task.sentence.tree
    place = task.piece.plain.span(tree.starts[token], tree.ends[token])
    return any(
        v.claim.span is None or (v.claim.span.start < place.end and place.start < v.claim.span.end)
        for v in task.verdicts
    )


def _is_wanted(task: _Task, slot: Slot) -> bool:
    """Whether a flagged claim states a slot's value."""
    if not any(_covers(task, i) for i in range(slot.start, slot.end)):
        return False
    words = slot.text.split()
    return any(
        v.claim.span is None or v.claim.triple is None or any(word in v.claim.text for word in words)
        for v in task.verdicts
    )


def _object_tokens(task: _Task) -> list[int]:
    """The tokens of what the flagged claims say of their subjects."""
    tree = task.sentence.tree
    found = []
    for verdict in task.verdicts:
        place = verdict.claim.parts.object
        if place is None:
            continue
        for index in range(len(tree)):
            own = task.piece.plain.span(tree.starts[index], tree.ends[index])
            if place.start <= own.start and own.end <= place.end:
                found.append(index)
    return found


def _asked(task: _Task) -> str:
    """What is looked for in the sources: the sentence, and who its pronoun stands for."""
    subject = _resolved(task)
    return f"{task.sentence.text} {subject}" if subject else task.sentence.text


def _resolved(task: _Task) -> str:
    """The name for the pronoun that the sentence begins with, "" where it begins with none."""
    tree = task.sentence.tree
    if not len(tree) or tree.low[0] not in PRONOUNS:
        return ""
    for verdict in task.verdicts:
        place, triple = verdict.claim.parts.subject, verdict.claim.triple
        if place is None or triple is None or place.start != task.piece.span.start:
            continue
        if place.end - place.start == len(tree.words[0]) and triple.subject.lower() not in PRONOUNS:
            return triple.subject
    return ""


def _hypothesis(task: _Task, changes: Sequence[Change]) -> str:
    """The sentence after the changes, with the name for the pronoun that it begins with; a cell's claim."""
    text = task.sentence.text
    if task.piece.kind == "row":
        claim = task.verdicts[0].claim.text
        for change in changes:
            claim = claim.replace(text[change.start : change.end], change.new, 1)
        return claim
    new = changed(text, changes)
    subject = _resolved(task)
    first = len(task.sentence.tree.words[0]) if len(task.sentence.tree) else 0
    if subject and text[:first] == new[:first]:
        return subject + new[first:]
    return new


def _premises(task: _Task, passages: Sequence[Passage]) -> list[str]:
    """What a candidate is judged against: its evidence, and that together with the best other passage."""
    own = " ".join(dict.fromkeys(passage.premise for passage in passages))
    other = next((p for p in task.passages if p not in passages), None)
    if other is None or len(own.split()) > 80:
        return [own] if own else []
    return [own, f"{own} {other.premise}"] if own else [other.premise]


def _fail(work: Work, task: _Task, reason: str) -> None:
    for verdict in task.verdicts:
        work.fail(verdict.claim, reason)
