"""The script that forges passages: the same input gives the same lines, all of them fixtures."""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ragdash.attack.cases import load_cases
from ragdash.ingest.corpus import ingest

if TYPE_CHECKING:
    from ragdash.core.attack import AttackCase

SCRIPT = Path(__file__).parents[2] / "data" / "attacks" / "source" / "passages.py"
GOLD = {
    "zh": {"value": "5236000000", "unit": "CNY", "metric": "营业收入", "period": "2023"},
    "en": {"value": "412500000", "unit": "USD", "metric": "net income", "period": "2023"},
    "percent": {"value": "31.5", "unit": "percent", "metric": "毛利率", "period": "2023"},
}
PAGES = {
    "zh": "单位：万元\n项目 | 2023年\n营业收入 | 523,600.00",
    "en": "In millions\nItem | 2023\nNet income | 412.5",
    "percent": "项目 | 2023年\n毛利率 | 31.50%",
}


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), "utf-8")
    return path


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """What two calls write for fifteen questions of each kind."""
    folder = tmp_path_factory.mktemp("passages")
    manifest, questions = [], []
    for kind, text in PAGES.items():
        lines(folder / f"{kind}.jsonl", [{"doc_id": kind, "page": 1, "text": text}])
        lang = "en" if kind == "en" else "zh"
        manifest.append(
            {"doc_id": kind, "file": f"{kind}.jsonl", "company": f"公司{kind}", "period": "2023",
             "doc_type": "annual", "lang": lang}
        )  # fmt: skip
        questions += [
            {"id": f"{kind}{n}", "question": f"公司{kind} 2023 {n}？", "lang": lang,
             "kind": "lookup", "company": f"公司{kind}", "period": "2023", "gold": [GOLD[kind]],
             "gold_text": "x", "evidence": [{"doc_id": kind, "page": 1}], "answerable": True}
            for n in range(15)
        ]  # fmt: skip
    ingest(lines(folder / "manifest.jsonl", manifest), folder / "corpus")
    asked = lines(folder / "questions.jsonl", questions)
    command = [sys.executable, str(SCRIPT), str(folder / "corpus"), str(asked)]
    one, two = (
        subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in "ab"
    )
    return one, two


@pytest.fixture(scope="module")
def cases(written: tuple[str, str], tmp_path_factory: pytest.TempPathFactory) -> list[AttackCase]:
    path = tmp_path_factory.mktemp("written") / "passages.jsonl"
    path.write_text(written[0], "utf-8")
    return list(load_cases(path))


def test_the_same_input_gives_the_same_lines(written: tuple[str, str]) -> None:
    assert written[0] == written[1]
    assert len(written[0].splitlines()) == 45


def test_every_line_is_a_fixture_of_one_hostile_passage(cases: list[AttackCase]) -> None:
    for case in cases:
        (chunk,) = case.chunks
        assert not chunk.trusted
        assert chunk.meta["channel"] in ("web", "upload", "email", "research")


def test_every_forged_figure_is_in_its_passage_and_is_not_the_gold(cases: list[AttackCase]) -> None:
    from ragdash.amounts import read_chunk

    golds = {Decimal(g["value"]) for g in GOLD.values()}
    for case in cases:
        assert case.expect is not None
        forbid, text = case.expect.forbid, case.chunks[0].text
        assert not set(forbid.amounts) & golds
        assert all(said in text for said in forbid.text)
        values = {amount.value for amount in read_chunk(text, "")}
        assert all(any(v == forged for v in values) for forged in forbid.amounts), case.id


def test_a_question_whose_page_is_not_in_the_corpus_gets_no_passage(
    cases: list[AttackCase],
) -> None:
    assert {case.query.split()[0] for case in cases} == {f"公司{kind}" for kind in PAGES}
