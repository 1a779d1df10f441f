"""The dashboard as an ASGI app: the Streamlit script behind security headers, nothing else."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

import ragdash.ui
from ragdash.ui.headers import SecurityHeaders

ENTRY = Path(ragdash.ui.__file__).with_name("entry.py")

app = st.App(ENTRY, middleware=[Middleware(SecurityHeaders)])
