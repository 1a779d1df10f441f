"""Citation rows: which sentences carry one, whether it resolves, whether it holds the figure."""

from __future__ import annotations

import pytest

from ragdash.contract import parse_citations
from ragdash.core.answer import Answer, AnswerStatus
from ragdash.core.chunk import ChunkKind
from ragdash.core.retrieval import Mode, RankedChunk, RankTrace, Retrieval
from ragdash.core.score import ScoreStatus
from ragdash.metrics.base import Observation
from ragdash.metrics.citation import covered, has_citation, resolves, supports, well_formed

CITE = "(贵州茅台·2023年报·P45)"
OTHER = "(贵州茅台·2023年报·P46)"
YUAN = (
    "单位：元\n项目 | 2023年 | 2022年\n营业收入 | 147,693,604,994.14 | 124,099,843,771.99\n"
    "净利润 | -1,234,567,890.12 | 5,000.00\n基本每股收益 | 59.49 | 49.93"
)
MILLIONS = (
    "In millions, except per share amounts\nNet sales | $ 391,035 | $ 383,285\n"
    "Diluted EPS | 6.08 | 6.13\nNet loss | (1,234) | 20"
)


@pytest.fixture
def see(build):
    """`see(answer_text, chunk_text)` -> an Observation over one visible page, P45."""

    def observe(text: str, chunk_text: str = YUAN):
        note = chunk_text.split("\n")[0]
        chunk = build.make_chunk(text=chunk_text, kind=ChunkKind.TABLE, unit_note=note)
        trace = RankTrace(1, None, None, None, 1, in_context=True)
        found = Retrieval(Mode.DENSE, "q1", (RankedChunk(chunk, trace),), 5, 0.0)
        answer = Answer(text, AnswerStatus.ANSWERED, parse_citations(text), "test")
        return Observation(build.make_question(), found, answer, None, None)

    return observe


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f"营业收入为1亿元{CITE}。", 1),
        (f"营业收入为1亿元。{CITE}", 1),
        (f"营业收入为1亿元。**{CITE}**", 1),
        (f"营业收入为1亿元{CITE}{OTHER}。", 1),
        (f"营业收入为1亿元。净利润为2亿元{CITE}。", 0.5),
        (f"营业收入为1亿元{CITE}；净利润为2亿元。", 0.5),
        (f"营业收入为1亿元{CITE}。净利润为2亿元{CITE}。", 1),
        (f"营业收入为1亿元。公司经营良好{CITE}。", 0),
        (f"公司经营良好{CITE}。营业收入为1亿元。", 0),
        (f"| 营业收入 | 1亿元 {CITE} |\n| 净利润 | 2亿元 |", 0.5),
        (f"Net sales were $5.2 billion {CITE}.", 1),
        (f"Net sales were $5.2 billion. {CITE}", 1),
        (f"Net sales were $5.2 billion. Net income was $1.1 billion {CITE}.", 0.5),
        (f"Net sales were $5.2 billion. The company did well {CITE}.", 0),
    ],
)
def test_a_sentence_carries_the_citation_in_it_or_right_behind_it(see, text, value) -> None:
    assert covered(see(text)).value == value


def test_without_a_citation_only_its_absence_is_scored(see) -> None:
    seen = see("营业收入为1亿元。")
    assert has_citation(seen).value == 0
    rows = [f(seen) for f in (covered, well_formed, resolves, supports)]
    assert {r.status for r in rows} == {ScoreStatus.UNDEFINED}
    assert {r.reason for r in rows} == {"no_citation"}


@pytest.mark.parametrize(
    ("cited", "value"),
    [
        ("(贵州茅台·2023年报·P45)", 1),
        ("（贵州茅台 • 2023年年度报告 • p45）", 1),
        ("(贵州茅台·2023年报·P46)", 0),
        ("(贵州茅台·2023年报·P45-46)", 0),
        ("(五粮液·2023年报·P45)", 0),
        ("(贵州茅台·2022年报·P45)", 0),
        ("(贵州茅台·2023半年报·P45)", 0),
        ("[1]", 0),
        (f"{CITE}{OTHER}", 0),
    ],
)
def test_a_citation_resolves_to_one_visible_page(see, cited, value) -> None:
    assert resolves(see(f"营业收入为1亿元{cited}。")).value == value


@pytest.mark.parametrize(
    ("text", "chunk", "value"),
    [
        (f"营业收入为147,693,604,994.14元{CITE}", YUAN, 1),
        (f"营业收入为1,476.94亿元{CITE}", YUAN, 1),
        (f"营业收入约1,477亿元{CITE}", YUAN, 1),
        (f"营业收入为14,769,360.50万元{CITE}", YUAN, 1),
        (f"Revenue was RMB 147.69 billion {CITE}", YUAN, 1),
        (f"营业收入为1,476.95亿元{CITE}", YUAN, 0),
        (f"营业收入为1,476.94亿美元{CITE}", YUAN, 0),
        (f"营业收入为1,476.94万元{CITE}", YUAN, 0),
        (f"净亏损12.35亿元{CITE}", YUAN, 1),
        (f"净利润为12.35亿元{CITE}", YUAN, 0),
        (f"每股收益59.49元{CITE}", YUAN, 1),
        (f"营业收入增长19.0%{CITE}", YUAN, 0),
        (f"营业收入为1,476.94亿元{OTHER}", YUAN, 0),
        (f"Net sales were $391.0 billion {CITE}", MILLIONS, 1),
        (f"Net sales were $391,035 million {CITE}", MILLIONS, 1),
        (f"Net sales were $391,035 {CITE}", MILLIONS, 0),
        (f"Net sales were €391.0 billion {CITE}", MILLIONS, 0),
        (f"EPS was $6.08 {CITE}", MILLIONS, 1),
        (f"There was a net loss of $1.2 billion {CITE}", MILLIONS, 1),
    ],
)
def test_a_cited_page_supports_the_figure_as_it_is_rounded(see, text, chunk, value) -> None:
    assert supports(see(text, chunk)).value == value


def test_a_citation_of_no_figure_supports_nothing_either_way(see) -> None:
    score = supports(see(f"公司经营良好{CITE}。"))
    assert (score.status, score.reason) == (ScoreStatus.UNDEFINED, "no_amount")
