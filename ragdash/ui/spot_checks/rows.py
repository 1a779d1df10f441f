"""The queue: a question a row, opened by its number, with its risks and how far it has come.

Nothing of what was said stands here but how often: whoever checks second is to be blind.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.ui import address, chips, safe
from ragdash.ui.i18n import t, term
from ragdash.views.spot_checks import PAGE_SIZE, SHARE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.views.spot_checks import Entry, Queue, Sample


def sample(found: Sample) -> Sequence[str]:
    """Return how the queue was drawn, in sentences."""
    return (
        t("reviews.sample.all", risky=found.risky, answered=found.answered),
        t(
            "reviews.sample.drawn",
            without=found.without,
            drawn=found.drawn,
            share=SHARE,
        ),
        t("reviews.sample.same"),
    )


def listing(found: Queue, entries: Sequence[Entry], asked: str | None) -> None:
    """Show one page of the entries that the filter holds; the question that is open is marked."""
    st.text(t("reviews.shown", n=len(entries), total=len(found.entries)))
    pages = max(1, -(-len(entries) // PAGE_SIZE))
    address.page_note(pages)
    if not entries:
        st.info(t("reviews.none"))
        return
    page = _page(entries, asked, pages)
    first = (page - 1) * PAGE_SIZE
    for place, entry in enumerate(entries[first : first + PAGE_SIZE], first + 1):
        question_id = entry.item.question_id
        label = t("reviews.row.open" if question_id == asked else "triage.row", n=place)
        with st.container(horizontal=True, wrap=False, gap="small", vertical_alignment="top"):
            st.button(
                label,
                key=f"check.open.{mark(question_id)}",
                on_click=open_,
                args=(question_id,),
                help=t("reviews.open"),
            )
            safe.render(_row(entry, is_open=question_id == asked))
    _pages(pages, page, asked)


def _page(entries: Sequence[Entry], asked: str | None, pages: int) -> int:
    """Return the page in the address; without one the list follows the question that is open."""
    ids = [entry.item.question_id for entry in entries]
    if "page" in st.query_params or asked not in ids:
        return min(address.page_asked(), pages)
    return ids.index(asked) // PAGE_SIZE + 1


def _pages(pages: int, page: int, asked: str | None) -> None:
    if pages <= 1:
        return
    key = f"check.page.{page}.{pages}"

    def write() -> None:
        if asked is not None:
            st.query_params["q"] = asked
        st.query_params["page"] = str(st.session_state[key])

    st.pagination(pages, default=page, key=key, on_change=write)


def open_(question_id: str) -> None:
    """Open a question by its id; the list turns to it."""
    st.query_params["q"] = question_id
    st.query_params.pop("page", None)


def mark(question_id: str) -> str:
    """Return a short digest of an id, for the key of a widget."""
    return hashlib.sha256(question_id.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _row(entry: Entry, *, is_open: bool) -> safe.Markup:
    item = entry.item
    rest = item.length - len(item.text)
    text = safe.plain(item.text, None) + (f" …+{rest:,} chars" if rest > 0 else "")
    about = " · ".join(part for part in (item.company, item.period) if part)
    lines = [
        chips.spaced(chips.strong(safe.plain(item.question_id)), chips.muted(safe.plain(about))),
        safe.Markup(
            f'<div lang="{"zh-CN" if item.lang == "zh" else "en"}" style="overflow-wrap:anywhere">'
            f"{safe.escape(text)}</div>"
        ),
        chips.spaced(*risks(entry), *_state(entry)),
    ]
    edge, now = (chips.LINK, ' aria-current="true"') if is_open else ("transparent", "")
    return safe.Markup(
        f'<div{now} style="border-left:3px solid {edge};padding:0 0 .45rem .6rem;min-width:0;'
        f'overflow-wrap:anywhere;border-bottom:1px solid {safe.LINE};font-size:.95rem">'
        f"{safe.join(lines)}</div>"
    )


def risks(entry: Entry) -> list[safe.Markup]:
    """Return the risks of a question as badges."""
    return [chips.badge(term("risk", risk.value)) for risk in entry.item.risks]


def _state(entry: Entry) -> list[safe.Markup]:
    found = []
    if entry.standing != "open":
        ink = chips.BAD if entry.standing == "disputed" else safe.MUTED
        found.append(chips.badge(term("state", entry.standing), ink))
    if entry.is_mine:
        found.append(chips.badge(f"✓ {term('state', 'mine')}", chips.GOOD))
    if entry.locked_by is not None:
        words = t("reviews.locked_by", name=safe.plain(entry.locked_by))
        found.append(chips.badge(words, chips.LINK))
    return found
