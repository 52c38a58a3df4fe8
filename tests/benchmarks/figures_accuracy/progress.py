"""Signs of life on standard error: a bar on a terminal, otherwise a line every half minute and when a step ends."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from grapheval.cli.progress import counting

EVERY = 30.0
"""Seconds between two lines."""


@contextmanager
def step(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Announce a step; the block calls what it gets with the number of answers that are done."""
    began = said = time.perf_counter()
    done = 0
    with counting(what, total=total, done=0, quiet=False) as one:

        def tell(count: int) -> None:
            nonlocal done, said
            done += count
            for _ in range(count):
                one()
            now = time.perf_counter()
            if not sys.stderr.isatty() and now - said > EVERY and done < total:
                print(f"{what}: {done} of {total}", file=sys.stderr, flush=True)
                said = now

        yield tell
    print(f"{what}: {total} in {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
