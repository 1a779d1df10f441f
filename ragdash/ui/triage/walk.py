"""The list of Triage as it goes along to a question, so that J and K walk that list.

`?among=` is the mode that was filtered for, or "all"; beside it stand outcome, layer, base and
change as on Triage. It is apart from the mode in `?run=`, which is the one on view and may change
on the way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.ui import address, against, chips, notes, safe
from ragdash.ui.i18n import t, term
from ragdash.ui.refs import ref_of
from ragdash.ui.review import people
from ragdash.ui.triage import filtering, where
from ragdash.views import passage
from ragdash.views.compare import FAILED_LAYERS
from ragdash.views.judge import JUDGED
from ragdash.views.triage import MARKS, SORTS, Filters
from ragdash.views.triage import ids as listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.store.registered import Ref
    from ragdash.ui import frame

_ALL = "all"


def params(filters: Filters) -> dict[str, str | Sequence[str] | None]:
    """Return the query parameters of a filter; none where it holds everything."""
    if filters == Filters():
        return {}
    return {
        "among": filters.mode or _ALL,
        "outcome": filters.outcomes or None,
        "layer": filters.layers or None,
        **_moved(filters),
    }


def beside(shown: frame.View, filters: Filters) -> dict[str, str | Sequence[str] | None]:
    """Return the query parameters of Triage itself under a filter."""
    return {
        "run": shown.of_mode(filters.mode),
        "outcome": filters.outcomes or None,
        "layer": filters.layers or None,
        **_moved(filters),
    }


def _moved(filters: Filters) -> dict[str, str | Sequence[str] | None]:
    return {
        "base": _name(filters.base) if filters.base else None,
        "change": filters.changes or None,
        "mark": filters.marks or None,
        "sort": filters.sort if filters.sort != SORTS[0] else None,
        "short": filters.short or None,
        "lost": filters.lost or None,
        "kept": filters.kept or None,
        "flips": filters.flips or None,
        "where": filters.where or None,
    }


def _name(base: Ref) -> str:
    return ref_of(base.run_id, base.version, base.mode)


def asked(shown: frame.View) -> Filters | None:
    """Return the filter in the address, None without one; what does not exist is noted."""
    modes = shown.facts.modes
    mode = st.query_params.get("among")
    if mode is not None and mode not in (_ALL, *modes):
        notes.note("filter", mode)
        mode = None
    outcomes = address.codes("outcome", list(chips.OUTCOMES))
    layers = address.codes("layer", FAILED_LAYERS)
    mode = mode if mode in modes else None
    base = against.asked(shown, mode) if mode else None
    changes = against.changes_asked(base)
    marks, ref = address.codes("mark", MARKS), against.ref(base) if base else None
    filters = Filters(mode, outcomes, layers, ref, changes, marks, filtering.sort_asked())
    filters = replace(
        filters,
        short=filtering.short_asked(),
        lost=address.codes("lost", passage.LOST),
        kept=address.codes("kept", passage.KEPT),
        flips=address.codes("flips", JUDGED),
        where=where.noted(base),
    )
    if base is not None:
        filters = replace(filters, base_people=base.people)
    return None if filters == Filters() else filters


def ids(shown: frame.View, filters: Filters) -> list[str]:
    """Return every question of the list in its order, what people say of it taken in."""
    run = shown.run
    with notes.faults_shown():
        standing = people.of(run.run_id, run.version)
        return listed(against.cursor(shown, filters.base), filters, standing)


def leave(shown: frame.View, filters: Filters) -> None:
    """Say what is filtered for, lead back to the list, and offer every question again."""
    words = [
        filters.mode or "",
        *(term("outcome", code) for code in filters.outcomes),
        *(term("layer", code) for code in filters.layers),
        *(term("change", code) for code in filters.changes),
        *(term("chip", code) for code in filters.marks),
        *(t("triage.short.of", metric=term("metric", name)) for name in filters.short),
        *(term("lost", code) for code in filters.lost),
        *(term("kept", code) for code in filters.kept),
        *(t("triage.flips.of", metric=term("metric", name)) for name in filters.flips),
        filters.where,
    ]
    back = chips.link(t("question.back"), "triage", **beside(shown, filters))
    badges = [chips.badge(safe.plain(word)) for word in words if word]
    with st.container(horizontal=True, vertical_alignment="center"):
        safe.render(chips.spaced(t("question.filters"), *badges, back))
        st.button(t("question.unfilter"), on_click=_forget, type="tertiary", key="walk.leave")


def _forget() -> None:
    for name in ("among", "base", *filtering.PARAMETERS):
        st.query_params.pop(name, None)
