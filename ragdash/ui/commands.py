"""The commands that pages print to copy: each names the store that is on view."""

from __future__ import annotations

import shlex

import streamlit as st

from ragdash.store.layout import store_dir
from ragdash.ui import safe

# These know no store: they work on files alone.
STORELESS = ("ingest", "check", "probe")


def line(*words: str) -> str:
    """Return `ragdash WORDS --store DIR` as a shell takes it: quoted, on one line.

    Args:
        words: the command, its arguments and options.
    """
    store = [] if words[0] in STORELESS else ["--store", str(store_dir(None).absolute())]
    return " ".join(quoted(word) for word in ("ragdash", *words, *store))


def show(*lines: str) -> None:
    """Show lines of `line` to copy."""
    st.code("\n".join(lines), language=None, wrap_lines=True)


def quoted(word: str) -> str:
    """Return a word as a shell takes it, with hidden characters named."""
    return shlex.quote(safe.plain(word, None))
