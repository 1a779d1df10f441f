"""A store of another version, and a run that goes away while a page has it open."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import duckdb
import pytest

from ragdash.store.layout import registry_file, run_file
from ragdash.store.migrations.registry import STEPS
from ragdash.store.remove import remove
from ragdash.store.schema import SCHEMA_VERSION
from ragdash.ui.frame import PAGES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from streamlit.testing.v1 import AppTest


@pytest.fixture
def copied(with_judge: Path, tmp_path: Path) -> Path:
    """A store of one's own with two evaluations and an attack run."""
    shutil.copytree(with_judge, tmp_path / "store of 茅台")
    return tmp_path / "store of 茅台"


def shown(at: AppTest) -> str:
    parts = (at.title, at.header, at.error, at.warning, at.text, at.code, at.html)
    return "\n".join(str(element.value) for part in parts for element in part)


def set_registry_version(store: Path, version: int) -> None:
    with closing(sqlite3.connect(registry_file(store))) as db, db:
        if version > len(STEPS):
            db.execute("INSERT INTO schema_steps VALUES (?, 'of tomorrow')", (version,))
        else:
            db.execute("DELETE FROM schema_steps WHERE number > ?", (version,))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("lang", ["English", "中文"])
def test_an_older_store_shows_both_versions_and_the_command(
    open_page: Callable[..., AppTest], copied: Path, page: str, lang: str
) -> None:
    set_registry_version(copied, 2)
    before = registry_file(copied).read_bytes()
    at = open_page(copied, page, lang=lang)
    assert not at.exception
    assert "2" in shown(at)
    assert str(len(STEPS)) in shown(at)
    assert f"ragdash db migrate --store '{copied}'" in [code.value for code in at.code]
    assert ("升级存储" if lang == "中文" else "Bring the store up to date") in shown(at)
    # Who only looks changes nothing.
    assert registry_file(copied).read_bytes() == before


def test_a_newer_store_shows_both_versions_and_the_command(
    open_page: Callable[..., AppTest], copied: Path
) -> None:
    set_registry_version(copied, 99)
    at = open_page(copied, "compare")
    assert not at.exception
    assert "99" in shown(at)
    assert str(len(STEPS)) in shown(at)
    assert "pip install --upgrade ragdash" in [code.value for code in at.code]


@pytest.mark.parametrize("page", [page for page in PAGES if page not in ("runs", "attacks")])
def test_a_run_of_a_newer_ragdash_shows_both_versions_and_leads_to_the_others(
    open_page: Callable[..., AppTest], rich: ModuleType, copied: Path, page: str
) -> None:
    with closing(duckdb.connect(str(run_file(copied, rich.RUN, 1)))) as file:
        file.execute("UPDATE meta SET schema_version = 99")
    at = open_page(copied, page)
    assert not at.exception
    assert "99" in shown(at)
    assert str(SCHEMA_VERSION) in shown(at)
    assert "pip install --upgrade ragdash" in [code.value for code in at.code]
    assert "judged" in shown(at)


@pytest.mark.parametrize("page", [page for page in PAGES if page not in ("runs", "attacks")])
def test_a_run_removed_while_a_page_has_it_open_is_told_of_once(
    open_page: Callable[..., AppTest], rich: ModuleType, judged: ModuleType, copied: Path, page: str
) -> None:
    at = open_page(copied, page, run=judged.RUN)
    assert not at.warning
    remove(copied, judged.RUN)
    at.run()
    assert not at.exception
    told = [warning.value for warning in at.warning if "not in this store" in warning.value]
    assert len(told) == 1
    assert judged.RUN in [code.value for code in at.code]
    assert at.sidebar.selectbox[0].value in (None, rich.RUN)


def test_the_last_run_removed_leaves_the_way_to_a_new_one(
    open_page: Callable[..., AppTest], rich: ModuleType, judged: ModuleType, copied: Path
) -> None:
    at = open_page(copied, "question", run=rich.RUN)
    for run_id in (rich.RUN, judged.RUN):
        remove(copied, run_id)
    at.run()
    assert not at.exception
    assert "No runs yet" in shown(at)
