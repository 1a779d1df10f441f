"""What Triage is asked for: chips with counts, further filters, the order; all in the address."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.metrics import BY_NAME
from ragdash.ui import address, against, chips, notes
from ragdash.ui.i18n import t, term
from ragdash.views import passage
from ragdash.views.compare import FAILED_LAYERS
from ragdash.views.judge import JUDGED
from ragdash.views.triage import CHANGES, MARKS, SORTS, Facets, Filters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.views.comparison import Opened

# A chip stands for one value of one query parameter.
CHIPS = {
    "regressed": ("change", "regressed"),
    "wrong": ("outcome", "wrong"),
    "abstained_wrong": ("outcome", "abstained_wrong"),
    "error": ("outcome", "error"),
    "unscored": ("outcome", "unscored"),
    "flaky": ("mark", "flaky"),
    "unreviewed": ("mark", "unreviewed"),
    "flagged": ("mark", "flagged"),
}
PARAMETERS = (
    *("outcome", "layer", "change", "mark", "sort"),
    *("short", "lost", "kept", "flips", "where"),
)
_OPTIONS: dict[str, Sequence[str]] = {
    "outcome": list(chips.OUTCOMES),
    "layer": FAILED_LAYERS,
    "change": CHANGES,
    "mark": MARKS,
}


def asked(mode: str | None, base: Opened | None, where: str = "") -> Filters:
    """Return the filter in the address; what does not exist is noted and left out.

    Args:
        mode: the one on view.
        base: what changes are against.
        where: the text of the filter box, where it can be read.
    """
    return Filters(
        mode=mode,
        outcomes=address.codes("outcome", _OPTIONS["outcome"]),
        layers=address.codes("layer", _OPTIONS["layer"]),
        base=against.ref(base) if base else None,
        changes=against.changes_asked(base),
        marks=address.codes("mark", _OPTIONS["mark"]),
        sort=sort_asked(),
        short=short_asked(),
        lost=address.codes("lost", passage.LOST),
        kept=address.codes("kept", passage.KEPT),
        flips=address.codes("flips", JUDGED),
        where=where,
    )


def short_asked() -> tuple[str, ...]:
    """Return the metrics in `?short=`, by name; unknown ones are noted."""
    return address.codes("short", list(BY_NAME))


def shown_links(filters: Filters) -> None:
    """Show by what a link of another page has narrowed the list, each to be taken off."""
    _narrowed("short", t("triage.short"), filters.short, "metric")
    _narrowed("lost", t("triage.lost"), filters.lost, "lost")
    _narrowed("kept", t("triage.kept"), filters.kept, "kept")
    _narrowed("flips", t("triage.flips"), filters.flips, "metric")


def _narrowed(name: str, label: str, held: Sequence[str], group: str) -> None:
    if not held:
        return
    key = f"filter.{name}"
    st.session_state[key] = list(held)
    st.pills(
        label,
        list(held),
        selection_mode="multi",
        format_func=lambda code: term(group, code),
        key=key,
        on_change=lambda: put(name, st.session_state[key]),
        wrap=True,
    )


def sort_asked() -> str:
    """Return the order in `?sort=`; one that does not exist is noted, the worst come first."""
    found = st.query_params.get("sort")
    if found is not None and found not in SORTS:
        notes.note("filter", found)
    return found if found in SORTS else SORTS[0]


def shown_chips(filters: Filters, facets: Facets) -> None:
    """Offer the chips with how many questions each would list beside the other filters."""
    names = [name for name in CHIPS if name != "regressed" or filters.base is not None]
    held = {"outcome": filters.outcomes, "change": filters.changes, "mark": filters.marks}
    st.session_state["filter.chips"] = [
        name for name in names if CHIPS[name][1] in held[CHIPS[name][0]]
    ]
    st.pills(
        t("triage.chips"),
        names,
        selection_mode="multi",
        format_func=lambda name: f"{term('chip', name)} {count(facets, *CHIPS[name])}",
        key="filter.chips",
        on_change=_write_chips,
        help=t("triage.chips.help"),
        wrap=True,
    )


def count(facets: Facets, parameter: str, code: str) -> int:
    """Return how many questions one value of a parameter would list."""
    if parameter == "layer":
        return sum(n for (layer, _), n in facets.layers.items() if layer == code)
    found = {"outcome": facets.outcomes, "change": facets.changes, "mark": facets.marks}
    return found[parameter].get(code, 0)


def _write_chips() -> None:
    chosen = st.session_state["filter.chips"]
    for parameter in ("change", "outcome", "mark"):
        ours = [code for of, code in CHIPS.values() if of == parameter]
        others = [v for v in st.query_params.get_all(parameter) if v not in ours]
        kept = [code for name in chosen for of, code in [CHIPS[name]] if of == parameter]
        put(parameter, [*kept, *others])


def put(parameter: str, values: Sequence[str]) -> None:
    """Write a filter into the address; the list begins at its beginning then."""
    if values:
        st.query_params[parameter] = list(values)
    else:
        st.query_params.pop(parameter, None)
    for name in ("page", "q"):
        st.query_params.pop(name, None)


def more(filters: Filters, facets: Facets) -> None:
    """Offer every value of every filter, and the order of the list."""
    left, right = st.columns(2, gap="medium")
    with left:
        _pills("outcome", t("triage.outcome"), filters.outcomes, facets)
        if filters.base is not None:
            _pills("change", t("triage.change"), filters.changes, facets)
    with right:
        _pills("layer", t("triage.layer"), filters.layers, facets)
        _sort(filters.sort)


def _pills(name: str, label: str, held: Sequence[str], facets: Facets) -> None:
    key = f"filter.{name}"
    st.session_state[key] = list(held)

    def write() -> None:
        put(name, st.session_state[key])

    st.pills(
        label,
        list(_OPTIONS[name]),
        selection_mode="multi",
        format_func=lambda code: f"{term(name, code)} {count(facets, name, code)}",
        key=key,
        on_change=write,
        wrap=True,
    )


def _sort(current: str) -> None:
    st.session_state["filter.sort"] = current

    def write() -> None:
        put("sort", [code for code in [st.session_state["filter.sort"]] if code != SORTS[0]])

    st.segmented_control(
        t("triage.sort"),
        list(SORTS),
        format_func=lambda code: term("sort", code),
        required=True,
        key="filter.sort",
        on_change=write,
    )
