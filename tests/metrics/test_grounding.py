"""Number grounding: which figures of an answer stand in what the generator saw."""

from __future__ import annotations

import pytest

from ragdash.contract import parse_citations
from ragdash.core.answer import Answer, AnswerStatus
from ragdash.core.chunk import ChunkKind
from ragdash.core.retrieval import Mode, RankedChunk, RankTrace, Retrieval
from ragdash.core.score import ScoreStatus
from ragdash.metrics.base import Observation
from ragdash.metrics.grounding import METRIC

ZH = (
    "单位：万元\n项目 | 2023年 | 2022年\n营业收入 | 14,769,360.50 | 12,409,984.38\n"
    "基本每股收益（元/股） | 59.49 | 49.93\n财务费用 | (178,987.54) | (139,181.43)"
)
EN = (
    "(in millions, except per share data)\n | 2023 | 2022\nNet sales | $ 383,285 | $ 394,328\n"
    "Diluted earnings per share | $ 6.13 | $ 6.11\nOther loss, net | (565) | (334)"
)


@pytest.fixture
def ground(build):
    """`ground(answer, table, note, question)` -> the score over one chunk seen, one not."""

    def score(text: str, table: str, note: str, question: str = "是多少？"):
        seen = build.make_chunk(text=table, kind=ChunkKind.TABLE, unit_note=note)
        unseen = build.make_chunk("other/p1/1", text="营业收入 99,999,999.99元")
        ranked = (
            RankedChunk(seen, RankTrace(1, None, None, None, 1, in_context=True)),
            RankedChunk(unseen, RankTrace(2, None, None, None, 2, in_context=False)),
        )
        asked = build.make_question(text=question)
        answer = Answer(text, AnswerStatus.ANSWERED, parse_citations(text), "test")
        retrieval = Retrieval(Mode.DENSE, asked.id, ranked, 1, 0.0)
        return METRIC.score(Observation(asked, retrieval, answer, None, None))

    return score


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("2023年营业收入为1,476.94亿元(贵州茅台·2023年报·P45)。", 1),
        ("营业收入147,693,605,000元，上年为12,409,984.38万元。", 1),
        ("基本每股收益59.49元。", 1),
        ("基本每股收益59.49万元。", 0),
        ("营业收入14,769,360.50元。", 0),
        ("营业收入1,476.94亿元，净利润747.34亿元。", 0.5),
        ("财务费用为-178,987.54万元。", 1),
        ("财务费用为178,987.54万元。", 0),
        ("营业收入9,999.99万元。", 0),
        ("营业收入1,477亿美元。", 0),
    ],
)
def test_a_cell_has_its_headers_unit_and_a_per_share_row_has_not(ground, text, share) -> None:
    assert ground(text, ZH, "单位：万元").value == share


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Net sales were $383.3 billion in fiscal 2023 (Apple·FY2023 10-K·P28).", 1),
        ("Net sales were $383,285 million, up from $394,328 million in 2022.", 1),
        ("Diluted EPS was $6.13 per share.", 1),
        ("Net sales were $383,285 thousand.", 0),
        ("A loss of $565 million was recorded, against $335 million.", 0.5),
        ("Net sales were RMB 383,285 million.", 0),
    ],
)
def test_an_english_table_in_millions_is_read_the_same_way(ground, text, share) -> None:
    note = "(in millions, except per share data)"
    assert ground(text, EN, note, "What were net sales?").value == share


def test_an_answer_without_an_amount_is_undefined_and_names_what_is_missing_otherwise(
    ground,
) -> None:
    none = ground("见2023年年报第45页。", ZH, "单位：万元")
    assert none.status is ScoreStatus.UNDEFINED
    assert none.value is None
    some = ground("营业收入1,476.94亿元，毛利率91.96%。", ZH, "单位：万元")
    assert some.evidence["missing"] == ["91.96%"]
    assert some.evidence["amounts"] == 2
