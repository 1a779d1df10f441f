"""How much work one file may cost: a hostile one ends with a sentence and not with a hang."""

from __future__ import annotations

from ragdash.core.errors import InputError

MOST_STEPS = 5_000_000
"""Steps beyond one look at each tag: ancestors searched, rules tried, cells laid out. The iXBRL of
a big 10-K takes a few hundred thousand."""


class Budget:
    """Counts steps down."""

    def __init__(self, steps: int = MOST_STEPS) -> None:
        self._left = steps

    def spend(self, steps: int, on: str) -> None:
        """Take steps off.

        Raises:
            InputError: none are left; it says on what.
        """
        self._left -= steps
        if self._left < 0:
            raise InputError(
                f"takes more work than any filing does (last on {on}); save it simpler"
            )
