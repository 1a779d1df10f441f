"""What a page says where something is missing: a bad address, an unreadable store, no run yet."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import streamlit as st

from ragdash.core.errors import OtherVersion, RagdashError
from ragdash.store.layout import run_file, store_dir
from ragdash.ui import chips, commands, safe
from ragdash.ui.i18n import t

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ragdash.store.registered import RunRow

_OTHERS = 20


def note(kind: str, value: str | None) -> None:
    """Say that the address holds a value that does not exist; nothing is said for None."""
    if value is None:
        return
    st.warning(t(f"note.{kind}"))
    st.code(safe.plain(value), language=None)


@contextmanager
def faults_shown() -> Iterator[None]:
    """Turn an error of ours into a note that ends the page."""
    try:
        yield
    except RagdashError as error:
        fault(error)


def fault(error: RagdashError) -> NoReturn:
    """Show an error of ours as text (it may quote a file name) and end the page."""
    st.error(t("fault.store"))
    _said(error)
    st.stop()


def _said(error: RagdashError) -> None:
    """Show what an error says; of another version also both versions and the command, apart."""
    safe.text(str(error), key="fault")
    if isinstance(error, OtherVersion):
        words = "fault.newer" if error.is_newer else "fault.older"
        st.text(t(words, found=error.found, known=error.known))
        st.code(safe.plain(error.command, None), language=None, wrap_lines=True)


def refused(error: RagdashError) -> None:
    """Say in the error's own words, as text, why something was not done; the page goes on."""
    safe.render(chips.verdict(False, safe.plain(str(error))))


def empty_store() -> NoReturn:
    """Say that there is no run, with the exact commands, and end the page."""
    st.header(t("empty.title"))
    st.text(t("empty.body"))
    commands.show(commands.line("demo"))
    st.text(t("empty.own"))
    commands.show(
        commands.line("ingest", "MANIFEST.jsonl", "--corpus", "CORPUS"),
        commands.line("run", "--corpus", "CORPUS", "--questions", "QUESTIONS.jsonl"),
    )
    st.stop()


def run_fault(error: RagdashError, run: RunRow, known: Sequence[RunRow]) -> NoReturn:
    """Say that one run's file cannot be opened, offer the others, and end the page."""
    missing = not run_file(store_dir(None), run.run_id, run.version).is_file()
    st.error(t("fault.run.missing" if missing else "fault.run"))
    st.code(safe.plain(run.run_id), language=None)
    _said(error)
    others = [
        r
        for r in known
        if r.run_id != run.run_id and run_file(store_dir(None), r.run_id, r.version).is_file()
    ]
    st.text(t("fault.others" if others else "fault.others.none"))
    page, name = ("attacks", "attack") if run.kind == "attack" else ("compare", "run")
    links = [chips.link(r.run_id, page, **{name: r.run_id}) for r in others[:_OTHERS]]
    safe.render(chips.lines(*links))
    if len(others) > _OTHERS:
        safe.render(chips.lines(chips.link(t("fault.all"), "")))
    st.stop()
