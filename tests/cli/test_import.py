"""`ragdash import jsonl`: another system's results as a run on which everything works."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragdash.cli import invoke
from ragdash.cli.receive import execute
from ragdash.core.errors import StoreLocked
from ragdash.core.fingerprint import digest_file
from ragdash.core.retrieval import Extent, Mode
from ragdash.receive import identity_of, receive
from ragdash.store.layout import lock_file, run_files
from ragdash.store.lock import RunLock
from ragdash.store.registry import Registry, prepare
from ragdash.store.results import read_results
from ragdash.store.runfile import publish_results

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ragdash.core.run import QuestionResult, RunInfo

HEADER = {"ragdash_import": 1, "system": "my-rag", "system_version": "2", "questions": "demo"}
GOLD = {
    "gold": [{"value": "147693604994.14", "unit": "CNY", "metric": "营业收入"}],
    "evidence": [{"doc_id": "600519-2023", "page": 2}],
}
ZH = {"id": "q1", "question": "贵州茅台2023年营业收入是多少？", "answer": "1,476.94亿元", **GOLD}
EN = {"id": "q2", "question": "What were net sales?", "answer": "$383,285 million"}
HOLDS = {
    "chunk_id": "c1", "doc_id": "600519-2023", "company": "贵州茅台", "period": "2023",
    "doc_type": "annual", "page": 2, "score": 0.5,
    "text": "单位：元\n营业收入 | 147,693,604,994.14",
}  # fmt: skip


@pytest.fixture
def imported(store: Path, tmp_path: Path) -> Callable[..., str]:
    """`imported(row, row, name="a.jsonl")` -> the id of the run that the rows became."""

    def run(*rows: Any, name: str = "their.jsonl", facts: dict[str, str] | None = None) -> str:
        return execute(write(tmp_path / name, *rows), store, None, facts or {})

    return run


def write(path: Path, *rows: Any) -> Path:
    path.write_text(
        "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8"
    )
    return path


def files(store: Path) -> list[str]:
    """Without what SQLite keeps beside a file that is open."""
    found = [p.name for p in store.rglob("*") if p.is_file()] if store.exists() else []
    return sorted(name for name in found if not name.endswith(("-wal", "-shm")))


def ran(store: Path, *arguments: str) -> int:
    return invoke([*arguments, "--store", str(store)])


def test_the_command_prints_the_table_and_the_run_is_like_any_other(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    v1, v2 = ({**ZH, "mode": m, "contexts": [HOLDS]} for m in ("v1", "版本2"))
    path = write(tmp_path / "a.jsonl", HEADER, v1, v2, {**EN, "mode": "v1"})

    assert ran(store, "import", "jsonl", str(path)) == 0

    told = capsys.readouterr()
    assert "answer_accuracy" in told.out
    assert "warning: mode 版本2 has no answer to 1 of 2 questions" in told.err
    with closing(Registry.open(store, read_only=True)) as registry:
        (run,) = registry.runs()
        assert str(registry.resolve(f"{run.run_id}:版本2")) == f"{run.run_id}:版本2"
    assert (run.kind, run.status, run.questions_name, run.n_questions) == (
        "evaluation", "done", "demo", 2,
    )  # fmt: skip
    assert [m.mode for m in run.modes] == ["v1", "版本2"]
    assert run.config["imported"]["facts"] == {"system": "my-rag", "system_version": "2"}
    assert run.config["imported"]["file"] == "a.jsonl"
    # No default of ours stands in the config of a system that did not state it.
    assert set(run.config) == {"imported", "judge", "budget", "generator"}
    assert [m.p50_seconds for m in run.modes] == [None, None]


def test_every_command_works_on_what_was_imported_or_says_why_not(
    store: Path, imported: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    run = imported(HEADER, *({**ZH, "mode": m} for m in ("v1", "hybrid")))

    assert ran(store, "compare", run) == 0
    assert ran(store, "diagnose", run) == 0
    assert ran(store, "gate", f"{run}:v1") == 2  # nothing to be said of one question
    assert ran(store, "tag", f"{run}:v1", "baseline", "--reason", "first") == 0
    assert ran(store, "rescore", run, "--gates-only") == 0
    assert ran(store, "db", "check") == 0
    capsys.readouterr()
    assert ran(store, "ablate", f"{run}:hybrid") == 2
    assert "the run is of another system, whose fusion is not known" in capsys.readouterr().err


def test_a_judge_that_needs_the_index_is_refused(
    store: Path, imported: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = imported(ZH)
    config = tmp_path / "c.toml"
    config.write_text('[judge]\nkind = "similarity"\n', encoding="utf-8")

    assert ran(store, "rescore", run, "--config", str(config)) == 2
    assert "similarity needs the run's index" in capsys.readouterr().err
    assert len(run_files(store)) == 1


def test_scored_again_it_says_the_same_and_keeps_what_the_system_said(
    store: Path, imported: Callable[..., str]
) -> None:
    given_ = {"scores": {"faithfulness": 0.5}, "generate_seconds": 1.5}
    run = imported({**HEADER, "top_k": 1}, {**ZH, **given_, "contexts": [HOLDS]}, EN)

    assert ran(store, "rescore", run, "--gates-only") == 0

    (_, _, first), (_, _, second) = run_files(store)
    assert read_results(first) == read_results(second)
    with closing(Registry.open(store, read_only=True)) as registry:
        after, before = registry.runs()
    assert after.config == before.config


def test_the_same_file_is_imported_once_and_under_another_name_again(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "a.jsonl", ZH)
    first = execute(path, store, None, {})
    kept = files(store)

    assert execute(path, store, None, {}) == first
    assert f"imported already: run {first}" in capsys.readouterr().err
    assert files(store) == kept
    named = execute(path, store, "other", {})
    told = execute(path, store, None, {"system": "x"})
    assert len({first, named, told}) == 3
    assert "-other-" in named


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"id": "q1"}\n', "line 1: 'question' is missing"),
        ("id,answer\nq1,5\n", "looks like CSV"),
        ("[" * 10_000, "begins a JSON array"),
        ('{"id":' + "[" * 10_000, "line 1: nested too deeply"),
    ],
)
def test_a_bad_file_is_one_sentence_exit_2_and_nothing_written(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text, encoding="utf-8")

    assert ran(store, "import", "jsonl", str(path)) == 2

    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
    assert not store.exists()


@pytest.mark.parametrize("fact", ["system", "=x", "sytem=x", "system= ", "top_k=five"])
def test_a_bad_fact_is_refused(
    store: Path, tmp_path: Path, fact: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "a.jsonl", ZH)

    assert ran(store, "import", "jsonl", str(path), "--fact", fact) == 2

    assert capsys.readouterr().err.count("\n") == 1
    assert not store.exists()


def test_an_interrupted_import_leaves_nothing(
    store: Path, tmp_path: Path, make_info: Callable[..., RunInfo]
) -> None:
    told = receive(write(tmp_path / "a.jsonl", ZH, EN), "sha256:x", None, {})

    def stopped() -> Iterator[QuestionResult]:
        yield next(told.results())
        raise KeyboardInterrupt

    info = replace(make_info(), modes=(Mode("imported"),), config=told.config)
    with pytest.raises(KeyboardInterrupt):
        publish_results(store, info, stopped(), ["q1", "q2"])

    assert files(store) == []


def test_a_file_that_another_process_imports_is_left_to_it(store: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", ZH)
    mark = f"import-{identity_of(digest_file(path), None, {})[7:23]}"
    prepare(store)

    with (
        RunLock.acquire(lock_file(store, mark), mark),
        pytest.raises(StoreLocked, match="is being imported by another process: wait"),
    ):
        execute(path, store, None, {})

    assert run_files(store) == []


def test_two_imports_are_held_against_each_other_by_what_they_declare(
    store: Path, imported: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [ZH, {**EN, "gold": [{"value": 383285000000, "unit": "USD"}]}]

    def run(name: str, **facts: str) -> str:
        return f"{imported({'ragdash_import': 1, **facts}, *rows, name=name)}:imported"

    one = run("1.jsonl", system="a", generator="g1")
    other = run("2.jsonl", system="a", generator="g2")
    third = run("3.jsonl", system="b", generator="g3", reranker="r")
    silent, mute = run("4.jsonl"), run("5.jsonl", chunking="c")
    capsys.readouterr()

    assert ran(store, "compare", one, other) == 0
    assert "one factor differs, generator: " in capsys.readouterr().out
    assert ran(store, "compare", one, third) == 2
    told = capsys.readouterr()
    assert "system" in told.out + told.err
    assert "reranker" in told.out + told.err
    assert ran(store, "compare", silent, mute) == 2
    assert "system" in capsys.readouterr().err


def test_what_ragdash_exports_comes_back(
    store: Path, imported: Callable[..., str], tmp_path: Path
) -> None:
    header = {**HEADER, "top_k": 1, "whole_lists": True}
    second = {**HOLDS, "chunk_id": "c2", "page": 3, "text": "封面", "bm25_rank": 1}
    rows = [
        {**ZH, "mode": "v1", "contexts": [HOLDS, second], "scores": {"f": 0.5}, "raw": "r"},
        {**ZH, "mode": "v2", "answer": "未在所给资料中检索到", "contexts": ["只有文字"]},
        {**EN, "mode": "v1", "answer": "", "error": "timeout"},
    ]
    run = imported(header, *rows)
    path = tmp_path / "back.jsonl"

    assert ran(store, "export", run, "--format", "jsonl", "-o", str(path)) == 0
    back = execute(path, store, "back", {})

    (first,) = [f for r, _, f in run_files(store) if r == run]
    (second_file,) = [f for r, _, f in run_files(store) if r == back]
    assert read_results(second_file) == read_results(first)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
NAME = TEXT.filter(lambda t: t.strip() == t)
MODES = st.from_regex(r"[a-z中A-Z0-9][a-z中文0-9._-]{0,20}", fullmatch=True)
SCORE = st.none() | st.floats(-1e9, 1e9, width=32)
CHUNKS = st.fixed_dictionaries(
    {"text": TEXT},
    optional={
        "doc_id": NAME, "page": st.integers(1, 9_999), "score": SCORE, "in_context": st.booleans(),
        "dense_rank": st.integers(1, 99), "rerank_score": SCORE, "unit_note": TEXT,
    },
)  # fmt: skip
ROWS = st.fixed_dictionaries(
    {"question": NAME, "answer": TEXT.filter(str.strip)},
    optional={
        "note": TEXT, "raw": TEXT, "finish_reason": TEXT, "generator": NAME, "company": NAME,
        "retrieve_seconds": st.floats(0, 1e6), "generate_seconds": st.floats(0, 1e6),
        "contexts": st.lists(CHUNKS, max_size=3, unique_by=lambda c: (c["text"], c.get("page"))),
        "gold": st.lists(st.fixed_dictionaries({"value": st.integers(-10**9, 10**9),
                                                "unit": st.just("CNY")}), max_size=1),
    },
)  # fmt: skip


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.tuples(NAME, MODES), ROWS, min_size=1, max_size=3), st.booleans())
def test_what_is_stored_is_what_was_given(
    tmp_path_factory: pytest.TempPathFactory,
    told: dict[tuple[str, str], dict[str, Any]],
    all_: bool,
) -> None:
    folder = tmp_path_factory.mktemp("trip")
    by_id: dict[str, dict[str, Any]] = {}
    rows = []
    for (key, mode), row in told.items():
        # What several lines say of a question must be the same.
        about = by_id.setdefault(key, {k: row[k] for k in ("question", "note", "company", "gold")
                                       if k in row})  # fmt: skip
        own = {k: v for k, v in row.items() if k not in ("note", "company", "gold")}
        rows.append({**own, **about, "id": key, "mode": mode})
    path = write(folder / "their.jsonl", {"ragdash_import": 1, "whole_lists": all_}, *rows)

    run = execute(path, folder / "store", None, {})

    ((_, _, file),) = [f for f in run_files(folder / "store") if f[0] == run]
    found = {(r.question.id, r.mode.value): r for r in read_results(file)}
    assert found.keys() == told.keys()
    for row in rows:
        result = found[row["id"], row["mode"]]
        assert result.answer.text == row["answer"]
        assert result.question.text == row["question"]
        assert result.question.company == row.get("company")
        assert [int(g.value) for g in result.question.gold] == [
            g["value"] for g in row.get("gold", [])
        ]
        assert result.answer.raw == row.get("raw", "")
        assert result.answer.seconds == row.get("generate_seconds")
        assert result.retrieval.seconds == row.get("retrieve_seconds")
        assert_same_contexts(result, row.get("contexts"), whole=all_)


def assert_same_contexts(
    result: QuestionResult, given_: list[dict[str, Any]] | None, *, whole: bool
) -> None:
    if given_ is None:
        assert result.retrieval.extent is Extent.NOT_GIVEN
        return
    assert result.retrieval.extent is (Extent.LISTED if whole else Extent.CUT)
    assert len(result.retrieval.candidates) == len(given_)
    for rank, (one, row) in enumerate(zip(result.retrieval.candidates, given_, strict=True), 1):
        assert one.chunk.text == row["text"]
        assert one.chunk.source_page == row.get("page")
        assert one.chunk.source.doc_id == row.get("doc_id", "")
        assert one.trace.final_rank == rank
        assert one.trace.final_score == row.get("score")
        assert one.trace.in_context == row.get("in_context", True)
        assert one.trace.dense_rank == row.get("dense_rank")
        assert one.trace.rerank_score == row.get("rerank_score")
