"""What a claim says that the sources do not, found by rule, each with its reason as a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grapheval.context.words import term, words_of
from grapheval.types import Claim, Finding, FindingKind, Source
from grapheval.verification.explicit.amounts import read_amounts
from grapheval.verification.explicit.facts import Lacking, lacking
from grapheval.verification.explicit.names import Name, missing_words, read_names, read_written
from grapheval.verification.explicit.polarity import Polarity, compare
from grapheval.verification.explicit.reading import Sentence, joined, read
from grapheval.verification.overlap import Overlap

_MOST_FOUND = 3
_LONGEST = 60
_ALIKE = 0.5
"""Least share of the claim's words in a sentence that speaks of the same thing."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """What one window lacks of a claim, or says otherwise; all of it counted, none of it weighed.

    Args:
        window: The window's text.
        lacking: Numbers, dates and times of the claim that the window does not state.
        names: Share of the words of the claim's names that the window holds in no form, in [0, 1].
        sentence: The window's sentence that holds most of the claim.
        best: Share of the claim's words, by weight, that this sentence holds, in [0, 1].
        polarity: How this sentence differs from the claim.
    """

    window: str
    lacking: tuple[Lacking, ...]
    names: float
    sentence: Sentence
    best: float
    polarity: Polarity

    @property
    def exact(self) -> int:
        """How many numbers, dates and times the window leaves open or states otherwise."""
        return sum(item.certain or bool(item.instead) for item in self.lacking)

    @property
    def instead(self) -> int:
        """How many of them it states otherwise."""
        return sum(bool(item.instead) for item in self.lacking)


class Explicit:
    """One claim, to be compared with windows and sources.

    Args:
        claim: The claim.
    """

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.overlap = Overlap(claim.text)
        amounts = [amount.span for amount in read_amounts(claim.text)]
        self._names = tuple(
            name
            for name in read_names(claim.text)
            if not any(span.start <= name.span.start and name.span.end <= span.end for span in amounts)
        )
        self._name_terms = frozenset(
            term(word) for name in self._names if name.sure for word in words_of(name.span.of(claim.text))
        )
        self._read = joined(read(claim.text))

    def against(self, window: str) -> Mismatch:
        """What one window lacks or says otherwise."""
        found = [
            (self.overlap.share(sentence.held), -number, sentence)
            for number, sentence in enumerate(read(window).sentences)
        ]
        share, _, sentence = max(found, key=lambda item: item[:2])
        polarity = Polarity()
        if share >= _ALIKE:
            words = frozenset(word for each in read(window).sentences for word in each.words)
            polarity = compare(self.claim, self._read, sentence, words, self.overlap.keys, self._name_terms)
        place = sentence.span.of(window) if share >= _ALIKE else ""
        return Mismatch(
            window=window,
            lacking=tuple(lacking(self.claim.text, window, place)),
            names=self._names_missing(window),
            sentence=sentence,
            best=share,
            polarity=polarity,
        )

    def findings(self, mismatches: Sequence[Mismatch], sources: Sequence[Source]) -> tuple[Finding, ...]:
        """What the claim says and no source states, and what the closest sentence says otherwise.

        Args:
            mismatches: Of the windows that were read for the claim.
            sources: All of the context: nothing is called missing that stands in any of it.
        """
        if not mismatches:
            return ()
        closest = max(mismatches, key=lambda item: (item.best, item.window))
        found = [
            *self._exact(mismatches, sources),
            *self._absent(mismatches, sources),
            *_polar(closest.polarity, closest.sentence),
        ]
        return tuple({(finding.kind, finding.stated): finding for finding in found}.values())

    def strange_names(self, mismatches: Sequence[Mismatch], sources: Sequence[Source]) -> list[tuple[Name, set[str]]]:
        """The claim's names that stand neither in these windows nor in the sources, each with its missing words."""
        if not all(mismatch.names for mismatch in mismatches):
            return []
        found = []
        for name in self._names:
            missing = set(name.words)
            for text in (*(mismatch.window for mismatch in mismatches), *(source.text for source in sources)):
                if not missing:
                    break
                missing &= set(missing_words(name, read_written(text)))
            if missing:
                found.append((name, missing))
        return found

    def strange_exact(self, mismatches: Sequence[Mismatch], sources: Sequence[Source]) -> list[Lacking]:
        """The claim's numbers, dates and times that the sources state nowhere; not those that a list may state."""
        return [item for item, nowhere in self._unstated(mismatches, sources) if nowhere and item.certain]

    def _unstated(self, mismatches: Sequence[Mismatch], sources: Sequence[Source]) -> list[tuple[Lacking, bool]]:
        """Numbers, dates and times that no window states, each with whether no source does either."""
        closest = max(mismatches, key=lambda item: (item.best, item.window))
        missing = [
            item
            for item in closest.lacking
            if all(any(item.span == other.span for other in each.lacking) for each in mismatches)
        ]
        if not missing:
            return []
        present = [{item.span for item in lacking(self.claim.text, source.text, "")} for source in sources]
        return [(item, all(item.span in spans for spans in present)) for item in missing]

    def _exact(self, mismatches: Sequence[Mismatch], sources: Sequence[Source]) -> list[Finding]:
        """Numbers, dates and times that no window states: absent from the sources, or another one in their place."""
        return [
            _not_stated(_short(item.span.of(self.claim.text)), item, nowhere=nowhere)
            for item, nowhere in self._unstated(mismatches, sources)
            if item.instead or (nowhere and item.certain)
        ]

    def _absent(self, mismatches: Sequence[Mismatch], sources: Sequence[Source]) -> list[Finding]:
        """Names that stand nowhere."""
        findings = []
        for name, missing in self.strange_names(mismatches, sources):
            if name.sure:
                stated = _short(self._named(name, missing))
                text = f"{stated} stands nowhere in the sources"
                findings.append(Finding(FindingKind.NAME, stated, (), text))
        return findings

    def _named(self, name: Name, missing: set[str]) -> str:
        """The name as written, or, where only some of its words are missing, these."""
        written = name.span.of(self.claim.text)
        if len(missing) == len(name.words):
            return written
        parts = [part for part in written.split() if not missing.isdisjoint(_words_of_name(part))]
        return " ".join(parts) or written

    def _names_missing(self, text: str) -> float:
        total = sum(len(name.words) for name in self._names)
        if not total:
            return 0.0
        written = read_written(text)
        return sum(len(missing_words(name, written)) for name in self._names) / total


def _words_of_name(part: str) -> set[str]:
    return {word for name in read_names(f"x {part}") for word in name.words}


def _not_stated(stated: str, item: Lacking, *, nowhere: bool) -> Finding:
    instead = tuple(_short(text) for text in item.instead[:_MOST_FOUND])
    said = " and ".join(instead)
    if nowhere:
        text = f"{stated} stands nowhere in the sources" + (f"; they say {said}" if instead else "")
    else:
        text = f"where the claim says {stated}, the passage says {said}"
    return Finding(item.kind, stated, instead, text)


def _polar(polarity: Polarity, sentence: Sentence) -> list[Finding]:
    found = []
    if polarity.negation is not None:
        inside = polarity.negation in sentence.words
        side = "the passage negates it, the claim does not" if inside else "the claim negates it, the passage does not"
        found.append(Finding(FindingKind.NEGATION, "" if inside else "not", ("not",) if inside else (), side))
    if polarity.hedge is not None:
        text = f"the passage is less certain: it says “{polarity.hedge}”"
        found.append(Finding(FindingKind.MODALITY, "", (polarity.hedge,), text))
    if polarity.opposite is not None:
        own, other = polarity.opposite
        text = f"the claim says “{own}”, the passage says “{other}”"
        found.append(Finding(FindingKind.OPPOSITE, own, (other,), text))
    if polarity.exchanged is not None:
        subject, object_ = map(_short, polarity.exchanged)
        text = f"the passage has “{subject}” and “{object_}” the other way round"
        found.append(Finding(FindingKind.ROLES, f"{subject} … {object_}", (f"{object_} … {subject}",), text))
    return found


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
