"""Where a triple stands in the answer: its sentence, then its parts in it, exactly or nearly.

Language models resolve pronouns, reorder and rephrase, so the parts need not be adjacent, and the subject may stand
in an earlier sentence. What has no place is said to have none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from grapheval.context.sentences import split_sentences
from grapheval.types import Claim, Span, Triple, TripleParts

MIN_COVERAGE: Final = 0.5
"""Share of a triple's content words that its sentence must hold."""

MIN_SIMILARITY: Final = 80.0
"""Least similarity, of 100, of a part to its place (rapidfuzz, partial ratio)."""

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_BULLET = re.compile(r"^(?:[-*+•–>#]+|\(?\d{1,3}[.)])\s+")
_SUFFIX = re.compile(r"(?:'s|ing|ed|es|s|ly)$")

STOPWORDS: Final = frozenset(
    "a an the and or but of in on at to for from by with as is are was were be been being it its this that these "  # noqa: SIM905
    "those he she they we i you him her them his their there who which whom has have had do does did will would can "
    "could may might shall should not no than then so if also into over about after before between during such very "
    "s t".split()
)


def stem(word: str) -> str:
    """A word's rough stem: enough to match `opened` with `opening`."""
    word = word.lower()
    return _SUFFIX.sub("", word) if len(word) > 4 else word


def content_stems(text: str) -> set[str]:
    """Stems of the words that carry meaning; of all words if there are no others."""
    words = _WORD.findall(text.lower())
    return {stem(word) for word in words if word not in STOPWORDS} or {stem(word) for word in words}


def lowered(text: str) -> str:
    """Lower case without a change of length, so that offsets stay right."""
    plain = text.lower()
    return plain if len(plain) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


@dataclass(frozen=True, slots=True)
class _Sentence:
    span: Span
    stems: frozenset[str]


class Aligner:
    """Finds the places of triples in one answer.

    Args:
        answer: The text that the spans point into.
    """

    def __init__(self, answer: str) -> None:
        self.answer = answer
        self._lower = lowered(answer)
        self.sentences = tuple(split_sentences(answer))
        self._index = tuple(_Sentence(span, frozenset(content_stems(span.of(answer)))) for span in self.sentences)

    def align(self, claims: Iterable[Claim]) -> list[Claim]:
        """Give each claim its place; claims in the order of the answer, those without a place last."""
        placed = [self._align(claim) if claim.triple is not None else claim for claim in claims]
        return sorted(placed, key=lambda claim: (claim.span is None, claim.span or Span(0, 0)))

    def _align(self, claim: Claim) -> Claim:
        triple = claim.triple
        if triple is None:
            return claim
        whole = self._exact(str(triple), Span(0, len(self.answer)))
        if whole is not None:
            return replace(claim, span=whole, parts=self._parts_within(triple, whole))
        sentence = self._best_sentence(triple)
        if sentence is None:
            return replace(claim, span=None, parts=TripleParts())
        obj = self._locate(triple.object, sentence)
        relation = self._locate(triple.relation, sentence, near=obj)
        subject = self._locate(triple.subject, sentence) or self._before(triple.subject, sentence)
        inside = [
            part
            for part in (subject, relation, obj)
            if part and sentence.start <= part.start and part.end <= sentence.end
        ]
        hull = Span(min(p.start for p in inside), max(p.end for p in inside)) if len(inside) > 1 else sentence
        return replace(claim, span=hull, parts=TripleParts(subject, relation, obj))

    def _best_sentence(self, triple: Triple) -> Span | None:
        """The sentence that holds most of the triple; relation and object count most, the subject may be a pronoun."""
        subject, predicate = content_stems(triple.subject), content_stems(f"{triple.relation} {triple.object}")
        best: tuple[float, Span] | None = None
        for sentence in self._index:
            held = len(predicate & sentence.stems) / len(predicate) if predicate else 0.0
            named = len(subject & sentence.stems) / len(subject) if subject else 0.0
            score = (2 * held + named) / 3 + (0.01 if lowered(triple.object) in self._lower_of(sentence, held) else 0)
            if held >= MIN_COVERAGE and (best is None or score > best[0]):
                best = (score, sentence.span)
        return best[1] if best else None

    def _lower_of(self, sentence: _Sentence, held: float) -> str:
        return sentence.span.of(self._lower) if held >= MIN_COVERAGE else ""

    def _parts_within(self, triple: Triple, span: Span) -> TripleParts:
        subject_end = span.start + len(triple.subject)
        object_start = span.end - len(triple.object)
        return TripleParts(
            Span(span.start, subject_end), Span(subject_end + 1, object_start - 1), Span(object_start, span.end)
        )

    def _before(self, text: str, sentence: Span) -> Span | None:
        """The last exact mention before the sentence: what its pronoun stands for."""
        place = self._lower.rfind(lowered(text).strip(), 0, sentence.start)
        return Span(place, place + len(text.strip())) if place >= 0 and text.strip() else None

    def _locate(self, text: str, within: Span, near: Span | None = None) -> Span | None:
        return self._exact(text, within, near) or self._fuzzy(text, within)

    def _exact(self, text: str, within: Span, near: Span | None = None) -> Span | None:
        """The text itself, between word boundaries, ignoring case; of several places the one closest to `near`."""
        needle = lowered(text.strip())
        if not needle:
            return None
        best: Span | None = None
        place = self._lower.find(needle, within.start, within.end)
        for _ in range(50):  # the same words again and again: enough are enough
            if place < 0:
                break
            span = Span(place, place + len(needle))
            if self._at_boundaries(span) and (best is None or (near and _gap(span, near) < _gap(best, near))):
                best = span
                if near is None:
                    break
            place = self._lower.find(needle, place + 1, within.end)
        return best

    def _at_boundaries(self, span: Span) -> bool:
        text = self._lower
        left = span.start == 0 or not (text[span.start - 1].isalnum() and text[span.start].isalnum())
        right = span.end == len(text) or not (text[span.end].isalnum() and text[span.end - 1].isalnum())
        return left and right

    def _fuzzy(self, text: str, within: Span) -> Span | None:
        """The stretch of whole words that is most like the text."""
        from rapidfuzz.fuzz import partial_ratio_alignment

        needle = lowered(text.strip())
        hay = within.of(self._lower)
        if len(needle) < 4 or len(needle) > 1.5 * len(hay):
            return None
        found = partial_ratio_alignment(needle, hay, score_cutoff=MIN_SIMILARITY)
        if found is None or found.dest_end <= found.dest_start:
            return None
        start, end = within.start + found.dest_start, within.start + found.dest_end
        while start > within.start and self._lower[start - 1].isalnum() and self._lower[start].isalnum():
            start -= 1
        while end < within.end and self._lower[end].isalnum() and self._lower[end - 1].isalnum():
            end += 1
        while start < end and self._lower[start].isspace():
            start += 1
        while end > start and self._lower[end - 1].isspace():
            end -= 1
        return Span(start, end) if end > start else None


def _gap(span: Span, other: Span) -> int:
    return max(span.start - other.end, other.start - span.end, 0)


def uncovered(aligner: Aligner, claims: Sequence[Claim], *, least: float = 1 / 3) -> list[Claim]:
    """Sentence-level claims for sentences of which the aligned triples hold less than `least` of the content words.

    Text that says the same twice is covered twice. Questions, lines that only introduce what follows, and scraps of one
    or two words (unless they are the whole answer) are left out: alone they state nothing.

    Args:
        aligner: Of the answer.
        claims: Its aligned claims.
        least: Share in [0, 1].
    """
    triples = [(claim.span, claim.triple) for claim in claims if claim.triple is not None and claim.span is not None]
    stems = [
        (span, content_stems(str(t)), content_stems(t.object), content_stems(f"{t.relation} {t.object}"))
        for span, t in triples
    ]
    found = []
    for span in aligner.sentences:
        text = span.of(aligner.answer)
        own = content_stems(text)
        if not own or text.rstrip("\"'”’)»*_ ").endswith(("?", "？", "؟", ":", "：")):
            continue
        if len(_WORD.findall(text)) < 3 and len(aligner.sentences) > 1:
            continue
        held: set[str] = set()
        for place, whole, obj, predicate in stems:
            here = place.start < span.end and span.start < place.end
            if here or obj <= own or len(predicate & own) >= MIN_COVERAGE * len(predicate):
                held |= whole
        if len(own & held) < least * len(own):
            found.append(Claim(text=" ".join(_BULLET.sub("", text).split()), triple=None, span=span))
    return found
