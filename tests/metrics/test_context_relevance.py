"""Context relevance: a grade for each visible chunk, the mean and the ranks by us."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.contract import REFUSAL_ZH
from ragdash.core.answer import AnswerStatus
from ragdash.core.call import CallReason
from ragdash.core.score import ScoreStatus
from ragdash.metrics.context_relevance import METRIC, Grades, average_precision
from ragdash.metrics.prompts import GRADES

ZH = ("营业收入 | 147,693,604,994.14", "公司地址在仁怀市", "营业收入 | 124,099,843,771.99")
EN = ("Total net sales | $ 394,328", "The Company was founded in 1977.", "Net sales | $ 365,817")


def graded(*grades: int) -> dict[str, object]:
    return {"grades": [{"id": i, "grade": g} for i, g in enumerate(grades, 1)]}


@pytest.mark.parametrize(("lang", "chunks"), [("zh", ZH), ("en", EN)])
def test_the_value_is_the_mean_grade_over_three_with_the_ranks_beside_it(
    observe, build, lang, chunks
) -> None:
    judge = build.make_client({"grades": graded(3, 0, 2)["grades"][::-1]})
    score = METRIC.score(observe("好", chunks, judge, lang=lang, repeat=1))
    assert score.value == pytest.approx(5 / 9)
    assert score.evidence["grades"] == [
        {"chunk": 1, "grade": 3},
        {"chunk": 2, "grade": 0},
        {"chunk": 3, "grade": 2},
    ]
    # relevant at ranks 1 and 3: (1/1 + 2/3) / 2
    assert score.evidence["average_precision"] == pytest.approx(5 / 6)
    assert (score.repeat, score.judge) == (1, judge.name)
    (request,) = judge.asked
    sent = request.messages[1].content
    assert all(body in sent for body in chunks)
    assert ("片段3|" if lang == "zh" else "Chunk 3|") in sent
    assert request.messages[0].content == GRADES.system[lang]


@pytest.mark.parametrize("chunks", [(), ("",), (" \n", "　")])
def test_nothing_retrieved_is_0_and_nobody_is_asked(observe, build, chunks) -> None:
    judge = build.make_client(CallReason.TIMEOUT)
    score = METRIC.score(observe("好", chunks, judge))
    assert (score.value, score.reason, judge.asked) == (0.0, "empty_context", [])


def test_a_retrieval_that_failed_is_an_error_and_no_0(observe, build) -> None:
    from dataclasses import replace

    seen = observe("好", (), build.make_client(CallReason.TIMEOUT))
    failed = replace(seen.answer, text="", status=AnswerStatus.ERROR, reason="retrieval_failed")
    score = METRIC.score(replace(seen, answer=failed))
    assert (score.status, score.reason) == (ScoreStatus.ERROR, "retrieval_failed")


def test_a_refusal_leaves_the_context_to_be_judged_and_a_no_answer_question_does_not(
    observe, build
) -> None:
    from dataclasses import replace

    seen = observe(REFUSAL_ZH, ZH, build.make_client(graded(3, 3, 3)))
    assert METRIC.score(seen).value == 1
    no_answer = replace(seen, question=build.make_question(gold=(), evidence=(), answerable=False))
    assert METRIC.score(no_answer).reason == "unanswerable"


@pytest.mark.parametrize(
    "reply",
    [
        graded(3, 3),
        graded(3, 3, 3, 3),
        {"grades": []},
        {"grades": [{"id": 0, "grade": 3}, {"id": 1, "grade": 3}, {"id": 2, "grade": 3}]},
        {"grades": [{"id": 1, "grade": 3}, {"id": 1, "grade": 3}, {"id": 2, "grade": 3}]},
    ],
)
def test_i01_numbers_that_are_not_1_to_n_are_asked_again_twice_and_then_an_error(
    observe, build, reply
) -> None:
    judge = build.make_client(reply)
    score = METRIC.score(observe("好", ZH, judge))
    assert (score.value, score.reason) == (None, "verdict_mismatch")
    assert len(judge.asked) == 3
    judge = build.make_client(reply, reply, graded(0, 1, 2))
    assert METRIC.score(observe("好", ZH, judge)).value == pytest.approx(1 / 3)


@pytest.mark.parametrize("grade", ["7", "4", "-1", "NaN", '"2"', "true", "null", "2.5", "Infinity"])
def test_i07_a_grade_outside_the_scale_is_refused(observe, build, grade) -> None:
    text = f'{{"grades": [{{"id": 1, "grade": {grade}}}]}}'
    score = METRIC.score(observe("好", ZH[:1], build.make_client(text)))
    assert (score.value, score.reason) == (None, "out_of_range")


@pytest.mark.parametrize("reason", [r for r in CallReason if r])
def test_i39_a_failed_call_is_an_error_with_its_reason(observe, build, reason) -> None:
    score = METRIC.score(observe("好", ZH, build.make_client(reason)))
    assert (score.status, score.reason) == (ScoreStatus.ERROR, reason.value)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_i29_the_example_of_the_prompt_is_a_reply(lang) -> None:
    examples = [line for line in GRADES.system[lang].splitlines() if line.startswith("{")]
    assert examples
    for line in examples:
        Grades.model_validate_json(line, strict=True)


def ap_by_definition(grades: list[int]) -> float:
    relevant = [g >= 2 for g in grades]
    at = [sum(relevant[: k + 1]) / (k + 1) for k in range(len(grades)) if relevant[k]]
    return sum(at) / len(at) if at else 0.0


@given(st.lists(st.integers(0, 3), max_size=12))
def test_average_precision_is_that_of_the_definition_and_best_when_sorted(grades) -> None:
    assert average_precision(grades) == pytest.approx(ap_by_definition(grades))
    best = sorted(grades, reverse=True)
    assert average_precision(best) == (1.0 if any(g >= 2 for g in grades) else 0.0)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=8))
def test_a_relevant_chunk_moved_up_never_lowers_the_average_precision(grades) -> None:
    for i, (above, below) in enumerate(pairwise(grades)):
        if below >= 2 > above:
            moved = [*grades[:i], below, above, *grades[i + 2 :]]
            assert average_precision(moved) >= average_precision(grades)
