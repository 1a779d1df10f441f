from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.export.columns import Type, column
from ragdash.export.formats import Format, file_name, written
from ragdash.export.opinion_files import reviews_written
from ragdash.export.records import records
from ragdash.receive import form
from ragdash.receive.fields import read_header, read_line


def made(chosen, format_, lang="en") -> bytes:
    return b"".join(written(chosen, format_, lang))


def sheet(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


@pytest.mark.parametrize("format_", list(Format))
def test_the_same_rows_are_the_same_bytes(reviewed, choose, format_) -> None:
    first = made(choose(reviewed, "茅台"), format_)
    assert first == made(choose(reviewed, "茅台"), format_)
    assert first != made(choose(reviewed, "is:refused"), format_)


def test_a_sheet_holds_every_record(reviewed, choose) -> None:
    rows = sheet(made(choose(reviewed), Format.CSV))
    for row, record in zip(rows, records(choose(reviewed)), strict=True):
        assert row["question"] == record["question"]
        assert row["answer"] == record["answer"]
        assert row["outcome"] == record["outcome"]
        assert json.loads(row["golds"] or "[]") == record["golds"]
        assert json.loads(row["reviews"] or "[]") == record["reviews"]
        assert json.loads(row["checks"] or "[]") == record["checks"]
        for metric, told in record["metrics"].items():
            value = told["value"]
            assert row[metric] == ("" if value is None else repr(value))
            assert row[f"{metric}.status"] == told["status"]
        assert row["questions_digest"] == "sha256:" + "2" * 64


def test_a_hostile_store_makes_a_sheet_without_a_formula(build, rich, choose, tmp_path) -> None:
    for number, text in enumerate(("=1+1", "+86 10", "-5%", "@SUM(A1)", "\tx", "＝1", "a\x00b")):
        store = rich.make_rich_store(build, tmp_path / str(number), text=text)
        data = made(choose(store), Format.CSV)
        for row in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")):
            texts = [cell for cell in row if not _is_number(cell)]
            assert not any(cell.startswith(tuple("=+-@\t\r\n＝＋－＠")) for cell in texts)
        (first, *_) = sheet(data)
        kept = text.replace("\x00", "⟦U+0000⟧")
        assert first["question"] == (kept if text.startswith("a") else f"'{kept}")


def _is_number(cell: str) -> bool:
    try:
        Decimal(cell)
    except ArithmeticError:
        return False
    return True


def test_parquet_is_typed_and_reads_in_duckdb_and_pandas(reviewed, choose, tmp_path) -> None:
    import duckdb
    import pandas as pd

    path = tmp_path / "rows.parquet"
    path.write_bytes(made(choose(reviewed), Format.PARQUET))
    with duckdb.connect() as connection:
        types = dict(
            connection.execute(
                "SELECT column_name, column_type FROM (DESCRIBE FROM read_parquet(?))", [str(path)]
            ).fetchall()
        )
        exact, amount = connection.execute(
            "SELECT golds[1].value, golds[1].amount FROM read_parquet(?) WHERE question_id = 'q01'",
            [str(path)],
        ).fetchall()[0]
        people = connection.execute(
            "SELECT [x.reviewer FOR x IN reviews] FROM read_parquet(?) WHERE len(reviews) > 0",
            [str(path)],
        ).fetchall()
    assert types["version"] == "INTEGER"
    assert types["answerable"] == "BOOLEAN"
    assert types["mrr"] == "DOUBLE"
    assert types["started_at"] == "TIMESTAMP WITH TIME ZONE"
    assert "DECIMAL(38,4)" in types["golds"]
    assert (exact, amount) == ("147693604994.14", Decimal("147693604994.1400"))
    assert people == [(["安", "安"],), (["Bo"],)]
    frame = pd.read_parquet(path)
    assert list(frame["outcome"]) == [one["outcome"] for one in records(choose(reviewed))]
    assert frame["started_at"][0] == datetime(2026, 11, 30, 9, 36, tzinfo=UTC)


def test_a_figure_that_a_decimal_does_not_hold_is_text_alone() -> None:
    import pyarrow.parquet as pq

    from ragdash.export import parquet

    names = ("unit", "metric", "scope", "attribution", "period", "tolerance", "decimals")
    values = ("0.00001", "1" * 35, "12.5", "-0.0001", "9" * 34 + ".9999", "1E+60")
    gold = [{"value": value, **dict.fromkeys(names)} for value in values]
    data = b"".join(parquet.written([column("golds", Type.GOLDS)], [{"golds": gold}]))
    (found,) = pq.read_table(io.BytesIO(data)).column("golds").to_pylist()
    assert [one["value"] for one in found] == list(values)
    assert [one["amount"] for one in found] == [
        None, None, Decimal("12.5000"), Decimal("-0.0001"), Decimal("9" * 34 + ".9999"), None
    ]  # fmt: skip


def test_json_lines_are_lines_of_the_open_form(reviewed, choose) -> None:
    first, *lines = made(choose(reviewed, "茅台"), Format.JSONL).splitlines()
    header = json.loads(first)
    assert header[form.MARK] == form.FORM_VERSION
    assert read_header(header).modes == ["dense", "hybrid", "rerank"]
    for text, record in zip(lines, records(choose(reviewed, "茅台")), strict=True):
        row = json.loads(text, parse_float=Decimal)
        line = read_line(row)
        assert (line.id, line.mode, line.answer) == (
            record["question_id"],
            record["mode"],
            record["answer"],
        )
        assert line.refused is (True if record["answer_status"] == "refused" else None)
        assert set(row) <= {*form.QUESTION, *form.ANSWER, *form.TOLD}
        assert row["outcome"] == record["outcome"]
        assert row["reviews"] == record["reviews"]


def test_half_a_surrogate_and_nul_survive_in_json_lines() -> None:
    from ragdash.export.lines import _line

    row = {"answer": "a\x00\ud83d茅台"}
    assert json.loads(_line(row)) == row
    _line(row).decode("utf-8")


def test_reviews_of_a_removed_run_are_still_written(build, rich, say, tmp_path) -> None:
    from ragdash.store.remove import remove

    store = rich.make_rich_store(build, tmp_path / "store")
    say(rich, store)
    remove(store, rich.RUN)
    n, pieces = reviews_written(store, Format.CSV)
    rows = sheet(b"".join(pieces))
    assert n == len(rows) == 4
    assert [(row["kind"], row["reviewer"], row["superseded"]) for row in rows] == [
        ("review", "安", "true"),
        ("review", "安", "false"),
        ("review", "Bo", "false"),
        ("spot_check", "陈", "false"),
    ]
    assert rows[1]["note"] == "'=1+1\n再看"
    assert rows[3]["fit"] == "conflict"
    lines = [json.loads(one) for one in reviews_written(store, Format.JSONL)[1]]
    assert [one["run"] for one in lines] == [rich.RUN] * 4
    assert b"".join(reviews_written(store, Format.PARQUET)[1]).startswith(b"PAR1")


def test_a_file_name_holds_nothing_that_a_path_or_a_shell_reads() -> None:
    assert file_name("20261130-0936-demo:rerank", Format.CSV) == (
        "ragdash-20261130-0936-demo-rerank.csv"
    )
    assert "/" not in file_name("../../x;rm -rf", Format.HTML)


@given(st.tuples(st.text(), st.none() | st.text()), st.tuples(st.text(), st.none() | st.text()))
def test_another_filter_or_base_is_another_name(
    one: tuple[str, str | None], two: tuple[str, str | None]
) -> None:
    names = [file_name("run:dense", Format.HTML, *asked) for asked in (one, two)]
    assert (names[0] == names[1]) == (one == two or not (any(one) or any(two)))
    assert all(re.fullmatch(r"ragdash-run-dense(-[0-9a-f]{6})?\.html", name) for name in names)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("2026-11-30T13:00:00+08:00", datetime(2026, 11, 30, 5, tzinfo=UTC)),
        ("2026-11-30", datetime(2026, 11, 30, tzinfo=UTC)),
        ("2026-99-99 garbage", None),
        ("٢٠٢٦-١١-٣٠", None),
        ("0001-01-01T00:00+14:00", None),
        ("", None),
    ],
)
def test_parquet_is_written_whatever_a_store_holds_for_a_time(text, kept) -> None:
    import pyarrow.parquet as pq

    from ragdash.export import parquet

    data = b"".join(parquet.written([column("at", Type.TIME)], [{"at": text}]))
    assert pq.read_table(io.BytesIO(data)).to_pylist() == [{"at": kept}]
