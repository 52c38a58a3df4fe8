"""Predicates: a verb's group, objects and adverbials."""

from __future__ import annotations

from dataclasses import dataclass, field

from grapheval.extraction.local import words as w
from grapheval.extraction.local.nouns import NounReader
from grapheval.extraction.local.tree import Tree

_ONLY = frozenset({"only", "exclusively", "solely"})
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
    content: int | None = None
    """Verb of the clause that is its only object: `said that …`."""
    loose: set[int] = field(default_factory=set)
    """Prepositions behind a comma at an object; read as adverbials."""
    contrasts: list[int] = field(default_factory=list)
    """Verbs of clauses that are stated on their own: `…, while Y is …`."""


def is_conditional(tree: Tree, start: int, end: int) -> bool:
    """Whether a sentence states something only under a condition."""
    for index in range(start, end):
        if tree.deps[index] == "advcl" and tree.is_verb(index):
            marks = {tree.low[kid] for kid in tree.kids[index] if tree.deps[kid] in {"mark", "advmod"}}
            if marks & w.CONDITIONAL_MARKS or is_restricted(tree, index) or _as_long_as(tree, index):
                return True
            if marks & {"when", "whenever", "until", "once"} and not is_past(tree, tree.heads[index]):
                return True
    return tree.low[start] in {"if", "unless"}


def is_restricted(tree: Tree, head: int) -> bool:
    """Whether `only`, `except` and the like stand right before a clause or a prepositional phrase."""
    first = tree.subtree(head)[0]
    return tree.low[first] in w.RESTRICTIVE or (first > 0 and tree.low[first - 1] in w.RESTRICTIVE)


def _as_long_as(tree: Tree, clause: int) -> bool:
    before = tree.low[max(0, tree.subtree(clause)[0] - 2) : clause]
    return any(before[i : i + 3] in (["as", "long", "as"], ["so", "long", "as"]) for i in range(len(before)))


def is_past(tree: Tree, verb: int) -> bool:
    """Whether a verb or its auxiliary is in the past tense."""
    if tree.tags[verb] == "VBD":
        return True
    return any(tree.tags[kid] == "VBD" for kid in tree.children(verb, {"aux", "auxpass"}))


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
    return any(word in w.META_NOUNS for word in rest) and all(
        word in w.META_FILLER or word in w.META_NOUNS or word.isdigit() for word in rest
    )


class PredicateReader(NounReader):
    """Reads the predicates of one tree."""

    def predicate(self, verb: int, chain: set[int]) -> Predicate:
        """Sort the dependents of a verb."""
        tree = self.tree
        found = Predicate(verb, [verb])
        object_heads: list[int] = []
        self._collect(verb, found, object_heads, chain)
        found.group = sorted(set(found.group))
        found.together = found.together or self._keeps_together(found, object_heads)
        if object_heads and not found.extras and not found.clauses:
            content = object_heads[-1]
            lead = object_heads[0]
            if tree.deps[lead] == "acomp" and tree.low[lead] in w.THAT_ADJECTIVES:
                inner = tree.child(lead, {"ccomp"})
                found.end = [lead]
                content = inner if inner is not None and len(object_heads) == 1 else content
            if tree.deps[content] == "ccomp" and (len(object_heads) == 1 or found.end) and self._stands_alone(content):
                found.content = content
            elif found.end == [lead]:
                found.end = []
        for head in object_heads:
            for kid in tree.children(head, {"prep"}):
                if (
                    kid > head
                    and tree.low[kid - 1] == ","
                    and not self.example_marker(kid)
                    and not is_meta(tree, tree.subtree(kid))
                ):
                    found.extras.append(self._prepositional(kid))
                    found.loose.add(kid)
        found.objects = self._objects(object_heads, found)
        if found.loose:
            hidden = {i for kid in found.loose for i in tree.subtree(kid)}
            found.objects = [tree.trim(i for i in tokens if i not in hidden) for tokens in found.objects]
        return found

    def _stands_alone(self, verb: int) -> bool:
        """Whether a content clause is a statement: not `whether`, not `how`, no direct speech before its verb."""
        tree = self.tree
        if not tree.is_verb(verb) or tree.child(verb, w.SUBJECTS) is None or verb < tree.heads[verb]:
            return False
        first = tree.subtree(verb)[0]
        if tree.tags[first] in {"WRB", "WP", "WDT", "WP$"} or tree.low[first] in {"whether", "if"}:
            return False
        marks = tree.children(verb, {"mark"})
        if not marks:  # `helps patients sleep`, `lets him go`, `had she known`: no `that` can be added
            subject = tree.child(verb, w.SUBJECTS)
            finite = tree.tags[verb] in {"VBD", "VBZ", "VBP"} or tree.child(verb, {"aux", "auxpass"}) is not None
            governing = tree.low[tree.heads[verb]]
            if not finite or governing in w.CAUSATIVE or subject is None or tree.low[subject] in w.OBJECT_PRONOUNS:
                return False
            if tree.low[first] in {"had", "were", "should"} and first < subject:
                return False
        return all(tree.low[k] == "that" for k in marks)

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
                found.end.extend(tree.children(verb, {"cc"}))
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
            self.ignored.update(tokens)
            return
        if tree.low[kid] == "according" and kid < verb:
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
        if target is not None and tree.low[target] in w.COMPLEX and len(tree.kids[target]) == 1:
            second = tree.child(target, {"prep"})
            inner = tree.child(second, {"pobj"}) if second is not None else None
            if second is not None and inner is not None:
                marker.extend((target, second))
                node, target = second, inner
        if target is None:
            rest = [i for i in tree.trim(tree.subtree(kid)) if i not in marker]
            return Extra(kid, marker, [rest] if rest else [])
        other = [k for k in tree.kids[node] if k != target and k not in marker and tree.deps[k] != "punct"]
        if other or tree.low[kid] in {"between", "among", "amongst", "than", "from"}:
            rest = [i for i in tree.trim(tree.subtree(kid)) if i not in marker]
            return Extra(kid, marker, [rest], time=is_time(tree, rest))
        parts = self.items(target)
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
        elif (
            tokens[0] == verb + 1
            and len(tokens) == 1
            and tree.tags[kid] in {"RB", "RP"}
            and low in w.HEDGES | {"up", "out"}
        ):
            found.group.append(kid)
        elif len(tokens) == 1:
            found.end.extend(tokens)
        else:
            found.extras.append(Extra(kid, [], [tokens]))

    def _adverbial_clause(self, kid: int, verb: int, found: Predicate) -> None:
        tree = self.tree
        tokens = self.without_asides(tree.trim(tree.subtree(kid)))
        marks = [
            k for k in tree.kids[kid] if tree.deps[k] == "mark" or (tree.deps[k] == "advmod" and tree.tags[k] == "WRB")
        ]
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
        vague = any(tree.tags[k] == "PRP" and k not in self.resolved for k in tree.children(kid, w.SUBJECTS))
        low = {tree.low[k] for k in marks}
        if has_subject and not vague and low & {"while", "whereas", "although", "though"}:
            found.contrasts.append(kid)
            return
        if has_subject and not vague and low == {"because"} and tree.child(verb, {"neg"}) is None:
            found.contrasts.append(kid)  # the reason is stated, too
        if rest:
            found.extras.append(Extra(kid, marker, [rest]))

    def _keeps_together(self, found: Predicate, object_heads: list[int]) -> bool:
        """Negation, `only` and comparisons: cutting an adverbial off changes what is said."""
        tree = self.tree
        if any(tree.low[i] in w.NEGATIVE | w.RESTRICTIVE or tree.deps[i] == "neg" for i in found.group):
            return True
        if any(tree.low[i] in _ONLY for i in found.end) or any(
            is_restricted(tree, extra.head) or (extra.objects and tree.low[extra.objects[-1][-1]] in _ONLY)
            for extra in found.extras
        ):
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
        if found.together or (tree.deps[head] == "attr" and self._is_plural_subject(found.verb)):
            return [self.noun_phrase(head, examples=True)]
        return self.items(head)

    def _is_plural_subject(self, verb: int) -> bool:
        """`The colours are red and blue` is not `The colours are red`."""
        subject = self.tree.child(verb, w.SUBJECTS)
        return subject is not None and self.tree.tags[subject] in {"NNS", "NNPS"}
