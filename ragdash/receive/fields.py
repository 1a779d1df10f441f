"""Header, line and context of the open form, each checked by itself."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from decimal import Decimal
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from ragdash.core.chunk import ChunkKind, DocType  # noqa: TC001 - pydantic reads it
from ragdash.core.errors import InputError
from ragdash.core.question import QuestionKind  # noqa: TC001 - pydantic reads it
from ragdash.core.retrieval import MODE_NAME
from ragdash.jsonlines import explained, printable
from ragdash.receive import form

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

M = TypeVar("M", bound=BaseModel)

_LARGEST = float.fromhex("0x1.fffffep+127")
"""Scores are kept in 32 bits."""

_LONGEST_TIME = 1e9
_DATE = len("2026-11-30")
_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,8}")


def _number(value: object) -> object:
    """A JSON number that is finite and no wider than is kept; text is none."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError("a number is wanted")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if abs(number) > _LARGEST:
        raise ValueError("out of range")
    return number


def _mode(value: object) -> object:
    if not isinstance(value, str) or not re.fullmatch(MODE_NAME, value):
        raise ValueError(
            "a mode is named by letters, digits, - _ and ., at most 60, a letter or digit first"
        )
    return value


def _started(value: object) -> object:
    """An ISO 8601 date, or time put into UTC; one without a zone is in UTC."""
    if isinstance(value, str) and _INSTANT.fullmatch(value):
        try:
            found = datetime.fromisoformat(value)
            if len(value) == _DATE:
                return value
            found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
            return found.isoformat().replace("+00:00", "Z")
        except (ValueError, OverflowError):
            pass
    raise ValueError("an ISO 8601 date or time is wanted, as 2026-11-30 or 2026-11-30T09:36:00Z")


def _lang(value: object) -> object:
    """A language tag; of Chinese and English the language alone, as questions of ours have it."""
    if not isinstance(value, str) or not _TAG.fullmatch(value):
        raise ValueError("a language tag is wanted, as zh, en-US or fr")
    language = value.split("-")[0].lower()
    return language if language in ("zh", "en") else value


def _listed(value: object) -> object:
    """Contexts that are only text, as objects."""
    if isinstance(value, list):
        return [{"text": one} if isinstance(one, str) else one for one in value]
    return value


_Number = Annotated[float, BeforeValidator(_number)]
_Seconds = Annotated[_Number, Field(ge=0, le=_LONGEST_TIME)]
_Rank = Annotated[int, Field(strict=True, ge=1, le=form.LARGEST_RANK)]
_Page = Annotated[int, Field(strict=True, ge=1, le=form.LAST_PAGE)]
_Flag = Annotated[bool, Field(strict=True)]
_Name = Annotated[
    str,
    StringConstraints(
        strict=True, strip_whitespace=True, min_length=1, max_length=form.LONGEST_NAME
    ),
]
_Text = Annotated[str, StringConstraints(strict=True, max_length=form.LONGEST_TEXT)]
_Long = Annotated[str, StringConstraints(strict=True, max_length=form.LONGEST_ANSWER)]
_Mode = Annotated[str, BeforeValidator(_mode)]


class Header(BaseModel):
    """The first line, or what it would say; facts are text by the names of `form.FACTS`."""

    model_config = ConfigDict(frozen=True)

    modes: Annotated[list[_Mode], Field(max_length=form.MOST_MODES)] = []
    questions: _Name | None = None
    started_at: Annotated[str, BeforeValidator(_started)] | None = None
    whole_lists: _Flag = False
    top_k: Annotated[int, Field(strict=True, ge=1, le=form.MOST_CONTEXTS)] | None = None
    facts: dict[str, _Name] = {}


class Context(BaseModel):
    """One passage that the system retrieved."""

    model_config = ConfigDict(frozen=True)

    chunk_id: _Name | None = None
    doc_id: _Name | None = None
    company: _Name | None = None
    period: _Name | None = None
    doc_type: DocType | None = None
    label: _Name | None = None
    page: _Page | None = None
    section: _Text | None = None
    chunk_kind: ChunkKind | None = None
    unit_note: _Text | None = None
    text: _Text
    rank: _Rank | None = None
    score: _Number | None = None
    in_context: _Flag | None = None
    dense_rank: _Rank | None = None
    bm25_rank: _Rank | None = None
    fused_rank: _Rank | None = None
    rerank_rank: _Rank | None = None
    dense_score: _Number | None = None
    bm25_score: _Number | None = None
    fused_score: _Number | None = None
    rerank_score: _Number | None = None


class Place(BaseModel):
    """A page of a document that states the gold."""

    model_config = ConfigDict(frozen=True)

    doc_id: _Name
    page: _Page


class Line(BaseModel):
    """One question in one mode; gold figures are checked where they are read."""

    model_config = ConfigDict(frozen=True)

    id: _Name
    question: Annotated[_Name, StringConstraints(max_length=4_000)]
    lang: Annotated[str, BeforeValidator(_lang)] | None = None
    kind: QuestionKind | None = None
    company: _Name | None = None
    period: _Name | None = None
    gold: Annotated[list[dict[str, Any]], Field(max_length=form.MOST_GOLDS)] | None = None
    gold_text: _Text | None = None
    evidence: Annotated[list[Place], Field(max_length=form.MOST_EVIDENCE)] | None = None
    answerable: _Flag | None = None
    note: _Text | None = None
    mode: _Mode = form.ONLY_MODE
    answer: _Long
    refused: _Flag | None = None
    error: _Text | None = None
    generator: _Name | None = None
    prompt: _Long = ""
    raw: _Long | None = None
    finish_reason: _Text = ""
    retrieve_seconds: _Seconds | None = None
    generate_seconds: _Seconds | None = None
    cost: Annotated[_Number, Field(ge=0)] | None = None
    contexts: (
        Annotated[list[Context], BeforeValidator(_listed), Field(max_length=form.MOST_CONTEXTS)]
        | None
    ) = None
    scores: Annotated[dict[str, _Number | None], Field(max_length=form.MOST_SCORES)] = {}

    @model_validator(mode="after")
    def _holds_together(self) -> Line:
        if self.answerable is False and (self.gold or self.evidence or self.gold_text):
            raise ValueError("answerable is false, so gold, gold_text and evidence stay empty")
        if self.evidence and len(set(self.evidence)) != len(self.evidence):
            raise ValueError("a page stands twice in evidence")
        if self.refused and self.error is not None:
            raise ValueError("an answer is refused or an error, not both")
        for name in self.scores:
            if not re.fullmatch(form.SCORE_NAME, name):
                raise ValueError(
                    f"score '{printable(name)}' is not named by letters, digits, - _ . @ and +"
                )
        return self


def read_header(row: Mapping[str, Any]) -> Header:
    """Return what the first line declares.

    Raises:
        InputError: of another version of the form, or with an unknown or bad key.
    """
    if type(row[form.MARK]) is not int or row[form.MARK] != form.FORM_VERSION:
        raise InputError(
            f"'{form.MARK}' is {printable(str(row[form.MARK]))}: this ragdash reads version "
            f"{form.FORM_VERSION} of the form"
        )
    names = [name for group in form.FACTS.values() for name in group]
    given = _stated(row, (*form.HEADER, *names))
    facts = {n: str(given[n]) if n == "top_k" else given[n] for n in names if n in given}
    return _checked(Header, {**given, "facts": facts})


def read_line(row: Mapping[str, Any]) -> Line:
    """Return a line.

    Raises:
        InputError: a key is missing, unknown or bad; all of them are named.
    """
    given = _stated(row, (*form.QUESTION, *form.ANSWER), form.TOLD)
    contexts = given.get("contexts")
    if isinstance(contexts, list):
        if len(contexts) > form.MOST_CONTEXTS:
            raise InputError(
                f"'contexts' holds {len(contexts):,}, {form.MOST_CONTEXTS:,} are read at most: "
                "give the best ones"
            )
        given["contexts"] = [_context(one) for one in contexts]
    return _checked(Line, given)


def _context(one: Any) -> Any:
    return _stated(one, form.CONTEXT, where="contexts: ") if isinstance(one, dict) else one


def _stated(
    row: Mapping[str, Any],
    known: Collection[str],
    ignored: Collection[str] = (),
    where: str = "",
) -> dict[str, Any]:
    """Return the keys that say something; null, and an empty name, are as good as left out."""
    unknown = [key for key in row if key not in known and key not in ignored]
    if unknown:
        raise InputError("; ".join(where + _unknown(key, known) for key in unknown[:5]))
    return {
        key: row[key]
        for key in known
        if row.get(key) is not None and (row[key] != "" or key in form.EMPTY_SAYS)
    }


def _unknown(key: str, known: Collection[str]) -> str:
    near = get_close_matches(key.lower(), known, n=1, cutoff=0.6)
    meant = f", did you mean '{near[0]}'?" if near else ""
    return f"unknown key '{printable(key)}'{meant}"


def _checked(model: type[M], given: Mapping[str, Any]) -> M:
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise InputError(explained(error)) from error
