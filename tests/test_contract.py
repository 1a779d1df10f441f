from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.contract import (
    REFUSAL_EN,
    REFUSAL_ZH,
    canonical_label,
    chunk_header,
    label_for,
    parse_citations,
    read_refusal,
    refusal_text,
    resolve,
    resolve_in_corpus,
    strip_citations,
    write_citation,
)
from ragdash.core.chunk import Channel, Chunk, ChunkKind, DocType, Source
from ragdash.core.errors import InputError

COMPANIES = ["贵州茅台", "万科A", "TCL科技(集团)", "Ziff Davis, Inc.", "AT&T", "3M", "迪·安"]


def source(
    company: str = "贵州茅台",
    doc_type: DocType = DocType.ANNUAL,
    period: str | None = "2023",
    doc_id: str = "d1",
    n_pages: int = 120,
) -> Source:
    label = label_for(doc_type, period)
    return Source(
        doc_id, "f.pdf", company, period, doc_type, "zh", Channel.FILING, "", "", label, "", n_pages
    )


def chunk(src: Source, page: int) -> Chunk:
    return Chunk(f"{src.doc_id}-{page}", src, page, "", ChunkKind.TEXT, "", "text")


@pytest.mark.parametrize(
    ("doc_type", "period", "label"),
    [
        (DocType.ANNUAL, "2023", "2023年报"),
        (DocType.ANNUAL_SUMMARY, "2023", "2023年报摘要"),
        (DocType.SEMIANNUAL, "2023", "2023半年报"),
        (DocType.SEMIANNUAL_SUMMARY, "2023H1", "2023半年报摘要"),
        (DocType.Q1, "2023", "2023一季报"),
        (DocType.Q3, "2023Q3", "2023三季报"),
        (DocType.FORM_10K, "2024", "FY2024 10-K"),
        (DocType.FORM_10Q, "2024Q2", "2024Q2 10-Q"),
        (DocType.FORM_8K, "2024-05-20", "2024-05-20 8-K"),
        (DocType.EARNINGS, "2023Q1", "2023Q1 earnings"),
        (DocType.OTHER, None, "undated other"),
    ],
)
def test_every_filing_has_its_label_and_the_label_is_its_own_canonical_form(
    doc_type: DocType, period: str | None, label: str
) -> None:
    assert label_for(doc_type, period) == label
    assert canonical_label(label) == label


@pytest.mark.parametrize(
    "period", [None, "23", "year", "1899", "2023-5", "2023-02-29", "2024-13-01"]
)
def test_a_period_that_cannot_be_read_is_refused(period: str | None) -> None:
    with pytest.raises(InputError):
        label_for(DocType.ANNUAL, period)


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("2023年年报", "2023年报"),
        ("2023 年度报告", "2023年报"),
        ("2023年年度报告摘要", "2023年报摘要"),
        ("2023年半年度报告", "2023半年报"),
        ("2023年第一季度报告", "2023一季报"),
        ("2024 10-K", "FY2024 10-K"),
        ("fy2024 10-k", "FY2024 10-K"),
        ("23年报", ""),
        ("3023年报", ""),
        ("年份年报", ""),
    ],
)
def test_tolerant_labels_have_one_canonical_form(written: str, canonical: str) -> None:
    assert canonical_label(written) == canonical


@given(
    st.sampled_from(COMPANIES),
    st.sampled_from([t for t in DocType if t is not DocType.OTHER]),
    st.integers(1990, 2100),
    st.integers(1, 9999),
)
def test_a_written_citation_reads_back_and_resolves_to_its_page(
    company: str, doc_type: DocType, year: int, page: int
) -> None:
    src = source(company, doc_type, str(year), n_pages=9999)
    text = f"营业收入为1亿元{write_citation(src, page)}。"
    (citation,) = parse_citations(text)
    assert (citation.company, citation.label, citation.pages) == (company, src.label, (page,))
    assert citation.well_formed
    assert resolve(citation, [chunk(src, page)]) == (("d1", page),)
    assert resolve_in_corpus(citation, [src]) == (("d1", page),)
    assert strip_citations(text) == "营业收入为1亿元。"


@given(
    st.sampled_from("()（）"),
    st.sampled_from("·•・‧∙⋅"),
    st.sampled_from(["", " ", "  "]),
    st.sampled_from("Pp"),
)
def test_tolerated_spellings_are_well_formed(bracket: str, dot: str, gap: str, p: str) -> None:
    left, right = ("(", ")") if bracket in "()" else ("（", "）")
    sep = f"{gap}{dot}{gap}"
    text = f"{left}贵州茅台{sep}2023年年报{sep}{p}{gap}88–89{right}"
    (citation,) = parse_citations(text)
    assert citation.well_formed
    assert (citation.label, citation.pages) == ("2023年报", (88, 89))


@pytest.mark.parametrize(
    "text",
    [
        "(五粮液·2023年报)",
        "(五粮液·P88)",
        "(2023年报·P88)",
        "(·2023年报·P88)",
        "(五粮液·23年报·P88)",
        "(五粮液·2023年报·P)",
        "(五粮液·2023年报·P0)",
        "(五粮液·2023年报·P10000)",
        "(五粮液·2023年报·P9-8)",
        "(公司·年份年报·P页码)",
        "五粮液·2023年报·P88",
        "(五粮液·2023年报·P88",
        "[Apple·FY2024 10-K·P5]",
        "【五粮液·2023年报·P88】",
        "[1]",
        "(see 10-K, page 45)",
    ],
)
def test_an_attempt_that_breaks_the_form_is_returned_as_not_well_formed(text: str) -> None:
    (citation,) = parse_citations(f"收入为1亿元{text}")
    assert not citation.well_formed
    assert citation.pages == ()


@pytest.mark.parametrize(
    "text",
    ["净利润（536.2）万元", "(in millions)", "（不含税）", "Apple's iPhone (2024)", "收入·成本"],
)
def test_ordinary_brackets_are_no_attempt(text: str) -> None:
    assert parse_citations(text) == ()


def test_a_citation_resolves_only_when_every_page_is_one_page_of_one_document() -> None:
    one, twin = source(), source(doc_id="d2")
    (ranged,) = parse_citations("(贵州茅台·2023年报·P88-89)")
    assert resolve(ranged, [chunk(one, 88), chunk(one, 89)]) == (("d1", 88), ("d1", 89))
    assert resolve(ranged, [chunk(one, 88)]) == ()
    assert resolve(ranged, [chunk(one, 88), chunk(one, 89), chunk(twin, 89)]) == ()
    assert resolve_in_corpus(ranged, [source(n_pages=88)]) == ()
    (other,) = parse_citations("(五粮液·2023年报·P88)")
    assert resolve(other, [chunk(one, 88)]) == ()


def test_headers_name_company_label_and_page() -> None:
    src = source("Apple", DocType.FORM_10K, "2024")
    assert chunk_header(2, src, 45, "en") == "Chunk 2|Apple·FY2024 10-K·P45"
    assert chunk_header(1, source(), 7, "zh") == "片段1|贵州茅台·2023年报·P7"


@given(st.text(max_size=200))
def test_no_text_makes_the_readers_raise(text: str) -> None:
    for citation in parse_citations(text):
        assert text[slice(*citation.span)] == citation.text
    strip_citations(text)
    read_refusal(text)


@pytest.mark.parametrize(
    "piece", ["(", "()", "(a·", "·P1", "a·b", "年报·", "(a·2023年报·P1-100)", "[1]", "·2", "（"]
)
def test_hostile_text_of_200_000_characters_is_read_in_linear_time(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    started = time.perf_counter()
    parse_citations(text)
    assert time.perf_counter() - started < 3


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_fixed_sentence_is_always_a_refusal(lang: str) -> None:
    for text in (refusal_text(lang), f" {refusal_text(lang)}。", refusal_text(lang).upper()):
        refusal = read_refusal(text)
        assert (refusal.is_refusal, refusal.fixed_text) == (True, True)
        assert not refusal.refusal_with_answer


@pytest.mark.parametrize(
    "text",
    [
        "未查询到该公司2021年的相关信息，无法回答该问题。",
        "抱歉，所给片段中没有披露研发人员数量。",
        "2023年年报未披露商誉减值损失。",
        "I'm sorry, but the provided context does not contain the dividend figure.",
        "The filing does not disclose headcount by region, so it cannot be determined.",
        "The provided context does not confirm the $1,577 million figure; I cannot answer.",
        "Total current assets were $1,001 million, but liabilities are not given. "
        "Without them we cannot calculate the ratio.",
    ],
)
def test_declining_in_other_words_is_a_refusal_but_not_the_fixed_text(text: str) -> None:
    refusal = read_refusal(text)
    assert (refusal.is_refusal, refusal.fixed_text) == (True, False)


@pytest.mark.parametrize(
    "text",
    [
        f"{REFUSAL_ZH}，但据我所知为1,476.94亿元。",
        f"{REFUSAL_EN}. However, revenue was $391,035 million.",
        "I cannot find it directly. Net income was $11,588 million.",
    ],
)
def test_declining_and_giving_a_figure_is_an_answer_and_a_breach(text: str) -> None:
    refusal = read_refusal(text)
    assert (refusal.is_refusal, refusal.refusal_with_answer) == (False, True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "很抱歉，2022年数据有误；2023年营业收入为1,476.94亿元（贵州茅台·2023年报·P5）。",
        "公司2023年净利润为12.3亿元。",
        "Net sales rose 2% to $391 billion.",
        "报告期内公司未发生重大诉讼。",
    ],
)
def test_an_answer_is_no_refusal(text: str) -> None:
    assert not read_refusal(text).is_refusal


@pytest.mark.parametrize(
    "text",
    [
        "2023年营业收入为1,476.94亿元，上述数据未经审计。",
        "Revenue was $5.2 billion in 2022 (intercompany sales are not included).",
        "2023年研发投入为1.57亿元，占比无法确定。",
        "Net income was $99,803 million (segment figures are not disclosed).",
        "公司2023年暂无重大诉讼、仲裁事项。",
        "2023年末在职员工31,413人，分地区人数无法确定。",
        "净利润为12.35亿元，上年数据未调整。",
    ],
)
def test_a_figure_or_a_fact_with_a_remark_on_another_is_an_answer(text: str) -> None:
    assert not read_refusal(text).is_refusal


@given(
    st.integers(1_000, 10**6),
    st.sampled_from(
        [
            f"{REFUSAL_ZH}直接数据，但员工人数为{{:,}}人。",
            f"{REFUSAL_ZH}。不过门店数为{{:,}}家。",
            f"{REFUSAL_EN}. However, it had {{:,}} employees.",
            f"{REFUSAL_EN}, but there were {{:,}} stores.",
        ]
    ),
)
def test_a_headcount_given_beside_the_fixed_sentence_is_an_answer(n: int, form: str) -> None:
    refusal = read_refusal(form.format(n))
    assert (refusal.is_refusal, refusal.fixed_text) == (False, True)
    assert refusal.refusal_with_answer


@pytest.mark.parametrize(
    "text",
    [
        "资料里没看到相关内容。",
        "文中未提及该指标。",
        "没有足够的信息",
        "缺乏相关数据支持。",
        "暂无相关数据。",
        "The excerpts are silent on this point.",
        "The filing remains completely silent on headcount.",
        "Nothing in the provided documents answers this.",
        "The report does not say.",
        "The filings show revenue of $5.2 billion, but do not disclose headcount.",
        "根据资料，2022年营业收入为100亿元，未找到2023年的数据。",
    ],
)
def test_declining_in_yet_other_words_is_a_refusal(text: str) -> None:
    refusal = read_refusal(text)
    assert (refusal.is_refusal, refusal.refusal_with_answer) == (True, False)


@given(
    st.lists(
        st.tuples(st.sampled_from(COMPANIES), st.integers(1990, 2100), st.integers(1, 999)),
        min_size=2,
        max_size=4,
    ),
    st.sampled_from(["；", ";", "; ", "，", "、", ", "]),
)
def test_several_citations_in_one_bracket_are_read_one_by_one(
    cited: list[tuple[str, int, int]], mark: str
) -> None:
    bracket = f"({mark.join(f'{c}·{y}年报·P{p}' for c, y, p in cited)})"
    text = f"收入为1亿元{bracket}。"
    found = parse_citations(text)
    assert [(c.company, c.label, c.pages) for c in found] == [
        (c, f"{y}年报", (p,)) for c, y, p in cited
    ]
    assert strip_citations(text) == "收入为1亿元。"
    assert "".join(c.text for c in found) == bracket


@given(
    st.sampled_from(COMPANIES),
    st.sampled_from(
        [
            "见",
            "详见",
            "参见：",
            "来源：",
            "资料来源:",
            "注：",
            "Source: ",
            "see ",
            "cf. ",
            "Note: ",
        ]
    ),
)
def test_a_lead_in_is_no_part_of_the_company(company: str, lead: str) -> None:
    (citation,) = parse_citations(f"收入为1亿元({lead}{company}·2023年报·P45)")
    assert (citation.company, citation.well_formed) == (company, True)


@pytest.mark.parametrize(
    "inner",
    [
        "注：营业收入见贵州茅台·2023年报·P45",
        "1,476.94亿元，贵州茅台·2023年报·P45",
        "营业收入1,476.94亿元 贵州茅台·2023年报·P45",
        "$5.2 billion, Apple·FY2022 10-K·P21",
        "up 12% Apple·FY2022 10-K·P21",
        "as noted: Apple·FY2022 10-K·P21",
        "贵州茅台·2023年报·P45；五粮液·P46",
    ],
)
def test_words_or_figures_in_the_place_of_the_company_are_no_citation(inner: str) -> None:
    for citation in parse_citations(f"收入为1亿元({inner})。"):
        assert not citation.well_formed
        assert citation.company == ""
