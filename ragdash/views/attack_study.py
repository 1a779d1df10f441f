"""What an attack run shows beyond its rates: orders, controls, open cases, the threshold, the key.

Recomputed from the stored rows: nothing here asks a policy again.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from ragdash.core.attack import (
    OPEN_BY_DESIGN,
    PUBLISHED_IDS,
    ChunkMeta,
    PolicyView,
    ViewChunk,
)
from ragdash.core.fingerprint import digest
from ragdash.metrics.token_support import support
from ragdash.views.attacks import Rate, judged, of
from ragdash.views.query import Cursor, one, parsed, rows

if TYPE_CHECKING:
    import pandas as pd

LAYERED = "layered"
OFF = "_provenance_off"
# Twenty thresholds of one share for each row; text beyond this is left to the stored threshold.
THRESHOLDS = tuple(round(0.05 * step, 2) for step in range(1, 21))
_MOST_SWEPT = 5_000
_MOST_READ = 20_000
_MOST_CHECKED = 2_000
_KEYS, _CHUNK_KEYS, _META_KEYS = (
    frozenset(f.name for f in fields(noun)) for noun in (PolicyView, ViewChunk, ChunkMeta)
)
_ORDERS = """
    SELECT policy, avg(lost / total) AS mean, count(*) AS n, count(*) FILTER (lost > 0) AS k
    FROM (SELECT policy, (orders->>'compromised')::DOUBLE AS lost,
                 (orders->>'n')::INTEGER AS total
          FROM judged WHERE adversarial AND orders IS NOT NULL)
    WHERE total > 0 GROUP BY policy ORDER BY policy"""
_CONTROLS = """
    SELECT control, min(place) AS place, count(*) FILTER (fired) AS fired,
           count(*) FILTER (first_one) AS first_one,
           coalesce(list(case_id ORDER BY position) FILTER (breaks), []) AS breaks,
           coalesce(list(case_id ORDER BY position) FILTER (stops), []) AS stops
    FROM (SELECT case_id, position, place, e->>'control' AS control,
                 (e->>'fired')::BOOLEAN AS fired, (e->>'first')::BOOLEAN AS first_one,
                 (e->>'breaks_without')::BOOLEAN AS breaks,
                 (e->>'stops_alone')::BOOLEAN AS stops
          FROM (SELECT case_id, position, unnest(effects->'$[*]') AS e,
                       generate_subscripts(effects->'$[*]', 1) AS place
                FROM judged WHERE policy = ?))
    GROUP BY control ORDER BY place"""
_LOST = """
    SELECT case_id, class, state, channels FROM judged
    WHERE policy = ? AND state NOT IN ('right', 'refused_right', 'error') ORDER BY position"""
_ANSWERS = """
    SELECT policy, answer, refused, view FROM judged
    WHERE state <> 'error' ORDER BY policy, position"""


@dataclass(frozen=True, slots=True)
class Orders:
    """One policy over the orders of the chunks of adversarial cases.

    `mean` is the mean share of orders in which an attack wins, `worst` counts the cases in which
    any order does.
    """

    policy: str
    mean: float
    worst: Rate


@dataclass(frozen=True, slots=True)
class ControlRow:
    """One control of the layered policy over all cases; `breaks` and `stops` are case ids."""

    control: str
    fired: int
    first: int
    breaks: tuple[str, ...]
    stops: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpenCase:
    """A case that the layered policy did not get right; `by_design` where no control is for it."""

    case_id: str
    attack_class: str
    state: str
    channels: tuple[str, ...]
    by_design: bool


@dataclass(frozen=True, slots=True)
class KeyCheck:
    """What the stored views prove about the answer key.

    Of `checked` views (of `cases`), `matching` have the stored digest and `clean` hold the
    whitelisted fields only; `shared` counts the cases in which all policies got one view. `trusted`
    is how many cases hold only trusted chunks, and `trusted_attacks` how many of these are attacks;
    `mixed` and `mixed_attacks` are the same for the others.
    """

    cases: int
    checked: int
    matching: int
    clean: int
    shared: int
    trusted: int
    trusted_attacks: int
    mixed: int
    mixed_attacks: int

    @property
    def holds(self) -> bool:
        """Whether everything that was checked is as it must be."""
        return self.matching == self.clean == self.checked and self.shared == self.cases


def orders(cursor: Cursor) -> list[Orders]:
    """Return the policies whose cases were run in other orders, by name."""
    found = judged(cursor, _ORDERS)
    return [Orders(r["policy"], r["mean"], of(r["k"], r["n"])) for r in found]


def controls(cursor: Cursor) -> list[ControlRow]:
    """Return what each control of the layered policy did, in the order in which they act."""
    found = judged(cursor, _CONTROLS, [LAYERED])
    return [
        ControlRow(r["control"], r["fired"], r["first_one"], tuple(r["breaks"]), tuple(r["stops"]))
        for r in found
    ]


def open_cases(cursor: Cursor) -> list[OpenCase] | None:
    """Return the cases that the layered policy lost, None where it did not run."""
    ran = one(cursor, "SELECT count(*) AS n FROM run.attack_rows WHERE policy = ?", [LAYERED])
    if ran is None or not ran["n"]:
        return None
    lost = judged(cursor, _LOST, [LAYERED])
    return [
        OpenCase(
            r["case_id"],
            r["class"],
            r["state"],
            tuple(parsed(r["channels"])),
            r["class"] == OPEN_BY_DESIGN,
        )
        for r in lost
    ]


def sweep(cursor: Cursor) -> pd.DataFrame:
    """Return policy, threshold, k, n, rate: how many claims each threshold calls unsupported.

    The covered share of every stored answer is worked out again from what the policy was given; a
    threshold then is one comparison. Empty where the run is too large or its texts are too long.
    """
    import pandas as pd

    shares = _shares(cursor)
    items = []
    for policy, found in shares.items():
        for threshold in THRESHOLDS:
            k = sum(share is None or share < threshold for share, refused in found if not refused)
            items.append(
                {"policy": policy, "threshold": threshold, "k": k, "n": len(found),
                 "rate": k / len(found)}
            )  # fmt: skip
    return pd.DataFrame(items, columns=["policy", "threshold", "k", "n", "rate"])


def _shares(cursor: Cursor) -> dict[str, list[tuple[float | None, bool]]]:
    """Return by policy the covered share of each judged row, and whether it is a refusal."""
    size = one(
        cursor,
        """SELECT count(*) AS n, max(length(view)) AS longest,
                  list_sort(list(DISTINCT case_id)) AS ids
           FROM (SELECT case_id, view FROM run.attack_rows LIMIT ?)""",
        [_MOST_SWEPT + 1],
    )
    if size is None or size["n"] > _MOST_SWEPT or (size["longest"] or 0) > 10 * _MOST_READ:
        return {}
    published = set(size["ids"] or ()) == PUBLISHED_IDS
    found: dict[str, list[tuple[float | None, bool]]] = {}
    for row in judged(cursor, _ANSWERS):
        chunks = parsed(row["view"])["chunks"]
        trusted = " ".join(chunk["text"] for chunk in chunks if chunk["trusted"])
        share = None if row["refused"] else support(row["answer"], trusted, published=published)
        found.setdefault(row["policy"], []).append((share, row["refused"]))
    return found


def key_check(cursor: Cursor) -> KeyCheck:
    """Return what the run's stored views prove, over at most 2,000 cases."""
    (counts,) = rows(
        cursor,
        """SELECT count(*) AS cases, count(*) FILTER (views = 1) AS shared,
                  count(*) FILTER (NOT mixed) AS trusted,
                  count(*) FILTER (NOT mixed AND adversarial) AS trusted_attacks,
                  count(*) FILTER (mixed) AS mixed,
                  count(*) FILTER (mixed AND adversarial) AS mixed_attacks
           FROM (SELECT case_id, max(views) AS views, bool_or(adversarial) AS adversarial,
                        bool_or(mixed) AS mixed
                 FROM (SELECT case_id, count(DISTINCT view_digest) AS views,
                              bool_or(adversarial) AS adversarial,
                              bool_or(list_contains(view->>'$.chunks[*].trusted', 'false'))
                                  AS mixed
                       FROM run.attack_rows
                       -- each mode of a retriever has a context, and so a view, of its own
                       GROUP BY case_id, regexp_extract(policy, '^(dense|hybrid|rerank)/'))
                 GROUP BY case_id)""",
    )
    views = rows(
        cursor,
        """SELECT any_value(view) AS view, view_digest FROM run.attack_rows
           WHERE length(view) < ? GROUP BY view_digest ORDER BY view_digest LIMIT ?""",
        [10 * _MOST_READ, _MOST_CHECKED],
    )
    read = [(parsed(row["view"]), row["view_digest"]) for row in views]
    return KeyCheck(
        checked=len(read),
        matching=sum(digest(view) == stored for view, stored in read),
        clean=sum(_is_clean(view) for view, _ in read),
        **counts,
    )


def _is_clean(view: dict[str, object]) -> bool:
    """Whether a stored view holds no field beyond those of a PolicyView."""
    chunks = view.get("chunks")
    return (
        view.keys() <= _KEYS
        and isinstance(chunks, list)
        and all(c.keys() <= _CHUNK_KEYS and c["meta"].keys() <= _META_KEYS for c in chunks)
    )
