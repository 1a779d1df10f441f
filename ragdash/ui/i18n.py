"""The language of a page and its words; the words themselves lie in ragdash/ui/words."""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from ragdash.amounts.reasons import REASONS
from ragdash.ui.words import joined

LANGUAGES = {"English": "en", "中文": "zh"}
# What people type by hand for the two, so that ?lang=zh works as well as ?lang=中文.
ALIASES = {"en": "English", "english": "English", "zh": "中文", "zh-cn": "中文", "cn": "中文"}

# A generator's name as a run's config and as an answer hold it.
EXTRACTIVE = frozenset({"extractive", "extractive, no LLM"})
SIMILARITY = re.compile(r"similarity of (?P<model>.+), not entailment", re.DOTALL)

S = joined()


def say(key: str, lang: str, **values: Any) -> str:
    """Return a string in a language ("en" or "zh"), with values put in.

    Raises:
        KeyError: the key does not exist; a missing label must not pass in silence.
    """
    english, chinese = S[key]
    text = chinese if lang == "zh" else english
    return text.format(**values) if values else text


def current() -> str:
    """Return the language of this page, "en" or "zh"."""
    chosen = st.session_state.get("lang")
    if chosen not in LANGUAGES:
        # No switch has been drawn: a page that lets nobody in reads the address itself.
        asked = str(st.query_params.get("lang", ""))
        chosen = ALIASES.get(asked.lower(), asked)
    return LANGUAGES[chosen if chosen in LANGUAGES else default()]


def default() -> str:
    """Return the choice of a visitor who made none: the browser's language."""
    locale = str(st.context.locale or "")
    return "中文" if locale.lower().startswith("zh") else "English"


def t(key: str, **values: Any) -> str:
    """Return a string in the language of this page."""
    return say(key, current(), **values)


def reason(code: str) -> str:
    """Return why a score is as it is; a code of a newer version reads as its own words."""
    if code in REASONS:
        return REASONS[code].zh if current() == "zh" else REASONS[code].en
    return term("reason", code) if f"reason.{code}" in S else code.replace("_", " ")


def judge(name: str) -> str:
    """Return what gave a score, in words of this page; its model's name stays as it is."""
    found = SIMILARITY.fullmatch(name)
    return t("judge.of", model=found["model"]) if found else name


def labelled(label: str, value: str) -> str:
    """Return a label of this page, the colon of its language, and a value."""
    return f"{label}{t('colon')}{value}"


def term(group: str, code: str) -> str:
    """Return the word for a stored code ("outcome", "wrong"), or the code where none is known."""
    key = f"{group}.{code}"
    return t(key) if key in S else code
