from __future__ import annotations

import json
from pathlib import Path

import pytest

from grapheval import Evaluation, Failure, GraphEval, Status
from grapheval.cli.run import run
from grapheval.io.batch import BatchLine, BatchRecord
from grapheval.io.summary import Rate, Tally, rate
from grapheval.testing import FakeExtractor, FakeVerifier
from grapheval.types import Sample


@pytest.mark.parametrize(
    ("hits", "total", "expected"),
    [
        # By hand: (p + z²/2n ± z·sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n) with z = 1.959964.
        (5, 10, (0.5, 0.2366, 0.7634)),
        (0, 10, (0.0, 0.0, 0.2775)),
        (10, 10, (1.0, 0.7225, 1.0)),
        (310, 950, (0.3263, 0.2973, 0.3568)),
    ],
)
def test_intervals_by_hand(hits: int, total: int, expected: tuple[float, float, float]) -> None:
    found = rate(hits, total)
    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx(expected, abs=6e-5)


def test_nothing_has_no_rate() -> None:
    assert rate(0, 0) is None
    assert Tally().hallucinated is None
    assert list(Tally().notes()) == ["0 answers"]


def record(name: str, status: Status) -> BatchRecord:
    return BatchRecord(name, Evaluation(status))


def tally() -> Tally:
    made = Tally()
    statuses = [Status.CONSISTENT] * 6 + [Status.INCONSISTENT] * 2 + [Status.PARTIAL, Status.ABSTAINED]
    for number, status in enumerate(statuses):
        made.count(record(f"q{number}", status), seconds=0.1 * (number + 1))
    made.count(BatchRecord("bad", failure=Failure("bad", "verify", "timeout", "too slow")), seconds=2.0)
    return made


def test_what_was_not_judged_in_full_is_left_out_of_the_rate_and_counted() -> None:
    assert tally().hallucinated == rate(2, 8)
    assert isinstance(tally().hallucinated, Rate)
    assert list(tally().notes()) == [
        "11 answers: 6 consistent, 2 inconsistent, 1 partial, 1 abstained, 1 failed (timeout 1)",
        "hallucination rate 25.0% (95 % interval 7.1% to 59.1%) of 8 fully judged",
        "slowest: bad 2.00 s, q9 1.00 s, q8 0.90 s",
        "first failure: too slow",
    ]


def test_as_data() -> None:
    data = tally().to_dict()
    assert json.loads(json.dumps(data)) == data
    assert data["statuses"] == {"consistent": 6, "inconsistent": 2, "partial": 1, "abstained": 1}
    assert data["rates"]["consistent"] == pytest.approx(6 / 11)
    assert data["hallucination_rate"]["value"] == pytest.approx(0.25)
    assert data["failures"] == {"timeout": 1}
    assert [item["id"] for item in data["slowest"]] == ["bad", "q9", "q8", "q7", "q6"]


def test_repeated_ids() -> None:
    made = Tally()
    list(made.watch(iter(BatchLine(n, name, Sample("x")) for n, name in enumerate(["a", "b", "a", 1, "a", "1"]))))
    assert made.repeated == {"a": 3, "1": 2}
    assert "2 ids occur more than once: a, 1" in list(made.notes())


def test_the_program_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out, summary = tmp_path / "in.jsonl", tmp_path / "out.jsonl", tmp_path / "summary.json"
    lines = [
        {"id": way, "answer": f"We go {way}.", "contexts": [f"We go {way}."]} for way in ("up", "down", "on", "off")
    ]
    source.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def build(_: object) -> GraphEval:
        return GraphEval(FakeExtractor(), FakeVerifier({"We go on.": 0.1}, default=0.9))

    assert run(["batch", str(source), str(out), "--summary", str(summary)], build) == 0
    assert "hallucination rate 25.0%" in capsys.readouterr().err
    assert json.loads(summary.read_text())["statuses"] == {"consistent": 3, "inconsistent": 1}
    # A resumed run tells of all records.
    assert run(["batch", str(source), str(out), "--resume", "--summary", str(summary)], build) == 0
    assert json.loads(summary.read_text())["statuses"] == {"consistent": 3, "inconsistent": 1}
    assert run(["batch", str(source), str(out), "--summary", str(tmp_path)], build) == 4
