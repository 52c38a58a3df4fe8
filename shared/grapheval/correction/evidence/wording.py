"""Changes of a sentence that leave it grammatical: articles, capitals, the form of numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from grapheval.context.words import NUMBER_WORDS
from grapheval.correction.edits import Change, apply
from grapheval.correction.evidence.reading import Sentence
from grapheval.correction.evidence.slots import Slot

_VOWEL_SOUND = re.compile(
    r"(?!uni|use|usu|euro|ewe|one\b|once|ubi|uk\b|u\.|us\b|utah)[aeiou]|hour|honest|heir|honou?r", re.I
)
_NUMBER_VOWEL = re.compile(r"(?:8\d*|11|18)(?!\d)|8")
_LETTER_VOWEL = re.compile(r"[AEFHILMNORSX](?=[A-Z.\d]|\b)")
_ARTICLE = re.compile(r"\b([Aa]n?)(\s+)$")
_SMALL = {str(value): word for word, value in NUMBER_WORDS.items() if value <= 12}


def replacement(sentence: Sentence, old: Slot, source: Sentence, new: Slot) -> list[Change]:
    """Put the value of a slot of the evidence into a slot of the answer.

    Args:
        sentence: A sentence of the answer.
        old: The slot in it.
        source: The sentence that `new` stands in.
        new: The slot whose value is taken.

    Returns:
        Sorted changes of `sentence.text`.
    """
    tree = sentence.tree
    start, end = tree.starts[old.start], tree.ends[old.end - 1]
    text = _written(old, new)
    if old.is_name:
        start, text = _article(sentence, old, source, new, start, text)
    changes = [Change(start, end, text)]
    if old.kind in {"count", "age"} and ("1" in old.key) != ("1" in new.key):
        changes += _unit(sentence, old, source, new)
    return changes


def _written(old: Slot, new: Slot) -> str:
    """A value in the old one's style: digits for digits, words for small numbers in words."""
    if old.is_name:
        return new.text
    if old.kind in {"count", "age", "ordinal"} and len(new.key) == 1:
        (value,) = new.key
        if old.text.isalpha() and value in _SMALL and old.kind != "ordinal":
            return _capital(_SMALL[value], old.text)
        if old.text.isdigit() and not new.text[:1].isdigit() and old.kind != "ordinal":
            return value if "." in value or len(value) < 4 else f"{Decimal(value):,}"
    return _capital(new.text, old.text) if new.text[:1].isalpha() and old.text[:1].isalpha() else new.text


def _capital(word: str, like: str) -> str:
    if like[:1].isupper() and word[:1].islower():
        return word[:1].upper() + word[1:]
    if like[:1].islower() and word.istitle() and word.lower() in NUMBER_WORDS:
        return word.lower()
    return word


def _has_the(sentence: Sentence, slot: Slot) -> bool:
    return slot.start > 0 and sentence.tree.low[slot.start - 1] == "the"


def _article(sentence: Sentence, old: Slot, source: Sentence, new: Slot, start: int, text: str) -> tuple[int, str]:
    """Take away or put in the `the` that belongs to a name."""
    tree = sentence.tree
    root = sentence.root_of(old.start, old.end)
    other = source.root_of(new.start, new.end)
    if tree.deps[root] in {"compound", "amod", "nmod"} or source.tree.deps[other] in {"compound", "amod", "nmod"}:
        return start, text  # the article belongs to the noun that follows
    if new.kind == "group" or old.kind == "group":
        return start, text
    had, has = _has_the(sentence, old), _has_the(source, new)
    if had and not has and new.kind in {"person", "place"}:
        first = old.start - 1
        if first == 0 and text[:1].islower():
            text = text[:1].upper() + text[1:]
        return tree.starts[first], text
    if has and not had and old.kind != "person" and (old.start == 0 or tree.tags[old.start - 1] not in {"DT", "PRP$"}):
        return start, f"{'The' if old.start == 0 else 'the'} {text}"
    return start, text


def _unit(sentence: Sentence, old: Slot, source: Sentence, new: Slot) -> list[Change]:
    """The counted noun in the evidence's form: `1 ship`, `14 ships`."""
    if old.end >= len(sentence.tree) or new.end >= len(source.tree):
        return []
    mine, other = sentence.tree.words[old.end], source.tree.words[new.end]
    if sentence.terms[old.end] != source.terms[new.end] or mine == other or not sentence.terms[old.end]:
        return []
    return [Change(sentence.tree.starts[old.end], sentence.tree.ends[old.end], other)]


def polished(text: str, changes: Sequence[Change]) -> list[Change]:
    """Changes that also mend what stands beside them: `a` or `an`, the capital at the beginning of the sentence."""
    found: list[Change] = []
    first = next((i for i, char in enumerate(text) if char.isalnum()), 0)
    for change in sorted(changes, key=lambda change: change.start):
        start, end, new = change.start, change.end, change.new
        if start <= first < end and new and text[first].isupper() and new[:1].islower():
            new = new[:1].upper() + new[1:]
        article = _ARTICLE.search(text, 0, start)
        follower = new or text[end:].lstrip()
        if article and follower and (not found or found[-1].end <= article.start()):
            right = "an" if is_vowel(follower) else "a"
            if article[1].lower() != right:
                right = right.capitalize() if article[1][0].isupper() else right
                start, new = article.start(), right + article[2] + new
        found.append(Change(start, end, new))
    return found


def is_vowel(text: str) -> bool:
    """Whether `an` stands before a text."""
    word = re.match(r"[\"'“‘*_(]*([^\s]+)", text)
    if word is None:
        return False
    body = word[1]
    if body[0].isdigit():
        return _NUMBER_VOWEL.match(body) is not None
    if len(body) > 1 and body[:2].isupper():
        return _LETTER_VOWEL.match(body) is not None
    return _VOWEL_SOUND.match(body) is not None


def changed(text: str, changes: Sequence[Change]) -> str:
    """The text with the changes made."""
    return apply(text, changes)


def size(text: str, changes: Sequence[Change]) -> int:
    """How many words the changes touch."""
    return sum(max(len(text[c.start : c.end].split()), len(c.new.split())) for c in changes)
