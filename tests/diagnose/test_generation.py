"""What an answer made of a gold that it had before it."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ragdash.core.answer import AnswerStatus
from ragdash.core.chunk import ChunkKind
from ragdash.core.diagnosis import Layer
from ragdash.core.question import Gold, QuestionKind

ZH = (
    "单位：元\n项目 | 2023年 | 2022年\n营业收入 | 147,693,604,994.14 | 124,099,843,771.99\n"
    "销售费用 | 4,648,613,585.82 | 3,297,724,190.90"
)
EN = (
    "(In millions)\n | 2023 | 2022\nNet sales | 383,285 | 394,328\n"
    "Selling expense | 24,932 | 25,094"
)


@pytest.fixture
def answered(ask, build):
    """`answered("zh", text)` -> the diagnosis of an answer before the table and a second chunk."""

    def run(lang, text, *, kind=QuestionKind.LOOKUP, gold=None, **fields):
        chinese = lang == "zh"
        table = build.make_chunk(
            "gold",
            text=ZH if chinese else EN,
            kind=ChunkKind.TABLE,
            unit_note="单位：元" if chinese else "In millions",
        )
        second = build.make_chunk(
            "second",
            source_page=77,
            text="应收账款 | 88,000,000.00" if chinese else "Receivables | 88",
            unit_note="单位：元" if chinese else "In millions",
        )
        gold = gold or (
            Gold(Decimal("147693604994.14"), "CNY", metric="营业收入", period="2023")
            if chinese
            else Gold(Decimal(383285000000), "USD", metric="net sales", period="2023")
        )
        question = build.make_question(lang=lang, text="?", kind=kind, gold=(gold,))
        return ask(question, [table, second], [second, table], text, **fields)

    return run


CASES = [
    ("wrong_column", "zh", "营业收入为124,099,843,771.99元。"),
    ("wrong_column", "en", "Net sales were $394,328 million."),
    ("wrong_row", "zh", "营业收入为4,648,613,585.82元。"),
    ("wrong_row", "en", "Net sales were $24,932 million."),
    ("other_chunk", "zh", "营业收入为8,800万元。"),
    ("other_chunk", "en", "Net sales were $88 million."),
    ("figure_not_printed", "zh", "营业收入为1.23亿元。"),
    ("figure_not_printed", "en", "Net sales were $123 million."),
    ("visible_but_magnitude", "zh", "营业收入为147,693,604,994.14万元。"),
    ("visible_but_magnitude", "en", "Net sales were $383,285 billion."),
    ("visible_but_sign", "zh", "营业收入为-147,693,604,994.14元。"),
    ("visible_but_sign", "en", "Net sales were -$383,285 million."),
    ("visible_but_other_kind", "zh", "营业收入增长了12.5%。"),
    ("visible_but_other_kind", "en", "Net sales rose 12.5%."),
    ("visible_but_other_currency", "zh", "营业收入为1.23亿美元。"),
    ("visible_but_other_currency", "en", "Net sales were EUR 123 million."),
    ("visible_but_no_number", "zh", "营业收入见利润表。"),
    ("visible_but_no_number", "en", "Net sales are in the statement."),
]


@pytest.mark.parametrize(("reason", "lang", "text"), CASES)
def test_a_wrong_figure_is_told_by_where_it_stands(answered, reason, lang, text) -> None:
    found = answered(lang, text)
    assert (found.layer, found.reason) == (Layer.GENERATION, reason)


def test_the_row_and_the_column_of_a_wrong_figure_are_named(answered) -> None:
    found = answered("zh", "营业收入为124,099,843,771.99元。")
    assert found.facts["column"] == "2022年"
    assert "（“2022年”）" in found.evidence.zh
    assert '("2022年")' in found.evidence.en
    found = answered("en", "Net sales were $24,932 million.")
    assert found.facts["row"] == "Selling expense"
    assert '("Selling expense")' in found.evidence.en


def test_another_visible_chunk_is_named_by_its_page(answered) -> None:
    found = answered("zh", "营业收入为8,800万元。")
    assert "600519-2023 P77" in found.evidence.zh
    assert found.facts["chunk_id"] == "second"


def test_a_refusal_says_at_which_place_the_gold_stood(answered) -> None:
    found = answered("zh", "未在所给资料中检索到", status=AnswerStatus.REFUSED)
    assert found.reason == "refused_with_evidence"
    assert "place 2 of 2" in found.evidence.en
    assert "2 个片段中的第 2 个" in found.evidence.zh


@pytest.mark.parametrize(
    ("lang", "text", "reason"),
    [
        ("zh", "增长率为124,099,843,771.99。", "printed_not_computed"),
        ("zh", "增长率为77.7%。", "wrong_calculation"),
        ("en", "The growth was 77.7%.", "wrong_calculation"),
    ],
)
def test_a_computed_question_tells_a_copied_figure_from_a_wrong_sum(
    answered, lang, text, reason
) -> None:
    gold = Gold(Decimal("19.01"), "percent")
    assert answered(lang, text, kind=QuestionKind.COMPUTED, gold=gold).reason == reason


def test_text_of_a_filing_stays_on_one_line_of_the_sentence(ask, build) -> None:
    table = build.make_chunk(
        "gold",
        text="单位：元\n营业收入 | 147,693,604,994.14\n\u202e坏\u0007行 | 5,000,000.00",
        unit_note="单位：元",
    )
    found = ask(build.make_question(), [table], [table], "营业收入为5,000,000.00元。")
    assert found.reason == "wrong_row"
    assert "\\u202e坏\\x07行" in found.evidence.zh
    assert found.evidence.en.isprintable()


def test_a_failed_generator_on_a_question_without_answer_is_no_missing_refusal(ask, build) -> None:
    question = build.make_question(gold=(), evidence=(), answerable=False)
    assert ask(question, [], status=AnswerStatus.ERROR).reason == "no_output"
    assert ask(question, [], answer="1亿元。").reason == "should_have_refused"


def test_advice_on_generation_speaks_of_this_mode_only(answered) -> None:
    """Another mode of the same run may have been right: it is not said that none would help."""
    found = answered("zh", "营业收入为1.23亿元。")
    assert "in this mode" in found.no_help.en
    assert "本模式" in found.no_help.zh
