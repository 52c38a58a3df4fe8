"""The command reference, rendered from the program, so that it cannot be out of date."""

from __future__ import annotations

import re
from typing import Any

_MARKUP = re.compile(r"\[/?[a-z ]+\]")


def render() -> str:
    """Every command with its arguments and options, as Markdown."""
    import typer.main

    from grapheval.cli.app import app

    root: Any = typer.main.get_command(app)
    parts = [
        "# Command line",
        "",
        root.help,
        "",
        "`grapheval COMMAND …`, also `python -m grapheval COMMAND …`.",
        "",
        "| exit status | meaning |",
        "|---|---|",
        *(f"| {code} | {meaning} |" for code, meaning in _EXITS),
        "",
    ]
    for name in sorted(root.commands):
        parts += _command(name, root.commands[name])
    return "\n".join(parts).rstrip() + "\n"


_EXITS = (
    (0, "`check`: consistent; `batch`: every line was processed; `demo`: always"),
    (1, "`check`: inconsistent"),
    (2, "bad usage, input that cannot be read, or something that is not installed (the message names the command)"),
    (3, "`check`: not (fully) judged: partial, abstained, no claims, no context; `batch`: some lines failed"),
    (4, "a model, a service or the program failed; `--debug` shows the trace"),
    (130, "interrupted with Ctrl-C"),
)


def _command(name: str, command: Any) -> list[str]:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and not p.hidden and p.name != "help"]
    usage = " ".join(["[OPTIONS]", *(p.metavar or p.name.upper() for p in arguments)])
    parts = [
        f"## grapheval {name}",
        "",
        *_paragraphs(command.help or ""),
        "```",
        f"grapheval {name} {usage}",
        "```",
        "",
    ]
    if arguments:
        parts += ["| argument | |", "|---|---|"]
        parts += [f"| `{p.metavar or p.name.upper()}` | {_cell(p.help)} |" for p in arguments]
        parts.append("")
    if options:
        parts += ["| option | | default |", "|---|---|---|"]
        parts += [f"| {_flags(p)} | {_cell(p.help)} | {_default(p)} |" for p in options]
        parts.append("")
    return parts


def _paragraphs(text: str) -> list[str]:
    """One line a paragraph, a blank one after each."""
    blocks = [" ".join(block.split()) for block in text.split("\n\n")]
    return [line for block in blocks if block for line in (block, "")]


def _flags(param: Any) -> str:
    value = "" if param.is_flag else f" {param.metavar or 'VALUE'}"
    names = sorted([*param.opts, *param.secondary_opts], key=len, reverse=True)
    return ", ".join([f"`{names[0]}{value}`", *(f"`{name}`" for name in names[1:])]).replace("|", "\\|")


def _default(param: Any) -> str:
    if param.required:
        return "required"
    if param.default is None or param.default is False or callable(param.default):
        return ""
    return f"`{getattr(param.default, 'value', param.default)}`"


def _cell(text: str | None) -> str:
    return " ".join(_MARKUP.sub("", text or "").split()).replace("|", "\\|")
