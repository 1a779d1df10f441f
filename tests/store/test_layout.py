from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.core.errors import InputError
from ragdash.store.layout import (
    checked_run_id,
    named_run,
    new_run_id,
    newest_version,
    run_file,
    store_dir,
)

AT = datetime(2026, 11, 30, 9, 36, tzinfo=UTC)


@given(
    st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)),  # noqa: DTZ001
    st.text(st.characters(exclude_categories=()), max_size=40),
    st.text(max_size=5),
)
def test_any_name_makes_a_run_id_that_is_a_safe_file_name(at, name, salt):
    run_id = new_run_id(at.replace(tzinfo=UTC), name, salt)

    assert checked_run_id(run_id) == run_id
    assert run_id.startswith(f"{at:%Y%m%d-%H%M}-")
    for version in (1, 2, 10):
        assert named_run(run_file(Path("s"), run_id, version)) == (run_id, version)


def test_a_run_id_reads_well_and_sorts_by_time():
    first = new_run_id(AT, "Demo set, 茅台", "1")
    second = new_run_id(AT + timedelta(minutes=1), "a", "1")

    assert first.startswith("20261130-0936-demo-set-")
    assert new_run_id(AT, "贵州茅台", "1").startswith("20261130-0936-run-")
    assert first < second


def test_runs_started_in_one_instant_differ_by_their_salt():
    assert len({new_run_id(AT, "demo", str(n)) for n in range(20)}) == 20


@pytest.mark.parametrize(
    "name", ["x.txt", "Demo.duckdb", "a.0.duckdb", "a.2.3.duckdb", "a.duckdb.tmp"]
)
def test_other_files_are_no_runs(name):
    assert named_run(Path(name)) is None


def test_the_newest_version_counts_only_this_run(tmp_path):
    (tmp_path / "runs").mkdir()
    for name in ("a", "a.2", "a.10", "a-b.11", "b.12"):
        (tmp_path / "runs" / f"{name}.duckdb").touch()

    assert newest_version(tmp_path, "a") == 10
    assert newest_version(tmp_path, "c") == 0


def test_no_path_leads_out_of_the_store():
    with pytest.raises(InputError):
        run_file(Path("s"), "../x", 1)


def test_the_store_is_the_option_then_the_variable_then_the_checkout(monkeypatch, tmp_path):
    monkeypatch.setenv("RAGDASH_STORE", str(tmp_path / "named"))
    assert store_dir("given") == Path("given")
    assert store_dir(None) == tmp_path / "named"

    monkeypatch.delenv("RAGDASH_STORE")
    checkout = Path(__file__).resolve().parents[2]
    assert store_dir(None) == checkout / "data" / "store"


def test_an_empty_store_option_is_refused_and_no_default_taken():
    with pytest.raises(InputError, match="--store is empty"):
        store_dir("")
