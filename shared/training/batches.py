"""Rows to batches of token ids, with next to no padding."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from training.rows import Row

if TYPE_CHECKING:
    import torch
    from tokenizers import Tokenizer


@dataclass(frozen=True, slots=True)
class Encoded:
    """A pair as token ids.

    Attributes:
        ids: WordPiece ids, `[CLS] premise [SEP] hypothesis [SEP]`.
        split: Number of ids that belong to the first segment.
        label: Class index of the row.
        weight: Weight of the row in the loss.
    """

    ids: tuple[int, ...]
    split: int
    label: int
    weight: float = 1.0


def plain_tokenizer(path: str) -> Tokenizer:
    """Load a `tokenizer.json` with truncation and padding switched off."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(path)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def normal_claim(claim: str) -> str:
    """Return a claim with one full stop at its end, as the verifier asks for it."""
    return claim.strip().rstrip(".!?;:,… ") + "."


def encode(rows: Sequence[Row], tokenizer: Tokenizer, *, max_tokens: int, normal: bool = True) -> list[Encoded]:
    """Encode rows, claims in their normal form or as they are; a row above `max_tokens` is left out, never cut.

    Cutting a premise could remove the evidence and so make the label wrong.
    """
    encoded: list[Encoded] = []
    for start in range(0, len(rows), 4096):
        block = rows[start : start + 4096]
        for row, item in zip(
            block,
            tokenizer.encode_batch(
                [(r.premise, normal_claim(r.hypothesis) if normal else r.hypothesis) for r in block]
            ),
            strict=True,
        ):
            if len(item.ids) <= max_tokens:
                encoded.append(Encoded(tuple(item.ids), item.type_ids.count(0), row.label))
    return encoded


def make_batches(lengths: Sequence[int], *, tokens: int, seed: int, chunk: int = 4000) -> list[list[int]]:
    """Group row numbers into batches of similar length, in random order.

    Rows are shuffled, cut into chunks, sorted by length within a chunk and cut into batches whose padded
    size stays at or below `tokens`; the batches are shuffled again.

    Returns:
        Lists of row numbers; every row stands in exactly one of them.
    """
    rng = random.Random(seed)
    order = list(range(len(lengths)))
    rng.shuffle(order)
    batches: list[list[int]] = []
    for start in range(0, len(order), chunk):
        batch: list[int] = []
        for number in sorted(order[start : start + chunk], key=lambda n: (lengths[n], n)):
            if batch and lengths[number] * (len(batch) + 1) > tokens:
                batches.append(batch)
                batch = []
            batch.append(number)
        if batch:
            batches.append(batch)
    rng.shuffle(batches)
    return batches


def collate(rows: Sequence[Encoded]) -> tuple[dict[str, torch.Tensor], torch.Tensor, torch.Tensor]:
    """Pad rows to the longest.

    Returns:
        Model inputs (each `[rows, length]`, int64), labels `[rows]` and weights `[rows]`.
    """
    import torch

    length = max(len(row.ids) for row in rows)
    ids = torch.zeros((len(rows), length), dtype=torch.int64)
    mask = torch.zeros_like(ids)
    types = torch.zeros_like(ids)
    for number, row in enumerate(rows):
        size = len(row.ids)
        ids[number, :size] = torch.tensor(row.ids)
        mask[number, :size] = 1
        types[number, row.split : size] = 1
    labels = torch.tensor([row.label for row in rows])
    weights = torch.tensor([row.weight for row in rows])
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}, labels, weights
