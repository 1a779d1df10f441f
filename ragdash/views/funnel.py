"""The funnel of each mode: how many questions kept their gold passage up to each step."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.compare.intervals import Interval, wilson
from ragdash.core.retrieval import Mode
from ragdash.store.effective import NOBODY, bound
from ragdash.views.passage import EXTENTS, LEGS, NO_QRELS, OPEN, PASSAGES, STAGES
from ragdash.views.query import Cursor, Row, rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
    are the passages that it did not return and the other did. At the last step `n` leaves out the
    questions whose answer cannot be scored.
    """

    name: str
    code: str
    is_leg: bool
    kept: int
    lost: int
    n: int

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
    known = {row.pop("mode"): row for row in rows(cursor, _RECORDED)}
    return [
        _funnel(mode, counted[mode], unanswerable.get(mode, 0), known.get(mode, {}))
        for mode in modes
    ]


_COUNTED = f"""
    SELECT mode, stage, reach, coalesce(correct, false) AS correct, dense, bm25, count(*) AS n
    FROM ({PASSAGES}) GROUP BY ALL
"""  # noqa: S608 - a query of ours within a query of ours
_UNANSWERABLE = """
    SELECT mode, count(*) AS n FROM run.results JOIN run.questions USING (question_id)
    WHERE NOT answerable GROUP BY mode
"""
# Which steps the traces of a mode tell of. Of a whole retrieval every one; of imported results a
# search that any candidate has a rank in, and the first candidate that has is found at once.
_RECORDED = f"""
    SELECT mode, bool_or(extent = 'whole') AS corpus, bool_or(extent = 'whole') AS indexed,
           bool_or(extent IN ('whole', 'listed')) AS fused,
           bool_or(extent = 'whole') OR EXISTS (FROM run.candidates c
               WHERE c.mode = m.mode AND c.dense_rank > 0) AS dense,
           bool_or(extent = 'whole') OR EXISTS (FROM run.candidates c
               WHERE c.mode = m.mode AND c.bm25_rank > 0) AS bm25,
           bool_or(extent = 'whole') OR EXISTS (FROM run.candidates c
               WHERE c.mode = m.mode AND c.rerank_rank > 0) AS reranked
    FROM ({EXTENTS}) m GROUP BY mode
"""  # noqa: S608 - a query of ours within a query of ours


def _funnel(
    mode: str, counted: Sequence[Row], unanswerable: int, known: Mapping[str, bool]
) -> Funnel:
    with_qrels = [row for row in counted if row["stage"] != NO_QRELS]
    still_open = _sum(row for row in with_qrels if row["stage"] == OPEN)
    n = _sum(with_qrels)
    parts = _STEPS_OF.get(Mode(mode), STEPS)
    steps = {}
    unrecorded = set()
    for name in parts:
        step = _step(name, parts, with_qrels, n, still_open)
        # A trace without this step says nothing of it, unless a person or the diagnosis does.
        if known.get(name, True) or (step.lost and not step.is_leg):
            steps[name] = step
        else:
            unrecorded.add(name)
    right = _sum(row for row in with_qrels if row["correct"] and row["stage"] is not None)
    without = _sum(row for row in counted if row["stage"] == NO_QRELS)
    return Funnel(mode, n, without, unanswerable, still_open, right, steps, frozenset(unrecorded))


def _step(name: str, parts: Sequence[str], counted: Sequence[Row], n: int, still_open: int) -> Step:
    fused = "fused" in parts
    if name in LEGS and fused:
        return Step(
            name,
            name,
            True,
            _sum(row for row in counted if row[name]),
            _sum(row for row in counted if row["reach"] > _CANDIDATES and not row[name]),
            n,
        )
    code = "candidates" if name in LEGS else _CODES.get(name, name)
    at = STAGES.index(code)
    kept = _sum(row for row in counted if row["reach"] > at)
    lost = _sum(row for row in counted if row["stage"] == code)
    return Step(name, code, False, kept, lost, n - still_open if code == "right" else n)


_CANDIDATES = STAGES.index("candidates")


def _sum(counted: Iterable[Row]) -> int:
    return sum(row["n"] for row in counted)
