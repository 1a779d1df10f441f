"""data/caliber/terms.toml is an analyst's: a term is added without code, and a slip is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ragdash.caliber.table import read_table
from ragdash.core.errors import InputError

FILE = Path(__file__).parents[1] / "data" / "caliber" / "terms.toml"
TEXT = FILE.read_text(encoding="utf-8")
ADDED = """
[[metric]]
key = "same_store_growth"
family = "growth"
zh = ["同店{销售|}增长率"]
en = ["same-store growth", "growth of … stores"]
"""


def test_a_term_is_added_without_code() -> None:
    table = read_table(TEXT + ADDED, "terms.toml")
    assert table.terms["same_store_growth"].aliases == (
        "同店销售增长率",
        "同店增长率",
        "same-store growth",
        "growth of ... stores",
    )
    assert table.metrics["同店增长率"] == "same_store_growth"


def test_a_spelling_with_a_gap_stands_for_one_to_four_words() -> None:
    table = read_table(TEXT + ADDED, "terms.toml")
    ((pattern, _),) = (g for g in table.gapped["gr"] if g[1] == "growth of ... stores")
    assert pattern.fullmatch("growth of comparable stores")
    assert pattern.fullmatch("growth of all our own large stores")
    assert not pattern.fullmatch("growth of stores")
    assert not pattern.fullmatch("growth of one two three four five stores")


def test_the_head_of_the_file_says_how_a_term_is_added() -> None:
    head = TEXT[: TEXT.index("version")]
    for field in (
        "key",
        "family",
        "attribution",
        "zh, en",
        "[[scope]]",
        "[words]",
        "To add a metric",
    ):
        assert field in head


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("version = 1", "version = ", "no valid TOML.*line"),
        ("version = 1", "version = 2", "version is 2"),
        ('family = "growth"', "", "'same_store_growth': key and family"),
        ('key = "same_store_growth"', "", r"number \d+: key and family"),
        ('key = "same_store_growth"', 'key = "revenue"', "'revenue' is there twice"),
        ("zh = [", "chinese = [", "unknown field 'chinese'.*zh"),
        ('zh = ["同店{销售|}增长率"]', 'zh = "同店增长率"', "zh must be a list"),
        ("{销售|}", "{销售|", "brace or bar that is not paired"),
        ('"same-store growth"', '"net income"', "'net income' is a spelling of 'net_profit' too"),
        ('"same-store growth"', '""', "two characters"),
        ('"same-store growth"', '"率"', "two characters"),
        ('"same-store growth"', '"同店…"', "end it with a word"),
        (
            '"same-store growth"',
            '"' + "{aa|bb}" * 20 + '"',
            "writes out",
        ),
        ('family = "growth"', 'family = "growth"\nattribution = "母公司"', "attribution '母公司'"),
        ('scope = "region"', 'scope = "country"', "scope 'country' is none of"),
        ("en_no_part = [", "en_no_parts = [", "unknown field 'en_no_parts'"),
        ("[words]", "[word]", "unknown field 'word'"),
    ],
)
def test_a_slip_in_the_file_is_one_clear_sentence(old: str, new: str, said: str) -> None:
    text = TEXT + ADDED
    at = text.rindex(old)
    with pytest.raises(InputError) as told:
        read_table(text[:at] + new + text[at + len(old) :], "terms.toml")
    message = str(told.value)
    assert re.search(said, message), message
    assert message.startswith("terms.toml")
    assert message.endswith(".")
    assert "\n" not in message
