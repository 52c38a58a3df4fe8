"""Who is meant: pronouns, surnames and `the company`, where only one earlier mention fits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from grapheval.extraction.local import words as w
from grapheval.extraction.local.mentions import (
    FEMALE,
    LISTING,
    LONGEST_DEFINITE,
    LONGEST_SENTENCE,
    LONGEST_SUBJECT,
    MALE,
    MEMORY,
    MENTION_DEPS,
    NOT_PERSON,
    PERSON_NOUNS,
    PLACE_PREPOSITIONS,
    Mention,
    State,
    agrees,
    gender_of,
    possessive,
)
from grapheval.extraction.local.phrases import render
from grapheval.extraction.local.tree import Tree


@dataclass(slots=True)
class Discourse:
    """What one answer has spoken of so far."""

    mentions: list[Mention] = field(default_factory=list)
    kinds: dict[str, set[str]] = field(default_factory=dict)
    """Names by the noun that says what they are: `film` -> {`Heat`}."""
    sentence: int = 0

    def resolve(self, tree: Tree) -> dict[int, str]:
        """Read a tree; return the text of every token that stands for something named earlier.

        A replaced phrase of several tokens has its text at the head and "" at the others.
        """
        names: dict[int, str] = {}
        for start, end in tree.sentences:
            if end - start > LONGEST_SENTENCE:
                self.sentence += 1
                continue
            for index in range(start, end):
                self._resolve_token(tree, index, start, names)
            self._remember(tree, start, end, names)
            del self.mentions[:-MEMORY]
            self.sentence += 1
        return names

    def introduce(self, name: str) -> None:
        """A list item's label: what the item's sentences speak of."""
        words = tuple(name.split())
        if name[:1].isupper() and len(words) <= 6 and "," not in name:
            self.mentions.append(Mention(name, words[-1].lower(), False, True, None, words, self.sentence, True))
            self.sentence += 1

    def state(self) -> State:
        """What has been spoken of so far, to come back to with `back_at`."""
        return list(self.mentions), self.sentence

    @contextmanager
    def back_at(self, state: State | None) -> Iterator[None]:
        """Read on as if what came after `state` had not been said; what is said meanwhile is remembered."""
        if state is None:
            yield
            return
        later, sentence = self.mentions, self.sentence
        known = {id(mention) for mention in state[0]}
        self.mentions, self.sentence = list(state[0]), state[1]
        yield
        self.mentions = [*later, *(m for m in self.mentions if id(m) not in known)]
        self.sentence = max(sentence, self.sentence)

    # ---------------------------------------------------------------------------------------------- resolving

    def _resolve_token(self, tree: Tree, index: int, start: int, names: dict[int, str]) -> None:
        tag, low = tree.tags[index], tree.low[index]
        if tag in {"PRP", "PRP$"}:
            found = self._pronoun(tree, index, start, names)
            if found is not None:
                names[index] = possessive(found.text) if tag == "PRP$" else found.text
            return
        if (
            tag in {"NNP", "NNPS"}
            and tree.deps[index] != "compound"
            and not tree.children(index, {"compound", "det", "amod", "nmod"})
        ):
            full = {
                m.text
                for m in self.mentions
                if m.name
                and len(m.words) > 1
                and m.words[-1] == tree.words[index]
                and "," not in m.text
                and m.person is not False
            }
            alone = any(m.name and m.text == tree.words[index] for m in self.mentions)
            if len(full) == 1 and index not in tree.masked and not alone:
                names[index] = full.pop()
            return
        if tag == "NN":
            kids = tree.kids[index]
            if len(kids) == 1 and tree.low[kids[0]] in {"the", "this"} and kids[0] == index - 1:
                text = self._definite(low)
                if text:
                    names[index] = text
                    names[kids[0]] = ""

    def _definite(self, noun: str) -> str:
        known = self.kinds.get(noun, set())
        if len(known) == 1:
            return next(iter(known))
        if known:
            return ""
        full = {m.text for m in self.mentions if not m.name and m.noun == noun and not m.plural and len(m.words) > 1}
        text = full.pop() if len(full) == 1 else ""
        return text if 0 < len(text.split()) <= LONGEST_DEFINITE else ""

    def _pronoun(self, tree: Tree, index: int, start: int, names: dict[int, str]) -> Mention | None:
        low = tree.low[index]
        if low in {"it", "its"}:
            fits = [m for m in self._recent() if not m.plural and m.person is not True]
        elif low in w.PERSON_PRONOUNS and low not in {"hers", "himself", "herself"}:
            gender = "f" if low in FEMALE else "m"
            fits = [
                m
                for m in self._recent(3)
                if not m.plural and m.person is not False and m.name and m.gender in {"", gender}
            ]
        elif low in {"they", "their", "them"}:
            fits = [m for m in self._recent() if m.plural]
        else:
            return None
        if self._has_own_antecedent(tree, index, start, low):
            return self._subject_of_sentence(tree, index, names)
        subjects = [m for m in fits if m.subject and m.sentence == self.sentence - 1]
        if low in w.PERSON_PRONOUNS:
            near = [m for m in fits if m.sentence == self.sentence - 1] or fits
            return near[-1] if len({m.text for m in near}) == 1 else None
        if len({m.text for m in subjects}) == 1:
            return subjects[0]
        return fits[-1] if len({m.text for m in fits}) == 1 and low not in {"they", "them", "their"} else None

    def _subject_of_sentence(self, tree: Tree, index: int, names: dict[int, str]) -> Mention | None:
        """`Anna lives in Oslo, and she …`: the subject of the clause before, where nothing else agrees."""
        clause = tree.heads[index]
        if tree.deps[index] not in {"nsubj", "nsubjpass"} or tree.deps[clause] not in {"conj", "advcl"}:
            return None
        verb = tree.heads[clause]
        subject = tree.child(verb, {"nsubj", "nsubjpass"})
        while subject is None and tree.deps[verb] == "conj":
            verb = tree.heads[verb]
            subject = tree.child(verb, {"nsubj", "nsubjpass"})
        if subject is None or subject > index:
            return None
        if tree.tags[subject] == "PRP":
            known = names.get(subject, "")
            same = tree.low[subject] == tree.low[index]
            return next((m for m in reversed(self.mentions) if m.text == known), None) if same else None
        mention = self._read(tree, subject, names)
        if mention is None or len(mention.words) > LONGEST_SUBJECT or not agrees(tree.low[index], mention):
            return None
        if tree.deps[clause] == "advcl":
            for other in range(subject + 1, index):
                if tree.deps[other] in {"dobj", "pobj", "appos", "conj"} and other not in tree.subtree(subject):
                    rival = self._read(tree, other, names)
                    if rival is not None and agrees(tree.low[index], rival):
                        return None
        return mention

    def _recent(self, sentences: int = 1) -> list[Mention]:
        return [m for m in self.mentions if m.sentence >= self.sentence - sentences]

    def _has_own_antecedent(self, tree: Tree, index: int, start: int, low: str) -> bool:
        """Whether the sentence itself names someone before the pronoun, or `it` stands for nothing."""
        if low == "it" and tree.deps[index] in {"nsubj", "nsubjpass"}:
            verb = tree.heads[index]
            if tree.child(verb, {"ccomp", "csubj"}) is not None or any(
                tree.deps[k] == "acomp" and tree.child(k, {"ccomp", "xcomp"}) is not None for k in tree.kids[verb]
            ):
                return True
            if (
                any(tree.deps[k] == "xcomp" and tree.tags[k] == "VB" for k in tree.kids[verb])
                and tree.low[verb] in w.BE
            ):
                return True
        if low in {"it", "its"} and tree.deps[index] not in {"nsubj", "nsubjpass"}:
            own = any(tree.tags[b] in {"NN", "NNP"} and tree.deps[b] != "compound" for b in range(start, index))
            if own:
                return True
        plural = low in {"they", "their", "them"}
        for before in range(start, index):
            if (
                tree.deps[before] in {"nsubj", "nsubjpass"}
                and tree.is_noun(before)
                and tree.tags[before] not in {"PRP", "WP", "WDT", "EX", "DT"}
            ):
                many = tree.tags[before] in {"NNS", "NNPS"} or tree.child(before, {"conj"}) is not None
                if many == plural:
                    return True
        return (
            low in {"its", "their", "his", "her"}
            and tree.deps[tree.heads[index]] not in {"nsubj", "nsubjpass"}
            and any(tree.deps[b] in {"nsubj", "nsubjpass"} for b in range(start, index))
        )

    # -------------------------------------------------------------------------------------------- remembering

    def _remember(self, tree: Tree, start: int, end: int, names: dict[int, str]) -> None:
        for index in range(start, end):
            if tree.deps[index] not in MENTION_DEPS or not (
                tree.tags[index].startswith("NN") or index in tree.masked or tree.tags[index] == "PRP"
            ):
                continue
            if tree.deps[index] == "conj" and not tree.is_name(index):
                continue
            self._mention(tree, index, names)
            if tree.deps[index] in {"attr", "appos"}:
                self._kind(tree, index, names)

    def _mention(self, tree: Tree, index: int, names: dict[int, str]) -> None:
        if tree.tags[index] == "PRP":
            if index not in names:
                return
            known = next((m for m in reversed(self.mentions) if m.text == names[index]), None)
            if known is not None:
                gender = "f" if tree.low[index] in FEMALE else "m" if tree.low[index] in MALE else known.gender
                person = True if gender else known.person
                self.mentions.append(
                    Mention(
                        known.text,
                        known.noun,
                        known.plural,
                        known.name,
                        person,
                        known.words,
                        self.sentence,
                        self._is_subject(tree, index),
                        gender,
                    )
                )
            return
        mention = self._read(tree, index, names)
        if mention is not None and mention.noun not in LISTING:
            self.mentions.append(mention)

    def _read(self, tree: Tree, index: int, names: dict[int, str]) -> Mention | None:
        """A noun with what belongs to it, as a mention; None if it cannot be named by itself."""
        if not (tree.tags[index].startswith("NN") or index in tree.masked):
            return None
        name = tree.is_name(index) or index in tree.masked
        drop = {k for n in tree.subtree(index) for k in tree.kids[n] if tree.deps[k] in {"relcl", "acl", "appos"}}
        subject = self._is_subject(tree, index)
        if not subject or tree.deps[index] == "conj":
            drop |= {k for k in tree.kids[index] if tree.deps[k] in {"conj", "cc"}}
        plural = tree.tags[index] in {"NNS", "NNPS"} and not (
            name and tree.tags[index] == "NNPS" and tree.low[index - 1] != "the"
        )
        if name:
            drop |= {k for k in tree.kids[index] if tree.deps[k] == "prep" and tree.low[k] != "of"}
        if any(tree.deps[k] == "conj" and k not in drop for k in tree.kids[index]):
            plural = True
        tokens = tree.trim(tree.subtree(index, drop))
        if any(tree.tags[i] in {"PRP", "PRP$"} and i not in names for i in tokens) or len(tokens) > 10 or not tokens:
            return None
        text = render(tree, tuple(tokens), names)
        if not name and tree.tags[tokens[0]] == "DT" and tree.low[tokens[0]] in {"a", "an"}:
            text = "the " + text.split(" ", 1)[-1]
        elif not name and text[:1].isupper() and not tree.is_name(tokens[0]) and tokens[0] not in names:
            text = text[0].lower() + text[1:]
        words = tuple(text.split())
        known = next((m for m in reversed(self.mentions) if m.text == text), None)
        person = known.person if known and known.person is not None else self._person(tree, index, tokens, name)
        gender = (known.gender if known else "") or gender_of(tree, tokens)
        return Mention(text, tree.low[index], plural, name, person, words, self.sentence, subject, gender)

    def _is_subject(self, tree: Tree, index: int) -> bool:
        if tree.deps[index] == "ROOT":
            return True
        head = tree.heads[index]
        return tree.deps[index] in {"nsubj", "nsubjpass"} and tree.deps[head] in {"ROOT", "conj", "ccomp"}

    def _person(self, tree: Tree, index: int, tokens: list[int], name: bool) -> bool | None:
        lows = {tree.low[i] for i in tokens}
        if tree.low[index] in PERSON_NOUNS:
            return True
        if lows & NOT_PERSON or not name or index in tree.masked:
            return False
        if tree.tags[tokens[0]] == "DT" or "of" in lows:
            return bool(lows & PERSON_NOUNS) or False
        if any(tree.low[i] in PERSON_NOUNS for i in tokens[:-1]):
            return True
        attr = (
            next((k for k in tree.children(tree.heads[index], {"attr"})), None)
            if tree.deps[index] == "nsubj"
            else tree.child(index, {"appos"})
        )
        if attr is not None and tree.tags[attr] == "NN":
            return tree.low[attr] in PERSON_NOUNS or tree.low[attr].endswith(("ist", "ician"))
        if tree.deps[index] == "pobj" and tree.low[tree.heads[index]] in PLACE_PREPOSITIONS:
            return False
        return None

    def _kind(self, tree: Tree, index: int, names: dict[int, str]) -> None:
        """Remember that `X is a film` or `X, a film,`."""
        if tree.tags[index] != "NN":
            return
        head = tree.heads[index]
        named = tree.child(head, {"nsubj"}) if tree.deps[index] == "attr" else head
        if named is None or not (tree.is_name(named) or named in tree.masked or names.get(named, "")[:1].isupper()):
            return
        drop = {k for k in tree.kids[named] if tree.deps[k] in {"appos", "relcl", "acl", "conj", "cc", "prep"}}
        text = render(tree, tuple(tree.trim(tree.subtree(named, drop))), names)
        self.kinds.setdefault(tree.low[index], set()).add(text)
