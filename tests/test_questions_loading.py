from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.core.errors import InputError
from ragdash.core.question import Evidence, QuestionKind
from ragdash.questions import UNIT, load_questions, misplaced

if TYPE_CHECKING:
    from pathlib import Path

GOLD = {"value": "147693604994.14", "unit": "CNY", "metric": "营业收入", "scope": "consolidated"}
ZH = {
    "id": "q1",
    "question": "贵州茅台2023年营业收入是多少？",
    "lang": "zh",
    "kind": "lookup",
    "company": "贵州茅台",
    "period": "2023",
    "gold": [GOLD],
    "gold_text": "147,693,604,994.14元",
    "evidence": [{"doc_id": "600519-2023", "page": 2}],
    "answerable": True,
    "note": "",
}
EN = {**ZH, "id": "q2", "question": "What was Apple's revenue in 2022?", "lang": "en"}


def write(folder: Path, *rows: object, name: str = "set.jsonl") -> Path:
    path = folder / name
    texts = [r if isinstance(r, str) else json.dumps(r, ensure_ascii=False) for r in rows]
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def refusal(folder: Path, *rows: object) -> str:
    with pytest.raises(InputError) as caught:
        load_questions(write(folder, *rows))
    return str(caught.value)


def test_a_question_comes_in_as_written(tmp_path: Path) -> None:
    found = load_questions(write(tmp_path, ZH, EN))
    first, second = found.questions
    assert found.name == "set"
    assert first.kind is QuestionKind.LOOKUP
    assert first.gold[0].value == Decimal("147693604994.14")
    assert first.gold[0].tolerance == Decimal("0.005")
    assert first.evidence == (Evidence("600519-2023", 2),)
    assert (second.lang, second.text) == ("en", "What was Apple's revenue in 2022?")


def test_layout_and_writing_of_numbers_do_not_change_the_digest(tmp_path: Path) -> None:
    plain = load_questions(write(tmp_path, ZH))
    spelt = json.dumps(
        {**ZH, "gold": [{**GOLD, "tolerance": 0.0050}]}, ensure_ascii=True, indent=None
    )
    spelt = spelt.replace('"147693604994.14"', "147693604994.140")
    other = load_questions(write(tmp_path, "", " " + spelt, "", name="set2.jsonl"))
    assert other.digest == plain.digest
    changed = load_questions(write(tmp_path, {**ZH, "note": "restated"}))
    assert changed.digest != plain.digest


@given(
    st.decimals(
        allow_nan=False, allow_infinity=False, places=4, min_value=-(10**20), max_value=10**20
    )
)
def test_a_json_number_is_exact(tmp_path_factory: pytest.TempPathFactory, value: Decimal) -> None:
    folder = tmp_path_factory.mktemp("q")
    line = json.dumps({**ZH, "gold": [{"value": "V", "unit": "CNY"}]}).replace('"V"', f"{value:f}")
    assert load_questions(write(folder, line)).questions[0].gold[0].value == value


@pytest.mark.parametrize(
    "value",
    [
        "NaN",
        "Infinity",
        "-Infinity",
        '"NaN"',
        '"1,234"',
        '"万"',
        "true",
        "1e999999",
        "1e99999999999999999999",
        '"1e999"',
        "null",
    ],
)
def test_a_value_that_is_no_finite_number_is_refused(tmp_path: Path, value: str) -> None:
    line = json.dumps({**ZH, "gold": [{"value": "V", "unit": "CNY"}]}).replace('"V"', value)
    assert "line 1" in refusal(tmp_path, line)


def test_three_bad_lines_are_all_named(tmp_path: Path) -> None:
    text = refusal(
        tmp_path,
        ZH,
        {**ZH, "id": "b", "answer": 1},
        "{",
        {**ZH, "id": "c", "kind": "guess"},
    )
    assert "line 2: unknown key 'answer'" in text
    assert "line 3: no JSON object" in text
    assert "line 4: 'kind' is 'guess'" in text
    assert "line 1" not in text


def test_an_id_may_stand_once(tmp_path: Path) -> None:
    assert "line 2: id 'q1' is taken by line 1" in refusal(tmp_path, ZH, ZH)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"answerable": False}, "stay empty"),
        ({"answerable": False, "gold": [], "gold_text": ""}, "stay empty"),
        ({"kind": "compare"}, "two golds"),
        ({"kind": "computed", "gold": []}, "needs a gold"),
        ({"kind": "text", "gold": [], "gold_text": " "}, "gold_text"),
        ({"answerable": 1}, "answerable"),
        ({"evidence": [{"doc_id": "d", "page": 0}]}, "page"),
        ({"evidence": [{"doc_id": "d", "page": "2"}]}, "page"),
        ({"evidence": [{"doc_id": "d", "page": 2}, {"doc_id": "d", "page": 2}]}, "twice"),
        ({"gold": [{**GOLD, "unit": "万元"}]}, "unit"),
        ({"gold": [{**GOLD, "unit": "CNY/day"}]}, "unit"),
        ({"gold": [{**GOLD, "unit": "QQQ"}]}, "no currency of ISO 4217"),
        ({"gold": [{**GOLD, "scope": "group"}]}, "scope"),
        ({"gold": [{**GOLD, "tolerance": -0.1}]}, "tolerance"),
        ({"gold": [{**GOLD, "decimals": 1.5}]}, "decimals"),
        ({"gold": [{**GOLD, "page": 2}]}, "unknown key 'gold.0.page'"),
        ({"question": " "}, "question"),
    ],
)
def test_a_question_that_does_not_hold_together_is_refused(
    tmp_path: Path, change: dict[str, object], why: str
) -> None:
    text = refusal(tmp_path, {**ZH, **change})
    assert "line 1" in text
    assert why in text


def test_a_question_without_an_answer_has_neither_gold_nor_evidence(tmp_path: Path) -> None:
    row = {**ZH, "answerable": False, "gold": [], "gold_text": "", "evidence": []}
    assert load_questions(write(tmp_path, row)).questions[0].gold == ()


@pytest.mark.parametrize(
    "unit", ["CNY", "USD/share", "percent", "pp", "ratio", "days", "employees"]
)
def test_the_units_of_the_contract_are_known(unit: str) -> None:
    assert UNIT.fullmatch(unit)


@pytest.mark.parametrize("content", [b"", b"\xff"])
def test_a_file_without_questions_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"set\.jsonl"):
        load_questions(path)


def test_a_question_or_id_without_bound_is_refused(tmp_path: Path) -> None:
    assert "'question'" in refusal(tmp_path, {**ZH, "question": "问" * 4_001})
    assert "'id'" in refusal(tmp_path, {**ZH, "id": "q" * 201})


def test_evidence_that_the_corpus_cannot_hold_is_named_with_the_likely_id(build: Any) -> None:
    sources = [build.make_source("688276-2024", n_pages=12)]
    wrong_id = build.make_question("q1", evidence=(Evidence("688276_2024", 7),))
    wrong_page = build.make_question("q2", evidence=(Evidence("688276-2024", 99),))
    right = build.make_question("q3", evidence=(Evidence("688276-2024", 12),))
    said = misplaced([wrong_id, wrong_page, right], sources)
    assert len(said) == 2
    assert "did you mean 688276-2024?" in said[0]
    assert "has 12 pages, evidence names 99" in said[1]
