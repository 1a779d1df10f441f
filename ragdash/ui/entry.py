"""The script behind app.py: page config, the frame, and navigation over pages/."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from ragdash import shipped
from ragdash.ui import access, frame, safe
from ragdash.ui.i18n import t

if TYPE_CHECKING:
    from streamlit.navigation.page import Page as StreamlitPage

ICONS = Path(__file__).resolve().parent / "icons"


def navigation() -> StreamlitPage:
    """Return the page that the address names, with all pages in the language of the moment."""
    folder = shipped.path("pages")
    pages = [
        st.Page(
            folder / f"{name}.py",
            title=t(f"nav.{name}"),
            help=t(f"nav.{name}.help"),
            default=name == "runs",
        )
        for name in frame.PAGES
    ]
    return st.navigation(pages, position="top")


st.set_page_config(page_title="ragdash", page_icon=ICONS / "logo.svg", layout="wide")
access.require()
if typed := frame.canonical_address():
    # Without it the rerun would not know which page the address names.
    navigation()
    frame.rewrite(typed)
safe.table_style()
st.logo(str(ICONS / "wordmark.svg"), icon_image=str(ICONS / "logo.svg"), size="large")

run_box = st.sidebar.container()
# Before the pages get their titles, which are in this language.
with st.sidebar:
    frame.language()
    access.signed_in_as()
page = navigation()
with run_box:
    frame.picker()
frame.language_note()
page.run()
