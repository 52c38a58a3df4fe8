"""The sources' own formats, with labels worked out by hand."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from grapheval import InputError
from grapheval.bench.datasets import read_benchmark
from grapheval.bench.sets import KNOWN_SETS


def _write(path: Path, rows: list[Any], *, packed: bool = False) -> Path:
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    return path


def _sentence(text: str, *votes: str) -> dict[str, Any]:
    return {"sentence": text, "responses": [{"worker_id": i, "response": vote} for i, vote in enumerate(votes)]}


QAGS = [
    {"article": "Ida bakes bread.", "summary_sentences": [_sentence("Ida bakes.", "yes", "yes", "no")]},
    {
        "article": "Ida bakes bread in Bergen.",
        "summary_sentences": [
            _sentence("Ida bakes.", "yes", "yes", "yes"),
            _sentence("She lives in Bodø.", "no", "yes", "no"),
        ],
    },
    {"article": "Ida bakes bread.", "summary_sentences": [_sentence("Ida sings.", "yes", "no")]},  # a tie
]


def _expert(mark: int) -> dict[str, int]:
    return {"coherence": 1, "consistency": mark, "fluency": 1, "relevance": 1}


def _summeval(model: str, *marks: int, **more: Any) -> dict[str, Any]:
    return {
        "id": "dm-test-abc",
        "model_id": model,
        "decoded": f"Summary by {model}.",
        "expert_annotations": [_expert(mark) for mark in marks],
        "turker_annotations": [_expert(1)],
        "references": ["A reference."],
        "filepath": "cnndm/dailymail/stories/abc.story",
        **more,
    }


def test_qags_is_consistent_only_if_every_sentence_has_a_majority(tmp_path: Path) -> None:
    found = read_benchmark("qags-c", _write(tmp_path / "mturk_cnndm.jsonl", QAGS))
    assert [row.label for row in found.rows] == [0, 1, 1]
    assert [row.answer for row in found.rows] == ["Ida bakes.", "Ida bakes. She lives in Bodø.", "Ida sings."]
    assert found.rows[1].context == "Ida bakes bread in Bergen."
    assert [row.id for row in found.rows] == ["qags-c/0", "qags-c/1", "qags-c/2"]
    assert found.form == "qags"
    assert found.rows[0].sample.sources[0].text == "Ida bakes bread."


def test_summeval_is_consistent_only_with_five_from_all(tmp_path: Path) -> None:
    rows = [
        _summeval("M0", 5, 5, 5, text="An article."),
        _summeval("M1", 5, 5, 4, text="An article."),
        _summeval("M2", 1, 1, 1, text="An article."),
    ]
    found = read_benchmark("summeval", _write(tmp_path / "model_annotations.aligned.paired.jsonl", rows))
    assert [row.label for row in found.rows] == [0, 1, 1]
    assert found.rows[1].id == "dm-test-abc/M1"
    assert found.rows[1].answer == "Summary by M1."
    assert found.rows[1].context == "An article."


def test_summeval_takes_its_articles_from_the_story_files(tmp_path: Path) -> None:
    file = _write(tmp_path / "model_annotations.aligned.jsonl", [_summeval("M0", 5, 5, 5)])
    stories = tmp_path / "stories" / "cnndm" / "dailymail" / "stories"
    stories.mkdir(parents=True)
    (stories / "abc.story").write_text("First line.\n\n  Second line.\n\n@highlight\n\nNot this.\n", encoding="utf-8")
    for articles in (tmp_path / "stories", stories):  # the tree as distributed, or the files alone
        found = read_benchmark("summeval", file, articles=articles)
        assert found.rows[0].context == "First line. Second line."
    with pytest.raises(InputError, match="--articles"):
        read_benchmark("summeval", file)
    with pytest.raises(InputError, match=r"holds no abc\.story"):
        read_benchmark("summeval", file, articles=tmp_path)


def test_a_path_in_the_data_cannot_leave_the_article_directory(tmp_path: Path) -> None:
    (tmp_path / "secret.story").write_text("secret", encoding="utf-8")
    inside = tmp_path / "stories"
    inside.mkdir()
    row = _summeval("M0", 5, filepath="../secret.story")
    with pytest.raises(InputError, match="holds no"):
        read_benchmark("summeval", _write(tmp_path / "a.jsonl", [row]), articles=inside)


@pytest.mark.parametrize("packed", [False, True])
def test_prepared_rows_plain_and_gzipped(tmp_path: Path, packed: bool) -> None:
    rows = [
        {"id": "qags-x/0", "context": "C", "output": "A", "label": 1, "sentences": ["A"]},
        {"id": "qags-x/1", "context": "C", "output": "B", "label": 0},
    ]
    file = _write(tmp_path / "any.name", rows, packed=packed)
    found = read_benchmark("QAGS_X", file)
    assert [(row.id, row.answer, row.context, row.label) for row in found.rows] == [
        ("qags-x/0", "A", "C", 1),
        ("qags-x/1", "B", "C", 0),
    ]
    assert found.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    assert found.remark == "the file holds 2 rows, the complete set 239"


def test_a_directory_gives_the_file_with_a_known_name(tmp_path: Path) -> None:
    _write(tmp_path / "mturk_xsum.jsonl", QAGS[:1])
    assert len(read_benchmark("qags-x", tmp_path).rows) == 1
    with pytest.raises(InputError, match=r"mturk_cnndm\.jsonl"):
        read_benchmark("qags-c", tmp_path)


def test_a_limit_keeps_the_same_rows_and_grows_by_adding(tmp_path: Path) -> None:
    rows = [{"id": f"r{i}", "context": "C", "output": "A", "label": i % 2} for i in range(50)]
    file = _write(tmp_path / "s.jsonl", rows)
    ten = [row.id for row in read_benchmark("summeval", file, limit=10).rows]
    twenty = [row.id for row in read_benchmark("summeval", file, limit=20).rows]
    assert len(ten) == 10
    assert ten == [row.id for row in read_benchmark("summeval", file, limit=10).rows]
    assert set(ten) < set(twenty)
    assert twenty == sorted(twenty, key=lambda name: int(name[1:]))
    assert ten != [f"r{i}" for i in range(10)]
    assert len(read_benchmark("summeval", file, limit=500).rows) == 50


def test_complete_sets_are_recognised_by_size_and_labels(tmp_path: Path) -> None:
    known = KNOWN_SETS["qags-x"]
    rows = [{"id": str(i), "context": "C", "output": "A", "label": int(i < known.inconsistent)} for i in range(239)]
    file = _write(tmp_path / "x.jsonl", rows)
    assert read_benchmark("qags-x", file).remark is None
    assert read_benchmark("qags-x", file, limit=7).remark is None
    rows[0]["label"] = 0
    assert read_benchmark("qags-x", _write(file, rows)).remark == ("122 rows are inconsistent, in the complete set 123")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("qags-c", "", "holds no rows"),
        ("qags-c", "[1]\n", "line 1: must be a JSON object, not list"),
        ("qags-c", "\n{broken\n", "line 2: not JSON"),
        ("qags-c", '{"a": 1}\n', "its keys are"),
        ("summeval", json.dumps(QAGS[0]), "not a file of SummEval"),
        ("qags-c", json.dumps(_summeval("M0", 5, text="A")), "not a file of QAGS-C"),
        ("qags-c", '{"id": "qags-x/3", "context": "", "output": "", "label": 0}', "not a file of QAGS-C"),
        ("qags-c", '{"id": "1", "context": "", "output": "", "label": 2}', "label"),
        ("qags-c", json.dumps({"article": "A", "summary_sentences": []}), "summary_sentences"),
        ("qags-c", json.dumps({"article": "A", "summary_sentences": [_sentence("S", "maybe")]}), "response"),
        ("summeval", json.dumps(_summeval("M0", 6, text="A")), "consistency"),
        ("qags-c", json.dumps(QAGS[0]) + '\n{"id": "1"}', "line 2: article: Field required"),
        ("summeval", '{"id": "1", "context": "", "output": "", "label": 0}\n' * 2, "repeat the id"),
        ("nope", "{}", "no benchmark is called 'nope'"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, name: str, text: str, message: str) -> None:
    file = tmp_path / "data.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_benchmark(name, file)


def test_unreadable_files_are_input_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_benchmark("qags-c", tmp_path / "missing")
    damaged = tmp_path / "damaged.gz"
    damaged.write_bytes(gzip.compress(b'{"id": "1"}' * 100)[:-9])
    with pytest.raises(InputError, match="cannot read"):
        read_benchmark("qags-c", damaged)
    damaged.write_bytes(b"\xff\xfe\x00bad")
    with pytest.raises(InputError, match="cannot read"):
        read_benchmark("qags-c", damaged)
    with pytest.raises(InputError, match="limit"):
        read_benchmark("qags-c", damaged, limit=0)
