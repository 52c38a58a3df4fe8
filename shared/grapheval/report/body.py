"""The sections of one answer's report, used by the page of one answer, by that of many and by notebooks."""

from __future__ import annotations

from collections.abc import Sequence

from grapheval.report.answer import marked
from grapheval.report.claims import badge, bar, cards
from grapheval.report.drawing import MAX_TRIPLES, draw
from grapheval.report.html import Html, el, join
from grapheval.report.kinds import STATUS_KINDS, count, headline, is_marked, kind_of
from grapheval.report.repair import compared, edits, original_of
from grapheval.report.text import one_line
from grapheval.types import Correction, Evaluation, Provenance, Span, Verdict

MAX_LISTED = 60
"""Numbers and names without a claim that are listed."""


def body(
    result: Evaluation | Correction, prefix: str = "", *, answer: str | None = None, question: str | None = None
) -> Html:
    """All sections.

    Args:
        result: What `evaluate` or `correct` returned.
        prefix: Of the ids in the document: letters, digits and hyphens, unique in it.
        answer: The text that was judged; None = the one that the result carries.
        question: What was asked, if it is to be shown.
    """
    evaluation, text = judged(result, answer)
    verdicts = evaluation.verdicts
    graph = _graph(verdicts, prefix)
    beside = graph is not None and 'class="ge-graph ge-narrow"' in graph
    main = el(
        "div",
        _question(question),
        _answer(text, verdicts, prefix),
        graph if beside else None,
        _coverage(evaluation, text),
        class_="ge-main",
    )
    claims = None
    if verdicts:
        claims = _section("Claims", cards(verdicts, prefix), class_="ge-side", scroll=True)
    return join(
        outcome(evaluation),
        el("div", main, claims, class_="ge-columns"),
        None if beside else graph,
        _repair(result, text, prefix) if isinstance(result, Correction) else None,
        _provenance(evaluation.provenance, evaluation.threshold),
    )


def judged(result: Evaluation | Correction, answer: str | None = None) -> tuple[Evaluation, str | None]:
    """The evaluation that a report is about, and the text that it judged, None where that is not at hand."""
    evaluation = result.before if isinstance(result, Correction) else result
    if answer is None:
        answer = evaluation.answer
    if answer is None and isinstance(result, Correction):
        answer = original_of(result)
    return evaluation, answer


def outcome(evaluation: Evaluation) -> Html:
    """Status, what it means, the probability against the threshold."""
    kind = STATUS_KINDS[evaluation.status]
    word = headline(evaluation)
    p = evaluation.p_inconsistent
    shown = None
    if p is not None:
        label = f"p(inconsistent) {p:.2f}, threshold {evaluation.threshold:g}"
        shown = el(
            "div",
            bar(p, kind, label, threshold=evaluation.threshold, width=180),
            el("span", f"p(inconsistent) {p:.2f}", class_="ge-p"),
            el("span", f"threshold {evaluation.threshold:g}", class_="ge-muted"),
            class_="ge-prob",
        )
    meaning = el("span", f"{word[0].upper()}{word[1:]}.", class_="ge-headline")
    return el("div", badge(kind), meaning, shown, class_="ge-outcome")


def legend(verdicts: Sequence[Verdict]) -> Html | None:
    """What the marks mean."""
    kinds = {kind_of(verdict) for verdict in verdicts if is_marked(verdict)}
    if not kinds:
        return None
    items = [
        el("li", el("span", f"{kind.sign} {kind.word}", class_=f"ge-mark ge-{kind.word}"), f" {kind.meaning}")
        for kind in sorted(kinds, key=lambda kind: -kind.rank)
    ]
    return el("ul", *items, class_="ge-legend", aria_label="Marks")


def _section(title: str, *content: Html | None, class_: str | None = None, scroll: bool = False) -> Html:
    inner = el("div", *content, class_="ge-scroll", tabindex=0, role="group", aria_label=title) if scroll else None
    return el("section", el("h2", title), inner or join(*content), class_=class_, aria_label=title)


def _question(question: str | None) -> Html | None:
    return _section("Question", el("p", question, dir="auto")) if question else None


def _answer(text: str | None, verdicts: Sequence[Verdict], prefix: str) -> Html:
    if text is None:
        return _section("Answer", el("p", "The text of the answer is not in this record.", class_="ge-muted"))
    if not text.strip():
        return _section("Answer", el("p", "The answer is empty.", class_="ge-muted"))
    return _section("Answer", marked(text, verdicts, prefix), legend(verdicts))


def _graph(verdicts: Sequence[Verdict], prefix: str) -> Html | None:
    if not verdicts:
        return None
    drawn = draw(verdicts, prefix)
    triples = sum(verdict.claim.triple is not None for verdict in verdicts)
    rest = len(verdicts) - triples
    notes = []
    if triples > MAX_TRIPLES:
        notes.append(f"The first {MAX_TRIPLES} of {triples:,} triples are drawn.")
    if rest:
        was = "sentence that no triple covers is" if rest == 1 else "sentences that no triple covers are"
        notes.append(f"{rest:,} {was} not drawn.")
    note = el("p", " ".join(notes), class_="ge-muted") if notes else None
    if drawn is None:
        return _section("Knowledge graph", note)
    frame = el("div", drawn, class_="ge-canvas", tabindex=0, role="group", aria_label="Knowledge graph, scrolls")
    return _section("Knowledge graph", frame, note)


def _repair(correction: Correction, text: str | None, prefix: str) -> Html:
    after = correction.after
    again = None
    if after is not None:
        again = el(
            "details",
            el("summary", "The repaired answer, judged again"),
            outcome(after),
            marked(correction.answer, after.verdicts, f"{prefix}after-"),
            cards(after.verdicts, f"{prefix}after-") if after.verdicts else None,
            class_="ge-again-judged",
        )
    before = text if text is not None else original_of(correction)
    return _section("Correction", edits(correction), compared(correction, before), again, class_="ge-correction")


def _coverage(evaluation: Evaluation, text: str | None) -> Html | None:
    coverage = evaluation.coverage
    if not evaluation.verdicts or text is None:
        return None
    claims, whole = len(evaluation.verdicts), len(coverage.sentences)
    lines = [f"{count(claims - whole, 'claim')} from triples, {count(whole, 'sentence')} checked as a whole."]
    groups = (("Numbers in no triple", coverage.numbers), ("Names in no triple", coverage.names))
    found = [_listed(title, spans, text) for title, spans in groups if spans]
    unread = evaluation.provenance.selection.get("unread_chars", 0)
    if unread:
        lines.append(f"{unread:,} characters of the context were not read.")
    if not found:
        lines.append("Every number and name of the answer is in a triple.")
    return _section("Coverage", el("p", " ".join(lines)), *found)


def _listed(title: str, spans: Sequence[Span], text: str) -> Html:
    words = [el("span", one_line(span.of(text), 60), class_="ge-word") for span in spans[:MAX_LISTED]]
    more = f" and {len(spans) - MAX_LISTED} more" if len(spans) > MAX_LISTED else None
    return el("p", f"{title}: ", *words, more)


def _provenance(made: Provenance, threshold: float) -> Html:
    rows = [
        ("grapheval", made.version),
        ("Extractor", made.extractor),
        ("Verifier", made.verifier),
        ("Evidence selector", made.selector),
        ("Aggregation", made.aggregator),
        ("Threshold", f"{threshold:g}"),
        *((f"Prompt {name}", digest) for name, digest in made.prompts.items()),
        *((name.replace("_", " "), f"{number:,}") for name, number in made.selection.items()),
        *((f"LLM {name.replace('_', ' ')}", f"{number:,}") for name, number in made.usage.items()),
    ]
    cells = [el("tr", el("th", name, scope="row"), el("td", value)) for name, value in rows if value]
    return el(
        "details",
        el("summary", "What ran"),
        el("table", el("tbody", *cells), class_="ge-table"),
        class_="ge-provenance",
    )
