"""The filter box of Triage and its downloads."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from ragdash.cli import invoke
from ragdash.export.formats import Format, file_name
from ragdash.ui.i18n import say
from ragdash.ui.triage import downloading

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from streamlit.testing.v1 import AppTest


def texts(at: AppTest) -> list[str]:
    return [one.value for one in at.text]


def page(at: AppTest) -> str:
    return "\n".join(str(one.value) for one in at.get("html"))


@pytest.mark.parametrize(
    ("where", "lang", "shown"),
    [
        ("layer:business OR is:refused", "en", "3 of 6 questions"),
        ("层：业务口径 或 是：拒答", "zh", "6 题中的 3 题"),
    ],
)
def test_the_box_narrows_list_chips_and_histogram(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest], where, lang, shown
) -> None:
    at = open_page(filled, "triage", run=f"{rich.RUN}:dense", where=where, lang=lang)
    assert not at.exception
    assert shown in texts(at)
    assert at.text_input(key="filter.where").value == where
    wrong = {"en": "Wrong 1", "zh": "答错 1"}
    pills = next(one for one in at.get("button_group") if one.key == "filter.chips")
    assert wrong[lang] in [option.content for option in pills.proto.options]


def test_typing_a_filter_puts_it_in_the_address(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest]
) -> None:
    at = open_page(filled, "triage", run=f"{rich.RUN}:dense", page="1", q="q02")
    at.text_input(key="filter.where").set_value("  outcome:wrong ").run()
    assert at.query_params["where"] == "outcome:wrong"
    assert "q" not in at.query_params
    assert "1 of 6 questions" in texts(at)
    at.text_input(key="filter.where").set_value("").run()
    assert "where" not in at.query_params
    assert "6 of 6 questions" in texts(at)


@pytest.mark.parametrize(
    ("where", "lang", "said"),
    [
        ("outcom:wrong", "en", "filter, character 1: unknown field outcom: did you mean outcome?"),
        ("结过：错误", "zh", "筛选条件第 1 个字符：没有字段 结过：是否指 结果"),
        ("<img src=x>", "en", "filter, character 1: nothing to look for stands before &lt;"),
        ("change:regressed", "en", "change needs a base: open the list from Compare"),
        ("change:regressed", "zh", "change 需要基准"),
        ("(" * 3000, "en", "filter, character 2001: it has 3,000 characters"),
    ],
)
def test_a_bad_filter_is_one_sentence_and_nothing_is_lost(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest], where, lang, said
) -> None:
    at = open_page(
        filled, "triage", run=f"{rich.RUN}:dense", outcome="wrong", where=where, lang=lang
    )
    assert not at.exception
    assert said in page(at)
    assert at.text_input(key="filter.where").value == where
    without = {"en": "shown without this filter", "zh": "列表未使用此条件"}
    assert any(without[lang] in text for text in texts(at))
    assert {"en": "1 of 6 questions", "zh": "6 题中的 1 题"}[lang] in texts(at)


def test_a_metric_that_the_run_does_not_have_is_told(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest]
) -> None:
    at = open_page(filled, "triage", run=rich.RUN, where="faithfulness<0.5")
    assert "This run has no value of faithfulness, so a condition on it holds for no question." in (
        texts(at)
    )


def test_the_walk_keeps_the_filter_and_a_bad_one_is_noted(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest]
) -> None:
    at = open_page(
        filled, "question", run=f"{rich.RUN}:dense", q="q02", among="dense", where="is:failed"
    )
    assert not at.exception
    assert "2 of 3 filtered" in texts(at)
    assert "is:failed" in page(at)
    at = open_page(filled, "question", run=f"{rich.RUN}:dense", q="q02", among="dense", where="x:")
    assert not at.exception
    assert len(at.warning) == 1


def test_a_saved_filter_keeps_the_text(
    build: ModuleType, rich: ModuleType, open_page: Callable[..., AppTest], tmp_path: Path
) -> None:
    from ragdash.store.reviewers import filters_of

    store = rich.make_rich_store(build, tmp_path / "store")
    at = open_page(store, "triage", run=rich.RUN, where="茅台 -is:refused")
    at.text_input(key="reviewer.typed").set_value("安").run()
    at.run()
    at.text_input(key="saved.name").set_value("mine").run()
    at.button(key="saved.save").click().run()
    (saved,) = filters_of(store, "安")
    assert saved.query.startswith("where=")
    at.text_input(key="filter.where").set_value("").run()
    at.button(key="saved.apply").click().run()
    assert at.query_params["where"] == "茅台 -is:refused"


@pytest.mark.parametrize("format_", list(Format))
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_gives_the_bytes_that_its_command_gives(
    filled: Path, rich: ModuleType, tmp_path: Path, format_, lang
) -> None:
    import shlex

    what = (f"{rich.RUN}:rerank", f"{rich.RUN}:dense", "change:improved 茅台")
    words = shlex.split(downloading.command(what, lang))
    path = tmp_path / f"rows.{format_.value}"
    words[words.index("-o") + 1] = str(path)
    assert invoke([*words[1:], "--store", str(filled)]) == 0
    assert downloading.maker(filled, what, format_, lang)() == path.read_bytes()


def test_the_command_shown_says_every_filter_of_the_page(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest]
) -> None:
    at = open_page(
        filled,
        "triage",
        run=f"{rich.RUN}:dense",
        outcome="wrong",
        layer="business",
        mark="unreviewed",
        short="numeric_accuracy",
        where="茅台 OR apple",
    )
    shown = [one.value for one in at.code if one.value.startswith("ragdash export")]
    where = "outcome:wrong layer:business is:unreviewed numeric_accuracy<1 (茅台 OR apple)"
    name = file_name(f"{rich.RUN}:dense", Format.HTML, where)
    assert shown == [
        f"ragdash export {rich.RUN}:dense -o {name} --where 'outcome:wrong "
        f"layer:business is:unreviewed numeric_accuracy<1 (茅台 OR apple)' --store {filled}"
    ]
    assert "The 1 rows of this list (mode and question), each whole: answer, reasons, scores, " in (
        "\n".join(texts(at))
    )


@pytest.mark.parametrize(
    ("lang", "where", "said"),
    [
        ("en", "茅台 wrong", "wrong was looked for as text; did you mean outcome:wrong?"),
        ("zh", "茅台 错误", "错误 按文字查找；是否指 结果:错误？"),
        ("en", "q口径 口径不符", "did you mean 口径:口径不符?"),
    ],
)
def test_a_value_without_its_field_is_told_under_the_box(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest],
    lang: str, where: str, said: str,
) -> None:  # fmt: skip
    at = open_page(filled, "triage", run=f"{rich.RUN}:dense", where=where, lang=lang)
    assert not at.exception
    assert said in "\n".join(str(one.value) for one in at.get("html"))
    asked = open_page(filled, "triage", run=f"{rich.RUN}:dense", where="outcome:wrong", lang=lang)
    assert "did you mean" not in "\n".join(str(one.value) for one in asked.get("html"))
    assert say("summary.over", lang) in [one.value for one in asked.text]


@pytest.mark.parametrize("mode", ["", ":dense"])
def test_the_text_of_a_question_opens_it_beside_the_same_list(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest], mode: str
) -> None:
    asked = {"run": f"{rich.RUN}{mode}", "where": "outcome:wrong,correct", "sort": "set"}
    at = open_page(filled, "triage", **asked)
    listed = "\n".join(str(one.value) for one in at.get("html"))
    hrefs = [unescape(h) for h in re.findall(r'<a href="([^"]*triage[^"]*)"', listed)]
    found = [parse_qs(urlsplit(href).query) for href in hrefs]
    places = [{k: v[0] for k, v in one.items()} for one in found if "q" in one]
    assert len({one["q"] for one in places}) == len(places) > 1
    for place in places:
        assert asked.items() <= place.items()
    opened = open_page(filled, "triage", **places[-1])
    assert [b.label for b in opened.button if b.label.startswith("▸")] == [f"▸ {len(places)}"]
