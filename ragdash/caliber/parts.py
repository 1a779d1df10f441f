"""The words that narrow a label: 云服务收入, "Cloud revenue", "revenue from the gaming segment".

No list knows every segment of every company. A word directly at a label that is neither common
(data/caliber/terms.toml) nor in the question makes the figure one of a part of the company.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ragdash.caliber.pieces import chinese_pieces, goes_on
from ragdash.caliber.samename import is_chinese, may_be_a_name, same_name
from ragdash.caliber.terms import common_words, find_terms

if TYPE_CHECKING:
    from ragdash.caliber.terms import TermHit

_CLAUSE = re.compile(r"[^。；;，,！!?？\n|：:（）()\d]*$")
_WORDS = re.compile(r"(?:(?<![\w$’'.%-])[A-Za-z][\w&/-]*[ ]){1,3}$")
_FROM = re.compile(
    r" (?:from|in|of|for|by) (?:the |our |its )?(?P<part>(?:[A-Za-z][\w&-]* ){1,4})"
    r"(?:segment|division|business unit|unit|region|category)\b"
)
_PERIOD = re.compile(r"fy[\d/-]*|[qh]\d")
_VERBAL = re.compile(r"(?:ed|ing|ly)$")
_GERUNDS = {"gaming", "advertising", "licensing", "manufacturing", "banking", "streaming"}
_TOTAL = re.compile(r"(?:total|company-wide|consolidated|overall|总|合计|整体)[\s\w]{0,12}$", re.I)
_COMPANY = re.compile(r"(?:公司|集团|股份)$")
_NEXT_TO_A_LABEL = ("", "的", "实现", "实现了", "完成", "取得")


def part_at(text: str, label: TermHit, question: str) -> str:
    """Return the part of a company that a label is narrowed to and the question does not name.

    Args:
        text: the answer.
        label: the metric term in it that an amount stands under.
        question: what was asked; its words narrow nothing.

    Returns:
        The words as written, "" where the label stands for the whole or for what is asked.
    """
    chinese = is_chinese(text[slice(*label.span)])
    if question and chinese != is_chinese(question):
        return ""
    low = max(0, label.span[0] - 40)
    if chinese:
        return _chinese_part(text, low, label.span[0], question)
    return _english_part(text, low, label, question)


@lru_cache(16)
def asked_part(question: str) -> str:
    """Return the words that narrow the only label of a question, "" where there are none."""
    parts = [part_at(question, label, "") for label in find_terms(question)]
    return parts[0] if len(parts) == 1 else ""


def says_total(text: str, label: TermHit) -> bool:
    """Whether a label is said to be the whole company's: "total net sales", 公司总营业收入."""
    before = text[max(0, label.span[0] - 20) : label.span[0]]
    return label.alias.startswith(("total ", "consolidated ")) or _TOTAL.search(before) is not None


def _chinese_part(text: str, low: int, at: int, question: str) -> str:
    clause = _CLAUSE.search(text[low:at])
    start = low + (clause.start() if clause else 0)
    name, end = _last_piece(text, (start, at))
    if not may_be_a_name(name) or _COMPANY.search(name) or text[end:at] not in _NEXT_TO_A_LABEL:
        return ""
    if any(same_name(name, other) for other in _asked_pieces(question)):
        return ""
    return name


def _last_piece(text: str, span: tuple[int, int]) -> tuple[str, int]:
    """The last words of a clause that are not common, with what they go on from, and their end."""
    first = last = span[1]
    for _, piece in reversed(list(chinese_pieces(text, span))):
        if first == span[1]:
            first, last = piece
        elif goes_on(text, piece, (first, last)):
            first = piece[0]
        else:
            break
    return text[first:last], last


@lru_cache(16)
def _asked_pieces(question: str) -> tuple[str, ...]:
    return tuple(name for name, _ in chinese_pieces(question, (0, len(question))))


def _english_part(text: str, low: int, label: TermHit, question: str) -> str:
    asked = set(re.findall(r"[a-z0-9]+", question.lower()))
    behind = _FROM.match(text, label.span[1])
    if behind and not set(behind["part"].lower().split()) & asked:
        return behind["part"].strip()
    found = _WORDS.search(text[low : label.span[0]])
    kept: list[str] = []
    for word in reversed(found[0].split() if found else []):
        if _narrows_nothing(word):
            break
        kept.append(word)
    if {part for word in kept for part in re.split(r"[-/&]", word.lower())} & asked:
        return ""
    return " ".join(reversed(kept))


def _narrows_nothing(word: str) -> bool:
    bare = word.lower()
    if bare in _common() or _PERIOD.fullmatch(bare):
        return True
    return word.islower() and _VERBAL.search(bare) is not None and bare not in _GERUNDS


@lru_cache(1)
def _common() -> frozenset[str]:
    return frozenset({*common_words("en_no_name"), *common_words("en_no_part")})
