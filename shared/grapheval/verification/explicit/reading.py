"""A text as the explicit comparison reads it: sentences, each a row of comparable words. Texts are read once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from grapheval.context.sentences import split_sentences
from grapheval.context.words import term, words_of
from grapheval.types import Span

_ARTICLES = frozenset({"a", "an", "the"})


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence.

    Args:
        span: Its place in the text.
        words: Its words in lower case, articles left out.
        terms: The same words as they are compared: stemmed, numbers in one form.
        held: The terms as a set.
    """

    span: Span
    words: tuple[str, ...]
    terms: tuple[str, ...]
    held: frozenset[str]


@dataclass(frozen=True, slots=True)
class Reading:
    """A text in sentences.

    Args:
        text: The text.
        sentences: In order; one that is empty where the text has no words.
        held: The terms of all of them.
    """

    text: str
    sentences: tuple[Sentence, ...]
    held: frozenset[str]


@lru_cache(maxsize=512)
def read(text: str) -> Reading:
    """Read a claim or a window."""
    spans = split_sentences(text) or [Span(0, len(text))]
    sentences = tuple(_sentence(text, span) for span in spans)
    return Reading(text, sentences, frozenset().union(*(sentence.held for sentence in sentences)))


def _sentence(text: str, span: Span) -> Sentence:
    return Sentence(span, *_words(span.of(text)))


@lru_cache(maxsize=2048)
def _words(sentence: str) -> tuple[tuple[str, ...], tuple[str, ...], frozenset[str]]:
    """Words, terms and held terms: a sentence is read in its source and again in each window that holds it."""
    words = tuple(word for word in words_of(sentence) if word not in _ARTICLES)
    terms = tuple(map(term, words))
    return words, terms, frozenset(terms)


def joined(reading: Reading) -> Sentence:
    """All sentences of a text as one."""
    words = tuple(word for sentence in reading.sentences for word in sentence.words)
    terms = tuple(key for sentence in reading.sentences for key in sentence.terms)
    return Sentence(Span(0, len(reading.text)), words, terms, reading.held)
