"""The bench of Triage: chips, histogram and list, and beside it the question with its form.

All of it is one fragment. Choosing, stepping and saving run this part of the page and no other, and
everything in it is read again, so that nothing reviewed meanwhile still looks open.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.store.layout import store_dir
from ragdash.store.reviews import reviews_of
from ragdash.ui import address, against, frame, notes
from ragdash.ui.i18n import t
from ragdash.ui.review import people
from ragdash.ui.triage import downloading, filtering, histogram, opened, rows, summing, where
from ragdash.ui.triage import saved as saved_filters
from ragdash.views import triage as view

if TYPE_CHECKING:
    from ragdash.core.review import Review
    from ragdash.store.effective import People
    from ragdash.views.comparison import Opened
    from ragdash.views.query import Cursor
    from ragdash.views.triage import Filters, Listing


@dataclass(frozen=True, slots=True)
class Bench:
    """What one run of the bench works with.

    `cursor` holds the base's file too where there is a base; `ids` are the whole list in order.
    """

    shown: frame.View
    filters: Filters
    cursor: Cursor
    reviews: tuple[Review, ...]
    people: People
    ids: tuple[str, ...]


def bench(shown: frame.View, mode: str | None, base: Opened | None) -> None:
    """Show the bench over the run on view, in one mode or all, beside a base or alone."""
    st.fragment(_bench)(shown, mode, base)


def _bench(shown: frame.View, mode: str | None, base: Opened | None) -> None:
    with notes.faults_shown():
        # A cursor belongs to one script run, and a run may have been removed since the last one.
        shown = replace(shown, cursor=frame.open_run(shown.run))
        typed = where.asked(base)
        filters = filtering.asked(mode, base, typed.held)
        if base is not None:
            filters = replace(filters, base_people=people.of_side(base.side))
        reviews = tuple(reviews_of(store_dir(None), shown.run.run_id, shown.run.version))
        said = people.of(shown.run.run_id, shown.run.version)
        cursor = against.cursor(shown, filters.base)
        filters = view.resolved(cursor, filters, said)
        ids = tuple(view.ids(cursor, filters, said))
        made = Bench(shown, filters, cursor, reviews, said, ids)
        asked = _asked(made)
        facets = view.facets(cursor, filters, said)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            where.box(typed)
            downloading.popover(made)
        where.told(typed, cursor)
        where.help_()
        filtering.shown_chips(filters, facets)
        filtering.shown_links(filters)
        with st.expander(t("triage.more"), expanded=bool(filters.layers)):
            filtering.more(filters, facets)
            saved_filters.control()
        left, right = st.columns([5, 7], gap="medium")
        with left:
            histogram.layers(filters, facets)
            _list(made, asked)
        with right:
            if asked is not None:
                opened.question(made, asked)
        summing.summary(made)


def _asked(made: Bench) -> str | None:
    """Return the question that is open: the one in the address, else the first of the list."""
    asked = st.query_params.get("q")
    if asked is not None and not view.results(made.cursor, made.filters, asked, made.people):
        notes.note("question", asked)
        asked = None
    return asked or next(iter(made.ids), None)


def _list(made: Bench, asked: str | None) -> None:
    page = _page(made, asked)
    found: Listing = view.listing(made.cursor, made.filters, page, made.people, made.ids)
    st.text(t("triage.shown", n=found.matching, total=found.total))
    address.page_note(found.pages)
    if not found.questions:
        st.info(t("triage.none"))
        return
    rows.listing(made, found, asked)
    rows.pages(found)


def _page(made: Bench, asked: str | None) -> int:
    """Return the page in the address; without one the list follows the question that is open."""
    if "page" in st.query_params or asked not in made.ids:
        return address.page_asked()
    return made.ids.index(asked) // view.PAGE_SIZE + 1
