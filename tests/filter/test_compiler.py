from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from hypothesis import example, given, settings
from ragdash_test_expressions import COLUMNS, FILTERS, fold, holds, random_rows

from ragdash.core.errors import InputError
from ragdash.filter import compile, parse  # noqa: A004 - the term for it
from ragdash.filter.compiler import _COLUMNS, _FLAGS
from ragdash.filter.tree import Not, Op, Phrase, Term
from ragdash.store.folding import folded, register

if TYPE_CHECKING:
    from collections.abc import Iterator

ROWS = random_rows(seed=8, n=250)


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect(":memory:")
    register(connection)
    named = ", ".join(f"{name} {of}" for name, of in COLUMNS.items())
    connection.execute(f"CREATE TABLE f ({named})")
    connection.executemany(
        f"INSERT INTO f VALUES ({', '.join('?' * len(COLUMNS))})",  # noqa: S608 - question marks
        [[row[name] for name in COLUMNS] for row in ROWS],
    )
    connection.execute(
        "CREATE TABLE means (mode VARCHAR, question_id VARCHAR, metric VARCHAR, mean DOUBLE, "
        "statuses VARCHAR[])"
    )
    means = [
        [row["mode"], row["question_id"], name, mean, statuses]
        for row in ROWS
        for name, (mean, statuses) in row["means"].items()  # type: ignore[attr-defined]
    ]
    connection.executemany("INSERT INTO means VALUES (?, ?, ?, ?, ?)", means)
    connection.execute(
        "CREATE TABLE passages (mode VARCHAR, question_id VARCHAR, stage VARCHAR, correct BOOLEAN, "
        "passed VARCHAR[], missed VARCHAR[])"
    )
    named = ("mode", "question_id", "stage", "correct", "passed", "missed")
    passages = [[row[name] for name in named] for row in ROWS]
    connection.executemany("INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?)", passages)
    yield connection
    connection.close()


def listed(database: duckdb.DuckDBPyConnection, sql: str, values: dict[str, Any]) -> set[str]:
    query = f"SELECT question_id FROM f WHERE {sql}"  # noqa: S608 - what is tested
    return {row[0] for row in database.execute(query, values).fetchall()}


@given(FILTERS)
@settings(max_examples=300)
@example(Not(Term("judge", Op.LESS, ("0.5",))))
@example(Term("id", Op.IS, ("a%b",)))
@example(Term("reason", Op.IS, ("a*b",)))
@example(Term("id", Op.IS, ("％",)))
@example(Phrase("ss"))
def test_the_query_lists_what_plain_python_lists(database, expr) -> None:
    sql, values = compile(expr, paired=True)
    expected = {str(row["question_id"]) for row in ROWS if holds(expr, row)}
    assert listed(database, sql, values) == expected


@given(FILTERS)
@settings(max_examples=300)
def test_a_query_holds_names_of_ours_only_and_every_value_is_bound(expr) -> None:
    sql, values = compile(expr, paired=True)
    # What is left of our own literals, once they are taken out, is names, numbers of binds, signs.
    bare = sql
    for literal in (
        "'no_qrels'",
        "'anyway'",
        "'answered'",
        "'refused'",
        "'none'",
        "'not_checked'",
        "' '",
        "''",
        "'\\'",
    ):
        bare = bare.replace(literal, "")
    assert "'" not in bare
    assert '"' not in bare
    assert ";" not in bare
    assert "--" not in bare
    assert set(re.findall(r"\$(\w+)", bare)) == set(values)
    names = set(re.findall(r"[a-z0-9_]+", re.sub(r"\$\w+", "", bare)))
    columns = {c.removeprefix("f.") for c in (*_COLUMNS.values(), *_FLAGS.values())}
    ours = columns | {
        "0",
        "1",
        "10",
        "f",
        "m",
        "means",
        "metric",
        "mean",
        "statuses",
        "mode",
        "folded",
        "chr",
    }
    ours |= {"answer_status", "answerable", "failed", "seen", "flaky", "disputed", "true", "false"}
    ours |= {"p", "passages", "stage", "correct", "passed", "missed"}
    assert names <= ours | {"contains", "coalesce", "list_contains", "list_has_any", "bool_or",
                            "trim", "question_id"}  # fmt: skip


def test_hostile_values_are_values(database) -> None:
    for text in ("'; DROP TABLE f; --", "$where_7", "{rows}", "%'", "？"):
        sql, values = compile(Phrase(text), paired=True)
        assert listed(database, sql, values) == set()
        assert text not in sql


def test_missing_is_neither_above_nor_below_and_can_be_asked_for(database) -> None:
    below = listed(database, *compile(parse("judge<0.5")))
    not_below = listed(database, *compile(parse("-judge<0.5")))
    missing = listed(database, *compile(parse("no:judge")))
    assert below & not_below == set()
    assert (below | not_below) & missing == set()
    assert len(below) + len(not_below) + len(missing) == len(ROWS)
    assert all((below, not_below, missing))


def test_changes_without_a_base_are_refused_in_one_sentence() -> None:
    with pytest.raises(InputError, match="change needs a base"):
        compile(parse("a change:regressed"))


@given(FILTERS)
def test_only_a_missing_base_ever_stops_a_filter_from_compiling(expr) -> None:
    compile(expr, paired=True)


@pytest.mark.parametrize(
    ("text", "found"), [("５", "5"), ("ＡＡＰＬ", "aapl"), ("Straße", "strasse"), ("㈱", "(株)")]
)
def test_width_and_case_make_no_difference(text, found) -> None:
    assert folded(text) == folded(found) == fold(text)
