"""Phrases: tokens and inserted words in reading order, and how they become text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grapheval.extraction.local.tree import Tree
from grapheval.types import Span


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words from elsewhere in the answer: a list's introduction, an item's label.

    Args:
        text: The words.
        span: Their place in the answer.
    """

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Inflected:
    """A token in another form: `lives` for `live`, `earned` for `earning`."""

    token: int
    text: str


Phrase = tuple["int | str | Quoted | Inflected", ...]
"""Token indices, inserted words and words from elsewhere, in reading order."""


@dataclass(frozen=True, slots=True)
class Proposition:
    """Something that an answer states.

    Args:
        subject: Who or what.
        relation: With polarity, modality and attribution.
        object: May be empty: then there is no triple, only the text.
        text: The whole as a sentence.
    """

    subject: Phrase
    relation: Phrase
    object: Phrase
    text: Phrase

    def tokens(self) -> set[int]:
        """All tokens that it uses."""
        return {i for part in (self.subject, self.relation, self.object, self.text) for i in indices(part)}

    def replace(self, new: Mapping[int, Phrase]) -> Proposition:
        """With some tokens replaced by other items."""

        def put(phrase: Phrase) -> Phrase:
            return tuple(x for item in phrase for x in (new.get(item, (item,)) if isinstance(item, int) else (item,)))

        return Proposition(put(self.subject), put(self.relation), put(self.object), put(self.text))


def indices(phrase: Phrase) -> list[int]:
    """The tokens of a phrase."""
    found = []
    for item in phrase:
        if isinstance(item, int):
            found.append(item)
        elif isinstance(item, Inflected):
            found.append(item.token)
    return found


def render(tree: Tree, phrase: Phrase, names: Mapping[int, str] | None = None, *, inside: bool = False) -> str:
    """The phrase as text: original white space between neighbours, one space elsewhere.

    Args:
        tree: Where the tokens stand.
        phrase: What to render.
        names: Text for tokens that stand for something else (resolved pronouns).
        inside: The phrase does not begin a sentence: a capital that only a sentence's beginning gave is taken back.
    """
    parts: list[str] = []
    previous: int | None = None
    initial = {start for start, _ in tree.sentences}
    for place, item in enumerate(phrase):
        if not isinstance(item, int):
            word = item if isinstance(item, str) else item.text
            glue = not word.startswith(("'", ",", "’", ":"))
        else:
            word = (names or {}).get(item, tree.words[item])
            if not word:
                continue
            if item in initial and (place or inside) and word == tree.words[item]:
                word = _uncapital(tree, item)
            glue = previous is None or previous + 1 != item or tree.starts[item] > tree.ends[previous]
            if (
                glue
                and previous is not None
                and previous + 1 != item
                and tree.tags[item] in {",", ".", ":", "-RRB-", "POS"}
            ):
                glue = False
        if parts and glue:
            parts.append(" ")
        parts.append(word)
        previous = item if isinstance(item, int) else item.token if isinstance(item, Inflected) else None
    return "".join(parts).strip()


def _uncapital(tree: Tree, index: int) -> str:
    """A word that opened a sentence and does not any more."""
    word = tree.words[index]
    if tree.is_name(index) or index in tree.masked or word == "I" or not (word[1:].islower() or word == "A"):
        return word
    return word[0].lower() + word[1:]


def sentence_case(text: str) -> str:
    """With a capital first letter, unless the first word has its own (`iPhone`, `pH`)."""
    first = text.split(" ", 1)[0]
    return text[0].upper() + text[1:] if first.islower() and first.isalpha() else text
