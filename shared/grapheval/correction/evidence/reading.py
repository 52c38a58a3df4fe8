"""Sentences of the answer and of the evidence, parsed, with the names in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from grapheval.context.words import STOPWORDS, WORD, fold, term
from grapheval.extraction.local.tree import Tree

LONGEST = 1200
"""Characters of a sentence that are parsed; what is longer is a list or noise, and is not repaired."""

_TRANSPARENT = frozenset({"prep", "agent", "pcomp", "aux", "auxpass", "cc", "case", "det", "conj", "compound", "nmod"})


@dataclass(frozen=True, eq=False)
class Sentence:
    """A parsed sentence.

    Args:
        text: The sentence.
        tree: Its tokens and dependencies; offsets point into `text`.
        entities: Token ranges (half-open) of the names, dates and amounts in it, with their kind (OntoNotes labels).
    """

    text: str
    tree: Tree
    entities: tuple[tuple[int, int, str], ...]

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """For each token the form in which it is compared; "" for function words and punctuation."""
        return tuple(token_term(word) for word in self.tree.words)

    @cached_property
    def held(self) -> frozenset[str]:
        """The terms of the sentence, read as running text."""
        return frozenset(term(fold(word)) for word in WORD.findall(self.text))

    def slice(self, start: int, end: int) -> str:
        """The text of a token range."""
        return self.text[self.tree.starts[start] : self.tree.ends[end - 1]]

    def root_of(self, start: int, end: int) -> int:
        """The token of a range that governs it."""
        heads = self.tree.heads
        return next((i for i in range(start, end) if not start <= heads[i] < end or heads[i] == i), end - 1)

    def governors(self, start: int, end: int, most: int = 2) -> tuple[int, ...]:
        """The content words above a range, nearest first."""
        tree, found = self.tree, []
        node = self.root_of(start, end)
        for _ in range(12):
            above = tree.heads[node]
            if above == node:
                break
            node = above
            if start <= node < end:
                continue
            if self.terms[node]:
                found.append(node)
                if len(found) == most:
                    break
        return tuple(found)

    def neighbours(self, start: int, end: int, reach: int = 4) -> frozenset[str]:
        """The content terms around a range: beside it, above it and below it."""
        near = set(range(max(0, start - reach), min(len(self.tree), end + reach)))
        near |= set(self.governors(start, end))
        for index in range(start, end):
            near |= set(self.tree.kids[index])
        return frozenset(self.terms[i] for i in near if not start <= i < end and self.terms[i])

    def role(self, start: int, end: int) -> str:
        """What a range is to its governor: `subject`, `object`, `by`, or the preposition above it."""
        tree = self.tree
        node = self.root_of(start, end)
        while tree.deps[node] in {"compound", "conj", "appos", "poss", "nummod", "amod"} and tree.heads[node] != node:
            if tree.deps[node] in {"poss", "nummod", "amod"}:
                return tree.deps[node]
            node = tree.heads[node]
        dep = tree.deps[node]
        if dep == "pobj":
            return tree.low[tree.heads[node]]
        return {"nsubj": "subject", "nsubjpass": "passive", "dobj": "object", "attr": "is"}.get(dep, dep)


def token_term(word: str) -> str:
    """The form in which a token is compared; "" for function words and punctuation."""
    found = WORD.findall(word)
    if not found:
        return ""
    low = fold(found[0])
    return "" if low in STOPWORDS else term(low)


def parse(texts: Sequence[str]) -> list[Sentence]:
    """Parse sentences.

    Args:
        texts: One sentence each; of longer texts the first `LONGEST` characters are read.

    Raises:
        MissingExtraError: The extra `local` is not installed.
        ModelError: The English pipeline's files are damaged.
    """
    from grapheval.extraction.english import load_english, load_entities

    if not texts:
        return []
    nlp, names = load_english().nlp, load_entities()
    cut = [text[:LONGEST] for text in texts]
    docs = list(names.pipe(nlp.pipe(cut)))
    found = []
    for text, doc in zip(cut, docs, strict=True):
        tokens = [token for token in doc if not token.is_space]
        place = {token.i: number for number, token in enumerate(tokens)}
        tree = Tree(
            words=[token.text for token in tokens],
            starts=[token.idx for token in tokens],
            ends=[token.idx + len(token) for token in tokens],
            tags=[token.tag_ for token in tokens],
            deps=[token.dep_ for token in tokens],
            heads=[place.get(token.head.i, number) for number, token in enumerate(tokens)],
            sentences=[(0, len(tokens))] if tokens else [],
            text=text,
        )
        entities = []
        for entity in doc.ents:
            inside = [place[token.i] for token in entity if token.i in place]
            if inside:
                entities.append((inside[0], inside[-1] + 1, entity.label_))
        found.append(Sentence(text, tree, tuple(entities)))
    return found
