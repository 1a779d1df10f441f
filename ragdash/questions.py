"""The question set, checked on load: every bad line is named, nothing is guessed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from ragdash.amounts.iso4217 import CODES, FORMER_CODES
from ragdash.core.errors import InputError
from ragdash.core.fingerprint import digest
from ragdash.core.question import Evidence, Gold, Question, QuestionKind
from ragdash.jsonlines import explained, printable, read_objects

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from ragdash.core.chunk import Source

UNIT = re.compile(r"[A-Z]{3}(/share)?|[a-z][a-z _-]*[a-z]|[a-z]")
"""An ISO 4217 code, that per share, or a lower-case word: percent, pp, ratio, days, a noun."""

SCOPES = ("consolidated", "parent", "segment", "product")
ATTRIBUTIONS = ("归母", "扣非")
LONGEST_QUESTION = 4_000
"""Characters; a reranker reads question and passage together, and memory grows with both."""

LONGEST_ID = 200
MOST_DIGITS = 60
"""A longer number is no figure of a report, and 1E999999 must not be written out."""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """One version of a set: `digest` is over its content, whatever the file's layout."""

    name: str
    digest: str
    questions: tuple[Question, ...]

    def first(self, n: int) -> QuestionSet:
        """Return the set of the first n questions, which is another set with its own digest."""
        some = self.questions[:n]
        return QuestionSet(self.name, digest(some), some)


def misplaced(questions: Iterable[Question], sources: Iterable[Source]) -> list[str]:
    """Return a sentence for each evidence page that a corpus cannot hold, with the likely id.

    Such a question is lost at ingest whatever is retrieved, so a person should know before a run.
    """
    pages = {source.doc_id: source.n_pages for source in sources}
    found = []
    for question in questions:
        for evidence in question.evidence:
            doc_id, where = printable(evidence.doc_id), f"question {printable(question.id)}"
            if evidence.doc_id not in pages:
                near = get_close_matches(evidence.doc_id, pages, n=1, cutoff=0.6)
                hint = f" (did you mean {printable(near[0])}?)" if near else ""
                found.append(f"{where}: evidence document {doc_id} is not in the corpus{hint}")
            elif (n := pages[evidence.doc_id]) is not None and evidence.page > n:
                found.append(f"{where}: {doc_id} has {n} pages, evidence names {evidence.page}")
    return found


def _exact(value: object) -> Decimal:
    """A finite number out of JSON, as written; floats arrive here as Decimal already."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal | str):
        raise ValueError("a number or a string of one is wanted")
    if isinstance(value, str) and not re.fullmatch(r"[-+]?\d+(\.\d+)?([eE][-+]?\d{1,3})?", value):
        raise ValueError("write digits with a point, without grouping, blanks or unit")
    number = Decimal(value)
    if not number.is_finite():
        raise ValueError("a finite number is wanted")
    if len(number.as_tuple().digits) > MOST_DIGITS or abs(number.adjusted()) > MOST_DIGITS:
        raise ValueError(f"more than {MOST_DIGITS} digits")
    return number


def _unit(value: object) -> object:
    if not isinstance(value, str):
        return value
    if not UNIT.fullmatch(value):
        raise ValueError("write CNY, CNY/share, percent, pp, ratio, days or a lower-case noun")
    code = value.removesuffix("/share")
    if code.isupper() and code not in CODES | FORMER_CODES:
        raise ValueError(f"{code} is no currency of ISO 4217")
    return value


def _one_of(*known: str) -> BeforeValidator:
    def check(value: object) -> object:
        if value is not None and value not in known:
            raise ValueError(f"one of {', '.join(known)} or null is wanted")
        return value

    return BeforeValidator(check)


_Exact = Annotated[Decimal, BeforeValidator(_exact)]
_Word = Annotated[str, StringConstraints(strict=True, strip_whitespace=True, min_length=1)]
_Text = Annotated[str, StringConstraints(strict=True)]


class _Gold(BaseModel):
    model_config = ConfigDict(extra="forbid")

    value: _Exact
    unit: Annotated[_Text, BeforeValidator(_unit)]
    tolerance: Annotated[_Exact, Field(ge=0, lt=1)] = Decimal("0.005")
    decimals: Annotated[int, Field(strict=True, ge=-30, le=30)] | None = None
    metric: _Word | None = None
    scope: Annotated[str | None, _one_of(*SCOPES)] = None
    attribution: Annotated[str | None, _one_of(*ATTRIBUTIONS)] = None
    period: _Word | None = None


class _Evidence(BaseModel):
    model_config = ConfigDict(extra="forbid")

    doc_id: _Word
    page: Annotated[int, Field(strict=True, ge=1, le=9_999)]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: Annotated[_Word, StringConstraints(max_length=LONGEST_ID)]
    question: Annotated[_Word, StringConstraints(max_length=LONGEST_QUESTION)]
    lang: Annotated[_Text, StringConstraints(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")]
    kind: QuestionKind
    company: _Word | None = None
    period: _Word | None = None
    gold: list[_Gold] = []
    gold_text: _Text = ""
    evidence: list[_Evidence] = []
    answerable: Annotated[bool, Field(strict=True)]
    note: _Text = ""

    @model_validator(mode="after")
    def _holds_together(self) -> _Line:
        if not self.answerable:
            if self.gold or self.evidence or self.gold_text:
                raise ValueError("answerable is false, so gold, gold_text and evidence stay empty")
            return self
        if self.kind is QuestionKind.COMPARE and len(self.gold) < 2:
            raise ValueError("kind compare needs two golds or more")
        if self.kind in (QuestionKind.LOOKUP, QuestionKind.COMPUTED) and not self.gold:
            raise ValueError(f"kind {self.kind.value} needs a gold, or answerable: false")
        if self.kind is QuestionKind.TEXT and not (self.gold or self.gold_text.strip()):
            raise ValueError("kind text needs a gold_text, or answerable: false")
        if len(set(map(_place, self.evidence))) != len(self.evidence):
            raise ValueError("a page stands twice in evidence")
        return self


def _place(evidence: _Evidence) -> tuple[str, int]:
    return evidence.doc_id, evidence.page


def load_questions(path: Path) -> QuestionSet:
    """Read a question file (JSON lines, contract.md section 2).

    Raises:
        InputError: the file cannot be read or is empty, or lines are bad; all of them are named.
    """
    faults: list[str] = []
    questions: list[Question] = []
    seen: dict[str, int] = {}
    for number, row in read_objects(path, faults):
        try:
            question = _question(_Line.model_validate(row))
        except ValidationError as error:
            faults.append(f"line {number}: {explained(error)}")
            continue
        if question.id in seen:
            faults.append(f"line {number}: id {question.id!r} is taken by line {seen[question.id]}")
            continue
        seen[question.id] = number
        questions.append(question)
    if faults:
        raise InputError(f"{path}: {'; '.join(faults)}. Nothing was read; mend these lines.")
    if not questions:
        raise InputError(f"{path} holds no question; write one JSON object a line.")
    return QuestionSet(path.stem, digest(tuple(questions)), tuple(questions))


def _question(line: _Line) -> Question:
    return Question(
        id=line.id,
        text=line.question,
        lang=line.lang,
        kind=line.kind,
        company=line.company,
        period=line.period,
        gold=tuple(map(_as_gold, line.gold)),
        gold_text=line.gold_text,
        evidence=tuple(Evidence(e.doc_id, e.page) for e in line.evidence),
        answerable=line.answerable,
        note=line.note,
    )


def read_gold(fields: Mapping[str, object]) -> Gold:
    """Return one gold figure out of the keys of contract.md section 2, checked as on load.

    Args:
        fields: `value` is a Decimal, an int or a string of digits in `unit`, never a float.

    Raises:
        InputError: a key is missing, unknown or of a bad value; all of them are named.
    """
    try:
        return _as_gold(_Gold.model_validate(dict(fields)))
    except ValidationError as error:
        raise InputError(explained(error)) from error


def _as_gold(gold: _Gold) -> Gold:
    return Gold(
        value=_plain(gold.value),
        unit=gold.unit,
        tolerance=_plain(gold.tolerance),
        decimals=gold.decimals,
        metric=gold.metric,
        scope=gold.scope,
        attribution=gold.attribution,
        period=gold.period,
    )


def _plain(number: Decimal) -> Decimal:
    """One writing for one value, so that 1.50, "1.5" and 15e-1 have the same digest."""
    return Decimal(f"{number.normalize():f}") if number else Decimal(0)
