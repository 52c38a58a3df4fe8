"""Parsed units -> claims."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

from grapheval.extraction.local import words as w
from grapheval.extraction.local.coordination import conjuncts
from grapheval.extraction.local.coref import Discourse
from grapheval.extraction.local.intro import is_open, read_intro
from grapheval.extraction.local.mentions import State
from grapheval.extraction.local.phrases import Phrase, Proposition, Quoted, indices, render, sentence_case
from grapheval.extraction.local.question import inside, is_no, is_yes, to_statement
from grapheval.extraction.local.sentences import SentenceReader, is_question
from grapheval.extraction.local.tree import Tree
from grapheval.extraction.local.units import Unit
from grapheval.types import Claim, Span, Triple, TripleParts

_LONGEST_SENTENCE = 200
"""Tokens; what is longer is a list or noise and is cut into sentence-level claims of `_PIECE` tokens."""
_PIECE = 60
_EMPTY = TripleParts()
_FOREIGN_SENTENCE = re.compile(r"[^.!?。！？؟।]+[.!?。！？؟।]*")


class AnswerReader:
    """Turns the units of one answer into claims.

    Args:
        question: The parsed question and its text, if there is one.
    """

    def __init__(self, question: tuple[str, Tree] | None = None) -> None:
        self.question = question
        self.discourse = Discourse()
        self.units: list[Unit] = []
        self.trees: list[Tree | None] = []
        self.names: list[dict[int, str]] = []
        self.claims: list[Claim] = []
        self._seen: set[str] = set()
        self._introduced: dict[int | None, State] = {}
        if question is not None:
            self.discourse.resolve(question[1])

    def add(self, unit: Unit, tree: Tree | None) -> None:
        """Read one more unit; `tree` is None for tables and foreign text."""
        with self.discourse.back_at(self._introduced.get(unit.intro)):  # an item goes on where its list was introduced
            if unit.label is not None:
                self.discourse.introduce(unit.label.text)
            names = self.discourse.resolve(tree) if tree is not None else {}
        if unit.introduces:
            self._introduced[len(self.units)] = self.discourse.state()
        self.units.append(unit)
        self.trees.append(tree)
        self.names.append(names)
        if unit.form == "foreign":
            self._foreign(unit)
        elif unit.form == "table":
            self._row(unit)
        elif tree is not None:
            reader = SentenceReader(tree)
            reader.clauses.resolved = names
            for place, (start, end) in enumerate(tree.sentences):
                if end - start > _LONGEST_SENTENCE:
                    for begin in range(start, end, _PIECE):
                        self._whole(unit, tree, {}, begin, min(begin + _PIECE, end))
                    continue
                self._sentence(unit, tree, names, reader, start, end, place)

    # ----------------------------------------------------------------------------------------------- sentences

    def _sentence(
        self, unit: Unit, tree: Tree, names: dict[int, str], reader: SentenceReader, start: int, end: int, place: int
    ) -> None:
        last = place == len(tree.sentences) - 1
        if is_question(tree, start, end) or not any(c.isalnum() for i in range(start, end) for c in tree.words[i]):
            return
        if place == 0 and self._short_answer(unit, tree, reader, start, end):
            return
        if self.question is None and (is_yes(said := render(tree, tuple(tree.trim(range(start, end))))) or is_no(said)):
            return
        found, whole = self._propositions(unit, tree, reader, start, end, first=place == 0)
        if unit.introduces and last and is_open(tree, start, end):
            return
        for proposition in found:
            self._claim(unit, tree, names, proposition)
        if not whole and self._uncovered(tree, start, end, found, reader.clauses.ignored):
            if not found and self._says_nothing(unit, tree, start, end):
                return
            fragment = reader.fragment(start, end) if not found and unit.label is None else None
            if fragment is not None:
                self._claim(unit, tree, names, fragment)
            else:
                self._whole(unit, tree, names, start, end)

    def _propositions(
        self, unit: Unit, tree: Tree, reader: SentenceReader, start: int, end: int, *, first: bool
    ) -> tuple[list[Proposition], bool]:
        """The propositions of a sentence, and whether they hold all of it by construction."""
        root = reader.root(start, end)
        heads = [k for k in tree.children(root, w.SUBJECTS | {"expl"}) if k < root or root > start]
        bare = tree.tags[root] in {"VBZ", "VBD"} and not heads
        complete = reader.is_clause(start, end) and not (first and bare and unit.intro is not None)
        intro = None
        if first and unit.intro is not None:
            introducing = self.trees[unit.intro]
            if introducing is not None:
                intro = read_intro(self.units[unit.intro], introducing, self.names[unit.intro])
        found: list[Proposition] = []
        if first and unit.label is not None and intro is not None and not unit.label.text[:1].islower():
            found.append(intro.join((unit.label,)))
        if first and not complete and unit.label is not None:
            described = reader.described(start, end, (unit.label,))
            if described:
                return [*found, *described], False
        if first and not complete and unit.label is None and intro is not None:
            item = tuple(tree.trim(range(start, end)))
            if item and tree.low[start] in w.BE and intro.tells:
                return [intro.be(item)], True
            if bare:
                said = reader.described(start, end, (intro.subject,)) if intro.tells else []
                return (said, False) if said else ([intro.quote(item)], True)
            if intro.thing and not tree.is_noun(root):
                return [intro.describe(item)], True
            nested = reader.nominal(start, end, frozenset())
            return [intro.join(item), *(nested if tree.is_noun(root) else ())], True
        found.extend(reader.read(start, end))
        return found, False

    def _says_nothing(self, unit: Unit, tree: Tree, start: int, end: int) -> bool:
        """Whether a fragment is a title and no statement: no verb, no number, no full stop."""
        if unit.kind not in {"paragraph", "heading"} or self.question is not None or len(tree.sentences) > 1:
            return False
        if unit.kind == "heading" or unit.label is not None:
            return unit.kind == "heading"
        tokens = range(start, end)
        return end - start <= 10 and not any(
            tree.tags[i].startswith(("VB", "MD", "CD")) or tree.tags[i] == "." for i in tokens
        )

    # ------------------------------------------------------------------------------------------- short answers

    def _short_answer(self, unit: Unit, tree: Tree, reader: SentenceReader, start: int, end: int) -> bool:
        """Make a claim of `Oslo` and `Yes` with the question; False where the sentence stands on its own."""
        if (
            self.question is None
            or self.claims
            or unit.label is not None
            or unit.intro is not None
            or unit.kind == "item"
        ):
            return False
        text, asked = self.question
        tokens = tree.trim(range(start, end))
        if not tokens:
            return False
        answer = render(tree, tuple(tokens))
        elliptic = self._elliptic(tree, tokens)
        polar = elliptic or (answer if is_yes(answer) or is_no(answer) else "")
        if not polar and (reader.is_clause(start, end) or len(tokens) > 25):
            return False
        statement = to_statement(asked, polar or answer)
        span = unit.plain.span(tree.starts[tokens[0]], tree.ends[tokens[-1]])
        if statement is None:
            asked_for = text.rstrip() if text.rstrip().endswith("?") else f"{text.rstrip(' .:;,')}:"
            self._add(Claim(f"{asked_for} {answer}", None, span))
        elif statement.polarity:
            self._add(Claim(sentence_case(statement.before), None, span))
        else:
            self._statement(statement.before, statement.after, tree, tokens, span)
        return True

    def _statement(self, before: str, after: str, tree: Tree, tokens: list[int], span: Span) -> None:
        items = [tokens]
        root = next((i for i in tokens if tree.heads[i] == i), tokens[0])
        parts = conjuncts(tree, root) if before and not after else [root]
        if len(parts) > 1:
            items = [SentenceReader(tree).clauses.noun_phrase(part, split=True) for part in parts]
        for item in items:
            words = render(tree, tuple(item))
            words = inside(words) if before else words
            claim = sentence_case(" ".join(x for x in (before, words, after) if x))
            if before:
                head, _, verb = before.rpartition(" ")
                triple = Triple(head, verb, f"{words} {after}".strip()) if head else None
            else:
                verb, _, rest = after.partition(" ")
                triple = Triple(words, verb, rest) if rest else None
            part = TripleParts(object=span) if before else TripleParts(subject=span)
            self._add(Claim(claim, triple, span, part if triple else _EMPTY))

    def _elliptic(self, tree: Tree, tokens: list[int]) -> str:
        """`Yes, it is` and `No, they do not` say no more than yes and no."""
        low = [tree.low[i] for i in tokens if tree.tags[i] not in {",", ".", ":"}]
        if not 2 < len(low) <= 5 or low[0] not in {"yes", "no"} or tree.tags[tokens[-1]].startswith("NN"):
            return ""
        rest = set(low[1:])
        pronoun = rest & {"it", "he", "she", "they", "you", "i", "we", "that", "there", "this"}
        plain = (
            rest
            - pronoun
            - w.BE
            - {
                "do",
                "does",
                "did",
                "can",
                "could",
                "will",
                "would",
                "has",
                "have",
                "had",
                "not",
                "n't",
                "should",
                "may",
            }
        )
        return low[0] if pronoun and not plain else ""

    # ---------------------------------------------------------------------------------- tables, foreign languages

    def _row(self, unit: Unit) -> None:
        """`| Oslo | 700,000 |` under `| City | Population |` -> Population of Oslo is 700,000."""
        if not unit.cells or not unit.cells[0].text:
            return
        name = unit.cells[0]
        subject = Quoted(name.text, name.span(0, len(name.text)))
        for place, cell in enumerate(unit.cells[1:], start=1):
            if not any(char.isalnum() for char in cell.text):
                continue
            column = unit.header[place].text if place < len(unit.header) else ""
            value = Quoted(cell.text, cell.span(0, len(cell.text)))
            span = Span(subject.span.start, value.span.end)
            first = unit.header[0].text if unit.header else ""
            if column:
                label = column if not column[1:].islower() else column.lower()
                owner = f"{first.lower()} {name.text}" if name.text[:1].isdigit() and first else name.text
                text = f"The {label} of {owner} is {cell.text}"
            else:
                text = f"{name.text} is {cell.text}"
            triple = Triple(name.text, column or "is", cell.text)
            self._add(Claim(text, triple, span, TripleParts(subject.span, None, value.span)))

    def _foreign(self, unit: Unit) -> None:
        text = unit.plain.text
        for match in _FOREIGN_SENTENCE.finditer(text):
            start, end = match.span()
            while start < end and text[start].isspace():
                start += 1
            while end > start and text[end - 1].isspace():
                end -= 1
            if any(char.isalnum() for char in text[start:end]):
                self._add(Claim(text[start:end], None, unit.plain.span(start, end)))

    # -------------------------------------------------------------------------------------------------- claims

    def _uncovered(self, tree: Tree, start: int, end: int, found: list[Proposition], ignored: Container[int]) -> bool:
        """Whether a third of what ought to be checked is in no proposition."""
        covered = {i for p in found for i in p.tokens()}
        content = [i for i in range(start, end) if i not in ignored and is_content(tree, i)]
        missing = sum(i not in covered for i in content)
        return not found if not content else missing * 3 >= len(content)

    def _claim(self, unit: Unit, tree: Tree, names: Mapping[int, str], found: Proposition) -> None:
        triple = None
        parts = _EMPTY
        if found.subject and found.relation and found.object:
            words = [
                render(tree, without_article(tree, found.subject), names),
                render(tree, found.relation, names, inside=True),
                render(tree, without_article(tree, found.object), names, inside=True),
            ]
            if all(words):
                triple = Triple(*words)
                parts = TripleParts(
                    *(place_of(unit, tree, part) for part in (found.subject, found.relation, found.object))
                )
        text = sentence_case(render(tree, found.text, names))
        self._add(Claim(text, triple, place_of(unit, tree, found.text), parts))

    def _whole(self, unit: Unit, tree: Tree, names: Mapping[int, str], start: int, end: int) -> None:
        tokens = tree.trim(range(start, end))
        if tokens:
            text = render(tree, tuple(tokens), names)
            if unit.label is not None and start == 0:
                text = f"{unit.label.text}: {text}"
            self._add(Claim(text, None, place_of(unit, tree, tuple(tokens))))

    def _add(self, claim: Claim) -> None:
        if claim.text and claim.text.lower() not in self._seen:
            self._seen.add(claim.text.lower())
            self.claims.append(claim)


def without_article(tree: Tree, phrase: Phrase) -> Phrase:
    """A triple's end without its article, as an encyclopaedia names things; `The Beatles` keeps its own."""
    if phrase and isinstance(phrase[0], Quoted):
        article, _, rest = phrase[0].text.partition(" ")
        if article.lower() not in {"the", "a", "an"} or not rest[:1].islower():
            return phrase
        start, end = phrase[0].span
        return (Quoted(rest, Span(min(start + len(article) + 1, end - 1), end)), *phrase[1:])
    if len(phrase) < 2 or not isinstance(phrase[0], int) or tree.low[phrase[0]] not in {"the", "a", "an"}:
        return phrase
    first = phrase[0]
    initial = any(start == first for start, _ in tree.sentences)
    return phrase[1:] if tree.words[first].islower() or initial else phrase


def place_of(unit: Unit, tree: Tree, phrase: Phrase) -> Span | None:
    """Where a phrase stands in the answer: its own tokens, or else the words taken from elsewhere."""
    tokens = indices(phrase)
    if tokens:
        return unit.plain.span(tree.starts[min(tokens)], tree.ends[max(tokens)])
    quoted = [item.span for item in phrase if isinstance(item, Quoted)]
    return Span(min(s.start for s in quoted), max(s.end for s in quoted)) if quoted else None


def is_content(tree: Tree, index: int) -> bool:
    """Whether a token carries content that ought to be checked."""
    if tree.low[index] in w.BE or tree.low[index] in {"have", "has", "had", "do", "does", "did"}:
        return False
    return tree.tags[index].startswith(("NN", "VB", "JJ", "CD")) and any(c.isalnum() for c in tree.words[index])
