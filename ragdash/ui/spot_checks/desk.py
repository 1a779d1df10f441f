"""What a reviewer holds: the lock of the question that is open, and what she has seen of others.

A lock is taken by the first choice or word, renewed by everything she does, and given back when she
opens another question or discards her draft. Who leaves without a word loses it after ten minutes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.core.errors import LockHeld, RagdashError, StaleReview
from ragdash.store.layout import store_dir
from ragdash.store.spot_check_desk import locks_of, release_lock, take_lock
from ragdash.ui import chips, formats, safe
from ragdash.ui.i18n import t
from ragdash.ui.review import reviewer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ragdash.core.spot_check import CheckKey, SpotCheck

SECONDS = 600
_HELD, _SEEN = "check.held", "check.seen"


@dataclass(frozen=True, slots=True)
class Hold:
    """Whether the viewer may save: `until` is her lock's end, or that of `by`; both ISO 8601.

    `fault` says why no lock could be taken at all.
    """

    by: str | None = None
    until: str | None = None
    fault: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether nothing keeps the viewer from saving."""
        return self.by is None and self.fault is None


def hold(key: CheckKey, name: str | None) -> Hold:
    """Take or renew the lock of a question for who reviews; without a name none is taken."""
    leave(but=(key, name))
    if name is None:
        return Hold()
    try:
        lock = take_lock(store_dir(None), key, name, reviewer.now(), SECONDS)
    except LockHeld as held:
        return Hold(by=held.reviewer, until=held.until)
    except StaleReview:
        return Hold(fault=t("check.lost"))
    except RagdashError as error:
        return Hold(fault=f"{t('check.unlocked')} {error}")
    st.session_state[_HELD] = (key, name)
    return Hold(until=lock.until)


def look(key: CheckKey, name: str | None) -> Hold:
    """Return who is at work on a question, without taking it: nothing is begun here."""
    leave()
    for lock in locks_of(store_dir(None), key.run_id, reviewer.now()):
        if lock.key == key and lock.reviewer != name:
            return Hold(by=lock.reviewer, until=lock.until)
    return Hold()


def leave(but: tuple[CheckKey, str | None] | None = None) -> None:
    """Give back the lock that this session holds, unless it is of what is open now."""
    held: tuple[CheckKey, str] | None = st.session_state.get(_HELD)
    if held is None or held == but:
        return
    del st.session_state[_HELD]
    try:
        release_lock(store_dir(None), *held)
    except RagdashError:
        # It ends by itself; whoever waits for it sees until when.
        return


def told(held: Hold) -> None:
    """Say whose question it is at the moment, and until when."""
    if held.fault is not None:
        st.text(held.fault)
    elif held.by is not None and held.until is not None:
        words = t("check.locked", name=safe.plain(held.by), until=formats.when(held.until))
        safe.render(chips.verdict(False, words))
    elif held.until is not None:
        st.text(t("check.yours", until=formats.when(held.until)))
    else:
        st.text(t("check.free"))


def has_seen(key: CheckKey) -> bool:
    """Return whether this session, or the one before a reload, has shown a verdict of it."""
    asked = st.query_params.get_all("shown")
    return key in st.session_state.get(_SEEN, ()) or key.question_id in asked


def saw(keys: Iterable[CheckKey]) -> None:
    """Remember that what others said of questions has been shown in this session."""
    st.session_state[_SEEN] = frozenset(st.session_state.get(_SEEN, ())) | frozenset(keys)


def reveal(key: CheckKey) -> None:
    """Show what others said of a question before having said one's own; a reload remembers it."""
    saw([key])
    before = [one for one in st.query_params.get_all("shown") if one != key.question_id]
    st.query_params["shown"] = [*before, key.question_id]


def others(checks: Iterable[SpotCheck], name: str | None) -> tuple[SpotCheck, ...]:
    """Return the checks of everybody but the viewer."""
    return tuple(check for check in checks if check.reviewer != name)
