"""Is it English? By script, then by function words against those of other languages that use Latin letters."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_OTHERS = ("de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "fi", "pl", "cs", "ro", "hu", "tr", "id", "ca", "hr")
_SAMPLE = 4000
"""Characters that are looked at: the language does not change from one page to the next."""
_FEW_WORDS = 5


def latin_share(text: str) -> float:
    """Share of the letters that are Latin; 1.0 where there are none."""
    letters = [char for char in text[:_SAMPLE] if char.isalpha()]
    if not letters:
        return 1.0
    latin = sum(1 for char in letters if char < "\u0250" or unicodedata.name(char, "").startswith("LATIN"))
    return latin / len(letters)


def is_english(text: str) -> bool:
    """Whether an English pipeline can read a text.

    Names and short answers pass: with fewer than five words only the script counts.

    Args:
        text: Plain text; its first 4,000 characters decide.
    """
    if latin_share(text) < 0.5:
        return False
    found = [word.lower() for word in _WORD.findall(text[:_SAMPLE])]
    if len(found) < _FEW_WORDS:
        return True
    english, others = _function_words()
    ours = sum(word in english for word in found)
    theirs = max(sum(word in words for word in found) for words in others)
    if theirs == 0 or ours >= theirs or ours / len(found) >= 0.3:
        return True
    return theirs == 1 and not any(char.isalpha() and char > "\x7f" for char in text[:_SAMPLE])


@lru_cache(maxsize=1)
def _function_words() -> tuple[frozenset[str], tuple[frozenset[str], ...]]:
    """spaCy's stop words; what English shares with another language counts for English alone only where it must."""
    from spacy.util import get_lang_class  # noqa: PLC0415

    english = frozenset(get_lang_class("en").Defaults.stop_words)
    others = []
    for code in _OTHERS:
        words = {word.lower() for word in get_lang_class(code).Defaults.stop_words}
        others.append(frozenset(words - english))
    shared = frozenset({"die", "in", "an", "was", "am", "so", "me", "a", "no", "as", "on", "per", "of", "over", "had", "her", "here", "at", "do", "to", "is", "we", "us", "be", "by", "he", "more", "part", "same", "side", "use", "it"})
    return english - shared | {"the"}, tuple(words - shared for words in others)
