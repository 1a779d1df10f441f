"""What a sentence of an answer states: figures, or something of the company in words.

A sentence that says the question again, gives advice, defines a ratio or tells what the excerpts
hold states nothing of its own.
"""

from __future__ import annotations

import re

from ragdash.amounts import Amount, Kind, read_amounts
from ragdash.contract.refusal_words import THING_EN

_ANSWER_IS = re.compile(r"\banswer\s+is\s+\S*\d|答案[是为:：]\s*\S*\d", re.I)
_HYPOTHETICAL = re.compile(
    r"\b(?:would\s+(?:need|be|have)|if\s+(?:we|you|the)|for\s+example|assum|hypothetic|suppose"
    r"|formula)|假设|例如|公式",
    re.I,
)
# the question said again, or advice, or a definition, or a formula without figures
_NEUTRAL = re.compile(
    r"\b(?:you(?:r|'d)?|please|I|we|need(?:s|ed)?|recommend|refer|question|typically|formula|would"
    r"|should|is\s+(?:a\s+|an\s+)?(?:measure|metric|ratio|calculated|defined|computed)\w*)\b"
    r"|=[^=\d\n]{0,60}[/÷×*]|是否|多少|什么|如何|哪[些个]|关于|对于|问题|提问|您|我|请|建议",
    re.I,
)
_ECHO = re.compile(r"\b(?:you\s+ask|question|whether)\b|是否|问题|提问|所问", re.I)
_ONLY = re.compile(r"\bonly\b|[仅只]", re.I)
_SUMMARY = re.compile(
    r"\W{0,9}(?:(?:so,?\s+)?(?:in\s+(?:summary|conclusion|short)|overall|to\s+summari[sz]e|therefore"
    r"|thus|hence|consequently)\b|综上|总之|总体|因此|所以|由此|可见)",
    re.I,
)
_INFERS = re.compile(
    r"\b(?:can|could|would|may)\s+(?:\w+ly\s+)?(?:be\s+)?(?:infer|conclud|deduc)\w*\b"
    r"|可以?(?:推断|推知|看出)",
    re.I,
)
_PREDICATE_ZH = re.compile(
    r"是|(?<!作)为|指|包括|主要|受|被|因|达|有|实现|从事|采用|拥有|位于|聘|变|增|减|下降|上升|导致"
    r"|存在|属于"
)
_IDEOGRAPH = re.compile(r"[\u4e00-\u9fff]")
CLAUSE = re.compile(r"[，,;；](?!\d)")
# clauses that report what the excerpts hold, or grant a point
_ASIDE = re.compile(
    rf"{THING_EN.pattern}|\b(?:although|though|while|whereas|given|based\s+on|despite|only|since"
    r"|because)\b|资料|材料|上下文|片段|文档|信息|年报|报告(?!期)|仅|只|根据|依据|基于|由于|虽然|尽管"
    r"|因为|如果|若",
    re.I,
)
# "In 2023," and the like
_ADJUNCT = re.compile(
    r"\W{0,9}(?:as\s+of|in|for|by|at|from|during|under|after|before|with(?:out)?|according)\b", re.I
)
_COUNTED = re.compile(
    r"[人名股家台辆吨户店]\Z|(?:employees?|people|persons?|shares?|stores?|customers?|subscribers?"
    r"|users?|members?|vehicles?|restaurants?|patents?)\Z",
    re.I,
)
_STATED = (Kind.MONEY, Kind.PERCENT, Kind.PP, Kind.PER_SHARE, Kind.RATIO, Kind.DAYS)
_OPERATORS = tuple("*×/÷")
_LEAST_WORDS = 5
_LEAST_IDEOGRAPHS = 6


def figures_in(sentence: str) -> list[Amount]:
    """Return the figures that a sentence gives as an answer: no echo, formula or count of pages."""
    stated = [a for a in read_amounts(sentence) if a.asserted]
    if not stated or _ANSWER_IS.search(sentence):
        return stated
    if _HYPOTHETICAL.search(sentence) or _ECHO.search(sentence):
        return []
    if _ONLY.search(sentence) and is_aside(_ONLY.sub("", sentence)):
        return []
    return [
        a
        for a in stated
        if (a.kind in _STATED or _is_asked_for(a)) and not _is_operand(sentence, a.span[0])
    ]


def _is_asked_for(amount: Amount) -> bool:
    """Whether a number is of people, shares or the like, not of documents, or a ratio: 0.97."""
    if amount.kind is Kind.COUNT:
        return _COUNTED.search(amount.unit) is not None
    return amount.kind is Kind.BARE and "." in amount.text.strip(".")


def _is_operand(sentence: str, at: int) -> bool:
    return sentence[max(0, at - 4) : at].rstrip().endswith(_OPERATORS)


def is_aside(clause: str) -> bool:
    """Whether a clause tells what the excerpts hold, or grants a point."""
    return _ASIDE.search(clause) is not None


def is_neutral(sentence: str) -> bool:
    """Whether a sentence is advice, a definition, an assumption or the question said again."""
    return bool(_NEUTRAL.search(sentence) or _HYPOTHETICAL.search(sentence))


def is_limit(clause: str) -> bool:
    """Whether a clause says that there is only so much."""
    return _ONLY.search(clause) is not None


def is_adjunct(clause: str) -> bool:
    """Whether a clause is a time or place set before the sentence ("In 2023,")."""
    return _ADJUNCT.match(clause) is not None


def stated_in(clause: str) -> int:
    """Return the length of a clause that states something of the company, 0 where it does not."""
    if is_aside(clause):
        return 0
    ideographs = sum(1 for _ in _IDEOGRAPH.finditer(clause))
    if ideographs:
        said = ideographs >= _LEAST_IDEOGRAPHS and bool(_PREDICATE_ZH.search(clause))
    else:
        said = len(clause.split()) >= _LEAST_WORDS
    return len(clause) if said else 0


def content_of(sentence: str) -> int:
    """Return how many characters of a sentence state something of the company."""
    if is_neutral(sentence):
        return 0
    return sum(map(stated_in, CLAUSE.split(sentence)))


def sums_up(sentence: str) -> bool:
    """Whether a sentence draws a conclusion about the company."""
    if _INFERS.search(sentence):
        return True
    lead = _SUMMARY.match(sentence)
    return lead is not None and content_of(sentence[lead.end() :]) > 0
