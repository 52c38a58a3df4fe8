"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

PIPELINE = "Pipeline"
OUTPUT = "Output"


class ExtractorName(StrEnum):
    """Who turns the answer into triples."""

    LOCAL = "local"
    LLM = "llm"


class ProtocolName(StrEnum):
    """How triples are judged."""

    OURS = "ours"
    PAPER = "paper"


ExtractorOption = Annotated[
    ExtractorName | None,
    typer.Option(
        "--extractor",
        metavar="local|llm",
        help="Who turns the answer into triples. Without it: llm where --llm is given, otherwise local.",
        rich_help_panel=PIPELINE,
    ),
]
VerifierOption = Annotated[
    str | None,
    typer.Option(
        "--verifier",
        metavar="NAME",
        help="NLI model that judges the claims: bundled, hhem, hhem-1, minicheck, …, or the id of an NLI model. "
        "Without it: bundled, which is offline.",
        rich_help_panel=PIPELINE,
    ),
]
LLMOption = Annotated[
    str | None,
    typer.Option(
        "--llm",
        metavar="PROVIDER:MODEL",
        help="LLM that extracts triples and repairs answers, for example ollama:llama3 or openai:gpt-4o-mini.",
        rich_help_panel=PIPELINE,
    ),
]
ProtocolOption = Annotated[
    ProtocolName,
    typer.Option(
        "--protocol",
        metavar="ours|paper",
        help="ours: evidence windows, rules across passages, uncovered sentences checked as a whole. paper: each "
        "triple against the whole context.",
        rich_help_panel=PIPELINE,
    ),
]
ThresholdOption = Annotated[
    float | None,
    typer.Option(
        "--threshold",
        metavar="T",
        help="Between 0 and 1: a claim, and with it the answer, is ungrounded above this probability. Without it: "
        "what --settings says, otherwise 0.5.",
        rich_help_panel=PIPELINE,
    ),
]
SettingsOption = Annotated[
    Path | None,
    typer.Option(
        "--settings",
        metavar="FILE",
        help="What grapheval calibrate saved: pipeline, threshold, probability map. Options given here come first.",
        rich_help_panel=PIPELINE,
    ),
]
CorrectOption = Annotated[
    bool,
    typer.Option(
        "--correct",
        metavar="",
        help="Repair what is not grounded and judge the result: from the evidence; with --llm by GraphCorrect.",
    ),
]


class Unrepaired(StrEnum):
    """What happens to a flagged claim that cannot be repaired."""

    KEEP = "keep"
    DROP = "drop"
    MARK = "mark"


UnrepairedOption = Annotated[
    Unrepaired,
    typer.Option(
        "--unrepaired",
        metavar="keep|drop|mark",
        help="With --correct, what happens where the sources allow no repair: keep the text, drop the clause or "
        "sentence, or mark it as not supported.",
    ),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", metavar="", help="Only errors.", rich_help_panel=OUTPUT)]
DebugOption = Annotated[
    bool,
    typer.Option("--debug", metavar="", help="Show traces, warnings and log lines.", rich_help_panel=OUTPUT),
]


class SpreadCommand(TyperCommand):
    """A command whose `--context` takes several values: `--context a.md b.md` as shells expand `--context *.md`."""

    spread = frozenset({"--context", "-c"})

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Repeat the flag before every further value, then parse as usual."""
        return super().parse_args(ctx, spread(args, self.spread))


def spread(args: list[str], flags: frozenset[str]) -> list[str]:
    """`--context a b` becomes `--context a --context b`; everything else stays.

    Args:
        args: Command-line arguments.
        flags: The flags that take several values. A value that begins with `-` is another flag, unless it is `-`.
    """
    result: list[str] = []
    flag: str | None = None  # the flag that is open for more values
    for number, arg in enumerate(args):
        if arg == "--":
            return result + args[number:]
        opens = next((f for f in flags if arg == f or arg.startswith(f"{f}=")), None)
        if opens is not None:
            flag = opens
            result.append(arg)
        elif arg.startswith("-") and arg != "-":
            flag = None
            result.append(arg)
        elif flag is not None and result[-1] != flag:
            result += [flag, arg]
        else:
            result.append(arg)
    return result


def log_to_stderr() -> None:
    """For `--debug`: the library's log lines."""
    import logging

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("grapheval").setLevel(logging.DEBUG)
