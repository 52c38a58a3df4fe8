"""Output that cannot be written, input that changes, two batches at once, interruption: what was done is kept."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grapheval import GraphEval, InputError
from grapheval.io.batch import BatchLine, BatchRecord
from grapheval.io.files import open_source
from grapheval.io.lines import MAX_LINE, open_lines
from grapheval.io.target import OutputError, Target
from grapheval.testing import FakeExtractor, FakeVerifier
from grapheval.types import Evaluation, Failure, Sample, Status

RECORD = BatchRecord("a", Evaluation(Status.NO_CLAIMS))
SIZE = len(RECORD.to_json()) + 1


def write(path: Path, count: int, start: int = 0) -> Path:
    with path.open("a") as file:
        for number in range(start, start + count):
            file.write(
                json.dumps({"id": number, "answer": f"Claim {number}.", "contexts": [f"Claim {number}."]}) + "\n"
            )
    return path


PROGRAM = """
import sys, time
from grapheval import GraphEval
from grapheval.cli import factory, main
from grapheval.testing import FakeExtractor, FakeVerifier

delay = float(sys.argv.pop(1))

def judge(premise, hypothesis):
    time.sleep(delay)
    return 0.9

factory.build = lambda choices: GraphEval(FakeExtractor(), FakeVerifier(judge))
{before}
main()
"""


def program(*arguments: str, delay: float = 0.0, before: str = "") -> subprocess.Popen[str]:
    """The program itself, as a process, on fakes."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM.replace("{before}", before), str(delay), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Where the suite runs in the background, interrupts are ignored, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )


class TestDisk:
    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
    def test_a_full_device_is_a_clear_error(self) -> None:
        with Target("/dev/full") as target, pytest.raises(OutputError, match="/dev/full: No space left on device"):
            target.write(RECORD)

    def test_a_line_for_which_there_is_no_room_is_cut_off_again_and_the_run_can_be_resumed(
        self, tmp_path: Path
    ) -> None:
        source, out = write(tmp_path / "in.jsonl", 40), tmp_path / "out.jsonl"
        # A limit in the middle of some line; what happens is what happens on a full disk: a short write, then an error.
        limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (20_001, resource.RLIM_INFINITY))"
        with program("batch", str(source), str(out), "--no-cache", before=limit) as run:
            _, err = run.communicate()
        assert run.returncode == 4, err
        kept = out.read_bytes()
        lines = kept.splitlines(keepends=True)
        assert 0 < len(kept) <= 20_001
        assert kept.endswith(b"\n")
        assert f"{len(lines)} lines are written, --resume goes on from there" in err
        assert "out.jsonl: File too large" in err
        with program("batch", str(source), str(out), "--no-cache", "--resume") as run:
            _, err = run.communicate()
        assert run.returncode == 0, err
        assert [json.loads(line)["id"] for line in out.read_bytes().splitlines()] == list(range(40))
        assert out.read_bytes().startswith(kept)
        assert f"({len(lines)} were there already)" in err

    def test_an_output_that_cannot_be_made_is_said_before_anything_is_judged(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        for name in (tmp_path / "file" / "out.jsonl", tmp_path / "no" / "out.jsonl", tmp_path):
            with pytest.raises(InputError), Target(str(name)):
                pass

    def test_two_batches_cannot_write_one_file(self, tmp_path: Path) -> None:
        out = tmp_path / "out.jsonl"
        with Target(str(out)) as first:
            first.write(RECORD)
            with pytest.raises(InputError, match="being written by another process"), Target(str(out)):
                pass
            first.write(RECORD)
        assert len(out.read_bytes()) == 2 * SIZE

    def test_records_are_on_the_file_as_they_come(self, tmp_path: Path) -> None:
        out = tmp_path / "out.jsonl"
        with Target(str(out)) as target:
            for number in range(1, 4):
                target.write(RECORD)
                assert len(out.read_bytes()) == number * SIZE


class TestInputThatChanges:
    def test_what_is_appended_is_read(self, tmp_path: Path) -> None:
        path = write(tmp_path / "in.jsonl", 3)
        with open_lines(str(path)) as lines:
            first = next(lines)
            write(path, 2, start=3)
            assert [first.id, *(line.id for line in lines)] == [0, 1, 2, 3, 4]

    def test_what_is_rewritten_is_an_error_after_the_lines(self, tmp_path: Path) -> None:
        path = write(tmp_path / "in.jsonl", 3)
        with open_lines(str(path)) as lines:
            ids = [next(lines).id]
            text = path.read_bytes()
            os.utime(path, (1, 1))
            path.write_bytes(text.replace(b"Claim 0", b"Claim 9"))
            with pytest.raises(InputError, match=r"in\.jsonl was changed while it was read"):
                ids += [line.id for line in lines]
        assert ids == [0]

    def test_what_is_cut_short_is_an_error(self, tmp_path: Path) -> None:
        path = tmp_path / "in.jsonl"
        with path.open("w") as file:
            for number in range(3):
                file.write(json.dumps({"id": number, "answer": "x" * 2_000_000}) + "\n")
        with open_lines(str(path)) as lines:
            next(lines)
            os.truncate(path, 100)
            with pytest.raises(InputError, match="changed while it was read"):
                list(lines)

    def test_a_file_that_is_replaced_as_a_whole_is_read_to_its_old_end(self, tmp_path: Path) -> None:
        path = write(tmp_path / "in.jsonl", 3)
        with open_lines(str(path)) as lines:
            next(lines)
            write(tmp_path / "new.jsonl", 5, start=7).replace(path)
            assert [line.id for line in lines] == [1, 2]

    def test_a_touched_file_is_no_changed_file(self, tmp_path: Path) -> None:
        path = write(tmp_path / "in.jsonl", 3)
        with open_lines(str(path)) as lines:
            next(lines)
            os.utime(path, (1, 1))
            assert len(list(lines)) == 2

    def test_the_program_says_so_and_keeps_what_is_written(self, tmp_path: Path) -> None:
        source, out = write(tmp_path / "in.jsonl", 30), tmp_path / "out.jsonl"
        before = (
            "import grapheval.io.target as t; real = t.Target.write\n"
            f"def write(self, record):\n    open({str(source)!r}, 'r+').write('{{')\n    real(self, record)\n"
            "t.Target.write = write"
        )
        # The answer ends where the file is changed, so that the end of the input is read after the change.
        with program("batch", str(source), str(out), "--no-cache", before=before) as run:
            _, err = run.communicate()
        if run.returncode == 0:  # all of it was read before the first record was written
            assert len(out.read_text().splitlines()) == 30
        else:
            assert run.returncode == 2
            assert "changed while it was read" in err


def test_a_line_without_end_fails_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_LINE > 1_000_000
    monkeypatch.setattr("grapheval.io.lines.MAX_LINE", 100)
    path = tmp_path / "in.jsonl"
    path.write_text('{"id": 1, "answer": "short"}\n' + "x" * 100_000 + '\n{"id": 3, "answer": "short"}\n')
    with open_source(str(path)) as lines:
        got = list(lines)
    assert [line.id for line in got] == [1, "2", 3]
    assert isinstance(got[1].content, Failure)
    assert got[1].content.message == "line 2: longer than 100 characters"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("times", [1, 3])
def test_ctrl_c_once_or_often_keeps_what_is_written_and_ends_at_once(tmp_path: Path, times: int) -> None:
    source, out = write(tmp_path / "in.jsonl", 400), tmp_path / "out.jsonl"
    with program("batch", str(source), str(out), "--no-cache", delay=0.02) as run:
        while not (out.exists() and out.stat().st_size):
            assert run.poll() is None
            time.sleep(0.02)
        for _ in range(times):
            run.send_signal(signal.SIGINT)
            time.sleep(0.01)
        _, err = run.communicate(timeout=120)
    assert run.returncode == 130, err
    lines = out.read_bytes().splitlines(keepends=True)
    assert all(line.endswith(b"\n") for line in lines)
    assert 0 < len(lines) < 400
    assert "Traceback" not in err
    assert err.count("interrupted") >= 1
    if times == 1:
        assert f"interrupted: {len(lines)} lines are written, --resume goes on from there" in err


def test_a_batch_of_another_configuration_is_continued_with_a_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from grapheval.cli.run import run

    source, out = write(tmp_path / "in.jsonl", 3), tmp_path / "out.jsonl"

    def build(choices):  # type: ignore[no-untyped-def]
        return GraphEval(FakeExtractor(), FakeVerifier(default=0.9), threshold=choices.threshold)

    assert run(["batch", str(source), str(out)], build) == 0
    write(source, 2, start=3)
    capsys.readouterr()
    assert run(["batch", str(source), str(out), "--resume", "--threshold", "0.4"], build) == 0
    err = capsys.readouterr().err
    assert "the lines that were there were made with another threshold\n" in err
    assert "2 answers (3 were there already); all 5: 5 consistent" in err


def test_skip_is_not_fooled_by_equal_prefixes(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with Target(str(out)) as target:
        for name in ("a", "a", 1):
            target.write(BatchRecord(name, Evaluation(Status.NO_CLAIMS)))

    def lines(*ids: str | int) -> Iterator[BatchLine]:
        return iter([BatchLine(n, name, Sample("x")) for n, name in enumerate(ids, start=1)])

    whole = out.read_bytes()
    for ids in (("a", "a"), ("a", "b", 1), ("a", "a", "1")):
        with pytest.raises(InputError, match="does not belong to this input"), Target(str(out), resume=True) as target:
            target.skip(lines(*ids))
        assert out.read_bytes() == whole
    out.write_bytes(whole + b'{"id": "b", "evalu')
    seen: list[object] = []
    with Target(str(out), resume=True) as target:
        assert target.skip(lines("a", "a", 1, "b"), lambda record: seen.append(record["id"])) == 3
    assert seen == ["a", "a", 1]
    assert out.read_bytes() == whole


def test_standard_output_that_is_full_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: object, /) -> int:
            raise OSError(28, "No space left on device")

    stream = io.TextIOWrapper(io.BufferedWriter(Full(), 1))
    monkeypatch.setattr("sys.stdout", stream)
    with Target("-") as target, pytest.raises(OutputError, match="standard output: No space left on device"):
        target.write(RECORD)
    monkeypatch.undo()
    stream.detach()
