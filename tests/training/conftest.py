"""The English pipeline, loaded once, and a small hand-made passage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from training.synthetic.passages import load_pipeline

if TYPE_CHECKING:
    from spacy.language import Language


@pytest.fixture(scope="session")
def nlp() -> Language:
    return load_pipeline()


PASSAGE = (
    "Maria Keller, a geologist from Bern, discovered the cave in 1987. "
    "The cave was explored by Peter Brandt in March 1990. "
    "He found 1,200 fossils and a bronze axe. "
    "The university sold the axe to a museum in Vienna. "
    "Critics attacked the sale, but the dean did not resign."
)


@pytest.fixture(scope="session")
def passage() -> str:
    return PASSAGE
