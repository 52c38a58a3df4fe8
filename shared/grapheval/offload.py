"""Keeps the event loop free: what computes runs on a few worker threads that the whole process shares.

Computing in more threads than there are cores makes nothing faster, and each of them delays the event loop by a turn
at the interpreter's lock. Calls that are cancelled before their turn are never run.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import lru_cache
from typing import ParamSpec, TypeVar

from grapheval.forks import renew_after_fork

P = ParamSpec("P")
R = TypeVar("R")

MOST_WORKERS = 4


def compute_bound(stage: object) -> bool:
    """Whether a stage's calls only compute in this process, as it says by `compute_bound = True`.

    All other stages are taken to wait (for a server, a file), so that each call gets a thread of its own.
    """
    return bool(getattr(stage, "compute_bound", False))


async def offload(call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run a call that computes on one of the process's workers, in a copy of the caller's context."""
    context = copy_context()
    return await asyncio.get_running_loop().run_in_executor(_workers(), lambda: context.run(call, *args, **kwargs))


def cores() -> int:
    """Processors that this process may use: what OMP_NUM_THREADS allows where it is set, otherwise its affinity."""
    limit = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    if limit.isdecimal() and int(limit) > 0:
        return int(limit)
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this operating system
        return os.cpu_count() or 1


@lru_cache(maxsize=1)
def _workers() -> ThreadPoolExecutor:
    renew_after_fork(_forget_workers)
    return ThreadPoolExecutor(min(MOST_WORKERS, cores()), thread_name_prefix="grapheval-compute")


def _forget_workers() -> None:
    _workers.cache_clear()
