from __future__ import annotations

import shutil
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ragdash.store.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from streamlit.testing.v1 import AppTest

HOSTILE = "![x](http://127.0.0.1/x) $1 … $2 <img src=x> 口径一致"


@pytest.fixture
def store(filled: Path, tmp_path: Path) -> Path:
    copy: Path = shutil.copytree(filled, tmp_path / "store")
    return copy


def page(at: AppTest) -> str:
    return "\n".join(str(one.value) for one in at.get("html"))


def field(at: AppTest, label: str) -> object:
    return next(one for one in at.text_input if one.label == label)


def tags(store: Path) -> dict:
    with closing(Registry.open(store, read_only=True)) as registry:
        return registry.tags()


def test_a_run_is_made_the_baseline_with_who_and_why(
    store: Path, rich: ModuleType, open_page: Callable[..., AppTest]
) -> None:
    at = open_page(store, "runs", tick=rich.RUN)
    field(at, "Your name").input("王小明")
    field(at, "Reason").input(HOSTILE)
    at.button[0].click().run()
    assert not at.exception
    found = tags(store)["baseline"]
    assert (found.ref.run_id, found.author, found.reason) == (rich.RUN, "王小明", HOSTILE)
    assert "★ baseline" in page(at)
    assert "&lt;img src=x&gt;" in page(at)
    assert HOSTILE not in "".join(one.value for one in at.markdown)


@pytest.mark.parametrize(("name", "reason"), [("", "why"), ("me", ""), ("  ", "why"), ("me", " ")])
def test_a_baseline_without_who_or_why_is_not_kept(
    store: Path, rich: ModuleType, open_page: Callable[..., AppTest], name: str, reason: str
) -> None:
    at = open_page(store, "runs", tick=rich.RUN)
    field(at, "Your name").input(name)
    field(at, "Reason").input(reason)
    at.button[0].click().run()
    assert len(at.error) == 1
    assert tags(store) == {}


def test_two_runs_over_other_questions_do_not_pair_and_that_is_said(
    with_judge: Path, open_page: Callable[..., AppTest]
) -> None:
    with closing(Registry.open(with_judge, read_only=True)) as registry:
        newer, older = (run for run in registry.runs() if run.kind == "evaluation")
    at = open_page(with_judge, "runs", tick=[newer.run_id, older.run_id])
    same = newer.questions_digest == older.questions_digest
    assert any("no question pairs" in one.value for one in at.text) is not same
    assert (f"base={older.run_id}" in page(at)) is same


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_run_in_the_address_that_is_not_there_is_named(
    store: Path, open_page: Callable[..., AppTest], lang: str
) -> None:
    at = open_page(store, "runs", tick="no-such-run", lang=lang)
    assert not at.exception
    assert [one.value for one in at.code if "no-such-run" in one.value]
    assert len(at.warning) == 1
