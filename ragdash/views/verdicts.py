"""Where people say otherwise than the rule, or the same: question by question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.store.effective import RESULTS, bound
from ragdash.views.query import Cursor, rows

if TYPE_CHECKING:
    from ragdash.store.effective import Key, People


@dataclass(frozen=True, slots=True)
class Said:
    """What holds of a question on a person's word.

    `layer` is None where she says that nothing was lost; `layer_by` is None where it is the rule's.
    `outcome_by` is None where the outcome is the rule's.
    """

    outcome: str
    outcome_by: str | None
    layer: str | None
    layer_by: str | None


_SAID = """
    SELECT mode, question_id, outcome, outcome_by, layer, layer_by
    FROM ({run}) WHERE outcome_by IS NOT NULL OR layer_by IS NOT NULL
    ORDER BY mode, question_id
""".replace("{run}", RESULTS)


def said(cursor: Cursor, people: People) -> dict[Key, Said]:
    """Return what holds on a person's word, by (mode, question id)."""
    found = rows(cursor, _SAID, bound(people))
    return {(row.pop("mode"), row.pop("question_id")): Said(**row) for row in found}
