"""LLM calls and tokens per evaluated answer: GraphEval beside RAGAS, DeepEval and LlamaIndex.

Usage, from the project's root: python -m tests.benchmarks.cost_account.account [--env DIR] [--out DIR]

Installs the peers in an environment of their own, runs the faithfulness check of each on the same twenty answers at
growing context lengths against a local stub of the OpenAI chat API, and counts what was sent and what came back.
Tokens are those of `o200k_base`, whose vocabulary comes with llama-index-core. Counted are the texts of messages and
replies; JSON schemas that are sent beside the messages are a column of their own and in no total.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import linear_regression, mean

from tests.benchmarks.cost_account.samples import SAMPLES
from tests.benchmarks.cost_account.stub import Call, contexts, load

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
WORDS = (0, 1000, 4000)
TITLES = {
    "grapheval": "GraphEval",
    "ragas": "RAGAS faithfulness",
    "deepeval": "DeepEval faithfulness",
    "llamaindex": "LlamaIndex FaithfulnessEvaluator",
}
Count = Callable[[str], int]


@dataclass(frozen=True)
class Cost:
    """Means per answer of one tool at one context length, in tokens unless said otherwise.

    Args:
        tool: Its name.
        context: Length of the context.
        calls: Number of LLM calls.
        sent: Texts of the messages.
        schema: JSON schemas beside them.
        received: Texts of the replies.
    """

    tool: str
    context: float
    calls: float
    sent: float
    schema: float
    received: float

    @property
    def total(self) -> float:
        """Messages and replies."""
        return self.sent + self.received


def costs(calls: Sequence[Call], count: Count) -> list[Cost]:
    """Means per answer, by tool and context length."""
    by_place: dict[tuple[str, int], list[Call]] = defaultdict(list)
    for call in calls:
        by_place[call.tool, call.words].append(call)
    lengths = {
        words: mean(count("\n".join(contexts(sample, words))) for sample in SAMPLES)
        for words in {c.words for c in calls}
    }
    order = list(TITLES)
    found = []
    for (tool, words), own in sorted(by_place.items(), key=lambda item: (order.index(item[0][0]), item[0][1])):
        if {call.sample for call in own} != {sample.id for sample in SAMPLES}:
            sys.exit(f"{tool} at {words} words: not every answer was evaluated")
        n = len(SAMPLES)
        sent = sum(count(text) for call in own for text in call.messages) / n
        schema = sum(count(call.schema) for call in own if call.schema) / n
        received = sum(count(call.reply) for call in own) / n
        found.append(Cost(tool, lengths[words], len(own) / n, sent, schema, received))
    return found


def crossing(ours: Sequence[Cost], theirs: Sequence[Cost]) -> float:
    """Context length in tokens from which ours is cheaper: where the line through their totals meets ours."""
    slope, start = linear_regression([c.context for c in theirs], [c.total for c in theirs])
    return max(0.0, (mean(c.total for c in ours) - start) / slope)


def problems(calls: Sequence[Call], count: Count) -> list[str]:
    """What speaks against the claim: one call per answer, whose tokens do not grow with the context."""
    by_answer: dict[str, set[int]] = defaultdict(set)
    number: dict[tuple[str, int], int] = defaultdict(int)
    for call in calls:
        if call.tool == "grapheval":
            number[call.sample, call.words] += 1
            by_answer[call.sample].add(sum(map(count, call.messages)) + count(call.reply))
    found = [f"{sample} at {words} words took {n} calls" for (sample, words), n in number.items() if n != 1]
    return found + [
        f"{sample} took {sorted(tokens)} tokens" for sample, tokens in by_answer.items() if len(tokens) != 1
    ]


def render(found: Sequence[Cost]) -> str:
    """The account as Markdown."""
    by_tool = {tool: [cost for cost in found if cost.tool == tool] for tool in TITLES}
    by_tool = {tool: own for tool, own in by_tool.items() if own}
    head = ["", "calls", *(f"{cost.context:,.0f}" for cost in by_tool["grapheval"]), "schemas", "ours is cheaper from"]
    lines = [head, ["---"] * len(head)]
    for tool, own in by_tool.items():
        calls = " to ".join(dict.fromkeys(f"{calls:.3g}" for calls in (own[0].calls, own[-1].calls)))
        start = "" if tool == "grapheval" or len(own) < 2 else f"{crossing(by_tool['grapheval'], own):,.0f}"
        cells = [f"{cost.total:,.0f} ({cost.sent:,.0f} + {cost.received:,.0f})" for cost in own]
        lines.append([TITLES[tool], calls, *cells, f"{own[0].schema:,.0f}", start])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def counter() -> Count:
    """Tokens of `o200k_base` (GPT-4o), offline."""
    core = find_spec("llama_index.core")
    if core is not None and core.origin is not None:
        cache = Path(core.origin).parent / "_static" / "tiktoken_cache"
        os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(cache))
    import tiktoken

    encoding = tiktoken.get_encoding("o200k_base")
    return lambda text: len(encoding.encode(text, disallowed_special=()))


def environment(directory: Path) -> Path:
    """The peers' own Python, installed if need be."""
    python = directory / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", directory], check=True)
    install: list[str | Path] = [
        python,
        "-m",
        "pip",
        "install",
        "-q",
        "-r",
        HERE / "peers.txt",
        "-c",
        ROOT / "constraints.txt",
    ]
    subprocess.run(install, check=True)
    return python


def main() -> None:
    """Run everything, print the table, write the data."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--env", type=Path, default=ROOT / "build" / "cost-account" / "env", help="the peers' environment"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "cost-account", help="where calls and figures go")
    parser.add_argument("--words", type=int, nargs="+", default=WORDS, help="least words of context")
    parser.add_argument("--counted", action="store_true", help="only count the calls that are in --out already")
    options = parser.parse_args()
    out: Path = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    files = {"ours": out / "ours.jsonl", "peers": out / "peers.jsonl"}
    if not options.counted:
        pythons = {"ours": Path(sys.executable), "peers": environment(options.env.resolve())}
        for name, file in files.items():
            module = f"tests.benchmarks.cost_account.{name}"
            command: list[str | Path] = [pythons[name], "-m", module, file, *map(str, options.words)]
            subprocess.run(command, check=True, cwd=ROOT)
    calls = [call for file in files.values() for call in load(str(file))]
    count = counter()
    against = problems(calls, count)
    found = costs(calls, count)
    (out / "account.json").write_text(json.dumps([asdict(cost) for cost in found], indent=2) + "\n", encoding="utf-8")
    print(render(found))
    if against:
        sys.exit("the claim does not hold: " + "; ".join(against))
    print("\nGraphEval: one call per answer, whose tokens do not grow with the context.")


if __name__ == "__main__":
    main()
