"""How far people agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragdash.ui.spot_checks.checking import Bench


def show(made: Bench) -> None:
    """TODO."""
