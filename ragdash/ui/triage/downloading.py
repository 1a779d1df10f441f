"""The list of Triage as a file: the same bytes as the command line gives, made on the click."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.export.asking import Selection, selected
from ragdash.export.formats import MIME, Format, file_name, written
from ragdash.filter import parse
from ragdash.store.layout import store_dir
from ragdash.store.registry import Registry
from ragdash.ui import commands
from ragdash.ui.i18n import current, t
from ragdash.ui.refs import ref_of
from ragdash.views import triage as view
from ragdash.views.filtered import expressed, needs_base

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ragdash.ui.triage.triaging import Bench


def popover(made: Bench) -> None:
    """Offer the rows of the list in each format, and the command that gives the same."""
    ref, base, where = asked(made)
    lang, store = current(), store_dir(None)
    with st.popover(t("download"), icon=":material/download:"):
        n = view.row_count(made.cursor, made.filters, made.people)
        st.text(t("download.rows", n=n))
        for format_ in Format:
            st.download_button(
                t(f"download.{format_.value}"),
                maker(store, (ref, base, where), format_, lang),
                file_name=file_name(ref, format_, where, base),
                mime=MIME[format_],
                on_click="ignore",
                key=f"download.{format_.value}",
            )
        st.text(t("download.command"))
        commands.show(command((ref, base, where), lang))


def asked(made: Bench) -> tuple[str, str | None, str]:
    """Return REF, base (where changes are asked for) and filter, as the command line takes them."""
    filters, base, named = made.filters, made.filters.base, None
    where = expressed(filters)
    if base is not None and needs_base(parse(where)):
        named = ref_of(base.run_id, base.version, base.mode)
    return made.shown.of_mode(filters.mode), named, where


def maker(
    store: Path, what: tuple[str, str | None, str], format_: Format, lang: str
) -> Callable[[], bytes]:
    """Return what makes a file when it is asked for."""

    def make() -> bytes:
        return b"".join(written(_selected(store, what), format_, lang))

    return make


def _selected(store: Path, what: tuple[str, str | None, str]) -> Selection:
    ref, base, where = what
    with closing(Registry.open(store, read_only=True)) as registry:
        return selected(registry, store, ref, base=base, where=where)


def command(what: tuple[str, str | None, str], lang: str) -> str:
    """Return the command line that writes the same, as a report."""
    ref, base, where = what
    words = ["export", ref, "-o", file_name(ref, Format.HTML, where, base)]
    words += ["--where", where] if where else []
    words += ["--base", base] if base else []
    words += ["--lang", lang] if lang != "en" else []
    return commands.line(*words)
