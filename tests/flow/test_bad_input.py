"""Bad input: one sentence on stderr, the right exit code, nothing half-written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


def sentence(done) -> str:
    """The one line on stderr."""
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def written(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.rglob("*"))


def test_a_missing_manifest(bench, tmp_path) -> None:
    done = bench.ragdash(
        "ingest", str(tmp_path / "none.jsonl"), "--corpus", str(tmp_path / "c"), expect=2
    )
    assert "none.jsonl" in sentence(done)
    assert written(tmp_path) == []


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ({"doc_id": "d", "file": "x.pdf", "company": "甲", "period": "2023", "doc_type": "annual",
          "lang": "zh", "pages": 3}, "pages"),
        ({"doc_id": "d", "file": "gone.pdf", "company": "甲", "period": "2023",
          "doc_type": "annual", "lang": "zh"}, "gone.pdf"),
        ({"doc_id": "d", "file": "x.pdf", "company": "甲", "period": None, "doc_type": "annual",
          "lang": "zh"}, "period"),
    ],
)  # fmt: skip
def test_an_unknown_key_a_missing_file_or_period_in_a_manifest(bench, tmp_path, row, named) -> None:
    manifest = tmp_path / "manifest.jsonl"
    manifest.write_text(json.dumps(row, ensure_ascii=False), "utf-8")
    done = bench.ragdash("ingest", str(manifest), "--corpus", str(tmp_path / "c"), expect=2)
    assert named in sentence(done)
    assert "line 1" in done.stderr
    assert written(tmp_path) == ["manifest.jsonl"]


def test_three_bad_lines_of_a_question_file_are_all_named(bench, tmp_path) -> None:
    good = bench.questions.read_text("utf-8").splitlines()
    bad = tmp_path / "bad.jsonl"
    bad.write_text("\n".join([good[0], "{", good[1], '{"id": "x"}', good[0]]), "utf-8")
    arguments = list(bench.run_arguments(tmp_path / "store"))
    arguments[arguments.index("--questions") + 1] = str(bad)
    done = bench.ragdash(*arguments, expect=2)
    for line in ("line 2", "line 4", "line 5"):
        assert line in sentence(done)
    assert written(tmp_path) == ["bad.jsonl"]


def test_an_unknown_mode(bench, tmp_path) -> None:
    done = bench.ragdash(*bench.run_arguments(tmp_path / "store"), "hybird", "dense", expect=2)
    assert "'hybird'" in sentence(done)
    assert written(tmp_path) == []


def test_a_corpus_that_is_none(bench, tmp_path) -> None:
    arguments = list(bench.run_arguments(tmp_path / "store"))
    arguments[arguments.index("--corpus") + 1] = str(tmp_path)
    sentence(bench.ragdash(*arguments, expect=2))
    assert written(tmp_path) == []


def test_a_corpus_made_by_another_model(bench, tmp_path) -> None:
    from ragdash.models.tiny import write_tiny_embedder

    other = write_tiny_embedder(tmp_path / "other", seed=7)
    config = tmp_path / "run.toml"
    config.write_text(f'[models]\ndense = "path:{other}"\n', "utf-8")
    arguments = list(bench.run_arguments(tmp_path / "store"))
    arguments[arguments.index("--config") + 1] = str(config)
    done = bench.ragdash(*arguments, "dense", expect=2)
    assert "was embedded by" in sentence(done)
    assert not (tmp_path / "store").exists()


def test_a_model_that_is_not_there_is_a_matter_of_the_environment(bench, tmp_path) -> None:
    config = tmp_path / "run.toml"
    config.write_text('[models]\ndense = "path:./none"\n', "utf-8")
    arguments = list(bench.run_arguments(tmp_path / "store"))
    arguments[arguments.index("--config") + 1] = str(config)
    done = bench.ragdash(*arguments, "dense", expect=3)
    assert "none" in sentence(done)
    assert not (tmp_path / "store").exists()


def test_an_unknown_key_of_the_config(bench, tmp_path) -> None:
    config = tmp_path / "run.toml"
    config.write_text("[retrieval]\ntopk = 3\n", "utf-8")
    arguments = list(bench.run_arguments(tmp_path / "store"))
    arguments[arguments.index("--config") + 1] = str(config)
    assert "retrieval.topk" in sentence(bench.ragdash(*arguments, expect=2))


def test_an_unknown_command_says_so(bench) -> None:
    done = bench.ragdash("ingset", expect=2)
    assert "ingset" in done.stderr
