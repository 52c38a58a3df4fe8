"""Claims as cards: the triple, its probability, the passages that decide with their deciding words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from grapheval.report.html import Html, el, join
from grapheval.report.kinds import SUPPORTED, Kind, is_marked, kind_of, why
from grapheval.report.passages import deciding_words
from grapheval.report.text import one_line
from grapheval.types import Claim, Evidence, Label, Stance, Verdict

BAR = 88
"""Width of a probability's bar in pixels."""

_STANCES = {Stance.SUPPORTS: "supports it", Stance.CONTRADICTS: "contradicts it"}


def cards(verdicts: Sequence[Verdict], prefix: str | None) -> Html:
    """All claims, with buttons that show only one kind of them.

    Args:
        verdicts: In the order of the answer.
        prefix: Of the cards' ids; None = neither ids nor buttons, which need a script.
    """
    items = [el("li", _card(number, verdict, prefix)) for number, verdict in enumerate(verdicts, start=1)]
    return join(None if prefix is None else _filters(verdicts), el("ol", *items, class_="ge-claims"))


def badge(kind: Kind, number: int | None = None) -> Html:
    """Sign and word of a kind."""
    text = f"{kind.sign} {kind.word}" if number is None else f"{kind.sign} {number} {kind.word}"
    return el("span", text, class_=f"ge-badge ge-{kind.word.replace(' ', '-')}")


def triple(claim: Claim) -> Html:
    """The triple with arrows between its parts, or the sentence that no triple covers."""
    if claim.triple is None:
        return el("span", one_line(claim.text), class_="ge-sentence", dir="auto")
    arrow = el("span", " → ", class_="ge-arrow")
    parts = claim.triple
    return el(
        "span",
        el("b", one_line(parts.subject)),
        arrow,
        one_line(parts.relation),
        arrow,
        el("b", one_line(parts.object)),
        class_="ge-triple",
        dir="auto",
    )


def bar(p: float, kind: Kind, label: str, *, threshold: float | None = None, width: int = BAR) -> Html:
    """A probability as a bar; the threshold is a tick on it."""
    tick = None if threshold is None else el("rect", x=round(threshold * width) - 1, y=0, width=2, height=12)
    track = el("rect", class_="ge-track", y=3, width=width, height=6, rx=3)
    filled = el("rect", class_="ge-fill", y=3, width=max(2, round(p * width)), height=6, rx=3)
    return el(
        "svg", track, filled, tick, class_=f"ge-bar ge-{kind.word.replace(' ', '-')}", width=width, height=12,
        viewBox=f"0 0 {width} 12", role="img", aria_label=label,
    )  # fmt: skip


def passage(evidence: Evidence, claim: Claim) -> Html:
    """A passage with its source, its place in it, and the deciding words in bold."""
    text, place, parts = evidence.text, 0, list[str]()
    for start, end in deciding_words(text, claim.text, evidence.stance):
        parts += [text[place:start], el("mark", text[start:end])]
        place = end
    return el(
        "figure",
        el(
            "figcaption",
            el("span", one_line(evidence.source_id), class_="ge-source"),
            f" {_STANCES[evidence.stance]} ",
            el("span", f"characters {evidence.start:,} to {evidence.end:,}", class_="ge-muted"),
        ),
        el("blockquote", *parts, text[place:], dir="auto"),
        class_=f"ge-passage ge-{'supported' if evidence.stance is Stance.SUPPORTS else 'contradicted'}",
    )


def _filters(verdicts: Sequence[Verdict]) -> Html | None:
    kinds = Counter(kind_of(verdict) for verdict in verdicts)
    if len(kinds) < 2:
        return None
    buttons = [el("button", f"All {len(verdicts)}", type="button", class_="ge-chip", aria_pressed="true")]
    for kind, number in sorted(kinds.items(), key=lambda item: -item[0].rank):
        classes = f"ge-chip ge-{kind.word}"
        text = f"{kind.sign} {number} {kind.word}"
        buttons.append(el("button", text, type="button", class_=classes, data_kind=kind.word, aria_pressed="false"))
    return el("div", *buttons, class_="ge-chips", role="group", aria_label="Show claims of one kind")


def _card(number: int, verdict: Verdict, prefix: str | None) -> Html:
    kind = kind_of(verdict)
    p = verdict.p_ungrounded
    shown = None
    if p is not None:
        label = f"probability that the context does not support it: {p:.2f}"
        shown = el("span", bar(p, kind, label), el("span", f"{p:.2f}", class_="ge-p"), class_="ge-prob", title=label)
    head = el("summary", el("span", badge(kind, number), shown, class_="ge-head"), triple(verdict.claim))
    name = None if prefix is None else f"{prefix}claim-{number}"
    opened = is_marked(verdict) or kind is not SUPPORTED
    return el(
        "details", head, _details(verdict), id=name, class_=f"ge-card ge-{kind.word}",
        data_claim=number, data_kind=kind.word, open=opened,
    )  # fmt: skip


def _details(verdict: Verdict) -> Html:
    notes = [f"{kind_of(verdict).meaning[0].upper()}{kind_of(verdict).meaning[1:]}."]
    reason = why(verdict.reason)
    if reason is not None:
        notes.append(f"{reason[0].upper()}{reason[1:]}.")
    if not verdict.evidence and not verdict.findings and verdict.label is Label.UNSUPPORTED:
        notes.append("No passage says so.")
    if verdict.claim.triple is None:
        notes.append("No triple covers this sentence, so it was checked as a whole.")
    if verdict.claim.span is None:
        notes.append("It has no place of its own in the answer.")
    said = el("p", "Checked as: ", el("q", one_line(verdict.claim.text), dir="auto"), class_="ge-muted")
    return el(
        "div",
        el("p", " ".join(notes), class_="ge-note"),
        _findings(verdict),
        *(passage(evidence, verdict.claim) for evidence in verdict.evidence),
        _probabilities(verdict),
        said if verdict.claim.triple is not None else None,
        class_="ge-body",
    )


def _findings(verdict: Verdict) -> Html | None:
    if not verdict.findings:
        return None
    items = [el("li", one_line(finding.text), dir="auto") for finding in verdict.findings]
    return el("ul", *items, class_="ge-findings", aria_label="Found by comparing words")


def _probabilities(verdict: Verdict) -> Html | None:
    if verdict.probabilities is None:
        return None
    names = ("entailed", "neutral", "contradicted")
    parts = [f"{name} {p:.2f}" for name, p in zip(names, verdict.probabilities, strict=True)]
    return el("p", f"The model's word on the deciding passage: {', '.join(parts)}.", class_="ge-muted")
