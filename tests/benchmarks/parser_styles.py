"""Does the parser lose triples? A strong model's real extractions, written again in the styles that models use.

    python -m tests.benchmarks.parser_styles [--data ../shared/data] [--limit N]

Reads `extraction/claude2_triples.jsonl.gz` (1,400 answers by seven LLMs, triples by Claude 2). Each answer's triples
are written in every style and parsed; an answer counts as lost unless all of its triples come back, exactly and in
order. Prints a table, and the first losses; exit status 1 if there is any loss in a style that quotes its values.
"""

from __future__ import annotations

import argparse
import gzip
import html
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from grapheval.extraction.parser import parse_triples
from grapheval.types import Outcome

Row = tuple[str, str, str]
Rows = list[Row]
KEYS = ("subject", "relation", "object")


def objects(rows: Rows, keys: tuple[str, str, str] = KEYS) -> list[dict[str, str]]:
    return [dict(zip(keys, row, strict=True)) for row in rows]


def smart(rows: Rows) -> str:
    return "[" + ",\n ".join("[" + ", ".join(f"“{part}”" for part in row) + "]" for row in rows) + "]"


def single(rows: Rows) -> str:
    return "[" + ", ".join("[" + ", ".join(f"'{part}'" for part in row) + "]" for row in rows) + "]"


def double(rows: Rows) -> str:
    return "[" + ", ".join("(" + ", ".join(f'"{part}"' for part in row) + ")" for row in rows) + ",]"


def joined(separator: str, prefix: Callable[[int], str] = lambda number: "") -> Callable[[Rows], str]:
    return lambda rows: "\n".join(prefix(n) + separator.join(row) for n, row in enumerate(rows, 1))


STYLES: dict[str, tuple[bool, Callable[[Rows], str]]] = {
    "JSON lists": (True, json.dumps),
    "JSON lists, not ASCII, indented, fenced, chatter": (
        True,
        lambda rows: f"Here:\n```json\n{json.dumps(rows, ensure_ascii=False, indent=2)}\n```\nThat's all (I think).",
    ),
    "JSON objects": (True, lambda rows: json.dumps(objects(rows))),
    "wrapped objects, head/relation/tail": (
        True,
        lambda rows: json.dumps({"triples": objects(rows, ("head", "relation", "tail"))}),
    ),
    "JSON lines, source/type/target": (
        True,
        lambda rows: "\n".join(json.dumps(item) for item in objects(rows, ("source", "type", "target"))),
    ),
    "Python lists in tags": (True, lambda rows: f"<python>\n{[list(row) for row in rows]!r}\n</python>"),
    "Python tuples after thoughts": (True, lambda rows: f"<think>First [['a', 'b', 'c']]...</think>\n\n{rows!r}"),
    "trailing commas, an assignment": (True, lambda rows: "triples = [" + "".join(f"{r!r},\n" for r in rows) + "]"),
    "an escaped string": (True, lambda rows: json.dumps(json.dumps(rows))),
    "smart quotes, not escaped": (False, smart),
    "HTML entities": (True, lambda rows: html.escape(json.dumps(rows))),
    "calls": (
        True,
        lambda rows: "[" + ", ".join(f"Triple(subject={s!r}, relation={r!r}, object={o!r})" for s, r, o in rows) + "]",
    ),
    "cut off in one more item": (True, lambda rows: json.dumps([*rows, ("Lost one", "is cut", "here")])[:-9]),
    "single quotes, not escaped": (False, single),
    "double quotes, not escaped": (False, double),
    "pipes": (False, joined(" | ")),
    "tabs": (False, joined("\t")),
    "numbered arrows": (False, joined(" -> ", lambda number: f"{number}. ")),
    "bullets with semicolons in brackets": (
        False,
        lambda rows: "\n".join(f"- ({s}; {r}; {o})" for s, r, o in rows),
    ),
    "table": (
        False,
        lambda rows: (
            "| Subject | Relation | Object |\n|---|---|---|\n" + "\n".join(f"| {' | '.join(r)} |" for r in rows)
        ),
    ),
    "named lines": (
        False,
        lambda rows: "\n\n".join(f"Subject: {s}\nPredicate: {r}\nObject: {o}" for s, r, o in rows),
    ),
}
"""Name -> whether the style keeps any value apart from its neighbours (quotes, escapes), and how it is written."""


def read(path: Path, limit: int | None) -> Iterator[Rows]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if limit is not None and number >= limit:
                return
            yield [tuple(map(str, triple)) for triple in json.loads(line)["triples"]]  # type: ignore[misc]


def expected(rows: Rows) -> Rows:
    """Stripped, without duplicates and without items that are none (an empty part, three parts missing)."""
    seen: dict[tuple[str, ...], Row] = {}
    for row in rows:
        stripped = tuple(part.strip() for part in row)
        if len(stripped) == 3 and all(stripped):
            seen.setdefault(tuple(" ".join(part.split()).casefold() for part in stripped), stripped)
    return list(seen.values())


def bare(rows: Rows) -> Rows:
    """In a few recordings all three parts stand in quotes of their own, which a style without quotes cannot keep."""
    return [
        (row[0][1:-1], row[1][1:-1], row[2][1:-1]) if all(len(p) > 2 and p[0] == p[-1] == '"' for p in row) else row
        for row in rows
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("GRAPHEVAL_DATA", "../shared/data")))
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--show", type=int, default=3, help="losses to print for each style")
    options = parser.parse_args()
    answers = [rows for rows in read(options.data / "extraction" / "claude2_triples.jsonl.gz", options.limit) if rows]
    answers = [kept for kept in ([r for r in rows if len(r) == 3] for rows in answers) if kept]
    total = sum(len(expected(rows)) for rows in answers)
    print(
        f"{len(answers)} answers, {total} triples\n\n| style | answers with a loss | triples lost | µs a triple |\n|---|--:|--:|--:|"
    )
    failed = False
    losses: list[str] = []
    for name, (quoted, write) in STYLES.items():
        lost_answers = lost_triples = 0
        start = time.process_time()
        for rows in answers:
            wanted = expected(rows)
            extraction = parse_triples(write(rows))
            found = [(t.subject, t.relation, t.object) for t in extraction.triples]
            right_outcome = extraction.outcome is (Outcome.INCOMPLETE if name.startswith("cut") else Outcome.OK)
            if not quoted:
                found, wanted = bare(found), bare(wanted)
            if found != wanted or not right_outcome:
                lost_answers += 1
                lost_triples += len(set(wanted) - set(found))
                if lost_answers <= options.show:
                    losses.append(
                        f"{name}: lost {set(wanted) - set(found)}, extra {set(found) - set(wanted)}, {extraction.outcome}"
                    )
        spent = (time.process_time() - start) / max(total, 1) * 1e6
        print(f"| {name} | {lost_answers} | {lost_triples} | {spent:.0f} |", flush=True)
        failed |= quoted and lost_answers > 0
    print("\n" + "\n".join(losses))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
