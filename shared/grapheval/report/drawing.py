"""The graph as inline SVG: names in boxes, labelled arrows in the colour and dash of their verdict."""

from __future__ import annotations

from collections.abc import Sequence

from grapheval.report.graph import knowledge_graph
from grapheval.report.html import Html, el, join
from grapheval.report.kinds import count
from grapheval.report.layout import FONT, LINE, SMALL, Box, Line, lay_out
from grapheval.types import Verdict

NARROW = 600
"""A drawing of at most so many pixels fits beside the claims."""

MAX_TRIPLES = 400
"""Beyond, a drawing helps nobody; the claims are listed anyway."""


def draw(verdicts: Sequence[Verdict], prefix: str | None) -> Html | None:
    """The knowledge graph as an SVG element; None if no claim has a triple.

    Args:
        verdicts: In the order of the answer; the first `MAX_TRIPLES` triples are drawn.
        prefix: Of the claims' ids in the document, to which arrows link; None = no links.
    """
    drawn = [number for number, v in enumerate(verdicts) if v.claim.triple is not None][:MAX_TRIPLES]
    graph = knowledge_graph(verdicts[: drawn[-1] + 1] if drawn else [])
    if not graph.edges:
        return None
    layout = lay_out(graph)
    narrow = " ge-narrow" if layout.width <= NARROW else ""
    size = {"width": round(layout.width), "height": round(layout.height)}
    label = f"Knowledge graph: {count(len(graph.edges), 'triple')} between {count(len(graph.nodes), 'name')}"
    return el(
        "svg",
        *(_line(line, prefix) for line in layout.lines),
        *(_box(box, graph.nodes[box.node]) for box in layout.boxes),
        class_=f"ge-graph{narrow}",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {size['width']} {size['height']}",
        **size,
        role="group",
        aria_label=label,
    )


def _line(
    line: Line,
    prefix: str | None,
) -> Html:
    kind, triple = line.edge.kind, line.edge.verdict.claim.triple
    begin, bend = line.source.x + line.source.width, line.x
    end = line.target.x - 1.0
    middle = (begin + bend) / 2
    path = (
        f"M{begin:.1f} {line.source.y:.1f}C{middle:.1f} {line.source.y:.1f} {middle:.1f} {line.y:.1f} "
        f"{bend:.1f} {line.y:.1f}"
    )
    tail = f"M{bend + line.label_width:.1f} {line.y:.1f}H{end - 7:.1f}"
    tip = f"{end:.1f},{line.y:.1f} {end - 9:.1f},{line.y - 4.5:.1f} {end - 9:.1f},{line.y + 4.5:.1f}"
    # What is seen comes first, in the same words: whoever speaks to the browser says what they see.
    name = f"{line.edge.number} {line.edge.relation}: {kind.word} claim, {triple}"
    x = bend + line.label_width / 2
    top = line.y - (len(line.label) - 1) * LINE / 2 + SMALL * 0.35
    words = [
        el(
            "tspan",
            el("tspan", f"{kind.sign}{line.edge.number} ", class_="ge-sign") if number == 0 else None,
            text,
            x=f"{x:.1f}",
            y=f"{top + number * LINE:.1f}",
        )
        for number, text in enumerate(line.label)
    ]
    content = (
        el("title", name),
        el("path", class_="ge-hit", d=f"{path}H{end:.1f}"),
        el("path", class_="ge-path", d=f"{path}{tail}"),
        el("polygon", points=tip),
        el("text", *words, text_anchor="middle", font_size=SMALL),
    )
    classes = f"ge-edge ge-{kind.word}"
    if prefix is None:
        return el("g", *content, class_=classes, role="img", aria_label=name)
    target = f"#{prefix}claim-{line.edge.number}"
    return el("a", *content, class_=classes, href=target, data_claims=line.edge.number, aria_label=name)


def _box(box: Box, name: str) -> Html:
    x, y = box.x + box.width / 2, box.y - (len(box.lines) - 1) * LINE / 2 + FONT * 0.35
    words = [el("tspan", text, x=f"{x:.1f}", y=f"{y + number * LINE:.1f}") for number, text in enumerate(box.lines)]
    rect = el(
        "rect",
        x=f"{box.x:.1f}",
        y=f"{box.y - box.height / 2:.1f}",
        width=f"{box.width:.1f}",
        height=f"{box.height:.1f}",
        rx=8,
    )
    text = el("text", *words, text_anchor="middle", font_size=FONT)
    return el(
        "g",
        join(el("title", f"{name} (drawn elsewhere too)" if box.again else name), rect, text),
        class_="ge-node ge-again" if box.again else "ge-node",
    )
