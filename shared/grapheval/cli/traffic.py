"""Options that bound what a batch asks of a language model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from grapheval.errors import InputError

if TYPE_CHECKING:
    from grapheval.io.batch import BatchRecord
    from grapheval.llm import Limits

PANEL = "Language model"

AnswerTimeoutOption = Annotated[
    float | None,
    typer.Option(
        "--answer-timeout",
        metavar="SECONDS",
        help="Longest time for all calls of an answer; then it is a failure (timeout), or judged in part.",
        rich_help_panel=PANEL,
    ),
]
RateOption = Annotated[
    float | None,
    typer.Option("--calls-per-minute", metavar="N", help="Calls are spaced evenly.", rich_help_panel=PANEL),
]
MaxCallsOption = Annotated[
    int | None,
    typer.Option(
        "--max-calls",
        metavar="N",
        help="Budget: after so many calls the batch stops, and --resume goes on from there.",
        rich_help_panel=PANEL,
    ),
]
MaxTokensOption = Annotated[
    int | None,
    typer.Option(
        "--max-tokens", metavar="N", help="The same for tokens, input and output together.", rich_help_panel=PANEL
    ),
]


def limits_of(
    llm: str | None, rate: float | None, max_calls: int | None, max_tokens: int | None, *, on_ray: bool
) -> Limits | None:
    """What the options mean; None where none was given.

    Raises:
        InputError: There is no model to bound, or a bound cannot hold.
    """
    given = {"--calls-per-minute": rate, "--max-calls": max_calls, "--max-tokens": max_tokens}
    named = [option for option, value in given.items() if value is not None]
    if not named:
        return None
    if llm is None:
        msg = f"{named[0]} bounds a language model: add --llm PROVIDER:MODEL"
        raise InputError(msg)
    if on_ray:
        msg = f"{named[0]} cannot hold over several workers: leave it or --engine ray out"
        raise InputError(msg)
    from grapheval.llm import Limits

    # The timeout of one call is the client's own; it knows its server.
    return Limits(timeout=None, calls_per_minute=rate, max_calls=max_calls, max_tokens=max_tokens)


def out_of_budget(record: BatchRecord) -> bool:
    """Whether a record is what it is because the budget was used up."""
    from grapheval.errors import BudgetExceeded
    from grapheval.types import Reason

    if record.failure is not None:
        return record.failure.code == BudgetExceeded.code
    reasons = [record.evaluation and record.evaluation.reason, record.correction and record.correction.reason]
    return Reason.BUDGET_EXCEEDED in reasons
