"""Names: which of a claim's names stand in a text, under any of their forms.

Forms that stand for one another: any part of the name, with or without accents, possessives and titles; initials
("J. Smith"); acronyms ("WHO", "World Health Organization"); nicknames ("Bill", "William"); countries and their
adjectives ("France", "French").
"""

# ruff: noqa: SIM905 - word lists read better as text

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from grapheval.context.words import NUMBER_WORDS, ORDINAL_WORDS, STOPWORDS, fold
from grapheval.types import Span
from grapheval.verification.explicit.lexicon import ALIASES, NICKNAMES, TITLES
from grapheval.verification.explicit.units import UNITS

_TOKEN = re.compile(r"[^\W\d_]\.(?:[^\W\d_]\.)+|[^\W\d_][\w]*(?:['’][^\W\d_]{2,})?")
_LINKS = frozenset("of the and for de la le du di da del der van von bin al el & in".split())
_CALENDAR = frozenset(
    """january february march april may june july august september october november december monday tuesday
    wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
    sundays i""".split()
)
_COMMON_ENDINGS = ("ing", "ed", "ly", "tion", "ment", "ness", "ity", "ers", "ists", "ies", "es", "able")
_SHORTEST_PREFIX = 4
_LONGEST_RUN = 12


@dataclass(frozen=True, slots=True)
class Name:
    """A run of capitalised words.

    Args:
        words: Its words without accents and case, titles and links left out.
        span: Its place.
        sure: False for a single word that begins the text and may be an ordinary one.
        acronyms: Those of its words that are written in capitals.
    """

    words: tuple[str, ...]
    span: Span
    sure: bool = True
    acronyms: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Written:
    """The words of a text, for looking up names.

    Args:
        text: The text.
        words: All its words, folded.
        capitalised: Those that begin with a capital.
    """

    text: str
    words: frozenset[str]
    capitalised: frozenset[str]


@lru_cache(maxsize=256)
def read_written(text: str) -> Written:
    """The words of a text in the form in which names are looked up."""
    written = {match[0] for match in _TOKEN.finditer(text)}
    capitalised = frozenset(_plain(word) for word in written if word[0].isupper())
    return Written(text, capitalised | {_plain(word) for word in written if not word[0].isupper()}, capitalised)


@lru_cache(maxsize=256)
def read_names(text: str) -> tuple[Name, ...]:
    """The names of a text in order; nothing where a text has no lower case, and so no capitals that tell."""
    matches = list(_TOKEN.finditer(text))
    if not any(match[0].islower() for match in matches):
        return ()
    names: list[Name] = []
    run: list[re.Match[str]] = []
    for match in [*matches, None]:
        apart = match is None or not match[0][0].isupper()
        if match is not None and run and text[run[-1].end() : match.start()].strip(" .-’'") != "":
            apart = True
        if apart and run:
            names += _name(run, matches[0], text)
            run = []
        if match is not None and match[0][0].isupper():
            run.append(match)
    return tuple(names)


def _name(run: list[re.Match[str]], first: re.Match[str], text: str) -> list[Name]:
    initial = run[0] is first
    if initial and len(run) > 1 and _plain(run[0][0]) in STOPWORDS:
        run, initial = run[1:], False
    words = tuple(
        word
        for match in run
        if (word := _plain(match[0])) not in TITLES
        and word not in NUMBER_WORDS
        and word not in ORDINAL_WORDS
        and not (match[0].isupper() and word in UNITS)
        and (word not in STOPWORDS or word in _CALENDAR or _acronym(match[0]))
    )
    if all(word in _CALENDAR for word in words):
        return []
    sure = not (initial and len(run) == 1 and not run[0][0].isupper())
    if not sure and words[0].endswith(_COMMON_ENDINGS):
        return []
    acronyms = frozenset(_plain(match[0]) for match in run if _acronym(match[0]))
    return [Name(words, Span(run[0].start(), run[-1].end()), sure, acronyms)]


def _acronym(written: str) -> bool:
    return len(written) > 1 and written.isupper()


def missing_words(name: Name, written: Written) -> tuple[str, ...]:
    """The words of a name that stand nowhere in a text, in any form; () where the name as a whole stands for one."""
    missing = tuple(word for word in name.words if word not in written.words)
    if not missing:
        return ()
    missing = tuple(word for word in missing if not _held(word, written, word in name.acronyms))
    if len(missing) < len(name.words):  # "J. Smith" is John Smith
        missing = tuple(word for word in missing if word[0] not in written.capitalised)
    if not missing or _alias_held(" ".join(name.words), written):
        return ()
    if len(name.words) > 1 and "".join(word[0] for word in name.words) in written.capitalised:
        return ()
    return missing


def _held(word: str, written: Written, acronym: bool) -> bool:
    """Whether another form of the word stands there."""
    if len(word) == 1:
        return any(other[0] == word for other in written.capitalised)
    if f"{word}s" in written.words or (word.endswith("s") and word[:-1] in written.words):
        return True
    if _alias_held(word, written) or (acronym and word in _acronyms(written.text)):
        return True
    if not NICKNAMES.get(word, frozenset()).isdisjoint(
        number for other in written.capitalised for number in NICKNAMES.get(other, ())
    ):
        return True
    # Places and their people share a beginning: Norway and Norwegian, Italy and Italian, Iraq and Iraqi.
    return len(word) >= _SHORTEST_PREFIX and any(
        other[:3] == word[:3] and _adjective(word, other) for other in written.capitalised
    )


def _alias_held(name: str, written: Written) -> bool:
    """Whether a name that stands for this one is there: "uk" for "britain"."""
    for other in ALIASES.get(name, ()):
        if " " in other:
            if re.search(rf"\b{re.escape(other)}\b", fold(written.text)):
                return True
        elif other in (written.words if len(other) > 2 else written.capitalised):
            return True
    return False


_ADJECTIVES = ("n", "an", "ian", "ese", "ish", "i", "egian", "er", "ic", "al")


def _adjective(one: str, other: str) -> bool:
    """Whether one word is the adjective of the other, both of a place."""
    for place, people in ((one, other), (other, one)):
        for base in (place, place[:-1], place[:-2]):
            if len(base) >= _SHORTEST_PREFIX - 1 and any(people == base + ending for ending in _ADJECTIVES):
                return True
    return False


def _plain(word: str) -> str:
    word = fold(word.replace(".", ""))
    for ending in ("'s", "’s"):
        word = word.removesuffix(ending)
    return word


@lru_cache(maxsize=256)
def _acronyms(text: str) -> frozenset[str]:
    """Initials of capitalised runs: "World Health Organization" gives "who", with and without its small words."""
    found: set[str] = set()
    run: list[str] = []
    pending: list[str] = []
    position = 0
    for match in _TOKEN.finditer(text):
        word = match[0]
        near = text[position : match.start()].strip(" -&'’") == ""
        position = match.end()
        if word[0].isupper() and (near or not run):
            run += [*pending, word] if run else [word]
            pending = []
        elif run and near and word.lower() in _LINKS:
            pending.append(word)
        else:
            _add(found, run)
            run, pending = ([word], []) if word[0].isupper() else ([], [])
    _add(found, run)
    return frozenset(found)


def _add(found: set[str], run: list[str]) -> None:
    letters = [(word[0], word[0].isupper()) for word in run[:_LONGEST_RUN]]
    for start, (_, upper) in enumerate(letters):
        if not upper:
            continue
        small = every = ""
        for letter, capital in letters[start:]:
            every += letter
            if capital:
                small += letter
                if len(small) > 1:
                    found |= {fold(small), fold(every)}
