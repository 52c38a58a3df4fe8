"""A parsed block as plain Python lists: everything after the parser works on this and knows no spaCy."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Tree:
    """Dependency trees of one block (ClearNLP labels, Penn Treebank tags).

    Args:
        words: Token texts as they stand in the block (a quoted title or a name with its parenthesis is one token).
        starts: Offset of each token in the block's plain text.
        ends: Offset of each token's end.
        tags: Penn Treebank tags.
        deps: ClearNLP dependency labels.
        heads: Index of each token's head; a root is its own head.
        sentences: Half-open token ranges.
        masked: Tokens that stand for a quoted title or a piece of code.
        text: The block's plain text.
    """

    words: list[str]
    starts: list[int]
    ends: list[int]
    tags: list[str]
    deps: list[str]
    heads: list[int]
    sentences: list[tuple[int, int]]
    masked: frozenset[int] = frozenset()
    text: str = ""
    low: list[str] = field(init=False)
    kids: list[list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.low = [word.lower() for word in self.words]
        self.kids = [[] for _ in self.words]
        for index, head in enumerate(self.heads):
            if head != index:
                self.kids[head].append(index)

    def __len__(self) -> int:
        return len(self.words)

    def children(self, index: int, deps: Container[str]) -> list[int]:
        """The dependents of a token with one of the labels, in order."""
        return [kid for kid in self.kids[index] if self.deps[kid] in deps]

    def child(self, index: int, deps: Container[str]) -> int | None:
        """The first of `children`, or None."""
        return next((kid for kid in self.kids[index] if self.deps[kid] in deps), None)

    def subtree(self, index: int, drop: Container[int] = ()) -> list[int]:
        """A token and all below it, ascending, without the subtrees of the tokens in `drop`."""
        found = []
        stack = [index]
        while stack:
            node = stack.pop()
            found.append(node)
            stack.extend(kid for kid in self.kids[node] if kid not in drop)
        found.sort()
        return found

    def is_verb(self, index: int) -> bool:
        """Whether a token is a verb or a modal."""
        return self.tags[index].startswith(("VB", "MD"))

    def is_noun(self, index: int) -> bool:
        """Whether a token is a noun, a name, a pronoun or a number."""
        return self.tags[index].startswith(("NN", "PRP", "CD", "WP")) or self.tags[index] in {"DT", "EX", "$"}

    def is_name(self, index: int) -> bool:
        """Whether a token is a proper noun."""
        return self.tags[index].startswith("NNP")

    def trim(self, tokens: Iterable[int]) -> list[int]:
        """Without punctuation at the edges; quotes and brackets that have their partner inside stay."""
        found = list(tokens)
        while found and self.tags[found[0]] in _EDGE:
            found.pop(0)
        while found and self.tags[found[-1]] in _EDGE:
            found.pop()
        return found


_EDGE = frozenset({",", ":", ".", "HYPH", "NFP", "_SP"})
