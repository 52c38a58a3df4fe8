"""Writes the documentation that is generated from the program, or checks that it is up to date.

python -m tests.tools.generated           # write
python -m tests.tools.generated --check   # exit 1 when something differs (CI)
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _schema(name: str) -> str:
    from grapheval import types
    from grapheval.serialize import json_schema

    return json.dumps(json_schema(getattr(types, name)), indent=2, sort_keys=True) + "\n"


def _command_line() -> str:
    from grapheval.cli import reference

    return reference()


GENERATED: dict[str, Callable[[], str]] = {
    "docs/evaluation.schema.json": lambda: _schema("Evaluation"),
    "docs/correction.schema.json": lambda: _schema("Correction"),
    "docs/cli.md": _command_line,
}


def stale() -> list[str]:
    """The generated files that differ from what the program says now."""
    return [
        name
        for name, make in GENERATED.items()
        if not (ROOT / name).exists() or (ROOT / name).read_text(encoding="utf-8") != make()
    ]


def main() -> int:
    """Write the files, or with `--check` name those that are out of date."""
    if "--check" in sys.argv[1:]:
        names = stale()
        for name in names:
            print(f"{name} is out of date: run `make docs`")
        return 1 if names else 0
    for name, make in GENERATED.items():
        (ROOT / name).write_text(make(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
