"""Faithfulness: every verdict is counted here, and none is believed without its quote."""

from __future__ import annotations

import json
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from ragdash.contract import REFUSAL_EN, REFUSAL_ZH
from ragdash.core.call import CallReason
from ragdash.core.score import ScoreStatus
from ragdash.metrics.faithfulness import METRIC, MOST_CLAIMS, Claims, Verdicts, listed
from ragdash.metrics.prompts import CLAIMS, VERDICTS

ZH = "2023年营业收入为1,476.94亿元，归母净利润为747.34亿元(贵州茅台·2023年报·P21)。"
ZH_CHUNKS = (
    "单位：元\n营业收入 | 147,693,604,994.14 | 124,099,843,771.99",
    "单位：元\n归属于上市公司股东的净利润 | 74,734,071,550.75",
)
ZH_CLAIMS = {
    "claims": [
        {"claim": "贵州茅台2023年营业收入为1,476.94亿元", "quote": "营业收入为1,476.94亿元"},
        {"claim": "贵州茅台2023年归母净利润为747.34亿元", "quote": "归母净利润为747.34亿元"},
    ]
}
EN = "Revenue was $394.3 billion in fiscal 2022; net income was $99.8 billion."
EN_CHUNKS = ("(In millions)\nTotal net sales | $ 394,328", "(In millions)\nNet income | $ 99,803")
EN_CLAIMS = {
    "claims": [
        {"claim": "Revenue was $394.3 billion in FY2022", "quote": "Revenue was $394.3 billion"},
        {"claim": "Net income was $99.8 billion", "quote": "net income was $99.8 billion"},
    ]
}


def said(*verdicts: tuple[int, str, str]):
    return {"verdicts": [{"id": i, "verdict": v, "quote": q} for i, v, q in verdicts]}


def claims_of(*sentences: str):
    return {"claims": [{"claim": s, "quote": s} for s in sentences]}


@pytest.mark.parametrize(
    ("lang", "answer", "chunks", "claims", "quotes"),
    [
        ("zh", ZH, ZH_CHUNKS, ZH_CLAIMS, ("收入 147,693,604,994.14", "净利润｜74,734,071,550.75")),
        ("en", EN, EN_CHUNKS, EN_CLAIMS, ("Total net sales | $394,328", "net income  |  $ 99,803")),
    ],
)
def test_supported_claims_are_counted_with_the_chunk_that_holds_each_quote(
    observe, build, lang, answer, chunks, claims, quotes
) -> None:
    replies = said((2, "supported", quotes[1]), (1, "supported", quotes[0]))
    judge = build.make_client(claims, replies)
    score = METRIC.score(observe(answer, chunks, judge, lang=lang, repeat=2))
    assert (score.value, score.reason, score.repeat) == (1.0, "", 2)
    assert score.judge == judge.name
    assert [c["chunk"] for c in score.evidence["claims"]] == [1, 2]
    assert [r.repeat for r in judge.asked] == [2, 2]


@pytest.mark.parametrize(
    ("lang", "answer", "chunks", "claims", "other"),
    [
        ("zh", ZH, ZH_CHUNKS, ZH_CLAIMS, "营业收入 | 147,693,604,994.14"),
        ("en", EN, EN_CHUNKS, EN_CLAIMS, "Total net sales | $ 394,328"),
    ],
)
def test_a_contradiction_lowers_the_share(observe, build, lang, answer, chunks, claims, other):
    judge = build.make_client(claims, said((1, "supported", other), (2, "contradicted", "")))
    score = METRIC.score(observe(answer, chunks, judge, lang=lang))
    assert (score.value, score.reason) == (0.5, "contradicted")


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_i01_one_verdict_for_five_claims_is_asked_again_and_then_an_error(
    observe, build, lang
) -> None:
    answer = (
        "收入为1亿元。利润为2亿元。成本为3亿元。费用为4亿元。现金为5亿元。"
        if lang == "zh"
        else "Revenue is $1 million. Profit is $2 million. Cost is $3 million. "
        "Expense is $4 million. Cash is $5 million."
    )
    parts = re.findall(r"[^。]+。" if lang == "zh" else r"\S.*?million\.", answer)
    assert len(parts) == 5
    only = said((1, "supported", parts[0]))
    judge = build.make_client(claims_of(*parts), only)
    score = METRIC.score(observe(answer, [answer], judge, lang=lang))
    assert (score.value, score.status) == (None, ScoreStatus.ERROR)
    assert score.reason == "verdict_mismatch"
    assert score.evidence["mismatches"] == [[1], [1], [1]]
    # The claims once, the verdicts three times, each a request of its own for the cache.
    assert [r.purpose for r in judge.asked] == [CLAIMS.name] + [VERDICTS.name] * 3
    assert len({r.messages for r in judge.asked}) == 4
    assert [r.part for r in judge.asked] == [0, 0, 1, 2]


def test_i01_the_right_numbers_at_the_second_try_are_taken(observe, build) -> None:
    right = said((1, "supported", "营业收入 | 147,693,604,994.14"), (2, "not_in_context", ""))
    for wrong in (
        said((0, "supported", "营业收入"), (1, "supported", "营业收入")),
        said((1, "supported", ""), (1, "supported", "")),
        said((1, "supported", ""), (2, "supported", ""), (3, "supported", "")),
        said(),
    ):
        judge = build.make_client(ZH_CLAIMS, wrong, right)
        score = METRIC.score(observe(ZH, ZH_CHUNKS, judge))
        assert (score.value, score.reason) == (0.5, "not_in_context")
        assert len(score.evidence["mismatches"]) == 1
        assert "1 到 2" in judge.asked[-1].messages[-1].content


@pytest.mark.parametrize("chunks", [(), ("",), (" \n\t",), ("", "　")])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_i03_i38_an_answer_on_an_empty_context_is_0_and_nobody_is_asked(
    observe, build, chunks, lang
) -> None:
    judge = build.make_client(CallReason.TIMEOUT)
    score = METRIC.score(observe(ZH if lang == "zh" else EN, chunks, judge, lang=lang))
    assert (score.value, score.reason) == (0.0, "empty_context")
    assert judge.asked == []


@pytest.mark.parametrize(("lang", "text"), [("zh", REFUSAL_ZH), ("en", REFUSAL_EN + ".")])
def test_i04_i33_a_refusal_is_not_applicable_and_nobody_is_asked(observe, build, lang, text):
    judge = build.make_client(CallReason.TIMEOUT)
    score = METRIC.score(observe(text, ZH_CHUNKS, judge, lang=lang))
    assert (score.value, score.status) == (None, ScoreStatus.NOT_APPLICABLE)
    assert score.reason == "refused"
    assert judge.asked == []


@pytest.mark.parametrize(
    ("lang", "answer", "chunk"),
    [
        (
            "zh",
            "营业收入增长。净利润下降！毛利率为91.96%。",
            "营业收入增长，净利润下降，毛利率为91.96%。",
        ),
        (
            "en",
            "Revenue grew to $5 million. Profit fell by $2 million! Margin was 91.96%.",
            "Revenue grew to $5 million, profit fell by $2 million, margin was 91.96%.",
        ),
    ],
)
def test_i05_three_sentences_are_three_claims_even_where_the_judge_lists_one(
    observe, build, lang, answer, chunk
) -> None:
    first = re.split(r"[。.](?=\s|净)", answer)[0]
    verdicts = said(*((i, "supported", first) for i in (1, 2, 3)))
    judge = build.make_client(claims_of(first), verdicts)
    score = METRIC.score(observe(answer, [chunk], judge, lang=lang))
    assert score.evidence["n"] == 3
    assert [c["added"] for c in score.evidence["claims"]] == [False, True, True]


@pytest.mark.parametrize(
    ("answer", "quotes", "added"),
    [
        ("营业收入为1,476.94亿元。", ["营业收入为1,476.94"], 0),
        ("营业收入为1,476.94亿元。", ["营业收入"], 1),
        ("营业收入为1,476.94亿元，净利润为747.34亿元。", ["营业收入为1,476.94亿元"], 1),
        ("营业收入为十二亿元。", ["营业收入为十二亿元"], 0),
        ("好的，以下是回答：\n营业收入为5亿元。", ["营业收入为5亿元"], 0),
        ("净利润下降。希望对您有帮助。", [], 1),
        ("Revenue was $5.2 million. I hope this helps.", ["Revenue was $5.2"], 0),
        ("Revenue was $5.2 million; net income was $1.1 million.", ["Revenue was $5.2 million"], 1),
        ("Net income fell sharply. Thank you.", [], 1),
        ("Here is the answer:\nRevenue was $5 million.", ["Revenue was $5 million"], 0),
    ],
)
def test_a_figure_or_a_statement_that_the_judge_left_out_is_a_claim(answer, quotes, added) -> None:
    found = listed(answer, Claims.model_validate(claims_of(*quotes)))
    assert sum(by_us for _, by_us in found.claims) == added


@pytest.mark.parametrize("reason", [r for r in CallReason if r])
def test_i06_i22_i39_a_call_that_fails_is_an_error_with_its_reason_at_either_step(
    observe, build, reason
) -> None:
    for replies in ((reason,), (ZH_CLAIMS, reason)):
        score = METRIC.score(observe(ZH, ZH_CHUNKS, build.make_client(*replies)))
        assert (score.value, score.status) == (None, ScoreStatus.ERROR)
        assert score.reason == reason.value


@pytest.mark.parametrize("word", ["是", "否", "支持", "yes", "Supported", True, 1, None, 0.5])
def test_i07_i24_a_verdict_that_is_none_of_the_codes_never_counts(observe, build, word) -> None:
    """是 and 否 are both truthy: with a library that reads truth, 否 is faithful."""
    replies = {"verdicts": [{"id": i, "verdict": word, "quote": "营业收入"} for i in (1, 2)]}
    with pytest.raises(ValidationError):
        Verdicts.model_validate_json(json.dumps(replies))
    score = METRIC.score(observe(ZH, ZH_CHUNKS, build.make_client(ZH_CLAIMS, replies)))
    assert (score.value, score.status) == (None, ScoreStatus.ERROR)
    assert score.reason in ("out_of_range", "invalid_json")


@pytest.mark.parametrize("number", ["NaN", "1.5", '"1"', "true", "null", "-1", "1e999"])
def test_i07_a_number_that_is_none_is_refused(observe, build, number) -> None:
    text = f'{{"verdicts": [{{"id": {number}, "verdict": "supported", "quote": "营业收入"}}]}}'
    with pytest.raises(ValidationError):
        Verdicts.model_validate_json(text)
    score = METRIC.score(observe(ZH, ZH_CHUNKS, build.make_client(ZH_CLAIMS, text)))
    assert (score.status, score.reason) == (ScoreStatus.ERROR, "out_of_range")


def test_i27_i28_one_bad_reply_among_six_leaves_five_scored(observe, build) -> None:
    good = said((1, "supported", "147,693,604,994.14"), (2, "supported", "74,734,071,550.75"))
    scores = []
    for i in range(6):
        judge = build.make_client(ZH_CLAIMS, "抱歉" if i == 3 else good)
        scores.append(METRIC.score(observe(ZH, ZH_CHUNKS, judge)))
    assert [s.value for s in scores] == [1.0, 1.0, 1.0, None, 1.0, 1.0]
    assert scores[3].reason == "invalid_json"


@pytest.mark.parametrize("prompt_schema", [(CLAIMS, Claims), (VERDICTS, Verdicts)])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_i29_every_example_of_a_prompt_is_a_reply_of_its_schema(prompt_schema, lang) -> None:
    prompt, schema = prompt_schema
    examples = [line for line in prompt.system[lang].splitlines() if line.startswith("{")]
    assert examples
    for line in examples:
        schema.model_validate_json(line, strict=True)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_i30_what_an_answer_leaves_out_costs_nothing(observe, build, lang) -> None:
    facts = [f"第{i}项指标为{i}00亿元" for i in range(1, 11)]
    stop = "。"
    if lang == "en":
        facts = [f"Item {i} was ${i}00 million" for i in range(1, 11)]
        stop = ". "
    answer, chunk = stop.join(facts[:5]) + stop.strip(), stop.join(facts)
    verdicts = said(*((i, "supported", fact) for i, fact in enumerate(facts[:5], 1)))
    judge = build.make_client(claims_of(*facts[:5]), verdicts)
    score = METRIC.score(observe(answer, [chunk], judge, lang=lang))
    assert (score.value, score.evidence["n"]) == (1.0, 5)


def test_i31_the_place_in_a_batch_changes_nothing(observe, build) -> None:
    def reply(request):
        if request.purpose == CLAIMS.name:
            return ZH_CLAIMS
        return said((1, "supported", "147,693,604,994.14"), (2, "not_in_context", ""))

    judge = build.make_client(reply)
    batch = [observe(ZH if i in (0, 22) else ZH * (i % 3 + 1), ZH_CHUNKS, judge) for i in range(23)]
    in_order = [METRIC.score(seen) for seen in batch]
    asked = judge.asked[:2]
    assert judge.asked[-2:] == asked
    shuffled = list(enumerate(batch))
    random.Random(7).shuffle(shuffled)
    again = {i: METRIC.score(seen) for i, seen in shuffled}
    assert in_order[0] == in_order[22]
    assert [again[i] for i in range(23)] == in_order


@pytest.mark.parametrize(
    ("lang", "answer", "chunks", "claims", "invented"),
    [
        ("zh", ZH, ZH_CHUNKS, ZH_CLAIMS, "毛利率为91.96%"),
        ("en", EN, EN_CHUNKS, EN_CLAIMS, "Gross margin was 43.3%"),
    ],
)
def test_i34_a_claim_that_the_answer_does_not_make_is_dropped_and_counted(
    observe, build, lang, answer, chunks, claims, invented
) -> None:
    listed_ = {"claims": [{"claim": invented, "quote": invented}, *claims["claims"]]}
    verdicts = said((1, "not_in_context", ""), (2, "not_in_context", ""))
    score = METRIC.score(observe(answer, chunks, build.make_client(listed_, verdicts), lang=lang))
    assert score.value == 0
    assert (score.evidence["n"], score.evidence["n_dropped"]) == (2, 1)
    assert score.evidence["dropped"][0]["claim"] == invented


@pytest.mark.parametrize(("lang", "text"), [("zh", "好的。"), ("en", "Sure.")])
def test_i35_an_answer_without_a_claim_is_undefined(observe, build, lang, text) -> None:
    judge = build.make_client({"claims": []})
    score = METRIC.score(observe(text, ZH_CHUNKS, judge, lang=lang))
    assert (score.value, score.status) == (None, ScoreStatus.UNDEFINED)
    assert score.reason == "no_claims"


def test_i35_a_citation_alone_is_no_claim_and_nobody_is_asked(observe, build) -> None:
    judge = build.make_client(CallReason.TIMEOUT)
    score = METRIC.score(observe("(贵州茅台·2023年报·P21)。", ZH_CHUNKS, judge))
    assert score.reason == "no_claims"
    assert judge.asked == []


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("zh", "2023年营业收入\n为1,476.94亿元"),
        ("en", "Revenue in fiscal 2022\nwas $394.3 billion"),
    ],
)
def test_i36_a_claim_over_two_lines_is_one(observe, build, lang, text) -> None:
    judge = build.make_client(claims_of(text), said((1, "supported", "994.14")))
    score = METRIC.score(observe(text, ZH_CHUNKS, judge, lang=lang))
    assert score.evidence["n"] == 1


def test_a_supported_verdict_needs_a_quote_that_is_there(observe, build) -> None:
    for quote in ("", "营业收入 | 999", "47,693,604,994.14", "元", "147,693,604,994"):
        verdicts = said((1, "supported", quote), (2, "supported", "74,734,071,550.75"))
        score = METRIC.score(observe(ZH, ZH_CHUNKS, build.make_client(ZH_CLAIMS, verdicts)))
        assert (score.value, score.reason) == (0.5, "no_quote"), quote
        assert score.evidence["claims"][0]["quote_found"] is False


def test_a_quote_from_the_answer_or_the_head_of_a_chunk_supports_nothing(observe, build) -> None:
    for quote in ("营业收入为1,476.94亿元", "贵州茅台·2023年报"):
        verdicts = said((1, "supported", quote), (2, "supported", quote))
        score = METRIC.score(observe(ZH, ZH_CHUNKS, build.make_client(ZH_CLAIMS, verdicts)))
        assert score.value == 0


def test_the_same_claim_twice_is_judged_once(observe, build) -> None:
    twice = {"claims": ZH_CLAIMS["claims"] * 2}
    verdicts = said((1, "supported", "147,693,604,994.14"), (2, "not_in_context", ""))
    score = METRIC.score(observe(ZH, ZH_CHUNKS, build.make_client(twice, verdicts)))
    assert (score.value, score.evidence["n_repeated"]) == (0.5, 2)


def test_more_claims_than_one_reply_holds_are_an_error_that_says_so(observe, build) -> None:
    parts = [f"第{i}项为{i}亿元" for i in range(1, MOST_CLAIMS + 2)]
    judge = build.make_client(claims_of(*parts))
    score = METRIC.score(observe("。".join(parts), ZH_CHUNKS, judge))
    assert (score.status, score.reason) == (ScoreStatus.ERROR, "too_many_claims")
    assert score.evidence == {"n": MOST_CLAIMS + 1, "most": MOST_CLAIMS}


def test_without_a_judge_nothing_is_measured(observe) -> None:
    score = METRIC.score(observe(ZH, ZH_CHUNKS))
    assert (score.status, score.reason) == (ScoreStatus.UNDEFINED, "not_judged")


@pytest.mark.parametrize(("lang", "answer"), [("zh", ZH), ("en", EN)])
def test_i24_the_judge_is_asked_in_the_language_of_the_question(observe, build, lang, answer):
    judge = build.make_client({"claims": []})
    METRIC.score(observe(answer, ZH_CHUNKS, judge, lang=lang))
    system, user = judge.asked[0].messages
    assert system.content == CLAIMS.system[lang]
    assert user.content.startswith("标记：" if lang == "zh" else "MARK: ")
    assert "P21" not in user.content


NUMBERS = st.lists(st.integers(0, 8), max_size=8)


@settings(max_examples=150)
@given(
    ids=NUMBERS,
    n=st.integers(1, 6),
    given_=st.sampled_from(["supported", "contradicted", "not_in_context"]),
    quoted=st.booleans(),
)
def test_the_value_is_counted_here_and_is_never_1_where_a_number_is_missing(
    ids, n, given_, quoted
) -> None:
    """Any list of numbers: exactly 1..n is counted, everything else is an error."""
    observe, build = _bare()
    parts = [f"第{i}项收入为{i}亿元" for i in range(1, n + 1)]
    verdicts = said(*((i, given_, "第1项收入为1亿元" if quoted else "") for i in ids))
    judge = build.make_client(claims_of(*parts), verdicts)
    score = METRIC.score(observe("。".join(parts), ["。".join(parts)], judge))
    if sorted(ids) != list(range(1, n + 1)):
        assert (score.value, score.reason) == (None, "verdict_mismatch")
        assert len(judge.asked) == 4
    else:
        assert score.value == (1.0 if given_ == "supported" and quoted else 0.0)


@settings(max_examples=150)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["supported", "contradicted", "not_in_context"]),
            st.sampled_from(["", "第1项收入为1亿元", "第1项收入为11亿元"]),
        ),
        min_size=1,
        max_size=8,
    ),
    st.randoms(use_true_random=False),
)
def test_the_value_is_the_share_of_quoted_supports_in_any_order(verdicts, order) -> None:
    observe, build = _bare()
    parts = [f"第{i}项收入为{i}亿元" for i in range(1, len(verdicts) + 1)]
    rows = [(i, v, q) for i, (v, q) in enumerate(verdicts, 1)]
    order.shuffle(rows)
    judge = build.make_client(claims_of(*parts), said(*rows))
    score = METRIC.score(observe("。".join(parts), ["第1项收入为1亿元。"], judge))
    wanted = sum(v == "supported" and q == parts[0] for v, q in verdicts) / len(verdicts)
    assert score.value == pytest.approx(wanted)
    assert 0 <= score.value <= 1


@given(st.lists(st.tuples(st.text(max_size=12), st.text(max_size=12)), max_size=6))
def test_listed_claims_are_kept_dropped_or_repeated_and_none_vanishes(pairs) -> None:
    reply = Claims.model_validate({"claims": [{"claim": c, "quote": q} for c, q in pairs]})
    answer = "2023年营业收入为1,476.94亿元。"
    found = listed(answer, reply)
    own = [c for c, added in found.claims if not added]
    assert len(own) + len(found.dropped) + found.repeated == len(pairs)


_FIXTURES: dict[str, object] = {}


@pytest.fixture(autouse=True)
def _kept(observe, build):
    # Hypothesis does not hand function-scoped fixtures to a property; these hold no state.
    _FIXTURES.update(observe=observe, build=build)


def _bare():
    return _FIXTURES["observe"], _FIXTURES["build"]
