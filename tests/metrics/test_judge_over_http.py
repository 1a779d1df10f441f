"""What a judge's endpoint may do, over real HTTP, and the row that is stored for it."""

from __future__ import annotations

import json

import pytest

from ragdash.core.call import Endpoint, Level
from ragdash.core.score import ScoreStatus
from ragdash.llm.client import EndpointClient
from ragdash.llm.loopback import Loopback, Sent, answering, completion, failing
from ragdash.metrics.answer_relevancy import METRIC as RELEVANCY
from ragdash.metrics.context_relevance import METRIC as CONTEXT
from ragdash.metrics.faithfulness import METRIC as FAITHFULNESS

ZH = "2023年营业收入为1,476.94亿元，归母净利润为747.34亿元。"
CHUNKS = ("营业收入 | 147,693,604,994.14", "归属于上市公司股东的净利润 | 74,734,071,550.75")
CLAIMS = {
    "claims": [
        {"claim": "2023年营业收入为1,476.94亿元", "quote": "营业收入为1,476.94亿元"},
        {"claim": "2023年归母净利润为747.34亿元", "quote": "归母净利润为747.34亿元"},
    ]
}
GOOD = {
    "verdicts": [
        {"id": 1, "verdict": "supported", "quote": "147,693,604,994.14"},
        {"id": 2, "verdict": "supported", "quote": "74,734,071,550.75"},
    ]
}
GRADED = {"grades": [{"id": 1, "grade": 3}, {"id": 2, "grade": 0}]}


def said(word: object) -> Sent:
    verdicts = [{"id": i, "verdict": word, "quote": ""} for i in (1, 2)]
    return answering({"verdicts": verdicts})


def numbered(*ids: object) -> Sent:
    items = ", ".join(f'{{"id": {i}, "verdict": "supported", "quote": "营业收入"}}' for i in ids)
    return answering(f'{{"verdicts": [{items}]}}')


@pytest.fixture
def judge():
    """`judge(server)` -> the real client, with two tries and half a second each."""
    made: list[EndpointClient] = []

    def client(server: Loopback, level: Level = Level.JSON_SCHEMA) -> EndpointClient:
        endpoint = Endpoint(server.url, "judge", tries=2, timeout=0.5)
        made.append(EndpointClient(endpoint, level=level))
        return made[-1]

    yield client
    for each in made:
        each.close()


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize(
    "shown",
    [
        "{}",
        "```json\n{}\n```",
        "<think>1 似乎是 {{否}}</think>\n{}",
        "判断如下：\n{}\n以上。",
    ],
)
def test_i10_a_fence_a_thought_and_prose_are_stripped_and_the_verdicts_counted(
    observe, judge, level, shown
) -> None:
    told = [answering(shown.format(json.dumps(x, ensure_ascii=False))) for x in (CLAIMS, GOOD)]
    with Loopback(*told) as server:
        score = FAITHFULNESS.score(observe(ZH, CHUNKS, judge(server, level)))
        assert (score.value, server.n_asked) == (1.0, 2)


@pytest.mark.parametrize(
    ("bad", "reasons", "asked"),
    [
        (answering("抱歉"), {"invalid_json"}, 2),
        (answering('{"verdicts": [{"id": 1, "verdict": "supp', "length"), {"truncated"}, 3),
        (answering(GOOD, "content_filter"), {"filtered"}, 2),
        (answering(None, refusal="I cannot judge this."), {"judge_refused"}, 2),
        (answering(""), {"empty"}, 2),
        (Sent({**completion("x"), "choices": []}), {"empty"}, 2),
        (Sent("<html>login</html>"), {"bad_response"}, 2),
        (Sent({"error": {"message": "no such deployment"}}), {"bad_response"}, 2),
        (failing(401), {"rejected"}, 2),
        (failing(503), {"server_error"}, 3),
        (failing(429, retry_after="0"), {"rate_limited"}, 3),
        (failing(429, retry_after="9999"), {"rate_limited"}, 2),
        (answering(GOOD, delay=0.8), {"timeout"}, 3),
        (numbered("NaN", 2), {"out_of_range"}, 3),
        (numbered("true", 2), {"out_of_range"}, 3),
        (numbered('"1"', 2), {"out_of_range"}, 3),
        (numbered("1.5", 2), {"out_of_range"}, 3),
        (numbered(1), {"verdict_mismatch"}, 4),
        (numbered(0, 1), {"verdict_mismatch"}, 4),
        (numbered(1, 1), {"verdict_mismatch"}, 4),
        (numbered(1, 2, 3), {"verdict_mismatch"}, 4),
        (numbered(), {"verdict_mismatch"}, 4),
        (said("否"), {"out_of_range", "invalid_json"}, None),
        (said("是"), {"out_of_range", "invalid_json"}, None),
        (said("支持"), {"out_of_range", "invalid_json"}, None),
    ],
)
def test_a_bad_verdict_reply_is_a_stored_error_after_as_many_requests_as_it_is_worth(
    observe, judge, bad, reasons, asked
) -> None:
    with Loopback(answering(CLAIMS), bad) as server:
        score = FAITHFULNESS.score(observe(ZH, CHUNKS, judge(server)))
        assert (score.value, score.status) == (None, ScoreStatus.ERROR)
        assert score.reason in reasons
        assert asked is None or server.n_asked == asked


def test_verdicts_that_come_right_at_the_third_time_are_counted(observe, judge) -> None:
    with Loopback(answering(CLAIMS), numbered(1), numbered(7), answering(GOOD)) as server:
        score = FAITHFULNESS.score(observe(ZH, CHUNKS, judge(server)))
        assert (score.value, server.n_asked) == (1.0, 4)
        assert score.evidence["mismatches"] == [[1], [7]]


def test_a_grade_out_of_range_is_asked_once_more_and_the_right_one_taken(observe, judge) -> None:
    bad = answering({"grades": [{"id": 1, "grade": 7}, {"id": 2, "grade": 0}]})
    with Loopback(bad, answering(GRADED)) as server:
        score = CONTEXT.score(observe(ZH, CHUNKS, judge(server)))
        assert (score.value, server.n_asked) == (0.5, 2)
    with Loopback(bad) as server:
        score = CONTEXT.score(observe(ZH, CHUNKS, judge(server)))
        assert (score.value, score.reason, server.n_asked) == (None, "out_of_range", 2)


def test_labelled_lines_are_enough_for_a_flat_reply(observe, judge) -> None:
    """The aspects are three words: a model that keeps to no JSON can give them all the same."""
    lines = "company: addressed\nmetric: addressed\nperiod：not_addressed"
    with Loopback(answering(lines)) as server:
        score = RELEVANCY.score(observe(ZH, (), judge(server, Level.TEXT)))
        assert (score.value, score.reason) == (0.5, "partly_addressed")


def test_i44_temperature_and_seed_are_sent_with_every_question(observe, judge) -> None:
    with Loopback(answering(CLAIMS), answering(GOOD)) as server:
        FAITHFULNESS.score(observe(ZH, CHUNKS, judge(server)))
        assert [(a.body["temperature"], a.body["seed"]) for a in server.asked] == [(0, 0)] * 2


def test_i46_the_schema_that_is_sent_is_a_strict_one_and_no_tool(observe, judge) -> None:
    with Loopback(answering(CLAIMS), answering(GOOD)) as server:
        FAITHFULNESS.score(observe(ZH, CHUNKS, judge(server)))
        for asked in server.asked:
            form = asked.body["response_format"]["json_schema"]
            assert "tools" not in asked.body
            assert form["strict"] is True
            # Strict endpoints refuse a schema that bounds the length of a string.
            assert "Length" not in json.dumps(form["schema"])
            assert "description" not in json.dumps(form["schema"])
