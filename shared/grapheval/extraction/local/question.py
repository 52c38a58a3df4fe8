"""Question + short answer -> a statement."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grapheval.extraction.local import words as w
from grapheval.extraction.local.inflect import past, third_person
from grapheval.extraction.local.phrases import render
from grapheval.extraction.local.tree import Tree
from grapheval.extraction.local.words import word_set

_WH = word_set("what who whom which where when how why whose")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")
"""Control characters and marks without a width."""
_QUESTION_WORD = re.compile(r"\w+(?:['’]\w+)?")
_AUX = word_set("do does did is are was were am can could will would should shall may might must has have had")
_YES = re.compile(
    r"(?:yes|yeah|yep|correct|true|right|indeed|absolutely|certainly|of course)\b[\s,.!]*$", re.IGNORECASE
)
_NO = re.compile(r"(?:no|nope|false|incorrect|wrong|not at all|never)\b[\s,.!]*$", re.IGNORECASE)
_PREPOSITIONS = word_set(
    "in on at from to by with for since until during near within between around before after about"
    " through under over of into because due as via"
)
_MEASURED = word_set("tall high long wide deep old thick heavy far away")
_POLITE = re.compile(
    r"^(?:(?:please|hi|hello|hey|so|and|ok|okay|well)[,!]?\s+)*"
    r"(?:(?:can|could|would)\s+you\s+(?:please\s+)?(?:tell|explain\s+to)\s+me\s+|(?:do\s+you\s+know|tell\s+me|i\s+want\s+to\s+know)\s+)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A question turned into a statement around its answer.

    Args:
        before: Text before the answer.
        after: Text behind it.
        polarity: For yes/no questions the whole statement is in `before`.
    """

    before: str
    after: str = ""
    polarity: bool = False


def clean_question(question: str) -> str:
    """Without politeness around it."""
    text = " ".join(_UNSEEN.sub(" ", question).split())
    shorter = _POLITE.sub("", text)
    return shorter[:1].upper() + shorter[1:] if shorter else text


def is_question_like(question: str) -> bool:
    """Whether a question has two words at least: one alone (`q`, `what`) asks nothing that an answer completes."""
    return len(_QUESTION_WORD.findall(question)) > 1


def is_yes(answer: str) -> bool:
    """Whether an answer is a bare yes."""
    return _YES.match(answer.strip()) is not None


def is_no(answer: str) -> bool:
    """Whether an answer is a bare no."""
    return _NO.match(answer.strip()) is not None


def to_statement(tree: Tree, answer: str) -> Statement | None:
    """Build a statement.

    Args:
        tree: The parsed question.
        answer: The short answer, without a final full stop.

    Returns:
        The statement, or None for questions of a form that is not known.
    """
    if not tree.sentences:
        return None
    start, end = tree.sentences[-1]
    tokens = [i for i in range(start, end) if tree.tags[i] not in {".", "_SP"}]
    if len(tokens) < 2:
        return None
    if is_yes(answer) or is_no(answer):
        return _polar(tree, tokens, positive=is_yes(answer))
    wh = next((i for i in tokens if tree.low[i] in _WH), None)
    if wh is None:
        return None
    if tree.low[tokens[-1]] in w.BE and wh == tokens[0] and len(tokens) > 3 and tree.low[tokens[1]] not in _AUX:
        return Statement(render(tree, tuple(tokens[1:])))  # (tell me) what the capital is
    return _wh_statement(tree, tokens, wh, answer)


def _polar(tree: Tree, tokens: list[int], *, positive: bool) -> Statement | None:
    """`Does X sell Y?` + no -> `X does not sell Y`."""
    aux = tokens[0]
    if tree.low[aux] not in _AUX:
        return None
    subject = _subject(tree, tokens[1:], needs_verb=tree.low[aux] in {"do", "does", "did"})
    if not subject:
        return None
    rest = [i for i in tokens[1:] if i not in subject]
    words = render(tree, tuple(subject))
    low = tree.low[aux]
    if positive and low in {"do", "does", "did"} and rest:
        verb = tree.low[rest[0]]
        inflected = {"do": verb, "does": third_person(verb), "did": past(verb)}[low]
        return Statement(_join(words, inflected, render(tree, tuple(rest[1:]))), polarity=True)
    return Statement(_join(words, low, "" if positive else "not", render(tree, tuple(rest))), polarity=True)


def _before_verb(tree: Tree, tokens: list[int]) -> list[int]:
    """The subject where the parser took the verb for a noun: `did [the bridge] collapse`."""
    run = 0
    while (
        run < len(tokens)
        and tree.tags[tokens[run]] not in {"IN", "TO", ".", ","}
        and (run < 2 or tree.tags[tokens[run]] not in {"DT", "PRP$"})
    ):
        run += 1
    for place in range(run - 1, 0, -1):
        if (
            tree.words[tokens[place]].islower()
            and tree.tags[tokens[place]] in {"NN", "VB", "VBP", "JJ"}
            and tree.is_noun(tokens[place - 1])
        ):
            return tokens[:place]
    return tokens


def _subject(tree: Tree, tokens: list[int], *, needs_verb: bool = False) -> list[int]:
    head = next((i for i in tokens if tree.deps[i] in w.SUBJECTS | {"expl"}), None)
    if head is not None:
        span = tree.subtree(head)
        if span and span[0] == tokens[0] and (span != tokens or not needs_verb):
            return span
        if needs_verb and span == tokens:
            return _before_verb(tree, tokens)
    # the parser did not see it: the first noun phrase
    taken: list[int] = []
    for i in tokens:
        taken.append(i)
        if tree.is_noun(i) and tree.deps[i] != "compound" and tree.low[i] not in {"the", "a", "an", "this", "that"}:
            return _before_verb(tree, tokens) if needs_verb and taken == tokens else taken
        if tree.tags[i] not in {"DT", "JJ", "PRP$", "POS", "CD", "NNP", "NN", "HYPH"}:
            break
    return []


def _wh_statement(tree: Tree, tokens: list[int], wh: int, answer: str) -> Statement | None:
    position = tokens.index(wh)
    preposition = tokens[position - 1] if position and tree.tags[tokens[position - 1]] in {"IN", "TO"} else None
    if position > (1 if preposition is not None else 0) or (position and preposition is None):
        return None
    low = tree.low[wh]
    phrase_end = position + 1
    while (
        phrase_end < len(tokens) and tree.low[tokens[phrase_end]] not in _AUX and not tree.is_verb(tokens[phrase_end])
    ):
        phrase_end += 1
    phrase = tokens[position:phrase_end]
    rest = tokens[phrase_end:]
    if not rest:
        return None
    noun = phrase[1:]
    if low in {"where", "when", "why"} and noun:
        return None
    first = rest[0]
    starts_with_preposition = answer.split(maxsplit=1)[0].lower() in _PREPOSITIONS if answer.split() else False
    lead = ""
    if not starts_with_preposition:
        lead = tree.low[preposition] if preposition is not None else _lead(tree, low, noun, rest, answer)
    if tree.low[first] in _AUX:
        subject = _subject(tree, rest[1:], needs_verb=tree.low[first] in {"do", "does", "did"})
        inverted = bool(subject) and (
            tree.low[first] in {"do", "does", "did"} or len(rest) > 1 + len(subject) or tree.low[first] in w.BE
        )
        if low in {"who", "what", "which"} and tree.low[first] in w.BE and preposition is None:
            return _copular(tree, noun, rest, subject, answer)
        if (
            low in {"who", "what", "which", "how"}
            and not (low == "how" and not noun)
            and tree.low[first] not in {"do", "does", "did"}
            and (tree.deps[phrase[-1]] in w.SUBJECTS or tree.deps[wh] in w.SUBJECTS)
        ):
            return Statement("", _join(*_unit(tree, noun, answer), render(tree, tuple(rest))))
        if inverted:
            return _inverted(tree, low, noun, rest, subject, lead, answer)
        if low in {"who", "what", "which"}:
            return Statement("", render(tree, tuple(rest)))
        return None
    if low in {"who", "what", "which"} or (low == "how" and noun):
        return Statement("", _join(*_unit(tree, noun, answer), render(tree, tuple(rest))))
    return None


def _unit(tree: Tree, noun: list[int], answer: str) -> tuple[str, ...]:
    """`How many moons …` + `Two` -> `Two moons …`."""
    counted = [i for i in noun if tree.low[i] not in {"many", "much"}]
    if len(counted) == len(noun) or not counted or tree.low[counted[-1]] in answer.lower():
        return ()
    return (render(tree, tuple(counted)),)


def _lead(tree: Tree, low: str, noun: list[int], rest: list[int], answer: str) -> str:
    """The preposition that an answer to where, when, why needs."""
    if low == "when" or (
        low in {"what", "which"} and noun and tree.low[noun[-1]] in {"year", "month", "century", "decade"}
    ):
        return (
            "on"
            if re.search(r"\b\d{1,2}(?:st|nd|rd|th)?\b", re.sub(r"\b\d{4}\b", "", answer)) or _names_weekday(answer)
            else "in"
        )
    if low in {"what", "which"} and noun and tree.low[noun[-1]] in {"day", "date"}:
        return "on"
    if low == "where":
        return "" if tree.low[rest[-1]] in _PREPOSITIONS else "in"
    if low == "why":
        return "" if answer.lower().startswith(("to ", "because", "due")) else "because of"
    return ""


def _names_weekday(answer: str) -> bool:
    """Whether an answer names a day of the week."""
    words = {word.strip(",").lower() for word in answer.split()}
    return any(word in w.TIME_NOUNS and word.endswith("day") and word not in {"day", "today"} for word in words)


def _copular(tree: Tree, noun: list[int], rest: list[int], subject: list[int], answer: str) -> Statement | None:
    """`What is the capital of Norway?` -> `The capital of Norway is …`."""
    verb = tree.words[rest[0]].lower()
    others = rest[1:]
    if noun and others and not any(tree.is_verb(i) for i in others):
        return Statement(_join(render(tree, tuple(others)), verb))
    if noun:
        return Statement("", _join(verb, render(tree, tuple(others))))
    if others and (tree.is_verb(others[0]) or tree.low[others[0]] in {"not"}):
        return Statement("", _join(verb, render(tree, tuple(others))))
    tail = [i for i in others if i not in subject]
    if subject and tail and (tree.is_verb(tail[0]) or tree.tags[tail[0]] in {"JJ"}):  # What is X called / made of?
        return Statement(_join(render(tree, tuple(subject)), verb, render(tree, tuple(tail))))
    return Statement(_join(render(tree, tuple(others)), verb)) if others else None


def _inverted(
    tree: Tree, low: str, noun: list[int], rest: list[int], subject: list[int], lead: str, answer: str
) -> Statement:
    aux = tree.low[rest[0]]
    tail = [i for i in rest[1:] if i not in subject]
    words = render(tree, tuple(subject))
    if aux in {"do", "does", "did"} and tail:
        verb = tree.low[tail[0]]
        head = _join(words, {"do": verb, "does": third_person(verb), "did": past(verb)}[aux])
        tail = tail[1:]
    else:
        head = _join(words, aux)
        if tail and tree.is_verb(tail[0]):
            head = _join(head, tree.words[tail[0]])
            tail = tail[1:]
    unit = _unit(tree, noun, answer)
    if (
        low == "how"
        and noun
        and tree.low[noun[-1]] in _MEASURED
        and tree.low[noun[-1]] not in answer.lower()
        and aux in w.BE
        and not tail
    ):
        bare = re.fullmatch(r"[\d.,]+", answer.strip()) is not None
        unit = ("years old",) if bare and tree.low[noun[-1]] == "old" else () if bare else (tree.low[noun[-1]],)
    if tail and tree.tags[tail[-1]] in {"IN", "TO"} and tree.low[tail[-1]] in _PREPOSITIONS:
        return Statement(_join(head, render(tree, tuple(tail)), lead), _join(*unit))
    after = render(tree, tuple(tail))
    if low in {"what", "which", "who", "whom", "how"} and not lead:
        return Statement(head, _join(*unit, after))
    return Statement(_join(head, after, lead), _join(*unit))


_LOWERED = word_set(
    "the a an because in on at from to by with for since until during about around approximately over"
    " under within near due his her its their one two three four five six seven eight nine ten eleven"
    " twelve twenty hundreds thousands millions"
)


def inside(answer: str) -> str:
    """A short answer as it stands within a sentence: `The light bulb` -> `the light bulb`."""
    first, _, rest = answer.partition(" ")
    return f"{first.lower()} {rest}".strip() if first.lower() in _LOWERED else answer


def _join(*parts: str) -> str:
    return " ".join(part for part in parts if part)
