"""Which endpoints a run asked, what they were found to honour, and what the calls took."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragdash.core.call import CallReason
from ragdash.store.schema import tables_of
from ragdash.views.query import Cursor, rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragdash.views.frame import RunFacts
    from ragdash.views.query import Row

ROLES = ("generator", "judge")
_STAGES = {"generator": "generate", "judge": "judge"}
# Something came back, and it could not be read as what was asked for.
UNREADABLE = (
    CallReason.INVALID_JSON,
    CallReason.TRUNCATED,
    CallReason.EMPTY,
    CallReason.OUT_OF_RANGE,
    CallReason.VERDICT_MISMATCH,
    CallReason.BAD_RESPONSE,
)
# Nothing of the model came back.
UNANSWERED = (
    CallReason.RATE_LIMITED,
    CallReason.TIMEOUT,
    CallReason.UNREACHABLE,
    CallReason.SERVER_ERROR,
    CallReason.REJECTED,
    CallReason.CONTEXT_TOO_LONG,
    CallReason.OVER_BUDGET,
    CallReason.PAST_DEADLINE,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """One endpoint of a run: the config, what its probe found, and what its calls used.

    `level` is None where no probe is stored; `seed` is True where two seeded replies agreed, False
    where they did not, None where a seed was not accepted. `levels` counts calls by level, and
    `prompts` are (purpose, digest), the purpose empty where no call used it.
    """

    role: str
    model: str
    host: str
    temperature: float | None
    sent_seed: int | None
    max_tokens: int | None
    level: str | None
    why: tuple[str, ...]
    seed: bool | None
    logprobs: bool
    fingerprints: tuple[str, ...]
    levels: Mapping[str, int]
    prompts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Spent:
    """The calls of a stage and purpose; both None for the whole run, purpose for a whole stage.

    `cached` were not asked again. Tokens and `cost` are of those that were asked, None where no
    endpoint counted or no price is known, and `unpriced` says how many were answered without a
    price. Seconds are of the first asking, all tries together, cached calls too. `reasons` counts
    failed calls.
    """

    stage: str | None
    purpose: str | None
    n: int
    cached: int
    retried: int
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None
    unpriced: int
    p50_seconds: float
    p95_seconds: float
    reasons: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Readable:
    """Replies of the judge that could not be read, of those that came back.

    `misnumbered` were read, and had not exactly one verdict for each item.
    """

    unreadable: int
    misnumbered: int
    replied: int


@dataclass(frozen=True, slots=True)
class CallRow:
    """One stored call, whole; see core.call.Call."""

    position: int
    stage: str
    purpose: str
    repeat: int
    part: int
    host: str
    model: str
    prompt_digest: str
    level: str
    sent: str
    reply: str
    reason: str
    detail: str
    finish_reason: str
    fingerprint: str
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None
    seconds: float
    tries: int
    cached: bool


def of_question(cursor: Cursor, facts: RunFacts, mode: str, question_id: str) -> list[CallRow]:
    """Return the calls of one question in one mode, in the order they were asked."""
    if not has_calls(facts):
        return []
    found = rows(
        cursor,
        "SELECT * EXCLUDE (mode, question_id) FROM run.calls"
        " WHERE mode = ? AND question_id = ? ORDER BY position",
        [mode, question_id],
    )
    return [CallRow(**row) for row in found]


def has_calls(facts: RunFacts) -> bool:
    """Return whether a run file can hold calls: those of older schema versions cannot."""
    return "calls" in tables_of(facts.schema_version)


def asked(cursor: Cursor, facts: RunFacts) -> list[Asked]:
    """Return the endpoints of a run, generator before judge; none where no model was asked."""
    used = _used(cursor, facts)
    found = (_asked(role, facts, used.get(_STAGES[role], [])) for role in ROLES)
    return [one for one in found if one is not None]


def _used(cursor: Cursor, facts: RunFacts) -> dict[str, list[Row]]:
    if not has_calls(facts):
        return {}
    by_stage: dict[str, list[Row]] = defaultdict(list)
    for row in rows(
        cursor,
        "SELECT stage, purpose, prompt_digest, level, fingerprint, count(*) AS n"
        " FROM run.calls GROUP BY ALL ORDER BY ALL",
    ):
        by_stage[row["stage"]].append(row)
    return by_stage


def _asked(role: str, facts: RunFacts, used: list[Row]) -> Asked | None:
    config = _dict(_dict(facts.config.get(role)).get("endpoint"))
    if not config:
        return None
    stored = _dict(_dict(facts.environment.get("endpoints")).get(role))
    probe = _dict(stored.get("probe"))
    prompts = {(row["purpose"], row["prompt_digest"]) for row in used}
    known = {digest for _, digest in prompts}
    prompts |= {("", digest) for digest in _texts(stored.get("prompts")) if digest not in known}
    levels: dict[str, int] = defaultdict(int)
    for row in used:
        levels[row["level"]] += row["n"]
    seen = [probe.get("fingerprint"), *(row["fingerprint"] for row in used)]
    return Asked(
        role=role,
        model=str(probe.get("model") or config.get("model")),
        host=str(probe.get("host") or _host(str(config.get("base_url", "")))),
        temperature=config.get("temperature"),
        sent_seed=config.get("seed"),
        max_tokens=config.get("max_tokens"),
        level=str(probe["level"]) if probe.get("level") else None,
        why=_texts(probe.get("why")),
        seed=probe.get("seed"),
        logprobs=probe.get("logprobs") is True,
        fingerprints=tuple(dict.fromkeys(str(f) for f in seen if f)),
        levels=dict(levels),
        prompts=tuple(sorted(prompts)),
    )


def _dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(str(one) for one in value) if isinstance(value, list) else ()


def _host(base_url: str) -> str:
    """Return host and port of a base URL, without what else may stand in it."""
    return base_url.partition("://")[2].partition("/")[0].rpartition("@")[2]


_SPENT = """
    SELECT stage, purpose, count(*) AS n, count(*) FILTER (cached) AS cached,
           count(*) FILTER (tries > 1) AS retried,
           sum(prompt_tokens) FILTER (NOT cached)::BIGINT AS prompt_tokens,
           sum(completion_tokens) FILTER (NOT cached)::BIGINT AS completion_tokens,
           sum(cost) FILTER (NOT cached) AS cost,
           count(*) FILTER (NOT cached AND cost IS NULL AND reason = '') AS unpriced,
           quantile_disc(seconds, 0.5) AS p50_seconds,
           quantile_disc(seconds, 0.95) AS p95_seconds
    FROM run.calls
    GROUP BY GROUPING SETS ((stage, purpose), (stage), ())
    HAVING count(*) > 0
    ORDER BY stage NULLS LAST, purpose NULLS FIRST
"""


def spent(cursor: Cursor, facts: RunFacts) -> list[Spent]:
    """Return the calls by stage and purpose: each stage before its purposes, the run at the end."""
    if not has_calls(facts):
        return []
    failed = rows(
        cursor,
        "SELECT stage, purpose, reason, count(*) AS n FROM run.calls"
        " WHERE reason <> '' GROUP BY ALL ORDER BY n DESC, reason",
    )
    return [Spent(**row, reasons=_reasons(row, failed)) for row in rows(cursor, _SPENT)]


def _reasons(of: Row, failed: list[Row]) -> dict[str, int]:
    counts: dict[str, int] = defaultdict(int)
    for row in failed:
        if of["stage"] in (None, row["stage"]) and of["purpose"] in (None, row["purpose"]):
            counts[row["reason"]] += row["n"]
    return dict(counts)


def readable(cursor: Cursor, facts: RunFacts) -> Readable:
    """Return how many of the judge's replies could be read as what was asked for."""
    if not has_calls(facts):
        return Readable(0, 0, 0)
    (row,) = rows(
        cursor,
        """
        SELECT count(*) FILTER (list_contains(?::VARCHAR[], reason)) AS unreadable,
               count(*) FILTER (NOT list_contains(?::VARCHAR[], reason)) AS replied,
               (SELECT coalesce(sum(json_array_length(evidence, '$.mismatches')), 0)::BIGINT
                FROM run.scores) AS misnumbered
        FROM run.calls WHERE stage = 'judge'
        """,
        [list(UNREADABLE), list(UNANSWERED)],
    )
    return Readable(**row)
