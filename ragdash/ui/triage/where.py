"""The filter box of Triage: a text in the filter language, kept in `?where=` as it was typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.core.diagnosis import Sentence
from ragdash.filter import BadFilter, parse
from ragdash.filter.describe import EXAMPLES, EXAMPLES_ZH, described
from ragdash.filter.meant import meant
from ragdash.filter.tree import terms
from ragdash.ui import chips, notes, safe
from ragdash.ui.i18n import S, current, t
from ragdash.ui.triage import filtering
from ragdash.views.filtered import unmeasured

if TYPE_CHECKING:
    from ragdash.views.comparison import Opened
    from ragdash.views.query import Cursor

_KEY = "filter.where"


@dataclass(frozen=True, slots=True)
class Asked:
    """What stands in the address, and what is wrong with it; only what is right is filtered by."""

    text: str
    fault: Sentence | None = None

    @property
    def held(self) -> str:
        """The filter that holds; empty where it cannot be read."""
        return self.text if self.fault is None else ""


def asked(base: Opened | None) -> Asked:
    """Return the filter in `?where=`; one that cannot be read stays in the box, with its fault."""
    text = st.query_params.get("where", "")
    try:
        expr = parse(text)
    except BadFilter as error:
        return Asked(text, error.said)
    if base is None and any(term.field == "change" for term in terms(expr)):
        return Asked(text, Sentence(*S["where.no_base"]))
    return Asked(text)


def noted(base: Opened | None) -> str:
    """Return the filter in `?where=` that holds; one that cannot be read is noted as ignored."""
    found = asked(base)
    if found.fault is not None:
        notes.note("filter", found.text)
    return found.held


def box(found: Asked) -> None:
    """Offer the box with what is in the address."""
    st.session_state[_KEY] = found.text

    def write() -> None:
        text = str(st.session_state[_KEY]).strip()
        filtering.put("where", [text] if text else [])

    example = EXAMPLES_ZH[0] if current() == "zh" else EXAMPLES[0]
    st.text_input(t("where"), key=_KEY, placeholder=example, on_change=write)


def told(found: Asked, cursor: Cursor) -> None:
    """Say under the box what is wrong with it, or which of its metrics the run does not have."""
    if found.fault is not None:
        said = found.fault.zh if current() == "zh" else found.fault.en
        safe.render(chips.verdict(False, safe.plain(said, None)))
        st.text(t("where.without"))
        return
    if names := unmeasured(cursor, found.held):
        st.text(t("where.unmeasured", names=", ".join(names)))
    for text, term in meant(parse(found.held)).items():
        word = safe.plain(text)
        safe.render(chips.muted(t("where.meant", word=word, term=safe.plain(term))))


def help_() -> None:
    """Offer the fields with what they mean and can be, and examples."""
    lang = current()
    # No popover: it lies outside the application and does not take part in its theme.
    with st.expander(t("where.help"), icon=":material/help:"):
        st.text(t("where.lead"))
        st.text(t("where.missing"))
        st.text(t("where.examples"))
        examples = EXAMPLES_ZH if lang == "zh" else EXAMPLES
        st.code("\n".join(examples), language=None, wrap_lines=True)
        head = [t(f"where.col.{name}") for name in ("field", "means", "values")]
        rows = [[one.names, one.means, one.values] for one in described(lang)]
        safe.render(safe.table(head, rows, caption=t("where.table")))
