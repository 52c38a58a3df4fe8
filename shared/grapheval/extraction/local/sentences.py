"""A sentence -> its propositions: main clauses, then what names and nouns in it carry along."""

from __future__ import annotations

from collections.abc import Iterator

from grapheval.extraction.local import words as w
from grapheval.extraction.local.clauses import ClauseReader
from grapheval.extraction.local.coordination import conjuncts
from grapheval.extraction.local.phrases import Phrase, Proposition
from grapheval.extraction.local.predicates import is_conditional, is_meta, is_past
from grapheval.extraction.local.tree import Tree

_OPAQUE = frozenset({"ccomp", "csubj", "advcl"})
"""What stands below these is not stated by the sentence itself."""


_OBJECT_DEPS = frozenset({"dobj", "attr", "pobj", "conj"})
"""Examples at these have been read with their clause."""


class SentenceReader:
    """Reads the sentences of one tree."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.clauses = ClauseReader(tree)

    def root(self, start: int, end: int) -> int:
        """The root of a sentence."""
        return next((i for i in range(start, end) if self.tree.heads[i] == i), start)

    def is_clause(self, start: int, end: int) -> bool:
        """Whether a sentence has a verb with a subject of its own."""
        tree = self.tree
        root = self.root(start, end)
        if not tree.is_verb(root) and tree.low[root] not in w.BE:
            return False
        return tree.child(root, w.SUBJECTS | {"expl"}) is not None or tree.child(root, {"ccomp"}) is not None

    def read(self, start: int, end: int) -> list[Proposition]:
        """The propositions of the sentence `start` to `end` (token indices); none for questions and fragments."""
        tree = self.tree
        root = self.root(start, end)
        if is_question(tree, start, end):
            return []
        if not tree.is_verb(root) and tree.low[root] not in w.BE:
            return list(self.nominal(start, end, frozenset()))
        if is_conditional(tree, start, end):
            return list(self.whole(root, start, end))
        prefix = self.attribution(root)
        found = list(self.clauses.read(root))
        opaque = self._opaque(root, start, end)
        if not any(p.object for p in found) and tree.child(root, w.SUBJECTS) is None:
            found = []
        found.extend(self.nominal(start, end, opaque))
        if prefix:
            found = [
                Proposition(p.subject, (*prefix, ",", *p.relation), p.object, (*prefix, ",", *p.text)) for p in found
            ]
        return found

    def described(self, start: int, end: int, subject: Phrase) -> list[Proposition]:
        """A sentence without a subject, read as said of `subject`: `a French chemist who …`, `founded in 1990`."""
        tree = self.tree
        root = self.root(start, end)
        found: list[Proposition] = []
        if tree.is_verb(root):
            tag = tree.tags[root]
            if tag in {"VB", "VBP"}:
                return []
            predicate = self.clauses.predicate(root, set(self.clauses.verb_chain(root)))
            bare = tag in {"VBN", "VBG"} and tree.child(root, {"aux", "auxpass"}) is None
            said = self.clauses.propositions(subject, predicate)
            found.extend(self.clauses.with_auxiliary(p, root, "is") if bare else p for p in said)
            for head in self.clauses.verb_chain(root)[1:]:
                found.extend(self.clauses.propositions(subject, self.clauses.predicate(head, set())))
        else:
            drop = {k for k in tree.kids[root] if tree.deps[k] in {"relcl", "acl", "appos"} and self._speaks(k)}
            tokens = tree.trim(tree.subtree(root, drop))
            found.append(Proposition(subject, ("is",), tuple(tokens), (*subject, "is", *tokens)))
            for kid in sorted(drop):
                if tree.deps[kid] == "relcl":
                    found.extend(self._read_with(kid, subject))
                elif tree.deps[kid] == "acl":
                    found.extend(self._participial(kid, subject))
        found.extend(self.nominal(start, end, self._opaque(root, start, end), skip=root))
        return found

    def _speaks(self, index: int) -> bool:
        """Whether a relative or participial clause can be read with another subject."""
        tree = self.tree
        if tree.deps[index] == "acl":
            return tree.tags[index] in {"VBN", "VBG", "VBD"} and tree.child(index, {"aux"}) is None
        pronoun = tree.child(index, w.SUBJECTS)
        return tree.is_verb(index) and pronoun is not None and tree.low[pronoun] in {"who", "which", "that"}

    # ------------------------------------------------------------------------------------------------ whole

    def whole(self, root: int, start: int, end: int) -> Iterator[Proposition]:
        """A sentence whose parts are not true alone, as one proposition."""
        tree = self.tree
        subject_head = tree.child(root, w.SUBJECTS)
        text = tuple(tree.trim(range(start, end)))
        if subject_head is None:
            return
        subject = tuple(tree.trim(tree.subtree(subject_head)))
        group = self.clauses.predicate(root, set()).group
        idle = {
            i for i in text if tree.deps[i] in {"punct", "intj"} or (i < subject[0] and tree.low[i] in w.CONNECTIVES)
        }
        rest = tuple(i for i in text if i not in subject and i not in group and i not in idle)
        if rest:
            leading = [i for i in rest if i < subject[0]]
            following = [i for i in rest if i > subject[0]]
            yield Proposition(subject, tuple(group), (*following, *leading), text)

    # ------------------------------------------------------------------------------------------- attribution

    def attribution(self, root: int) -> Phrase:
        """`According to the report`: stays before everything that the sentence says."""
        tree = self.tree
        for kid in tree.children(root, {"prep"}):
            if tree.low[kid] == "according" and kid < root:
                tokens = tree.trim(tree.subtree(kid))
                if not is_meta(tree, tokens):
                    return tuple(tokens)
        return ()

    def fragment(self, start: int, end: int) -> Proposition | None:
        """A noun phrase without a verb, as a triple: `1 gram of carbs in eggs`, `the membranes expelled from X`."""
        tree = self.tree
        root = self.root(start, end)
        if not tree.is_noun(root):
            return None
        tokens = tree.trim(range(start, end))
        for kid in tree.children(root, {"acl", "relcl", "prep"}):
            if kid < root or tree.low[kid] in {"of", "than"}:
                continue
            below = tree.trim(tree.subtree(kid))
            subject = tuple(tree.trim(i for i in tokens if i < below[0]))
            if tree.deps[kid] == "prep":
                relation: Phrase = tuple(i for i in below if i <= kid)
            else:
                relation = tuple(i for i in self.clauses.predicate(kid, set()).group if i in below)
            rest = tuple(i for i in tokens if i >= below[0] and i not in relation)
            if subject and relation and rest:
                return Proposition(subject, relation, rest, tuple(tokens))
        return None

    # ----------------------------------------------------------------------------------------------- nominal

    def _opaque(self, body: int, start: int, end: int) -> frozenset[int]:
        tree = self.tree
        hidden: set[int] = set()
        for index in range(start, end):
            free = tree.deps[index] == "advcl" and tree.child(index, {"mark", "advmod"}) is None
            if tree.deps[index] in _OPAQUE and index != body and tree.is_verb(index) and not free:
                hidden.update(tree.subtree(index))
        return frozenset(hidden)

    def nominal(self, start: int, end: int, opaque: frozenset[int], skip: int = -1) -> Iterator[Proposition]:
        """Appositions, relative and participial clauses, `including`."""
        tree = self.tree
        for index in range(start, end):
            if index in opaque or tree.heads[index] == skip:
                continue
            dep = tree.deps[index]
            if dep == "appos":
                yield from self.apposition(index)
            elif dep == "relcl":
                yield from self.relative(index)
            elif dep == "acl":
                yield from self.participle(index)
            elif dep == "prep" and tree.low[index] == "including" and tree.deps[tree.heads[index]] not in _OBJECT_DEPS:
                yield from self.including(index)

    def apposition(self, index: int) -> Iterator[Proposition]:
        """`X, a Y,` -> X is a Y."""
        tree = self.tree
        head = tree.heads[index]
        if not self.clauses.is_loose(index) or not tree.is_noun(index) or tree.tags[index] == "CD":
            return
        if tree.children(index, {"conj"}) or tree.deps[head] == "appos":
            return
        subject = tuple(self.clauses.noun_phrase(head, split=True))
        other = tuple(self.clauses.noun_phrase(index))
        if subject and other:
            verb = "are" if tree.tags[head] == "NNS" else "is"
            yield Proposition(subject, (verb,), other, (*subject, verb, *other))

    def antecedent(self, index: int) -> Phrase:
        """What a relative or participial clause speaks of: its noun, or the subject that a copula joins to it."""
        tree = self.tree
        subject = self.clauses.transfers(index)
        if subject is not None:
            return tuple(self.clauses.noun_phrase(subject))
        noun = tree.heads[index]
        told = tree.deps[index] == "relcl" or tree.child(index, w.SUBJECTS | {"mark", "auxpass"}) is None
        if told and self._exists(noun):
            return tuple(tree.trim(tree.subtree(noun, {index})))
        if not self.clauses.is_loose(index):
            return ()
        pronoun = self.tree.child(index, {"nsubj", "nsubjpass"})
        for _ in range(4):  # `a film by X and Y, which …` speaks of the film
            above = self.tree.heads[noun]
            by = self.tree.low[above] == "by" and self.tree.deps[above] == "prep"
            if pronoun is None or self.tree.low[pronoun] != "which" or not (by or self.tree.deps[noun] == "conj"):
                break
            noun = self.tree.heads[above] if by else above
        return tuple(self.clauses.noun_phrase(noun))

    def _exists(self, noun: int) -> bool:
        """`There were three races that …`: what is said of the races is stated."""
        tree = self.tree
        verb = tree.heads[noun]
        there = tree.child(verb, {"expl"})
        if tree.deps[noun] not in {"attr", "nsubj"} or there is None or tree.low[there] != "there":
            return False
        denied = any(tree.low[k] in w.NEGATIVE for k in (*tree.kids[noun], *tree.kids[verb]))
        return not denied and tree.child(verb, {"aux"}) is None and tree.low[noun] not in w.NEGATIVE

    def relative(self, index: int) -> Iterator[Proposition]:
        """`X, which was completed in 1889,` -> X was completed in 1889."""
        tree = self.tree
        subject = self.antecedent(index)
        if not subject or not tree.is_verb(index):
            return
        pronoun = tree.child(index, w.SUBJECTS)
        if pronoun is not None and tree.low[pronoun] in {"who", "which", "that"}:
            yield from self._read_with(index, subject)
            return
        target = next(
            (k for k in tree.children(index, {"dobj"}) if tree.low[k] in {"who", "whom", "which", "that"}), None
        )
        if target is not None and pronoun is not None:
            predicate = self.clauses.predicate(index, set())
            predicate.objects = []
            name = tuple(self.clauses.noun_phrase(pronoun))
            yield Proposition(name, tuple(predicate.group), subject, (*name, *predicate.group, *subject))

    def _read_with(self, verb: int, subject: Phrase) -> Iterator[Proposition]:
        clauses = self.clauses
        chain = clauses.verb_chain(verb)
        previous = None
        for head in chain:
            predicate = clauses.predicate(head, set(chain))
            if previous is not None:
                if self.tree.child(head, w.SUBJECTS) is not None:
                    return
                predicate.group = clauses.inherit(previous, predicate)
            yield from clauses.propositions(subject, predicate)
            previous = predicate

    def participle(self, index: int) -> Iterator[Proposition]:
        """`a rock formed by heat` -> it is formed by heat."""
        tree = self.tree
        if tree.tags[index] not in {"VBN", "VBG", "VBD"} or tree.child(index, {"aux"}) is not None:
            return
        subject = self.antecedent(index)
        noun = tree.heads[index]
        if subject and tree.tags[index] == "VBG" and self.clauses.is_loose(index) and tree.deps[noun] not in w.SUBJECTS:
            yield from self._dangling(index)
        elif subject:
            yield from self._participial(index, subject)

    def _dangling(self, index: int) -> Iterator[Proposition]:
        """`S does O, doing X`: subject or object may do it, so the clause stays with the whole."""
        tree = self.tree
        verb = tree.heads[index]
        while tree.heads[verb] != verb and (not tree.is_verb(verb) or tree.child(verb, w.SUBJECTS) is None):
            verb = tree.heads[verb]
        head = tree.child(verb, w.SUBJECTS)
        if head is None:
            return
        subject = tuple(self.clauses.noun_phrase(head))
        group = self.clauses.predicate(verb, set()).group
        last = tree.subtree(index)[-1]
        body = tuple(tree.trim(i for i in range(subject[-1] + 1, last + 1))) if subject else ()
        rest = tuple(i for i in body if i not in group)
        if rest:
            yield Proposition(subject, tuple(group), rest, (*subject, *body))

    def _participial(self, index: int, subject: Phrase) -> Iterator[Proposition]:
        tree = self.tree
        chain = self.clauses.verb_chain(index)
        predicate = self.clauses.predicate(index, set(chain))
        last = subject[-1]
        plural = isinstance(last, int) and tree.tags[last] == "NNS"
        root = index
        while tree.heads[root] != root and not tree.tags[root].startswith(("VBD", "VBZ", "VBP", "MD")):
            root = tree.heads[root]
        past = is_past(tree, root) and tree.low[index] not in w.STATES and self.clauses.transfers(index) is None
        auxiliary = ("were" if plural else "was") if past else ("are" if plural else "is")
        for found in self.clauses.propositions(subject, predicate):
            yield self.clauses.with_auxiliary(found, index, auxiliary)

    def including(self, index: int) -> Iterator[Proposition]:
        """`several cities, including A and B` -> the cities include A; … B."""
        tree = self.tree
        noun = tree.heads[index]
        target = tree.child(index, {"pobj"})
        if target is None or not tree.is_noun(noun):
            return
        parts = conjuncts(tree, target)
        drop = {index}
        subject = tuple(tree.trim(i for i in tree.subtree(noun, drop)))
        for part in parts:
            other = tuple(self.clauses.noun_phrase(part, split=len(parts) > 1))
            yield Proposition(
                subject, (index,), other, (*subject, "include" if tree.tags[noun].endswith("S") else "includes", *other)
            )


def is_question(tree: Tree, start: int, end: int) -> bool:
    """Whether a sentence asks."""
    return any(tree.words[i] == "?" for i in range(max(start, end - 3), end))
