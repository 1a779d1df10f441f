"""Answer relevancy: three codes by the judge, the grade by us."""

from __future__ import annotations

import itertools
import json

import pytest
from pydantic import ValidationError

from ragdash.contract import REFUSAL_EN, REFUSAL_ZH
from ragdash.core.call import CallReason
from ragdash.core.score import ScoreStatus
from ragdash.metrics.answer_relevancy import METRIC, Aspects
from ragdash.metrics.prompts import ASPECTS

ZH = "2023年营业收入为1,476.94亿元(贵州茅台·2023年报·P21)。"
EN = "Revenue was $394.3 billion (Apple·FY2022 10-K·P21)."
YES, NO, NOT = "addressed", "not_addressed", "not_asked"


def codes(company: str, metric: str, period: str) -> dict[str, str]:
    return {"company": company, "metric": metric, "period": period}


@pytest.mark.parametrize(
    ("found", "value", "reason"),
    [
        (codes(YES, YES, YES), 1.0, ""),
        (codes(NOT, YES, NOT), 1.0, ""),
        (codes(YES, NO, YES), 0.5, "partly_addressed"),
        (codes(NO, YES, NOT), 0.5, "partly_addressed"),
        (codes(NO, NO, NO), 0.0, "not_addressed"),
        (codes(NOT, NO, NOT), 0.0, "not_addressed"),
    ],
)
@pytest.mark.parametrize(("lang", "answer"), [("zh", ZH), ("en", EN)])
def test_the_grade_follows_from_what_is_addressed(
    observe, build, found, value, reason, lang, answer
) -> None:
    score = METRIC.score(observe(answer, (), build.make_client(found), lang=lang, repeat=1))
    assert (score.value, score.reason, score.repeat) == (value, reason, 1)
    assert score.evidence == found


def test_every_set_of_codes_has_one_of_three_grades(observe, build) -> None:
    for found in itertools.product((YES, NO, NOT), (YES, NO), (YES, NO, NOT)):
        score = METRIC.score(observe(ZH, (), build.make_client(codes(*found))))
        assert score.value in (0.0, 0.5, 1.0)
        assert (score.value == 1) == (NO not in found)


@pytest.mark.parametrize(("lang", "answer"), [("zh", ZH), ("en", EN)])
def test_the_judge_sees_question_and_answer_and_no_chunk(observe, build, lang, answer) -> None:
    judge = build.make_client(codes(YES, YES, YES))
    seen = observe(answer, ("机密片段 SECRET-CHUNK",), judge, lang=lang)
    METRIC.score(seen)
    (request,) = judge.asked
    sent = "".join(m.content for m in request.messages)
    assert seen.question.text in sent
    assert answer in sent
    assert "SECRET-CHUNK" not in sent
    assert request.messages[0].content == ASPECTS.system[lang]
    assert request.prompt_digest == ASPECTS.digest


@pytest.mark.parametrize(("lang", "text"), [("zh", REFUSAL_ZH), ("en", REFUSAL_EN)])
def test_i04_a_refusal_is_not_applicable(observe, build, lang, text) -> None:
    judge = build.make_client(CallReason.TIMEOUT)
    score = METRIC.score(observe(text, (), judge, lang=lang))
    assert (score.status, score.reason) == (ScoreStatus.NOT_APPLICABLE, "refused")
    assert judge.asked == []


@pytest.mark.parametrize(
    "reply",
    [
        {"score": 7},
        {"score": 0.5},
        {"company": 1, "metric": 1, "period": 1},
        {"company": True, "metric": True, "period": True},
        {"company": "是", "metric": "是", "period": "是"},
        {"company": "addressed", "metric": "not_asked", "period": "addressed"},
        {"company": "addressed", "metric": "addressed"},
        {"company": "addressed", "metric": "addressed", "period": "addressed", "score": 1},
        {"company": "addressed", "metric": "addressed", "period": None},
    ],
)
def test_i07_a_number_or_a_word_of_its_own_is_no_grade(observe, build, reply) -> None:
    with pytest.raises(ValidationError):
        Aspects.model_validate_json(json.dumps(reply))
    score = METRIC.score(observe(ZH, (), build.make_client(reply)))
    assert (score.value, score.status) == (None, ScoreStatus.ERROR)
    assert score.reason in ("out_of_range", "invalid_json")


@pytest.mark.parametrize("reason", [r for r in CallReason if r])
def test_i39_a_failed_call_is_no_half(observe, build, reason) -> None:
    score = METRIC.score(observe(EN, (), build.make_client(reason), lang="en"))
    assert (score.value, score.reason) == (None, reason.value)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_i29_the_example_of_the_prompt_is_a_reply(lang) -> None:
    examples = [line for line in ASPECTS.system[lang].splitlines() if line.startswith("{")]
    assert examples
    for line in examples:
        Aspects.model_validate_json(line, strict=True)


def test_i37_an_answer_that_is_not_there_is_an_error(observe, build) -> None:
    score = METRIC.score(observe("  ", (), build.make_client(CallReason.TIMEOUT)))
    assert (score.status, score.reason) == (ScoreStatus.ERROR, "no_output")


def test_without_a_judge_nothing_is_measured(observe) -> None:
    assert METRIC.score(observe(ZH)).reason == "not_judged"
