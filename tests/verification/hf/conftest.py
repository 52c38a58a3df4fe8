from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from tests.fixtures.checkpoints import build

torch.set_num_threads(1)


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Name in the table -> directory with its tiny checkpoint; built once, never changed."""
    made: dict[str, Path] = {}

    def make(name: str) -> Path:
        if name not in made:
            made[name] = build.save(tmp_path_factory.mktemp(name), name)
        return made[name]

    return make
