from __future__ import annotations

import pytest

from grapheval import MissingExtraError
from grapheval.extras import require


def test_a_module_that_is_there_is_returned() -> None:
    import json

    assert require("json", extra="local") is json


def test_a_missing_module_names_the_command() -> None:
    with pytest.raises(MissingExtraError, match=r'pip install "grapheval\[llm\]"') as caught:
        require("not_a_module_at_all", extra="llm")
    assert isinstance(caught.value, ImportError)
    assert caught.value.code == "missing_extra"
