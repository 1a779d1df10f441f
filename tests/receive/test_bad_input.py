"""What is no file of the form is refused in one sentence that says what it is and what to do."""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.core.errors import InputError
from ragdash.receive import form, receive
from ragdash.receive.looks import refuse_other

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ROW: dict[str, Any] = {"id": "q1", "question": "营业收入是多少？", "answer": "5元"}
CHUNK: dict[str, Any] = {"text": "营业收入 5元"}


def read(path: Path) -> list[Any]:
    return list(receive(path, "sha256:x", None, {}).results())


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read(path)
    text = str(caught.value)
    assert "\n" not in text
    assert "Traceback" not in text
    return text


def with_context(**fields: Any) -> dict[str, Any]:
    return {**ROW, "contexts": [{**CHUNK, **fields}]}


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.jsonl", "{}")
    return out.getvalue()


LINE = json.dumps(ROW, ensure_ascii=False)
OTHER_FILES: dict[str, tuple[bytes, str]] = {
    "gzip": (gzip.compress(LINE.encode()), "is gzip, not JSON lines: unpack it first"),
    "zip or xlsx": (zipped(), "is a zip archive (or .xlsx)"),
    "parquet": (b"PAR1\x00\x00", "is Parquet"),
    "pdf": (b"%PDF-1.7\n", "is a PDF"),
    "duckdb": (b"\x00" * 8 + b"DUCK" + b"\x00" * 20, "is a DuckDB database"),
    "utf-16": (LINE.encode("utf-16"), "is UTF-16, not JSON lines: save it as UTF-8"),
    "utf-16 without a mark": (LINE.encode("utf-16-le"), "holds NUL bytes (UTF-16"),
    "gbk": (LINE.encode("gbk"), "is not UTF-8 at byte 31 of line 1 (GBK or another encoding)"),
    "csv": (b"id,question,answer\nq1,a,b\n", "looks like CSV (first line: id,question,answer)"),
    "csv with a mark": ("\ufeffid;问题\n".encode(), "looks like CSV (first line: id;问题)"),
    "tsv": (b'"id"\t"answer"\n', "looks like CSV"),
    "json array": (f"[\n{LINE}\n]".encode(), "begins a JSON array, and one object a line"),
    "pretty-printed": (json.dumps(ROW, indent=2).encode(), "spreads an object over several lines"),
    "html": (b"<!doctype html>", "looks like HTML or XML"),
    "empty": (b"", "holds no line"),
    "blank": (b"\xef\xbb\xbf \n\n", "holds no line"),
    "only a header": (b'{"ragdash_import": 1}\n', "holds no answer"),
}


@pytest.mark.parametrize("case", OTHER_FILES.values(), ids=OTHER_FILES)
def test_another_kind_of_file_is_named(tmp_path: Path, case: tuple[bytes, str]) -> None:
    path = tmp_path / "their.jsonl"
    path.write_bytes(case[0])

    assert case[1] in refusal(path)


def test_a_database_and_a_folder_and_nothing_at_all_are_named(tmp_path: Path) -> None:
    database = tmp_path / "a.sqlite"
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE t (a)")
    connection.close()

    assert "is an SQLite database" in refusal(database)
    assert "is no file" in refusal(tmp_path)
    assert "is no file" in refusal(tmp_path / "none.jsonl")


def test_a_file_that_is_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    huge = tmp_path / "huge.jsonl"
    with huge.open("wb") as file:
        file.truncate(1 << 30)  # a gigabyte that takes no room

    assert "has 1,024 MB, 512 MB are read at most: split it" in refusal(huge)
    small = tmp_path / "small.jsonl"
    small.write_bytes(LINE.encode())
    with pytest.raises(InputError, match="split -l"):
        refuse_other(small, largest=10)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_utf_8_with_and_without_a_mark_and_with_carriage_returns_is_read(
    tmp_path: Path, mark: bytes
) -> None:
    path = tmp_path / "their.jsonl"
    path.write_bytes(mark + LINE.encode() + b"\r\n\r\n")

    (found,) = read(path)

    assert found.question.text == ROW["question"]


BAD_LINES: dict[str, tuple[Any, str]] = {
    "missing": ({"id": "q"}, "'question' is missing, 'answer' is missing"),
    "unknown key": ({**ROW, "anwser": "x"}, "unknown key 'anwser', did you mean 'answer'?"),
    "unknown, nothing near": ({**ROW, "zzz": 1}, "unknown key 'zzz'"),
    "unknown in a context": (with_context(pages=1), "contexts: unknown key 'pages', did you mean "
                                                    "'page'?"),
    "no object": ("[1, 2]", "a JSON object is wanted, not list"),
    "no json": ("{'id': 1}", "no JSON object"),
    "key twice": ('{"id": "a", "id": "b"}', "key 'id' stands twice"),
    "nan": ('{"id": "a", "cost": NaN}', "NaN is no finite number"),
    "infinity": ('{"id": "a", "cost": -Infinity}', "-Infinity is no finite number"),
    "out of range": (LINE[:-1] + ', "cost": 1e999}', "'cost' is 1E+999: out of range"),
    "5000 digits": ('{"id": ' + "9" * 5000 + "}", "a number of 5000 digits"),
    "huge score": (LINE[:-1] + ', "scores": {"a": 1e39}}', "out of range"),
    "huge exponent": ('{"cost": 1e99999999999999999999}', "is out of any range"),
    "10,000 levels": ("[" * 10_000 + "]" * 10_000, "nested too deeply"),
    "10,000 objects": ('{"a":' * 10_000 + "1" + "}" * 10_000, "nested too deeply"),
    "50 levels": ({**ROW, "metrics": json.loads("[" * 50 + "]" * 50)}, "more than 20 levels"),
    "page 0": (with_context(page=0), "'contexts.0.page' is 0"),
    "page -1": (with_context(page=-1), "'contexts.0.page' is -1"),
    "page 1e9": (with_context(page=1_000_000_000), "'contexts.0.page' is 1000000000"),
    "page as text": (with_context(page="2"), "'contexts.0.page' is '2'"),
    "rank 0": (with_context(rank=0), "'contexts.0.rank' is 0"),
    "text missing": ({**ROW, "contexts": [{"page": 1}]}, "'contexts.0.text' is missing"),
    "contexts no list": ({**ROW, "contexts": "x"}, "'contexts' is 'x'"),
    "too many contexts": ({**ROW, "contexts": ["x"] * 10_000}, "'contexts' holds 10,000, 1,000"),
    "mode with a colon": ({**ROW, "mode": "a:b"}, "'mode' is 'a:b': a mode is named by letters"),
    "mode like a path": ({**ROW, "mode": "../x"}, "'mode' is '../x'"),
    "mode too long": ({**ROW, "mode": "x" * 61}, "a mode is named by"),
    "mode not text": ({**ROW, "mode": 5}, "'mode' is 5"),
    "id not text": ({**ROW, "id": 5}, "'id' is 5"),
    "id too long": ({**ROW, "id": "x" * 201}, "at most 200 characters"),
    "answer too long": ({**ROW, "answer": "x" * 1_000_001}, "at most 1000000 characters"),
    "answer null": ({**ROW, "answer": None}, "'answer' is missing"),
    "half a pair": ('{"id": "q", "question": "q", "answer": "\\ud800"}', "'answer' is"),
    "half a pair in an id": (LINE.replace('"q1"', '"\\udfff"'), "'id' is"),
    "gold no number": ({**ROW, "gold": [{"value": "much", "unit": "CNY"}]}, "'value' is 'much'"),
    "gold no currency": ({**ROW, "gold": [{"value": 5, "unit": "RMX"}]}, "no currency"),
    "gold unknown key": ({**ROW, "gold": [{"value": 5, "unit": "CNY", "x": 1}]}, "unknown key 'x'"),
    "evidence page": ({**ROW, "evidence": [{"doc_id": "d", "page": 0}]}, "'evidence.0.page' is 0"),
    "evidence twice": ({**ROW, "evidence": [{"doc_id": "d", "page": 1}] * 2}, "stands twice"),
    "unanswerable with gold": ({**ROW, "answerable": False, "gold_text": "5"}, "stay empty"),
    "compare": ({**ROW, "kind": "compare", "gold": [{"value": 5, "unit": "CNY"}]}, "two golds"),
    "score name": ({**ROW, "scores": {"a:b": 1}}, "score 'a:b' is not named by"),
    "score as text": ({**ROW, "scores": {"a": "0.5"}}, "'scores.a' is '0.5': a number is wanted"),
    "score true": ({**ROW, "scores": {"a": True}}, "'scores.a' is True"),
    "negative cost": ({**ROW, "cost": -1}, "'cost' is -1"),
    "negative time": ({**ROW, "generate_seconds": -1}, "'generate_seconds' is -1"),
    "chunk twice": ({**ROW, "contexts": ["x", "x"]}, "stands twice"),
    "one rank of two": ({**ROW, "contexts": [{**CHUNK, "rank": 1}, "b"]}, "a rank of its own"),
    "doc_type alone": (with_context(doc_type="annual"), "has no period"),
    "doc_type unknown": (with_context(doc_type="novel"), "'contexts.0.doc_type' is 'novel'"),
    "header later": ({"ragdash_import": 1}, "a header stands in the first line or nowhere"),
    "refused error": ({**ROW, "refused": True, "error": "x"}, "refused or an error, not both"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_LINES.values(), ids=BAD_LINES)
def test_a_bad_line_is_named_by_its_number(
    written: Callable[..., Path], case: tuple[Any, str]
) -> None:
    text = refusal(written({**ROW, "id": "first"}, "", case[0]))

    assert "line 3: " in text
    assert case[1] in text
    assert text.endswith("Nothing was imported; mend these lines.")


CONTRADICTIONS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "answered twice": (ROW, ROW, "line 2: question 'q1' has an answer in mode 'imported' already"),
    "another question": (
        {**ROW, "mode": "a"}, {**ROW, "mode": "b", "question": "?"},
        "line 2: question 'q1' is told otherwise in line 1 (text)",
    ),
    "another gold": (
        {**ROW, "mode": "a", "gold": [{"value": 5, "unit": "CNY"}]},
        {**ROW, "mode": "b", "gold": [{"value": 6, "unit": "CNY"}]},
        "line 2: question 'q1' is told otherwise in line 1 (gold)",
    ),
    "answerable here, gold there": (
        {**ROW, "mode": "a", "answerable": False}, {**ROW, "mode": "b", "gold_text": "5"},
        "line 1: question 'q1' is not answerable, so gold_text must stay empty",
    ),
    "another company": (
        {**ROW, "contexts": [{**CHUNK, "doc_id": "d", "company": "A"}]},
        {**ROW, "id": "q2", "contexts": [{"text": "b", "doc_id": "d", "company": "B"}]},
        "line 2: document 'd' is told otherwise in line 1 (company)",
    ),
    "another passage": (
        {**ROW, "contexts": [{**CHUNK, "chunk_id": "c"}]},
        {**ROW, "id": "q2", "contexts": [{"text": "b", "chunk_id": "c"}]},
        "line 2: chunk 'c' is another passage in line 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_lines_that_contradict_each_other_are_named(
    written: Callable[..., Path], case: tuple[dict[str, Any], dict[str, Any], str]
) -> None:
    assert case[2] in refusal(written(case[0], case[1]))


def test_twenty_bad_lines_are_shown_in_order_and_the_others_counted(
    written: Callable[..., Path],
) -> None:
    text = refusal(written(*({"id": "x"} if n % 2 else "no json" for n in range(50))))

    named = [int(part.split(":")[0]) for part in text.split("line ")[1:21]]
    assert named == list(range(1, 21))
    assert "and 30 more lines" in text


def test_a_file_that_is_bad_from_end_to_end_is_not_read_to_its_end(
    written: Callable[..., Path],
) -> None:
    text = refusal(written(*["x"] * 3_000))

    assert "; and 980 more lines, where reading ended. Nothing was imported" in text


def test_a_refusal_ends_its_sentences_once(written: Callable[..., Path]) -> None:
    text = refusal(written(with_context(doc_type="annual", period="May")))

    assert "2024-05-20" in text
    assert ".." not in text.replace(str(text.split(": ")[0]), "")


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ({"ragdash_import": 2}, "'ragdash_import' is 2: this ragdash reads version 1 of the form"),
        ({"ragdash_import": True}, "'ragdash_import' is True"),
        ({"ragdash_import": 1, "sytem": "x"}, "unknown key 'sytem', did you mean 'system'?"),
        ({"ragdash_import": 1, "top_k": "5"}, "'top_k' is '5'"),
        ({"ragdash_import": 1, "modes": ["a b"]}, "a mode is named by"),
        ({"ragdash_import": 1, "started_at": "yesterday"}, "'started_at' is 'yesterday'"),
        ({"ragdash_import": 1, "started_at": "2026-99-99 garbage"}, "an ISO 8601 date or time"),
        ({"ragdash_import": 1, "started_at": "2026-02-30"}, "an ISO 8601 date or time"),
        ({"ragdash_import": 1, "started_at": "٢٠٢٦-١١-٣٠"}, "an ISO 8601 date or time"),
        ({"ragdash_import": 1, "started_at": "2026-11-30<b>x</b>"}, "an ISO 8601 date or time"),
        ({"ragdash_import": 1, "started_at": "2026-11-30T25:00"}, "an ISO 8601 date or time"),
        ({"ragdash_import": 1, "started_at": "0001-01-01T00:00+14:00"}, "an ISO 8601 date or"),
        ({"ragdash_import": 1, "started_at": 2026}, "an ISO 8601 date or time"),
    ],
)
def test_a_header_that_says_what_cannot_be_is_named(
    written: Callable[..., Path], header: dict[str, Any], said: str
) -> None:
    text = refusal(written(header, ROW))

    assert "line 1: " in text
    assert said in text


def test_strange_text_stays_as_it_is(written: Callable[..., Path]) -> None:
    strange = "=1+1 <script>alert(1)</script> **b** [a](javascript:x) \u202e$x$ \x00 \x1b[31m 🎉"
    row = {
        "id": "../../etc/passwd", "question": strange, "answer": strange, "raw": strange,
        "contexts": [{"chunk_id": "../c", "doc_id": "=cmd|' /C calc'!A0", "text": strange}],
        "note": strange,
    }  # fmt: skip

    (found,) = read(written({"ragdash_import": 1, "system": "<b>x</b>"}, row))

    assert found.question.id == "../../etc/passwd"
    texts = {found.question.text, found.question.note, found.answer.text, found.answer.raw,
             found.retrieval.candidates[0].chunk.text}  # fmt: skip
    assert texts == {strange}
    assert found.retrieval.candidates[0].chunk.source.doc_id == "=cmd|' /C calc'!A0"


def test_a_long_answer_and_as_many_contexts_as_are_allowed_are_read(
    written: Callable[..., Path],
) -> None:
    contexts = [f"片段 {n}" for n in range(form.MOST_CONTEXTS)]

    (found,) = read(written({**ROW, "answer": "无" * 200_000, "contexts": contexts}))

    assert len(found.answer.text) == 200_000
    assert len(found.retrieval.context) == form.MOST_CONTEXTS


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from([*form.QUESTION, *form.ANSWER, *form.CONTEXT, *form.TOLD, form.MARK])
CONTEXTS = st.lists(st.text() | st.dictionaries(st.sampled_from(form.CONTEXT), JSON), max_size=2)


@settings(max_examples=250)
@given(st.lists(st.dictionaries(KEYS, JSON | CONTEXTS, max_size=6), max_size=3), st.booleans())
def test_any_json_at_all_is_imported_or_one_input_error(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]], whole: bool
) -> None:
    path = tmp_path_factory.mktemp("any") / "their.jsonl"
    lines = [json.dumps({**ROW, "id": f"q{n}", **row} if whole else row)
             for n, row in enumerate(rows)]  # fmt: skip
    path.write_text("\n".join(lines), encoding="utf-8")
    said = ""
    found: list[Any] = []
    try:
        found = read(path)
    except InputError as error:
        said = str(error)
    assert bool(found) != bool(said)
    assert "\n" not in said


@settings(max_examples=250)
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda t: t.encode("utf-8", "replace")))
def test_any_bytes_at_all_are_one_input_error_or_results(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.mktemp("bytes") / "their.jsonl"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read(path)
    assert str(caught.value).isprintable()
