"""The demo question sets: schema, gold on the evidence pages, counts, the article's six."""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

ROOT = Path(__file__).parents[2]
REPORTS, SETS = ROOT / "data" / "reports", ROOT / "data" / "questions"
KEYS = {
    "id", "question", "lang", "kind", "company", "period", "gold", "gold_text", "evidence",
    "answerable", "note",
}  # fmt: skip
GOLD_KEYS = {
    "value", "unit", "tolerance", "decimals", "metric", "scope", "attribution", "period",
}  # fmt: skip
ON_DAMAGED_PAGES = {"zh-look-18", "zh-look-19"}


def records(name: str) -> list[dict[str, Any]]:
    lines = (SETS / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


DEMO = records("demo.jsonl")
ANSWERABLE = [r for r in DEMO if r["answerable"]]


@functools.cache
def page_text(doc_id: str, page: int) -> str:
    document = pypdfium2.PdfDocument(REPORTS / f"{doc_id}.pdf")
    try:
        text: str = document[page - 1].get_textpage().get_text_bounded()
    finally:
        document.close()
    return re.sub(r"\s+", " ", text)


def printed_forms(value: str) -> set[str]:
    """Return the ways a report prints the value: in units, 万, millions and 亿."""
    scaled = [abs(Decimal(value)) / scale for scale in (1, 10**4, 10**6, 10**8)]
    return {f"{v:,.{n}f}" for v in scaled for n in (0, 1, 2) if v == round(v, n)}


def on_page(value: str, text: str) -> bool:
    forms = "|".join(re.escape(form) for form in printed_forms(value))
    return re.search(rf"(?<![\d,.])(?:{forms})(?![\d,]|\.\d)", text) is not None


def test_ids_are_unique_and_keys_are_the_contract():
    assert len({r["id"] for r in DEMO}) == len(DEMO)
    for record in DEMO:
        assert set(record) == KEYS, record["id"]
        for gold in record["gold"]:
            assert set(gold) == GOLD_KEYS, record["id"]


def test_values_are_of_the_known_kinds():
    for record in DEMO:
        assert record["lang"] in {"zh", "en"}
        assert record["kind"] in {"lookup", "compare", "computed", "text"}
        for gold in record["gold"]:
            assert Decimal(gold["value"]).is_finite()
            assert gold["scope"] in {"consolidated", "parent", "segment", "product"}
            assert gold["attribution"] in {"归母", "扣非", None}
            assert re.fullmatch(r"[A-Z]{3}(/share)?|percent", gold["unit"])
            assert gold["metric"]


def test_a_stated_precision_fits_its_value():
    for gold in (g for r in DEMO for g in r["gold"] if g["decimals"] is not None):
        value = Decimal(gold["value"])
        assert value == round(value, gold["decimals"]), gold
        assert value != round(value, gold["decimals"] - 1), f"trailing zeros counted: {gold}"


def test_gold_and_evidence_follow_the_kind():
    for record in DEMO:
        golds, pages = len(record["gold"]), len(record["evidence"])
        if not record["answerable"]:
            assert (golds, pages, record["gold_text"]) == (0, 0, ""), record["id"]
            continue
        assert pages, record["id"]
        assert record["gold_text"], record["id"]
        expected = {"lookup": golds == 1, "compare": golds >= 2, "computed": golds == 1}
        assert expected.get(record["kind"], golds == 0), record["id"]


def test_counts_by_kind_and_language():
    kinds = Counter(r["kind"] if r["answerable"] else "none" for r in DEMO)
    least = {"lookup": 12, "compare": 4, "computed": 3, "text": 3, "none": 5}
    assert all(kinds[kind] >= n for kind, n in least.items()), kinds
    assert all(n >= 12 for n in Counter(r["lang"] for r in DEMO).values())


def test_some_questions_cross_the_languages():
    manifest = (REPORTS / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    languages = {m["doc_id"]: m["lang"] for m in map(json.loads, manifest)}
    crossed = {
        (r["lang"], languages[e["doc_id"]])
        for r in ANSWERABLE
        for e in r["evidence"]
        if r["lang"] != languages[e["doc_id"]]
    }
    assert crossed == {("zh", "en"), ("en", "zh")}


@pytest.mark.parametrize(
    "record",
    [r for r in ANSWERABLE if r["kind"] in {"lookup", "compare"}],
    ids=lambda r: r["id"],
)
def test_gold_is_printed_on_an_evidence_page(record):
    texts = [page_text(e["doc_id"], e["page"]) for e in record["evidence"]]
    if record["id"] in ON_DAMAGED_PAGES:
        assert all(e["doc_id"] == "600201-2020" for e in record["evidence"])
        assert "有意损坏" in record["note"]
        return
    for gold in record["gold"]:
        assert any(on_page(gold["value"], text) for text in texts), gold


def test_every_page_of_a_comparison_is_needed():
    for record in (r for r in ANSWERABLE if r["kind"] == "compare"):
        for evidence in record["evidence"]:
            text = page_text(evidence["doc_id"], evidence["page"])
            assert any(on_page(g["value"], text) for g in record["gold"]), record["id"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("zh-calc-01", Decimal("147693604994.14") / Decimal("124099843771.99") * 100 - 100),
        ("zh-calc-02", Decimal("1917486560.57") / Decimal("2018333771.81") * 100),
        ("zh-calc-03", Decimal("406195463.57") / Decimal("1581905632.48") * 100),
        ("en-calc-01", Decimal(26251) / Decimal(394328) * 100),
        ("en-calc-02", Decimal(46298) / Decimal(51761) * 100 - 100),
        ("zh-look-18", Decimal("350661798.80") / Decimal("6278282683.24") * 100),
    ],
)
def test_computed_gold_follows_from_printed_figures(question, expected):
    gold = next(r for r in DEMO if r["id"] == question)["gold"][0]
    places = -Decimal(gold["value"]).as_tuple().exponent
    assert Decimal(gold["value"]) == round(expected, places)


def test_the_maotai_pair_that_the_sets_are_known_for():
    by_id = {r["id"]: r["gold"][0]["value"] for r in ANSWERABLE if r["gold"]}
    assert (by_id["zh-look-01"], by_id["zh-look-02"]) == ("147693604994.14", "150560330316.45")


def test_companies_outside_the_corpus_are_never_answerable():
    manifest = (REPORTS / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    companies = {m["company"] for m in map(json.loads, manifest)} | {None}
    assert all(r["company"] in companies for r in ANSWERABLE)


def test_the_article_six_are_six_of_the_demo_set():
    six = records("article_six.jsonl")
    by_id = {r["id"]: r for r in DEMO}
    assert len(six) == 6
    assert all(by_id[r["id"]] == r for r in six)
    assert [r["answerable"] for r in six].count(False) == 1


@pytest.mark.parametrize("name", ["demo.jsonl", "article_six.jsonl"])
def test_the_readme_names_the_digest_of_this_version(name):
    digest = hashlib.sha256((SETS / name).read_bytes()).hexdigest()
    assert digest in (SETS / "README.md").read_text(encoding="utf-8")
