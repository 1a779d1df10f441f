"""The dashboard as an ASGI app: the Streamlit script behind security headers, nothing else."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from ragdash.ui.headers import SecurityHeaders

ENTRY = Path(__file__).resolve().parent / "ragdash" / "ui" / "entry.py"

app = st.App(ENTRY, middleware=[Middleware(SecurityHeaders)])
