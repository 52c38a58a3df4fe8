"""Exit statuses of the program."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grapheval.types import Status


class ExitCode(IntEnum):
    """What the program's exit status means."""

    OK = 0
    """`check`: consistent. `batch`: every line was processed."""
    INCONSISTENT = 1
    """`check`: something is not grounded in the context."""
    USAGE = 2
    """Bad usage, input that cannot be read, or something that is not installed."""
    UNJUDGED = 3
    """`check`: not (fully) judged. `batch`: some lines failed."""
    INTERNAL = 4
    """A model, a service or the program itself failed."""
    INTERRUPTED = 130
    """Ctrl-C."""


def exit_code_of(status: Status) -> ExitCode:
    """The exit status that tells how an answer was judged."""
    return {"consistent": ExitCode.OK, "inconsistent": ExitCode.INCONSISTENT}.get(status.value, ExitCode.UNJUDGED)
