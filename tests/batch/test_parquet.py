"""Parquet in and out: the same records as in JSON lines, resumable, and refused where it is damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from grapheval import Evaluation, GraphEval, InputError
from grapheval.cli.run import run
from grapheval.io.files import open_source
from grapheval.io.parquet import JOURNAL
from grapheval.testing import FakeExtractor, FakeVerifier
from grapheval.types import Failure, Sample

CONTEXT = "Oslo is the capital of Norway."


def build(_: object) -> GraphEval:
    def judge(premise: str, hypothesis: str) -> tuple[float, float, float]:
        return (0.02, 0.08, 0.9) if "million" in hypothesis else (0.97, 0.02, 0.01)

    return GraphEval(FakeExtractor(), FakeVerifier(judge))


def batch(*arguments: Path | str) -> int:
    return run(["batch", *map(str, arguments)], build)


def table(path: Path, rows: list[dict[str, Any]]) -> Path:
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


ROWS = [
    {"id": 1, "answer": "Oslo is the capital.", "contexts": [CONTEXT], "question": None},
    {"id": 2, "answer": "Oslo has a million museums.", "contexts": [CONTEXT, "Other."], "question": "How many?"},
    {"id": 3, "answer": None, "contexts": None, "question": None},
    {"id": None, "answer": "Oslo.", "contexts": [], "question": ""},
]


def test_rows_are_read_like_lines(tmp_path: Path) -> None:
    with open_source(str(table(tmp_path / "in.parquet", ROWS))) as lines:
        got = list(lines)
    assert [line.id for line in got] == [1, 2, 3, "4"]
    second = got[1].content
    assert isinstance(second, Sample)
    assert ([source.text for source in second.sources], second.question) == ([CONTEXT, "Other."], "How many?")
    assert isinstance(got[2].content, Failure)
    assert "no answer" in got[2].content.message


def test_names_of_other_tools_and_passages_with_ids(tmp_path: Path) -> None:
    rows = [{"response": "Oslo.", "retrieved_contexts": [{"id": "atlas", "text": CONTEXT}], "user_input": "Where?"}]
    with open_source(str(table(tmp_path / "in.pq", rows))) as lines:
        (line,) = lines
    assert isinstance(line.content, Sample)
    assert line.content.sources[0].id == "atlas"


def test_a_table_holds_what_the_lines_hold(tmp_path: Path) -> None:
    source = table(tmp_path / "in.parquet", ROWS)
    assert batch(source, tmp_path / "out.jsonl", "-q") == 3
    assert batch(source, tmp_path / "out.parquet", "-q") == 3
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    rows = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert [row["id"] for row in rows] == ["1", "2", "3", "4"]
    assert [row["status"] for row in rows] == ["consistent", "inconsistent", None, "no_context"]
    assert rows[1]["p_inconsistent"] == pytest.approx(0.98)
    assert rows[1]["groundedness"] == pytest.approx(0.02)
    assert [row["flagged"] for row in rows] == [[], ["Oslo has a million museums."], None, []]
    assert [row["claims"] for row in rows] == [1, 1, None, 1]
    for row, line in zip(rows, lines, strict=True):
        for name in ("evaluation", "correction", "failure"):
            assert (json.loads(row[name]) if row[name] else None) == line[name]
    assert Evaluation.from_dict(json.loads(rows[1]["evaluation"])).flagged
    assert not (tmp_path / f"out.parquet{JOURNAL}").exists()
    assert not (tmp_path / "out.parquet.new").exists()


def test_an_interrupted_table_goes_on_from_its_journal_and_the_old_table_stays_until_then(tmp_path: Path) -> None:
    source, out = table(tmp_path / "in.parquet", ROWS), tmp_path / "out.parquet"
    journal = tmp_path / f"out.parquet{JOURNAL}"
    assert batch(source, out, "-q") == 3
    whole = pq.read_table(out)
    assert batch(source, tmp_path / "lines.jsonl", "-q") == 3
    kept = (tmp_path / "lines.jsonl").read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(kept[:2]) + kept[2][:9])  # as after a kill in the middle of the third record
    assert pq.read_table(out).equals(whole)
    assert batch(source, out, "-q", "--resume") == 3
    assert pq.read_table(out).equals(whole)
    assert not journal.exists()


def test_a_finished_table_can_be_continued_when_the_input_has_grown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.parquet"
    batch(table(tmp_path / "in.parquet", ROWS), out, "-q")
    more = table(tmp_path / "in.parquet", [*ROWS, {**ROWS[1], "id": 9}])
    capsys.readouterr()
    assert batch(more, out, "--resume") == 0
    assert "1 answer (4 were there already)" in capsys.readouterr().err
    rows = pq.read_table(out).to_pylist()
    assert [row["id"] for row in rows] == ["1", "2", "3", "4", "9"]
    assert [row["status"] for row in rows] == ["consistent", "inconsistent", None, "no_context", "inconsistent"]


def test_a_table_of_another_input_is_refused_and_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.parquet"
    batch(table(tmp_path / "in.parquet", ROWS), out, "-q")
    whole = out.read_bytes()
    other = table(tmp_path / "other.parquet", [{**ROWS[0], "id": 77}])
    assert batch(other, out, "--resume") == 2
    assert "does not belong to this input" in capsys.readouterr().err
    foreign = table(tmp_path / "foreign.parquet", ROWS)
    assert batch(other, foreign, "--resume") == 2
    assert "is not a table of a batch" in capsys.readouterr().err
    assert out.read_bytes() == whole
    assert not list(tmp_path.glob(f"*{JOURNAL}"))


def test_empty_tables(tmp_path: Path) -> None:
    empty = tmp_path / "in.parquet"
    pq.write_table(pa.table({"answer": pa.array([], pa.string())}), empty)
    assert batch(empty, tmp_path / "out.parquet", "-q") == 0
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 0


@pytest.mark.parametrize("content", [b"", b"PAR1", b"{}", b"PAR1" + b"x" * 400 + b"PAR1"])
def test_what_is_no_table_is_one_clear_line(tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "in.parquet"
    path.write_bytes(content)
    assert batch(path, tmp_path / "out.jsonl") == 2
    err = capsys.readouterr().err
    assert "in.parquet is not a readable Parquet file" in err
    assert err.count("\n") == 1
    assert batch(tmp_path / "none.parquet", tmp_path / "out.jsonl") == 2
    assert "none.parquet: no such file" in capsys.readouterr().err


def test_a_table_that_is_damaged_in_the_middle_keeps_what_came_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "in.parquet", tmp_path / "out.jsonl"
    rows = [{"id": n, "answer": f"Claim {n}.", "contexts": [CONTEXT]} for n in range(400)]
    pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=100, compression="none", use_dictionary=False)
    data = bytearray(path.read_bytes())
    place = data.index(b"Claim 350.")
    data[place : place + 300] = b"\xff" * 300
    path.write_bytes(bytes(data))
    with pytest.raises(InputError, match=r"not a readable Parquet file.*after row"), open_source(str(path)) as lines:
        list(lines)
    assert batch(path, out) == 2
    assert "lines are written, --resume goes on from there" in capsys.readouterr().err
    assert len(out.read_text().splitlines()) >= 64
