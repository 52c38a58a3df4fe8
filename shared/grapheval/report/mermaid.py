"""The graph as Mermaid text, for Markdown pages, pull requests and wikis."""

from __future__ import annotations

import re

from grapheval.report.graph import knowledge_graph
from grapheval.report.kinds import Kind
from grapheval.report.text import one_line
from grapheval.types import Correction, Evaluation

_SAFE = frozenset(" ,.-'’")
_LIMIT = 120
_DIRECTION = re.compile(r"direction\s")
_STYLES = {
    "supported": "stroke:#00795d,stroke-width:2px",
    "contradicted": "stroke:#c24100,stroke-width:4px",
    "unsupported": "stroke:#a06c00,stroke-width:3px,stroke-dasharray:8 4",
    "doubtful": "stroke:#a06c00,stroke-width:3px,stroke-dasharray:8 4",
    "conflicting": "stroke:#97326c,stroke-width:3px,stroke-dasharray:10 3 2 3",
    "unverified": "stroke:#4a6b8a,stroke-width:3px,stroke-dasharray:2 4",
}


def to_mermaid(result: Evaluation | Correction) -> str:
    """The knowledge graph as a Mermaid flowchart; arrows carry sign, claim number and relation, coloured by verdict.

    Text is written as character references wherever it could mean something to Mermaid or HTML, so that no name can
    become syntax. Of a correction it is the graph of the original answer.

    Returns:
        Text that begins with `flowchart LR` and ends in a line end.
    """
    verdicts = result.before.verdicts if isinstance(result, Correction) else result.verdicts
    graph = knowledge_graph(verdicts)
    lines = ["flowchart LR"]
    lines += [f'  n{number}["{_quoted(name)}"]' for number, name in enumerate(graph.nodes)]
    styles: dict[str, list[str]] = {}
    for place, edge in enumerate(graph.edges):
        label = f"{_sign(edge.kind)} {edge.number} {_quoted(edge.relation)}"
        lines.append(f'  n{edge.source} -->|"{label}"| n{edge.target}')
        styles.setdefault(edge.kind.word, []).append(str(place))
    lines += [f"  linkStyle {','.join(places)} {_STYLES[word]}" for word, places in styles.items()]
    return "\n".join(lines) + "\n"


def _sign(kind: Kind) -> str:
    return kind.sign


def _quoted(text: str) -> str:
    """Letters, digits and harmless signs stay; everything else is a character reference.

    Mermaid's lexer takes a line for a direction wherever "direction" and two capitals stand in it, within quotes too,
    and it refuses empty quotes.
    """
    line = one_line(text, _LIMIT) or " "
    quoted = "".join(c if c.isalnum() or c in _SAFE or ord(c) > 127 else f"#{ord(c)};" for c in line)
    return _DIRECTION.sub("#100;irection ", quoted)
