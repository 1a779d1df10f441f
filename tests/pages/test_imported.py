"""Every page over results of another system, from full ones down to id, question and answer."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING

import pytest

from ragdash.cli.receive import execute

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from streamlit.testing.v1 import AppTest

PAGES = (
    *("runs", "compare", "triage", "question", "funnel", "attacks", "reviews", "judge", "gates"),
    "data",
)
HOSTILE = "=1+1 <script>alert(1)</script> [a](http://evil.example) \u202e $x$ :red[x]"
BARE = (
    {"id": "q1", "question": "贵州茅台2023年营业收入是多少？", "answer": "1,476.94亿元"},
    {"id": "q2", "question": "What were net sales?", "answer": "Not found in the provided filings"},
)
CHUNK = {"doc_id": "600519-2023", "company": "贵州茅台", "period": "2023", "doc_type": "annual"}
GIVEN = (
    {"ragdash_import": 1, "system": "my-rag", "system_version": "2", "top_k": 1},
    {
        "id": "q1", "question": "贵州茅台2023年营业收入是多少？", "mode": "版本-2.0",
        "answer": "营业收入为747.34亿元（贵州茅台·2023年报·P9）",
        "gold": [{"value": "147693604994.14", "unit": "CNY", "metric": "营业收入"}],
        "evidence": [{"doc_id": "600519-2023", "page": 2}],
        "contexts": [
            {**CHUNK, "chunk_id": "c9", "page": 9, "text": "净利润 74,734,071,550.75",
             "score": 0.7},
            {**CHUNK, "chunk_id": "c2", "page": 2, "text": "营业收入 147,693,604,994.14"},
        ],
        "scores": {"faithfulness": 0.5}, "generate_seconds": 1.5,
    },
    {"id": "q1", "question": "贵州茅台2023年营业收入是多少？", "mode": "v1",
     "answer": "1,476.94亿元"},
    {"id": "q2", "question": "Who audits?", "mode": "版本-2.0", "answer": "", "error": "timeout"},
    {"id": "q2", "question": "Who audits?", "mode": "v1", "answer": "EY",
     "contexts": ["only text"]},
)  # fmt: skip
STRANGE = (
    {"ragdash_import": 1, "system": HOSTILE, "generator": HOSTILE, "modes": ["www.evil.example"]},
    {
        "id": "../../x", "question": HOSTILE, "mode": "www.evil.example", "answer": HOSTILE,
        "company": HOSTILE, "note": HOSTILE, "gold": [{"value": 5, "unit": "CNY"}],
        "evidence": [{"doc_id": HOSTILE, "page": 1}], "raw": HOSTILE,
        "contexts": [{"chunk_id": HOSTILE, "doc_id": HOSTILE, "company": HOSTILE,
                      "label": HOSTILE, "section": HOSTILE, "page": 1, "text": HOSTILE}],
    },
)  # fmt: skip
FILES = {"bare": BARE, "given": GIVEN, "strange": STRANGE}


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A store for each of FILES, with the one run that it became."""
    made = {}
    for name, rows in FILES.items():
        folder = tmp_path_factory.mktemp(name)
        path = folder / "their.jsonl"
        path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
        execute(path, folder / "store", None, {})
        made[name] = folder / "store"
    return made


def shown(at: AppTest) -> str:
    """All text of a page that a reader could see."""
    kinds = ("title", "header", "text", "html", "code", "warning", "info", "success", "error")
    found = (str(getattr(e, "value", "")) for kind in kinds for e in at.get(kind))
    return html.unescape("\n".join(found))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_over_what_was_imported(
    open_page: Callable[..., AppTest], stores: dict[str, Path], page: str, name: str, lang: str
) -> None:
    at = open_page(stores[name], page, lang=lang)

    assert not at.exception
    assert not at.error
    assert "nan" not in shown(at).split()
    assert "None" not in shown(at).split()


def test_the_list_and_the_sidebar_say_whose_results_they_are(
    open_page: Callable[..., AppTest], stores: dict[str, Path]
) -> None:
    assert "imported: my-rag 2" in shown(open_page(stores["given"], "runs"))
    assert "导入：their.jsonl" in shown(open_page(stores["bare"], "runs", lang="zh"))


def test_a_question_says_what_was_not_given(
    open_page: Callable[..., AppTest], stores: dict[str, Path]
) -> None:
    bare = shown(open_page(stores["bare"], "question"))
    zh = shown(open_page(stores["bare"], "question", lang="zh"))

    assert "The other system did not give the passages" in bare
    assert "No gold was given for this question." in bare
    assert "contexts not given" in bare
    assert "该系统未给出此回答所依据的片段。" in zh
    assert "此题未给出金标。" in zh


def test_a_mode_of_another_name_is_walked_by_its_address(
    open_page: Callable[..., AppTest], stores: dict[str, Path]
) -> None:
    at = open_page(stores["given"], "runs")
    run = next(o.partition(":")[0] for box in at.selectbox for o in box.options if "my-rag" in o)

    question = shown(open_page(stores["given"], "question", run=f"{run}:版本-2.0", q="q1"))
    triage = shown(open_page(stores["given"], "triage", run=f"{run}:版本-2.0"))
    gates = shown(open_page(stores["given"], "gates", run=f"{run}:版本-2.0"))

    assert "gold 600519-2023 P2 was final 2, below the top 1" in question
    assert "Final 1 (0.7)" in question
    assert "given.faithfulness" in question
    assert "Review in 版本-2.0" in triage
    assert f"ragdash gate {run}:版本-2.0" in gates or f"'{run}:版本-2.0'" in gates


def test_compare_says_that_nothing_could_be_scored(
    open_page: Callable[..., AppTest], tmp_path: Path
) -> None:
    path = tmp_path / "open.jsonl"
    path.write_text("\n".join(json.dumps({**BARE[0], "mode": m}) for m in ("a", "b")))
    execute(path, tmp_path / "store", None, {})
    said = "No question of these modes could be scored, so none is known to have failed."

    found = shown(open_page(tmp_path / "store", "compare"))

    assert said in found
    assert "No question failed" not in found
    assert "题目均无法评分" in shown(open_page(tmp_path / "store", "compare", lang="zh"))


def test_compare_keeps_the_systems_own_scores_apart(
    open_page: Callable[..., AppTest], stores: dict[str, Path]
) -> None:
    at = open_page(stores["given"], "compare")

    assert "≈ The system's own scores" in [h.value for h in at.header]
    assert "≈ Similarity signals" not in [h.value for h in at.header]


def test_strange_text_is_never_markup(
    open_page: Callable[..., AppTest], stores: dict[str, Path]
) -> None:
    for page in PAGES:
        at = open_page(stores["strange"], page)
        raw = "\n".join(
            str(getattr(e, "value", "")) for k in ("html", "markdown") for e in at.get(k)
        )
        assert "<script>" not in raw, page
        assert 'href="http://evil.example' not in raw, page


def test_a_page_of_attacks_says_that_there_are_none(
    open_page: Callable[..., AppTest], stores: dict[str, Path]
) -> None:
    assert "ragdash attack" in shown(open_page(stores["bare"], "attacks"))


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "an import brings no files"), ("zh", "导入不含文件")]
)
def test_an_import_offers_no_page_that_it_cannot_have(
    open_page: Callable[..., AppTest], stores: dict[str, Path], lang: str, words: str
) -> None:
    at = open_page(stores["given"], "question", q="q1", lang=lang, leaf="c9", tab="chunks")

    assert not at.exception
    assert words in shown(at)
    assert "PDF" not in shown(at)
    assert [one for one in at.toggle if str(one.key).startswith("leaf.")] == []
