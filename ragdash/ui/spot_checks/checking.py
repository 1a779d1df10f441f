"""The bench of spot checks: the queue and beside it the answer with its form; or the agreement.

All of it is one fragment, as in Triage: choosing, stepping and saving run this part of the page and
no other, and what other people have done meanwhile is read again every time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdash.core.spot_check import CheckKey
from ragdash.store.effective import valid_checks
from ragdash.store.layout import run_file, store_dir
from ragdash.store.said import people_of
from ragdash.store.spot_check_desk import locks_of
from ragdash.store.spot_checks import checks_of
from ragdash.ui import frame, notes, refs, safe, tabs
from ragdash.ui.i18n import t
from ragdash.ui.review import reviewer
from ragdash.ui.spot_checks import agreeing, audit, desk, filtering, opened, rows
from ragdash.views import spot_check_item as item_view
from ragdash.views import spot_checks as view
from ragdash.views.spot_check_risks import answered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragdash.core.spot_check import SpotCheck
    from ragdash.store.effective import People
    from ragdash.views.query import Cursor, Row
    from ragdash.views.spot_check_risks import Item
    from ragdash.views.spot_checks import Entry, Filters, Queue


_OPENED = "check.opened"


@dataclass(frozen=True)
class Bench:
    """What one run of the bench works with; `checks` are all of the mode, superseded ones too.

    `entries` is the queue under the filter, `newest` the newest version of the run.
    """

    shown: frame.View
    mode: str
    cursor: Cursor
    items: tuple[Item, ...]
    checks: tuple[SpotCheck, ...]
    people: People
    viewer: str | None
    queue: Queue
    filters: Filters
    entries: tuple[Entry, ...]
    newest: int

    @property
    def is_newest(self) -> bool:
        """Whether the version on view is the newest one, which alone is checked."""
        return self.shown.run.version == self.newest

    @cached_property
    def held(self) -> tuple[SpotCheck, ...]:
        """The checks that their authors hold to, of the answers on view."""
        answers = {item.question_id: item.answer_digest for item in self.items}
        return tuple(
            check
            for check in valid_checks(self.checks)
            if answers.get(check.key.question_id) == check.answer_digest
        )

    def checks_of(self, question_id: str) -> tuple[SpotCheck, ...]:
        """Return the checks of one answer that their authors hold to, the oldest first."""
        return tuple(check for check in self.held if check.key.question_id == question_id)

    def entry(self, question_id: str) -> Entry | None:
        """Return the place of a question in the queue, whatever the filter; None outside of it."""
        found = (e for e in self.queue.entries if e.item.question_id == question_id)
        return next(found, None)

    def risks_of(self, question_id: str) -> tuple[str, ...]:
        """Return the risks of an answered question."""
        item = next((i for i in self.items if i.question_id == question_id), None)
        return tuple(risk.value for risk in item.risks) if item else ()

    @cached_property
    def standings(self) -> Mapping[str, Row]:
        """What holds of every answer of the mode, by question."""
        return item_view.all_hold(self.cursor, self.people, self.mode)

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """Every question in full, by its id."""
        return item_view.texts(self.cursor)

    def standing(self, question_id: str) -> Row | None:
        """Return what holds of an answer."""
        return item_view.holds(self.cursor, self.people, self.mode, question_id)


def bench(shown: frame.View, mode: str) -> None:
    """Show the bench over one mode of the run on view."""
    st.fragment(_bench)(shown, mode)


def _bench(shown: frame.View, mode: str) -> None:
    with notes.faults_shown():
        # A cursor belongs to one script run, and a run may have been removed since the last one.
        made = _made(replace(shown, cursor=frame.open_run(shown.run)), mode)
        st.text(t("reviews.lead"))
        if not made.items:
            st.info(t("reviews.none_answered"))
            return
        parts: dict[str, Any] = {
            "queue": lambda: _queue(made),
            "agreement": lambda: _agreement(made),
        }
        tabs.lazy(parts, words="reviews.tab")


def _made(shown: frame.View, mode: str) -> Bench:
    store, run = store_dir(None), shown.run
    with refs.registry() as found:
        newest = run.version if found is None else found.resolve(run.run_id).version
    items, viewer = _answered(shown, mode), reviewer.current()
    checks = tuple(checks_of(store, run.run_id, mode))
    people = people_of(store, run.run_id, run.version)
    locks = locks_of(store, run.run_id, reviewer.now())
    said = view.Said(
        checks=valid_checks(checks),
        fits={q: one.fit for (of, q), one in people.calibers.items() if of == mode},
        locks={lock.key.question_id: lock.reviewer for lock in locks if lock.key.mode == mode},
        viewer=viewer,
    )
    queue, filters = view.queue(run.run_id, items, said), filtering.asked()
    entries = view.matching(queue, filters)
    return Bench(
        shown, mode, shown.cursor, items, checks, people, viewer, queue, filters, entries, newest
    )


def _answered(shown: frame.View, mode: str) -> tuple[Item, ...]:
    path = run_file(store_dir(None), shown.run.run_id, shown.run.version)
    facts = path.stat()
    return _kept((str(path), facts.st_mtime_ns, facts.st_size), mode, shown.cursor)


@st.cache_data(max_entries=64, show_spinner=False)
def _kept(
    file: tuple[str, int, int],  # noqa: ARG001 - what the cache goes by: path, mtime, size
    mode: str,
    _cursor: Cursor,
) -> tuple[Item, ...]:
    """Return the answered questions of a run file, which is written once and never again."""
    return answered(_cursor, mode)


def _queue(made: Bench) -> None:
    with st.expander(t("reviews.sample")):
        for sentence in rows.sample(made.queue.sample):
            st.text(sentence)
    filtering.control(made.filters, made.queue)
    asked = _asked(made)
    left, right = st.columns([4, 8], gap="medium")
    with left:
        rows.listing(made.queue, made.entries, asked)
    with right:
        if asked is not None:
            _reveal(made, asked)
            opened.question(made, asked)


def _agreement(made: Bench) -> None:
    desk.leave()
    agreeing.show(made)
    audit.offer(made)


def _reveal(made: Bench, question_id: str) -> None:
    """Whoever comes from a cell of the matrix knows what the rule or people say of the question."""
    entry = made.entry(question_id)
    if made.filters.rule is not None or (made.filters.fit is not None and entry and entry.people):
        desk.saw([CheckKey(made.shown.run.run_id, made.mode, question_id)])


def _asked(made: Bench) -> str | None:
    """Return the question that is open: the one in the address, else the first to be checked.

    That one stays open whatever others do meanwhile: a form never changes under somebody's hands.
    """
    answered_ = {item.question_id for item in made.items}
    unknown = [q for q in st.query_params.get_all("shown") if q not in answered_]
    if unknown:
        notes.note("filter", ", ".join(unknown))
    asked = st.query_params.get("q")
    if asked in answered_:
        return asked
    if asked is not None:
        notes.note("reviews.question", safe.plain(asked))
    place = (made.shown.ref, made.mode, made.filters)
    kept: tuple[object, str | None] = st.session_state.get(_OPENED, (None, None))
    if kept[0] == place and kept[1] in answered_:
        return kept[1]
    first = next((entry.item.question_id for entry in made.entries), None)
    found = view.first_free(made.entries) or first
    st.session_state[_OPENED] = (place, found)
    return found
