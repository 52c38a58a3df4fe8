"""Importing the core is cheap: no framework, no model runtime."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("torch", "transformers", "spacy", "onnxruntime", "numpy", "langchain_core", "llama_index", "sklearn", "bm25s")


@pytest.mark.parametrize(
    "statement",
    [
        "import grapheval; grapheval.Sample('a', 'b'); grapheval.GraphEval",
        'from grapheval import parse_triples, Evaluation; parse_triples(\'[["a", "b", "c"]]\')',
        "import grapheval.testing, grapheval.protocols, grapheval.serialize",
        "import langchain_grapheval",
        "import llamaindex_grapheval",
    ],
)
def test_importing_loads_nothing_heavy(statement: str) -> None:
    code = f"{statement}\nimport sys\nprint([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_can_be_imported() -> None:
    import grapheval

    for name in grapheval.__all__:
        assert getattr(grapheval, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = grapheval.nothing
