"""`ragdash attack --pipeline`: what it prints and keeps, and what it refuses in one sentence."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ragdash.attack import pipeline
from ragdash.cli import attack_pipeline, invoke
from ragdash.ingest.corpus import ingest
from ragdash.models import loading
from ragdash.store.attach import opened

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def commanded(bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """The corpus of two filings, searched with its own embedder of words, and its questions."""
    manifest, folder = bench.corpus.folder.parent / "manifest.jsonl", bench.corpus.folder
    monkeypatch.setattr(loading, "load_embedder", lambda _: bench.pipeline().embedder)
    ingest(manifest, tmp_path / "unindexed")
    return {
        "corpus": folder,
        "questions": folder.parent / "questions.jsonl",
        "unindexed": tmp_path / "unindexed",
    }


def arguments(commanded: dict[str, Path], fixtures: Path, *more: str) -> list[str]:
    named = [f"--{k}={commanded[k]}" for k in ("corpus", "questions")]
    return ["attack", "--pipeline", *named, f"--fixtures={fixtures}", "--modes=hybrid,dense", *more]


def test_it_prints_the_stages_and_keeps_them(
    commanded, bench, lines_of_attack, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    attack, _, prefixed = lines_of_attack
    before = {p: p.read_bytes() for p in commanded["corpus"].rglob("*") if p.is_file()}
    fixtures = bench.fixtures(attack("a", prefixed))
    assert invoke(arguments(commanded, fixtures, f"--store={store}")) == 0
    out, err = capsys.readouterr()
    assert "1 hostile passages beside the 8 chunks of corpus" in out
    assert "Where each attack ended" in out
    (path,) = (store / "runs").glob("*-attack-pipeline-corpus-*.duckdb")
    assert f"stored: {path}" in err
    with opened(path) as connection:
        kept = connection.execute(
            "SELECT policy, mode, context_size FROM run.attack_retrieval ORDER BY policy"
        ).fetchall()
        meta = connection.execute(
            "SELECT kind, corpus_name, questions_name, config->'pipeline'->>'modes', "
            "config->>'oracle_trust' FROM run.meta"
        ).fetchone()
    assert kept == [
        (f"{mode}/{policy}", mode, 5)
        for mode in ("dense", "hybrid")
        for policy in ("layered", "none")
    ]
    assert meta == ("attack", "corpus", "hostile.jsonl", '["dense","hybrid"]', "false")
    assert {p: p.read_bytes() for p in commanded["corpus"].rglob("*") if p.is_file()} == before


def test_json_is_one_object_on_standard_output(
    commanded, bench, lines_of_attack, capsys: pytest.CaptureFixture[str]
) -> None:
    attack, _, prefixed = lines_of_attack
    asked = arguments(commanded, bench.fixtures(attack("a", prefixed)), "--json", "--policy=none")
    assert invoke(asked) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(e["mode"], e["policy"]) for e in found["summary"]] == [
        ("dense", "none"),
        ("hybrid", "none"),
    ]


def test_a_row_that_is_an_error_is_exit_1_and_the_run_is_kept(
    commanded, bench, lines_of_attack, store: Path, tmp_path: Path
) -> None:
    attack, _, prefixed = lines_of_attack
    mine = tmp_path / "mine.py"
    mine.write_text("def answer(view):\n    raise ValueError('mine')\n")
    asked = arguments(commanded, bench.fixtures(attack("a", prefixed)), f"--policy={mine}:answer")
    assert invoke([*asked, f"--store={store}"]) == 1
    assert len(list((store / "runs").glob("*.duckdb"))) == 1


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"corpus": "nowhere"}, "holds no corpus"),
        ({"corpus": "unindexed"}, "has no index: ingest"),
        ({"modes": "dense,sparse"}, "unknown mode 'sparse'"),
        ({"policy": "armoured"}, "Policy 'armoured' is not known"),
        ({"fixtures": "missing.jsonl"}, "missing.jsonl cannot be read"),
        ({"fixtures": "bad"}, "line 2: no JSON object"),
        ({"fixtures": "large"}, "at most 4,000,000 go through a retriever"),
        ({"fixtures": "nothing hostile"}, "No case holds a passage that is not registered"),
        ({"fixtures": None}, "Our hostile passages are made for the demo's reports"),
        ({"config": "endpoint"}, "attacks on the pipeline run with the extractive one"),
        ({"support-threshold": "1.5"}, "--support-threshold is 1.5"),
    ],
)
def test_bad_input_is_exit_2_with_a_sentence_and_nothing_kept(
    commanded,
    bench,
    lines_of_attack,
    store: Path,
    changed: dict[str, Any],
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    attack, passage, prefixed = lines_of_attack
    line = attack("a", prefixed)
    bad, large = bench.folder / "bad.jsonl", bench.folder / "large.jsonl"
    bad.write_text(json.dumps(line) + "\n{no json\n", "utf-8")
    large.write_bytes(b" " * 5_000_000)
    endpoint = bench.folder / "endpoint.toml"
    endpoint.write_text(
        '[generator]\nkind = "endpoint"\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "m"\n', "utf-8"
    )
    clean = {**passage("一"), "trusted": True}
    places = {
        "bad": bad, "large": large, "endpoint": endpoint, "unindexed": commanded["unindexed"],
        "nothing hostile": bench.fixtures(attack("c", clean), name="clean.jsonl"),
    }  # fmt: skip
    options = {
        "corpus": commanded["corpus"], "modes": "dense",
        "questions": commanded["questions"], "fixtures": bench.fixtures(line), "store": store,
    }  # fmt: skip
    options |= {k: places.get(v, v) for k, v in changed.items()}
    words = [f"--{k}={v}" for k, v in options.items() if v is not None]
    assert invoke(["attack", "--pipeline", *words]) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert out == ""
    assert not list(store.rglob("*.duckdb*"))


def test_stopped_in_the_middle_nothing_is_kept(
    commanded, bench, lines_of_attack, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attack, _, prefixed = lines_of_attack

    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "stage_of", stopped)
    asked = arguments(commanded, bench.fixtures(attack("a", prefixed)), f"--store={store}")
    assert invoke(asked) == 130
    assert not store.exists()


def test_the_web_page_of_ours_is_no_filing_and_is_not_registered() -> None:
    from ragdash import shipped
    from ragdash.ingest.manifest import load_manifest

    (page,) = load_manifest(shipped.path(attack_pipeline.DOCUMENTS))
    assert (page.channel.value, page.doc_type.value) == ("web", "other")
    reports = load_manifest(shipped.path("data/reports/manifest.jsonl"))
    assert page.doc_id not in {entry.doc_id for entry in reports}
