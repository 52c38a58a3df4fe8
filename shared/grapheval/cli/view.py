"""The terminal view of an evaluation: the answer with its marks, the claims, the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grapheval.cli.console import knows_unicode, shows_colour
from grapheval.cli.marking import marked_answer
from grapheval.cli.passages import MAX_PASSAGE, SHORT_PASSAGE, claim_text, passage_text
from grapheval.report.kinds import (
    STATUS_KINDS,
    SUPPORTED,
    Kind,
    count,
    headline,
    is_marked,
    kind_of,
    why,
)
from grapheval.report.text import one_line
from grapheval.types import Evaluation, Label, Span, Verdict

if TYPE_CHECKING:
    from rich.console import Console

TABLE_WIDTH = 96
"""Narrower terminals get the claims one below the other instead of a table."""


MAX_ID = 40
"""Characters of a source's id that are shown."""

MAX_FINDINGS, MAX_FINDING = 3, 200
"""How many findings of a claim are shown, and how many characters of each; all of them are in the JSON."""


def show_evaluation(console: Console, answer: str, evaluation: Evaluation) -> None:
    """Write the view of an evaluation.

    Args:
        console: Where to.
        answer: The text that was judged.
        evaluation: Its judgement.
    """
    view = View(console)
    parts: list[RenderableType] = []
    if answer.strip():
        parts += [view.heading("Answer"), view.answer(answer, evaluation), ""]
    if evaluation.verdicts:
        parts += [view.heading("Claims"), view.claims(evaluation.verdicts), ""]
    parts.append(view.outcome(answer, evaluation))
    write(console, Group(*parts))


def write(console: Console, content: RenderableType) -> None:
    """Print; in files and pipes without the blanks that fill up a terminal's lines."""
    if console.is_terminal:
        console.print(content)
        return
    with console.capture() as captured:
        console.print(content)
    for line in captured.get().removesuffix("\n").split("\n"):
        console.out(line.rstrip())


class View:
    """Builds the parts of the view for one console."""

    def __init__(self, console: Console) -> None:
        self.colour = shows_colour(console)
        self.ascii_only = not knows_unicode(console.file)
        self.width = console.width

    def heading(self, title: str) -> Text:
        """A section's title."""
        return Text(title, "bold" if self.colour else "")

    def sign(self, kind: Kind) -> str:
        """A kind's sign, as this terminal can show it."""
        return kind.plain_sign if self.ascii_only else kind.sign

    # ------------------------------------------------------------------------------------------------------ answer

    def answer(self, answer: str, evaluation: Evaluation) -> RenderableType:
        """The marked answer, and what the marks mean."""
        verdicts = evaluation.verdicts
        body = marked_answer(answer, verdicts, colour=self.colour, ascii_only=self.ascii_only)
        kinds = {kind_of(v) for v in verdicts if is_marked(v)}
        if not kinds:
            return Padding(body, (0, 2))
        entries = [
            Text.assemble((f"{self.sign(kind)} {kind.word}", kind.style), (f": {kind.meaning}", "dim"))
            for kind in sorted(kinds, key=lambda kind: -kind.rank)
        ]
        legend = Text("   ").join(entries)
        if legend.cell_len > self.width - 4:
            legend = Text("\n").join(entries)
        return Group(Padding(body, (0, 2)), "", Padding(legend, (0, 2)))

    # ------------------------------------------------------------------------------------------------------ claims

    def claims(self, verdicts: Sequence[Verdict]) -> RenderableType:
        """A table, or a list where the terminal is narrow."""
        if self.width < TABLE_WIDTH:
            return Group(*(self._item(number, verdict) for number, verdict in enumerate(verdicts, start=1)))
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim", show_edge=False)
        table.add_column("#", justify="right", style="dim", no_wrap=True, min_width=4)
        table.add_column("verdict", no_wrap=True)
        table.add_column("p", justify="right", no_wrap=True)
        table.add_column("claim", ratio=4, overflow="fold")
        table.add_column("evidence", ratio=6, overflow="fold")
        for number, verdict in enumerate(verdicts, start=1):
            table.add_row(
                str(number),
                self._verdict(verdict),
                self._probability(verdict),
                claim_text(verdict.claim, dim=self._quiet(verdict), ascii_only=self.ascii_only),
                self._evidence(verdict),
            )
        return Group(table, Padding(Text("p: probability that the context does not support the claim", "dim"), (0, 2)))

    def _item(self, number: int, verdict: Verdict) -> RenderableType:
        head = Text.assemble((f"{number:>4}  ", "dim"), self._verdict(verdict), "  ", self._probability(verdict))
        claim = claim_text(verdict.claim, dim=self._quiet(verdict), ascii_only=self.ascii_only)
        return Group(head, Padding(claim, (0, 2, 0, 6)), Padding(self._evidence(verdict), (0, 2, 0, 6)))

    def _verdict(self, verdict: Verdict) -> Text:
        kind = kind_of(verdict)
        return Text(f"{self.sign(kind)} {kind.word}", kind.style)

    def _probability(self, verdict: Verdict) -> Text:
        if verdict.p_ungrounded is None:
            return Text("–" if not self.ascii_only else "-", "dim")
        return Text(f"{verdict.p_ungrounded:.2f}", "bold" if verdict.flagged else "dim")

    def _quiet(self, verdict: Verdict) -> bool:
        """Grounded claims stay in the background, so that the eye goes to the others."""
        return self.colour and not is_marked(verdict) and kind_of(verdict) is SUPPORTED

    def _evidence(self, verdict: Verdict) -> Text:
        quiet = self._quiet(verdict)
        fine = kind_of(verdict) is SUPPORTED
        limit = SHORT_PASSAGE if fine else MAX_PASSAGE
        lines = [*self._findings(verdict, "dim" if quiet else kind_of(verdict).style)]
        for evidence in verdict.evidence[:1] if fine else verdict.evidence:
            line = Text()
            line.append(_short(evidence.source_id), "dim" if quiet else "cyan")
            if verdict.label is Label.CONFLICTING:
                line.append(f" {evidence.stance.value}", "dim")
            line.append("  ")
            line.append_text(passage_text(evidence, verdict.claim, limit=limit, dim=quiet))
            if fine and len(verdict.evidence) > 1:
                line.append(f"  +{len(verdict.evidence) - 1}", "dim")
            lines.append(line)
        if not verdict.evidence:
            reason = why(verdict.reason)
            if reason is None and not lines and verdict.label is Label.UNSUPPORTED:
                reason = "no passage says so"
            if reason is not None:
                lines.append(Text(reason, "dim"))
        return Text("\n").join(lines)

    def _findings(self, verdict: Verdict, style: str) -> list[Text]:
        """What the comparison by rule found, a sentence each."""
        lines = [Text(one_line(finding.text, MAX_FINDING), style) for finding in verdict.findings[:MAX_FINDINGS]]
        more = len(verdict.findings) - len(lines)
        return [*lines, Text(f"and {count(more, 'more finding')}", "dim")] if more > 0 else lines

    # ----------------------------------------------------------------------------------------------------- outcome

    def outcome(self, answer: str, evaluation: Evaluation) -> RenderableType:
        """Status, probability, reason; then what no triple covers."""
        kind = STATUS_KINDS[evaluation.status]
        line = Text.assemble((f"{self.sign(kind)} {kind.word}", f"bold {kind.style}"), f"  {headline(evaluation)}")
        lines = [line]
        if evaluation.p_inconsistent is not None:
            lines.append(
                Text(f"p(inconsistent) {evaluation.p_inconsistent:.2f}, threshold {evaluation.threshold:g}", "dim")
            )
        lines += [Text(note, "dim") for note in self._notes(answer, evaluation)]
        return Group(*lines)

    def _notes(self, answer: str, evaluation: Evaluation) -> list[str]:
        coverage = evaluation.coverage
        notes = []
        if coverage.sentences:
            number = len(coverage.sentences)
            verb = "was" if number == 1 else "were"
            notes.append(f"{count(number, 'sentence')} that no triple covers {verb} checked as a whole")
        missed = sorted({*coverage.numbers, *coverage.names})
        missed = [span for span in missed if not _inside(span, coverage.sentences)]
        if missed and evaluation.verdicts:
            listed = ", ".join(one_line(span.of(answer), 40) for span in missed[:8])
            more = f" and {len(missed) - 8} more" if len(missed) > 8 else ""
            notes.append(f"in no claim: {listed}{more}")
        unread = evaluation.provenance.selection.get("unread_chars", 0)
        if unread:
            notes.append(f"{unread:,} characters of the context were not read")
        return notes


def _inside(span: Span, others: Sequence[Span]) -> bool:
    return any(other.start <= span.start and span.end <= other.end for other in others)


def _short(source_id: str) -> str:
    """Of a long path the end: it tells more than the beginning."""
    line = one_line(source_id)
    return line if len(line) <= MAX_ID else f"…{line[-MAX_ID + 1 :]}"
