"""Without LangChain the package still imports, and says what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest

_CODE = """
import sys
for name in {hidden!r}:
    sys.modules[name] = None
import langchain_grapheval
assert {name!r} in dir(langchain_grapheval)
try:
    langchain_grapheval.{name}
except ImportError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize(
    ("hidden", "name", "extra"),
    [
        (["langchain_core"], "GraphEvalGuard", "langchain"),
        (["langchain_core"], "TripleOutputParser", "langchain"),
        (["langchain", "langgraph"], "GraphEvalMiddleware", "agents"),
        (["langgraph"], "GraphEvalNode", "agents"),
        (["langchain_aws"], "bedrock_chat", "aws"),
    ],
)
def test_what_to_install(hidden: list[str], name: str, extra: str) -> None:
    code = _CODE.format(hidden=hidden, name=name)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("MissingExtraError")
    assert f'pip install "grapheval[{extra}]"' in done.stdout


def test_an_unknown_name() -> None:
    import langchain_grapheval

    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = langchain_grapheval.Nothing
