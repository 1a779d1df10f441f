"""Where the first gold chunk stood on both sides, for the questions that improved or regressed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.views.query import rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.compare.paired import Paired
    from ragdash.views.comparison import Opened

# More lines than this are a tangle; which are left out is said.
MOST = 40
CHANGES = ("regressed", "improved")


@dataclass(frozen=True, slots=True)
class Slope:
    """One question: final ranks of its first gold chunk, from 1, None where no side brought it."""

    question_id: str
    change: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Slopes:
    """The lines of one side against the base; `total` questions changed, `without` have no gold."""

    slopes: tuple[Slope, ...]
    total: int
    without: int


def slopes(base: Opened, other: Opened, pair: Paired, most: int = MOST) -> Slopes:
    """Return the lines, regressed before improved, in order of the question set.

    Args:
        base: the side on the left.
        other: the side on the right.
        pair: which questions changed between them.
        most: how many lines at most; `total` counts all.
    """
    changed = {q: change for change in CHANGES for q in getattr(pair, change)}
    ids = list(changed)
    before, after = _ranks(base, ids), _ranks(other, ids)
    with_gold = [q for q in ids if q in before and q in after]
    return Slopes(
        tuple(Slope(q, changed[q], before[q], after[q]) for q in with_gold[:most]),
        len(ids),
        len(ids) - len(with_gold),
    )


def top_k(side: Opened) -> int:
    """Return how many chunks the model of a side sees; of another system the most it was given."""
    if side.side.info.config.imported is None:
        return side.side.info.config.retrieval.top_k
    found = rows(
        side.cursor,
        """
        SELECT max(coalesce(r.top_k, c.n)) AS k FROM run.results r LEFT JOIN (
            SELECT mode, question_id, count(*) AS n FROM run.candidates WHERE in_context
            GROUP BY ALL) c USING (mode, question_id)
        WHERE r.mode = ?
        """,
        [side.side.mode.value],
    )
    return found[0]["k"] or 1


def _ranks(side: Opened, ids: Sequence[str]) -> dict[str, int | None]:
    """Return the final rank of the first gold chunk, of questions whose gold lies in a chunk."""
    found = rows(
        side.cursor,
        """
        SELECT question_id, gold_final_rank FROM run.results
        WHERE mode = ? AND list_contains(?::VARCHAR[], question_id)
          AND gold_chunk_ids IS NOT NULL AND json_array_length(gold_chunk_ids) > 0
        """,
        [side.side.mode.value, list(ids)],
    )
    return {row["question_id"]: row["gold_final_rank"] for row in found}
