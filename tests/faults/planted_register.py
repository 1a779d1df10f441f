"""The table of planted faults: each a function that damages a healthy line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from planted_line import Line

from ragdash.core.retrieval import Mode

if TYPE_CHECKING:
    from ragdash.core.diagnosis import Layer

Damage = Callable[[Line], None]


@dataclass(frozen=True)
class Fault:
    """What was lost, in a sentence, and the first layer that fails by metrics.md section 4.

    `layer` is None where nothing is lost for the user: the answer is still right.
    """

    id: str
    lost: str
    layer: Layer | None
    question: str
    mode: Mode
    damage: Damage

    def planted(self) -> Line:
        """A healthy line with this damage done to it."""
        line = Line(self.question, self.mode)
        self.damage(line)
        return line


FAULTS: dict[str, Fault] = {}


def lost(
    what: str, layer: Layer | None, question: str, mode: Mode = Mode.HYBRID
) -> Callable[[Damage], Damage]:
    """Enter a function in the table under its name; `what` is what the data lost."""

    def enter(damage: Damage) -> Damage:
        name = damage.__name__
        assert name not in FAULTS, f"{name} is planted twice"
        FAULTS[name] = Fault(name, what, layer, question, mode, damage)
        return damage

    return enter
