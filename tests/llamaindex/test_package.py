"""The package: what it exports, and what it says without LlamaIndex."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import llamaindex_grapheval

ROOT = Path(__file__).resolve().parents[2]

_CODE = """
import sys
for name in {hidden!r}:
    sys.modules[name] = None
import llamaindex_grapheval
assert {name!r} in dir(llamaindex_grapheval)
try:
    llamaindex_grapheval.{name}
except ImportError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize(
    ("hidden", "name", "extra"),
    [
        (["llama_index"], "GraphEvalEvaluator", "llamaindex"),
        (["langchain_core"], "LlamaIndexChatModel", "langchain"),
    ],
)
def test_what_to_install(hidden: list[str], name: str, extra: str) -> None:
    code = _CODE.format(hidden=hidden, name=name)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("MissingExtraError")
    assert f'pip install "grapheval[{extra}]"' in done.stdout


def test_every_name_is_there() -> None:
    for name in llamaindex_grapheval.__all__:
        assert getattr(llamaindex_grapheval, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = llamaindex_grapheval.Nothing


def test_what_llama_hub_reads_is_true() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        hub = tomllib.load(file)["tool"]["llamahub"]
    assert hub["import_path"] == "llamaindex_grapheval"
    for name in hub["class_authors"]:
        assert name in llamaindex_grapheval.__all__
