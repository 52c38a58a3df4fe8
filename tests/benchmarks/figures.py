"""Everything that the README and the docs quote, in one run: `make figures`.

Each figure comes from a script of its own, which can be run alone; see its first lines.
"""

from __future__ import annotations

import subprocess
import sys

SCRIPTS: dict[str, list[str]] = {
    "Accuracy of the local pipeline": ["accuracy", "--raw"],
    "Speed and memory": ["speed"],
    "Extraction against Claude 2's triples": ["extraction"],
    "Evidence in long contexts": ["long_context"],
    "Rules across passages": ["passages"],
    "The verifier alone: quality": ["verifier_quality"],
    "The verifier alone: same words, other meaning": ["same_words"],
    "The verifier alone: speed": ["verifier_speed"],
    "Parsing recorded extractions in a dozen styles": ["parser_styles"],
}


def main() -> int:
    """Run the scripts one after the other; the exit status is the number of those that failed."""
    failed = 0
    for title, (name, *arguments) in SCRIPTS.items():
        print(f"\n## {title}\n\n`python -m tests.benchmarks.{name}`\n", flush=True)
        failed += (
            subprocess.run([sys.executable, "-m", f"tests.benchmarks.{name}", *arguments], check=False).returncode != 0
        )
    return failed


if __name__ == "__main__":
    sys.exit(main())
