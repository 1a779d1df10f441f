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
    SELECT mode, question_id, outcome, CASE WHEN by_person THEN caliber_reviewer END AS outcome_by,
           layer, CASE WHEN verdict IS NOT NULL THEN reviewer
                       WHEN by_person AND layer IS DISTINCT FROM rule_layer
                       THEN caliber_reviewer END AS layer_by
    FROM ({run}) WHERE verdict IS NOT NULL OR by_person ORDER BY ALL
""".replace("{run}", RESULTS)


def said(cursor: Cursor, people: People) -> dict[Key, Said]:
    """Return what holds on a person's word, by (mode, question id)."""
    found = rows(cursor, _SAID, bound(people))
    return {(row.pop("mode"), row.pop("question_id")): Said(**row) for row in found}
