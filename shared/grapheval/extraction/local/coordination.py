"""Which coordinations may be taken apart."""

from __future__ import annotations

from grapheval.extraction.local import words as w
from grapheval.extraction.local.tree import Tree

_AND = frozenset({"and", "plus", "as", "but"})
"""Not `&`: it joins the parts of one name, as in Brooks & Dunn."""


def chain(tree: Tree, head: int) -> list[int]:
    """A word and those coordinated with it."""
    found = [head]
    node = head
    while True:
        listed = next((k for k in tree.children(node, {"appos"}) if is_listed(tree, k)), None)
        following = tree.child(node, {"conj"})
        if listed is not None and following is not None:
            found.append(listed)
            listed = None
        following = following if following is not None else listed
        if following is None:
            return found
        found.append(following)
        node = following


def is_listed(tree: Tree, index: int) -> bool:
    """Whether what looks like an apposition is an item of a list: `A, B, and C`."""
    head = tree.heads[index]
    if tree.deps[index] != "appos" or tree.low[tree.subtree(index)[0] - 1] != ",":
        return False
    in_list = tree.deps[head] == "conj" or is_listed(tree, head)
    if in_list:
        return tree.child(index, {"conj", "appos"}) is not None
    named = tree.is_name(index) or tree.words[index][:1].isupper()
    names = tree.is_name(head) and named and not tree.children(index, {"det"})
    return names and (tree.child(index, {"conj"}) is not None or any(k > index for k in tree.children(head, {"conj"})))


def conjuncts(tree: Tree, head: int) -> list[int]:
    """The conjuncts, where each makes a true statement of its own; otherwise only the first, standing for all."""
    parts = chain(tree, head)
    if len(parts) == 1:
        return parts
    joins = {tree.low[k] for part in parts for k in tree.children(part, {"cc", "preconj"})}
    if joins - _AND - {"both"}:
        return [head]
    if all(tree.tags[part] == "CD" for part in parts):
        return [head]
    if (
        any(tree.low[k] in {"between", "of"} and tree.deps[k] == "prep" for k in (tree.heads[head],))
        and tree.low[tree.heads[head]] == "between"
    ):
        return [head]
    if len(parts) == 2 and _shares_modifier(tree, *parts):
        return [head]
    return parts


def _shares_modifier(tree: Tree, first: int, second: int) -> bool:
    """`the design and construction of the bridge`, `old men and women`: words around belong to both."""
    if tree.is_name(first) and tree.is_name(second):
        return False
    modifiers = {"det", "amod", "poss", "nummod", "compound", "nmod"}
    first_kids, second_kids = tree.children(first, modifiers), tree.children(second, modifiers)
    if tree.is_noun(first) and first_kids and not second_kids and not tree.is_name(second):
        return True
    return (
        tree.child(second, {"prep"}) is not None
        and tree.child(first, {"prep"}) is None
        and not second_kids
        and not tree.is_name(second)
    )


def may_split_subject(tree: Tree, subject: int, verb: int) -> bool:
    """Whether what is said of `A and B` is said of each."""
    parts = chain(tree, subject)
    if len(parts) == 1:
        return True
    if tree.low[verb] in w.COLLECTIVE:
        return False
    for node in tree.subtree(verb):
        if tree.low[node] in w.TOGETHER and node not in parts and not _under(tree, node, subject):
            return False
    complement = tree.child(verb, {"attr", "acomp", "oprd"})
    if complement is not None:
        if tree.deps[complement] == "attr" and tree.tags[complement] in {"NNS", "NNPS"}:
            return False
        if tree.low[complement] in w.SYMMETRIC:
            return False
    return True


def _under(tree: Tree, node: int, top: int) -> bool:
    for _ in range(64):
        if node == top:
            return True
        if tree.heads[node] == node:
            return False
        node = tree.heads[node]
    return False
