"""The example of `grapheval demo`, and what is said around it."""

from __future__ import annotations

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

QUESTION = "What should I know about the Kelvin Street library before I go?"
SOURCES = {
    "opening-hours.md": (
        "The Kelvin Street library is open from 9 am to 8 pm on weekdays and from 10 am to 4 pm on Saturdays. It is "
        "closed on Sundays. The reading room on the second floor seats 120 people."
    ),
    "history.md": (
        "The library was founded in 1904 by Margaret Doyle, a local teacher. Its building was designed by the "
        "architect Thomas Reed. After the fire of 1951 the roof was rebuilt in copper."
    ),
    "membership.md": (
        "Membership is free for residents of the town. Visitors pay 15 euros a year. Members can borrow up to eight "
        "books for three weeks."
    ),
}
ANSWER = (
    "The Kelvin Street library was founded in 1904 by Margaret Doyle, a local teacher. Its building was designed by "
    "the architect Paul Stone, and after the fire of 1951 its roof was rebuilt in copper. Membership is free for "
    "residents of the town. A children's theatre plays there every summer."
)


def introduction() -> Group:
    """What happens here, the context and the question."""
    return Group(
        Text("An answer, taken apart into claims; each is looked up in the passages that the answer was written from."),
        "",
        Text("Context", "bold"),
        *(Padding(Text.assemble((f"{name}  ", "cyan"), (text, "dim")), (0, 2)) for name, text in SOURCES.items()),
        "",
        Text("Question", "bold"),
        Padding(Text(QUESTION), (0, 2)),
        "",
    )


def conclusion(cold: float, warm: float) -> Group:
    """How long it took, in seconds, and how to go on."""
    return Group(
        "",
        Text(f"Judged offline in {cold:.1f} s, loading the models included; again, warm: {warm * 1000:.0f} ms.", "dim"),
        "",
        Text("Now your own texts (no key, no network, no LLM needed):", "bold"),
        '  grapheval check --context notes.md --answer "…"',
        "  grapheval check --context docs/*.md --answer-file answer.txt --correct --cite",
        "  grapheval batch answers.jsonl judged.jsonl",
    )
