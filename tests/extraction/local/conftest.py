from __future__ import annotations

from collections.abc import Callable

import pytest

from grapheval.extraction.local import LocalExtractor
from grapheval.types import Extraction, Sample


@pytest.fixture(scope="session")
def read() -> Callable[..., Extraction]:
    extractor = LocalExtractor()

    def extract(answer: str, question: str | None = None) -> Extraction:
        return extractor.extract([Sample(answer, question=question)])[0]

    return extract
