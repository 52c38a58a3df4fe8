"""What the sources do not support, taken out: a phrase, a clause, a sentence, leaving grammatical text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from grapheval.correction.edits import Change
from grapheval.correction.evidence.answer import Piece
from grapheval.correction.evidence.reading import Sentence
from grapheval.extraction.local.words import BE, COMPLEX
from grapheval.types import Span, Verdict

PRONOUNS: Final = frozenset(
    "he she it they him them his her its their this that these those".split()  # noqa: SIM905
)
_ASIDE = frozenset({"relcl", "acl", "appos", "advcl"})
_MOVABLE = frozenset({"prep", "npadvmod", "advmod", "agent"})
_MUST_STAY = frozenset({"of", "than", "as", "to"})
_LINE = re.compile(r"[^\n]*(?:\n|\Z)")
_ITEM_MARK = re.compile(r"[ \t>]*(?:[-*+•‣◦▪–]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+(?:\[[ xX]\][ \t]+)?$")


def without_phrase(sentence: Sentence, bad: Sequence[int]) -> list[Change]:
    """The smallest part of a sentence that holds some tokens and can be cut out; [] if there is none.

    Args:
        sentence: A sentence of the answer.
        bad: The tokens that the sources do not support.
    """
    tree = sentence.tree
    wanted = set(bad)
    if not wanted:
        return []
    best: tuple[int, int] | None = None
    for index in range(len(tree)):
        below = tree.subtree(index)
        if not wanted <= set(below) or below[-1] - below[0] + 1 != len(below) or not _removable(sentence, index, below):
            continue
        if best is None or below[-1] - below[0] < best[1] - best[0]:
            best = (below[0], below[-1])
    if best is None or (best[0] == 0 and best[1] >= len(tree) - 2):
        return []
    return [_cut(sentence, best[0], best[1])]


def _removable(sentence: Sentence, index: int, below: Sequence[int]) -> bool:
    """Whether a sentence stays grammatical, and true where it was, without a word and all below it."""
    tree = sentence.tree
    dep, head = tree.deps[index], tree.heads[index]
    if head == index or len(below) > 0.7 * len(tree):
        return False
    if dep in _ASIDE:
        return index > head or dep == "advcl"
    if dep == "conj":
        return tree.is_verb(index) and tree.is_verb(head) and index > head and below[0] > head
    if dep in {"amod", "nmod", "compound"} and index < head:
        names = {i for start, end, _ in sentence.entities for i in range(start, end)}
        return head not in names or head - 1 not in names  # not one word of a name
    if dep not in _MOVABLE or tree.low[index] in _MUST_STAY or tree.low[index] in COMPLEX:
        return False
    if dep == "npadvmod" and not tree.is_verb(head):
        return False
    if dep == "advmod":
        return tree.low[index] not in {"not", "n't", "never", "when", "where", "how", "why"} and len(below) == 1
    if tree.is_verb(head) or tree.low[head] in BE:
        others = [
            k for k in tree.kids[head] if k != index and tree.deps[k] in {"dobj", "attr", "acomp", "prep", "ccomp"}
        ]
        passive = tree.child(head, {"auxpass"}) is not None
        if tree.low[head] in BE and not any(tree.deps[k] in {"attr", "acomp"} for k in others):
            return False
        time = any(tree.low[i][:1].isdigit() for i in below)
        return bool(others) or passive or time
    return True


def _cut(sentence: Sentence, first: int, last: int) -> Change:
    """Take tokens out with the comma or conjunction that joined them, and the space on one side."""
    tree, text = sentence.tree, sentence.text
    while first > 1 and tree.low[first - 1] in {"and", "but", "who", "which"}:
        first -= 1
    before, after = tree.low[first - 1] if first else "", tree.low[last + 1] if last + 1 < len(tree) else ""
    if before in {",", "–", "—", "("} and after in {",", "–", "—", ")", ".", ";"}:
        first -= 1
        if after in {",", "–", "—", ")"}:
            last += 1
    elif not before and after == ",":
        last += 1
    start, end = tree.starts[first], tree.ends[last]
    if start == 0:
        while end < len(text) and text[end] == " ":
            end += 1
        rest = text[end : end + 1]
        return Change(start, end + 1, rest.upper()) if rest else Change(start, end, "")
    while start > 0 and text[start - 1] == " ":
        start -= 1
    return Change(start, end, "")


def without_piece(answer: str, piece: Piece) -> Change | None:
    """The answer without one of its sentences; None for a heading, a table's cell, or the line above a list.

    Args:
        answer: The answer.
        piece: The sentence.
    """
    if piece.kind in {"heading", "row"} or piece.plain.text.endswith(":"):
        return None
    start, end = _with_markup(answer, piece.span)
    line_start = answer.rfind("\n", 0, start) + 1
    line_end = answer.find("\n", end)
    line_end = len(answer) if line_end < 0 else line_end
    head, tail = answer[line_start:start], answer[end:line_end]
    only = not tail.strip() and (not head.strip() or _ITEM_MARK.fullmatch(head) is not None)
    if only:
        if line_end < len(answer):
            stop = line_end + 1
            if not head.strip():  # a paragraph goes with the blank line behind it
                while stop < len(answer) and answer[stop] == "\n":
                    stop += 1
            return Change(line_start, stop, "")
        begin = line_start
        while begin > 0 and answer[begin - 1] in "\n ":
            begin -= 1
        return Change(begin, line_end, "")
    if tail.strip():
        while end < line_end and answer[end] in " \t":
            end += 1
        return Change(start, end, "")
    while start > line_start and answer[start - 1] in " \t":
        start -= 1
    return Change(start, end, "")


def _with_markup(answer: str, span: Span) -> Span:
    """A sentence with the emphasis marks and citations around it."""
    start, end = span
    marks = re.compile(r"(?:[ \t]*\[\^?\d{1,3}(?:,\s*\d{1,3})*\])+|[*_~]+")
    while (found := marks.match(answer, end)) is not None and found.end() > end:
        end = found.end()
    while start > 0 and answer[start - 1] in "*_~":
        start -= 1
    opened = answer[start : span.start]
    closed = answer[span.end : end]
    if opened and not closed.endswith(opened[::-1]):
        start = span.start
    return Span(start, end)


def renamed(answer: str, dropped: Sequence[Piece], following: Piece, verdicts: Sequence[Verdict]) -> Change | None:
    """The name for the pronoun with which a sentence begins, where its antecedent was dropped.

    Args:
        answer: The answer.
        dropped: The sentences that are dropped right before.
        following: The sentence that follows.
        verdicts: The claims of the answer, with their pronouns resolved.
    """
    first = re.match(r"\w+", following.plain.text)
    if first is None or first[0].lower() not in PRONOUNS:
        return None
    for verdict in verdicts:
        place, triple = verdict.claim.parts.subject, verdict.claim.triple
        if place is None or triple is None or place.start != following.span.start:
            continue
        old, new = place.of(answer), triple.subject
        if new.split()[0].lower() in PRONOUNS or old == new:
            return None
        names = {word for word in re.findall(r"\w+", new) if word[:1].isupper()}
        words = {word for piece in dropped for word in re.findall(r"\w+", piece.plain.text)}
        if names and names <= words:
            return Change(place.start, place.end, new[:1].upper() + new[1:])
    return None
