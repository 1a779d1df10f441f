"""What was lost, moved and refused on each side of Compare; a count opens its questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.ui import chips, safe
from ragdash.ui.i18n import t, term
from ragdash.views.compare import EVIDENCE_ROWS, FAILED_LAYERS, RefusalCell

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.compare.paired import Paired
    from ragdash.ui.sides import Sides


def layers(shown: Sides, counts: Mapping[tuple[str, str], int]) -> None:
    """Show failed questions by layer and mode; a count opens its questions."""
    if not counts:
        st.success(t("compare.layers.none"))
        return
    st.text(t("compare.layers.lead"))
    modes = shown.names
    body = []
    for layer in FAILED_LAYERS:
        cells = [_count(shown, layer, mode, counts.get((layer, mode), 0)) for mode in modes]
        body.append([term("layer", layer), *cells])
    safe.render(
        safe.table(
            [t("compare.layer"), *modes],
            body,
            caption=t("compare.layers.table"),
            numeric=frozenset(range(1, len(modes) + 1)),
        )
    )


def _count(shown: Sides, layer: str, mode: str, n: int) -> str:
    if not n:
        return chips.muted("0")
    return chips.strong(chips.link(str(n), "triage", run=shown.of_mode(mode), layer=layer))


def changed(shown: Sides) -> None:
    """Show which questions improved, regressed, stayed or cannot be compared."""
    pairs = shown.found.headline().items()
    if not pairs:
        st.text(t("compare.one" if not shown.found.against else "compare.unpaired"))
        return
    st.text(t("compare.changed.against", base=shown.base))
    changes = ("improved", "regressed", "same", "not_comparable")
    body = [[mode, *(_changed(shown, mode, pair, c) for c in changes)] for mode, pair in pairs]
    head = [t("frame.mode"), *(t(f"change.{change}") for change in changes)]
    safe.render(safe.table(head, body, caption=t("compare.changed.table")))


def _changed(shown: Sides, mode: str, pair: Paired, change: str) -> safe.Markup:
    ids: tuple[str, ...] = getattr(pair, change)
    named = ids if change in ("improved", "regressed") else ()
    links = chips.questions(shown.of_mode(mode), named)
    count = str(len(ids))
    if ids:
        where = {"run": shown.of_mode(mode), "base": shown.of_mode(shown.base), "change": change}
        count = chips.link(count, "triage", **where)
    return chips.lines(chips.strong(count), links)


def refusals(cells: Sequence[RefusalCell], modes: Sequence[str]) -> safe.Markup:
    """Return refused and answered by where the evidence was, for each mode."""
    known = {(c.mode, c.evidence): c for c in cells}
    body = []
    for row in EVIDENCE_ROWS:
        if row == "unknown" and not any(c.evidence == row for c in cells):
            continue
        found = [known.get((mode, row)) for mode in modes]
        counts = [
            t(
                "compare.refused",
                refused=c.refused if c else 0,
                answered=c.answered if c else 0,
            )
            for c in found
        ]
        body.append([t(f"refusal.{row}"), *counts])
    return safe.table([t("compare.evidence"), *modes], body, caption=t("compare.refusals.table"))
