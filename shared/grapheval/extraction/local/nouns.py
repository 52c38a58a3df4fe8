"""Noun phrases: what belongs to a noun, what is an aside, what can be split off."""

from __future__ import annotations

from collections.abc import Container

from grapheval.extraction.local import words as w
from grapheval.extraction.local.coordination import conjuncts, is_listed
from grapheval.extraction.local.tree import Tree


class NounReader:
    """Reads the noun phrases of one tree."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.ignored: set[int] = set()
        """Tokens that speak of the given context and not of the world."""
        self.tails: dict[tuple[int, ...], int] = {}
        """Clauses cut off from an indefinite object, by the tokens of the object; read by `tail`."""
        self.resolved: Container[int] = ()
        """Pronouns of which is known for what they stand."""

    def noun_phrase(self, head: int, *, split: bool = False, examples: bool = False) -> list[int]:
        """A noun with what belongs to it, without what is stated on its own (appositions, loose relative clauses)."""
        tree = self.tree
        drop = set()
        for node in tree.subtree(head):
            for kid in tree.kids[node]:
                listed = tree.deps[kid] in {"conj", "cc", "preconj"} or is_listed(tree, kid)
                told = tree.low[head] != "one" and self.transfers(kid) is not None
                example = not examples and bool(self.example_marker(kid)) and tree.child(kid, {"pobj"}) is not None
                if (node == head and ((split and listed) or told or example)) or self.is_loose(kid):
                    drop.add(kid)
        found = tree.subtree(head, drop)
        if split or drop:
            found = [
                i for i in found if not (tree.deps[i] == "punct" and tree.low[i] == "," and not self._inside(i, found))
            ]
        return tree.trim(found)

    def _inside(self, comma: int, tokens: list[int]) -> bool:
        return comma - 1 in tokens and comma + 1 in tokens

    def without_asides(self, tokens: list[int]) -> list[int]:
        """Tokens without the loose appositions and clauses among them."""
        loose = [i for i in tokens if self.tree.heads[i] in tokens and self.is_loose(i)]
        hidden = {i for kid in loose for i in self.tree.subtree(kid)}
        return self.tree.trim(i for i in tokens if i not in hidden) if hidden else tokens

    def is_loose(self, kid: int) -> bool:
        """Whether a dependent of a noun is an aside that is true or false on its own."""
        tree = self.tree
        dep = tree.deps[kid]
        if dep not in {"appos", "relcl", "acl"}:
            return False
        left = tree.subtree(kid)[0]
        if left <= tree.heads[kid]:
            return False
        comma = tree.low[left - 1] in {",", "-", "–", "—", "--"}
        if dep == "appos":
            return comma and self._describes(kid) and not is_listed(tree, kid)
        if dep == "relcl":
            return comma or tree.is_name(tree.heads[kid])
        return comma

    def transfers(self, kid: int) -> int | None:
        """Of what a clause at a predicate noun speaks: `X is a firm that makes chips` -> X makes chips."""
        tree = self.tree
        noun = tree.heads[kid]
        verb = tree.heads[noun]
        if (
            tree.deps[noun] != "attr"
            or tree.deps[kid] not in {"relcl", "acl"}
            or tree.tags[noun] == "NNS"
            or self.is_loose(kid)
        ):
            return None
        if tree.child(noun, {"conj"}) is not None or tree.tags[noun] == "CD":
            return None
        subject = tree.child(verb, {"nsubj"})
        if subject is None or tree.child(verb, {"neg", "aux"}) is not None or tree.tags[subject] in {"EX", "WP", "WDT"}:
            return None
        definite = {tree.low[k] for k in tree.children(noun, {"det", "nummod"})}
        if not definite & {"a", "an", "one"} and tree.low[noun] != "one":
            return None
        if tree.deps[kid] == "acl":
            readable = tree.tags[kid] in {"VBN", "VBG", "VBD"} and tree.child(kid, {"aux"}) is None
        else:
            pronoun = tree.child(kid, w.SUBJECTS)
            readable = tree.is_verb(kid) and pronoun is not None and tree.low[pronoun] in {"who", "which", "that"}
        return subject if readable else None

    def _describes(self, kid: int) -> bool:
        """Whether an apposition says something: `X, a Y`, `the Y, X`, but not `Houston, Texas` nor `2004, 2008`."""
        tree = self.tree
        head = tree.heads[kid]
        if tree.tags[kid] == "CD" or tree.tags[head] == "CD" or not tree.is_noun(kid):
            return False
        bare = not tree.children(kid, {"det", "poss"})
        if bare and (tree.low[kid] in w.REGIONS or any(tree.low[i] in w.MONTHS for i in tree.subtree(kid))):
            return False  # `Kaifeng, Henan province`, `Sunday, February 25th`
        if tree.children(kid, {"det", "poss", "prep"}) or tree.tags[kid] == "NN":
            return True
        return bool(tree.children(head, {"det", "poss"})) and not tree.is_name(head)

    def items(self, head: int) -> list[list[int]]:
        """A noun phrase, once per conjunct, then once per example: `fruit such as apples and pears`."""
        tree = self.tree
        parts = conjuncts(tree, head)
        if len(parts) == 1:
            clause = self._tail_clause(head)
            phrase = self.noun_phrase(head)
            if clause is not None:
                hidden = set(tree.subtree(clause))
                phrase = tree.trim(i for i in phrase if i not in hidden)
                self.tails[tuple(phrase)] = clause
            found = [phrase]
        else:
            found = [self.noun_phrase(part, split=True) for part in parts]
        for part in parts:
            found.extend(self.examples(part))
        return found

    def _tail_clause(self, head: int) -> int | None:
        """A clause at the end of `an article titled X`: what holds of such an article holds of an article."""
        tree = self.tree
        if tree.tags[head] != "NN" or not any(tree.low[k] in {"a", "an"} for k in tree.children(head, {"det"})):
            return None
        for kid in tree.children(head, {"acl", "relcl"}):
            tokens = tree.subtree(kid)
            if tokens[0] < head or self.is_loose(kid) or self.transfers(kid) is not None or len(tokens) < 3:
                continue
            if tree.deps[kid] == "acl":
                readable = tree.tags[kid] in {"VBN", "VBD", "VBG"} and tree.child(kid, {"aux"}) is None
            else:
                pronoun = tree.child(kid, w.SUBJECTS)
                readable = pronoun is not None and tree.low[pronoun] in {"who", "which", "that"}
            if readable and tokens[-1] == tree.subtree(head)[-1]:
                return kid
        return None

    def examples(self, head: int) -> list[list[int]]:
        """What stands behind `such as` or `including`: what is said of some such things is said of each example."""
        tree = self.tree
        found: list[list[int]] = []
        for kid in tree.kids[head]:
            target = tree.child(kid, {"pobj"}) if self.example_marker(kid) else None
            if target is not None:
                parts = conjuncts(tree, target)
                found.extend(self.noun_phrase(part, split=len(parts) > 1) for part in parts)
        return found

    def example_marker(self, kid: int) -> list[int]:
        """`including`, or `such as` (two tokens); empty for anything else."""
        tree = self.tree
        if tree.deps[kid] != "prep" or kid < tree.heads[kid]:
            return []
        if tree.low[kid] == "including":
            return [kid]
        if tree.low[kid] == "as":
            return next(([k, kid] for k in tree.kids[kid] if tree.low[k] == "such"), [])
        return []
