"""Why measurements of the judge failed, by reason and mode: replies it could not be read from."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.compare.intervals import wilson
from ragdash.ui import chips, formats, safe
from ragdash.ui.i18n import reason, t
from ragdash.views.endpoints import UNREADABLE
from ragdash.views.judge import NO_ANSWER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.views.judge import JudgedMetric


def failures(found: Sequence[JudgedMetric], modes: Sequence[str]) -> None:
    """Show parse failures first, then every reason, each as k of the n measurements tried."""
    st.header(t("judging.failing"))
    tried: Counter[str] = Counter()
    by_reason: dict[str, Counter[str]] = defaultdict(Counter)
    for one in (judged for metric in found for judged in metric.modes):
        # A missing answer is none of the judge's failures.
        tried[one.mode] += one.tried - one.errors.get(NO_ANSWER, 0)
        for code, n in one.errors.items():
            if code != NO_ANSWER:
                by_reason[code][one.mode] += n
    st.text(t("judging.failing.lead"))
    parsing = {mode: sum(by_reason[code][mode] for code in UNREADABLE) for mode in modes}
    rows = [
        [chips.strong(t("judging.failing.parse")), *_shares(parsing, tried, modes)],
        *(
            [_name(code), *_shares(counts, tried, modes)]
            for code, counts in sorted(by_reason.items(), key=lambda pair: -pair[1].total())
            if counts.total()
        ),
    ]
    head = [t("judging.failing.reason"), *modes]
    numeric = frozenset(range(1, len(head)))
    safe.render(safe.table(head, rows, caption=t("judging.failing"), numeric=numeric))


def _name(code: str) -> str:
    kind = "parse" if code in UNREADABLE else "other"
    return chips.lines(reason(code), chips.muted(t(f"judging.failing.kind.{kind}")))


def _shares(
    counts: dict[str, int] | Counter[str], tried: Counter[str], modes: Sequence[str]
) -> list[str]:
    cells: list[str] = []
    for mode in modes:
        k, n = counts.get(mode, 0), tried[mode]
        around = formats.interval(wilson(k, n)) if n else ""
        cells.append(safe.join([formats.share(k, n), chips.aside(around)]))
    return cells
