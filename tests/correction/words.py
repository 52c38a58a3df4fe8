"""A verifier for tests of the repair: a claim holds if the premise has its words, in its order, with its polarity."""

from __future__ import annotations

from grapheval import Correction, GraphEval, Sample
from grapheval.context.words import STOPWORDS, WORD, fold, term
from grapheval.correction.evidence import EvidenceCorrector
from grapheval.correction.policy import Unrepairable
from grapheval.testing import FakeVerifier

_NOT = {"not", "never", "no"}
_LOOSE = {"wa", "were", "is", "are", "did", "do", "doe", "be", "ha", "had"}


def judge(premise: str, hypothesis: str) -> tuple[float, float, float]:
    """Entailed if one sentence of the premise has the hypothesis' words."""
    mine = words(hypothesis)
    for sentence in [part for part in premise.replace("\n", ". ").split(". ") if part]:
        if _in_order(mine, words(sentence)) and negated(sentence) == negated(hypothesis):
            return (0.95, 0.04, 0.01)
    return (0.05, 0.15, 0.8)


def words(text: str) -> list[str]:
    found = [term(fold(word)) for word in WORD.findall(text) if fold(word) not in STOPWORDS]
    return [word for word in found if word not in _LOOSE]


def negated(text: str) -> bool:
    return bool(_NOT & {fold(word) for word in WORD.findall(text)}) or "n't" in text


def _in_order(few: list[str], many: list[str]) -> bool:
    rest = iter(many)
    return all(word in rest for word in few)


def pipeline(unrepaired: Unrepairable = "keep") -> GraphEval:
    verifier = FakeVerifier(judge)
    return GraphEval.local(verifier=verifier, corrector=EvidenceCorrector(verifier, unrepaired=unrepaired))


def repair(answer: str, context: object, unrepaired: Unrepairable = "keep", question: str | None = None) -> Correction:
    """The repair of an answer; edits are checked to lead from the one text to the other."""
    correction = pipeline(unrepaired).correct(Sample(answer, context, question))
    text, place = "", 0
    for edit in correction.edits:
        assert answer[edit.start : edit.end] == edit.old
        assert edit.start >= place
        text += answer[place : edit.start] + edit.new
        place = edit.end
    assert text + answer[place:] == correction.answer
    return correction
