from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from grapheval.io.judged import read_judged, read_single
from grapheval.report import render
from grapheval.report.graph import knowledge_graph
from grapheval.report.html import el
from grapheval.report.layout import MAX_CHILDREN, MAX_COLUMNS, lay_out
from grapheval.report.many_page import Item, render_many
from grapheval.report.repair import original_of
from grapheval.types import (
    Claim,
    Correction,
    CorrectionStatus,
    Edit,
    Evaluation,
    Evidence,
    Failure,
    Finding,
    FindingKind,
    Label,
    Span,
    Stance,
    Status,
    Triple,
    Verdict,
)

HOSTILE = """</script><script>alert(1)</script><img src=x onerror=alert(1)> "'><a href="javascript:alert(1)">x</a>"""
ANSWER = "Oslo has nine million inhabitants. Oslo is in Norway."


def verdict(triple: tuple[str, str, str], label: Label = Label.SUPPORTED, span: Span | None = None) -> Verdict:
    wrong = label is not Label.SUPPORTED
    text = " ".join(triple)
    evidence = Evidence("city.md", 5, 41, "Oslo has about 700,000 inhabitants.", Stance.CONTRADICTS)
    claim = Claim(text, Triple(*triple), span)
    return Verdict(claim, label, 0.9 if wrong else 0.1, None, wrong, (evidence,) if wrong else ())


def evaluation() -> Evaluation:
    wrong = verdict(("Oslo", "has", "nine million inhabitants"), Label.CONTRADICTED, Span(0, 33))
    right = verdict(("Oslo", "is in", "Norway"), span=Span(35, 52))
    return Evaluation(Status.INCONSISTENT, None, 0.9, (wrong, right), answer=ANSWER)


def correction() -> Correction:
    before = evaluation()
    edit = Edit(9, 21, "nine million", "about 700,000", before.verdicts[0].claim, before.verdicts[0].evidence)
    answer = "Oslo has about 700,000 inhabitants. Oslo is in Norway."
    after = Evaluation(Status.CONSISTENT, None, 0.1, answer=answer)
    return Correction(answer, (edit,), before, after, CorrectionStatus.CORRECTED)


def test_a_mark_links_to_its_claim_and_the_deciding_number_stands_out() -> None:
    page = render(evaluation(), question="How big is Oslo?")
    assert 'href="#claim-1"' in page
    assert 'id="claim-1"' in page
    assert "<mark>700,000</mark>" in page
    assert "How big is Oslo?" in page
    assert page.count('class="ge-edge') == 2


def test_nothing_is_loaded_and_only_hashed_code_may_run() -> None:
    page = render(evaluation())
    assert "default-src &#x27;none&#x27;; style-src &#x27;sha256-" in page
    assert "unsafe-inline" not in page
    assert " style=" not in page
    assert not re.search(r"\b(?:src|href)=\"(?!#)", page)


@pytest.mark.parametrize("many", [False, True])
def test_untrusted_text_never_becomes_markup(many: bool) -> None:
    evidence = Evidence(HOSTILE, 0, len(HOSTILE), HOSTILE, Stance.CONTRADICTS)
    claim = Claim(HOSTILE, Triple(HOSTILE, HOSTILE, HOSTILE), Span(0, len(HOSTILE)))
    found = Evaluation(
        Status.INCONSISTENT, None, 0.9, (Verdict(claim, Label.CONTRADICTED, 0.9, None, True, (evidence,)),),
        answer=HOSTILE,
    )  # fmt: skip
    failed = Failure(HOSTILE, "verify", HOSTILE, HOSTILE)
    items = [Item(HOSTILE, found), Item(HOSTILE, failure=failed)]
    page = render_many(items, title=HOSTILE) if many else render(found, question=HOSTILE, title=HOSTILE)
    assert "<img" not in page
    assert "alert(1)</script>" not in page
    assert 'href="javascript' not in page


def test_attributes_and_control_characters_are_made_harmless() -> None:
    assert el("b", "a\x1b\u202eb", title='"<') == '<b title="&quot;&lt;">a��b</b>'


def test_the_original_is_rebuilt_from_the_edits() -> None:
    assert original_of(correction()) == ANSWER
    page = render(correction())
    assert "<del>nine million<sup" in page
    assert "<ins>about 700,000<sup" in page


def test_the_rate_is_over_judged_answers_with_wilsons_interval() -> None:
    right = Evaluation(Status.CONSISTENT, None, 0.1)
    items = [
        Item("a", evaluation()),
        *(Item(f"c{n}", right) for n in range(9)),
        Item("d", Evaluation(Status.ABSTAINED)),
    ]
    page = render_many([*items, Item("e", failure=Failure("e", "verify", "timeout", "too slow"))])
    assert "10.0\N{NO-BREAK SPACE}%" in page
    assert "95 % interval 1.8 to 40.4 %, of 10 judged answers" in page  # Wilson's interval of 1 in 10
    assert "1 not (fully) judged, 1 failed" in page
    rows = json.loads(re.findall(r'<script type="application/json" id="rows">(.*?)</script>', page)[0])
    assert rows["id"][:2] == ["e", "a"]


def test_only_the_worst_are_listed() -> None:
    items = [Item(str(n), Evaluation(Status.CONSISTENT, None, n / 100)) for n in range(20)]
    page = render_many(items, limit=3)
    rows = json.loads(re.findall(r'id="rows">(.*?)</script>', page)[0])
    assert rows["id"] == ["19", "18", "17"]
    assert "The list holds the 3 worst of 20 answers." in page


@pytest.mark.parametrize(
    "triples",
    [
        [("a", "is", "b")],
        [("a", "is", "a")],
        [("a", "is", "b"), ("b", "is", "c"), ("c", "is", "a")],
        [("hub", "has", f"thing {n}") for n in range(60)],
        [(f"n{n}", "precedes", f"n{n + 1}") for n in range(60)],
        [(f"s{n % 7}", "knows", f"o{n % 11}") for n in range(60)],
    ],
)
def test_boxes_never_overlap(triples: list[tuple[str, str, str]]) -> None:
    layout = lay_out(knowledge_graph([verdict(triple) for triple in triples]))
    assert len(layout.lines) == len(triples)
    assert max(box.column for box in layout.boxes) < MAX_COLUMNS
    assert max(len(box.outputs) for box in layout.boxes) <= MAX_CHILDREN
    for number, one in enumerate(layout.boxes):
        assert 0 <= one.x <= one.x + one.width <= layout.width
        for other in layout.boxes[number + 1 :]:
            apart = one.x + one.width <= other.x or other.x + other.width <= one.x
            assert apart or abs(one.y - other.y) >= (one.height + other.height) / 2


def test_results_show_themselves() -> None:
    found = evaluation()
    html = found._repr_html_()
    assert "<script" not in html
    assert "nine million" in html
    assert "[Oslo has nine million inhabitants ✗1]" in str(found)
    graph = found.to_networkx()
    assert graph.edges["Oslo", "nine million inhabitants", 1]["label"] == "contradicted"
    assert correction().to_networkx().edges["Oslo", "nine million inhabitants", 1]["repaired"] == "about 700,000"
    assert found.to_mermaid().startswith('flowchart LR\n  n0["Oslo"]\n')


def test_no_name_becomes_mermaid_syntax() -> None:
    found = Evaluation(Status.CONSISTENT, verdicts=(verdict(('x"] --> y', "%%{init}%%", "<b>`;")),))
    inner = found.to_mermaid().split('n0["')[1].split('"]')[0]
    assert inner == "x#34;#93; --#62; y"
    odd = verdict((" ", "direction LR", "a redirection TB"))
    drawn = Evaluation(Status.CONSISTENT, verdicts=(odd,)).to_mermaid()
    assert '["a re#100;irection TB"]' in drawn
    assert "1 #100;irection LR" in drawn
    assert '[" "]' in drawn


def test_findings_are_shown_everywhere() -> None:
    said = "nine million stands nowhere in the sources; they say 700,000"
    finding = Finding(FindingKind.NUMBER, "nine million", ("700,000",), said)
    base = evaluation()
    found = replace(base, verdicts=(replace(base.verdicts[0], findings=(finding,)), base.verdicts[1]))
    assert f'<li dir="auto">{said}</li>' in render(found)
    assert said in found._repr_html_()
    assert "nine million stands nowhere" in str(found)
    assert found.to_dataframe().loc[1, "findings"] == said
    assert found.to_networkx().edges["Oslo", "nine million inhabitants", 1]["findings"] == (said,)
    hostile = replace(finding, text=HOSTILE)
    shown = render(replace(found, verdicts=(replace(base.verdicts[0], findings=(hostile,)),)))
    assert "alert(1)</script>" not in shown
    assert "<img" not in shown


def test_tables() -> None:
    frame = evaluation().to_dataframe()
    assert list(frame["label"]) == ["contradicted", "supported"]
    assert frame.loc[1, "text"] == "Oslo has nine million inhabitants"
    assert list(correction().to_dataframe()["new"]) == ["about 700,000"]
    assert len(Evaluation(Status.NO_CLAIMS).to_dataframe()) == 0


def test_records_are_read_back_and_broken_ones_stay_in_their_place(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "judged.jsonl"
    record = {"id": "a", "evaluation": evaluation().to_dict(), "correction": None, "failure": None}
    file.write_text(json.dumps(record) + "\n{broken\n", encoding="utf-8")
    good, bad = read_judged(str(file))
    assert good.evaluation == evaluation()
    assert bad.failure is not None
    assert bad.failure.message == "line 2 is not a record of a batch"
    single = tmp_path / "one.json"
    single.write_text(json.dumps(evaluation().to_dict(), indent=2), encoding="utf-8")
    assert read_single(str(single)) == evaluation()
    assert read_single(str(file)) is None
