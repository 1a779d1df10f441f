from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from ragdash.core.poison import AttackStage, PoisonTrace
from ragdash.core.retrieval import Mode
from ragdash.store.attach import attach
from ragdash.store.runfile import publish_attack
from ragdash.ui.i18n import S
from ragdash.views import attack_study
from ragdash.views import pipeline_attacks as view
from ragdash.views.frame import facts

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.views.query import Cursor

WAY = PoisonTrace(
    mode=Mode.DENSE, stage=AttackStage.IN_CONTEXT, chunk_ids=("d1#p1c1",), dense_rank=1,
    bm25_rank=None, fused_rank=None, rerank_rank=None, final_rank=1, context_rank=1,
    hostile_shown=1, context_size=5, gold_rank_without=1, gold_rank_with=2, gold_displaced=True,
    gold_shown_without=True, gold_shown_with=True, answer_without="答", correct_without=True,
)  # fmt: skip
FAR = replace(
    WAY, stage=AttackStage.NOT_RETRIEVED, dense_rank=None, final_rank=None, context_rank=None,
    hostile_shown=0, gold_rank_with=1, gold_displaced=False,
)  # fmt: skip
LOST = replace(WAY, gold_rank_with=None, gold_shown_with=False)


def stored(build: Any, store: Path, rows: list[Any]) -> Cursor:
    policies = tuple(dict.fromkeys(row.policy for row in rows))
    info = build.make_attack_info(policies=policies, corpus_name="语料", pipeline={"chunks": 9})
    found: Cursor = attach(publish_attack(store, info, rows, [], "2026-11-30T10:00:00Z"))
    return found


def row(build: Any, case_id: str, policy: str, way: PoisonTrace, **fields: Any) -> Any:
    name = f"{way.mode.value}/{policy}"
    return build.make_attack_row(case_id, name, adversarial=True, retrieval=way, **fields)


@pytest.fixture
def attacked(build: Any, tmp_path: Path) -> Cursor:
    won = replace(WAY, stage=AttackStage.IN_ANSWER)
    hybrid = replace(WAY, mode=Mode.HYBRID, bm25_rank=1, fused_rank=1)
    return stored(
        build,
        tmp_path,
        [
            row(build, "a", "layered", WAY, attack_class="near_dup_poison"),
            row(build, "a", "none", won, attack_class="near_dup_poison"),
            row(build, "b", "layered", FAR), row(build, "b", "none", FAR),
            row(build, "c", "layered", LOST),
            row(build, "c", "none", replace(won, gold_shown_with=False)),
            row(build, "e", "layered", WAY),
            row(build, "e", "none", replace(WAY, stage=None), error="no memory"),
            row(build, "a", "none", hybrid, attack_class="near_dup_poison"),
        ],
    )  # fmt: skip


def test_every_attack_is_counted_at_its_last_stage_and_an_error_at_none(attacked: Cursor) -> None:
    found = {(e.mode, e.policy): e.by_stage for e in view.ended(attacked)}
    assert list(found) == [("dense", "none"), ("dense", "layered"), ("hybrid", "none")]
    assert {s: (c.k, c.n) for s, c in found["dense", "none"].items()} == {
        "not_retrieved": (1, 3),
        "retrieved": (0, 3),
        "in_context": (0, 3),
        "in_answer": (2, 3),
    }
    assert (
        found["dense", "layered"]["in_context"].k,
        found["dense", "layered"]["in_context"].n,
    ) == (3, 4)
    low, high = (getattr(found["dense", "none"]["in_answer"], end) for end in ("low", "high"))
    assert 0 < low < 2 / 3 < high < 1


def test_what_reached_the_answer_is_counted_by_class(attacked: Cursor) -> None:
    found = view.won_by_class(attacked)
    assert (
        found["near_dup_poison"]["dense", "none"].k,
        found["near_dup_poison"]["dense", "none"].n,
    ) == (1, 1)
    assert found["plain_injection"]["dense", "layered"].k == 0


def test_retrieval_is_counted_once_a_case_whoever_answers(attacked: Cursor) -> None:
    dense, hybrid = view.retrieved(attacked)
    assert {name: (c.k, c.n) for name, c in dense.first.items()} == {
        "dense_rank": (3, 4),
        "context_rank": (3, 4),
    }
    assert (dense.hostile, dense.shown) == (3, 20)
    assert (dense.worse.k, dense.worse.n) == (3, 4)
    assert (dense.lost.k, dense.lost.n) == (1, 4)
    assert set(hybrid.first) == {"dense_rank", "bm25_rank", "fused_rank", "context_rank"}


def test_a_case_names_its_ranks_and_where_it_ended_under_each_policy(attacked: Cursor) -> None:
    found, pages = view.ways(attacked, "dense")
    assert pages == 1
    assert [w.case_id for w in found] == ["a", "b", "c", "e"]
    first, last = found[0], found[-1]
    assert (first.gold_without, first.gold_with, first.ranks["dense_rank"]) == (1, 2, 1)
    assert {p: e[0] for p, e in first.ended.items()} == {
        "layered": "in_context",
        "none": "in_answer",
    }
    assert last.ended["none"] == (None, "", "no memory")


def test_many_cases_come_in_pages_and_one_too_far_is_the_last(build: Any, tmp_path: Path) -> None:
    cursor = stored(build, tmp_path, [row(build, f"c{n:03d}", "none", WAY) for n in range(120)])
    pages = [view.ways(cursor, "dense", page) for page in (1, 2, 3, 99)]
    assert [(len(found), n) for found, n in pages] == [(50, 3), (50, 3), (20, 3), (20, 3)]
    assert pages[2] == pages[3]
    assert len({w.case_id for found, _ in pages for w in found}) == 120


def test_a_run_of_fixtures_alone_has_no_ways(attack_cursor: Cursor, attacked: Cursor) -> None:
    assert not view.is_there(facts(attack_cursor), attack_cursor)
    assert view.is_there(facts(attacked), attacked)


def test_a_file_of_before_version_5_has_none_and_is_read(build: Any, tmp_path: Path) -> None:
    import duckdb

    cursor = stored(build, tmp_path / "new", [row(build, "a", "none", WAY)])
    (path,) = (tmp_path / "new" / "runs").glob("*.duckdb")
    del cursor
    old = tmp_path / "20261130-0940-attack-9b1c.duckdb"
    old.write_bytes(path.read_bytes())
    with duckdb.connect(str(old)) as run:
        run.execute("DROP TABLE attack_retrieval")
        run.execute("UPDATE meta SET schema_version = 4")
    opened = attach(old)
    assert not view.is_there(facts(opened), opened)


def test_every_stage_rank_and_mode_has_its_words() -> None:
    codes = [f"poison_stage.{stage}" for stage in AttackStage]
    codes += [f"{group}.{rank}" for rank in view.RANKS for group in ("poison_rank", "place")]
    assert [c for c in codes if c not in S] == []
    assert set(view.STAGES) == {stage.value for stage in AttackStage}


@pytest.mark.parametrize(("query", "shared"), [("毛利率是多少？", 1), ("另一个问题", 0)])
def test_every_policy_of_a_mode_has_one_view_and_each_mode_its_own(
    build: Any, tmp_path: Path, query: str, shared: int
) -> None:
    first, second = (row(build, "a", policy, WAY) for policy in ("none", "layered"))
    second = replace(second, view=replace(second.view, query=query))
    other = row(build, "a", "none", replace(WAY, mode=Mode.HYBRID))
    other = replace(other, view=replace(other.view, query="第三个问题"))
    found = attack_study.key_check(stored(build, tmp_path, [first, second, other]))
    assert (found.shared, found.cases) == (shared, 1)
