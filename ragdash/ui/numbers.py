"""The numbers of an answer as the gate read them: unit, value, distance from the gold, and why."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdash.ui import chips, formats, safe
from ragdash.ui.i18n import S, reason, t

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.views.question import Detail

_SHOWN = 40


def table(found: Detail) -> None:
    """Show every number of the answer, those left out too, each with its reason."""
    read = _amounts(found)
    if read is None:
        st.info(t("numbers.not_judged"))
        return
    if not read:
        st.info(t("numbers.none"))
        return
    golds = len(found.golds)
    off = (
        [t("numbers.error")] if golds < 2 else [t("numbers.against", n=n + 1) for n in range(golds)]
    )
    head = [t(f"numbers.{name}") for name in ("text", "value", "factor", "scale")]
    rows = [_row(amount, len(off)) for amount in read[:_SHOWN]]
    safe.render(
        safe.table(
            [*head, *off, t("numbers.verdict")],
            rows,
            caption=t("numbers.table"),
            numeric=frozenset({1, 2, *range(4, 4 + len(off))}),
        )
    )
    if len(read) > _SHOWN:
        safe.render(chips.muted(t("numbers.more", n=len(read) - _SHOWN)))


def _amounts(found: Detail) -> list[Mapping[str, Any]] | None:
    """Return what the gate read, None where it did not judge this answer."""
    for score in found.scores:
        if score.metric == "numeric_accuracy" and isinstance(score.evidence, dict):
            amounts = score.evidence.get("amounts")
            if isinstance(amounts, list):
                return [a for a in amounts if isinstance(a, dict)]
    return None


def _row(amount: Mapping[str, Any], golds: int) -> list[str]:
    against = amount.get("against")
    each: Sequence[Any] = against if isinstance(against, list) else ()
    weighed = [w for w in each if isinstance(w, dict)]
    text = safe.plain(str(amount.get("text", "")))
    if amount.get("excluded"):
        blank = [formats.DASH] * (3 + golds)
        return [text, *blank, reason(str(amount["excluded"]))]
    errors = [_percent(w.get("relative_error")) for w in weighed[:golds]]
    errors += [formats.DASH] * (golds - len(errors))
    return [
        text,
        formats.amount(str(amount.get("value", "")), _unit(amount)),
        _number(str(amount.get("factor", ""))),
        _term("scale", str(amount.get("scale_source", ""))),
        *errors,
        _why(weighed),
    ]


def _why(weighed: Sequence[Mapping[str, Any]]) -> str:
    """Return the verdict on the gold that fits, else the reason of the first."""
    if not weighed:
        return formats.DASH
    best = next((w for w in weighed if w.get("same")), weighed[0])
    words = reason(str(best.get("reason", "")))
    return chips.verdict(True, words) if best.get("same") else words


def _unit(amount: Mapping[str, Any]) -> str:
    kind, currency = str(amount.get("kind", "")), amount.get("currency")
    if kind == "percent":
        return kind
    if kind == "per_share" and currency:
        return safe.plain(f"{currency}/share")
    if kind == "money" and currency:
        return safe.plain(str(currency))
    return _term("amount", kind)


def _term(group: str, code: str) -> str:
    key = f"{group}.{code}"
    return t(key) if key in S else safe.plain(code)


def _number(text: str) -> str:
    try:
        return f"{Decimal(text):,f}"
    except (InvalidOperation, ValueError):
        return safe.plain(text)


def _percent(text: object) -> str:
    """Return a relative error in percent, three digits; "0" only where it is exact."""
    if text is None:
        return formats.DASH
    try:
        value = Decimal(str(text)) * 100
    except InvalidOperation:
        return formats.DASH
    if value == 0:
        return "0"
    if value < Decimal("0.001"):
        return "< 0.001%"
    return f"{value:,.3f}%" if value < 10 else f"{value:,.0f}%"
