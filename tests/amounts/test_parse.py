from __future__ import annotations

import itertools
import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.amounts import Amount, Kind, Role, ScaleSource, Sign, read_amounts, read_unit_note

CENTS = st.integers(min_value=101, max_value=10**15).map(lambda n: Decimal(n).scaleb(-2))
ZH_UNITS = {"元": 0, "千元": 3, "万元": 4, "百万元": 6, "千万元": 7, "亿元": 8, "万亿元": 12}
EN_UNITS = {"": 0, " thousand": 3, " million": 6, " billion": 9, " trillion": 12, "bn": 9, "mn": 6}
FULL_WIDTH = str.maketrans("0123456789,.", "０１２３４５６７８９，．")


def figures(text: str, unit_note: str = "") -> list[Amount]:
    return [a for a in read_amounts(text, unit_note=unit_note) if a.asserted]


def only(text: str, unit_note: str = "") -> Amount:
    found = figures(text, unit_note)
    assert len(found) == 1, [(a.text, a.value) for a in found]
    return found[0]


@given(CENTS, st.sampled_from(sorted(ZH_UNITS)), st.booleans(), st.booleans())
def test_any_amount_written_in_a_chinese_unit_reads_back_exactly(
    value: Decimal, unit: str, grouped: bool, wide: bool
) -> None:
    digits = f"{value:,}" if grouped else f"{value}"
    amount = only(f"营业收入为{digits.translate(FULL_WIDTH) if wide else digits}{unit}。")
    assert amount.value == value.scaleb(ZH_UNITS[unit])
    assert (amount.kind, amount.currency, amount.sign) == (Kind.MONEY, "CNY", Sign.NONE)


@given(CENTS, st.sampled_from(sorted(EN_UNITS)), st.sampled_from(["$", "RMB ", "€", "US$"]))
def test_any_amount_written_in_an_english_unit_reads_back_exactly(
    value: Decimal, unit: str, currency: str
) -> None:
    amount = only(f"Revenue was {currency}{value:,}{unit}.")
    assert amount.value == value.scaleb(EN_UNITS[unit])


@given(CENTS, st.sampled_from([", ", ",\n", ",\xa0"]), st.data())
def test_a_gap_that_ocr_left_after_a_comma_is_closed(
    value: Decimal, gap: str, data: st.DataObject
) -> None:
    digits = f"{value + 10**7:,}"
    commas = [i for i, c in enumerate(digits) if c == ","]
    at = data.draw(st.sampled_from(commas[1:]))
    amount = only(f"归母净利润{digits[:at]}{gap}{digits[at + 1 :]}元。")
    assert amount.value == value + 10**7


@given(CENTS, st.sampled_from(["{w}. {d}", "{w} .{d}", "{w}.\n{d}"]))
def test_a_gap_beside_the_decimal_point_is_closed(value: Decimal, form: str) -> None:
    whole, places = f"{value + 1000:,}".split(".")
    assert only(f"营业收入{form.format(w=whole, d=places)}元。").value == value + 1000


@given(CENTS, st.sampled_from(["'", "\u202f", "\xa0", "’"]))
def test_other_thousands_separators_read_like_commas(value: Decimal, mark: str) -> None:
    digits = f"{value:,}".replace(",", mark)
    assert only(f"营业收入{digits}元。").value == value


@given(CENTS)
def test_brackets_minus_and_loss_words_make_an_amount_negative(value: Decimal) -> None:
    for text, sign in (
        (f"净利润 ({value:,}) 元", Sign.BRACKETS),
        (f"净利润为-{value:,}元", Sign.MINUS),
        (f"净利润为−{value}元", Sign.MINUS),
        (f"公司亏损{value}元", Sign.LOSS_WORD),
        (f"The net loss was ${value:,}.", Sign.LOSS_WORD),
        (f"Net income was -${value:,}.", Sign.MINUS),
        (f"Net income was $({value:,}).", Sign.BRACKETS),
    ):
        amount = only(text)
        assert (amount.value, amount.sign) == (-value, sign), text


@given(st.integers(min_value=1, max_value=99_999_999))
def test_chinese_numerals_read_back_exactly(n: int) -> None:
    assert only(f"营业收入为{chinese(n)}元。").value == n
    assert only(f"营业收入为{chinese(n, upper=True)}元。").value == n


def chinese(n: int, upper: bool = False) -> str:
    """Write a number below 10^8 by the school rule (an independent speller)."""
    digits, places = (
        ("零壹贰叁肆伍陆柒捌玖", "拾佰仟") if upper else ("零一二三四五六七八九", "十百千")
    )

    def section(m: int) -> str:
        out, gap = "", False
        for power in (3, 2, 1, 0):
            digit = m // 10**power % 10
            if digit:
                out += ("零" if gap and out else "") + digits[digit]
                out += places[power - 1] if power else ""
            gap = not digit
        return out

    high, low = divmod(n, 10_000)
    if not high:
        return section(low)
    return section(high) + "万" + ("零" if 0 < low < 1000 else "") + (section(low) if low else "")


@given(CENTS, CENTS, st.sampled_from([" ", "\t", "\n", "  ", " | ", "; ", "、", "和", " and "]))
def test_two_separate_numbers_are_never_glued(a: Decimal, b: Decimal, gap: str) -> None:
    values = [x.value for x in figures(f"金额 {a:,}元{gap}{b:,}元")]
    assert values == [a, b]


@given(st.integers(1, 99), st.integers(1, 999), st.integers(0, 999))
def test_a_note_number_before_an_amount_stays_apart(note: int, high: int, low: int) -> None:
    assert only(f"见附注 {note} {high},{low:03d} 元。").value == high * 1000 + low


@given(st.text(max_size=300))
def test_no_text_makes_the_parser_raise_and_spans_never_overlap(text: str) -> None:
    amounts = read_amounts(text)
    for amount in amounts:
        assert text[slice(*amount.span)] == amount.text
        assert amount.value.is_finite()
    assert all(a.span[1] <= b.span[0] for a, b in itertools.pairwise(amounts))


@given(st.text("0123456789,. ()-%$亿万元十百一二点和至或\n[]*'", max_size=80))
def test_no_string_of_number_marks_makes_the_parser_raise(text: str) -> None:
    amounts = read_amounts(text)
    assert all(a.span[1] <= b.span[0] for a, b in itertools.pairwise(amounts))


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("投资收益1亿2000万元", "120000000", Kind.MONEY),
        ("营业收入1,476.94億元", "147694000000", Kind.MONEY),
        ("The charge was one point five billion dollars.", "1500000000", Kind.MONEY),
        ("毛利率为百分之九十一点九六。", "91.96", Kind.PERCENT),
        ("不良率为12.5‰。", "1.25", Kind.PERCENT),
        ("海外收入增长三成。", "30", Kind.PERCENT),
        ("Net interest margin rose 125 basis points.", "1.25", Kind.PP),
        ("毛利率提高1.2个百分点", "1.2", Kind.PP),
        ("Gross margin fell 1.2 percentage points.", "-1.2", Kind.PP),
        ("营业收入同比下降12.5%。", "-12.5", Kind.PERCENT),
        ("Basic EPS was $.62.", "0.62", Kind.PER_SHARE),
        ("每10股派发现金红利308.76元", "30.876", Kind.PER_SHARE),
        ("员工总数为3.3万人。", "33000", Kind.COUNT),
        ("应付账款周转天数为45.2天", "45.2", Kind.DAYS),
        ("流动比率为1.5倍", "1.5", Kind.RATIO),
        ("归母净利润为1.2346×10¹⁰元。", "12346000000", Kind.MONEY),
        ("Umsatz: 147.693.604.994,14 CNY", "147693604994.14", Kind.MONEY),
        ("营业收入为**1,476.94**亿元[3]。", "147694000000", Kind.MONEY),
        ("营业收入为1,476.94³亿元。", "147694000000", Kind.MONEY),
        ("归母净利润为<b>123.46</b>&nbsp;亿元。", "12346000000", Kind.MONEY),
    ],
)
def test_every_notation_has_its_value_and_kind(text: str, value: str, kind: Kind) -> None:
    amount = only(text)
    assert (amount.value, amount.kind) == (Decimal(value), kind)


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("2023年", Role.DATE),
        ("December 31, 2023", Role.DATE),
        ("公告日期为2024-04-03", Role.DATE),
        ("第88页", Role.IDENTIFIER),
        ("见附注12", Role.IDENTIFIER),
        ("Item 7 of Form 10-K", Role.IDENTIFIER),
        ("招商银行（600036.SH）", Role.IDENTIFIER),
        ("H200与CO2", Role.IDENTIFIER),
        ("2023万科企业", Role.DATE),
        ("（3）毛利率", Role.IDENTIFIER),
        ("改善[5]。", Role.CITATION),
        ("（贵州茅台·2023年报·P88-89）", Role.CITATION),
        ("不是123.46亿元", Role.NEGATED),
        ("营业收入超过1,000亿元", Role.BOUND),
        ("more than $5 billion", Role.BOUND),
        ("1,470亿至1,480亿元之间", Role.RANGE),
        ("between $1.4 billion and $1.5 billion", Role.RANGE),
        ("100亿元、123.46亿元或150亿元之一", Role.HEDGED),
        ("either $5 million or $6 million", Role.HEDGED),
    ],
)
def test_a_number_that_is_no_stated_figure_has_its_role(text: str, role: Role) -> None:
    roles = {a.role for a in read_amounts(text)}
    assert role in roles
    assert Role.ASSERTED not in roles


def test_names_with_chinese_numerals_hold_no_number() -> None:
    assert read_amounts("三一重工、一汽与十里河") == ()


def test_a_table_header_scales_bare_cells_but_not_per_share_rows() -> None:
    text = "单位：万元\n| 项目 | 2023年 |\n| 营业收入 | 123.45 |\n| 基本每股收益 | 59.49 |"
    revenue, eps = figures(text)
    assert (revenue.value, revenue.scale_source) == (Decimal("1234500"), ScaleSource.HEADER)
    assert (eps.value, eps.kind, eps.currency) == (Decimal("59.49"), Kind.PER_SHARE, "CNY")


def test_a_unit_note_given_beside_the_text_scales_bare_numbers_only() -> None:
    bare, own = figures("Revenue 391,035; cash $5 billion", "(In millions, except per share)")
    assert bare.value == 391_035_000_000
    assert own.value == 5_000_000_000


@pytest.mark.parametrize(
    ("line", "factor", "currency"),
    [
        ("单位：万元", 10_000, "CNY"),
        ("单位:元 币种:人民币", 1, "CNY"),
        ("（金额单位：人民币百万元）", 1_000_000, "CNY"),
        ("(in millions, except per share amounts)", 1_000_000, None),
        ("(Dollars in thousands)", 1_000, "USD"),
        ("RMB'000", 1_000, "CNY"),
        ("In billions of U.S. dollars", 10**9, "USD"),
    ],
)
def test_unit_lines_are_read(line: str, factor: int, currency: str | None) -> None:
    note = read_unit_note(line)
    assert note is not None
    assert [note.factor, note.currency] == [factor, currency]


def test_prose_without_a_unit_line_has_none() -> None:
    assert read_unit_note("Stores in thousands of towns; 单位职工") is None


@pytest.mark.parametrize(
    "piece",
    [
        "1",
        "1,",
        "(",
        "((1))",
        "**1**",
        "1 ",
        "1.",
        "$",
        "一百",
        "·P1",
        "或1",
        "one ",
        "- 1=",
        "单位:元1",
    ],
)
def test_hostile_text_takes_linear_time(piece: str) -> None:
    def seconds(n: int) -> float:
        text = piece * (n // len(piece))
        started = time.process_time()
        read_amounts(text)
        return time.process_time() - started

    # The best of three on both sides: a shared machine only ever makes a reading slower.
    small, large = (min(seconds(n) for _ in range(3)) for n in (2_000, 16_000))
    assert large < 24 * small + 0.05


@pytest.mark.parametrize(
    "label",
    [
        "净利润（净亏损以“－”号填列）为",
        "利润总额(亏损总额以“-”号填列) | ",
        "净利润/（净亏损）",
        "现金净增加额（减少以负数列示）",
        "Net income (loss) was $",
        "Operating profit (operating loss) of $",
        "Net cash provided by (net outflow from) operations: ",
    ],
)
@given(whole=st.integers(1_000, 10**11))
def test_words_in_a_label_s_bracket_do_not_turn_the_sign(label: str, whole: int) -> None:
    (amount,) = [a for a in read_amounts(f"{label}{whole:,}.50") if a.asserted]
    assert amount.value > 0


def test_a_loss_outside_of_brackets_still_does() -> None:
    for text in ("净亏损（未经审计）为5亿元", "It posted a net loss (unaudited) of $5 million."):
        assert read_amounts(text)[-1].value < 0


@pytest.mark.parametrize(
    "text",
    [
        "统一社会信用代码为912201017561541220",
        "统一社会信用代码：912201017561541220",
        "联系电话：043181871518",
        "账号是 6222021234567",
        "I.R.S. employer identification number is 942404110",
        "912201017561541220",
    ],
)
def test_digits_of_a_register_are_no_amount(text: str) -> None:
    assert [a.role for a in read_amounts(text) if a.asserted] == []
