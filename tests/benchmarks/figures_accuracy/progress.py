"""Signs of life on standard error: a bar on a terminal, otherwise a line whenever a step ends."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from grapheval.cli.progress import counting


@contextmanager
def step(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Announce a step; the block calls what it gets with the number of answers that are done."""
    began = time.perf_counter()
    with counting(what, total=total, done=0, quiet=False) as one:

        def tell(count: int) -> None:
            for _ in range(count):
                one()

        yield tell
    print(f"{what}: {total} in {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
