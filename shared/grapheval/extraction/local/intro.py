"""Lists: an introduction (`Notable people include:`) and its items make statements together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from grapheval.extraction.local import words as w
from grapheval.extraction.local.mentions import LISTING
from grapheval.extraction.local.phrases import Phrase, Proposition, Quoted, render
from grapheval.extraction.local.sentences import SentenceReader
from grapheval.extraction.local.tree import Tree
from grapheval.extraction.local.units import Unit
from grapheval.extraction.local.words import word_set
from grapheval.types import Span

_OPEN_TAGS = frozenset({"IN", "TO"})
_OPEN_WORDS = word_set("include includes included including following as follows like are is were was")
_POINTING = word_set("following the as follows below these this , some a few")


@dataclass(frozen=True, slots=True)
class Intro:
    """An introduction as a statement that waits for its items.

    Args:
        subject: Words before the relation.
        relation: Words between subject and item; None where `verb` stands for it.
        verb: An inserted verb.
        slot: Whether the item is the object or the subject.
        joint: What stands between introduction and item in the sentence.
        thing: Whether the introduction names one thing, of which the items speak: `The X100:`.
    """

    subject: Quoted
    relation: Quoted | None = None
    verb: str = ""
    slot: Literal["object", "subject"] = "object"
    joint: str = ""
    thing: bool = False

    @property
    def tells(self) -> bool:
        """Whether an item without a subject says something of the introduction's subject."""
        return self.thing or (self.relation is not None and self.slot == "object")

    def describe(self, item: Phrase) -> Proposition:
        """The item as a property of the introduction's subject: `The X100 is safe for children`."""
        return Proposition((self.subject,), ("is",), item, (self.subject, "is", *item))

    def be(self, item: Phrase) -> Proposition:
        """The item, which begins with a form of `be`, said of the introduction's subject."""
        return Proposition((self.subject,), item[:1], item[1:], (self.subject, *item))

    def quote(self, item: Phrase) -> Proposition:
        """The item behind a colon: `Benefits of the drug: reduces pain`."""
        return Proposition((self.subject,), (self.verb or ":",), item, (self.subject, ":", *item))

    def join(self, item: Phrase) -> Proposition:
        """The statement with one item."""
        if self.slot == "subject":
            text: Phrase = (*item, self.subject)
            head, _, tail = self.subject.text.rpartition(" ")
            if not head:
                return Proposition(item, (), (), text)
            span = self.subject.span
            middle = max(span.start, span.end - len(tail) - 1)
            return Proposition(
                item, (Quoted(head, Span(span.start, middle)),), (Quoted(tail, Span(middle, span.end)),), text
            )
        relation: Phrase = (self.relation,) if self.relation is not None else (self.verb,) if self.verb else ()
        joint: Phrase = (self.joint,) if self.joint else ()
        return Proposition((self.subject,), relation, item, (self.subject, *relation, *joint, *item))


def is_open(tree: Tree, start: int, end: int) -> bool:
    """Whether a sentence that ends in a colon says nothing without its items: `The colours are:`."""
    tokens = tree.trim(range(start, end))
    if not tokens:
        return True
    last = tokens[-1]
    if (
        tree.tags[last] in _OPEN_TAGS
        or tree.is_verb(last)
        or tree.low[last] in _OPEN_WORDS
        or tree.low[tokens[0]] == "here"
    ):
        return True
    return any(tree.low[i] == "following" for i in tokens) or not SentenceReader(tree).is_clause(start, end)


def read_intro(unit: Unit, tree: Tree, names: Mapping[int, str]) -> Intro | None:
    """The last sentence of an introducing unit.

    Args:
        unit: The unit.
        tree: Its tree.
        names: Resolved mentions in it.
    """
    if not tree.sentences:
        return None
    start, end = tree.sentences[-1]
    tokens = tree.trim(range(start, end))
    if not tokens or len(tokens) > 60:
        return None
    reader = SentenceReader(tree)
    root = reader.root(start, end)

    def words(part: list[int]) -> Quoted:
        return Quoted(render(tree, tuple(part), names), unit.plain.span(tree.starts[part[0]], tree.ends[part[-1]]))

    if tree.low[tokens[0]] in {"here", "below", "these"}:
        noun = tree.child(root, {"attr", "nsubj"})
        if noun is None or not tree.is_noun(noun):
            return None
        phrase = [i for i in tree.trim(tree.subtree(noun)) if i < tokens[-1] + 1]
        return Intro(words(phrase), verb="include") if phrase and tree.low[noun] not in {"these", "here"} else None
    head = tree.child(root, w.SUBJECTS)
    if head is None or not reader.is_clause(start, end):
        if tree.tags[tokens[-1]] in _OPEN_TAGS | {"VBG"} and len(tokens) > 1:
            return Intro(words(tokens[:-1]), words(tokens[-1:]))
        if tree.is_verb(root):
            return Intro(words(tokens), joint=":")
        single = tree.tags[root] in {"NN", "NNP"}
        thing = single and tree.low[root] not in LISTING and not tree.children(root, {"conj"})
        return Intro(words(tokens), verb="includes" if single else "include", thing=thing)
    subject = reader.clauses.noun_phrase(head)
    if not subject:
        return None
    group = tree.trim(i for i in tokens if i > subject[-1])
    if any(tree.low[i] == "following" for i in subject):
        return Intro(words(group), slot="subject") if group else None
    while group and tree.low[group[-1]] in _POINTING:
        group.pop()
    if not group:
        return None
    tail = group[-1]
    opens = tree.tags[tail] in _OPEN_TAGS or tree.is_verb(tail) or tree.low[tail] in _OPEN_WORDS
    return Intro(words(subject), words(group), joint="" if opens else ":")
