"""Clauses -> propositions: subject, verb group, complements; coordinations split where truth is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from grapheval.extraction.local import words as w
from grapheval.extraction.local.coordination import conjuncts, may_split_subject
from grapheval.extraction.local.phrases import Phrase, Proposition
from grapheval.extraction.local.tree import Tree

_GROUP = frozenset({"aux", "auxpass", "neg", "prt"})
_OBJECTS = frozenset({"dobj", "attr", "acomp", "oprd", "dative", "ccomp"})
_SKIPPED = frozenset({"punct", "cc", "intj", "meta", "mark", "preconj", "expl", "parataxis"}) | w.SUBJECTS


@dataclass(slots=True)
class Extra:
    """An adverbial: `marker` (preposition, conjunction, verb) and what it governs, once per conjunct."""

    head: int
    marker: list[int]
    objects: list[list[int]]
    time: bool = False


@dataclass(slots=True)
class Predicate:
    """What a clause says of its subject."""

    verb: int
    group: list[int] = field(default_factory=list)
    objects: list[list[int]] = field(default_factory=list)
    extras: list[Extra] = field(default_factory=list)
    clauses: list[int] = field(default_factory=list)
    """Participial clauses that share the subject and are asserted on their own."""
    together: bool = False
    """Nothing may be cut out of it."""
    end: list[int] = field(default_factory=list)
    """Adverbs behind the object."""


def is_conditional(tree: Tree, start: int, end: int) -> bool:
    """Whether a sentence states something only under a condition."""
    for index in range(start, end):
        if tree.deps[index] == "advcl" and tree.is_verb(index):
            marks = {tree.low[kid] for kid in tree.kids[index] if tree.deps[kid] in {"mark", "advmod"}}
            if marks & w.CONDITIONAL_MARKS:
                return True
            if marks & {"when", "whenever", "until", "once"} and not _is_past(tree, tree.heads[index]):
                return True
    return tree.low[start] in {"if", "unless"}


def _is_past(tree: Tree, verb: int) -> bool:
    if tree.tags[verb] == "VBD":
        return True
    return any(tree.tags[kid] == "VBD" for kid in tree.children(verb, {"aux", "auxpass"}))


class ClauseReader:
    """Reads the clauses of one tree."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    # -------------------------------------------------------------------------------------------------- clauses

    def read(self, verb: int, subject: Phrase | None = None, auxiliaries: list[int] | None = None) -> Iterator[Proposition]:
        """The propositions of a verb and of the verbs coordinated with it.

        Args:
            verb: Head of the clause.
            subject: What to use where the verb has no subject of its own.
            auxiliaries: Auxiliaries of the verb that this one is coordinated with.
        """
        tree = self.tree
        chain = self.verb_chain(verb)
        shared: Phrase | None = subject
        previous: Predicate | None = None
        auxiliaries = auxiliaries or []
        predicates: list[tuple[Phrase | None, int | None, Predicate]] = []
        for head in chain:
            own_subject = tree.child(head, w.SUBJECTS)
            expletive = tree.child(head, {"expl"})
            predicate = self.predicate(head, set(chain))
            if previous is not None and own_subject is None:
                predicate.group = self.inherit(previous, predicate)
            elif previous is None and auxiliaries:
                predicate.group = sorted({*auxiliaries, *predicate.group})
            if own_subject is not None:
                shared = None
                subject_head: int | None = own_subject
            elif expletive is not None:
                shared = (expletive,)
                subject_head = None
            else:
                subject_head = predicates[-1][1] if predicates and shared is None else None
            predicates.append((shared, subject_head, predicate))
            previous = predicate
        self._share_objects(predicates)
        for phrase, subject_head, predicate in predicates:
            for name in self.subjects(phrase, subject_head, predicate):
                yield from self.propositions(name, predicate)

    def verb_chain(self, verb: int) -> list[int]:
        """The verb and those coordinated with it by `and`, `but` or a semicolon; only the verb where `or` joins them."""
        tree = self.tree
        chain = [verb]
        node = verb
        while True:
            following = next(
                (k for k in tree.kids[node] if tree.deps[k] == "conj" and (tree.is_verb(k) or tree.low[k] in w.BE)), None
            )
            if following is None:
                return chain
            joins = {tree.low[k] for k in tree.children(node, {"cc", "preconj"})}
            if joins & {"or", "either", "nor", "neither"}:
                return [verb]
            chain.append(following)
            node = following

    def inherit(self, previous: Predicate, predicate: Predicate) -> list[int]:
        """The verb group with the auxiliaries that it shares with the verb before."""
        tree = self.tree
        own_aux = [i for i in predicate.group if tree.deps[i] in {"aux", "auxpass"}]
        if own_aux:
            return predicate.group
        if tree.tags[predicate.verb] != tree.tags[previous.verb] or tree.tags[predicate.verb] in {"VBD", "VBZ", "VBP"}:
            return predicate.group
        shared = [i for i in previous.group if i < previous.verb and tree.deps[i] in {"aux", "auxpass", "neg"}]
        if any(tree.deps[i] == "neg" for i in shared):
            predicate.together = True
        return [*shared, *predicate.group]

    def _share_objects(self, predicates: list[tuple[Phrase | None, int | None, Predicate]]) -> None:
        """`wrote and directed the film`: a verb without complements takes those of the verb that follows."""
        for (_, _, first), (_, head, second) in zip(predicates, predicates[1:], strict=False):
            bare = not (first.objects or first.extras or first.end or first.clauses)
            adjacent = second.verb - first.verb <= 3 + len(second.group) and all(
                self.tree.tags[i] != "," for i in range(first.verb, second.verb)
            )
            if bare and adjacent and (head is None or head < first.verb):
                first.objects, first.extras = second.objects, second.extras

    def subjects(self, phrase: Phrase | None, head: int | None, predicate: Predicate) -> list[Phrase]:
        """The subject, once per conjunct where the predicate is true of each."""
        if phrase is not None:
            return [phrase]
        if head is None:
            return []
        tree = self.tree
        if tree.deps[head].startswith("csubj"):
            return [tuple(tree.trim(tree.subtree(head)))]
        if predicate.together or not may_split_subject(tree, head, predicate.verb):
            return [tuple(self.noun_phrase(head))]
        return [tuple(self.noun_phrase(part, split=True)) for part in conjuncts(tree, head)]

    def noun_phrase(self, head: int, *, split: bool = False) -> list[int]:
        """A noun with what belongs to it, without what is stated on its own (appositions, loose relative clauses)."""
        tree = self.tree
        drop = set()
        for node in tree.subtree(head):
            for kid in tree.kids[node]:
                if (split and node == head and tree.deps[kid] in {"conj", "cc", "preconj"}) or self.is_loose(kid):
                    drop.add(kid)
        found = tree.subtree(head, drop)
        if split or drop:
            found = [i for i in found if not (tree.deps[i] == "punct" and tree.low[i] == "," and not self._inside(i, found))]
        return tree.trim(found)

    def _inside(self, comma: int, tokens: list[int]) -> bool:
        return comma - 1 in tokens and comma + 1 in tokens

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
            return comma and not (tree.is_name(kid) and tree.is_name(tree.heads[kid]))
        if dep == "relcl":
            return comma or tree.is_name(tree.heads[kid])
        return comma

    # ------------------------------------------------------------------------------------------------ predicates

    def predicate(self, verb: int, chain: set[int]) -> Predicate:
        """Sort the dependents of a verb."""
        tree = self.tree
        found = Predicate(verb, [verb])
        object_heads: list[int] = []
        self._collect(verb, found, object_heads, chain)
        found.group = sorted(set(found.group))
        found.together = found.together or self._keeps_together(found, object_heads)
        found.objects = self._objects(object_heads, found)
        return found

    def _collect(self, verb: int, found: Predicate, object_heads: list[int], chain: set[int]) -> None:
        tree = self.tree
        subject = tree.child(verb, w.SUBJECTS | {"expl"})
        for kid in tree.kids[verb]:
            dep = tree.deps[kid]
            if kid in chain or dep in _SKIPPED:
                continue
            if dep in _GROUP:
                found.group.extend(tree.subtree(kid))
            elif dep == "conj":
                object_heads.append(kid)
                found.together = True
            elif dep == "xcomp" and tree.is_verb(kid) and not object_heads:
                found.group.append(kid)
                self._collect(kid, found, object_heads, chain)
            elif dep in _OBJECTS or dep == "xcomp":
                if dep == "dative" and tree.tags[kid] in {"IN", "TO"}:
                    found.extras.append(self._prepositional(kid))
                else:
                    object_heads.append(kid)
            elif dep in {"prep", "agent"}:
                self._preposition(kid, verb, found, object_heads)
            elif dep == "advmod":
                self._adverb(kid, verb, subject, found)
            elif dep in {"npadvmod", "tmod", "nmod"}:
                tokens = tree.trim(tree.subtree(kid))
                found.extras.append(Extra(kid, [], [tokens], time=True))
            elif dep == "advcl":
                self._adverbial_clause(kid, verb, found)
            else:
                object_heads.append(kid)

    def _preposition(self, kid: int, verb: int, found: Predicate, object_heads: list[int]) -> None:
        tree = self.tree
        tokens = tree.subtree(kid)
        if is_meta(tree, tokens):
            return
        if tree.low[kid] in {"than", "as"} and object_heads and tree.low[kid] == "than":
            found.together = True
        found.extras.append(self._prepositional(kid))

    def _prepositional(self, kid: int) -> Extra:
        """`in Paris and London` -> marker `in`, two objects."""
        tree = self.tree
        marker = [kid]
        node = kid
        for _ in range(3):
            inner = tree.child(node, {"pobj", "pcomp"})
            nested = tree.child(node, {"prep", "pcomp"})
            if inner is None and nested is not None and tree.tags[nested] in {"IN", "TO"}:
                marker.append(nested)
                node = nested
            else:
                break
        marker.extend(k for k in tree.kids[kid] if tree.deps[k] in {"advmod", "quantmod", "neg"} and k < kid)
        marker.sort()
        target = tree.child(node, {"pobj"})
        if target is None:
            rest = [i for i in tree.trim(tree.subtree(kid)) if i not in marker]
            return Extra(kid, marker, [rest] if rest else [])
        other = [k for k in tree.kids[node] if k != target and k not in marker and tree.deps[k] != "punct"]
        if other or tree.low[kid] in {"between", "among", "amongst", "than", "from"}:
            rest = [i for i in tree.trim(tree.subtree(kid)) if i not in marker]
            return Extra(kid, marker, [rest], time=is_time(tree, rest))
        parts = [self.noun_phrase(part, split=True) for part in conjuncts(tree, target)]
        if len(parts) == 1:
            parts = [self.noun_phrase(target)]
        return Extra(kid, marker, [p for p in parts if p], time=all(is_time(tree, p) for p in parts))

    def _adverb(self, kid: int, verb: int, subject: int | None, found: Predicate) -> None:
        tree = self.tree
        tokens = tree.trim(tree.subtree(kid))
        low = tree.low[kid]
        if not tokens:
            return
        if subject is not None and tokens[-1] < subject:
            if low in w.CONNECTIVES or (low not in w.HEDGES and tree.tags[kid] == "WRB"):
                return
            if len(tokens) == 1:
                found.group.append(kid)
            else:
                found.extras.append(Extra(kid, [], [tokens], time=True))
            return
        if low in w.CONNECTIVES and tree.low[kid - 1] == "," if kid else False:
            return
        if tokens[-1] < verb and len(tokens) <= 3:
            found.group.extend(tokens)
        elif tokens[0] == verb + 1 and len(tokens) == 1 and tree.tags[kid] in {"RB", "RP"} and low in w.HEDGES | {"up", "out"}:
            found.group.append(kid)
        elif len(tokens) == 1:
            found.end.extend(tokens)
        else:
            found.extras.append(Extra(kid, [], [tokens]))

    def _adverbial_clause(self, kid: int, verb: int, found: Predicate) -> None:
        tree = self.tree
        tokens = tree.trim(tree.subtree(kid))
        marks = [k for k in tree.kids[kid] if tree.deps[k] == "mark" or (tree.deps[k] == "advmod" and tree.tags[k] == "WRB")]
        has_subject = tree.child(kid, w.SUBJECTS) is not None
        if tree.tags[kid] in {"VBG", "VBN"} and not marks and not has_subject and tree.child(kid, {"aux"}) is None:
            if tree.tags[kid] == "VBG" and tokens and (tree.low[tokens[0] - 1] == "," if tokens[0] else False):
                found.clauses.append(kid)
                return
            marker = [i for i in tokens if i <= kid]
            rest = [i for i in tokens if i > kid]
            if not rest:
                marker, rest = [], tokens
            found.extras.append(Extra(kid, marker, [rest]))
            return
        if tree.child(kid, {"aux"}) is not None and tree.low[tokens[0]] == "to":
            marker = [i for i in tokens if i <= kid]
            rest = [i for i in tokens if i > kid]
            found.extras.append(Extra(kid, marker if rest else [], [rest or tokens]))
            return
        marker = [i for i in tokens if i in marks]
        rest = [i for i in tokens if i not in marks]
        if rest:
            found.extras.append(Extra(kid, marker, [rest]))

    def _keeps_together(self, found: Predicate, object_heads: list[int]) -> bool:
        """Negation, `only` and comparisons: cutting an adverbial off changes what is said."""
        tree = self.tree
        if any(tree.low[i] in w.NEGATIVE | w.RESTRICTIVE or tree.deps[i] == "neg" for i in found.group):
            return True
        subject = tree.child(found.verb, w.SUBJECTS)
        heads = [*object_heads, *([subject] if subject is not None else [])]
        for head in heads:
            if tree.deps[head] in {"ccomp", "csubj"}:
                continue
            for kid in (head, *tree.kids[head]):
                if tree.low[kid] in {"no", "none", "nobody", "nothing", "neither", "few", "little", "only", "not"}:
                    return True
                if tree.tags[kid] in {"JJS", "RBS"} or tree.low[kid] in {"first", "last", "same"}:
                    return tree.deps[head] == "attr"
        return False

    def _objects(self, heads: list[int], found: Predicate) -> list[list[int]]:
        tree = self.tree
        if not heads:
            return []
        if len(heads) > 1:
            tokens = sorted({i for head in heads for i in tree.subtree(head)})
            return [tree.trim(tokens)]
        head = heads[0]
        if tree.deps[head] in {"ccomp", "xcomp"} or tree.is_verb(head):
            return [tree.trim(tree.subtree(head))]
        if found.together:
            return [self.noun_phrase(head)]
        parts = conjuncts(tree, head)
        if len(parts) == 1:
            return [self.noun_phrase(head)]
        return [self.noun_phrase(part, split=True) for part in parts]

    # ---------------------------------------------------------------------------------------------- propositions

    def propositions(self, subject: Phrase, predicate: Predicate) -> Iterator[Proposition]:
        """Core statement first, then one for each adverbial."""
        tree = self.tree
        group = predicate.group
        if not subject:
            return
        if predicate.together:
            rest = sorted({i for tokens in predicate.objects for i in tokens} | {i for e in predicate.extras for i in (*e.marker, *(j for o in e.objects for j in o))} | set(predicate.end))
            rest = [i for i in rest if i not in group]
            yield self.make(subject, group, rest)
            return
        extras = list(predicate.extras)
        objects = predicate.objects
        if objects:
            core = objects[0]
            for tokens in objects:
                yield self.make(subject, group, [*tokens, *predicate.end])
            base: list[int] = [*core, *predicate.end] if len(objects) == 1 else []
            if len(objects) > 1 and extras:
                base = sorted({i for tokens in objects for i in tokens})
                base = list(range(base[0], base[-1] + 1))
        else:
            first = self._first(extras, predicate.verb)
            if first is None:
                yield self.make(subject, group, predicate.end)
                base = []
            else:
                extras.remove(first)
                for tokens in first.objects:
                    yield self.make(subject, [*group, *predicate.end, *first.marker], tokens)
                if not first.objects:
                    yield self.make(subject, group, [*predicate.end, *first.marker])
                base = [] if first.time or not first.objects else [*first.marker, *first.objects[0]]
        for extra in extras:
            for tokens in extra.objects:
                yield self.adverbial(subject, group, base, extra.marker, tokens)
        for clause in predicate.clauses:
            yield from self.participial(subject, clause, predicate.verb)

    def _first(self, extras: list[Extra], verb: int) -> Extra | None:
        right = [e for e in extras if e.head > verb]
        for extra in right:
            if not extra.time:
                return extra
        return right[0] if right else (extras[0] if extras else None)

    def make(self, subject: Phrase, relation: list[int], rest: list[int]) -> Proposition:
        """A proposition; without an object the last word of the verb group becomes it."""
        text: Phrase = (*subject, *relation, *rest)
        if not rest and len(relation) > 1:
            return Proposition(subject, tuple(relation[:-1]), tuple(relation[-1:]), text)
        return Proposition(subject, tuple(relation), tuple(rest), text)

    def adverbial(self, subject: Phrase, group: list[int], base: list[int], marker: list[int], tokens: list[int]) -> Proposition:
        """Time, place, manner, reason: the event is the subject."""
        text: Phrase = (*subject, *group, *base, *marker, *tokens)
        if marker:
            return Proposition((*subject, *group, *base), tuple(marker), tuple(tokens), text)
        return Proposition(subject, (*group, *base), tuple(tokens), text)

    def participial(self, subject: Phrase, verb: int, matrix: int) -> Iterator[Proposition]:
        """`…, earning several awards`: the subject did it too."""
        predicate = self.predicate(verb, set(self.verb_chain(verb)))
        predicate.group = [i for i in predicate.group if i >= verb or self.tree.deps[i] != "mark"]
        for found in self.propositions(subject, predicate):
            yield self.with_auxiliary(found, verb, "was" if _is_past(self.tree, matrix) else "is")

    def with_auxiliary(self, found: Proposition, verb: int, auxiliary: str) -> Proposition:
        """Put an auxiliary before a bare participle."""

        def put(phrase: Phrase) -> Phrase:
            place = next((n for n, item in enumerate(phrase) if item == verb), None)
            return phrase if place is None else (*phrase[:place], auxiliary, *phrase[place:])

        return Proposition(found.subject if verb not in found.subject else put(found.subject), put(found.relation), found.object, put(found.text))


def is_time(tree: Tree, tokens: list[int]) -> bool:
    """Whether a phrase is a date, a time or a duration."""
    for index in tokens:
        low = tree.low[index]
        if low in w.TIME_NOUNS or (low in w.MONTHS and tree.words[index][0].isupper()) or w.YEAR.match(low):
            return True
    return False


def is_meta(tree: Tree, tokens: list[int]) -> bool:
    """`based on the provided passages`, `according to the context`, `in summary`: the answer speaks of itself."""
    low = [tree.low[i] for i in tokens if tree.deps[i] != "punct"]
    if " ".join(low) in w.SPEECH:
        return True
    if not low or low[0] not in {"based", "according", "from", "in", "per", "as", "given", "within"}:
        return False
    rest = [word for word in low[1:] if word not in {"on", "to", "per"}]
    return any(word in w.META_NOUNS for word in rest) and all(word in w.META_FILLER or word in w.META_NOUNS or word.isdigit() for word in rest)
