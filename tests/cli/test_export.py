from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ragdash.cli import invoke
from ragdash.export.target import put

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


@pytest.fixture(scope="module")
def stored(build: ModuleType, rich: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    store: Path = rich.make_rich_store(build, tmp_path_factory.mktemp("export") / "store")
    return store


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def export(store: Path, *words: str) -> int:
    return invoke(["export", *words, "--store", str(store)])


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl", "html"])
def test_the_ending_says_as_what(stored, rich, tmp_path, ending, capsys) -> None:
    path = tmp_path / f"rows.{ending}"
    assert export(stored, rich.RUN, "-o", str(path)) == 0
    assert path.stat().st_size > 1000
    assert "18 rows" in capsys.readouterr().err
    assert names_in(tmp_path) == [path.name]


def test_the_filter_holds_and_the_base_is_heeded(stored, rich, tmp_path, capsys) -> None:
    words = ("--base", f"{rich.RUN}:dense", "--where", "变化：变好")
    assert export(stored, f"{rich.RUN}:rerank", "-o", str(tmp_path / "a.jsonl"), *words) == 0
    assert "2 rows" in capsys.readouterr().err
    _, *lines = (tmp_path / "a.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["q02", "q06"]


def test_stdout_gets_the_bytes_and_nothing_else(stored, rich, tmp_path, capfdbinary) -> None:
    path = tmp_path / "a.csv"
    assert export(stored, rich.RUN, "-o", str(path)) == 0
    capfdbinary.readouterr()
    assert export(stored, rich.RUN, "-o", "-", "--format", "csv") == 0
    assert capfdbinary.readouterr().out == path.read_bytes()


def test_a_file_that_is_there_stays_unless_force_replaces_it(
    stored, rich, tmp_path, capsys
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("mine")
    assert export(stored, rich.RUN, "-o", str(path)) == 2
    assert "is there already: name another file, or --force" in capsys.readouterr().err
    assert path.read_text() == "mine"
    assert export(stored, rich.RUN, "-o", str(path), "--force") == 0
    assert path.read_text("utf-8-sig").startswith("run,version,mode")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("RUN", "-o", "rows"), "does not say as what: add --format"),
        (("RUN", "-o", "none/rows.csv"), "the folder of none/rows.csv does not exist"),
        (("RUN", "-o", "."), "add --format"),
        (("RUN", "-o", ".", "--format", "csv"), ". is a folder"),
        (
            ("RUN", "-o", "a.csv", "--where", "outcom:x"),
            "filter, character 1: unknown field outcom",
        ),
        (("RUN", "-o", "a.csv", "--where", "结果：错"), None),
        (("RUN", "-o", "b.csv", "--where", "change:same"), "change needs a base"),
        (("RUN", "-o", "b.csv", "--base", "none"), "'none' is no run and no tag"),
        (("none", "-o", "b.csv"), "'none' is no run and no tag"),
        (("ATTACK", "-o", "b.csv"), "is a run of attacks"),
        (("reviews", "-o", "b.html"), "csv, jsonl or parquet"),
        (("reviews", "-o", "b.csv", "--where", "a"), "takes no --where"),
    ],
)
def test_bad_input_is_one_sentence_and_nothing_is_written(
    stored, rich, tmp_path, monkeypatch, capsys, words, said
) -> None:
    monkeypatch.chdir(tmp_path)
    names = {"RUN": rich.RUN, "ATTACK": rich.ATTACK}
    code = export(stored, *(names.get(word, word) for word in words))
    told = capsys.readouterr().err
    if said is None:
        assert code == 0
        return
    assert code == 2
    assert said in told
    assert told.count("\n") == 1
    assert names_in(tmp_path) == []


def test_a_metric_that_the_run_does_not_have_is_told(stored, rich, tmp_path, capsys) -> None:
    words = ("-o", str(tmp_path / "a.csv"), "--where", "忠实度<0.5")
    assert export(stored, rich.RUN, *words) == 0
    said = capsys.readouterr().err
    assert f"note: {rich.RUN} has no value of faithfulness\n0 rows" in said


def test_no_store_is_said(tmp_path, capsys) -> None:
    assert export(tmp_path / "none", "x", "-o", str(tmp_path / "a.csv")) == 3
    assert "there is no store at" in capsys.readouterr().err


def test_what_fails_midway_leaves_what_was_there(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"mine")

    def broken():
        yield b"half"
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError):
        put(path, broken(), force=True)
    assert path.read_bytes() == b"mine"
    assert names_in(tmp_path) == ["a.csv"]


def test_reviews_of_a_store_without_any_are_a_head_alone(stored, tmp_path, capsys) -> None:
    assert export(stored, "reviews", "-o", str(tmp_path / "r.csv")) == 0
    assert "0 rows" in capsys.readouterr().err
    (head,) = (tmp_path / "r.csv").read_text("utf-8-sig").splitlines()
    assert head.startswith("kind,run,version,mode,question_id")


def test_what_is_exported_is_imported_with_the_same_outcomes(stored, rich, tmp_path) -> None:
    path, other = tmp_path / "a.jsonl", tmp_path / "other"
    assert export(stored, f"{rich.RUN}:dense", "-o", str(path)) == 0
    # One of its questions is an error, and so is the run then.
    assert invoke(["import", "jsonl", str(path), "--store", str(other)]) == 1
    back = tmp_path / "b.jsonl"
    from contextlib import closing

    from ragdash.store.registry import Registry

    with closing(Registry.open(other, read_only=True)) as registry:
        (run,) = registry.runs()
    assert export(other, run.run_id, "-o", str(back)) == 0
    first, second = (
        [json.loads(line) for line in file.read_text("utf-8").splitlines()[1:]]
        for file in (path, back)
    )
    same = ("id", "mode", "question", "answer", "gold", "evidence", "lang", "kind", "company")
    for one, two in zip(first, second, strict=True):
        assert {name: one.get(name) for name in same} == {name: two.get(name) for name in same}
        assert [c["text"] for c in one["contexts"]] == [c["text"] for c in two["contexts"]]
        assert [c["rank"] for c in one["contexts"]] == [c["rank"] for c in two["contexts"]]
