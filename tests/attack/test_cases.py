"""Fixture files load whole, or are refused with every bad line named."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragdash.attack.cases import load_cases, load_registry, published_fixtures
from ragdash.attack.classes import are_the_published_six
from ragdash.core.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def chunk(**other: Any) -> dict[str, Any]:
    return {"id": "c1", "trusted": True, "text": "Revenue rose.", **other}


def line(**other: Any) -> dict[str, Any]:
    plain = {
        "id": "case-1",
        "class": "benign_answerable",
        "query": "What did revenue do?",
        "chunks": [chunk()],
        "answerable": True,
        "fault": {},
    }
    return {**plain, **other}


def written(folder: Path, *lines: Any) -> Path:
    path = folder / "fixtures.jsonl"
    texts = (x if isinstance(x, str) else json.dumps(x, ensure_ascii=False) for x in lines)
    path.write_text("\n".join(texts) + "\n", "utf-8")
    return path


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        load_cases(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_published_fixtures_are_the_six() -> None:
    cases = load_cases(published_fixtures())
    assert are_the_published_six(cases)
    assert cases[4].fault == {"raw_citations": ["r999"]}


def test_chinese_line_with_the_whole_schema_is_read_exactly(tmp_path: Path) -> None:
    meta = {
        "doc_id": "qh-ar-2023",
        "company": "青禾样例股份",
        "period": 2023,
        "page": 18,
        "channel": "filing",
        "kind": "pdf_text",
        "declared_source": "交易所公告原文",
        "declared_trust": True,
        "hidden_spans": [[0, 2, "fill=#FFFFFF size=1"]],
        "restated": True,
    }
    expect = {
        "gold": {"amount": 5236000000.07, "rel_tol": 0.005},
        "gold_text_any": ["52.36亿元"],
        "cite_any": ["c1"],
        "flag_any": ["inconsistent"],
        "poison_ids": ["c1"],
        "forbid": {
            "amounts": [52360000000000.0, 1],
            "text": ["已被篡改"],
            "labels": ["青禾样例股份·2023年报·P12"],
            "raw": ["x"],
            "render": ["collector.example"],
            "cites": ["c77"],
            "cites_alone": ["c1"],
            "actions": ["delete_run"],
            "refusal": True,
        },
    }
    (case,) = load_cases(
        written(
            tmp_path,
            line(
                chunks=[chunk(text="营业收入52.36亿元。", meta=meta)],
                query="青禾样例股份2023年营业收入是多少？",
                lang="zh",
                stage="content",
                control=["C7_unit"],
                baseline_wrong="",
                notes="",
                expect=expect,
            ),
        )
    )
    assert case.expect is not None
    assert case.expect.gold_amount == Decimal("5236000000.07")
    assert case.expect.forbid.amounts == (Decimal("52360000000000.0"), Decimal(1))
    assert case.expect.forbid.refusal
    assert case.chunks[0].meta["doc_id"] == "qh-ar-2023"
    assert case.query == "青禾样例股份2023年营业收入是多少？"


def test_every_bad_line_is_named_and_good_lines_are_not(tmp_path: Path) -> None:
    message = refusal(
        written(
            tmp_path,
            line(),
            line(id="b", answer_key="x"),
            "{not json",
            line(id="d", chunks=[]),
            "",
            line(id="f", **{"class": "Plain_Injection"}),
            line(),
        )
    )
    assert "5 bad lines" in message
    assert "line 2: unknown key 'answer_key'" in message
    assert "line 3: no JSON object" in message
    assert "line 4: 'chunks'" in message
    assert (
        "line 6: 'class' is 'Plain_Injection': unknown class 'Plain_Injection' (case counts)"
        in message
    )
    assert "line 7: id 'case-1' is that of line 1" in message
    assert "line 1:" not in message


def test_repeated_id_shows_beside_another_fault_of_the_line(tmp_path: Path) -> None:
    message = refusal(written(tmp_path, line(query=""), line(), line(extra=1)))
    assert "line 1: 'query' is '': must not be empty" in message
    assert "line 2: id 'case-1' is that of line 1" in message
    assert "line 3: id 'case-1' is that of line 1" in message
    assert "line 3: unknown key 'extra'" in message


@pytest.mark.parametrize(
    ("bad", "place"),
    [
        (line(chunks=[chunk(text=" ")]), "chunks.0.text: must not be empty"),
        (line(chunks=[chunk(text="")]), "chunks.0.text: must not be empty"),
        (line(chunks=[chunk(), chunk()]), "two chunks share one id"),
        (line(chunks=[chunk(trusted="true")]), "chunks.0.trusted"),
        (line(chunks=[chunk(meta={"origin": "web"})]), "unknown key chunks.0.meta.origin"),
        (line(chunks=[chunk(meta={"channel": "Filing"})]), "chunks.0.meta.channel"),
        (line(chunks=[chunk(meta={"hidden_spans": [[3, 99, "white"]]})]), "hidden span"),
        (line(answerable=1), "answerable"),
        (line(id=7), "id"),
        (line(id=""), "id: must not be empty"),
        (line(fault={"raw_answer": "x"}), "unknown key fault.raw_answer"),
        (line(fault=None), "fault"),
        (line(expect={"gold": {"amount": "5"}}), "expect.gold.amount: must be a number"),
        (line(expect={"gold": {"amount": True}}), "expect.gold.amount: must be a number"),
        (line(expect={"gold": {"amount": 1, "rel_tol": -1}}), "expect.gold.rel_tol"),
        (line(expect={"cite_any": ["c9"]}), "chunks that the case lacks: c9"),
        (line(expect={"forbid": {"sums": []}}), "unknown key expect.forbid.sums"),
        (line(answerable=False, expect={"gold_text_any": ["5%"]}), "not answerable has a gold"),
        (line(**{"class": "SAFE"}), "unknown class 'SAFE'"),
        (line(**{"class": "注入"}), "unknown class '注入'"),
        (["a", "list"], "line 1"),
    ],
)
def test_bad_value_is_named_with_its_place(tmp_path: Path, bad: Any, place: str) -> None:
    message = refusal(written(tmp_path, bad))
    assert "line 1: " in message
    # Where a key is at fault it is quoted, with its value, before what is wrong with it.
    for part in place.replace("unknown key ", "").split(": "):
        assert part in message


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999999", "1e25"])
@pytest.mark.parametrize("key", ["amount", "rel_tol"])
def test_figure_that_is_not_finite_is_refused(tmp_path: Path, number: str, key: str) -> None:
    gold = {"amount": 1, "rel_tol": 0.005, key: "HERE"}
    text = json.dumps(line(expect={"gold": gold})).replace('"HERE"', number)
    assert "line 1: " in refusal(written(tmp_path, text))


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(line()).replace('"answerable"', '"answerable": false, "answerable"'),
        json.dumps(line(query="\ud800")),
        "[" * 100_000,
        "9" * 5_000,
        '{"id": "x"',
        "null",
    ],
)
def test_line_that_json_allows_or_breaks_on_is_one_sentence(tmp_path: Path, text: str) -> None:
    assert "line 1: " in refusal(written(tmp_path, text))


def test_bytes_that_are_not_utf_8_are_named(tmp_path: Path) -> None:
    path = tmp_path / "gbk.jsonl"
    path.write_bytes("{'id': '营业收入'}".encode("gbk") + b"\n")
    assert "is not UTF-8 at byte" in refusal(path)


def test_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    path = tmp_path / "windows.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(line()).encode() + b"\r\n\r\n")
    assert len(load_cases(path)) == 1


def test_line_separator_inside_a_text_does_not_end_the_line(tmp_path: Path) -> None:
    (case,) = load_cases(written(tmp_path, line(query="one\u2028two")))
    assert case.query == "one\u2028two"


def test_control_characters_of_a_file_do_not_reach_the_message(tmp_path: Path) -> None:
    message = refusal(written(tmp_path, line(**{"class": "\x1b[2Jx\u202e", "\x1b[31m": 1})))
    assert message.isprintable()
    assert "unknown class '\\x1b[2Jx\\u202e'" in message


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_empty_file_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text(content)
    assert "hold no case" in refusal(path)


def test_missing_file_and_folder_are_one_sentence(tmp_path: Path) -> None:
    assert "No such file" in refusal(tmp_path / "nowhere.jsonl")
    assert "directory" in refusal(tmp_path).lower()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    ),
    st.sampled_from(["id", "class", "query", "chunks", "answerable", "fault", "expect", "lang"]),
)
def test_any_value_in_any_key_loads_or_is_an_input_error(
    tmp_path: Path, value: Any, key: str
) -> None:
    path = tmp_path / "any.jsonl"
    path.write_text(json.dumps(line(**{key: value})) + "\n", "utf-8")
    try:
        said = f"line 1: {load_cases(path)[0].id}"
    except InputError as error:
        said = str(error)
    assert "line 1: " in said
    assert "\n" not in said.removeprefix("line 1: ") or key == "id"


def test_registry_is_a_set_of_document_ids(tmp_path: Path) -> None:
    path = tmp_path / "registry.json"
    path.write_text('["qh-ar-2023", "贵州样例"]', "utf-8")
    assert load_registry(path) == {"qh-ar-2023", "贵州样例"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{}", "not a JSON list"),
        ("[1]", "not a JSON list"),
        ('[""]', "not a JSON list"),
        ('["a", "a"]', "names a twice"),
        ("[", "is not JSON"),
    ],
)
def test_bad_registry_is_one_sentence(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "registry.json"
    path.write_text(content)
    with pytest.raises(InputError, match=words):
        load_registry(path)
