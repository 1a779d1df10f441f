"""One question over all runs of a store that asked it: paired by the set's digest and its id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.core.errors import RagdashError
from ragdash.store.attach import opened
from ragdash.store.effective import RESULTS, bound
from ragdash.store.layout import run_file
from ragdash.views.query import rows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ragdash.store.effective import People
    from ragdash.store.registered import RunRow

PAGE_SIZE = 20
PREVIEW = 120


@dataclass(frozen=True, slots=True)
class Then:
    """What became of the question in one mode of a run; `answer` is cut to 120 characters.

    `outcome_by` is whose caliber verdict the outcome is by, None where it is the rule's.
    """

    mode: str
    outcome: str
    layer: str | None
    outcome_by: str | None
    gold_final_rank: int | None
    top_k: int | None
    answer: str
    length: int


def runs_of(every: Sequence[RunRow], questions_digest: str) -> list[RunRow]:
    """Return every version of every run over a question set, the latest first."""
    return [
        run
        for run in every
        if run.kind == "evaluation" and run.questions_digest == questions_digest
    ]


def pages_of(runs: Sequence[RunRow]) -> int:
    """Return how many pages they fill; one where there are none."""
    return max(1, -(-len(runs) // PAGE_SIZE))


def page_of(runs: Sequence[RunRow], number: int) -> Sequence[RunRow]:
    """Return one page (from 1) of them."""
    return runs[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]


_THEN = """
    SELECT e.mode, e.outcome, e.outcome_by, e.layer, r.gold_final_rank, r.top_k,
           r.answer[:$preview] AS answer, length(r.answer) AS length
    FROM run.results r JOIN ({run}) e USING (mode, question_id) WHERE question_id = $question
""".replace("{run}", RESULTS)


def asked(store: Path, run: RunRow, question_id: str, people: People) -> tuple[Then, ...] | None:
    """Return what became of a question in each mode of a run, in the run's order of modes.

    None where the run's file cannot be read. `people` is what they say of this run version.
    """
    order = {mode.mode: mode.position for mode in run.modes}
    try:
        values = {**bound(people), "preview": PREVIEW, "question": question_id}
        with opened(run_file(store, run.run_id, run.version)) as cursor:
            found = [Then(**row) for row in rows(cursor, _THEN, values)]
    except RagdashError:
        return None
    return tuple(sorted(found, key=lambda then: order.get(then.mode, len(order))))
