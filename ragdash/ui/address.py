"""Filters and selections that live in the address, as codes, so that a link works in any language.

A bound widget would put its translated label there. So the address is read before the widget, and
a change is written back from the widget's callback, which also lets Back undo it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.ui import frame, notes
from ragdash.ui.i18n import t, term

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_PAGE = re.compile("[0-9]{1,6}")


def codes(name: str, options: Sequence[str]) -> tuple[str, ...]:
    """Return the codes in `?name=` in the order of a fixed list; unknown values are noted."""
    asked = st.query_params.get_all(name)
    unknown = [value for value in asked if value not in options]
    if unknown:
        notes.note("filter", ", ".join(unknown))
    return tuple(value for value in options if value in asked)


def many(name: str, label: str, options: Sequence[str], group: str) -> tuple[str, ...]:
    """Offer several codes of a fixed list, kept in `?name=`; unknown values are noted.

    Args:
        name: the query parameter.
        label: our own words.
        options: the codes.
        group: the group of `i18n.term` that holds their words.
    """
    key = f"filter.{name}"
    st.session_state[key] = list(codes(name, options))

    def write() -> None:
        st.query_params[name] = st.session_state[key]
        frame.first_page()

    chosen = st.pills(
        label,
        list(options),
        selection_mode="multi",
        format_func=lambda code: term(group, code),
        key=key,
        on_change=write,
        wrap=True,
    )
    return tuple(chosen)


def one(
    name: str, label: str, options: Sequence[str], words: Callable[[str], str], note: str
) -> str:
    """Offer one id of the data, kept in `?name=`; an unknown one is noted, the first shown.

    Args:
        name: the query parameter.
        label: our own words.
        options: the ids, at least one.
        words: what an option reads as; it may be data, options are shown literally.
        note: which note to show for an id that does not exist.
    """
    asked = st.query_params.get(name)
    if asked is not None and asked not in options:
        notes.note(note, asked)
    current = options[0] if asked is None or asked not in options else asked
    key = f"pick.{name}"
    st.session_state[key] = current

    def write() -> None:
        st.query_params[name] = st.session_state[key]

    st.selectbox(label, list(options), format_func=words, key=key, on_change=write)
    return current


def step(
    name: str,
    options: Sequence[str],
    current: str,
    words: str = "question.at",
    labels: tuple[str, str] = ("question.previous", "question.next"),
) -> None:
    """Offer the one before and the one after, with K and J as shortcuts.

    Args:
        name: the query parameter that holds the one on view.
        options: the ids that are walked, in order.
        current: the one on view; where it is none of them, the walk begins with the first.
        words: the key that says which of how many it is.
        labels: the keys of the one before and the one after.
    """
    at = options.index(current) if current in options else -1

    def go(to: int) -> None:
        st.query_params[name] = options[to]

    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            t(labels[0]),
            disabled=at <= 0,
            on_click=go,
            args=(at - 1,),
            shortcut="K",
            key=f"step.{name}.previous",
        )
        st.button(
            t(labels[1]),
            disabled=at == len(options) - 1,
            on_click=go,
            args=(at + 1,),
            shortcut="J",
            key=f"step.{name}.next",
        )
        place = (
            t("question.outside", n=len(options)) if at < 0 else t(words, i=at + 1, n=len(options))
        )
        st.text(place, width="content")


def page_asked() -> int:
    """Return the number in `?page=`, from 1; 1 where it is none."""
    asked = st.query_params.get("page", "1")
    return max(int(asked), 1) if _PAGE.fullmatch(asked) else 1


def page_note(pages: int) -> None:
    """Say that `?page=` names a page that a list of so many does not have."""
    asked = st.query_params.get("page")
    if asked is not None and asked != str(min(page_asked(), max(pages, 1))):
        notes.note("page", asked)


def page_number(pages: int) -> int:
    """Offer the pages of a list, kept in `?page=`; one that does not exist is the nearest."""
    current = min(page_asked(), max(pages, 1))
    if pages <= 1:
        return 1
    # The number is part of the key: a default and a session value together are not allowed.
    key = f"list.page.{current}.{pages}"

    def write() -> None:
        st.query_params["page"] = str(st.session_state[key])

    st.pagination(pages, default=current, key=key, on_change=write)
    return current
