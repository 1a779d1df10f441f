from __future__ import annotations

import html
import re
import shutil
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

import duckdb
import pytest

from ragdash.config import load_config
from ragdash.core.retrieval import Mode
from ragdash.core.score import scored
from ragdash.store.journal import Journal
from ragdash.store.layout import run_file
from ragdash.store.runfile import publish
from ragdash.ui.i18n import say
from ragdash.ui.judge.judging import CONFIG

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from streamlit.testing.v1 import AppTest


def shown(at: AppTest) -> str:
    """All text of a page that a reader could see, without our markup."""
    kinds = ("title", "header", "text", "html", "code", "warning", "info", "success", "error")
    found = "\n".join(str(e.value) for kind in kinds for e in at.get(kind))
    return html.unescape(re.sub(r"<[^>]+>", " ", found))


def headers(at: AppTest) -> list[str]:
    return [str(h.value) for h in at.header]


def test_the_judge_page_says_who_was_asked_and_what_that_was_found_to_honour(
    open_page: Callable[..., AppTest], with_judge: Path, judged: ModuleType
) -> None:
    at = open_page(with_judge, "judge", run=judged.RUN)
    assert not at.exception
    assert not at.warning
    page = shown(at)
    for words in ("judge-large", "judge.example", "qwen2.5:7b", "127.0.0.1:11434"):
        assert words in page
    assert "a JSON object, of any shape" in page
    assert "json_schema: accepted, and the reply broke the schema" in page
    assert "accepted, two replies agreed" in page
    assert "temperature 0, seed 0, at most 1024 tokens" in page
    assert "sha256:bbbbbbbbbbbb" in page


def test_means_errors_flips_and_noise_stand_beside_each_other(
    open_page: Callable[..., AppTest], with_judge: Path, judged: ModuleType
) -> None:
    at = open_page(with_judge, "judge", run=judged.RUN)
    page = shown(at)
    assert "0.89" in page
    assert "3 of 6 scored" in page
    assert "timed out 1" in page
    assert "there was no answer to judge 3" in page
    assert "errors as 0 or 1: 0.75–0.92" in page
    assert "judge noise ±" in page
    assert "within judge noise" in page
    assert 'href="question?run=20261130-0920-judged-77aa%3Adense&amp;q=q03"' in "".join(
        str(e.value) for e in at.html
    )
    assert "1 of 3" in page
    assert "below 30 questions no mode wins" in page


def test_another_base_is_kept_in_the_address_and_turns_the_difference_round(
    open_page: Callable[..., AppTest], with_judge: Path, judged: ModuleType
) -> None:
    at = open_page(with_judge, "judge", run=judged.RUN, base="hybrid")
    assert not at.exception
    assert "Δ against hybrid" in shown(at)
    assert "Δ against dense" in shown(open_page(with_judge, "judge", run=judged.RUN))


def test_high_faithfulness_stands_beside_the_failed_gate_with_the_questions(
    open_page: Callable[..., AppTest], with_judge: Path, judged: ModuleType
) -> None:
    at = open_page(with_judge, "judge", run=judged.RUN)
    tables = [str(e.value) for e in at.html if "Agreement with the numeric gate" in str(e.value)]
    (table,) = tables
    words = html.unescape(re.sub(r"<[^>]+>", " ", table))
    assert "2/3 (0.67)" in words
    assert "1/1 (1.00)" in words
    assert "q%3Dq02" in table or "q=q02" in table
    assert "Faithful is not right." in shown(at)


def test_calls_show_what_was_kept_what_failed_and_a_cost_only_where_a_price_is_known(
    open_page: Callable[..., AppTest], with_judge: Path, judged: ModuleType
) -> None:
    page = " ".join(shown(open_page(with_judge, "judge", run=judged.RUN)).split())
    assert "an empty reply 1" in page
    assert "the reply is not the JSON asked for 1, timed out 1" in page
    assert re.search(r"Generation 12 0 1 an empty reply 1 10,800 / 480 — 2\.00 s 2\.00 s", page)
    assert re.search(r"Whole run 105 17 .*? ≥ 0\.1500", page)


def test_the_judge_page_speaks_chinese(
    open_page: Callable[..., AppTest], with_judge: Path, judged: ModuleType
) -> None:
    page = shown(open_page(with_judge, "judge", run=judged.RUN, lang="zh"))
    for words in ("忠实不等于正确", "评判噪声", "超时 1", "接受，两次回复一致", "整个运行"):
        assert words in page


@pytest.mark.parametrize(("lang", "words"), [("en", "marks its own work"), ("zh", "给自己打分")])
def test_a_model_that_marks_its_own_work_is_said_on_the_page_and_in_the_list(
    open_page: Callable[..., AppTest],
    build: ModuleType,
    rich: ModuleType,
    judged: ModuleType,
    tmp_path: Path,
    lang: str,
    words: str,
) -> None:
    # The only run of its store.
    judged.make_judged_run(build, rich, tmp_path, self_judged=True)
    at = open_page(tmp_path, "judge", lang=lang)
    assert not at.exception
    assert words in at.warning[0].value
    listed = shown(open_page(tmp_path, "runs", lang=lang))
    assert {"en": "self-judged", "zh": "自评"}[lang] in listed


def test_the_list_of_runs_shows_cost_and_seconds_and_whom_a_run_asked(
    open_page: Callable[..., AppTest], with_judge: Path
) -> None:
    page = shown(open_page(with_judge, "runs"))
    assert "48 calls, cost ≥ 0.0840" in page
    assert "p50 16 ms, p95 16 ms a question" in page
    assert "signals: judge-large @ https://judge.example/v1" in page
    assert "signals: similarity" in page
    assert "self-judged" not in page


def test_without_a_judge_the_page_says_so_and_how_to_have_one(
    open_page: Callable[..., AppTest], filled: Path, tmp_path: Path
) -> None:
    at = open_page(filled, "judge")
    assert at.info[0].value == "No model judged this run."
    assert "Similarity is no judge" in shown(at)
    assert CONFIG in [c.value for c in at.code]
    assert headers(at) == []
    file = tmp_path / "run.toml"
    file.write_text(CONFIG, "utf-8")
    judge = load_config(file).judge
    assert (judge.kind, judge.repeats) == ("endpoint", 3)


@pytest.mark.parametrize("page", ["judge", "question", "compare", "runs"])
def test_a_file_from_before_there_were_calls_is_shown_without_them(
    open_page: Callable[..., AppTest],
    with_judge: Path,
    judged: ModuleType,
    tmp_path: Path,
    page: str,
) -> None:
    store = shutil.copytree(with_judge, tmp_path / "store")
    with closing(duckdb.connect(run_file(store, judged.RUN, 1))) as run:
        run.execute("DROP TABLE calls")
        run.execute("UPDATE meta SET schema_version = 2, environment = '{}'")
    at = open_page(store, page, run=f"{judged.RUN}:dense")
    assert not at.exception
    if page == "judge":
        assert "not probed in this run" in shown(at)
        assert "Calls" not in headers(at)
        assert "≈ Faithfulness (judge)" in headers(at)


@pytest.mark.parametrize("page", ["compare", "question"])
def test_failed_measurements_of_the_judge_are_said_where_its_values_stand(
    open_page: Callable[..., AppTest], with_judge: Path, judged: ModuleType, page: str
) -> None:
    assert "The judge failed in 2 of 72 measurements" in shown(
        open_page(with_judge, page, run=judged.RUN)
    )
    assert "The judge failed" not in shown(open_page(with_judge, page))


def test_compare_keeps_the_judge_apart_from_similarity_and_shows_its_noise(
    open_page: Callable[..., AppTest], with_judge: Path, judged: ModuleType
) -> None:
    of_judge = open_page(with_judge, "compare", run=judged.RUN)
    assert "≈ Judge" in headers(of_judge)
    assert "≈ Similarity signals" not in headers(of_judge)
    assert "judge noise ±" in shown(of_judge)
    similar = open_page(with_judge, "compare")
    assert "≈ Judge" not in headers(similar)
    assert "≈ Similarity signals" in headers(similar)


def test_the_judge_tab_shows_every_repeat_with_its_claims_and_its_raw_replies(
    open_page: Callable[..., AppTest], with_judge: Path, judged: ModuleType
) -> None:
    at = open_page(with_judge, "question", run=f"{judged.RUN}:dense", q="q03", tab="judge")
    assert not at.exception
    page = shown(at)
    assert page.count("Repeat 3") == 3
    assert "0.67 (0.25–1.00, 3 of 3 repeats)" in page
    assert "not in the context" in page
    assert "added by us: the judge left it out" in page
    assert "Asked again after verdicts numbered: [1, 2, 2, 4]" in page
    replies = [c.value for c in at.code if str(c.value).startswith('{"claims"')]
    assert len(replies) == 12


def test_a_prompt_is_sent_to_the_page_only_once_it_is_opened(
    open_page: Callable[..., AppTest], with_judge: Path, judged: ModuleType
) -> None:
    at = open_page(with_judge, "question", run=f"{judged.RUN}:dense", q="q03", tab="judge")
    assert "你是财务问答的评审" not in shown(at)
    at.session_state["call.faithfulness.2.5.sent"] = True
    at.run()
    assert not at.exception
    assert [str(c.value) for c in at.code if "你是财务问答的评审" in str(c.value)]


def test_a_failed_repeat_says_why_and_what_the_endpoint_did(
    open_page: Callable[..., AppTest], with_judge: Path, judged: ModuleType
) -> None:
    page = shown(
        open_page(with_judge, "question", run=f"{judged.RUN}:hybrid", q="q02", tab="judge")
    )
    assert "measurement failed" in page
    assert "no reply in 60 s" in page
    assert "tries: 4" in page
    assert "kept from an earlier run" in page
    assert "1.00 (1.00–1.00, 2 of 3 repeats)" in page


def test_a_refused_answer_has_one_line_for_each_metric_and_not_one_for_each_repeat(
    open_page: Callable[..., AppTest], with_judge: Path, judged: ModuleType
) -> None:
    page = shown(open_page(with_judge, "question", run=f"{judged.RUN}:dense", q="q04", tab="judge"))
    assert "Repeat 1" not in page
    assert "does not apply: no-answer question" in page


def test_an_answer_that_no_model_judged_says_so(
    open_page: Callable[..., AppTest], with_judge: Path
) -> None:
    at = open_page(with_judge, "question", q="q01", tab="judge")
    assert "No model judged this answer." in [i.value for i in at.info]


@pytest.mark.parametrize("found", [{"odd": [1, {"a": "b"}]}, {"claims": 3}, {"claims": ["x"]}])
def test_evidence_of_an_unknown_shape_stays_json(
    open_page: Callable[..., AppTest], build: ModuleType, tmp_path: Path, found: dict[str, object]
) -> None:
    score = replace(scored("faithfulness", 0.5), evidence=found)
    info = build.make_info(modes=(build.Mode.DENSE,), n_questions=1)
    with Journal.create(tmp_path, info, ["q1"]) as journal:
        journal.append(build.make_result("q1", scores=(score,)))
        publish(tmp_path, journal, "2026-11-30T11:01:00Z")
    at = open_page(tmp_path, "question", tab="judge")
    assert not at.exception
    import json

    assert found in [json.loads(str(e.value)) for e in at.json]


def links(at: AppTest) -> list[tuple[str, dict[str, list[str]]]]:
    found = re.findall(r'<a href="triage\?([^"]+)"[^>]*>(?:<[^>]+>)*([^<]*)', "".join(
        str(e.value) for e in at.html
    ))  # fmt: skip
    return [(text, parse_qs(html.unescape(query))) for query, text in found]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_spread_failures_and_judge_against_gate_are_shown_with_their_n(
    open_page: Callable[..., AppTest], with_judge: Path, judged: ModuleType, lang: str
) -> None:
    at = open_page(with_judge, "judge", run=judged.RUN, lang=lang)
    assert not at.exception
    page = shown(at)
    for key in ("judging.spread", "judging.failing", "judging.crossed"):
        assert say(key, lang) in headers(at)
    # One reply of the hybrid mode was no JSON and one came too late, of 39 that were tried.
    parse = page.index(say("judging.failing.parse", lang))
    assert "0/33 (0.00)" in page[parse : parse + 120]
    assert "1/39 (0.03)" in page[parse : parse + 160]
    assert say("judging.failing.kind.other", lang) in page
    # Three answers were judged and decided; the judge said high to each of them.
    assert say("judging.of", lang, k=2, n=3) in page
    assert "2/3 (0.67)" in page


def test_flips_and_cells_of_the_matrix_open_exactly_their_questions_in_triage(
    open_page: Callable[..., AppTest], with_judge: Path, judged: ModuleType
) -> None:
    at = open_page(with_judge, "judge", run=judged.RUN)
    asked = [(text, q) for text, q in links(at) if "flips" in q or "where" in q]
    assert {name for _, q in asked for name in q} >= {"flips", "where"}
    for text, query in asked[::3]:
        where = {name: query[name][0] for name in ("flips", "where") if name in query}
        triage = open_page(with_judge, "triage", run=query["run"][0], **where)
        assert not triage.exception
        k = int(text.split()[0])
        total = re.compile(rf"^{k} of \d+ questions$")
        assert any(total.match(str(one.value)) for one in triage.text), (text, query)


def test_a_judge_that_says_one_thing_throughout_has_no_kappa(
    open_page: Callable[..., AppTest], build: ModuleType, tmp_path: Path
) -> None:
    info = build.make_info("20261130-1110-kappa-1", modes=(Mode.DENSE,), n_questions=2)
    told = (scored("numeric_accuracy", 1), scored("faithfulness", 1.0))
    with Journal.create(tmp_path / "store", info, ["q1", "q2"]) as journal:
        for name in ("q1", "q2"):
            journal.append(build.make_result(name, Mode.DENSE, scores=told))
        publish(tmp_path / "store", journal, "2026-11-30T11:11:00Z")
    page = shown(open_page(tmp_path / "store", "judge"))
    assert "no variation" in page
    assert "2/2 (1.00)" in page
    # Asked once: nothing is known of the judge's own noise, and the page says how to learn it.
    assert "repeats = 3" in page
