"""Words as the selector compares them: lower-cased, lightly stemmed, numbers in one form."""

# ruff: noqa: SIM905 - word lists read better as text

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal, InvalidOperation
from functools import lru_cache

WORD = re.compile(r"[^\W_]+(?:(?<=\d)[.,]\d[^\W_]*)*")
"""Runs of letters and digits; numbers with their separators and suffix ("1,200", "3.5m", "3rd") stay whole."""

STOPWORDS = frozenset(
    """a about above after again against all also am an and any are aren as at be because been before being below
    between both but by can cannot could couldn did didn do does doesn doing don down during each else ever few for
    from further get gets got had hadn has hasn have haven having he her here hers herself him himself his how i if
    in into is isn it its itself just let like ll many may me might more most much must my myself no nor not now of
    off on once one only or other our ours out over own per re s said same say says shall she should shouldn so some
    such t than that the their theirs them then there these they this those through to too under until up upon us ve
    very was wasn we were weren what when where whether which while who whom whose why will with within without
    would wouldn yet you your yours according d m o""".split()
)

_IRREGULAR = {
    form: base
    for base, forms in {
        "be": "been being was were is are am",
        "beat": "beaten beats beating",
        "becom": "became become becomes becoming",
        "begin": "began begun",
        "break": "broke broken",
        "bring": "brought",
        "build": "built",
        "buy": "bought",
        "catch": "caught",
        "child": "children",
        "choos": "chose chosen choose",
        "die": "died dead death dies dying die",
        "draw": "drew drawn",
        "drive": "drove driven drive drives driving",
        "eat": "ate eaten",
        "fall": "fell fallen",
        "feel": "felt",
        "fight": "fought",
        "find": "found",
        "fli": "flew flown flying flight",
        "foot": "feet",
        "get": "got gotten",
        "giv": "gave given give gives giving",
        "go": "went gone goes going",
        "grow": "grew grown growth",
        "hold": "held",
        "keep": "kept",
        "kill": "killed killing killer",
        "know": "knew known",
        "lead": "led",
        "leav": "left leave leaves leaving",
        "los": "lost lose loses losing loss",
        "mak": "made make makes making",
        "man": "men",
        "marri": "married marriage marry",
        "meet": "met",
        "pai": "paid pay pays paying",
        "person": "people",
        "ris": "rose risen rise rises rising",
        "run": "ran running",
        "say": "said says saying",
        "sell": "sold",
        "send": "sent",
        "shoot": "shot",
        "sing": "sang sung",
        "spend": "spent",
        "speak": "spoke spoken speech",
        "stand": "stood",
        "steal": "stole stolen",
        "swim": "swam swum",
        "tak": "took taken take takes taking",
        "teach": "taught",
        "tell": "told",
        "think": "thought",
        "throw": "threw thrown",
        "wear": "wore worn",
        "win": "won winning winner",
        "woman": "women",
        "writ": "wrote written write writes writing",
    }.items()
    for form in forms.split()
}

NUMBER_WORDS = {
    word: value
    for value, words in enumerate(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
        seventeen eighteen nineteen""".split()
    )
    for word in [words]
} | {
    word: 10 * tens
    for tens, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}

ORDINAL_WORDS = {
    word: value
    for value, word in enumerate(
        """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
        fifteenth sixteenth seventeenth eighteenth nineteenth twentieth""".split(),
        start=1,
    )
}

SCALES = {
    "k": 10**3,
    "thousand": 10**3,
    "m": 10**6,
    "mn": 10**6,
    "mln": 10**6,
    "million": 10**6,
    "millions": 10**6,
    "b": 10**9,
    "bn": 10**9,
    "billion": 10**9,
    "billions": 10**9,
    "tn": 10**12,
    "trillion": 10**12,
    "trillions": 10**12,
    "hundred": 100,
    "dozen": 12,
}

_NUMBER = re.compile(r"(\d+(?:[.,]\d+)*)([^\W\d_]*)")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3}){2,}")


def fold(word: str) -> str:
    """Lower case, without accents; full-width and compatibility forms made plain."""
    if word.isascii():
        return word.lower()
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(character for character in plain if not unicodedata.combining(character))


def canonical_number(digits: str, scale: int = 1) -> str:
    """One form for equal values: thousands separators and trailing zeros gone, scale multiplied in.

    Args:
        digits: Digits with points and commas, as `WORD` finds them.
        scale: 1000 for "k" and so on.
    """
    if _THOUSANDS.fullmatch(digits):
        digits = digits.replace(",", "") if "," in digits else digits.replace(".", "")
    elif digits.count(",") == 1 and "." not in digits:
        digits = digits.replace(",", ".")  # a decimal comma
    else:
        digits = digits.replace(",", "")
    if len(digits) > 40:
        return digits
    try:
        value = Decimal(digits) * scale
    except InvalidOperation:
        return digits  # several points: a version or an address
    return format(value.normalize(), "f")


def stem(word: str) -> str:
    """A light English stemmer on a folded word: inflection goes, derivation stays."""
    base = _IRREGULAR.get(word)
    if base is not None:
        return base
    if len(word) < 4 or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for suffix, least in (("ing", 6), ("ed", 5), ("ly", 6)):
        if word.endswith(suffix) and len(word) >= least:
            word = word[: -len(suffix)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    if word.endswith("y") and len(word) > 3:
        word = word[:-1] + "i"
    return word


@lru_cache(maxsize=16384)
def term(word: str) -> str:
    """The form in which a word of `WORD` is compared; "#12" for 12, 12th and twelve."""
    if word[0].isdigit():
        match = _NUMBER.fullmatch(word)
        if match:
            return "#" + canonical_number(match[1], SCALES.get(match[2], 1))
        return word
    word = fold(word)
    value = NUMBER_WORDS.get(word, ORDINAL_WORDS.get(word))
    if value is not None:
        return f"#{value}"
    return stem(word)


_BIGRAM_FROM = "\u0e00"
"""Thai and everything above: scripts that do not put spaces between words (Georgian and Ethiopic, which do, lose
nothing by it)."""


def words_of(text: str) -> list[str]:
    """The words of a text, lower-cased, in order; pairs of characters in scripts without spaces."""
    found = WORD.findall(text.lower())
    if text.isascii():
        return found
    words: list[str] = []
    for word in found:
        if max(word) < _BIGRAM_FROM or len(word) < 3:
            words.append(word)
        else:
            words.extend(word[i : i + 2] for i in range(len(word) - 1))
    return words
