"""The numbers of an answer and of its gold as they were read: unit, value, distance, and why."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdash.amounts import read_amounts, read_chunk, weigh
from ragdash.core.spot_check import OTHER_CALIBER
from ragdash.metrics.numeric import shown as as_stored
from ragdash.ui import chips, formats, safe
from ragdash.ui.i18n import S, reason, t
from ragdash.ui.question.evidence import golds_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ragdash.views.question import Detail

Number = dict[str, Any]
"""An amount as `metrics.numeric` stores it; `against` says how it stands to each gold figure."""

_READ = 4_000
"""Characters that are read here; the gate has read the whole answer where it judged it."""
_SHOWN = 60
_BESIDE = 8
_MARKED = 300
_VERDICTS = frozenset({*OTHER_CALIBER, "other_metric", "other_period", "other_company"})


def of_answer(found: Detail) -> tuple[list[Number], bool]:
    """Return the numbers of the answer, and whether the gate judged them.

    Where it did not (there is no gold, or the answer declines) they are read here, for their value.
    """
    for score in found.scores:
        if score.metric == "numeric_accuracy" and isinstance(score.evidence, dict):
            amounts = score.evidence.get("amounts")
            if isinstance(amounts, list):
                return [a for a in amounts if isinstance(a, dict)], True
    read = read_chunk(found.result["answer"][:_READ], "")
    return [{**as_stored(a), "against": []} for a in read], False


def of_gold(found: Detail) -> list[Number]:
    """Return the numbers of the gold's own wording, each held against the gold figures."""
    text = found.question["gold_text"][:_READ]
    golds = golds_of(found)
    numbers = []
    for amount in read_amounts(text):
        each = [weigh(text, amount, gold) for gold in golds]
        against = [
            {"same": w.same, "reason": w.reason, "relative_error": w.relative_error} for w in each
        ]
        numbers.append({**as_stored(amount), "against": against})
    return numbers


def neutral(numbers: Sequence[Number]) -> list[Number]:
    """Return the numbers without what the code thinks of their caliber: for whoever is blind."""
    return [
        {
            **number,
            "against": [
                {**w, "reason": "" if w.get("reason") in _VERDICTS else w.get("reason", "")}
                for w in _against(number)
            ],
        }
        for number in numbers
    ]


def marks(numbers: Sequence[Number]) -> list[safe.Mark]:
    """Return the places of the numbers in their text, each with its number in the list beside."""
    found = []
    for i, number in enumerate(numbers[:_MARKED], 1):
        span = number.get("span")
        if isinstance(span, list) and len(span) == 2 and all(type(at) is int for at in span):
            fits = any(w.get("same") for w in _against(number))
            style = "out" if number.get("excluded") else "hit" if fits else "note"
            found.append(safe.Mark(span[0], span[1], style, i))
    return found


def beside(numbers: Sequence[Number], *, label: str) -> safe.Markup:
    """Return the numbers as a list to stand beside their text, those that are no figures too."""
    if not numbers:
        return safe.Markup()
    rows = "".join(_line(i, number) for i, number in enumerate(numbers[:_BESIDE], 1))
    more = len(numbers) - _BESIDE
    rest = chips.muted(t("numbers.more.tab", n=more)) if more > 0 else ""
    return safe.join(
        [
            safe.Markup(
                f'<ul aria-label="{safe.escape(label)}" style="list-style:none;margin:.6rem 0 0;'
                f'padding:0;font-size:.93rem;border-top:1px solid {safe.LINE}">{rows}</ul>'
            ),
            rest,
        ]
    )


def _line(i: int, number: Number) -> str:
    text = safe.plain(str(number.get("text", "")), 80)
    if number.get("excluded"):
        why = t("numbers.excluded", why=reason(str(number["excluded"])))
        parts = [chips.index(i), safe.Markup(f"<s>{safe.escape(text)}</s>"), chips.aside(why)]
        return _item(chips.spaced(*parts))
    first = chips.spaced(chips.index(i), chips.strong(text), _value(number), _why(number))
    detail = t(
        "numbers.how",
        factor=_decimal(str(number.get("factor", ""))),
        scale=_term("scale", str(number.get("scale_source", ""))),
    )
    off = _nearest(number)
    error = _percent(off.get("relative_error")) if off else formats.DASH
    words = [safe.plain(detail)]
    if error != formats.DASH:
        words.append(t("numbers.off", error=error))
    return _item(safe.join([first, _indented(chips.muted(" · ".join(words)))]))


def _indented(body: str) -> safe.Markup:
    return safe.Markup(f'<div style="margin-left:2.2rem">{body}</div>')


def _item(body: str) -> str:
    return (
        f'<li style="margin:0;padding:.35rem 0;border-bottom:1px solid {safe.LINE};'
        f'overflow-wrap:anywhere">{body}</li>'
    )


def table(found: Detail) -> None:
    """Show every number of the answer and of the gold with all that is known of it."""
    numbers, judged = of_answer(found)
    st.header(t("question.answer"))
    if not judged:
        st.info(t("numbers.not_judged"))
    _full(numbers, len(found.golds) if judged else 0, t("numbers.table"))
    if found.question["answerable"]:
        st.header(t("question.gold"))
        _full(of_gold(found), len(found.golds), t("numbers.table.gold"))


def _full(numbers: Sequence[Number], golds: int, caption: str) -> None:
    if not numbers:
        st.text(t("numbers.none"))
        return
    off = [t("numbers.error")] if golds == 1 else []
    off = off or [t("numbers.against", n=n + 1) for n in range(golds)]
    head = [t(f"numbers.{name}") for name in ("text", "value", "factor", "scale")]
    rows = [[f"{i} · {row[0]}", *row[1:]] for i, row in enumerate(_rows(numbers, golds), 1)]
    right = frozenset({1, 2, *range(4, 4 + len(off))})
    head = [*head, *off, t("numbers.verdict")]
    safe.render(safe.table(head, rows, caption=caption, numeric=right))
    if len(numbers) > _SHOWN:
        safe.render(chips.muted(t("numbers.more", n=len(numbers) - _SHOWN)))


def _rows(numbers: Sequence[Number], golds: int) -> Iterable[list[str]]:
    for number in numbers[:_SHOWN]:
        text = safe.plain(str(number.get("text", "")))
        if number.get("excluded"):
            blank = [formats.DASH] * (3 + golds)
            why = t("numbers.excluded", why=reason(str(number["excluded"])))
            yield [text, *blank, why]
            continue
        errors = [_percent(w.get("relative_error")) for w in _against(number)[:golds]]
        errors += [formats.DASH] * (golds - len(errors))
        yield [
            text,
            _value(number),
            _decimal(str(number.get("factor", ""))),
            _term("scale", str(number.get("scale_source", ""))),
            *errors,
            _why(number),
        ]


def _against(number: Number) -> list[Mapping[str, Any]]:
    against = number.get("against")
    return [w for w in against if isinstance(w, dict)] if isinstance(against, list) else []


def _nearest(number: Number) -> Mapping[str, Any] | None:
    """Return how it stands to the gold that it is, else to the one that it comes nearest to."""
    weighed = _against(number)
    same = next((w for w in weighed if w.get("same")), None)
    known = [w for w in weighed if _error(w.get("relative_error")) is not None]
    near = min(known, key=lambda w: _error(w["relative_error"]) or Decimal(0), default=None)
    return same or near or next(iter(weighed), None)


def _why(number: Number) -> str:
    """Return the verdict on the gold that fits, else on the nearest; a dash where none was held."""
    best = _nearest(number)
    if best is None:
        return formats.DASH
    words = reason(str(best.get("reason", "")))
    if best.get("same"):
        at = _against(number).index(best) + 1
        named = t("numbers.of_gold", n=at, why=words) if len(_against(number)) > 1 else words
        return chips.verdict(True, named)
    return words


def _value(number: Number) -> str:
    unit = _unit(number)
    # The base unit of the currency by its Chinese name: what a 万元 or a 亿元 was turned into.
    words = formats.amount(str(number.get("value", "")), unit)
    return words.replace(" CNY", " 元", 1) if unit == "CNY" else words


def _unit(number: Number) -> str:
    kind, currency = str(number.get("kind", "")), number.get("currency")
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


def _decimal(text: str) -> str:
    try:
        return f"{Decimal(text):,f}"
    except (InvalidOperation, ValueError):
        return safe.plain(text)


def _error(text: object) -> Decimal | None:
    if text is None:
        return None
    try:
        value = Decimal(str(text))
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def _percent(text: object) -> str:
    """Return a relative error in percent, three digits; "0" only where it is exact."""
    error = _error(text)
    if error is None:
        return formats.DASH
    value = error * 100
    if value == 0:
        return "0"
    if value < Decimal("0.001"):
        return "< 0.001%"
    return f"{value:,.3f}%" if value < 10 else f"{value:,.0f}%"
