from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ragdash_test_expressions import FILTERS, HELD

from ragdash.core.errors import InputError
from ragdash.filter import BadFilter, compile, parse, written  # noqa: A004 - the term for it
from ragdash.filter.fields import FIELDS, Kind, by_any_name, codes_of
from ragdash.filter.meant import meant
from ragdash.filter.parser import DEEPEST, MOST_TERMS
from ragdash.filter.tree import Every, Expr, Not, Op, Phrase, Some, Term

PIECES = st.sampled_from(
    ["outcome", "结果", "judge", "wrong", ":", "：", "<", "＜", "0.5", "(", "（", ")", "OR", "或",
     "-", "NOT", '"', "“", "”", "\\", ",", "，", " ", "!", "=", "≠", "茅台", "*", "%", "|", "no",
     "has", "hit@5", "１", "\ud800", "\x00", "\u3000", "😀"]
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("outcome:wrong layer:ranking company:茅台 judge<0.5",
         "结果：错误　层：排序　公司：茅台　评审＜０.５"),
        ("outcome:wrong,error", "结果:答错、出错"),
        ("(layer:ranking OR layer:recall) reviewed:no", "（层：排序 或 层：召回） 复核：否"),
        ("-outcome:correct", "非 结果：答对"),
        ('company:"Apple Inc."', "公司：“Apple Inc.”"),
        ("no:faithfulness", "无:忠实度"),
        ("is:unanswerable", "是：无答案"),
        ("verdict:business caliber:conflict", "判定：业务口径 口径：冲突"),
        ("rank>5", "排名＞５"),
        ("judge<=0.5", "评审≤50%"),
        ("outcome!=wrong", "结果≠错误"),
    ],
)  # fmt: skip
def test_chinese_and_full_width_say_the_same(text, same) -> None:
    assert parse(text) == parse(same)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("", Every()),
        ("  ", Every()),
        ("茅台", Phrase("茅台")),
        ("1,476.94", Phrase("1,476.94")),
        ('"net sales"', Phrase("net sales")),
        ('"she said \\"no\\""', Phrase('she said "no"')),
        ("outcome:wrong,error", Term("outcome", Op.IS, ("wrong", "error"))),
        ("outcome : wrong , error", Term("outcome", Op.IS, ("wrong", "error"))),
        ("outcome:abstained", Term("outcome", Op.IS, ("abstained_right", "abstained_wrong"))),
        ("answer:1,476.94,5", Term("answer", Op.IS, ("1,476.94,5",))),
        ("answer:1,476.94，5", Term("answer", Op.IS, ("1,476.94", "5"))),
        ("judge<50%", Term("judge", Op.LESS, ("0.5",))),
        ("faithfulness:error", Term("faithfulness", Op.IS, ("error",))),
        ("numeric_accuracy:0", Term("numeric_accuracy", Op.EQUAL, ("0",))),
        ("no:rank", Not(Term("has", Op.IS, ("rank",)))),
        ("a b OR c", Some((Every((Phrase("a"), Phrase("b"))), Phrase("c")))),
        ("a (b c)", Every((Phrase("a"), Phrase("b"), Phrase("c")))),
        ("-(a | b)", Not(Some((Phrase("a"), Phrase("b"))))),
        ("seconds>1.50", Term("seconds", Op.MORE, ("1.5",))),
        ("OUTCOME:Wrong", Term("outcome", Op.IS, ("wrong",))),
        ('"or"', Phrase("or")),
        ('"OR"', Phrase("OR")),
    ],
)
def test_a_filter_says(text, tree) -> None:
    assert parse(text) == tree


@pytest.mark.parametrize(
    ("text", "position", "said", "zh"),
    [
        ("outcom:wrong", 1, "unknown field outcom: did you mean outcome", "outcome"),
        ("茅台 结国:错误", 4, "unknown field 结国: did you mean 结果", "结果"),
        ("zzzz:1", 1, "unknown field zzzz", "结果、层、公司"),
        ("outcome:wrng", 9, "outcome is never wrng: did you mean wrong?", "wrong"),
        ("层:排叙", 3, "层 is never 排叙", "排叙"),
        ("outcome:wrong,", 15, "a value of outcome is missing here", "缺少"),
        ("outcome:", 9, "a value of outcome is missing here", "缺少"),
        ("(a b", 1, "a bracket opens here and never closes", "括号"),
        ("（a b", 1, "a bracket opens here and never closes", "括号"),
        ("a)", 2, "a bracket closes here that never opened", "括号"),
        ("a ()", 4, "nothing to look for stands before )", "之前"),
        ("a OR", 5, "something is missing at the end", "末尾"),
        ("OR a", 1, "nothing to look for stands before OR", "之前"),
        ("-", 2, "something is missing at the end", "末尾"),
        (":wrong", 1, "nothing to look for stands before :", "之前"),
        ('a "b', 3, "a quote opens here and never closes", "引号"),
        ('""', 1, "there is nothing in the quotes", "引号"),
        ("rank>many", 6, "rank is a number, as 0.5, and many is none", "数字"),
        ("judge<0.5,0.6", 11, "judge< takes one number", "一个数字"),
        ("judge<nan", 7, "judge is a number", "数字"),
        ("judge<1e999", 7, "judge is a number", "数字"),
        ("company<3", 8, "company is no number: write company:3", "不是数字"),
        ("has:rnk", 5, "has is never rnk: did you mean rank", "rank"),
        ("a\x00", 2, "U+0000 is no character", "U+0000"),
        ("\ud800", 1, "U+D800 is no character", "U+D800"),
    ],
)
def test_a_bad_filter_is_one_sentence_with_its_place(text, position, said, zh) -> None:
    with pytest.raises(BadFilter) as found:
        parse(text)
    assert found.value.position == position
    assert str(found.value).startswith(f"filter, character {position}: {said}")
    assert f"第 {position} 个字符" in found.value.said.zh
    assert zh in found.value.said.zh
    assert "\n" not in str(found.value)


def test_length_terms_and_depth_have_limits() -> None:
    parse("茅" * 2000)
    with pytest.raises(BadFilter, match="character 2001: it has 2,001 characters, and 2,000"):
        parse("茅" * 2001)
    parse(" ".join(["a"] * MOST_TERMS))
    with pytest.raises(BadFilter, match=f"more than {MOST_TERMS} conditions"):
        parse(" ".join(["a"] * (MOST_TERMS + 1)))
    with pytest.raises(BadFilter, match=f"more than {MOST_TERMS} conditions"):
        parse("rank=" + ",".join(str(n) for n in range(60)))
    parse("(" * DEEPEST + "a" + ")" * DEEPEST)
    for sign in ("(", "-", "NOT "):
        with pytest.raises(BadFilter, match=f"nested more than {DEEPEST} deep"):
            parse(sign * 1000 if len(sign) == 1 else sign * 400)


def read(text: str) -> Expr | InputError:
    try:
        return parse(text)
    except InputError as error:
        return error


@given(st.text(max_size=60) | st.lists(PIECES, max_size=25).map("".join))
@settings(max_examples=400)
@example("outcome:\u3000")
@example("！＝")
@example("a！=b")
def test_any_text_is_a_filter_or_an_input_error_and_reads_back(text) -> None:
    found = read(text)
    if isinstance(found, InputError):
        assert isinstance(found, BadFilter)
        assert 1 <= found.position <= len(text) + 1
    else:
        assert parse(written(found)) == found


@given(FILTERS)
@settings(max_examples=300)
def test_what_is_written_is_read_as_the_same_tree(expr) -> None:
    assert parse(written(expr)) == expr


def test_every_name_and_every_spelling_of_a_code_reads() -> None:
    for name in by_any_name():
        field = FIELDS[by_any_name()[name]]
        for word in codes_of(field.name):
            parse(f'{name}:"{word}"')
    for name in HELD:
        parse(f"has:{name} no:{name}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("白塔食品 wrong", {"wrong": "outcome:wrong"}),
        ("白塔食品 错误", {"错误": "结果:错误"}),
        ("Apple OR -(ranking 答对)", {"ranking": "layer:ranking", "答对": "结果:答对"}),
        ("口径不符", {"口径不符": "口径:口径不符"}),
        ("DENSE flaky", {"DENSE": "mode:DENSE", "flaky": "is:flaky"}),
        ("outcome:wrong Apple 2023 1 是", {}),
        ("", {}),
    ],
)
def test_a_text_that_is_a_value_is_told_with_the_term_to_write(
    text: str, expected: dict[str, str]
) -> None:
    found = meant(parse(text))
    assert found == expected
    for term in found.values():
        assert isinstance(parse(term), Term)


@pytest.mark.parametrize(
    "typed",
    [w for f in FIELDS.values() if f.kind in (Kind.CODE, Kind.STATE) for w in (f.name, *f.also)],
)
def test_a_fault_quotes_the_field_as_it_was_typed(typed: str) -> None:
    with pytest.raises(BadFilter) as fault:
        parse(f"{typed}:qqqqqqqq")
    assert f" {typed} is never" in fault.value.said.en
    assert f"{typed} 没有取值" in fault.value.said.zh


def test_the_words_of_the_buttons_are_values() -> None:
    assert parse("口径：口径不符") == parse("caliber:conflict")
    assert parse("口径：口径相符") == parse("caliber:fits")


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("not outcome:wrong", "-outcome:wrong"),
        ("layer:recall or layer:ranking", "layer:recall OR layer:ranking"),
        ("结果:错误 Or 层:召回", "结果:错误 或 层:召回"),
        ("is:lost and 茅台", "is:lost 茅台"),
        ("is:lost & 茅台 && 2023", "is:lost 茅台 2023"),
        ("ｎｏｔ 茅台", "-茅台"),
        ("rank>=1,000", "rank>=1000"),
        ("排名＞1,234,567", "rank>1234567"),
        ("rank<1,000 is:lost", "rank<1000 is:lost"),
    ],
)
def test_operators_are_read_in_any_case_and_one_number_with_its_commas(text, same) -> None:
    assert parse(text) == parse(same)
    assert parse(written(parse(text))) == parse(text)


@pytest.mark.parametrize("word", ["or", "AND", "Not", "且", "&", "R&D", "AT&T"])
def test_a_word_of_an_operator_is_a_text_in_quotes(word) -> None:
    assert parse(f'"{word}"') == Phrase(word)
    assert parse(written(Phrase(word))) == Phrase(word)


@pytest.mark.parametrize("text", ["rank>1,5", "rank>1, 000", "rank<=10,00"])
def test_two_numbers_where_one_is_taken_are_named(text) -> None:
    with pytest.raises(BadFilter, match="takes one number: the second is"):
        parse(text)


def test_a_comma_after_an_equals_sign_parts_a_list() -> None:
    assert parse("rank=1,200") == Term("rank", Op.EQUAL, ("1", "200"))


@pytest.mark.parametrize(
    "name", ["given.faithfulness", "given.忠实度", "given.a-b@5+x", "given.F1"]
)
def test_a_score_of_another_system_is_a_metric_of_its_own_name(name) -> None:
    assert parse(f"{name}<50%") == Term(name, Op.LESS, ("0.5",))
    assert parse(f"{name}：error") == Term(name, Op.IS, ("error",))
    assert parse(f"has:{name}") == Term("has", Op.IS, (name,))
    assert parse(f"无:{name}") == Not(Term("has", Op.IS, (name,)))
    for text in (f"{name}<0.5", f"-has:{name},rank", f"{name}=1,2"):
        assert parse(written(parse(text))) == parse(text)
    sql, values = compile(parse(f"{name}<0.5 has:{name}"))
    assert name not in sql
    assert [name] in values.values()


@pytest.mark.parametrize(
    "name", ["given.", "given.'", "given.$x", "given.a/b", "given." + "x" * 61]
)
def test_what_is_no_name_of_a_score_is_no_field(name) -> None:
    with pytest.raises(BadFilter):
        parse(f"{name}<0.5")
