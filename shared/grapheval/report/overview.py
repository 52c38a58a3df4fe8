"""The page over many answers: the sums, and the frame of the list that its script fills."""

from __future__ import annotations

from collections.abc import Sequence

from grapheval.io.summary import rate as rate_of
from grapheval.report.html import Child, Html, el, join
from grapheval.report.kinds import CORRECTION_KINDS, STATUS_KINDS, count
from grapheval.report.many import BINS, SourceCounts, Tally
from grapheval.report.text import one_line
from grapheval.types import CorrectionStatus, Status

MAX_SOURCES = 200
"""Sources that are listed, the worst ones."""

_BAR, _HIGH, _FOOT = 26, 120, 34


def overview(tally: Tally, *, listed: int) -> Html:
    """The page's content.

    Args:
        tally: Sums over all answers.
        listed: How many answers the list holds.
    """
    cut = None
    if listed < tally.total:
        cut = el("p", f"The list holds the {listed:,} worst of {tally.total:,} answers.", class_="ge-muted")
    return join(
        el(
            "div",
            _tiles(tally),
            el("div", _scores(tally), _statuses(tally), class_="ge-columns"),
            _sources(tally.sources),
            el("section", el("h2", "Answers"), cut, _controls(tally), _table(), class_="ge-panel", id="answers"),
            id="overview",
        ),
        el("div", id="detail", hidden=True),
    )


def percent(rate: float) -> str:
    """`23.4 %`."""
    return f"{100 * rate:.1f}\N{NO-BREAK SPACE}%"


def _tiles(tally: Tally) -> Html:
    found = rate_of(tally.inconsistent, tally.judged)
    if found is None:
        rate, said = "–", "no answer was judged"
    else:
        rate, ends = percent(found.value), f"{100 * found.low:.1f} to {100 * found.high:.1f} %"
        said = f"95 % interval {ends}, of {count(tally.judged, 'judged answer')}"
    flagged = sum(number for label, number in tally.labels.items() if label not in _FINE)
    claims = tally.labels.total()
    unjudged = tally.statuses.total() - tally.judged
    others = f"{unjudged:,} not (fully) judged, {tally.failures.total():,} failed: not part of the rate"
    tiles = [
        ("Hallucination rate", rate, said),
        ("Answers", f"{tally.total:,}", others),
        ("Ungrounded claims", f"{flagged:,}", f"of {count(claims, 'claim')}"),
    ]
    if tally.corrections:
        fixed = tally.corrections[CorrectionStatus.CORRECTED.value]
        tiles.append(("Corrected", f"{fixed:,}", _repairs(tally)))
    return el("div", *(_tile(*tile) for tile in tiles), class_="ge-tiles")


_FINE = frozenset({"supported", "unverified", "conflicting"})


def _tile(title: str, value: str, said: str) -> Html:
    return el(
        "section", el("h2", title), el("p", value, class_="ge-big"), el("p", said, class_="ge-muted"), class_="ge-panel"
    )


def _repairs(tally: Tally) -> str:
    kinds = [(CORRECTION_KINDS[CorrectionStatus(name)].word, number) for name, number in tally.corrections.items()]
    return ", ".join(f"{number:,} {word}" for word, number in sorted(kinds, key=lambda kind: -kind[1]))


def _scores(tally: Tally) -> Html:
    """Histogram of p(inconsistent); each bar filters the list."""
    highest = max(1, *tally.histogram)
    threshold = tally.thresholds.most_common(1)[0][0] if tally.thresholds else None
    bars = []
    for number, answers in enumerate(tally.histogram):
        low, high = number / BINS, (number + 1) / BINS
        name = f"{count(answers, 'answer')} with p(inconsistent) from {low:.2f} to {high:.2f}"
        tall = round(_HIGH * answers / highest, 1) if answers else 0
        tall = max(tall, 2.0) if answers else 0
        middle = (low + high) / 2
        kind = "contradicted" if threshold is not None and middle > threshold else "supported"
        content: list[Child] = [
            el("title", name),
            el("rect", class_="ge-hit-bar", x=number * _BAR, y=0, width=_BAR, height=_HIGH),
            el("rect", class_="ge-fill", x=number * _BAR + 2, y=_HIGH - tall, width=_BAR - 4, height=tall, rx=2),
        ]
        focus = 0 if answers else None
        classes = f"ge-bin ge-{kind}"
        shown = el("g", *content, class_=classes, data_bin=number, tabindex=focus, role="button", aria_label=name)
        bars.append(shown)
    wide = BINS * _BAR
    axis = [
        el("text", f"{tick / 4:g}", x=wide * tick / 4, y=_HIGH + 16, text_anchor=anchor, font_size=12)
        for tick, anchor in zip(range(5), ("start", "middle", "middle", "middle", "end"), strict=True)
    ]
    line: Html | None = None
    if threshold is not None:
        line = el(
            "g",
            el("line", x1=threshold * wide, x2=threshold * wide, y1=0, y2=_HIGH + 4),
            el("text", f"threshold {threshold:g}", x=threshold * wide + 5, y=11, font_size=11),
            class_="ge-threshold",
        )
    base = el("line", x1=0, x2=wide, y1=_HIGH, y2=_HIGH, class_="ge-axis")
    drawing = el(
        "svg", *bars, base, line, *axis, class_="ge-histogram", viewBox=f"0 0 {wide} {_HIGH + _FOOT - 10}",
        role="group", aria_label="Distribution of p(inconsistent)",
    )  # fmt: skip
    note = "Probability that something in the answer is ungrounded; a bar shows its answers in the list."
    return el(
        "section", el("h2", "Scores: p(inconsistent)"), drawing, el("p", note, class_="ge-muted"), class_="ge-panel"
    )


def _statuses(tally: Tally) -> Html:
    rows = []
    for status in Status:
        if tally.statuses[status.value]:
            kind = STATUS_KINDS[status]
            rows.append(_status_row(status.value, f"{kind.sign} {kind.word}", tally.statuses[status.value], tally))
    if tally.failures:
        codes = ", ".join(f"{code} {number:,}" for code, number in tally.failures.most_common())
        rows.append(_status_row("failed", f"failed ({codes})", tally.failures.total(), tally))
    table = el("table", el("tbody", *rows), class_="ge-table")
    return el("section", el("h2", "By status"), table, class_="ge-panel")


def _status_row(value: str, word: str, number: int, tally: Tally) -> Html:
    share = number / tally.total
    button = el(
        "button", word, type="button", class_=f"ge-chip ge-{value.replace('_', '-')}", data_status=value,
        aria_pressed="false",
    )  # fmt: skip
    wide = 150
    shown = el(
        "svg",
        el("rect", class_="ge-fill", width=max(1, round(share * wide)), height=10, y=2, rx=3),
        width=wide,
        height=14,
        class_=f"ge-bar ge-{value.replace('_', '-')}",
        aria_hidden="true",
    )
    return el(
        "tr",
        el("td", button),
        el("td", f"{number:,}", class_="ge-number"),
        el("td", percent(share), class_="ge-number"),
        el("td", shown),
    )


def _sources(sources: dict[str, SourceCounts]) -> Html | None:
    if not sources:
        return None
    worst = sorted(sources.items(), key=lambda item: (-item[1].contradicts, -item[1].inconsistent, item[0]))
    rows = [_source_row(name, counts) for name, counts in worst[:MAX_SOURCES]]
    heads = ("Source", "contradicts claims", "supports claims", "answers", "of these inconsistent")
    head = el("tr", *(el("th", text, scope="col", class_=None if text == "Source" else "ge-number") for text in heads))
    table = el("table", el("thead", head), el("tbody", *rows), class_="ge-table")
    cut = None
    if len(worst) > MAX_SOURCES:
        cut = el("p", f"The worst {MAX_SOURCES} of {len(worst):,} sources.", class_="ge-muted")
    note = "How often a source's passages decided a claim. What no source says counts for none of them."
    frame = el("div", table, class_="ge-box", tabindex=0, role="group", aria_label="By source document")
    parts: Sequence[Html | None] = (el("h2", "By source document"), cut, frame, el("p", note, class_="ge-muted"))
    return el("section", *parts, class_="ge-panel")


def _source_row(name: str, counts: SourceCounts) -> Html:
    shown = one_line(name, 200)
    button = el("button", shown, type="button", class_="ge-link", data_source=shown, aria_pressed="false")
    numbers = (counts.contradicts, counts.supports, counts.answers, counts.inconsistent)
    return el("tr", el("td", button), *(el("td", f"{number:,}", class_="ge-number") for number in numbers))


def _controls(tally: Tally) -> Html:
    options = [el("option", "every status", value="")]
    options += [
        el("option", STATUS_KINDS[status].word, value=status.value) for status in Status if tally.statuses[status.value]
    ]
    if tally.failures:
        options.append(el("option", "failed", value="failed"))
    orders = [("worst", "worst first"), ("best", "best first"), ("file", "order of the file"), ("id", "by id")]
    return el(
        "div",
        el("label", el("span", "Search ", class_="ge-hidden"), _search()),
        el("label", el("span", "Status ", class_="ge-hidden"), el("select", *options, id="status")),
        el(
            "label",
            el("span", "Order ", class_="ge-hidden"),
            el("select", *(el("option", text, value=value) for value, text in orders), id="order"),
        ),
        el("button", "Clear filters", type="button", id="clear", hidden=True),
        el("span", id="found", class_="ge-muted"),
        class_="ge-controls",
    )


def _search() -> Html:
    return el("input", type="search", id="search", placeholder="Search answers and ids", autocomplete="off", size=28)


def _table() -> Html:
    heads = (("id", None), ("status", None), ("p", "ge-number"), ("flagged", "ge-number"), ("answer", None))
    head = el("tr", *(el("th", text, scope="col", class_=class_) for text, class_ in heads))
    pages = [
        el("button", "‹ Previous", type="button", id="before"),
        el("span", id="page", class_="ge-muted"),
        el("button", "Next ›", type="button", id="after"),
    ]
    return join(
        el("noscript", el("p", "The list needs JavaScript; the sums above do not.")),
        el("table", el("thead", head), el("tbody", id="list"), class_="ge-table ge-list"),
        el("div", *pages, class_="ge-pages", role="group", aria_label="Pages"),
    )
