"""Calls to endpoints: what a run spent on them, and everything that is stored of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.ui import chips, formats, safe
from ragdash.ui.i18n import reason, t, term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.views.endpoints import CallRow, Spent

_COLUMNS = ("n", "cached", "failed", "tokens", "cost", "p50", "p95")


def spending(found: Sequence[Spent]) -> safe.Markup:
    """Return calls, tokens, cost and seconds by stage, by purpose, and of the whole run."""
    head = [t("call.stage"), *(t(f"call.col.{name}") for name in _COLUMNS)]
    body = [[_name(one), *_cells(one)] for one in found]
    return safe.table(head, body, caption=t("call.table"), numeric=frozenset({1, 2, 4, 5, 6, 7}))


def _name(one: Spent) -> str:
    if one.stage is None:
        return chips.strong(t("call.run"))
    if one.purpose is None:
        return chips.strong(term("stage", one.stage))
    name = safe.plain(term("purpose", one.purpose))
    return safe.Markup(f'<div style="padding-left:1.1em">{safe.to_markup(name)}</div>')


def _cells(one: Spent) -> list[str]:
    failed = sum(one.reasons.values())
    parts = [f"{failed:,}", chips.muted(formats.reasons(one.reasons)) if failed else ""]
    if one.retried:
        parts.append(chips.muted(t("call.retried", n=one.retried)))
    return [
        f"{one.n:,}",
        f"{one.cached:,}",
        chips.lines(*parts),
        f"{formats.count(one.prompt_tokens)} / {formats.count(one.completion_tokens)}",
        formats.cost(one.cost, one.unpriced),
        formats.seconds(one.p50_seconds),
        formats.seconds(one.p95_seconds),
    ]


def facts(call: CallRow) -> safe.Markup:
    """Return what is stored of a call beside its texts."""
    tokens = f"{formats.count(call.prompt_tokens)} / {formats.count(call.completion_tokens)}"
    state = chips.verdict(not call.reason, reason(call.reason) if call.reason else t("call.read"))
    words = [
        term("level", call.level),
        t("call.finish", reason=safe.plain(call.finish_reason or formats.DASH)),
        t("call.tokens", tokens=tokens),
        formats.seconds(call.seconds),
        t("call.tries", n=call.tries),
        t("call.cost", cost=formats.cost(call.cost)),
    ]
    first: list[str] = [chips.strong(safe.plain(term("purpose", call.purpose))), state]
    if call.cached:
        first.append(chips.badge(t("call.cached")))
    who = safe.plain(f"{call.model} @ {call.host}")
    parts = [chips.spaced(*first), chips.muted(" · ".join([who, *words]))]
    if call.detail:
        parts.append(chips.muted(safe.plain(call.detail)))
    return safe.join(parts)


def texts(found: Sequence[CallRow], key: str) -> None:
    """Offer each call's prompt and raw reply; they are sent to the page only when asked for."""
    for call in found:
        safe.render(facts(call))
        safe.verbatim(call.reply, key=f"{key}.{call.position}.reply")
        with st.expander(
            t("call.sent", n=len(call.sent)), key=f"{key}.{call.position}.sent", on_change="rerun"
        ) as sent:
            if sent.open:
                safe.verbatim(call.sent, key=f"{key}.{call.position}.text")
