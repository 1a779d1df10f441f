"""The funnel of each mode: how many questions kept their gold passage up to each step."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.compare.intervals import Interval, wilson
from ragdash.core.retrieval import Mode
from ragdash.store.effective import NOBODY, bound
from ragdash.views.passage import LEGS, NO_QRELS, OPEN, PASSAGES
from ragdash.views.query import Cursor, Row, rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ragdash.store.effective import People

# The steps as they are shown: a mode without fusion has its candidates at the dense search.
STEPS = ("corpus", "indexed", "dense", "bm25", "fused", "reranked", "context", "used", "right")
_OF_DENSE = ("corpus", "indexed", "dense", "context", "used", "right")
_OF_HYBRID = ("corpus", "indexed", "dense", "bm25", "fused", "context", "used", "right")
# What another system calls its mode may have any of them.
_STEPS_OF = {Mode.DENSE: _OF_DENSE, Mode.HYBRID: _OF_HYBRID}
# The step at which the stages of views/passage.py are counted.
_CODES = {"fused": "candidates"}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of one mode.

    `code` is what Triage calls it in `lost=` and `kept=`. `kept` of `n` questions still had their
    passage after it and `lost` had it before; for one of two searches side by side (`is_leg`) these
    are the passages that it did not return and the other did. `n` leaves out the `untold`, whose
    traces do not tell of this step, and at the last step those whose answer cannot be scored.
    """

    name: str
    code: str
    is_leg: bool
    kept: int
    lost: int
    n: int
    untold: int = 0

    @property
    def interval(self) -> Interval | None:
        """The 95% interval of the share that was kept."""
        return wilson(self.kept, self.n)


@dataclass(frozen=True, slots=True)
class Funnel:
    """The steps of one mode; those that it has no part in, or that were not recorded, are absent.

    `n` counts answerable questions with evidence pages; `no_qrels` answerable ones without,
    `unanswerable` the rest. `open` kept their passage and cannot be scored. `anyway` were answered
    right although the passage was lost, or was not seen to be used.
    """

    mode: str
    n: int
    no_qrels: int
    unanswerable: int
    open: int
    anyway: int
    steps: Mapping[str, Step]
    unrecorded: frozenset[str]


def funnels(cursor: Cursor, modes: Sequence[str], people: People = NOBODY) -> list[Funnel]:
    """Return the funnel of each mode, in the order given.

    Args:
        cursor: over the run.
        modes: of the run.
        people: what people say of this run version (`store.effective.people`).
    """
    counted: dict[str, list[Row]] = defaultdict(list)
    for row in rows(cursor, _COUNTED, bound(people)):
        counted[row["mode"]].append(row)
    unanswerable = {row["mode"]: row["n"] for row in rows(cursor, _UNANSWERABLE)}
    return [_funnel(mode, counted[mode], unanswerable.get(mode, 0)) for mode in modes]


_COUNTED = f"""
    SELECT mode, stage, coalesce(correct, false) AS correct, known, passed, missed, count(*) AS n
    FROM ({PASSAGES}) GROUP BY ALL
"""  # noqa: S608 - a query of ours within a query of ours
_UNANSWERABLE = """
    SELECT mode, count(*) AS n FROM run.results JOIN run.questions USING (question_id)
    WHERE NOT answerable GROUP BY mode
"""


def _funnel(mode: str, counted: Sequence[Row], unanswerable: int) -> Funnel:
    with_qrels = [row for row in counted if row["stage"] != NO_QRELS]
    n = _sum(with_qrels)
    steps = {}
    unrecorded = set()
    parts = _STEPS_OF.get(Mode(mode), STEPS)
    for name in parts:
        step = _step(name, parts, with_qrels)
        if n and step.untold == n:
            unrecorded.add(name)
        else:
            steps[name] = step
    return Funnel(
        mode,
        n,
        _sum(counted, lambda row: row["stage"] == NO_QRELS),
        unanswerable,
        _sum(with_qrels, lambda row: row["stage"] == OPEN),
        _sum(with_qrels, lambda row: row["correct"] and row["stage"] is not None),
        steps,
        frozenset(unrecorded),
    )


def _step(name: str, parts: Sequence[str], counted: Sequence[Row]) -> Step:
    is_leg = name in LEGS and "fused" in parts
    code = name if is_leg else "candidates" if name in LEGS else _CODES.get(name, name)
    kept = _sum(counted, lambda row: code in row["passed"])
    lost = _sum(counted, lambda row: code in row["missed"] or row["stage"] == code)
    n = _sum(counted, lambda row: code in row["known"])
    untold = _sum(counted) - n
    if code == "right":
        n -= _sum(counted, lambda row: row["stage"] == OPEN)
    return Step(name, code, is_leg, kept, lost, n, untold)


def _sum(counted: Sequence[Row], holds: Callable[[Row], bool] = lambda _: True) -> int:
    return sum(row["n"] for row in counted if holds(row))
