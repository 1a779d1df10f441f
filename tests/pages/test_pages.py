from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from streamlit.testing.v1 import AppTest

PAGES = ("runs", "compare", "triage", "question", "funnel", "judge", "gates", "data", "attacks")
TITLES = {
    "runs": ("Runs", "运行"),
    "compare": ("Compare", "对比"),
    "triage": ("Triage", "分诊"),
    "question": ("Question", "单题"),
    "funnel": ("Funnel", "漏斗"),
    "judge": ("Judge", "评判模型"),
    "gates": ("Gates", "门禁"),
    "data": ("Data", "数据"),
    "attacks": ("Attack fixtures", "攻击用例"),
}


def shown(at: AppTest) -> str:
    """All text of a page that a reader could see, our markup included."""
    kinds = ("title", "header", "text", "html", "code", "warning", "info", "success", "error")
    return "\n".join(str(e.value) for kind in kinds for e in at.get(kind))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_over_a_real_store(
    open_page: Callable[..., AppTest], filled: Path, page: str
) -> None:
    at = open_page(filled, page)
    assert not at.exception
    assert not at.warning
    assert at.title[0].value == TITLES[page][0]


@pytest.mark.parametrize(("page", "lang"), [*((p, "zh") for p in PAGES), ("runs", "中文")])
def test_a_page_speaks_chinese(
    open_page: Callable[..., AppTest], filled: Path, page: str, lang: str
) -> None:
    at = open_page(filled, page, lang=lang)
    assert not at.exception
    assert at.title[0].value == TITLES[page][1]


@pytest.mark.parametrize("page", PAGES)
def test_an_empty_store_shows_the_exact_command(
    open_page: Callable[..., AppTest], tmp_path: Path, page: str
) -> None:
    store = tmp_path / "no store"
    at = open_page(store, page)
    assert not at.exception
    command = "ragdash attack" if page == "attacks" else "ragdash demo"
    assert at.code[0].value == f"{command} --store '{store}'"


@pytest.mark.parametrize("page", ["runs", "compare", "triage", "question"])
def test_an_unknown_run_is_said_and_the_newest_is_shown(
    open_page: Callable[..., AppTest], filled: Path, page: str
) -> None:
    at = open_page(filled, page, run="nope:dense")
    assert not at.exception
    assert "not in this store" in at.warning[0].value
    assert "nope:dense" in [c.value for c in at.code]
    assert at.selectbox(key="run").value is None
    assert len(at.html) > 1


@pytest.mark.parametrize(
    ("page", "name", "words"),
    [
        ("question", "q", "a question that this run does not have"),
        ("compare", "base", "a base that is no mode of this run"),
        ("triage", "outcome", "a filter value that does not exist"),
        ("triage", "layer", "a filter value that does not exist"),
        ("question", "among", "a filter value that does not exist"),
        ("question", "layer", "a filter value that does not exist"),
        ("triage", "page", "a page of the list that does not exist"),
        ("runs", "page", "a page of the list that does not exist"),
        *((page, "lang", "a language that there is not") for page in PAGES),
        ("attacks", "case", "a case that this attack run does not have"),
        ("attacks", "attack", "an attack run that is not in this store"),
    ],
)
def test_an_unknown_value_is_said_and_the_page_still_works(
    open_page: Callable[..., AppTest], filled: Path, page: str, name: str, words: str
) -> None:
    at = open_page(filled, page, **{name: "**bold** nope"})
    assert not at.exception
    assert words in at.warning[0].value
    assert "**bold** nope" in [c.value for c in at.code]
    assert len(at.html) > 1


@pytest.mark.parametrize("page", ["compare", "triage", "question"])
def test_an_unknown_mode_is_said_and_its_run_is_kept(
    open_page: Callable[..., AppTest], filled: Path, rich: ModuleType, page: str
) -> None:
    at = open_page(filled, page, run=f"{rich.RUN}:nope")
    assert not at.exception
    assert [w.value for w in at.warning] == [
        "The address names a mode that this run does not have; the run is shown without it."
    ]
    assert f"{rich.RUN}:nope" in [c.value for c in at.code]
    assert at.selectbox(key="run").value == rich.RUN


@pytest.mark.parametrize("page", ["compare", "triage", "question"])
def test_an_attack_run_where_an_evaluation_belongs_is_said(
    open_page: Callable[..., AppTest], filled: Path, rich: ModuleType, page: str
) -> None:
    at = open_page(filled, page, run=rich.ATTACK)
    assert not at.exception
    assert "names an attack run" in at.warning[0].value
    assert rich.ATTACK in [c.value for c in at.code]
    at.selectbox(key="run").set_value(rich.RUN).run()
    assert not at.warning


@pytest.mark.parametrize("asked", ["2", "999", "0", "abc", "²", "-1", "9" * 5000])
def test_a_page_that_is_not_there_is_the_nearest_one_and_is_said(
    open_page: Callable[..., AppTest], filled: Path, asked: str
) -> None:
    at = open_page(filled, "triage", page=asked)
    assert not at.exception
    assert "6 of 6 questions" in shown(at)
    assert "a page of the list that does not exist" in at.warning[0].value


@pytest.mark.parametrize("change", ["outcome", "layer", "mode", "run"])
def test_another_filter_begins_at_the_first_page(
    open_page: Callable[..., AppTest], build: ModuleType, tmp_path: Path, change: str
) -> None:
    from ragdash.core.retrieval import Mode
    from ragdash.store.journal import Journal
    from ragdash.store.runfile import publish

    store, run = tmp_path / "store", "20261130-1100-long-1"
    names = [f"q{i:03}" for i in range(61)]
    info = build.make_info(run, modes=(Mode.DENSE, Mode.HYBRID), n_questions=len(names))
    with Journal.create(store, info, names) as journal:
        for mode in (Mode.DENSE, Mode.HYBRID):
            for name in names:
                journal.append(build.make_result(name, mode=mode))
        publish(store, journal, "2026-11-30T11:01:00Z")
    at = open_page(store, "triage", run=f"{run}:dense", page="4")
    assert "q060" in shown(at)
    if change in ("outcome", "layer"):
        value = {"outcome": "correct", "layer": "recall"}[change]
        at.get_by_key(f"filter.{change}").set_value([value]).run()
    elif change == "mode":
        at.get_by_key(f"mode.{run}.True").set_value("hybrid").run()
    else:
        at.selectbox(key="run").set_value(run).run()
    assert not at.exception
    assert not at.warning
    assert "page" not in at.query_params
    assert ("0 of 61" if change == "layer" else "61 of 61") in shown(at)


def test_a_tag_in_the_address_becomes_the_run_it_stands_for(
    open_page: Callable[..., AppTest], build: ModuleType, rich: ModuleType, tmp_path: Path
) -> None:
    from ragdash.store.registry import Registry

    store = rich.make_rich_store(build, tmp_path / "store")
    registry = Registry.open(store)
    registry.tag(
        f"{rich.RUN}:hybrid", "baseline", reason="r", author="a", at="2026-11-30T10:00:00Z"
    )
    registry.close()
    at = open_page(store, "triage", run="baseline")
    assert not at.exception
    assert at.session_state["run"] == f"{rich.RUN}:hybrid"
    assert not at.warning


def test_an_attack_run_in_the_run_parameter_opens_as_the_attack_run(
    open_page: Callable[..., AppTest], filled: Path, rich: ModuleType
) -> None:
    at = open_page(filled, "attacks", run=rich.ATTACK)
    assert not at.exception
    assert at.selectbox(key="pick.attack").value == rich.ATTACK
    assert not at.warning


def test_compare_says_what_so_few_questions_cannot(
    open_page: Callable[..., AppTest], filled: Path
) -> None:
    page = shown(open_page(filled, "compare"))
    assert "4 questions cannot separate the modes" in page
    assert "2/4 (0.50)" in page
    assert "Δ +0.50" in page
    assert "over 4 paired" in page
    assert "not entailment" in page


def test_compare_takes_another_base_and_turns_the_sign(
    open_page: Callable[..., AppTest], filled: Path, rich: ModuleType
) -> None:
    at = open_page(filled, "compare", base=f"{rich.RUN}:rerank")
    assert not at.exception
    assert not at.warning
    assert "Δ −0.50" in shown(at)


def test_triage_filters_by_what_the_address_says(
    open_page: Callable[..., AppTest], filled: Path, rich: ModuleType
) -> None:
    at = open_page(filled, "triage", run=f"{rich.RUN}:dense", layer="ranking")
    assert not at.exception
    page = shown(at)
    assert "1 of 6 questions" in page
    assert "宁德时代2023年扣非归母净利润" in page
    assert "贵州茅台2023年营业收入是多少" not in page


def test_triage_gives_its_evidence_in_the_language_of_the_page(
    open_page: Callable[..., AppTest], filled: Path
) -> None:
    assert "was dense 7, BM25 -, fused 14" in shown(open_page(filled, "triage"))
    assert "向量第 7，BM25 无，融合第 14" in shown(open_page(filled, "triage", lang="zh"))


def test_a_filter_without_any_match_says_so(
    open_page: Callable[..., AppTest], filled: Path
) -> None:
    at = open_page(filled, "triage", layer="ingest")
    assert "No question matches" in at.info[0].value


def test_next_goes_to_the_next_question_by_its_id(
    open_page: Callable[..., AppTest], filled: Path
) -> None:
    at = open_page(filled, "question", q="q02")
    at.button(key="step.q.next").click().run()
    assert not at.exception
    assert at.query_params["q"] == "q03"
    assert at.selectbox(key="pick.q").value == "q03"


def test_the_last_question_has_no_next(open_page: Callable[..., AppTest], filled: Path) -> None:
    at = open_page(filled, "question", q="q06")
    assert at.button(key="step.q.next").disabled


def test_each_number_of_the_answer_says_how_it_was_read_or_why_it_was_left_out(
    open_page: Callable[..., AppTest], filled: Path
) -> None:
    page = shown(open_page(filled, "question", q="q01"))
    assert "Numbers of the answer, as they were read" in page
    assert "the same figure" in page
    assert "a year" in page
    chinese = shown(open_page(filled, "question", q="q01", lang="zh"))
    assert "数字相同" in chinese
    assert "年份" in chinese
    assert "自带单位" in chinese


def linked(at: AppTest, words: str) -> dict[str, list[str]]:
    """The query of the first link to a question whose text is `words`."""
    for found in re.finditer(r'<a href="question\?([^"]*)"[^>]*>([^<]*)</a>', shown(at)):
        if found[2] == words:
            return parse_qs(html.unescape(found[1]))
    raise AssertionError(words)


def test_the_walk_keeps_the_filter_and_the_order_of_triage(
    open_page: Callable[..., AppTest], filled: Path, rich: ModuleType
) -> None:
    filters = {"run": f"{rich.RUN}:dense", "outcome": ["abstained_wrong", "wrong", "error"]}
    query = linked(open_page(filled, "triage", **filters), "q05")
    assert query == {
        "run": [f"{rich.RUN}:dense"],
        "q": ["q05"],
        "among": ["dense"],
        "outcome": ["abstained_wrong", "wrong", "error"],
    }
    at = open_page(filled, "question", **filters | {"q": "q05", "among": "dense"})
    assert "1 of 3 filtered" in shown(at)
    assert at.button(key="step.q.previous").disabled
    for place, question in ((2, "q02"), (3, "q06")):
        at.button(key="step.q.next").click().run()
        assert not at.exception
        assert at.query_params["q"] == question
        assert f"{place} of 3 filtered" in shown(at)
    assert at.button(key="step.q.next").disabled
    # The mode on view is apart from the one that was filtered for.
    at.get_by_key(f"mode.{rich.RUN}.False").set_value("rerank").run()
    assert "3 of 3 filtered" in shown(at)
    at.button(key="walk.leave").click().run()
    assert "6 of 6" in shown(at)
    assert "filtered" not in shown(at)


def test_a_filter_over_all_modes_is_walked_over_all_modes(
    open_page: Callable[..., AppTest], filled: Path
) -> None:
    query = linked(open_page(filled, "triage", layer="business"), "q02")
    assert query["among"] == ["all"]
    at = open_page(filled, "question", **{name: values[0] for name, values in query.items()})
    assert "1 of 2 filtered" in shown(at)


def test_a_question_outside_the_filter_says_so_and_leads_into_it(
    open_page: Callable[..., AppTest], filled: Path
) -> None:
    at = open_page(filled, "question", q="q01", among="dense", layer="ranking", lang="zh")
    assert "不在筛选出的 1 题中" in shown(at)
    at.button(key="step.q.next").click().run()
    assert at.query_params["q"] == "q06"


def test_a_filter_without_a_question_walks_nowhere(
    open_page: Callable[..., AppTest], filled: Path
) -> None:
    at = open_page(filled, "question", q="q01", among="dense", layer="ingest")
    assert not at.exception
    assert at.button(key="step.q.next").disabled


def test_a_triage_without_filters_links_without_them(
    open_page: Callable[..., AppTest], filled: Path
) -> None:
    assert set(linked(open_page(filled, "triage"), "q02")) == {"q", "run"}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_class_of_an_attack_reads_in_both_languages_beside_its_code(
    open_page: Callable[..., AppTest], filled: Path, lang: str
) -> None:
    from ragdash.ui.i18n import S

    text = shown(open_page(filled, "attacks", lang=lang))
    codes = [key.partition(".")[2] for key in S if key.startswith("class.")]
    seen = [code for code in codes if f">{code}</span>" in text]
    assert seen
    for code in seen:
        assert S[f"class.{code}"][lang == "zh"] in text


def test_a_mode_picked_on_a_page_is_part_of_the_run_in_the_address(
    open_page: Callable[..., AppTest], filled: Path, rich: ModuleType
) -> None:
    at = open_page(filled, "question", q="q02")
    assert "business caliber" in shown(at)
    at.get_by_key(f"mode.{rich.RUN}.False").set_value("rerank").run()
    assert not at.exception
    assert at.session_state["run"] == f"{rich.RUN}:rerank"
    assert "Lost at" not in shown(at)


def test_a_lost_question_says_where_what_to_try_and_what_not(
    open_page: Callable[..., AppTest], filled: Path, rich: ModuleType
) -> None:
    page = shown(open_page(filled, "question", run=f"{rich.RUN}:dense", q="q06"))
    assert "Lost at: ranking" in page
    assert "a reranker, or other fusion weights" in page
    assert "more data or another prompt" in page
    assert "Gold that stayed below the cut" in page


def test_a_no_answer_question_shows_no_gold_and_says_refusing_is_right(
    open_page: Callable[..., AppTest], filled: Path
) -> None:
    assert "refusing is right" in shown(open_page(filled, "question", q="q04"))


def test_the_trace_holds_every_candidate_with_its_ranks(
    open_page: Callable[..., AppTest], filled: Path, rich: ModuleType
) -> None:
    at = open_page(filled, "question", run=f"{rich.RUN}:rerank", q="q01", tab="trace")
    frame = at.dataframe[0].value
    assert list(frame["Final"]) == [1, 2, 3, 4]
    assert list(frame["In context"]) == ["yes", "yes", "no", "no"]
    assert frame["BM25"].isna().tolist() == [False, True, False, False]


def test_abstention_is_called_a_cost_and_is_in_no_failure_chart(
    open_page: Callable[..., AppTest], filled: Path
) -> None:
    at = open_page(filled, "attacks")
    assert "A cost, not a score" in shown(at)
    failing, cost, by_class = (str(c.proto.spec) for c in at.get("vega_lite_chart"))
    for words in ("bstention", "#64748B"):
        assert words in cost
        assert words not in failing
        assert words not in by_class


def test_a_run_under_way_is_listed_and_does_not_disturb_the_page(
    open_page: Callable[..., AppTest], build: ModuleType, rich: ModuleType, tmp_path: Path
) -> None:
    from ragdash.store.journal import Journal

    store = rich.make_rich_store(build, tmp_path / "store")
    info = build.make_info("20261130-1000-demo-live", n_questions=2)
    with Journal.create(store, info, ["q1", "q2"]) as journal:
        journal.append(build.make_result("q1"))
        at = open_page(store, "runs")
        assert not at.exception
        assert "1 of 6 answers" in shown(at)
        assert at.progress[0].value == 16
        journal.append(build.make_result("q2"))


@pytest.mark.parametrize("page", PAGES)
def test_a_damaged_file_is_a_sentence_and_not_a_crash(
    open_page: Callable[..., AppTest],
    build: ModuleType,
    rich: ModuleType,
    tmp_path: Path,
    page: str,
) -> None:
    store = rich.make_rich_store(build, tmp_path / "store")
    for file in (store / "runs").glob("*.duckdb"):
        file.write_bytes(b"not a database")
    at = open_page(store, page)
    assert not at.exception
    if page == "runs":
        assert rich.RUN in shown(at)
    else:
        assert at.error[0].value == "This run's file cannot be read"
        assert "cannot be read" in shown(at)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("page", ["compare", "triage", "question"])
def test_a_missing_file_is_said_of_its_run_and_the_others_are_offered(
    open_page: Callable[..., AppTest],
    build: ModuleType,
    rich: ModuleType,
    tmp_path: Path,
    page: str,
    lang: str,
) -> None:
    from ragdash.core.retrieval import Mode
    from ragdash.store.journal import Journal
    from ragdash.store.layout import run_file
    from ragdash.store.runfile import publish

    store = rich.make_rich_store(build, tmp_path / "store")
    info = build.make_info("run-other", modes=(Mode.DENSE,), n_questions=1)
    with Journal.create(store, info, ["q1"]) as journal:
        journal.append(build.make_result("q1"))
        publish(store, journal, "2026-11-30T11:01:00Z")
    run_file(store, rich.RUN, 1).unlink()
    at = open_page(store, page, run=rich.RUN, lang=lang)
    assert not at.exception
    heads = {"en": "This run's file is missing", "zh": "本运行的文件不存在"}
    assert at.error[0].value == heads[lang]
    assert rich.RUN in [c.value for c in at.code]
    assert 'href="compare?run=run-other' in shown(at)


def test_a_damaged_registry_is_a_sentence_on_every_page(
    open_page: Callable[..., AppTest], build: ModuleType, rich: ModuleType, tmp_path: Path
) -> None:
    store = rich.make_rich_store(build, tmp_path / "store")
    (store / "registry.sqlite").write_bytes(b"not a database" * 100)
    for page in PAGES:
        at = open_page(store, page, run="any")
        assert not at.exception
        assert at.error[0].value == "The store cannot be read"


def test_a_long_list_of_runs_comes_in_pages(
    open_page: Callable[..., AppTest], build: ModuleType, tmp_path: Path
) -> None:
    from ragdash.core.retrieval import Mode
    from ragdash.store.journal import Journal
    from ragdash.store.runfile import publish

    store = tmp_path / "store"
    for i in range(27):
        day = f"2026-11-{i + 1:02}"
        info = build.make_info(
            f"run-{i:02}", modes=(Mode.DENSE,), n_questions=1, started_at=f"{day}T09:00:00Z"
        )
        with Journal.create(store, info, ["q1"]) as journal:
            journal.append(build.make_result("q1"))
            publish(store, journal, f"{day}T09:01:00Z")
    first, second = open_page(store, "runs"), open_page(store, "runs", page="2")
    assert "run-26" in shown(first)
    assert "run-01" not in shown(first)
    assert "run-01" in shown(second)
    assert "run-26</a>" not in shown(second)


DIFFERENCE = re.compile("Δ [+−0-9]|\\d paired|\\bp [=<]")


def other_run(build: ModuleType, rich: ModuleType, store: Path, **fields: object) -> str:
    """Publish a second run over the same questions as the rich store's, with other code behind."""
    from dataclasses import replace

    from ragdash.store.journal import Journal
    from ragdash.store.runfile import publish

    info = build.make_info(
        "20261130-0800-other-1", modes=rich.MODES, n_questions=6, started_at="2026-11-30T08:00:00Z"
    )
    info = replace(info, **fields)
    questions = [rich._question(build, i, "") for i in range(6)]
    with Journal.create(store, info, [q.id for q in questions]) as journal:
        for mode in rich.MODES:
            for question, fate in zip(questions, "cccauw", strict=True):
                journal.append(rich._result(build, mode, question, fate, ""))
        publish(store, journal, "2026-11-30T08:01:00Z")
    return str(info.run_id)


def coded(build: ModuleType) -> dict[str, object]:
    """An environment that says which code decided."""
    return {**build.make_info().environment, "code": "sha256:" + "c" * 64, "ragdash": "0.1"}


@pytest.fixture
def two_runs(build: ModuleType, rich: ModuleType, tmp_path: Path) -> tuple[Path, str]:
    """A store in which one run differs from another in its top k."""
    from dataclasses import replace

    from ragdash.core.run import RunConfig

    store = tmp_path / "store"
    config = RunConfig()
    small = replace(config, retrieval=replace(config.retrieval, top_k=3))
    other = other_run(build, rich, store, environment=coded(build), config=small)
    mine = replace(
        build.make_info(rich.RUN, modes=rich.MODES, n_questions=6), environment=coded(build)
    )
    from ragdash.store.journal import Journal
    from ragdash.store.runfile import publish

    questions = [rich._question(build, i, "") for i in range(6)]
    with Journal.create(store, mine, [q.id for q in questions]) as journal:
        for mode in rich.MODES:
            for i, question in enumerate(questions):
                journal.append(rich._result(build, mode, question, rich.FATES[mode][i], ""))
        publish(store, journal, "2026-11-30T09:37:10Z")
    return store, other


@pytest.mark.parametrize(
    ("lang", "heading"), [("en", "One factor differs: top k"), ("zh", "仅一个因素不同：top k")]
)
def test_one_run_against_another_has_the_factor_as_its_heading(
    open_page: Callable[..., AppTest],
    two_runs: tuple[Path, str],
    rich: ModuleType,
    lang: str,
    heading: str,
) -> None:
    store, other = two_runs
    at = open_page(store, "compare", run=f"{rich.RUN}:dense", base=f"{other}:dense", lang=lang)
    assert not at.exception
    assert not at.warning
    assert heading in [h.value for h in at.header]
    page = shown(at)
    assert ">3</td>" in page
    assert ">5</td>" in page
    assert ("6 of 6 questions paired" if lang == "en" else "6 题中有 6 题") in page
    # The base is right on q01 to q03, dense on q01 and q03.
    assert "Δ −0.25" in page


def test_a_count_opens_the_questions_behind_it_in_triage(
    open_page: Callable[..., AppTest], two_runs: tuple[Path, str], rich: ModuleType
) -> None:
    store, other = two_runs
    this, base = f"{rich.RUN}:dense", f"{other}:dense"
    page = shown(open_page(store, "compare", run=this, base=base))
    links = [
        parse_qs(html.unescape(found[1]))
        for found in re.finditer(r'<a href="triage\?([^"]*change[^"]*)"', page)
    ]
    assert {"run": [this], "base": [base], "change": ["regressed"]} in links
    at = open_page(store, "triage", run=this, base=base, change="regressed")
    assert not at.exception
    assert not at.warning
    assert "1 of 6 questions" in shown(at)
    assert "One factor differs: top k" in shown(at)
    query = linked(at, "q02")
    assert (query["base"], query["change"], query["among"]) == ([base], ["regressed"], ["dense"])
    at = open_page(store, "question", **{name: values[0] for name, values in query.items()})
    assert not at.warning
    assert "1 of 1 filtered" in shown(at)


def test_two_factors_are_shown_side_by_side_without_any_difference(
    open_page: Callable[..., AppTest], two_runs: tuple[Path, str], rich: ModuleType
) -> None:
    store, other = two_runs
    at = open_page(store, "compare", run=f"{rich.RUN}:dense", base=f"{other}:rerank")
    assert not at.exception
    assert "Not attributable: mode, top k differ" in [h.value for h in at.header]
    page = shown(at)
    assert not DIFFERENCE.search(page)
    assert "no question is called better or worse" in page
    at = open_page(store, "triage", run=f"{rich.RUN}:dense", base=f"{other}:rerank")
    assert "cannot be held against" in at.warning[0].value
    assert "6 of 6 questions" in shown(at)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"questions_digest": "sha256:" + "9" * 64}, "The question sets differ"),
        ({"environment": {"code": "sha256:" + "d" * 64}}, "Other code decided the verdicts"),
    ],
)
def test_what_cannot_be_compared_says_why(
    open_page: Callable[..., AppTest],
    build: ModuleType,
    rich: ModuleType,
    tmp_path: Path,
    fields: dict[str, object],
    words: str,
) -> None:
    store = rich.make_rich_store(build, tmp_path / "store")
    other = other_run(build, rich, store, **fields)
    at = open_page(store, "compare", run=f"{rich.RUN}:dense", base=other)
    assert not at.exception
    assert "Not comparable" in [h.value for h in at.header]
    assert words in shown(at)
    assert not DIFFERENCE.search(shown(at))


def test_another_run_is_picked_and_put_back(
    open_page: Callable[..., AppTest], two_runs: tuple[Path, str], rich: ModuleType
) -> None:
    store, other = two_runs
    at = open_page(store, "compare", run=rich.RUN)
    at.selectbox(key="pick.against").set_value(other).run()
    assert not at.exception
    assert at.query_params["base"] == other
    assert "One factor differs: top k" in [h.value for h in at.header]
    at.selectbox(key="pick.against").set_value("").run()
    assert "base" not in at.query_params
    assert "One factor differs: mode" in [h.value for h in at.header]


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"base": "nope:dense"}, "a base that does not exist"),
        ({"base": "dense"}, "a base that does not exist or is the mode on view"),
        ({"change": "regressed"}, "a filter value that does not exist"),
        ({"base": "rerank", "change": "better"}, "a filter value that does not exist"),
    ],
)
def test_a_base_of_triage_that_means_nothing_is_said(
    open_page: Callable[..., AppTest],
    filled: Path,
    rich: ModuleType,
    params: dict[str, str],
    words: str,
) -> None:
    at = open_page(filled, "triage", run=f"{rich.RUN}:dense", **params)
    assert not at.exception
    assert words in at.warning[0].value
    assert "6 of 6 questions" in shown(at)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("page", ["compare", "triage"])
def test_a_base_whose_file_is_gone_costs_the_base_and_not_the_page(
    open_page: Callable[..., AppTest],
    build: ModuleType,
    rich: ModuleType,
    tmp_path: Path,
    page: str,
    lang: str,
) -> None:
    store = rich.make_rich_store(build, tmp_path / "store")
    other = other_run(build, rich, store)
    (store / "runs" / f"{other}.duckdb").unlink()
    at = open_page(store, page, run=f"{rich.RUN}:dense", base=f"{other}:dense", lang=lang)
    assert not at.exception
    assert not at.error
    assert ("run file is not in the store" if lang == "en" else "文件已不在") in at.warning[0].value
    assert len(at.header) > 1


def test_a_run_that_is_its_own_base_is_said(
    open_page: Callable[..., AppTest], filled: Path, rich: ModuleType
) -> None:
    at = open_page(filled, "compare", run=rich.RUN, base=rich.RUN)
    assert not at.exception
    assert "as its own base" in at.warning[0].value
    assert not open_page(filled, "compare", run=rich.RUN, base=f"{rich.RUN}:hybrid").warning
