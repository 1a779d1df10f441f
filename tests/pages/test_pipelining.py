"""The part of the Attacks page on attacks that went through a retriever."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from ragdash.core.poison import AttackStage, PoisonTrace
from ragdash.core.retrieval import Mode
from ragdash.store.runfile import publish_attack

if TYPE_CHECKING:
    from pathlib import Path

RUN = "20261130-1100-attack-pipeline-demo-77aa"
WAY = PoisonTrace(
    mode=Mode.DENSE, stage=AttackStage.IN_CONTEXT, chunk_ids=("d1#p1c1",), dense_rank=1,
    bm25_rank=None, fused_rank=None, rerank_rank=None, final_rank=1, context_rank=1,
    hostile_shown=1, context_size=5, gold_rank_without=3, gold_rank_with=None,
    gold_displaced=True, gold_shown_without=True, gold_shown_with=False, answer_without="答",
    correct_without=True,
)  # fmt: skip
HOSTILE = "<img src=x> $1$ **毒**"


@pytest.fixture
def through(build: Any, tmp_path: Path) -> Path:
    """A store with a run of fixtures and, older, one that went through the retriever."""
    store = tmp_path / "store"
    ways = {"none": replace(WAY, stage=AttackStage.IN_ANSWER), "layered": WAY}
    rows = [
        build.make_attack_row(
            HOSTILE, f"dense/{policy}", adversarial=True, compromised=policy == "none",
            channels=tuple(build.make_attack_row().channels)[:1], retrieval=way,
        )
        for policy, way in ways.items()
    ]  # fmt: skip
    names = tuple(row.policy for row in rows)
    info = build.make_attack_info(
        RUN, policies=names, n_cases=1, corpus_name="演示<b>", started_at="2026-11-29T10:00:00Z",
        pipeline={"hostile_passages": 35, "chunks": 457},
    )  # fmt: skip
    summaries = [build.make_attack_summary(name) for name in names]
    publish_attack(store, info, rows, summaries, "2026-11-29T10:01:00Z")
    plain = build.make_attack_info(n_cases=1, policies=("defended",))
    publish_attack(
        store,
        plain,
        [build.make_attack_row("a")],
        [build.make_attack_summary()],
        "2026-11-30T10:00:00Z",
    )
    return store


def shown(at: Any) -> str:
    assert not at.exception
    return "\n".join([*(h.body for h in at.get("html")), *(t.value for t in at.text)])


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ("35 hostile passages were put beside the 457", "In the answer", "Generator alone")),
        ("zh", ("的 457 个片段旁放入 35 个恶意段落", "进入答案", "仅生成器")),
    ],
)
def test_the_stage_of_every_attack_is_shown_in_both_languages(
    through: Path, open_page, lang: str, words: tuple[str, ...]
) -> None:
    text = shown(open_page(through, "attacks", attack=RUN, lang=lang))
    for word in words:
        assert word in text
    assert "3 → —" in text


def test_hostile_ids_are_text_on_the_page_and_no_markup(through: Path, open_page) -> None:
    text = shown(open_page(through, "attacks", attack=RUN))
    assert "<img src=x>" not in text
    assert "&lt;img src=x&gt; $1$ **毒**" in text


def test_a_run_without_a_retriever_names_the_command_and_the_newest_that_had_one(
    through: Path, open_page
) -> None:
    at = open_page(through, "attacks")
    text = shown(at)
    assert "No hostile passage of this run went through a retriever" in text
    assert f"attack={RUN}" in text
    assert any("ragdash attack --pipeline --corpus DIR" in code.value for code in at.code)


def test_the_page_of_one_case_opens_from_its_row(through: Path, open_page) -> None:
    at = open_page(through, "attacks", attack=RUN, case=HOSTILE)
    assert not at.exception
    assert "<img src=x>" not in shown(at)


def test_a_mode_that_the_run_has_not_is_said_and_the_first_shown(through: Path, open_page) -> None:
    at = open_page(through, "attacks", attack=RUN, way="rerank")
    assert not at.exception
    assert at.selectbox(key="pick.way").value == "dense"
