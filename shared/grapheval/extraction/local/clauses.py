"""Clauses -> propositions: subject, verb group, complements; coordinations split where truth is kept."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from grapheval.extraction.local import words as w
from grapheval.extraction.local.coordination import conjuncts, may_split_subject
from grapheval.extraction.local.inflect import past_of_gerund, third_person
from grapheval.extraction.local.phrases import Inflected, Phrase, Proposition, indices
from grapheval.extraction.local.predicates import Extra, Predicate, PredicateReader, is_past

_LONG_BASE = 3
"""An object longer than this is cut short in the triple about time, place or manner; the sentence keeps it."""
_LOOSE = frozenset({"in", "on", "at", "by", "near", "from", "to", "into", "with", "through"})
"""Before places, agents and companions, without which a statement of time or manner is as true."""


class ClauseReader(PredicateReader):
    """Reads the clauses of one tree."""

    def read(
        self, verb: int, subject: Phrase | None = None, auxiliaries: list[int] | None = None
    ) -> Iterator[Proposition]:
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
            if predicate.content is not None and not predicate.together:
                yield from self.reported(phrase, subject_head, predicate, predicate.content)
                continue
            names = self.subjects(phrase, subject_head, predicate)
            for name in names:
                for found in self.propositions(name, predicate):
                    split = len(names) > 1 and subject_head is not None
                    yield self.agreeing(found, subject_head, predicate) if split and subject_head is not None else found
            for clause in predicate.contrasts:
                yield from self.read(clause)

    def reported(
        self, phrase: Phrase | None, head: int | None, predicate: Predicate, content: int
    ) -> Iterator[Proposition]:
        """`X said that A and B` -> X said that A; X said that B. What the given context `says` is stated as it is."""
        tree = self.tree
        lead = {tree.low[i] for i in predicate.end}
        if (head is not None and self._speaks_for_context(head, predicate.verb)) or lead & {
            "important",
            "worth",
            "true",
            "noteworthy",
        }:
            self.ignored.update(tree.subtree(predicate.verb, {content}))
            yield from self.read(content)
            return
        subject = phrase if phrase is not None else tuple(self.noun_phrase(head)) if head is not None else ()
        mark = [k for k in tree.children(content, {"mark"}) if tree.low[k] == "that"]
        prefix: Phrase = (*subject, *predicate.group, *predicate.end, *mark)
        impersonal = head is not None and tree.low[head] == "it"
        for inner in self.read(content):
            text: Phrase = (*prefix, *(() if mark else ("that",)), *inner.text)
            if impersonal or not inner.text:
                yield Proposition(inner.subject, (*prefix, *inner.relation), inner.object, text)
            else:
                yield Proposition(subject, (*predicate.group, *predicate.end, *(mark or ("that",))), inner.text, text)

    def _speaks_for_context(self, head: int, verb: int) -> bool:
        tree = self.tree
        if tree.low[head] in {"i", "we"}:
            return tree.low[verb] in {"think", "believe", "see", "know", "understand"}
        low = [tree.low[i] for i in tree.subtree(head)]
        return tree.low[head] in w.META_NOUNS and all(
            x in w.META_FILLER or x in w.META_NOUNS or x.isdigit() for x in low
        )

    def verb_chain(self, verb: int) -> list[int]:
        """The verb and those coordinated with it by `and`, `but` or a semicolon; only the verb where `or` does."""
        tree = self.tree
        chain = [verb]
        node = verb
        while True:
            following = next(
                (k for k in tree.kids[node] if tree.deps[k] == "conj" and (tree.is_verb(k) or tree.low[k] in w.BE)),
                None,
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
        if self._is_participle(predicate) and tree.child(previous.verb, {"auxpass"}) is not None:
            return [
                *(i for i in previous.group if i < previous.verb and tree.deps[i] in {"aux", "auxpass"}),
                *predicate.group,
            ]
        if tree.tags[predicate.verb] != tree.tags[previous.verb] or tree.tags[predicate.verb] in {"VBD", "VBZ", "VBP"}:
            return predicate.group
        shared = [i for i in previous.group if i < previous.verb and tree.deps[i] in {"aux", "auxpass", "neg"}]
        if any(tree.deps[i] == "neg" for i in shared):
            predicate.together = True
        return [*shared, *predicate.group]

    def _is_participle(self, predicate: Predicate) -> bool:
        """Whether what was tagged as a past tense reads as a passive: `was designed … and built by X`."""
        tree = self.tree
        if tree.tags[predicate.verb] != "VBD" or predicate.objects:
            return False
        by = any(tree.low[i] == "by" for extra in predicate.extras for i in extra.marker)
        return by or tree.low[predicate.verb] in w.MADE

    def _share_objects(self, predicates: list[tuple[Phrase | None, int | None, Predicate]]) -> None:
        """`wrote and directed the film`: a verb without complements takes those of the verb that follows."""
        for (_, _, first), (_, head, second) in pairwise(predicates):
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
        parts = conjuncts(tree, head)
        if len(parts) == 1:
            return [tuple(self.noun_phrase(head))]
        return [tuple(self.noun_phrase(part, split=True)) for part in parts]

    def agreeing(self, found: Proposition, head: int, predicate: Predicate) -> Proposition:
        """`Anna and Bob live` -> `Anna lives`: the verb in the singular where one of several subjects is left."""
        tree = self.tree
        subject = [i for i in found.subject if isinstance(i, int)]
        top = next((i for i in subject if tree.heads[i] not in subject), None)
        if top is None or tree.tags[top] in {"NNS", "NNPS"} or tree.child(head, {"conj"}) is None:
            return found
        finite = next((i for i in predicate.group if tree.tags[i] in {"VBP", "VBD"} or tree.low[i] in w.PLURAL), None)
        if finite is None:
            return found
        low = tree.low[finite]
        text = w.PLURAL.get(low) or (third_person(low) if tree.tags[finite] == "VBP" else "")
        return found.replace({finite: (Inflected(finite, text),)}) if text else found

    def tail(self, subject: Phrase, relation: list[int], tokens: list[int]) -> Iterator[Proposition]:
        """The statement with the clause that `items` cut off: it speaks of the object."""
        clause = self.tails.get(tuple(tokens))
        if clause is None:
            return
        tree = self.tree
        rest = tree.trim(tree.subtree(clause))
        pronoun = tree.child(clause, w.SUBJECTS)
        group = [i for i in self.predicate(clause, set()).group if i in rest]
        other = tuple(i for i in rest if i not in group and i != pronoun)
        yield Proposition(tuple(tokens), tuple(group), other, (*subject, *relation, *tokens, *rest))

    def propositions(self, subject: Phrase, predicate: Predicate) -> Iterator[Proposition]:
        """Core statement first, then one for each adverbial."""
        group = predicate.group
        if not subject:
            return
        if predicate.together:
            rest = sorted(
                {i for tokens in predicate.objects for i in tokens}
                | {i for e in predicate.extras for i in (*e.marker, *(j for o in e.objects for j in o))}
                | set(predicate.end)
            )
            rest = [i for i in rest if i not in group]
            yield self.make(subject, group, rest)
            return
        extras = list(predicate.extras)
        objects = predicate.objects
        governed = self._governed(predicate)
        if governed is not None:  # `is low in fat`: the adjective is not true alone
            extras.remove(governed)
            group = [*group, *objects[0], *predicate.end, *governed.marker]
            objects = governed.objects
            predicate = Predicate(predicate.verb, group, objects, extras, predicate.clauses)
        if objects:
            core = objects[0]
            for tokens in objects:
                yield self.make(subject, group, [*tokens, *predicate.end])
                yield from self.tail(subject, group, tokens)
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
                    relation = [*group, *predicate.end, *first.marker]
                    yield self.make(subject, relation, tokens)
                    yield from self.tail(subject, relation, tokens)
                if not first.objects:
                    yield self.make(subject, group, [*predicate.end, *first.marker])
                base = [] if first.time or not first.objects else [*first.marker, *first.objects[0]]
        for extra in extras:
            for tokens in extra.objects:
                yield self.adverbial(subject, group, base, extra.marker, tokens)
                yield from self.tail(subject, [*group, *base, *extra.marker], tokens)
        for clause in predicate.clauses:
            yield from self.participial(subject, clause, predicate.verb)

    def _governed(self, predicate: Predicate) -> Extra | None:
        """The prepositional phrase right behind a predicate adjective."""
        objects = predicate.objects
        if len(objects) != 1 or not objects[0] or self.tree.deps[objects[0][-1]] != "acomp":
            return None
        after = objects[0][-1] + 1
        return next((e for e in predicate.extras if e.marker[:1] == [after] and e.objects and not e.time), None)

    def _first(self, extras: list[Extra], verb: int) -> Extra | None:
        right = [e for e in extras if e.head > verb]
        for extra in right:
            if not extra.time:
                return extra
        return right[0] if right else (extras[0] if extras else None)

    def make(self, subject: Phrase, relation: list[int], rest: list[int]) -> Proposition:
        """A proposition; without an object the last word of the verb group becomes it."""
        text: Phrase = (*subject, *relation, *rest)
        if rest and relation and min(rest) < min(relation):  # what stands before its verb is read in its place
            text = tuple(sorted({*indices(subject), *relation, *rest}))
        if not rest and len(relation) > 1:
            return Proposition(subject, tuple(relation[:-1]), tuple(relation[-1:]), text)
        return Proposition(subject, tuple(relation), tuple(rest), text)

    def adverbial(
        self, subject: Phrase, group: list[int], base: list[int], marker: list[int], tokens: list[int]
    ) -> Proposition:
        """Time, place, manner, reason: the event is the subject."""
        text: Phrase = (*subject, *group, *base, *marker, *tokens)
        base = self._short(base)
        if marker and not base:
            return Proposition(subject, (*group, *marker), tuple(tokens), text)
        if marker:
            return Proposition((*subject, *group, *base), tuple(marker), tuple(tokens), text)
        return Proposition(subject, (*group, *base), tuple(tokens), text)

    def _short(self, base: list[int]) -> list[int]:
        """An object cut down to its noun, for the triple about time, place or manner; the sentence keeps all of it."""
        if len(base) <= _LONG_BASE:
            return base
        if self.tree.child(base[0], {"pobj"}) in base:  # `by the voters of the state` -> `by the voters`, or nothing
            return [] if self.tree.low[base[0]] in _LOOSE else [base[0], *self._short(base[1:])]
        head = next((i for i in base if self.tree.heads[i] not in base), base[-1])
        kept = {"det", "compound", "poss", "nummod", "neg", "case"}
        return [i for i in base if i == head or (self.tree.deps[i] in kept and i < head)][-4:]

    def participial(self, subject: Phrase, verb: int, matrix: int) -> Iterator[Proposition]:
        """`…, earning several awards`: the subject did it too."""
        predicate = self.predicate(verb, set(self.verb_chain(verb)))
        predicate.group = [i for i in predicate.group if i >= verb or self.tree.deps[i] != "mark"]
        past = is_past(self.tree, matrix)
        form = past_of_gerund(self.tree.low[verb]) if past else None
        for found in self.propositions(subject, predicate):
            if form is not None:
                yield found.replace({verb: (Inflected(verb, form),)})
            else:
                yield self.with_auxiliary(found, verb, "was" if past else "is")

    def with_auxiliary(self, found: Proposition, verb: int, auxiliary: str) -> Proposition:
        """Put an auxiliary before a bare participle."""
        return found.replace({verb: (auxiliary, verb)})
