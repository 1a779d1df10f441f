"""The judge against the numeric gate: four counts, how often they agree, and Cohen's kappa."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.ui import chips, formats, frame, safe
from ragdash.ui.i18n import t, term
from ragdash.views.judge import GATE, THRESHOLD
from ragdash.views.judge_crossed import crossed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.compare.agreement import Agreement
    from ragdash.views.judge_crossed import Crossed

# The filter language of Triage: what a cell lists there.
_CELLS = (
    ("high_right", ">=", 1),
    ("high_wrong", ">=", 0),
    ("low_right", "<", 1),
    ("low_wrong", "<", 0),
)


def matrix(shown: frame.View, modes: Sequence[str]) -> None:
    """Show judge high or low by gate right or wrong for each metric and mode."""
    found = crossed(shown.cursor, modes)
    if not found:
        st.text(t("judging.crossed.none"))
        return
    st.text(t("judging.crossed.lead", at=f"{THRESHOLD:g}"))
    names = ("high_right", "high_wrong", "low_right", "low_wrong", "agree", "kappa")
    head = [t("judging.crossed.metric"), *(t(f"judging.crossed.{name}") for name in names)]
    body = [_row(shown, one) for one in found]
    numeric = frozenset(range(1, len(head)))
    safe.render(safe.table(head, body, caption=t("judging.crossed"), numeric=numeric))
    safe.render(chips.muted(t("judging.crossed.note")))


def _row(shown: frame.View, one: Crossed) -> list[str]:
    name = chips.lines(t("judging.signal", name=term("metric", one.metric)), chips.muted(one.mode))
    cells = [_count(shown, one, *cell) for cell in _CELLS]
    return [name, *cells, _agreed(one.agreed), _kappa(one.agreed)]


def _count(shown: frame.View, one: Crossed, cell: str, sign: str, gate: int) -> str:
    n: int = getattr(one, cell)
    words = t("judging.of", k=n, n=one.n)
    if not n:
        return chips.muted(words)
    where = f"{one.metric}{sign}{THRESHOLD:g} {GATE}={gate}"
    return chips.link(words, "triage", run=shown.of_mode(one.mode), where=where)


def _agreed(found: Agreement) -> safe.Markup:
    around = chips.aside(formats.interval(found.interval) if found.interval else "")
    return safe.join([chips.strong(formats.share(found.k, found.n)), around])


def _kappa(found: Agreement) -> str:
    if found.kappa is None:
        return chips.muted(t(f"judging.crossed.{found.reason}"))
    return formats.number(found.kappa)
