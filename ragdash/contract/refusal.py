"""Refusals: whether an answer declines, in the fixed sentence or in any other words."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.contract.citations import strip_citations
from ragdash.contract.labels import REFUSAL_EN, REFUSAL_ZH
from ragdash.contract.refusal_words import concludes, fold, is_placeholder, unable, unstated
from ragdash.contract.statements import (
    CLAUSE,
    content_of,
    figures_in,
    is_adjunct,
    is_aside,
    is_limit,
    is_neutral,
    stated_in,
    sums_up,
)
from ragdash.core.answer import AnswerStatus

if TYPE_CHECKING:
    from ragdash.amounts import Amount

_MARKUP = re.compile(r"\*{2,}|__+|`+")
_SENTENCE = re.compile(
    r"[^。！？!?；;\n.]*(?:\.(?!\s|$)[^。！？!?；;\n.]*)*(?:[。！？!?；;\n]|\.(?=\s|$)|$)"
)
_BRACKET = re.compile(r"[(（][^()（）\n]*[)）]")
_CONCEDED = re.compile(
    r"\b(?:while|although|though)\b[^.,\n]{0,200},|(?:虽然?|尽管)[^。,，\n]{0,100}[,，]", re.I
)
_TURN = re.compile(
    r"但|不过|然而|据我所知|按[^,，]{0,20}[推计估测]算|[推计估测]算[得为出]"
    r"|\b(?:but|however|although|yet|to my knowledge)\b",
    re.I,
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_LEAST_CHARACTERS = 10
# two thirds of the text: the refusals that were read told half of theirs at most
_MOSTLY = 2


@dataclass(frozen=True, slots=True)
class Refusal:
    """Whether an answer declines.

    `is_refusal`: it declines, in any wording, and states no figure as the answer. `fixed_text`: it
    uses the contract's sentence. `refusal_with_answer`: it declines and states a figure all the
    same, which is an answer and a breach of the contract.
    """

    is_refusal: bool
    fixed_text: bool
    refusal_with_answer: bool


def read_refusal(text: str) -> Refusal:
    """Return whether a text declines to answer (rule: the project's metric definitions, refusal).

    A figure counts as given when a sentence that does not itself decline asserts it. A text that
    answers in words first and only then remarks that something is not stated is an answer. An
    empty text is no refusal. Linear in the length of the text; never raises.
    """
    plain = _MARKUP.sub("", strip_citations(text))
    fixed = has_fixed_refusal(plain)
    if is_placeholder(fold(plain)):
        return Refusal(True, fixed, False)
    sentences = [s for s in _SENTENCE.findall(plain) if s.strip()]
    declining = [_declines(s) for s in sentences]
    if not fixed and not any(declining):
        return Refusal(False, False, False)
    if _gives_figure(sentences, declining):
        return Refusal(False, fixed, True)
    return Refusal(fixed or not _answers_in_words(sentences, declining), fixed, False)


def status_of(text: str, declared: AnswerStatus | None = None) -> AnswerStatus:
    """Return the status of a reply, by its text and, if it comes with one, its declared status.

    A blank text is an error (reason no_output), neither an answer nor a refusal. Who declares a
    refusal is believed unless a figure is given all the same; who declares an answer is not
    believed where the text declines.
    """
    if not text.strip():
        return AnswerStatus.ERROR
    if declared is AnswerStatus.REFUSED:
        # Read as if the fixed sentence stood before it: one rule for what is given beside.
        given = read_refusal(f"{REFUSAL_EN}.\n{text}").refusal_with_answer
        return AnswerStatus.ANSWERED if given else AnswerStatus.REFUSED
    return AnswerStatus.REFUSED if read_refusal(text).is_refusal else AnswerStatus.ANSWERED


def has_fixed_refusal(text: str) -> bool:
    """Whether the contract's fixed sentence stands in a text.

    Width, case, blanks, punctuation, Markdown and traditional characters make no difference.
    """
    folded = _letters(text)
    return any(fixed in folded for fixed in _FIXED)


def _letters(text: str) -> str:
    return _NO_LETTER.sub("", fold(unicodedata.normalize("NFKC", text)).casefold())


_NO_LETTER = re.compile(r"[\W_]+")
_FIXED = (_letters(REFUSAL_ZH), _letters(REFUSAL_EN))


def _declines(sentence: str) -> bool:
    """Whether a sentence or clause declines: the speaker cannot, or nothing states it.

    What is conceded before a statement ("while not disclosed, the larger one is ...") is not.
    """
    conceded = _CONCEDED.search(sentence)
    if conceded and stated_in(sentence[conceded.end() :]):
        sentence = sentence[conceded.end() :]
    said = fold(_BRACKET.sub(" ", sentence))
    if not said.strip(" .。!?\n"):
        said = fold(sentence)
    return unable(said) or unstated(said)


def _gives_figure(sentences: list[str], declining: list[bool]) -> bool:
    """Weigh the figures given: those before a conclusion that none can be had are partial ones."""
    given = [
        len(_beside_decline(s) if d else figures_in(s))
        for s, d in zip(sentences, declining, strict=True)
    ]
    last = max((i for i, s in enumerate(sentences) if concludes(fold(s))), default=-1)
    return sum(given[last + 1 :] if last >= 0 and not given[last] else given) > 0


def _beside_decline(sentence: str) -> list[Amount]:
    """Figures that a declining sentence states: after "but" or 据我所知, or in other clauses.

    What follows the decline with a year of its own is another year's figure, and what stands before
    "... is missing, so it cannot be computed" is a part: neither is the asked one.
    """
    turn = _TURN.search(sentence)
    after = figures_in(sentence[turn.end() :]) if turn else []
    found: list[Amount] = []
    missing = 0
    concluded = concludes(fold(sentence))
    for clause in CLAUSE.split(sentence):
        declines = _declines(clause)
        missing += declines
        if declines and missing > 1 and concluded:
            return after
        if missing and _YEAR.search(clause):
            break
        if not declines and not is_aside(clause) and not (missing and concluded):
            found += figures_in(clause)
    return after or found


def _answers_in_words(sentences: list[str], declining: list[bool]) -> bool:
    """Whether the text answers without a figure: before it first declines, or in its summary.

    What stands before a conclusion that nothing can be said is no answer.
    """
    if any(concludes(fold(s)) for s in sentences):
        return False
    first = declining.index(True)
    said = sum(map(content_of, sentences[:first])) + _content_beside(sentences[first])
    if said >= _LEAST_CHARACTERS:
        return True
    if any(not d and sums_up(s) for s, d in zip(sentences, declining, strict=True)):
        return True
    return not any(unable(fold(s)) for s in sentences) and _mostly_reports(sentences)


def _content_beside(sentence: str) -> int:
    """Return the characters that state something before the first clause that declines."""
    said = 0
    for clause in CLAUSE.split(sentence):
        if _declines(clause):
            return said
        if not is_neutral(clause) and not is_adjunct(clause):
            said += stated_in(clause)
    return 0


def _mostly_reports(sentences: list[str]) -> bool:
    """Whether a text tells more of the company, or far more of the material, than it leaves out."""
    told = stated = declined = 0
    for sentence in sentences:
        neutral, turned = is_neutral(sentence), False
        clauses = CLAUSE.split(sentence)
        declining = [_declines(c) for c in clauses]
        if not any(declining):
            declining[-1] = _declines(sentence)
        for clause, declines in zip(clauses, declining, strict=True):
            turned = turned or _TURN.search(clause) is not None
            if declines:
                declined += len(clause)
            elif not neutral and not is_limit(clause):
                told += len(clause)
                stated += stated_in(clause) * (turned or clause == sentence)
    return told >= _MOSTLY * declined or stated >= declined
