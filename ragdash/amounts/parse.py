"""Text to amounts: each number with its unit, sign and role, or the reason it is left out."""

from __future__ import annotations

import bisect
import re
from dataclasses import replace
from decimal import Context, Decimal
from typing import TYPE_CHECKING

from ragdash.amounts.amount import Amount, Kind, Role, ScaleSource, Sign
from ragdash.amounts.beside import unit_of_row
from ragdash.amounts.fold import Folded, fold
from ragdash.amounts.headers import UnitNote, read_unit_note, unit_notes
from ragdash.amounts.marks import mark_of, marked_spans
from ragdash.amounts.reads import Read, reads
from ragdash.amounts.roles import assign_roles
from ragdash.amounts.rowkind import (
    counts_shares,
    is_money,
    is_per_share,
    is_unscaled,
    label_before,
    section_label,
)
from ragdash.amounts.signs import word_sign
from ragdash.amounts.units import ONE

if TYPE_CHECKING:
    from collections.abc import Sequence

_EXACT = Context(prec=120)
_PER_TEN_SHARES = re.compile(
    r"每\s?(?:10|十)\s?股[^。;\n\d]{0,16}$|10\s?(?:股\s?)?派[^。;\n\d]{0,12}$"
)
_CLAUSE = re.compile(r"[。;!?\n,](?!\d)")
_PERCENT_CELL = re.compile(r"\s*\|\s*%\s*(?:\||\n|$)")
_NUMBER_OF = re.compile(r"(?:第|其中之|之)$")


def read_amounts(text: str, *, unit_note: str = "") -> tuple[Amount, ...]:
    """Return every number of a text in order, none overlapping another, amounts and all others.

    Numbers that are no figures (dates, pages, codes, marks) come too, with their role and reason.
    Never raises on any text; linear in its length.

    Args:
        text: an answer, a sentence or a chunk.
        unit_note: a unit line that holds for bare numbers above any unit line in the text itself.
    """
    folded = fold(text)
    marks = marked_spans(folded.text)
    given = read_unit_note(fold(unit_note).text) if unit_note else None
    header = replace(given, span=(0, 0)) if given else None
    notes = unit_notes(folded.text, header)
    ends = [n.span[1] for n in notes]
    found: list[Amount] = []
    spans: list[tuple[int, int]] = []
    for read in reads(folded.text):
        above = bisect.bisect(ends, read.start)
        note = notes[above - 1] if above else header
        amount = _amount(folded, read, marks, note)
        if amount is not None:
            found.append(amount)
            spans.append((read.start, read.end))
    roles = assign_roles(folded.text, found, spans)
    return tuple(
        a if a.role is r else replace(a, role=r, excluded=r.value)
        for a, r in zip(found, roles, strict=True)
    )


def _amount(
    folded: Folded, read: Read, marks: Sequence[tuple[int, int, Role, str]], note: UnitNote | None
) -> Amount | None:
    text, number = folded.text, read.number
    mark = _mark(text, read, marks)
    if mark is None and number.form in ("words", "chinese") and not _word_counts(text, read):
        return None
    left = _left(text, read.start, note)
    kind, factor, currency, source = _scale(read, left, note, text)
    value = _EXACT.multiply(read.value, factor)
    sign = Sign.NONE
    if mark is None:
        sign = read.explicit
        if sign is Sign.NONE and value:
            sign = word_sign(text, read.start, read.end, kind)
    if sign is not Sign.NONE:
        value = _EXACT.minus(value)
    span = folded.span(read.start, read.end)
    return Amount(
        text=folded.source[slice(*span)],
        span=span,
        value=value,
        kind=kind,
        currency=currency,
        sign=sign,
        scale_source=source,
        role=mark[0] if mark else Role.ASSERTED,
        factor=factor,
        unit=read.unit.word,
        decimals=number.places - factor.adjusted(),
        excluded=mark[1] if mark else "",
    )


def _mark(
    text: str, read: Read, marks: Sequence[tuple[int, int, Role, str]]
) -> tuple[Role, str] | None:
    at = bisect.bisect(marks, (read.number.start, len(text) + 1))
    for start, end, role, reason in marks[max(0, at - 3) : at]:
        if start <= read.number.start < end:
            return role, reason
    return mark_of(text, read.number, read.unit, read.currency is not None and not read.unit.stated)


def _word_counts(text: str, read: Read) -> bool:
    """Whether a number in words is meant as one: with a unit, in ten thousands, or 为零."""
    if read.number.per:
        return True
    if _NUMBER_OF.search(text[max(0, read.start - 3) : read.start]):
        return False
    if read.unit.stated or read.value >= 10_000:
        return True
    before = text[max(0, read.start - 4) : read.start]
    return (
        read.value == 0
        and re.search(r"[为是于:]\s?[“‘\"']?$|(?:was|is|of|at|to)\s$", before) is not None
    )


def _left(text: str, at: int, note: UnitNote | None) -> str:
    """The 200 characters before a position on its line, without a unit line that stands there."""
    low = max(text.rfind("\n", max(0, at - 200), at) + 1, at - 200, 0)
    if note is None or not low < note.span[1] <= at:
        return text[low:at]
    return text[low : max(low, note.span[0])] + " " + text[note.span[1] : at]


def _scale(
    read: Read, left: str, note: UnitNote | None, text: str
) -> tuple[Kind, Decimal, str | None, ScaleSource]:
    unit, currency = read.unit, read.currency
    if unit.kind is Kind.BARE and currency is None and "|" in left:
        unit = unit_of_row(left) or unit
        currency = unit.currency
    if unit.kind in (Kind.PERCENT, Kind.PP, Kind.RATIO, Kind.DAYS, Kind.COUNT):
        return unit.kind, unit.factor, None, ScaleSource.OWN
    if not unit.stated and currency is None and _PERCENT_CELL.match(text, read.end):
        return Kind.PERCENT, ONE, None, ScaleSource.OWN
    label = section_label(text[max(0, read.start - 300) : read.start], label_before(left))
    shares = not unit.stated and currency is None and counts_shares(label)
    clause = left if "|" in left else _CLAUSE.split(left[-40:])[-1]
    if unit.kind is Kind.PER_SHARE or (
        unit.factor <= 1 and not shares and (is_per_share(clause) or is_per_share(label[-60:]))
    ):
        tens = _PER_TEN_SHARES.search(left[-40:])
        currency = currency or (note.currency if note else None)
        return Kind.PER_SHARE, Decimal("0.1") if tens else unit.factor, currency, ScaleSource.OWN
    if unit.stated:
        return Kind.MONEY, unit.factor, currency, ScaleSource.OWN
    if read.per_thousand:
        return Kind.MONEY, Decimal(1000), currency, ScaleSource.OWN
    if read.number.form in ("words", "chinese") and read.value >= 10_000:
        return Kind.MONEY, ONE, currency, ScaleSource.OWN
    if note is not None and (shares or not _is_apart(read, label)):
        return _below(note, currency, label, shares=shares)
    if currency is not None:
        return Kind.MONEY, ONE, currency, ScaleSource.ASSUMED
    return Kind.BARE, ONE, None, ScaleSource.NONE


def _is_apart(read: Read, label: str) -> bool:
    """Whether a bare number is none that a header's scale is for; money with its sign always is."""
    grouped = read.number.form == "grouped"
    return read.currency is None and is_unscaled(label, grouped=grouped, small=read.value <= 100)


def _below(
    note: UnitNote, currency: str | None, label: str, *, shares: bool
) -> tuple[Kind, Decimal, str | None, ScaleSource]:
    """Apply a header: the scale of shares to their counts only, that of money to all else."""
    if shares:
        return Kind.COUNT, note.share_factor, None, ScaleSource.HEADER
    if note.kind is not Kind.COUNT:
        kind = Kind.MONEY if currency else note.kind
        return kind, note.factor, currency or note.currency, ScaleSource.HEADER
    if currency or is_money(label):
        if note.money is not None:
            return Kind.MONEY, note.money, currency or note.currency, ScaleSource.HEADER
        if currency:
            return Kind.MONEY, ONE, currency, ScaleSource.ASSUMED
        return Kind.BARE, ONE, None, ScaleSource.NONE
    return Kind.COUNT, note.share_factor, None, ScaleSource.HEADER
