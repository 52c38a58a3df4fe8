"""Gradients by several single-threaded workers that share one set of weights.

One multi-threaded matrix product waits for its slowest thread, so a second busy process on a small machine
slows it down several times over. Workers that fetch small batches from a queue lose only what the other
process takes.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from training.batches import Encoded, collate

if TYPE_CHECKING:
    import torch
    from transformers import BertForSequenceClassification

    Loss = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]


def split_batch(rows: Sequence[Encoded], parts: int) -> list[list[Encoded]]:
    """Split a batch into at most `parts` contiguous pieces with about the same number of tokens."""
    total = sum(len(r.ids) for r in rows)
    pieces: list[list[Encoded]] = []
    used = 0
    for row in rows:
        if not pieces or used * parts >= total * len(pieces):
            pieces.append([])
        pieces[-1].append(row)
        used += len(row.ids)
    return pieces


class Workers:
    """A pool of network replicas; `gradients` leaves the summed gradient in the first network's `.grad`."""

    def __init__(self, network: BertForSequenceClassification, count: int, loss: Loss) -> None:
        """Make `count - 1` replicas that share the network's weights but not its gradients."""
        self._loss = loss
        self._replicas = [network]
        for _ in range(count - 1):
            replica = copy.deepcopy(network)
            for own, shared in zip(replica.parameters(), network.parameters(), strict=True):
                own.data = shared.data
            self._replicas.append(replica)
        for replica in self._replicas:
            replica.train()
        self._pool = ThreadPoolExecutor(max_workers=count)
        self._lock = threading.Lock()

    def gradients(self, rows: Sequence[Encoded]) -> float:
        """Compute the gradient of the weighted mean loss over `rows`; returns that loss."""
        import torch

        total = sum(r.weight for r in rows)
        queue: SimpleQueue[list[Encoded]] = SimpleQueue()
        for piece in split_batch(rows, 3 * len(self._replicas)):
            queue.put(piece)
        losses: list[float] = []

        def work(replica: BertForSequenceClassification) -> None:
            torch.set_num_threads(1)
            while True:
                try:
                    piece = queue.get_nowait()
                except Empty:
                    return
                inputs, labels, weights = collate(piece)
                share = float(weights.sum()) / total
                value = self._loss(replica(**inputs).logits, labels, weights) * share
                value.backward()  # type: ignore[no-untyped-call]
                with self._lock:
                    losses.append(float(value.detach()))

        for replica in self._replicas:
            replica.zero_grad(set_to_none=True)
        for future in [self._pool.submit(work, replica) for replica in self._replicas]:
            future.result()
        for replica in self._replicas[1:]:
            for mine, other in zip(self._replicas[0].parameters(), replica.parameters(), strict=True):
                if other.grad is None:
                    continue
                if mine.grad is None:
                    mine.grad = other.grad
                else:
                    mine.grad.add_(other.grad)
        return sum(losses)
