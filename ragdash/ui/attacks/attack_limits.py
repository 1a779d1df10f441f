"""What an attack run establishes and what not, and what its stored views prove about the key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.ui import chips, formats, safe
from ragdash.ui.i18n import t
from ragdash.views import attack_study as study
from ragdash.views.attacks import FAILURES, SPLIT, zero_still_allows

if TYPE_CHECKING:
    from ragdash.ui.attacks.attack_rates import Rates
    from ragdash.ui.attacks.attacking import Shown


def key_check(shown: Shown) -> None:
    """Say what the stored views prove about the answer key, in one line and its parts."""
    found = study.key_check(shown.cursor)
    words = t("attacks.key.holds" if found.holds else "attacks.key.broken")
    derived = not shown.facts.config.get("oracle_trust")
    parts = [
        t("attacks.key.digest", k=found.matching, n=found.checked),
        t("attacks.key.fields", k=found.clean, n=found.checked),
        t("attacks.key.shared", k=found.shared, n=found.cases),
        t("attacks.key.derived" if derived else "attacks.oracle"),
    ]
    if found.mixed and found.trusted:
        parts.append(
            t(
                "attacks.key.leak",
                k=found.mixed_attacks,
                n=found.mixed,
                k2=found.trusted_attacks,
                n2=found.trusted,
            )
        )
    st.header(t("attacks.key"))
    safe.render(chips.lines(chips.verdict(found.holds, words), *(chips.muted(p) for p in parts)))


def establishes(shown: Shown, rates: Rates) -> None:
    """Say what the rates establish, and what they do not."""
    st.header(t("attacks.limits"))
    n = shown.facts.n_questions
    st.text(t("attacks.limits.does", n=n, policies=len(shown.policies)))
    st.text(t("attacks.limits.body", n=n, high=formats.number(zero_still_allows(n))))
    if _echo_is_as_good(rates):
        st.text(t("attacks.limits.echo"))


def _echo_is_as_good(rates: Rates) -> bool:
    """Whether a policy that only repeats a trusted chunk is no worse in any of the four rates."""
    echo, defended = rates.get("trusted_echo"), rates.get("defended")
    if echo is None or defended is None:
        return False
    columns = [name for name in (*FAILURES, "abstention") if name in echo and name in defended]
    return bool(columns) and all(echo[name].k <= defended[name].k for name in columns)


def costs(rates: Rates) -> bool:
    """Whether any policy has a split of abstention to show."""
    return any(name in found for found in rates.values() for name in SPLIT)
