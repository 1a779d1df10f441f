"""Every string of our own, by page; a page with a bare label would escape the tests over them.

A new page adds a module here and a line below. Content of filings is never translated.
"""

from __future__ import annotations

from ragdash.ui.words import (
    access,
    attack_terms,
    attacks,
    compare,
    data,
    filters,
    frame,
    funnel,
    gates,
    judge,
    pipeline,
    question,
    reasons,
    runs,
    spot_check_terms,
    spot_checks,
    terms,
    triage,
)

PARTS = (
    access,
    attack_terms,
    attacks,
    compare,
    data,
    filters,
    frame,
    funnel,
    gates,
    judge,
    pipeline,
    question,
    reasons,
    runs,
    spot_check_terms,
    spot_checks,
    terms,
    triage,
)


def joined() -> dict[str, tuple[str, str]]:
    """Return key -> (English, Chinese) of every page.

    Raises:
        ValueError: two pages hold one key, so that one of them would lose its words.
    """
    found: dict[str, tuple[str, str]] = {}
    for part in PARTS:
        twice = found.keys() & part.WORDS.keys()
        if twice:
            raise ValueError(f"{part.__name__} repeats the keys {sorted(twice)} of another page")
        found.update(part.WORDS)
    return found
