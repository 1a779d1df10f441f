"""Question sets of a store, each told by its digest, and what differs between two of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragdash.views.query import Cursor, parsed, rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.store.registered import RunRow

PAGE_SIZE = 20
# The dangerous difference first: an id that went on under another gold compares apples with pears.
CHANGES = ("gold", "fields", "removed", "added")
FIELDS = (
    *("gold", "evidence", "answerable", "gold_text"),
    *("text", "kind", "lang", "company", "period", "note"),
)
_OF_GOLD = ("gold", "evidence", "answerable")


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """One set: `run` is the one whose file shows it best, `runs` all that used it, latest first."""

    key: str
    digest: str
    name: str
    n: int
    run: RunRow
    runs: tuple[RunRow, ...]


@dataclass(frozen=True, slots=True)
class SetFacts:
    """How many of its questions there are of each kind and language, and what they bring."""

    n: int
    kinds: Mapping[str, int]
    langs: Mapping[str, int]
    answerable: int
    with_gold: int
    with_evidence: int


@dataclass(frozen=True, slots=True)
class Difference:
    """One question that differs; `fields` are those that changed, with what they were and are."""

    question_id: str
    change: str
    text: str
    fields: Mapping[str, tuple[Any, Any]]


@dataclass(frozen=True, slots=True)
class Differences:
    """One page of what differs, and how many questions there are of each change."""

    counts: Mapping[str, int]
    same: int
    shown: tuple[Difference, ...]
    page: int = 1

    @property
    def pages(self) -> int:
        """How many pages the differences fill."""
        return max(1, -(-sum(self.counts.values()) // PAGE_SIZE))


def sets(runs: Sequence[RunRow]) -> list[QuestionSet]:
    """Return the question sets of evaluations, that of the latest run first.

    Args:
        runs: every version of every run, the latest first.
    """
    found: dict[str, list[RunRow]] = {}
    for run in runs:
        if run.kind == "evaluation":
            found.setdefault(run.questions_digest, []).append(run)
    return [_set(digest, used) for digest, used in found.items()]


def _set(digest: str, used: list[RunRow]) -> QuestionSet:
    # A run that was stopped holds a part of its set.
    best = next((run for run in used if run.status == "done"), used[0])
    newest: dict[str, RunRow] = {}
    for run in used:
        newest.setdefault(run.run_id, run)
    name, n = best.questions_name, best.n_questions
    return QuestionSet(key_of(digest), digest, name, n, best, tuple(newest.values()))


def key_of(digest: str) -> str:
    """Return what an address calls a set: the first twelve characters of its digest."""
    return digest.removeprefix("sha256:")[:12]


def facts(cursor: Cursor) -> SetFacts:
    """Return what a run file tells of its questions."""
    kinds: dict[str, int] = {}
    langs: dict[str, int] = {}
    totals = dict.fromkeys(("n", "answerable", "gold", "evidence"), 0)
    for row in rows(cursor, _FACTS):
        kinds[row["kind"]] = kinds.get(row["kind"], 0) + row["n"]
        langs[row["lang"]] = langs.get(row["lang"], 0) + row["n"]
        for name in totals:
            totals[name] += row[name]
    return SetFacts(
        totals["n"], kinds, langs, totals["answerable"], totals["gold"], totals["evidence"]
    )


_FACTS = """
    SELECT kind, lang, count(*) AS n, count(*) FILTER (answerable) AS answerable,
           count(*) FILTER (json_array_length(gold) > 0) AS gold,
           count(*) FILTER (json_array_length(evidence) > 0) AS evidence
    FROM run.questions GROUP BY ALL ORDER BY n DESC, kind, lang
"""
_CHANGED = ", ".join(f"CASE WHEN a.{f} IS DISTINCT FROM b.{f} THEN '{f}' END" for f in FIELDS)
_BOTH = """
    WITH joined AS (
        SELECT coalesce(a.question_id, b.question_id) AS question_id,
               coalesce(a.position, b.position) AS position,
               a.question_id IS NULL AS gone, b.question_id IS NULL AS fresh,
               list_filter([{changed}], lambda x: x IS NOT NULL) AS changed
        FROM run.questions a FULL JOIN base.questions b USING (question_id)
    ), told AS (
        SELECT *, CASE WHEN gone THEN 'removed' WHEN fresh THEN 'added'
               WHEN list_has_any(changed, $of_gold) THEN 'gold'
               WHEN len(changed) > 0 THEN 'fields' ELSE 'same' END AS change
        FROM joined
    )
""".replace("{changed}", _CHANGED)
_COUNTS = "{both} SELECT change, count(*) AS n FROM told GROUP BY change".replace("{both}", _BOTH)
_VALUES = ", ".join(f"a.{f} AS now_{f}, b.{f} AS before_{f}" for f in FIELDS)
_SHOWN = """{both}
    SELECT t.question_id, t.change, t.changed, coalesce(a.text, b.text) AS shown_text, {values}
    FROM told t LEFT JOIN run.questions a USING (question_id)
    LEFT JOIN base.questions b ON b.question_id = t.question_id
    WHERE t.change <> 'same'
    ORDER BY list_position($changes, t.change), t.position, t.question_id
    LIMIT $size OFFSET $skip
""".replace("{both}", _BOTH).replace("{values}", _VALUES)


def differences(cursor: Cursor, page: int = 1) -> Differences:
    """Return one page of what differs between two sets.

    Args:
        cursor: over a run of the set of now (`run`) and one of that before (`base`).
        page: from 1; one that does not exist is the nearest.
    """
    counted = {
        row["change"]: row["n"] for row in rows(cursor, _COUNTS, {"of_gold": list(_OF_GOLD)})
    }
    same = counted.pop("same", 0)
    pages = max(1, -(-sum(counted.values()) // PAGE_SIZE))
    page = min(max(page, 1), pages)
    values = {
        "of_gold": list(_OF_GOLD),
        "changes": list(CHANGES),
        "size": PAGE_SIZE,
        "skip": (page - 1) * PAGE_SIZE,
    }
    shown = tuple(_difference(row) for row in rows(cursor, _SHOWN, values))
    return Differences({code: counted.get(code, 0) for code in CHANGES}, same, shown, page)


def _difference(row: dict[str, Any]) -> Difference:
    changed = row["changed"] if row["change"] in ("gold", "fields") else ()
    fields = {f: (_plain(f, row[f"before_{f}"]), _plain(f, row[f"now_{f}"])) for f in changed}
    return Difference(row["question_id"], row["change"], row["shown_text"], fields)


def _plain(name: str, value: Any) -> Any:
    return parsed(value) if name in ("gold", "evidence") else value
