"""What `ragdash ablate` kept of the run version on view, with the commands to copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.charts import funnel as charts
from ragdash.core.retrieval import Mode
from ragdash.store.layout import store_dir
from ragdash.ui import address, chips, commands, drawing, formats, frame, notes, safe
from ragdash.ui.i18n import t
from ragdash.views import ablations as view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.ablation import Setting
    from ragdash.views.ablations import Cell, Choice, Grid

_VALUES = ("--rrf-k", "10,30,60", "--weights", "1:1,2:1,1:2", "--top-k", "3,5,10")
# Below this a grid overfits for sure, and the page says so (`ragdash ablate` does too).
_FEW = 100
_ROWS_DRAWN = 24
_ROWS_A_PAGE = 20
_IDS_A_CELL = 8


def ablations(shown: frame.View) -> None:
    """Show the newest grid of this run version, or another that is picked; none, the command."""
    with notes.faults_shown():
        found = view.grids(store_dir(None), shown.run.run_id, shown.run.version)
    st.text(t("ablation.lead"))
    if not found:
        _none(shown)
        return
    names = {one.key: _option(one) for one in found}
    key = found[0].key
    if len(found) > 1:
        key = address.one("grid", t("ablation.pick"), list(names), names.__getitem__, "grid")
    grid = next(one for one in found if one.key == key)
    if len(found) == 1:
        st.text(names[key])
    st.text(t("ablation.n", n=grid.n, without=grid.without_qrels))
    _choices(shown, grid)
    _chart(grid)
    _table(shown, grid)
    st.text(t("ablation.command"))
    commands.show(_command(shown, grid.mode, *_VALUES))


def _option(grid: Grid) -> str:
    return t("ablation.option", mode=grid.mode, when=formats.when(grid.at), n=len(grid.cells))


def _none(shown: frame.View) -> None:
    fused = [m for m in shown.facts.modes if m in (Mode.HYBRID.value, Mode.RERANK.value)]
    if not fused:
        st.text(t("ablation.none.mode"))
        return
    st.text(t("ablation.none"))
    for mode in fused:
        commands.show(_command(shown, mode))


def _command(shown: frame.View, mode: str, *values: str) -> str:
    return commands.line("ablate", str(shown.run.ref(mode)), *values)


def _choices(shown: frame.View, grid: Grid) -> None:
    if not grid.choices:
        return
    names = ("top_k", "best", "hits", "left_out", "own", "changes")
    body = [_choice(shown, grid, one) for one in grid.choices]
    head = [t(f"ablation.col.{name}") for name in names]
    st.header(t("ablation.choices"))
    safe.render(safe.table(head, body, caption=t("ablation.choices.table")))
    if grid.n < _FEW:
        title = t("ablation.overfit", n=grid.n)
        safe.render(chips.note(title, chips.muted(t("ablation.overfit.body"))))


def _choice(shown: frame.View, grid: Grid, one: Choice) -> list[str]:
    cell = view.best_cell(grid, one)
    own = next((c for c in grid.cells if c.is_own and c.setting.top_k == one.top_k), None)
    return [
        str(one.top_k),
        _setting(one.best),
        safe.join(
            [
                chips.strong(formats.share(one.hits, one.n)),
                chips.aside(formats.interval(cell.interval)),
            ]
        ),
        chips.strong(formats.share(one.left_out, one.n)),
        formats.DASH if own is None else formats.share(own.hits, own.n),
        _changes(shown, grid, cell),
    ]


def _setting(one: Setting) -> str:
    return f"k {one.rrf_k} · {_weights(one)} · {t('ablation.col.candidates')} {one.candidates}"


def _weights(one: Setting) -> str:
    return ":".join(f"{weight:g}" for weight in one.weights)


def _changes(shown: frame.View, grid: Grid, cell: Cell) -> str:
    if not (cell.gained or cell.lost):
        return t("ablation.same")
    run = shown.of_mode(grid.mode)
    parts = [
        safe.join([t(f"ablation.{word}"), " ", chips.questions(run, ids)])
        for word, ids in (("gains", cell.gained), ("loses", cell.lost))
        if ids
    ]
    return chips.lines(*parts)


def _row(one: Setting) -> str:
    named = {"weights": _weights(one), "candidates": one.candidates, "top_k": one.top_k}
    return t("ablation.row", **named)


def _chart(grid: Grid) -> None:
    import pandas as pd

    rows = list(dict.fromkeys(_row(cell.setting) for cell in grid.cells if cell.n))
    if not rows:
        return
    st.header(t("ablation.chart"))
    safe.render(chips.muted(t("ablation.row.help")))
    drawn = rows[:_ROWS_DRAWN]
    items = [_drawn(cell) for cell in grid.cells if cell.n and _row(cell.setting) in drawn]
    words = {"k": t("ablation.k"), "description": t("ablation.alt", items="{items}")}
    drawing.show(charts.grid, pd.DataFrame(items), drawn, words, dark=frame.is_dark())
    if len(drawn) < len(rows):
        safe.render(chips.muted(t("ablation.cut", n=len(drawn), total=len(rows))))


def _drawn(cell: Cell) -> dict[str, object]:
    row, mrr = _row(cell.setting), formats.number(cell.mrr, 3)
    hits = {"hits": cell.hits, "n": cell.n}
    return {
        "row": row,
        "rrf_k": cell.setting.rrf_k,
        "share": cell.hits / cell.n,
        "own": cell.is_own,
        "text": f"{cell.hits}/{cell.n} · {mrr}",
        "tip": t("ablation.cell", k=cell.setting.rrf_k, row=row, mrr=mrr, **hits),
    }


def _table(shown: frame.View, grid: Grid) -> None:
    st.header(t("ablation.table"))
    told = [cell for cell in grid.cells if cell.n]
    pages = max(1, -(-len(told) // _ROWS_A_PAGE))
    address.page_note(pages)
    page = min(address.page_asked(), pages)
    best = {choice.best for choice in grid.choices}
    part = told[(page - 1) * _ROWS_A_PAGE : page * _ROWS_A_PAGE]
    names = ("k", "weights", "candidates", "top_k", "hit", "mrr", "gained", "lost", "open")
    head = [t(f"ablation.col.{name}") for name in names]
    body = [_table_row(shown, grid, cell, is_best=cell.setting in best) for cell in part]
    numeric = frozenset((2, 3, 4, 5, 8))
    safe.render(safe.table(head, body, caption=t("ablation.table"), numeric=numeric))
    address.page_number(pages)
    if any(cell.open for cell in grid.cells):
        n = len(grid.cells) - len(told)
        safe.render(chips.muted(t("ablation.undecided", n=n, total=len(grid.cells))))


def _table_row(shown: frame.View, grid: Grid, cell: Cell, *, is_best: bool) -> list[str]:
    one, run = cell.setting, shown.of_mode(grid.mode)
    marks = [chips.badge(t("ablation.own"))] * cell.is_own + [
        chips.badge(t("ablation.best"))
    ] * is_best
    around = chips.aside(formats.interval(cell.interval) if cell.interval else "")
    return [
        safe.join([str(one.rrf_k), " ", *_apart(marks)]),
        _weights(one),
        str(one.candidates),
        str(one.top_k),
        safe.join([chips.strong(formats.share(cell.hits, cell.n)), around]),
        formats.number(cell.mrr, 3),
        _ids(run, cell.gained),
        _ids(run, cell.lost),
        str(cell.open),
    ]


def _apart(marks: Sequence[safe.Markup]) -> list[str]:
    return [part for mark in marks for part in (mark, " ")]


def _ids(run: str, ids: Sequence[str]) -> str:
    if not ids:
        return "0"
    more = len(ids) - _IDS_A_CELL
    named = chips.questions(run, ids[:_IDS_A_CELL])
    return chips.lines(str(len(ids)), named, chips.muted(f"+{more}") if more > 0 else "")
