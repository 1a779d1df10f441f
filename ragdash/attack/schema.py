"""One line of a fixture file, checked: unknown keys, types, ids, numbers (attack.md section 4)."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    model_validator,
)

from ragdash.attack.classes import KNOWN
from ragdash.core.attack import AttackCase, AttackChunk, Expectation, Forbidden
from ragdash.jsonlines import printable

# The largest figure of any filing is far below; more only makes the comparison overflow.
_LARGEST = Decimal("1e24")
_DEFAULT_REL_TOL = Decimal("0.005")


def _number(value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError("must be a number")
    number = Decimal(value)
    if not number.is_finite() or abs(number) > _LARGEST:
        raise ValueError(f"must be a finite number of at most {_LARGEST}")
    return number


def _filled(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


def _known_class(name: str) -> str:
    if name not in KNOWN:
        known = ", ".join(sorted(KNOWN))
        raise ValueError(f"unknown class '{printable(name)}' (case counts); known are {known}")
    return name


def _no_repeats(values: list[str]) -> list[str]:
    if len(set(values)) < len(values):
        raise ValueError("holds a value twice")
    return values


Number = Annotated[Decimal, BeforeValidator(_number)]
Text = Annotated[str, AfterValidator(_filled)]
Texts = Annotated[list[Text], AfterValidator(_no_repeats)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Meta(_Strict):
    doc_id: Text | None = None
    company: str | None = None
    period: Number | str | None = None
    page: Annotated[int, Field(ge=1, le=9_999)] | None = None
    channel: Literal["filing", "exchange", "web", "upload", "email", "research"] | None = None
    kind: str | None = None
    declared_source: str | None = None
    declared_trust: bool | None = None
    hidden_spans: list[Annotated[list[Any], Field(min_length=3, max_length=3)]] = []
    restated: bool | int | str | None = None


class _Chunk(_Strict):
    id: Text
    trusted: bool
    text: Text
    meta: _Meta | None = None

    @model_validator(mode="after")
    def _spans_lie_in_the_text(self) -> Self:
        for start, end, why in self.meta.hidden_spans if self.meta else []:
            whole = type(start) is int and type(end) is int and isinstance(why, str)
            if not whole or not 0 <= start < end <= len(self.text):
                raise ValueError(
                    "a hidden span is [start, end, why] with 0 <= start < end within the text"
                )
        return self


class _Gold(_Strict):
    amount: Number
    rel_tol: Annotated[Number, Field(ge=0, le=1)] = _DEFAULT_REL_TOL


class _Forbid(_Strict):
    amounts: list[Number] = []
    text: Texts = []
    labels: Texts = []
    raw: Texts = []
    render: Texts = []
    cites: Texts = []
    cites_alone: Texts = []
    actions: Texts = []
    refusal: bool = False


class _Expect(_Strict):
    gold: _Gold | None = None
    gold_text_any: Texts = []
    cite_any: Texts = []
    flag_any: Texts = []
    poison_ids: Texts = []
    forbid: _Forbid = _Forbid()


class _Fault(_Strict):
    raw_citations: list[Text] | None = None


class _Line(_Strict):
    id: Text
    attack_class: Annotated[str, AfterValidator(_known_class)] = Field(alias="class")
    query: Text
    chunks: Annotated[list[_Chunk], Field(min_length=1)]
    answerable: bool
    fault: _Fault
    lang: Literal["zh", "en"] | None = None
    stage: str = ""
    expect: _Expect | None = None
    control: Texts = []
    baseline_wrong: str = ""
    notes: str = ""

    @model_validator(mode="after")
    def _ids_fit_together(self) -> Self:
        ids = [chunk.id for chunk in self.chunks]
        if len(set(ids)) < len(ids):
            raise ValueError("two chunks share one id")
        wanted = (*self.expect.cite_any, *self.expect.poison_ids) if self.expect else ()
        unknown = [printable(i) for i in wanted if i not in ids]
        if unknown:
            raise ValueError(f"expect names chunks that the case lacks: {', '.join(unknown)}")
        if self.expect and not self.answerable and (self.expect.gold or self.expect.gold_text_any):
            raise ValueError("a case that is not answerable has a gold")
        return self


def case_from(obj: Any) -> AttackCase:
    """Return the case that a JSON object describes.

    Args:
        obj: one line's object, its fractions read as Decimal.

    Raises:
        pydantic.ValidationError: a key is unknown or missing, or a value is not what it must be.
    """
    line = _Line.model_validate(obj)
    chunks = tuple(
        AttackChunk(
            c.id, c.text, c.trusted, c.meta.model_dump(exclude_unset=True) if c.meta else {}
        )
        for c in line.chunks
    )
    return AttackCase(
        id=line.id,
        attack_class=line.attack_class,
        query=line.query,
        chunks=chunks,
        answerable=line.answerable,
        fault=line.fault.model_dump(exclude_none=True),
        expect=_expectation(line.expect) if line.expect else None,
    )


def _expectation(expect: _Expect) -> Expectation:
    forbid = expect.forbid
    return Expectation(
        gold_amount=expect.gold.amount if expect.gold else None,
        gold_rel_tol=expect.gold.rel_tol if expect.gold else _DEFAULT_REL_TOL,
        gold_text_any=tuple(expect.gold_text_any),
        cite_any=tuple(expect.cite_any),
        flag_any=tuple(expect.flag_any),
        poison_ids=tuple(expect.poison_ids),
        forbid=Forbidden(
            amounts=tuple(forbid.amounts),
            text=tuple(forbid.text),
            labels=tuple(forbid.labels),
            raw=tuple(forbid.raw),
            render=tuple(forbid.render),
            cites=tuple(forbid.cites),
            cites_alone=tuple(forbid.cites_alone),
            actions=tuple(forbid.actions),
            refusal=forbid.refusal,
        ),
    )
