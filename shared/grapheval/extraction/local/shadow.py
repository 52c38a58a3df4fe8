"""Tokens for the parser: quoted titles, code and parentheses are hidden from it, since they mislead it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grapheval.extraction.local.mend import mend
from grapheval.extraction.local.tree import Tree
from grapheval.extraction.local.words import word_set

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from grapheval.extraction.inline import Plain

_QUOTED = re.compile(r"[\"“”]([^\"“”\n]{1,100})[\"”]|(?<!\w)['‘]([A-Z][^'‘’\n]{1,60})['’](?!\w)")
_PAREN = re.compile(r"[ ]?\(([^()]{1,160})\)|[ ]?\[([^\[\]]{1,80})\]")
_TITLE_WORD = re.compile(r"[A-Z0-9]|(?:a|an|the|of|on|in|to|and|or|for|at|by|with|from|is|my|your|n)$|[^\w]*$")
_CLOSING = "\"”'’"
_INNER_MARK = re.compile(rf"(?<=[^{_CLOSING}])[.,;:](?=[{_CLOSING}]$)")
"""A mark right before a closing quotation mark at the end."""
_LONG_WORD = re.compile(r"\S{100,}")
"""The tokenizer takes quadratic time on these; they are no English words."""
_STAND_IN = "Casablanca"
"""What the parser reads in place of a quoted title: one token that it knows as a proper noun."""
_TITLED = word_set(
    "song film movie book novel album show series episode poem play term word phrase article story"
    " single track game painting magazine question ballad hit musical comedy drama expression title"
    " command function method class variable file character sitcom anthem hymn essay report paper"
    " documentary video chapter programme program opera ship"
)
"""Nouns that a title follows: `the song "Yesterday"` is read as one word."""


@dataclass(slots=True)
class Word:
    """A token: what the parser reads, and where it stands in the text."""

    shadow: str
    start: int
    end: int
    space: bool
    masked: bool = False


def shadow_doc(nlp: Language, plain: Plain) -> tuple[Doc, list[Word]]:
    """Tokenize a block; the result goes through the pipeline and then into `to_tree`."""
    from spacy.tokens import Doc

    text = plain.text
    masks = _masks(plain)
    words: list[Word] = []
    position = 0
    for start, end, kind in masks:
        _tokenize(nlp, text, position, start, words)
        named = kind != "paren" and words and words[-1].shadow in _TITLED and words[-1].end + 1 == start
        if words and (named or (kind == "paren" and words[-1].end == start)):
            words[-1].end = end
            words[-1].space = text[end : end + 1] == " "
        else:
            words.append(Word(_STAND_IN, start, end, text[end : end + 1] == " ", masked=True))
        if (
            kind == "quote" and text[end - 2] in ".,;:" and end - start > 3
        ):  # `"Title,"`: for the parser, it stands behind
            words[-1].space = False
            words.append(Word(text[end - 2], end - 2, end - 1, text[end : end + 1] == " "))
        position = end
    _tokenize(nlp, text, position, len(text), words)
    doc = Doc(nlp.vocab, words=[word.shadow for word in words], spaces=[word.space for word in words])
    return doc, words


def _tokenize(nlp: Language, text: str, start: int, end: int, words: list[Word]) -> None:
    if start >= end:
        return
    position = start
    for match in _LONG_WORD.finditer(text, start, end):
        _tokenize_short(nlp, text, position, match.start(), words)
        words.append(Word("x", match.start(), match.end(), text[match.end() : match.end() + 1] == " "))
        position = match.end()
    _tokenize_short(nlp, text, position, end, words)


def _tokenize_short(nlp: Language, text: str, start: int, end: int, words: list[Word]) -> None:
    if start >= end:
        return
    first = len(words)
    for token in nlp.tokenizer(text[start:end]):
        if token.is_space:
            continue
        begin = start + token.idx
        stop = begin + len(token)
        if (
            len(words) - first >= 2
            and words[-1].shadow == "-"
            and words[-1].end == begin
            and words[-2].end == words[-1].start
            and words[-2].shadow[-1:].isalpha()
            and token.text[0].isalpha()
        ):
            words.pop()
            words[-1] = Word(words[-1].shadow + "-" + token.text, words[-1].start, stop, text[stop : stop + 1] == " ")
            continue
        words.append(Word(token.text, begin, stop, text[stop : stop + 1] == " "))


def _masks(plain: Plain) -> list[tuple[int, int, str]]:
    text = plain.text
    found = [(span.start, span.end, "code") for span in plain.code]
    if '"' in text or "“" in text or "'" in text or "‘" in text:
        for match in _QUOTED.finditer(text):
            inner = match[1] or match[2]
            if _is_title(inner):
                found.append((match.start(), match.end(), "quote"))
    if "(" in text or "[" in text:
        for match in _PAREN.finditer(text):
            before = text[match.start() - 1 : match.start()]
            if match.start() and (before.isalnum() or before in "\"'”’%."):
                found.append((match.start(), match.end(), "paren"))
    found.sort()
    kept: list[tuple[int, int, str]] = []
    for mask in found:
        if kept and mask[0] < kept[-1][1]:
            continue
        kept.append(mask)
    return kept


def _is_title(inner: str) -> bool:
    words = inner.split()
    if not words or len(words) > 12:
        return False
    return (
        len(words) == 1
        or (inner[0].isupper() and all(_TITLE_WORD.match(word.strip("()[]'’,")) for word in words))
        or (len(words) <= 3 and inner[-1] not in ".!?")
    )


def _surface(text: str, word: Word) -> str:
    """The words of a token; a quoted title leaves the comma that American style puts inside the quotes."""
    surface = text[word.start : word.end]
    return _INNER_MARK.sub("", surface) if surface[-1:] in _CLOSING else surface


def to_tree(doc: Doc, words: list[Word], text: str) -> Tree:
    """Copy a parsed document into a `Tree`."""
    surfaces = [_surface(text, word) for word in words]
    tags = [token.tag_ for token in doc]
    deps = [token.dep_ for token in doc]
    heads = [token.head.i for token in doc]
    mend([surface.lower() for surface in surfaces], tags, deps, heads)
    return Tree(
        words=surfaces,
        starts=[word.start for word in words],
        ends=[word.end for word in words],
        tags=tags,
        deps=deps,
        heads=heads,
        sentences=[(sent.start, sent.end) for sent in doc.sents],
        masked=frozenset(index for index, word in enumerate(words) if word.masked),
        text=text,
    )
