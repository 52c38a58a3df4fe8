from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from grapheval.cli.marking import marked_answer
from grapheval.cli.passages import MAX_PASSAGE, passage_text
from grapheval.cli.repair import edited
from grapheval.cli.view import show_evaluation
from grapheval.report.marks import marks_of
from grapheval.report.passages import deciding_words
from grapheval.report.text import one_line, visible
from grapheval.types import (
    Claim,
    Correction,
    CorrectionStatus,
    Coverage,
    Edit,
    Evaluation,
    Evidence,
    Finding,
    FindingKind,
    Label,
    Reason,
    Span,
    Stance,
    Status,
    Triple,
    TripleParts,
    Verdict,
)

ANSWER = "Ada was born in 1815. She wrote [red]poems[/red]. Sie lebte in London."


def place(text: str, answer: str = ANSWER) -> Span:
    start = answer.index(text)
    return Span(start, start + len(text))


def verdict(text: str, label: Label, *, answer: str = ANSWER, evidence: tuple[Evidence, ...] = ()) -> Verdict:
    flagged = label in {Label.CONTRADICTED, Label.UNSUPPORTED}
    p = {Label.SUPPORTED: 0.02, Label.UNVERIFIED: None}.get(label, 0.9)
    reason = Reason.UNSUPPORTED_LANGUAGE if label is Label.UNVERIFIED else None
    return Verdict(Claim(text, None, place(text, answer)), label, p, None, flagged, evidence, reason)


def evidence(text: str, stance: Stance = Stance.CONTRADICTS) -> Evidence:
    return Evidence("life.md", 0, len(text), text, stance)


def render(
    answer: str, evaluation: Evaluation, *, width: int = 80, colour: bool = False, encoding: str = "utf-8"
) -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding)
    console = Console(
        file=stream, width=width, markup=False, emoji=False, highlight=False, legacy_windows=False,
        force_terminal=colour, color_system="truecolor" if colour else None, no_color=not colour,
    )  # fmt: skip
    show_evaluation(console, answer, evaluation)
    stream.flush()
    return raw.getvalue().decode(encoding)


EVALUATION = Evaluation(
    Status.INCONSISTENT,
    None,
    0.9,
    (
        verdict("Ada was born in 1815", Label.CONTRADICTED, evidence=(evidence("Ada was born in 1816."),)),
        verdict("She wrote [red]poems[/red]", Label.UNSUPPORTED),
        verdict("Sie lebte in London", Label.UNVERIFIED),
    ),
    Coverage((place("Sie lebte in London."),), (), (place("London"),)),
)


def test_every_kind_is_seen_without_colour() -> None:
    text = render(ANSWER, EVALUATION, width=90)
    assert "[Ada was born in 1815 ✗1]. [She wrote [red]poems[/red] ?2]. [Sie lebte in London –3]." in text
    assert "✗ contradicted: the context says otherwise" in text
    assert "the model cannot judge this language" in text
    assert "✗ inconsistent  2 of 3 claims are not grounded in the context" in text
    assert "p(inconsistent) 0.90, threshold 0.5" in text
    assert "1 sentence that no triple covers was checked as a whole" in text
    assert "\x1b" not in text


def test_colour_needs_no_brackets_and_shows_markup_literally() -> None:
    text = render(ANSWER, EVALUATION, colour=True)
    assert "\x1b[" in text
    assert "[red]poems[/red]" in text
    assert "[Ada" not in text


@pytest.mark.parametrize("width", [20, 40, 95, 96, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    assert all(len(line) <= width for line in render(ANSWER, EVALUATION, width=width).split("\n"))


def test_wide_terminals_get_a_table() -> None:
    text = render(ANSWER, EVALUATION, width=100)
    assert "p: probability that the context does not support the claim" in text
    assert any("contradicted" in line and "0.90" in line and "life.md" in line for line in text.split("\n"))


def test_ascii_terminals_get_ascii_signs() -> None:
    assert "[Ada was born in 1815 x1]" in render(ANSWER, EVALUATION, encoding="ascii")


@pytest.mark.parametrize(
    ("status", "reason", "words"),
    [
        (Status.CONSISTENT, None, "consistent"),
        (Status.PARTIAL, Reason.SOURCES_CONFLICT, "nothing is flagged, but the sources disagree"),
        (Status.ABSTAINED, Reason.ANSWER_DECLINES, "the answer declines to answer"),
        (Status.NO_CLAIMS, Reason.NOTHING_TO_CHECK, "states nothing that could be checked"),
        (Status.NO_CONTEXT, Reason.EMPTY_CONTEXT, "the context is empty"),
    ],
)
def test_every_status_is_explained(status: Status, reason: Reason | None, words: str) -> None:
    assert words in render("Hello.", Evaluation(status, reason))


def test_every_reason_has_words_of_its_own() -> None:
    for reason in Reason:
        assert "_" not in render("x", Evaluation(Status.PARTIAL, reason))


def test_hostile_characters_are_made_visible_in_place() -> None:
    hostile = "a\x1b[31mb\x07c\u202ed\ud800e\r\nf\x9bg\u2028h"
    assert visible(hostile) == "a\ufffd[31mb\ufffdc\ufffdd\ufffde \nf\ufffdg h"
    assert len(visible(hostile)) == len(hostile)
    answer = f"{hostile} is a name."
    shown = render(
        answer, Evaluation(Status.INCONSISTENT, None, 0.9, (verdict(answer, Label.UNSUPPORTED, answer=answer),))
    )
    assert not any(c in shown for c in "\x1b\x07\u202e\x9b\u2028\r")


def test_link_markup_and_emoji_codes_are_shown_literally() -> None:
    answer = "[link=https://example.org]See[/link] :smile: now."
    colour = render(answer, Evaluation(Status.NO_CONTEXT), colour=True)
    assert "[link=https://example.org]See[/link] :smile: now." in colour


def test_rtl_and_wide_text_pass() -> None:
    answer = "القاهرة عاصمة مصر. 東京は日本の首都です。"
    assert answer in render(answer, Evaluation(Status.NO_CONTEXT))


def test_overlapping_claims_share_one_mark_of_the_gravest_kind() -> None:
    answer = "Ada and Bob met in Rome in May."
    verdicts = (
        verdict("Ada and Bob met in Rome", Label.UNSUPPORTED, answer=answer),
        verdict("met in Rome in May", Label.CONTRADICTED, answer=answer),
        verdict("May", Label.SUPPORTED, answer=answer),
    )
    (mark,) = marks_of(verdicts, len(answer))
    assert (mark.span, mark.numbers, mark.kind.word) == (Span(0, 30), (1, 2), "contradicted")
    assert marked_answer(answer, verdicts, colour=False).plain == "[Ada and Bob met in Rome in May ✗1,2]."


def test_marks_follow_parts_where_a_claim_has_no_place_and_skip_white_space() -> None:
    answer = "Ada  lived in Rome \n"
    parts = TripleParts(None, Span(3, 13), Span(14, 20))
    placed = Verdict(
        Claim("Ada lived in Rome", Triple("Ada", "lived in", "Rome"), None, parts), Label.UNSUPPORTED, 0.9, None, True
    )
    nowhere = Verdict(Claim("x"), Label.UNSUPPORTED, 0.9, None, True)
    assert marked_answer(answer, (placed, nowhere), colour=False).plain == "Ada  [lived in Rome ?1]"


def test_a_flagged_supported_claim_is_called_doubtful() -> None:
    answer = "Ada sang."
    flagged = Verdict(Claim(answer, None, Span(0, 8)), Label.SUPPORTED, 0.3, None, True)
    assert "doubtful" in render(answer, Evaluation(Status.INCONSISTENT, None, 0.3, (flagged,), threshold=0.2))


def words(passage: str, claim: str, stance: Stance) -> list[str]:
    return [passage[start:end] for start, end in deciding_words(passage, claim, stance)]


def test_deciding_words() -> None:
    passage = "The bridge was not opened in 1978 by Queen Anne."
    assert words(passage, "The bridge opened in 1987", Stance.CONTRADICTS) == ["not", "1978", "Queen", "Anne"]
    assert words(passage, "Queen Anne opened a bridge", Stance.SUPPORTS) == ["bridge", "opened", "Queen", "Anne"]


def test_long_passages_are_cut_around_the_deciding_words() -> None:
    passage = "filler " * 200 + "opened in 1978 " + "filler " * 200
    shown = passage_text(evidence(passage), Claim("It opened in 1987")).plain
    assert "1978" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown) <= MAX_PASSAGE + 2


def test_edits_are_seen_with_and_without_colour() -> None:
    before = Evaluation(Status.INCONSISTENT, None, 0.9)
    edit = Edit(16, 20, "1815", "1816", Claim("x"))
    correction = Correction("…", (edit,), before, None, CorrectionStatus.CORRECTED)
    answer = "Ada was born in 1815. "
    assert edited(answer, correction, colour=False).plain == "Ada was born in [-1815-]{+1816+}."
    assert edited(answer, correction, colour=True).plain == "Ada was born in 18151816."


def test_one_line_cuts_with_an_ellipsis() -> None:
    assert one_line("a\n b\tc") == "a b c"
    assert one_line("abcdef", 4) == "abc…"


def finding(number: int) -> Finding:
    text = f"{number} stands nowhere in the sources; they say [red]67[/red]\x1b[31m"
    return Finding(FindingKind.NUMBER, str(number), ("67",), text)


@pytest.mark.parametrize("width", [80, 120])
def test_what_the_comparison_found_stands_beside_the_claim(width: int) -> None:
    claim = verdict("Ada was born in 1815", Label.UNSUPPORTED)
    found = replace(claim, findings=tuple(finding(n) for n in (999, 998, 997, 996, 995)))
    text = render(ANSWER, Evaluation(Status.INCONSISTENT, None, 0.9, (found,)), width=width)
    flat = " ".join(text.split())
    assert "999 stands nowhere in the sources; they say [red]67[/red]" in flat
    assert "997 stands" in flat
    assert "996 stands" not in flat
    assert "and 2 more findings" in flat
    assert "no passage says so" not in flat
    assert "\x1b" not in text


def test_a_finding_does_not_hide_the_reason() -> None:
    claim = replace(verdict("Ada was born in 1815", Label.UNSUPPORTED), reason=Reason.CONTEXT_CUT)
    text = render(ANSWER, Evaluation(Status.INCONSISTENT, None, 0.9, (replace(claim, findings=(finding(999),)),)))
    assert "999 stands nowhere" in text
    assert "part of the context was not read" in text
