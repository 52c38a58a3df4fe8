"""How a result shows itself: as a graph, a table, in a notebook, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd


class Shown:
    """Views that evaluations and corrections share; what makes them is loaded when they are asked for."""

    __slots__ = ()

    def to_networkx(self: Any) -> nx.MultiDiGraph[str]:
        """The knowledge graph for networkx; see `grapheval.report.graph.to_networkx`."""
        from grapheval.report.graph import to_networkx

        return to_networkx(self)

    def to_mermaid(self: Any) -> str:
        """The knowledge graph as a Mermaid flowchart."""
        from grapheval.report.mermaid import to_mermaid

        return to_mermaid(self)

    def to_dataframe(self: Any) -> pd.DataFrame:
        """The claims, or a correction's edits, one a row, for pandas; see `grapheval.report.frame.to_dataframe`.

        Raises:
            MissingExtraError: pandas is not installed (extra "notebook").
        """
        from grapheval.report.frame import to_dataframe

        return to_dataframe(self)

    def __str__(self: Any) -> str:
        """The terminal's view as plain text."""
        from grapheval.report.notebook import plain

        return plain(self)

    def _repr_html_(self: Any) -> str:
        """What a notebook shows."""
        from grapheval.report.notebook import fragment

        return fragment(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What IPython shows as text."""
        printer.text(repr(self) if cycle else str(self))
