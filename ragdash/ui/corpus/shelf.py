"""The corpus folder of a run as it was surveyed, kept while the folder is as it was."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.core.errors import StoreError
from ragdash.ingest.staging import HEAD
from ragdash.ingest.survey import Survey, page_rows, survey
from ragdash.store.layout import store_dir
from ragdash.views.filing import corpora

if TYPE_CHECKING:
    from typing import Any

    from ragdash.ui import frame

_KEPT = 4
_PAGES_KEPT = 64


class Shelf:
    """A corpus folder that is there; `is_same` says that it is the corpus of the run."""

    def __init__(self, folder: Path, found: Survey, corpus_digest: str | None) -> None:
        self.folder = folder
        self.survey = found
        self.is_same = found.digest == corpus_digest

    def rows(self, name: str, doc_id: str, page: int) -> list[dict[str, Any]]:
        """Return the rows of one page: `chunks`, `pages` or `hidden`; none where it has no such.

        Raises:
            StoreError: the folder is damaged.
        """
        if not (self.folder / f"{name}.jsonl").is_file():
            return []
        return _rows(str(self.folder), _stamp(self.folder), name, (doc_id, page))


def shelf(shown: frame.View) -> Shelf | str | None:
    """Return the corpus folder of a run, why it cannot be read, or None where it is not here."""
    folders = corpora(shown.facts, store_dir(None))
    if not folders:
        return None
    try:
        found = _survey(str(folders[0]), _stamp(folders[0]))
    except (StoreError, OSError) as error:
        return str(error)
    return Shelf(folders[0], found, shown.facts.corpus_digest)


def _stamp(folder: Path) -> tuple[int, int]:
    # The head is written last, and names what the rows add up to.
    facts = (folder / HEAD).stat()
    return facts.st_mtime_ns, facts.st_size


@st.cache_data(max_entries=_KEPT, show_spinner=False)
def _survey(folder: str, stamp: tuple[int, int]) -> Survey:
    del stamp
    return survey(Path(folder))


@st.cache_data(max_entries=_PAGES_KEPT, show_spinner=False)
def _rows(
    folder: str, stamp: tuple[int, int], name: str, place: tuple[str, int]
) -> list[dict[str, Any]]:
    del stamp
    return page_rows(Path(folder), name, *place)
