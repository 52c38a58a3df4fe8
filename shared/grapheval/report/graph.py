"""The answer's knowledge graph: names as nodes, triples as edges that carry their verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grapheval.report.kinds import Kind, kind_of
from grapheval.types import Correction, Evaluation, Verdict

if TYPE_CHECKING:
    import networkx as nx

_ARTICLES = ("the ", "a ", "an ")


@dataclass(frozen=True, slots=True)
class Edge:
    """One triple.

    Args:
        source: Position of its subject among the nodes.
        target: Position of its object.
        number: The claim's number: 1 for the first verdict.
        verdict: What the context says about it.
        kind: How the verdict is shown.
    """

    source: int
    target: int
    number: int
    verdict: Verdict
    kind: Kind

    @property
    def relation(self) -> str:
        """The triple's relation."""
        triple = self.verdict.claim.triple
        return "" if triple is None else triple.relation


@dataclass(frozen=True, slots=True)
class Graph:
    """The triples of an answer as a graph.

    Args:
        nodes: Names as they were first written, in the order of the answer.
        edges: One per claim that has a triple, in the order of the answer.
    """

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]


def knowledge_graph(verdicts: Sequence[Verdict]) -> Graph:
    """The graph of the claims that have a triple.

    Names that differ only in case, white space or a leading article are one node.

    Args:
        verdicts: In the order of the answer.
    """
    places: dict[str, int] = {}
    names: list[str] = []

    def place(name: str) -> int:
        key = _key(name)
        if key not in places:
            places[key] = len(names)
            names.append(" ".join(name.split()) or name)
        return places[key]

    edges = []
    for number, verdict in enumerate(verdicts, start=1):
        triple = verdict.claim.triple
        if triple is not None:
            edges.append(Edge(place(triple.subject), place(triple.object), number, verdict, kind_of(verdict)))
    return Graph(tuple(names), tuple(edges))


def _key(name: str) -> str:
    key = " ".join(name.split()).casefold()
    for article in _ARTICLES:
        if key.startswith(article) and len(key) > len(article):
            return key.removeprefix(article)
    return key


def to_networkx(result: Evaluation | Correction) -> nx.MultiDiGraph[str]:
    """The graph for networkx: nodes are names, an edge's key is its claim's number.

    An edge has `relation`, `claim`, `label`, `flagged`, `p_ungrounded`, `start` and `end` (its place in the answer, or
    None), `sources` (ids of the deciding passages) and `findings` (sentences), both tuples. Of a correction it is the
    graph of the original answer; its edges also have `repaired`, the text that replaced the claim's, or None.
    """
    import networkx as nx

    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    verdicts = result.before.verdicts if isinstance(result, Correction) else result.verdicts
    found = knowledge_graph(verdicts)
    graph.add_nodes_from(found.nodes)
    for edge in found.edges:
        verdict = edge.verdict
        span = verdict.claim.span
        attributes: dict[str, Any] = {
            "relation": edge.relation,
            "claim": verdict.claim.text,
            "label": verdict.label.value,
            "flagged": verdict.flagged,
            "p_ungrounded": verdict.p_ungrounded,
            "start": span.start if span else None,
            "end": span.end if span else None,
            "findings": tuple(finding.text for finding in verdict.findings),
            "sources": tuple(dict.fromkeys(evidence.source_id for evidence in verdict.evidence)),
        }
        if isinstance(result, Correction):
            new = next((edit.new for edit in result.edits if edit.claim == verdict.claim), None)
            attributes["repaired"] = new
        graph.add_edge(found.nodes[edge.source], found.nodes[edge.target], key=edge.number, **attributes)
    return graph
