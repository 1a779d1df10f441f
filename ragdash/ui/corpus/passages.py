"""Whether the gold passage of each question is in any chunk, those that are in none first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.ui import address, chips, formats, frame, safe
from ragdash.ui.i18n import current, t
from ragdash.ui.review import people
from ragdash.views import documents as view

if TYPE_CHECKING:
    from ragdash.views.documents import GoldPassage, GoldPassages


def passages(shown: frame.View) -> None:
    """Show the counts, then every question with evidence pages."""
    st.text(t("data.gold.lead"))
    said = people.of(shown.run.run_id, shown.run.version)
    found = view.gold_passages(shown.cursor, said, address.page_asked())
    address.page_note(found.pages)
    if not found.shown:
        st.info(t("data.gold.nothing"))
        return
    safe.render(_summary(found))
    head = [t(f"data.gold.{name}") for name in ("question", "pages", "state", "chunks", "seen")]
    body = [_row(shown, one) for one in found.shown]
    safe.render(safe.table(head, body, caption=t("data.gold.table"), numeric=frozenset({3})))
    address.page_number(found.pages)


def _summary(found: GoldPassages) -> safe.Markup:
    held = found.counts["held"]
    around = chips.aside(formats.interval(found.interval) if found.interval else "")
    rows = [
        (
            t(f"data.gold.state.{state}"),
            safe.join([formats.share(held, found.n), around]) if state == "held" else str(n),
            "",
        )
        for state, n in found.counts.items()
        if n or state == "held"
    ]
    return chips.tiles(rows, label=t("data.gold"))


def _row(shown: frame.View, one: GoldPassage) -> list[str]:
    link = chips.link(one.question_id, "question", run=shown.ref, q=one.question_id)
    bad = one.state in ("none", "unreadable")
    words = [chips.badge(t(f"data.gold.state.{one.state}"), chips.BAD if bad else "inherit")]
    why = one.why.zh if current() == "zh" else one.why.en
    if why and bad:
        words.append(chips.muted(safe.plain(why)))
    return [
        chips.lines(link, chips.muted(safe.plain(one.text))),
        chips.lines(*(_page(shown, *page) for page in one.pages)),
        chips.lines(*words),
        formats.DASH if one.state == "unknown" else str(one.chunks),
        ", ".join(one.visible) or formats.DASH,
    ]


def _page(shown: frame.View, doc_id: str, name: str, page: int) -> safe.Markup:
    where = {"run": shown.ref, "tab": "documents", "doc": doc_id, "leaf": str(page)}
    return chips.link(f"{name} · P{page}", "data", **where)
