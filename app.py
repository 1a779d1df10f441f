"""The dashboard as an ASGI app: the Streamlit script behind a lock and security headers."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

import ragdash.ui
from ragdash.ui.headers import SecurityHeaders, ThisMachineOnly

ENTRY = Path(ragdash.ui.__file__).with_name("entry.py")

app = st.App(ENTRY, middleware=[Middleware(SecurityHeaders), Middleware(ThisMachineOnly)])
