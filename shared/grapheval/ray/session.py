"""Joins the cluster that there is, or starts one on this machine."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from grapheval.errors import ModelError
from grapheval.extras import require


def load_ray() -> ModuleType:
    """Ray itself; it reports no usage unless the environment asks for it.

    Raises:
        MissingExtraError: The extra `ray` is not installed.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    return require("ray", extra="ray")


@contextmanager
def session(*, cpus: int | None = None) -> Iterator[ModuleType]:
    """A connection to a cluster.

    A program that is connected already stays so. Otherwise the environment's RAY_ADDRESS says which cluster is joined
    (`auto` = the one of this machine); without it one is started on this machine, without dashboard, and ended again.

    Args:
        cpus: Processors of a cluster that is started here; None = all.

    Raises:
        MissingExtraError: The extra `ray` is not installed.
        ModelError: The cluster does not answer.
    """
    ray = load_ray()
    if ray.is_initialized():
        yield ray
        return
    address = os.environ.get("RAY_ADDRESS")
    quiet = {"logging_level": logging.ERROR, "log_to_driver": False}
    try:
        if address:
            ray.init(address=address, **quiet)
        else:
            # No pip or uv environment per job: the workers run what this program runs.
            ray.init(num_cpus=cpus, include_dashboard=False, **quiet)
    except Exception as error:
        where = f"the Ray cluster at {address}" if address else "a Ray cluster on this machine"
        msg = f"cannot connect to {where}: {type(error).__name__}: {str(error)[:300]}"
        raise ModelError(msg, retryable=True, code="unreachable") from error
    try:
        yield ray
    finally:
        ray.shutdown()
