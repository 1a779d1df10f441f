"""What `ragdash ablate` kept of a run version: grids over fusion and cut-offs, to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragdash.compare.intervals import Interval, wilson
from ragdash.core.ablation import Setting
from ragdash.store.ablations import kept_ablations
from ragdash.store.registered import Ref

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cell:
    """One setting: `hits` of `n` questions have a gold chunk within top k, `mrr` over the same n.

    `gained` and `lost` are questions whose hit differs from the run's own order; `open` ones cannot
    be told from what was stored.
    """

    setting: Setting
    is_own: bool
    hits: int
    n: int
    mrr: float | None
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    open: int

    @property
    def interval(self) -> Interval | None:
        """The 95% interval of the share of hits."""
        return wilson(self.hits, self.n)


@dataclass(frozen=True, slots=True)
class Choice:
    """The best setting at one top k, and the hits among questions left out of its choosing."""

    top_k: int
    best: Setting
    hits: int
    left_out: int
    n: int


@dataclass(frozen=True, slots=True)
class Grid:
    """One kept ablation; `key` names it among those of the run, `at` is ISO 8601 in UTC."""

    key: str
    mode: str
    at: str
    own: Setting
    n: int
    without_qrels: int
    cells: tuple[Cell, ...]
    choices: tuple[Choice, ...]


def grids(store: Path, run_id: str, version: int) -> list[Grid]:
    """Return what was kept of a run version, the newest first.

    Raises:
        StoreError: the registry is missing or damaged.
    """
    kept = kept_ablations(store, Ref(run_id, version, None))
    return [_grid(f"{one['mode']}.{len(kept) - at}", one) for at, one in enumerate(kept)]


def best_cell(grid: Grid, choice: Choice) -> Cell:
    """Return the cell that a choice names."""
    return next(cell for cell in grid.cells if cell.setting == choice.best)


def _grid(key: str, kept: dict[str, Any]) -> Grid:
    own = _setting(kept["own"])
    return Grid(
        key=key,
        mode=kept["mode"],
        at=kept["at"],
        own=own,
        n=kept["n"],
        without_qrels=kept["without_qrels"],
        cells=tuple(_cell(cell, own) for cell in kept["cells"]),
        choices=tuple(
            Choice(c["top_k"], _setting(c["best"]), c["hits"], c["left_out"], c["n"])
            for c in kept["choices"]
        ),
    )


def _setting(plain: dict[str, Any]) -> Setting:
    dense, bm25 = plain["weights"]
    return Setting(plain["rrf_k"], (dense, bm25), plain["candidates"], plain["top_k"])


def _cell(plain: dict[str, Any], own: Setting) -> Cell:
    setting = _setting(plain["setting"])
    ranks: Sequence[int | None] = list(plain["gold_rank"].values())
    return Cell(
        setting=setting,
        is_own=setting == own,
        hits=sum(rank is not None and rank <= setting.top_k for rank in ranks),
        n=len(ranks),
        mrr=sum(1 / rank if rank else 0.0 for rank in ranks) / len(ranks) if ranks else None,
        gained=tuple(plain["gained"]),
        lost=tuple(plain["lost"]),
        open=len(plain["open"]),
    )
