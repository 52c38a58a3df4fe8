"""One training stage: warm-up, linear decay, AdamW, checkpoints, resumable."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from training.batches import Encoded, make_batches
from training.rows import NOT_ENTAILMENT
from training.workers import Workers

if TYPE_CHECKING:
    import torch
    from transformers import BertForSequenceClassification

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Stage:
    """Settings of one stage.

    Attributes:
        name: Name of the stage; checkpoints carry it.
        lr: Highest learning rate.
        warmup: Share of the steps over which the rate rises, 0 to 1.
        decay: Share of the steps, at the end, over which the rate falls to 0.
        stop: Number of steps after which the stage ends, the schedule unfinished; None runs all of them.
        steps: Number of steps that the schedule counts on, at most the number of batches; None means all.
        tokens: Padded tokens per step, at most.
        seed: Seed of the order of the rows.
        weight_decay: AdamW's decay.
        checkpoint_s: Seconds between checkpoints.
    """

    name: str
    lr: float
    warmup: float = 0.06
    decay: float = 0.94
    stop: int | None = None
    steps: int | None = None
    tokens: int = 2048
    seed: int = 0
    weight_decay: float = 0.01
    checkpoint_s: float = 180.0


def marginal_loss(logits: torch.Tensor, labels: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Cross-entropy in which `NOT_ENTAILMENT` means "neutral or contradiction".

    Args:
        logits: `[rows, 3]`.
        labels: `[rows]`, 0 to 3; for 3 the loss is -log(1 - P(entailment)).
        weights: `[rows]`.

    Returns:
        The weighted mean.
    """
    import torch

    log_p = torch.log_softmax(logits.float(), dim=-1)
    either = torch.logsumexp(log_p[:, 1:], dim=-1)
    known = log_p.gather(1, labels.clamp(max=2).unsqueeze(1)).squeeze(1)
    loss = -torch.where(labels == NOT_ENTAILMENT, either, known)
    return (loss * weights).sum() / weights.sum()


def stage_batches(rows: Sequence[Encoded], stage: Stage) -> list[list[int]]:
    """Return the batches in which a stage sees its rows, as row numbers (see `make_batches`)."""
    return make_batches([len(r.ids) for r in rows], tokens=stage.tokens, seed=stage.seed)


def train_stage(
    network: BertForSequenceClassification,
    rows: Sequence[Encoded],
    stage: Stage,
    out: Path,
    workers: int = 2,
) -> None:
    """Train one epoch over `rows` and leave `<stage>.pt` (state for resuming) up to date in `out`.

    Batches come in an order fixed by the seed, so a run that was stopped goes on with the batch after its
    last checkpoint.
    """
    import torch

    batches = stage_batches(rows, stage)
    parameters = [p for p in network.parameters() if p.requires_grad]
    decay = [p for p in parameters if p.dim() > 1]
    rest = [p for p in parameters if p.dim() <= 1]
    optimizer = torch.optim.AdamW(
        [{"params": decay, "weight_decay": stage.weight_decay}, {"params": rest, "weight_decay": 0.0}],
        lr=stage.lr,
        betas=(0.9, 0.98),
        fused=True,
    )
    steps = min(len(batches), stage.steps or len(batches))
    rising, falling = max(1, int(steps * stage.warmup)), max(1, int(steps * stage.decay))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda s: max(0.0, min(1.0, (s + 1) / rising, (steps - s) / falling))
    )
    last = min(steps, stage.stop or steps)
    path = out / f"{stage.name}.pt"
    first = 0
    if path.exists():
        saved = torch.load(path, weights_only=True)
        network.load_state_dict(saved["network"])
        optimizer.load_state_dict(saved["optimizer"])
        schedule.load_state_dict(saved["schedule"])
        first = int(saved["step"])
        logger.info("%s: resumed at step %d of %d", stage.name, first, steps)
    pool = Workers(network, workers, marginal_loss)
    real = sum(len(r.ids) for r in rows)
    logger.info("%s: %d rows, %d tokens, %d steps", stage.name, len(rows), real, steps)
    began = kept = shown = time.monotonic()
    done = 0
    recent: list[float] = []
    for step in range(first, last):
        batch = [rows[n] for n in batches[step]]
        recent.append(pool.gradients(batch))
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        schedule.step()
        done += sum(len(r.ids) for r in batch)
        now = time.monotonic()
        if now - shown > 20 or step + 1 == last:
            logger.info(
                "%s: step %d/%d loss %.4f %.0f tokens/s",
                *(stage.name, step + 1, steps, sum(recent) / len(recent), done / (now - began)),
            )
            recent.clear()
            shown = now
        if now - kept > stage.checkpoint_s or step + 1 == last:
            part = path.with_suffix(".part")
            torch.save(
                {
                    "network": network.state_dict(),
                    "optimizer": optimizer.state_dict(),
                    "schedule": schedule.state_dict(),
                    "step": step + 1,
                },
                part,
            )
            part.replace(path)
            kept = now
    network.eval()  # type: ignore[no-untyped-call]
