"""The page of a filing beside a chunk: drawn when it is asked for, with the chunk marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.ingest.page_image import PageImage, PageImageError, page_image
from ragdash.store.layout import store_dir
from ragdash.ui import chips, safe
from ragdash.ui.i18n import t
from ragdash.views.filing import Filing, NoFiling, brings_files, corpora, filing

if TYPE_CHECKING:
    from ragdash.views.frame import RunFacts
    from ragdash.views.question import ChunkRow

_KEPT = 48
"""Pictures; about 0.2 MB each."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page (from 1) of a document, which its file name and digest tell."""

    file: str | None
    sha256: str | None
    page: int


def opened(chunk: ChunkRow) -> bool:
    """Offer the page of a chunk, kept in `?leaf=`, and return whether it is asked for."""
    asked = st.query_params.get_all("leaf")
    key = f"leaf.{chunk.final_rank}.{chunk.chunk_id}"
    st.session_state[key] = chunk.chunk_id in asked

    def write() -> None:
        now = [one for one in st.query_params.get_all("leaf") if one != chunk.chunk_id]
        st.query_params["leaf"] = [*now, chunk.chunk_id] if st.session_state[key] else now

    st.toggle(t("leaf.show"), key=key, on_change=write)
    return bool(st.session_state[key])


def show(facts: RunFacts, chunk: ChunkRow) -> None:
    """Show the page of a chunk, or one sentence that says why it cannot be shown."""
    if chunk.source_page is None:
        st.info(t("leaf.no_number"))
        return
    page(facts, Leaf(chunk.file, chunk.sha256, chunk.source_page), chunk.text)


def page(facts: RunFacts, leaf: Leaf, text: str) -> None:
    """Show a page with a text marked on it, none where it is empty; or say why it is not shown."""
    if not brings_files(facts):
        st.info(t(f"leaf.{NoFiling.IMPORTED.value}"))
        return
    found = filing(corpora(facts, store_dir(None)), leaf.file, leaf.sha256)
    if isinstance(found, NoFiling):
        st.info(t(f"leaf.{found.value}"))
        return
    with st.skeleton(height=420):
        drawn = _drawn(found, leaf.page, text)
    if isinstance(drawn, str):
        st.warning(t(f"leaf.{drawn}"))
        return
    safe.picture(drawn.png, t("leaf.alt", page=leaf.page))
    if text:
        words = t("leaf.marked" if drawn.marks else "leaf.not_found", page=leaf.page)
        safe.render(chips.muted(words))


@st.cache_data(max_entries=_KEPT, show_spinner=False)
def _drawn(file: Filing, number: int, text: str) -> PageImage | str:
    """Return the picture, or the code of why there is none; kept while the file is as it was."""
    try:
        if not file.is_unchanged():
            return NoFiling.OTHER_BYTES.value
        return page_image(file.path, number, text)
    except PageImageError as error:
        return error.code
    except OSError:
        return NoFiling.NO_FILE.value
