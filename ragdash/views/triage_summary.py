"""What people have found so far: counts by layer, and how far they agree with the rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.core.review import Review, Verdict
from ragdash.store.effective import RESULTS, bound, disputed, valid
from ragdash.views.query import Cursor, rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.store.effective import People

NOT_LOST = Verdict.NO_FAULT.value
UNDETERMINED = Verdict.UNDETERMINED.value
PREVIEW = 160

_COUNTS = """
    SELECT coalesce(rule_layer, 'no_fault') AS rule, verdict, by_person,
           outcome <> rule_outcome AS overridden,
           outcome NOT IN ('correct', 'abstained_right') AS failed, count(*) AS n
    FROM ({run}) WHERE ($mode IS NULL OR mode = $mode)
      AND ($modes::VARCHAR[] IS NULL OR (mode, question_id) IN (
          SELECT unnest($modes::VARCHAR[]), unnest($questions::VARCHAR[])))
    GROUP BY ALL ORDER BY ALL
""".replace("{run}", RESULTS)
_TEXTS = """
    SELECT question_id, text[:$preview] AS text FROM run.questions
    WHERE list_contains($ids::VARCHAR[], question_id)
"""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A review that its author holds to, with the question it is about, cut to 160 characters."""

    review: Review
    text: str


@dataclass(frozen=True, slots=True)
class Summary:
    """One mode of a run, or all of them: each question counts once a mode.

    `pairs` counts reviewed questions by (the rule's layer, the person's verdict), `no_fault` being
    nothing lost. `compared` leaves out those where either cannot tell; `agreed` are the same layer.
    Of the `shared` questions that two people or more judged, they differ on `disputed`. `failed`
    goes by the outcome that holds; `overridden` counts those that a caliber verdict changed.
    """

    failed: int
    failed_reviewed: int
    rule: Mapping[str, int]
    people: Mapping[str, int]
    pairs: Mapping[tuple[str, str], int]
    reviews: tuple[Reviewed, ...]
    shared: int
    disputed: int
    overridden: int

    @property
    def compared(self) -> int:
        """How many reviewed questions both the rule and a person place somewhere."""
        return sum(n for pair, n in self.pairs.items() if UNDETERMINED not in pair)

    @property
    def agreed(self) -> int:
        """How many of those both place at the same layer, or both call not lost."""
        same = (n for (rule, said), n in self.pairs.items() if rule == said != UNDETERMINED)
        return sum(same)

    @property
    def undecided(self) -> int:
        """How many reviewed questions the rule or the person cannot place."""
        return sum(self.pairs.values()) - self.compared


def summary(
    cursor: Cursor,
    mode: str | None,
    reviews: Sequence[Review],
    people: People,
    among: Sequence[tuple[str, str]] | None = None,
) -> Summary:
    """Return the summary of one mode, or of all modes for None.

    Args:
        cursor: over the run.
        mode: a mode of the run.
        reviews: those of this run version, superseded ones too.
        people: what people say of it, taken together.
        among: the rows (mode, question id) to count; None is every one.
    """
    if among is not None:
        kept = set(among)
        reviews = [r for r in reviews if (r.key.mode, r.key.question_id) in kept]
    rule: dict[str, int] = {}
    verdicts: dict[str, int] = {}
    pairs: dict[tuple[str, str], int] = {}
    failed = failed_reviewed = overridden = 0
    for row in rows(cursor, _COUNTS, {"mode": mode, **_only(among), **bound(people)}):
        n, said = row["n"], row["verdict"]
        rule[row["rule"]] = rule.get(row["rule"], 0) + n
        failed += n * row["failed"]
        overridden += n * row["overridden"]
        failed_reviewed += n * (row["failed"] and (said is not None or row["by_person"]))
        if said is not None:
            verdicts[said] = verdicts.get(said, 0) + n
            pairs[row["rule"], said] = pairs.get((row["rule"], said), 0) + n
    held = [r for r in valid(reviews) if mode in (None, r.key.mode)]
    ids = list({r.key.question_id for r in held})
    found = rows(cursor, _TEXTS, {"ids": ids, "preview": PREVIEW}) if ids else []
    texts = {row["question_id"]: row["text"] for row in found}
    listed = tuple(Reviewed(r, texts.get(r.key.question_id, "")) for r in held)
    shared, differ = disputed(r for r in reviews if mode in (None, r.key.mode))
    return Summary(
        failed=failed,
        failed_reviewed=failed_reviewed,
        rule=rule,
        people=verdicts,
        pairs=pairs,
        reviews=listed,
        shared=shared,
        disputed=len(differ),
        overridden=overridden,
    )


def _only(among: Sequence[tuple[str, str]] | None) -> dict[str, list[str] | None]:
    names = {"modes": 0, "questions": 1}
    return {n: None if among is None else [row[i] for row in among] for n, i in names.items()}
