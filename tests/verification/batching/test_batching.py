import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapheval.errors import InputError
from grapheval.verification.batching import batches, run_batches


def test_sorted_by_length_and_capped_with_padding():
    # Longest first: 50 alone (50 x 2 > 90), then 40 + 30 (40 x 2 = 80), then 20 + 10 (20 x 2 = 40).
    assert batches([10, 50, 30, 40, 20], 90) == [[1], [3, 2], [4, 0]]


def test_an_item_above_the_budget_gets_its_own_batch():
    assert batches([5, 200, 5], 100) == [[1], [0, 2]]


def test_equal_lengths_keep_their_order():
    assert batches([7, 7, 7, 7], 14) == [[0, 1], [2, 3]]


def test_nothing_gives_no_batches_and_zero_lengths_count_as_one():
    assert batches([], 10) == []
    assert batches([0, 0, 0], 2) == [[0, 1], [2]]


def test_a_budget_below_one_is_refused():
    with pytest.raises(InputError, match="at least one token"):
        batches([1], 0)


@given(st.lists(st.integers(0, 600), max_size=60), st.integers(1, 2000))
def test_every_item_once_and_within_the_budget(lengths, budget):
    groups = batches(lengths, budget)
    assert sorted(position for group in groups for position in group) == list(range(len(lengths)))
    for group in groups:
        assert len(group) == 1 or max(lengths[p] for p in group) * len(group) <= budget


def test_results_come_back_in_the_order_of_the_items():
    lengths = [3, 9, 1, 7]
    assert run_batches(lengths, 9, lambda batch: [f"item {p}" for p in batch]) == [f"item {p}" for p in range(4)]


def test_out_of_memory_halves_the_batch_and_those_that_follow():
    tried: list[int] = []
    released: list[bool] = []

    def run(batch: list[int]) -> list[int]:
        tried.append(len(batch))
        if len(batch) > 2:
            raise MemoryError
        return [p * 10 for p in batch]

    out = run_batches([4] * 10, 32, run, release=lambda: released.append(True))
    assert out == [p * 10 for p in range(10)]
    # 8 of 10 fit 32 tokens: 8 fails -> 16 tokens: 4 fails -> 8 tokens: 2 at a time, five times.
    assert tried == [8, 4, 2, 2, 2, 2, 2]
    assert len(released) == 2


def test_a_single_item_that_does_not_fit_raises():
    def run(batch: list[int]) -> list[int]:
        raise MemoryError

    with pytest.raises(MemoryError):
        run_batches([4, 4], 8, run)


def test_other_errors_are_not_swallowed():
    def run(batch: list[int]) -> list[int]:
        msg = "shape mismatch"
        raise RuntimeError(msg)

    with pytest.raises(RuntimeError, match="shape mismatch"):
        run_batches([4, 4], 8, run)


def test_a_run_that_returns_too_few_results_is_an_error():
    with pytest.raises(ValueError, match="zip"):
        run_batches([1, 1], 8, lambda batch: [1])
