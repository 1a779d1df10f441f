"""How far hostile passages came, in a run file: NULL where nothing is, and bounds that hold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from ragdash.core.attack import AttackRate
from ragdash.core.poison import AttackStage, PoisonTrace, StageCount
from ragdash.core.retrieval import Mode
from ragdash.store.attach import attach, opened
from ragdash.store.check import check
from ragdash.store.runfile import publish_attack
from ragdash.store.schema import READABLE, SCHEMA_VERSION, tables_of

if TYPE_CHECKING:
    from pathlib import Path

FINISHED = "2026-11-30T10:00:00Z"
NOWHERE = PoisonTrace(
    mode=Mode.HYBRID, stage=AttackStage.NOT_RETRIEVED, chunk_ids=(), dense_rank=None,
    bm25_rank=None, fused_rank=None, rerank_rank=None, final_rank=None, context_rank=None,
    hostile_shown=0, context_size=0, gold_rank_without=None, gold_rank_with=None,
    gold_displaced=None, gold_shown_without=None, gold_shown_with=None, answer_without="",
    correct_without=None,
)  # fmt: skip
FIRST = replace(
    NOWHERE, stage=AttackStage.IN_ANSWER, chunk_ids=("毒#p1c1", "d2"), dense_rank=1, bm25_rank=2,
    fused_rank=1, final_rank=1, context_rank=1, hostile_shown=2, context_size=5,
    gold_rank_without=1, gold_rank_with=6, gold_displaced=True, gold_shown_without=True,
    gold_shown_with=False, answer_without="收入为1元", correct_without=True,
)  # fmt: skip


def published(build: Any, store: Path, *ways: PoisonTrace | None) -> Path:
    rows = [
        build.make_attack_row(f"c{n}", "hybrid/none", retrieval=way) for n, way in enumerate(ways)
    ]
    stages = (
        StageCount(AttackStage.IN_ANSWER, "", AttackRate(1, 2, 0.5, 0.1, 0.9)),
        StageCount(AttackStage.IN_ANSWER, "near_dup_poison", AttackRate(0, 0, None, None, None)),
    )
    info = build.make_attack_info(policies=("hybrid/none",), n_cases=len(rows))
    summary = build.make_attack_summary("hybrid/none", stages=stages)
    return publish_attack(store, info, rows, [summary], FINISHED)


def test_a_way_is_one_flat_row_and_what_is_not_there_is_null(build: Any, store: Path) -> None:
    run = attach(published(build, store, FIRST, NOWHERE, None))
    rows = run.execute(
        "SELECT case_id, position, mode, stage, chunk_ids, dense_rank, rerank_rank, gold_rank_with,"
        " gold_displaced, correct_without, answer_without FROM run.attack_retrieval"
    ).fetchall()
    assert rows == [
        (
            "c0",
            0,
            "hybrid",
            "in_answer",
            '["毒#p1c1","d2"]',
            1,
            None,
            6,
            True,
            True,
            "收入为1元",
        ),
        ("c1", 1, "hybrid", "not_retrieved", "[]", None, None, None, None, None, ""),
    ]
    assert run.execute("SELECT count(*) FROM run.attack_rows").fetchone() == (3,)


def test_stages_are_measures_of_the_summary_by_class_and_for_all(build: Any, store: Path) -> None:
    run = attach(published(build, store, FIRST, NOWHERE))
    assert run.execute(
        "SELECT measure, k, n, rate FROM run.attack_summary WHERE starts_with(measure, 'stage_')"
        " ORDER BY measure"
    ).fetchall() == [
        ("stage_in_answer", 1, 2, 0.5),
        ("stage_in_answer:near_dup_poison", 0, 0, None),
    ]


def test_more_hostile_passages_than_were_shown_cannot_be_stored(build: Any, store: Path) -> None:
    with pytest.raises(duckdb.ConstraintException):
        published(build, store, replace(FIRST, hostile_shown=6))
    assert not list((store / "runs").glob("*"))


def test_the_table_is_there_from_version_5_on_and_checked_whole(build: Any, store: Path) -> None:
    assert [v for v in READABLE if "attack_retrieval" in tables_of(v)] == [5, 6]
    path = published(build, store, FIRST)
    assert check(store).damaged == []
    with opened(path) as run:
        assert run.execute("SELECT schema_version FROM run.meta").fetchone() == (SCHEMA_VERSION,)
