"""Who is meant: pronouns, surnames and `the company`, where only one earlier mention fits."""

from __future__ import annotations

from dataclasses import dataclass, field

from grapheval.extraction.local import words as w
from grapheval.extraction.local.phrases import render
from grapheval.extraction.local.tree import Tree
from grapheval.extraction.local.words import word_set

_MENTION_DEPS = word_set("nsubj nsubjpass dobj pobj attr appos conj ROOT oprd dative")
_PLACE_PREPOSITIONS = word_set("in at to from near into across within through")
_NOT_PERSON = word_set(
    "university college school institute company inc corporation corp ltd group party league club"
    " team band church city town river lake mountain mount island county district state states kingdom"
    " republic empire union court act treaty war battle agency department ministry museum library"
    " hospital award prize cup bowl stadium street road avenue building tower bridge station airport"
    " park times post network television radio records films studios series show season episode film"
    " movie album song book novel country village province region ocean sea system language"
)
_PERSON_NOUNS = word_set(
    "man woman boy girl person actor actress singer musician writer author poet novelist scientist"
    " physicist chemist politician president minister king queen prince princess emperor pope player"
    " footballer athlete coach director producer composer artist painter sculptor architect engineer"
    " lawyer judge doctor nurse teacher professor student philosopher historian mathematician"
    " economist journalist businessman businesswoman entrepreneur founder ceo chairman general soldier"
    " officer captain leader mother father son daughter brother sister wife husband character"
    " detective mayor governor senator explorer inventor comedian rapper guitarist drummer dancer"
    " model host chef"
)
_FEMALE = word_set(
    "she her woman girl actress queen princess mother daughter sister wife businesswoman mrs ms miss lady"
)
_MALE = word_set("he his him man boy king prince father son brother husband businessman mr sir lord pope")


_LONGEST_SENTENCE = 200
_MEMORY = 300
"""Mentions that are kept: nobody refers back further, and time stays linear."""


@dataclass(slots=True)
class Mention:
    """Something that the answer has spoken of."""

    text: str
    noun: str
    plural: bool
    name: bool
    person: bool | None
    """None = it may be one."""
    words: tuple[str, ...]
    sentence: int
    subject: bool
    gender: str = ""


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
            if end - start > _LONGEST_SENTENCE:
                self.sentence += 1
                continue
            for index in range(start, end):
                self._resolve_token(tree, index, start, names)
            self._remember(tree, start, end, names)
            del self.mentions[:-_MEMORY]
            self.sentence += 1
        return names

    def introduce(self, name: str) -> None:
        """A list item's label: what the item's sentences speak of."""
        words = tuple(name.split())
        if name[:1].isupper() and len(words) <= 6 and "," not in name:
            self.mentions.append(Mention(name, words[-1].lower(), False, True, None, words, self.sentence, True))
            self.sentence += 1

    # ---------------------------------------------------------------------------------------------- resolving

    def _resolve_token(self, tree: Tree, index: int, start: int, names: dict[int, str]) -> None:
        tag, low = tree.tags[index], tree.low[index]
        if tag in {"PRP", "PRP$"}:
            found = self._pronoun(tree, index, start)
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
            if len(full) == 1 and index not in tree.masked:
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
        return text if 0 < len(text.split()) <= 8 else ""

    def _pronoun(self, tree: Tree, index: int, start: int) -> Mention | None:
        low = tree.low[index]
        if low in {"it", "its"}:
            fits = [m for m in self._recent() if not m.plural and m.person is not True]
        elif low in w.PERSON_PRONOUNS and low not in {"hers", "himself", "herself"}:
            gender = "f" if low in _FEMALE else "m"
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
            return None
        subjects = [m for m in fits if m.subject and m.sentence == self.sentence - 1]
        if low in w.PERSON_PRONOUNS:
            near = [m for m in fits if m.sentence == self.sentence - 1] or fits
            return near[-1] if len({m.text for m in near}) == 1 else None
        if len({m.text for m in subjects}) == 1:
            return subjects[0]
        return fits[-1] if len({m.text for m in fits}) == 1 and low not in {"they", "them", "their"} else None

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
            if tree.deps[index] not in _MENTION_DEPS or not (
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
                gender = "f" if tree.low[index] in _FEMALE else "m" if tree.low[index] in _MALE else known.gender
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
            return
        text = render(tree, tuple(tokens), names)
        if not name and tree.tags[tokens[0]] == "DT" and tree.low[tokens[0]] in {"a", "an"}:
            text = "the " + text.split(" ", 1)[-1]
        elif not name and text[:1].isupper() and not tree.is_name(tokens[0]) and tokens[0] not in names:
            text = text[0].lower() + text[1:]
        words = tuple(text.split())
        known = next((m for m in reversed(self.mentions) if m.text == text), None)
        person = known.person if known and known.person is not None else self._person(tree, index, tokens, name)
        gender = (known.gender if known else "") or _gender(tree, tokens)
        self.mentions.append(
            Mention(text, tree.low[index], plural, name, person, words, self.sentence, subject, gender)
        )

    def _is_subject(self, tree: Tree, index: int) -> bool:
        if tree.deps[index] == "ROOT":
            return True
        head = tree.heads[index]
        return tree.deps[index] in {"nsubj", "nsubjpass"} and tree.deps[head] in {"ROOT", "conj", "ccomp"}

    def _person(self, tree: Tree, index: int, tokens: list[int], name: bool) -> bool | None:
        lows = {tree.low[i] for i in tokens}
        if tree.low[index] in _PERSON_NOUNS:
            return True
        if lows & _NOT_PERSON or not name or index in tree.masked:
            return False
        if tree.tags[tokens[0]] == "DT" or "of" in lows:
            return bool(lows & _PERSON_NOUNS) or False
        if any(tree.low[i] in _PERSON_NOUNS for i in tokens[:-1]):
            return True
        attr = (
            next((k for k in tree.children(tree.heads[index], {"attr"})), None)
            if tree.deps[index] == "nsubj"
            else tree.child(index, {"appos"})
        )
        if attr is not None and tree.tags[attr] == "NN":
            return tree.low[attr] in _PERSON_NOUNS or tree.low[attr].endswith(("ist", "ician"))
        if tree.deps[index] == "pobj" and tree.low[tree.heads[index]] in _PLACE_PREPOSITIONS:
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


def _gender(tree: Tree, tokens: list[int]) -> str:
    lows = {tree.low[i].strip(".") for i in tokens}
    if lows & _FEMALE:
        return "f"
    return "m" if lows & _MALE else ""


def possessive(text: str) -> str:
    """`Oslo` -> `Oslo's`."""
    return text + ("'" if text.endswith("s") else "'s")
