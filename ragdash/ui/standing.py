"""The heading of Compare: the one factor that differs, or why nothing can be told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.compare.declared import UNKNOWN
from ragdash.compare.factors import Standing
from ragdash.ui import chips, safe
from ragdash.ui.i18n import t, term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.compare.factors import Comparability
    from ragdash.ui.sides import Sides
    from ragdash.views.comparison import Against

_IDS_SHOWN = 20


def heading(sides: Sides, elsewhere: Sequence[str]) -> None:
    """Show what differs, the fields behind it, and on how many questions the sides meet.

    Args:
        sides: what is compared.
        elsewhere: links to the same runs in other modes.
    """
    against = sides.found.against
    if not against:
        st.text(t("compare.one"))
        return
    for label, ones in _told(against).items():
        st.header(label)
        for one in ones:
            _behind(one, named=len(against) > 1)
    safe.render(chips.lines(*(_overlap(one) for one in against)))
    if elsewhere:
        safe.render(chips.spaced(chips.muted(t("compare.elsewhere")), *elsewhere))


def _told(against: Sequence[Against]) -> dict[str, list[Against]]:
    """Return the sides by what is said of them, so that one factor of all is said once."""
    found: dict[str, list[Against]] = {}
    for one in against:
        found.setdefault(words(one.comparability), []).append(one)
    return found


def words(found: Comparability) -> str:
    """Return what two sides are to each other, and the factors by name."""
    names = [term("factor", factor) for factor in found.factors]
    if found.standing is Standing.NOT_COMPARABLE:
        return t("standing.not_comparable")
    if found.standing is Standing.NOT_ATTRIBUTABLE:
        return t("standing.not_attributable", factors=", ".join(names))
    if found.standing is Standing.SAME:
        return t("standing.same")
    return t("standing.one", factor=names[0])


def _behind(one: Against, *, named: bool) -> None:
    found = one.comparability
    for barrier in found.barriers:
        both = f"{safe.plain(barrier.base)} → {safe.plain(barrier.other)}"
        safe.render(chips.note(t(f"barrier.{barrier.obstacle.value}"), chips.muted(both)))
    # The columns name the modes already.
    fields = [c for c in found.changes if c.factor != "mode" or not found.is_attributable]
    if fields:
        head = [t("compare.field"), t("compare.factor"), t("word.base"), t("compare.this")]
        body = [
            [
                c.field,
                term("factor", c.factor),
                safe.plain(_value(c.base)),
                safe.plain(_value(c.other)),
            ]
            for c in fields
        ]
        caption = t("compare.fields")
        safe.render(safe.table(head, body, caption=f"{caption} {one.name}" if named else caption))
    if found.standing is Standing.SAME or found.codes[0] != found.codes[1]:
        codes = [safe.plain(code or UNKNOWN) for code in found.codes]
        safe.render(chips.muted(t("compare.codes", base=codes[0], other=codes[1])))


def _value(text: str) -> str:
    return text or UNKNOWN


def _overlap(one: Against) -> safe.Markup:
    found = one.overlap
    words = t("compare.overlap", name=one.name, n=found.paired, total=found.total)
    parts = [chips.muted(words)]
    for key, ids in (("base", found.only_base), ("other", found.only_other)):
        if ids:
            shown = ", ".join(safe.plain(i) for i in ids[:_IDS_SHOWN])
            more = f" +{len(ids) - _IDS_SHOWN}" if len(ids) > _IDS_SHOWN else ""
            parts.append(chips.muted(t(f"compare.only.{key}", n=len(ids), ids=f"{shown}{more}")))
    return chips.lines(*parts)
