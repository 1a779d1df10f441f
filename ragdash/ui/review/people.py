"""What people say of a run version, as every page takes it in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.store.layout import store_dir
from ragdash.store.said import people_of

if TYPE_CHECKING:
    from ragdash.compare.factors import Side
    from ragdash.store.effective import People


def of(run_id: str, version: int) -> People:
    """Return what stands by (mode, question id).

    Raises:
        StoreError: the registry cannot be read.
    """
    return people_of(store_dir(None), run_id, version)


def of_side(side: Side) -> People:
    """Return what people say of the run version that a side of a comparison is."""
    return of(side.info.run_id, side.version)
