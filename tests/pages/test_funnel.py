from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from ragdash.cli import invoke
from ragdash.cli.receive import execute
from ragdash.ui.i18n import say

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from streamlit.testing.v1 import AppTest


def page(at: AppTest) -> str:
    return "\n".join(str(one.value) for one in at.get("html"))


def links(at: AppTest) -> list[tuple[str, dict[str, list[str]]]]:
    found = re.findall(r'<a href="([^"]+)"[^>]*>(?:<[^>]+>)*([^<]*)', page(at))
    return [(text, parse_qs(urlsplit(url.replace("&amp;", "&")).query)) for url, text in found]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_number_of_the_table_opens_as_many_questions_in_triage(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest], lang: str
) -> None:
    at = open_page(filled, "funnel", run=rich.RUN, lang=lang)
    assert not at.exception
    asked = [(text, q) for text, q in links(at) if "lost" in q or "kept" in q]
    assert len(asked) > 20
    for text, query in asked[::9]:
        where = {name: query[name][0] for name in ("lost", "kept") if name in query}
        shown = open_page(filled, "triage", run=query["run"][0], lang=lang, **where)
        count = re.search(r"\d+", text)
        assert count
        words = say("triage.shown", lang, n=int(count[0]), total=len(rich.TEXTS))
        assert words in [one.value for one in shown.text]
        (code,) = where.values()
        (name,) = where
        assert any(say(f"{name}.{code}", lang) in str(p.options) for p in shown.get("button_group"))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_step_that_a_mode_does_not_have_is_said_and_never_nought(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest], lang: str
) -> None:
    shown = page(open_page(filled, "funnel", run=rich.RUN, lang=lang))
    # Dense has neither BM25 nor fusion nor rerank, hybrid no rerank.
    assert shown.count(say("funnel.absent", lang)) == 4
    assert say("step.bm25", lang) in shown


def test_without_an_ablation_the_page_gives_the_commands(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest]
) -> None:
    at = open_page(filled, "funnel", run=rich.RUN)
    commands = [one.value for one in at.code]
    for mode in ("hybrid", "rerank"):
        assert any(c.startswith(f"ragdash ablate {rich.RUN}:{mode} --store") for c in commands)


@pytest.fixture(scope="module")
def ablated(build: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a run whose stored order is that of its fusion, and two ablations of it."""
    from ragdash.core.retrieval import Mode
    from ragdash.store.journal import Journal
    from ragdash.store.runfile import publish

    store: Path = tmp_path_factory.mktemp("ablated") / "store"
    ids = [f"q<b>{i}" for i in range(3)]
    info = build.make_info("20261130-1400-abl-1", modes=(Mode.HYBRID,), n_questions=len(ids))
    journal = Journal.create(store, info, ids)
    for one in ids:
        journal.append(build.make_result(one, Mode.HYBRID))
    publish(store, journal, "2026-11-30T14:01:00Z")
    for grid in ("1", "2"):
        told = invoke(
            ["ablate", "20261130-1400-abl-1", "--top-k", grid, "--rrf-k", "10,60",
             "--store", str(store)]
        )  # fmt: skip
        assert told == 0
    return store


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_kept_ablation_shows_grid_best_and_left_out_and_that_it_overfits(
    ablated: Path, open_page: Callable[..., AppTest], lang: str
) -> None:
    at = open_page(ablated, "funnel", lang=lang)
    assert not at.exception
    shown = page(at)
    assert say("ablation.overfit", lang, n=3) in shown
    assert shown.count("3/3 (1.00)") >= 10 + 2
    headers = [one.value for one in at.header]
    assert say("ablation.choices", lang) in headers
    assert any(c.value.startswith("ragdash ablate 20261130-1400-abl-1:hybrid") for c in at.code)
    assert "q<b>" not in shown


def test_another_ablation_is_picked_by_the_address_and_one_that_is_not_there_is_noted(
    ablated: Path, open_page: Callable[..., AppTest]
) -> None:
    at = open_page(ablated, "funnel", grid="hybrid.1")
    assert not at.exception
    assert at.selectbox(key="pick.grid").value == "hybrid.1"
    at = open_page(ablated, "funnel", grid="'; DROP")
    assert say("note.grid", "en") in [one.value for one in at.warning]
    assert at.selectbox(key="pick.grid").value == "hybrid.2"


def test_an_unknown_stage_in_a_link_is_noted_and_ignored(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest]
) -> None:
    at = open_page(filled, "triage", run=rich.RUN, lost="nowhere", kept="right")
    assert say("note.filter", "en") in [one.value for one in at.warning]
    assert not at.exception


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_steps_that_no_mode_recorded_are_one_line_and_no_rows(
    open_page: Callable[..., AppTest], tmp_path: Path, lang: str
) -> None:
    chunk = {"chunk_id": "c1", "doc_id": "d", "page": 2, "text": "营业收入 5"}
    row = {
        "id": "q1", "question": "营业收入是多少？", "answer": "5 元", "contexts": [chunk],
        "gold": [{"value": "5", "unit": "CNY"}], "evidence": [{"doc_id": "d", "page": 2}],
    }  # fmt: skip
    path = tmp_path / "their.jsonl"
    path.write_text(json.dumps(row), "utf-8")
    execute(path, tmp_path / "store", None, {})
    shown = page(open_page(tmp_path / "store", "funnel", lang=lang))
    assert shown.count(say("funnel.nowhere", lang)) == 1
    assert say("funnel.unrecorded", lang) not in shown
    (line,) = re.findall(rf"{say('funnel.nowhere', lang)}[^<]*", shown)
    assert say("step.bm25", lang) in line
    assert say("step.bm25.help", lang) not in shown
