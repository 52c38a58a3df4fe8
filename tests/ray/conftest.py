"""A real cluster of two nodes on this machine."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
MEMORY = 80 * 1024 * 1024
PATIENCE = 300
"""Seconds: build machines are busy."""
for _name in (
    "RAY_raylet_start_wait_time_s",
    "RAY_gcs_server_request_timeout_seconds",
    "RAY_worker_register_timeout_seconds",
):
    os.environ.setdefault(_name, str(PATIENCE))
os.environ.setdefault("RAY_agent_register_timeout_ms", str(1_000 * PATIENCE))
HEALTH = {
    "health_check_initial_delay_ms": 0,
    "health_check_period_ms": 1_000,
    "health_check_failure_threshold": 5,
    "health_check_timeout_ms": 60_000,
}
"""A node that is killed is noticed soon, one that is slow is not taken for dead."""


PORTS = ("metrics_agent_port", "metrics_export_port", "runtime_env_agent_port", "dashboard_agent_listen_port")


def free_ports(number: int) -> list[int]:
    """Ports that nobody listens on now."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(number)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


class TwoNodes:
    """A head and a worker node of two processors each; the worker can be killed and replaced."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        self.cluster = Cluster()
        self._add(include_dashboard=False, _system_config=HEALTH)
        self.worker: Any = None

    def with_worker(self) -> TwoNodes:
        """Make sure that the second node is there."""
        if self.worker is None:
            self.worker = self._add()
            self.cluster.wait_for_nodes(PATIENCE)
        return self

    def _add(self, **options: Any) -> Any:
        """A node; Ray waits only 30 seconds for ports that its agents choose themselves."""
        ports = dict(zip(PORTS, free_ports(len(PORTS)), strict=True))
        return self.cluster.add_node(wait=False, num_cpus=2, object_store_memory=MEMORY, **ports, **options)

    def kill_worker(self) -> None:
        """The node dies with everything on it, at once."""
        worker, self.worker = self.worker, None
        self.cluster.remove_node(worker, allow_graceful=False)


@pytest.fixture(scope="session")
def two_nodes() -> Iterator[TwoNodes]:
    import logging

    import ray

    nodes = TwoNodes()
    ray.init(address=nodes.cluster.address, logging_level=logging.ERROR, log_to_driver=False)
    yield nodes
    ray.shutdown()
    nodes.cluster.shutdown()
