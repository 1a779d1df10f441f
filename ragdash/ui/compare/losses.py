"""What was lost, moved and refused on each side of Compare; a count opens its questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.charts import slopes as charts
from ragdash.ui import chips, drawing, frame, picking, safe
from ragdash.ui.i18n import t, term
from ragdash.views import slopes as view
from ragdash.views.compare import EVIDENCE_ROWS, FAILED_LAYERS, SELDOM, RefusalCell

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from ragdash.compare.paired import Paired
    from ragdash.ui.sides import Sides
    from ragdash.views.comparison import Opened


def layers(
    shown: Sides, counts: Mapping[tuple[str, str], int], outcomes: Mapping[str, Mapping[str, int]]
) -> None:
    """Show failed questions by layer and mode; a count opens its questions."""
    if not counts and not any(
        n for of in outcomes.values() for c, n in of.items() if c != "unscored"
    ):
        st.text(t("compare.layers.unscored"))
        return
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


def slopes(shown: Sides) -> None:
    """Draw how the gold chunk moved in the questions that changed; a line opens its question."""
    pairs = shown.found.headline()
    base = next(one for one in shown.opened if one.name == shown.base)
    drawn = [
        (one, view.slopes(base, one, pairs[one.name])) for one in shown.opened if one.name in pairs
    ]
    drawn = [(one, found) for one, found in drawn if found.slopes]
    if not drawn:
        st.text(t("compare.slopes.none"))
        return
    st.text(t("compare.slopes.lead"))
    for column, (one, found) in zip(st.columns(len(drawn), gap="medium"), drawn, strict=True):
        with column:
            _slopes(shown, one, found)


def _slopes(shown: Sides, other: Opened, found: view.Slopes) -> None:
    sides = (shown.base, other.name)
    top_k = view.top_k(other)
    words = {
        "rank": t("compare.slopes.rank"),
        "none": t("compare.slopes.none_rank"),
        **{change: t(f"change.{change}") for change in view.CHANGES},
        "cut": t("compare.slopes.cut", k=top_k),
        "description": t("alt.slopes", items="{items}"),
    }
    dark = frame.is_dark()
    chart = drawing.spec(charts.slopes, _frame(found), sides, words, top_k=top_k, dark=dark)
    asked = {"run": shown.of_mode(other.name), "base": shown.of_mode(shown.base)}
    known = [slope.question_id for slope in found.slopes]
    picking.chart(
        chart, charts.PICK, "question", {q: ("question", {**asked, "q": q}) for q in known}
    )
    if found.without or len(known) < found.total - found.without:
        counts = {"n": len(known), "total": found.total, "without": found.without}
        safe.render(chips.muted(t("compare.slopes.shown", **counts)))


def _frame(found: view.Slopes) -> pd.DataFrame:
    import pandas as pd

    items = [(s.question_id, t(f"change.{s.change}"), s.before, s.after) for s in found.slopes]
    data = pd.DataFrame(items, columns=["question", "change", "before", "after"])
    return data.astype({"before": "Float64", "after": "Float64"}).astype(
        {"before": "float64", "after": "float64"}
    )


def refusals(cells: Sequence[RefusalCell], modes: Sequence[str]) -> safe.Markup:
    """Return refused and answered by where the evidence was, for each mode."""
    known = {(c.mode, c.evidence): c for c in cells}
    body = []
    for row in EVIDENCE_ROWS:
        if row in SELDOM and not any(c.evidence == row for c in cells):
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
