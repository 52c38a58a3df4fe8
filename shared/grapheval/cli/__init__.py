"""The command line, `grapheval`. Importing this package imports neither the pipeline nor a model."""

from __future__ import annotations


def main() -> None:
    """Run the program on the process's arguments and leave with its exit status."""
    import sys

    try:
        from grapheval.cli.run import run

        status = run(sys.argv[1:])
    except KeyboardInterrupt:  # before the program had begun to listen for it
        status = 130
    if status == 130:
        import os

        os._exit(status)  # at once: calls under way on other threads would keep the process until they end
    sys.exit(status)


def reference() -> str:
    """The whole command reference as Markdown, rendered from the program itself."""
    from grapheval.cli.reference import render

    return render()
