from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.core.errors import StoreError
from ragdash.store.migrations import journal, registry
from ragdash.store.migrations.runner import Step, migrate, version_of
from ragdash.store.sqlite import open_writer


def schema(connection):
    return connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2").fetchall()


@pytest.mark.parametrize("steps", [registry.STEPS, journal.STEPS])
def test_a_file_migrated_from_any_older_version_equals_a_fresh_one(tmp_path, steps):
    with closing(open_writer(tmp_path / "fresh.sqlite")) as fresh:
        migrate(fresh, tmp_path / "fresh.sqlite", steps)
        for older in range(len(steps)):
            path = tmp_path / f"{older}.sqlite"
            with closing(open_writer(path)) as old:
                migrate(old, path, steps[:older])
            with closing(open_writer(path)) as old:
                assert version_of(old) == older
                assert migrate(old, path, steps) == len(steps)
                assert schema(old) == schema(fresh)


def test_runs_registered_before_there_were_tags_are_still_there_afterwards(tmp_path):
    path = tmp_path / "registry.sqlite"
    with closing(open_writer(path)) as old:
        migrate(old, path, registry.STEPS[:1])
        old.execute(
            "INSERT INTO runs VALUES ('r', 1, 'evaluation', 'done', 's', 'f', '{}', 'd', '茅台', "
            "'c', 'n', 'q', 6, '{}')"
        )

        migrate(old, path, registry.STEPS)

        assert old.execute("SELECT run_id, corpus_name FROM runs").fetchall() == [("r", "茅台")]
        assert old.execute("SELECT count(*) FROM tags").fetchone() == (0,)


# Each step adds its own table; a bad one does half of its work first.
GOOD = st.integers(0, 3).map(lambda n: [f"CREATE TABLE t{{0}}_{i} (a)" for i in range(n)])
PLANS = st.lists(st.tuples(GOOD, st.booleans()), max_size=5)


@settings(deadline=None, max_examples=40)
@given(PLANS, st.integers(0, 5))
def test_a_failing_step_leaves_exactly_the_steps_before_it_and_of_a_new_file_nothing(plan, first):
    steps = tuple(
        Step(
            f"step {at}",
            tuple(s.format(at) for s in statements) + (("NO SQL AT ALL",) if bad else ()),
        )
        for at, (statements, bad) in enumerate(plan)
    )
    first_bad = next((at for at, (_, bad) in enumerate(plan) if bad), len(plan))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.sqlite"
        with closing(open_writer(path)) as connection:
            migrate(connection, path, steps[: min(first, first_bad)])

            if first_bad < len(plan):
                with pytest.raises(StoreError, match="syntax error"):
                    migrate(connection, path, steps)
            else:
                migrate(connection, path, steps)

            is_new = min(first, first_bad) == 0 and first_bad < len(plan)
            left = 0 if is_new else first_bad
            expected = [s.split()[2] for step in steps[:left] for s in step.statements]
            tables = {row[1] for row in schema(connection)} - {"schema_steps"}
            assert tables == set(expected)
            assert version_of(connection) == left


def test_a_newer_version_is_refused_with_both_versions_named_and_nothing_changed(tmp_path):
    path = tmp_path / "x.sqlite"
    steps = (Step("one", ("CREATE TABLE a (x)",)), Step("two", ("CREATE TABLE b (x)",)))
    with closing(open_writer(path)) as connection:
        migrate(connection, path, steps)
        before = schema(connection)

        with pytest.raises(
            StoreError, match=r"has schema version 2, this ragdash knows .* up to 1"
        ):
            migrate(connection, path, steps[:1])

        assert schema(connection) == before


def test_two_processes_may_migrate_one_file_at_once(tmp_path):
    path = tmp_path / "x.sqlite"
    first, second = open_writer(path), open_writer(path)
    with closing(first), closing(second):
        migrate(first, path, registry.STEPS)

        assert migrate(second, path, registry.STEPS) == len(registry.STEPS)


def test_a_file_that_is_no_database_is_named(tmp_path):
    path = tmp_path / "x.sqlite"
    path.write_bytes(b"plain text, and long enough to be looked at as a header" * 20)

    with pytest.raises(StoreError, match=r"x\.sqlite is damaged"):
        open_writer(path)
    assert path.read_bytes().startswith(b"plain text")
    with pytest.raises(sqlite3.DatabaseError), closing(sqlite3.connect(path)) as plain:
        plain.execute("SELECT * FROM sqlite_master")
