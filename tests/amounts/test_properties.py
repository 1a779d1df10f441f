from __future__ import annotations

import itertools
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.amounts import Amount, Kind, Sign, match_amount, read_amounts
from ragdash.core.question import Gold

CENTS = st.integers(min_value=100_001, max_value=10**13).map(lambda n: Decimal(n).scaleb(-2))
WIDE = str.maketrans("0123456789,.-()%", "０１２３４５６７８９，．－（）％")
MARKS = st.sampled_from(["", ",", "'", "\xa0"])
# after the number, kind, power of ten of the value in the base unit, currency
ZH = [
    ("元", Kind.MONEY, 0, "CNY"), ("千元", Kind.MONEY, 3, "CNY"), ("万元", Kind.MONEY, 4, "CNY"),
    ("百万元", Kind.MONEY, 6, "CNY"), ("亿元", Kind.MONEY, 8, "CNY"), ("亿", Kind.MONEY, 8, None),
    ("万亿元", Kind.MONEY, 12, "CNY"), ("万港元", Kind.MONEY, 4, "HKD"),
    ("亿美元", Kind.MONEY, 8, "USD"), ("欧元", Kind.MONEY, 0, "EUR"), ("%", Kind.PERCENT, 0, None),
    ("个百分点", Kind.PP, 0, None), ("个基点", Kind.PP, -2, None), ("倍", Kind.RATIO, 0, None),
    ("元/股", Kind.PER_SHARE, 0, "CNY"), ("天", Kind.DAYS, 0, None), ("人", Kind.COUNT, 0, None),
    ("万股", Kind.COUNT, 4, None), ("亿股", Kind.COUNT, 8, None),
]  # fmt: skip
EN = [
    (" million", Kind.MONEY, 6, None), (" billion", Kind.MONEY, 9, None),
    (" million yuan", Kind.MONEY, 6, "CNY"), (" thousand dollars", Kind.MONEY, 3, "USD"),
    (" trillion yen", Kind.MONEY, 12, "JPY"), (" euros", Kind.MONEY, 0, "EUR"),
    ("%", Kind.PERCENT, 0, None), (" percent", Kind.PERCENT, 0, None),
    (" percentage points", Kind.PP, 0, None), (" basis points", Kind.PP, -2, None),
    (" times", Kind.RATIO, 0, None), (" days", Kind.DAYS, 0, None),
    (" employees", Kind.COUNT, 0, None), (" million shares", Kind.COUNT, 6, None),
    (" yuan per share", Kind.PER_SHARE, 0, "CNY"),
]  # fmt: skip
SENTENCES = {
    "zh": "根据公司年报，该项目当期为{}，详见报告。其余项目未见异常。",
    "en": "According to the filing, the figure came to {} in that period. Nothing else is known.",
}
PIECES = [
    *"0123456789.,()[]|%$¥€-–~～+*/×=:;、，。；：（） ",
    *"\n\t\xa0一二十百千万亿点零两壹拾佰元股倍", *"天人至到或和约负", "**", "__", "`", "$1$",
    "\\times", "\\text{", "<sup>2</sup>", "</td>", "<br>", "&nbsp;", "10⁶", "[1]", "·P12",
    "（贵州茅台·2023年报·P8）", "(Apple·FY2024 10-K·P45)", "2023年", "第三季度", "FY2024",
    "1,234", "12.5", "百分之", "百分点", "单位：万元\n", "(in millions, except per share)",
    "'000", "不是", "超过", "亏损", "下降", "分别为", "respectively", "营业收入", "归母净利润",
    "net income ", "revenue ", " million", " billion", " percent", " shares", " per share",
    "one ", "two point five ", "hundred ", "not ", "more than ", "net loss of ", " or ",
    "between ", " and ", "因此", "答案：", "H200", "COVID-19", "600519", "https://", "Apple's ",
    "é", "😀", "\u200b", "ſ", "İ", "٣",
]  # fmt: skip
PIECED = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)


def only(text: str) -> Amount:
    found = [a for a in read_amounts(text) if a.asserted]
    assert len(found) == 1, [(a.text, a.value) for a in found]
    return found[0]


def stated(lang: str, written: str) -> str:
    return SENTENCES[lang].format(written)


@pytest.mark.parametrize(
    ("lang", "unit"), [("zh", u) for u in ZH] + [("en", u) for u in EN], ids=lambda x: str(x[0])
)
@given(value=CENTS, mark=MARKS, negative=st.booleans(), wide=st.booleans())
def test_any_figure_in_a_sentence_reads_back_in_every_unit_separator_and_width(
    lang: str,
    unit: tuple[str, Kind, int, str | None],
    value: Decimal,
    mark: str,
    negative: bool,
    wide: bool,
) -> None:
    word, kind, power, currency = unit
    written = ("-" if negative else "") + f"{value:,}".replace(",", mark) + word
    amount = only(stated(lang, written.translate(WIDE) if wide and lang == "zh" else written))
    assert amount.value == (-value if negative else value).scaleb(power)
    assert (amount.kind, amount.currency) == (kind, currency)
    assert amount.sign is (Sign.MINUS if negative else Sign.NONE)


@pytest.mark.parametrize("currency", ["$", "US$", "¥", "RMB ", "HK$", "€", "£"])
@pytest.mark.parametrize("form", ["-{c}{v}", "{c}-{v}", "{c}({v})", "({c}{v})"])
@given(value=CENTS)
def test_a_negative_sum_reads_back_wherever_its_sign_and_currency_stand(
    currency: str, form: str, value: Decimal
) -> None:
    for lang in SENTENCES:
        amount = only(stated(lang, form.format(c=currency, v=f"{value:,}")))
        assert (amount.value, amount.kind) == (-value, Kind.MONEY)


def spelled(n: int, capital: bool) -> str:
    """A number below 10^12 in Chinese by the school rule, an independent speller."""
    digits = "零壹贰叁肆伍陆柒捌玖" if capital else "零一二三四五六七八九"
    places = ("仟佰拾" if capital else "千百十") + " "
    out, zero = "", False
    for at, group in enumerate(f"{n:012}"[i : i + 4] for i in (0, 4, 8)):
        for place, digit in zip(places, group, strict=True):
            if digit == "0":
                zero = bool(out)
                continue
            out += ("零" if zero else "") + digits[int(digit)] + place.strip()
            zero = False
        if int(group):
            out += ("亿", "万", "")[at]
    return out


@given(
    n=st.integers(10_000, 10**12 - 1),
    capital=st.booleans(),
    unit=st.sampled_from(["元", "股", "美元", "人"]),
)
def test_a_chinese_numeral_reads_back_in_a_sentence(n: int, capital: bool, unit: str) -> None:
    assert only(stated("zh", spelled(n, capital) + unit)).value == n


@given(PIECED)
def test_amounts_are_slices_of_their_text_in_order_and_none_overlaps(text: str) -> None:
    amounts = read_amounts(text)
    for amount in amounts:
        assert 0 <= amount.span[0] < amount.span[1] <= len(text)
        assert text[slice(*amount.span)] == amount.text
        assert amount.value.is_finite()
    assert all(a.span[1] <= b.span[0] for a, b in itertools.pairwise(amounts))


@given(PIECED, PIECED)
def test_the_same_answer_has_the_same_verdict_and_judging_never_raises(
    text: str, question: str
) -> None:
    gold = Gold(Decimal(1234), "CNY", metric="归母净利润", period="2023")
    first = match_amount(text, gold, question=question)
    read_amounts(text[::-1])
    assert match_amount(text, gold, question=question) == first


@pytest.mark.parametrize(
    ("answer", "question", "unit", "additions"),
    [
        (
            "根据年报，公司2023年实现营业收入{v}元{here}，归母净利润为{w}元{there}。",
            "公司2023年营业收入是多少？",
            "CNY",
            ["(贵州茅台·2023年报·P88)", "（贵州茅台·2023年报·P88）", "[1]", "（2023年）"],
        ),
        (
            "In fiscal 2023, total net sales were ${v}{here}, and net income was ${w}{there}.",
            "What were total net sales in fiscal 2023?",
            "USD",
            [" (Apple·FY2023 10-K·P45)", " [2]", " in 2023", " (FY2023)"],
        ),
    ],
    ids=["zh", "en"],
)
@given(data=st.data(), gold=CENTS, other=CENTS, right=st.booleans())
def test_a_citation_or_the_year_anywhere_in_an_answer_leaves_its_verdict(
    answer: str,
    question: str,
    unit: str,
    additions: list[str],
    data: st.DataObject,
    gold: Decimal,
    other: Decimal,
    right: bool,
) -> None:
    asked = Gold(gold, unit)
    said = gold if right else gold * 3
    here, there = (data.draw(st.sampled_from(["", *additions])) for _ in range(2))
    fields = {"v": f"{said:,}", "w": f"{other:,}"}
    plain = match_amount(answer.format(**fields, here="", there=""), asked, question=question)
    added = match_amount(answer.format(**fields, here=here, there=there), asked, question=question)
    assert (added.verdict, added.reason) == (plain.verdict, plain.reason)
    assert (added.verdict.value == "match") == right or abs(other - gold) * 200 <= gold
