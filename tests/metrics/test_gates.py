"""Gates, outcome and headline number, on answers that look right and are not."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ragdash.contract import REFUSAL_ZH, parse_citations
from ragdash.core.answer import Answer, AnswerStatus
from ragdash.core.chunk import ChunkKind
from ragdash.core.question import Gold
from ragdash.core.retrieval import Mode, RankedChunk, RankTrace, Retrieval
from ragdash.core.run import Outcome
from ragdash.core.score import ScoreStatus
from ragdash.metrics import METRICS
from ragdash.metrics.base import Observation
from ragdash.metrics.outcome import caliber_reviewed, decide
from ragdash.metrics.qrels import by_page, gold_chunks, gold_ranks

CITE = "(贵州茅台·2023年报·P45)"
TABLE = (
    "单位：元\n项目 | 2023年 | 2022年\n营业收入 | 147,693,604,994.14 | 124,099,843,771.99\n"
    "营业总收入 | 150,560,330,316.45 | 127,553,959,355.97\n"
    "归属于上市公司股东的净利润 | 74,734,071,550.75 | 62,717,467,870.12\n"
    "归属于上市公司股东的扣除非经常性损益的净利润 | 74,752,564,425.52 | 62,791,816,600.00"
)


@pytest.fixture
def see(build):
    """`see(answer_text, ...)` -> an Observation over one visible statement table."""

    def observe(text: str, *, status=AnswerStatus.ANSWERED, question=None, chunk_text=TABLE):
        chunk = build.make_chunk(text=chunk_text, kind=ChunkKind.TABLE, unit_note="单位：元")
        question = question or build.make_question()
        trace = RankTrace(1, None, None, None, 1, in_context=True)
        retrieval = Retrieval(Mode.DENSE, question.id, (RankedChunk(chunk, trace),), 5, 0.0)
        gold = gold_chunks(question, by_page([chunk]))
        answer = Answer(text, status, parse_citations(text), "test")
        return Observation(question, retrieval, answer, gold_ranks(question, gold, retrieval), None)

    return observe


def scores_of(seen: Observation):
    return {m.name: m.score(seen) for m in METRICS}


def outcome_of(seen: Observation) -> Outcome:
    return decide(seen.question, seen.answer, scores_of(seen))


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (f"贵州茅台2023年营业收入为147,693,604,994.14元{CITE}。", Outcome.CORRECT),
        (f"贵州茅台2023年营业收入为1,476.94亿元{CITE}。", Outcome.CORRECT),
        (f"贵州茅台2023年营业收入为14,769,360.50万元{CITE}。", Outcome.CORRECT),
        (f"Revenue of 贵州茅台 in 2023 was RMB 147.69 billion {CITE}.", Outcome.CORRECT),
        (f"贵州茅台2023年营业收入为1,476.94万元{CITE}。", Outcome.WRONG),
        (f"贵州茅台2023年营业收入为147.69亿元{CITE}。", Outcome.WRONG),
        (f"贵州茅台2023年营业收入为-1,476.94亿元{CITE}。", Outcome.WRONG),
        (f"贵州茅台2023年营业总收入为1,505.60亿元{CITE}。", Outcome.WRONG),
        (f"Revenue of 贵州茅台 in 2023 was RMB 147.69 million {CITE}.", Outcome.WRONG),
        (f"贵州茅台的业务规模很大{CITE}。", Outcome.WRONG),
    ],
)
def test_outcome_follows_the_figure_its_unit_and_its_sign(see, text, outcome) -> None:
    assert outcome_of(see(text)) is outcome


def test_a_right_figure_under_a_sibling_label_is_wrong(see) -> None:
    seen = see(f"贵州茅台2023年扣除非经常性损益的净利润为147,693,604,994.14元{CITE}。")
    assert outcome_of(seen) is Outcome.WRONG
    assert scores_of(seen)["answer_accuracy"].value == 0


def test_a_right_figure_without_a_label_is_correct_but_unreviewed(see) -> None:
    seen = see("答：147,693,604,994.14元。", chunk_text="147,693,604,994.14")
    scores = scores_of(seen)
    assert decide(seen.question, seen.answer, scores) is Outcome.CORRECT
    assert scores["caliber"].reason == "needs_review"
    assert not caliber_reviewed(scores)


def test_a_refusal_is_not_right_and_has_no_other_scores(see) -> None:
    seen = see(REFUSAL_ZH + "。", status=AnswerStatus.REFUSED)
    scores = scores_of(seen)
    assert outcome_of(seen) is Outcome.ABSTAINED_WRONG
    assert scores["answer_accuracy"].value == 0
    assert scores["over_refusal"].value == 1
    for name in ("numeric_accuracy", "caliber", "has_citation", "faithfulness_similarity"):
        assert scores[name].status is ScoreStatus.NOT_APPLICABLE
        assert scores[name].reason == "refused"


def test_a_no_answer_question_enters_no_mean_but_refusal_success(see, build) -> None:
    question = build.make_question(gold=(), evidence=(), answerable=False)
    refused = see(REFUSAL_ZH, status=AnswerStatus.REFUSED, question=question)
    answered = see(f"营业收入为1元{CITE}。", question=question)
    assert outcome_of(refused) is Outcome.ABSTAINED_RIGHT
    assert outcome_of(answered) is Outcome.WRONG
    assert scores_of(refused)["refusal_success"].value == 1
    assert scores_of(answered)["refusal_success"].value == 0
    for name in ("answer_accuracy", "numeric_accuracy", "hit@5", "answer_relevancy_similarity"):
        assert scores_of(answered)[name].value is None


def test_a_missing_answer_is_an_error_and_never_a_zero(see) -> None:
    seen = see("", status=AnswerStatus.ERROR)
    assert outcome_of(seen) is Outcome.ERROR
    for name in ("answer_accuracy", "numeric_accuracy", "caliber", "has_citation"):
        assert scores_of(seen)[name].status is ScoreStatus.ERROR


def test_a_question_without_a_gold_figure_is_unscored(see, build) -> None:
    seen = see(f"主营茅台酒{CITE}。", question=build.make_question(gold=()))
    assert outcome_of(seen) is Outcome.UNSCORED
    assert scores_of(seen)["numeric_accuracy"].reason == "no_gold_amount"


def test_a_comparison_needs_every_figure(see, build) -> None:
    golds = (
        Gold(Decimal("147693604994.14"), "CNY", metric="营业收入", period="2023"),
        Gold(Decimal("124099843771.99"), "CNY", metric="营业收入", period="2022"),
    )
    question = build.make_question(gold=golds)
    both = f"2023年营业收入1,476.94亿元，2022年营业收入1,241.00亿元{CITE}。"
    one = f"2023年营业收入1,476.94亿元{CITE}。"
    assert outcome_of(see(both, question=question)) is Outcome.CORRECT
    assert outcome_of(see(one, question=question)) is Outcome.WRONG


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"营业收入为1,476.94亿元{CITE}。", (1, 1, 1, 1)),
        ("营业收入为1,476.94亿元。", (0, None, None, None)),
        ("营业收入为1,476.94亿元(贵州茅台·2023年报)。", (1, 0, 0, 0)),
        ("营业收入为1,476.94亿元(贵州茅台·2023年报·P46)。", (1, 1, 0, 0)),
        ("营业收入为1,476.94亿元(五粮液·2023年报·P45)。", (1, 1, 0, 0)),
        (f"营业收入为1,999.94亿元{CITE}。", (1, 1, 1, 0)),
    ],
)
def test_citations_are_there_well_formed_resolving_and_supporting(see, text, expected) -> None:
    scores = scores_of(see(text))
    names = ("has_citation", "citation_well_formed", "citation_resolves", "citation_supports")
    assert tuple(scores[n].value for n in names) == expected


def test_every_metric_gives_a_row_for_every_kind_of_answer(see, build) -> None:
    for seen in (
        see(f"营业收入为1元{CITE}。"),
        see(REFUSAL_ZH, status=AnswerStatus.REFUSED),
        see("", status=AnswerStatus.ERROR),
        see("答", question=build.make_question(gold=(), evidence=())),
    ):
        rows = scores_of(seen)
        assert len(rows) == len(METRICS)
        assert all((r.value is None) == (r.status is not ScoreStatus.SCORED) for r in rows.values())
        assert not [r for r in rows.values() if r.reason == "measurement_failed"]


def test_the_label_is_that_of_the_figure_stated_and_not_of_its_near_neighbour(see, build) -> None:
    """归母 and 扣非 lie within half a percent here: the digits say which one was answered."""
    gold = Gold(
        Decimal("74734071550.75"), "CNY", metric="归母净利润", attribution="归母", period="2023"
    )
    question = build.make_question(text="贵州茅台2023年归母净利润是多少？", gold=(gold,))
    taken = see(f"贵州茅台2023年归母净利润为74,752,564,425.52元{CITE}。", question=question)
    right = see(f"贵州茅台2023年归母净利润为74,734,071,550.75元{CITE}。", question=question)
    assert outcome_of(taken) is Outcome.WRONG
    assert scores_of(taken)["answer_accuracy"].value == 0
    assert outcome_of(right) is Outcome.CORRECT


def test_one_fitting_row_is_enough_where_two_rows_hold_the_same_number(see) -> None:
    """Most reports print 营业总收入 above 其中：营业收入 with the same figure."""
    table = (
        "单位：元\n项目 | 2023年\n一、营业总收入 | 147,693,604,994.14\n"
        "其中：营业收入 | 147,693,604,994.14"
    )
    seen = see(f"贵州茅台2023年营业收入为147,693,604,994.14元{CITE}。", chunk_text=table)
    assert outcome_of(seen) is Outcome.CORRECT
    assert scores_of(seen)["caliber"].value == 1


def test_a_figure_cited_from_another_company_is_wrong(see, build) -> None:
    question = build.make_question(company="五粮液", text="五粮液2023年营业收入是多少？")
    seen = see(f"营业收入为147,693,604,994.14元{CITE}。", question=question)
    assert outcome_of(seen) is Outcome.WRONG
    assert scores_of(seen)["caliber"].reason == "other_company"


@pytest.mark.parametrize(
    ("asked", "answered", "outcome"),
    [
        ("贵州茅台2023年营业收入是多少万元？", "147,693,604,994.14", Outcome.WRONG),
        ("贵州茅台2023年营业收入是多少万元？", "14,769,360.50", Outcome.CORRECT),
        ("贵州茅台2023年营业收入为多少？请以亿元为单位回答。", "1,476.94", Outcome.CORRECT),
        ("贵州茅台2023年营业收入为多少？请以亿元为单位回答。", "14,769,360.50", Outcome.WRONG),
        ("贵州茅台2023年营业收入是多少？", "147,693,604,994.14", Outcome.CORRECT),
        ("What was 贵州茅台's revenue in 2023 (in RMB millions)?", "147,693.60", Outcome.CORRECT),
        ("What was 贵州茅台's revenue in 2023 (in RMB millions)?", "147,693.60元", Outcome.WRONG),
    ],
)
def test_a_number_without_a_unit_is_in_the_unit_asked_for(
    see, build, asked, answered, outcome
) -> None:
    seen = see(f"营业收入为{answered}{CITE}。", question=build.make_question(text=asked))
    assert outcome_of(seen) is outcome


def test_a_growth_column_under_a_money_header_supports_a_percent(see) -> None:
    table = (
        "单位：元\n项目 | 2023年 | 2022年 | 增减(%)\n"
        "营业收入 | 147,693,604,994.14 | 124,099,843,771.99 | 19.01"
    )
    text = f"营业收入为147,693,604,994.14元，同比增长19.01%{CITE}。"
    assert scores_of(see(text, chunk_text=table))["citation_supports"].value == 1
    wrong = f"营业收入为147,693,604,994.14元，同比增长19.10%{CITE}。"
    assert scores_of(see(wrong, chunk_text=table))["citation_supports"].value == 0


def test_a_half_right_comparison_says_so_and_does_not_deny_the_figure_that_matched(
    see, build
) -> None:
    golds = (
        Gold(Decimal("147693604994.14"), "CNY", metric="营业收入", period="2023"),
        Gold(Decimal("124099843771.99"), "CNY", metric="营业收入", period="2022"),
    )
    question = build.make_question(gold=golds)
    scores = scores_of(see(f"2023年营业收入1,476.94亿元{CITE}。", question=question))
    for name in ("answer_accuracy", "numeric_accuracy", "caliber"):
        assert scores[name].reason == "some_figures_missing"


def amounts_of(seen: Observation) -> dict[str, tuple[str, str, str | None]]:
    """Each number of an answer: where its scale came from, the reason and the relative error."""
    told = scores_of(seen)["numeric_accuracy"].evidence["amounts"]
    out: dict[str, tuple[str, str, str | None]] = {}
    for a in told:
        weighed = a["against"][0]
        out.setdefault(a["text"], (a["scale_source"], weighed["reason"], weighed["relative_error"]))
    return out


def test_every_number_of_an_answer_says_how_far_off_it_is_or_why_it_is_left_out(see) -> None:
    told = amounts_of(
        see(f"2023年营业收入为1,476.94亿元，净利润为747.34亿元，同比增长19.01%{CITE}。")
    )
    assert told["1,476.94亿元"][:2] == ("own", "equal")
    assert told["747.34亿元"][:2] == ("own", "other_figure")
    assert Decimal(told["747.34亿元"][2] or 0) == pytest.approx(
        Decimal("0.494"), abs=Decimal("0.001")
    )
    assert told["19.01%"][1:] == ("other_kind", None)
    assert told["45"][1:] == ("citation", None)
    assert told["2023"][1:] == ("year", None)


def test_a_scale_says_whether_the_question_the_citation_or_nobody_gave_it(see, build) -> None:
    in_wan = build.make_question(text="贵州茅台2023年营业收入是多少万元？")
    asked = amounts_of(see(f"营业收入为14,769,360.50{CITE}。", question=in_wan))
    assert asked["14,769,360.50"][:2] == ("asked", "equal")
    cited = amounts_of(see(f"营业收入为147,693,604,994.14{CITE}。"))
    assert cited["147,693,604,994.14"][:2] == ("cited_header", "equal")
    alone = amounts_of(see("营业收入为147,693,604,994.14。"))
    assert alone["147,693,604,994.14"][:2] == ("none", "equal")
