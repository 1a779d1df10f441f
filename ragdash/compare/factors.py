"""What differs between two RUN:mode, and whether one thing alone can be the reason.

A difference between results belongs to a factor only where question set, gates and judge are the
same and one declared factor differs (metrics.md section 6). What follows from a factor is not a
second one: the corpus digest of another chunking, the reranker of a mode that has none, the prompt
of another kind of generator, the similarities of another embedding model.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ragdash.compare.declared import (
    FACTORS,
    UNKNOWN,
    UNRECORDED,
    code_of,
    declared,
    gates_of,
    is_self_judged,
    judge_of,
)

if TYPE_CHECKING:
    from ragdash.compare.declared import Values
    from ragdash.core.retrieval import Mode
    from ragdash.core.run import RunInfo

_GENERATOR = "generator."
_KIND = "generator.kind"
# As much of a digest as tells two apart: "sha256:" and 12 digits.
_DIGEST = 19


class Standing(StrEnum):
    """What two sides may be to each other."""

    SAME = "same_configuration"
    ONE_FACTOR = "one_factor"
    NOT_ATTRIBUTABLE = "not_attributable"
    NOT_COMPARABLE = "not_comparable"


class Obstacle(StrEnum):
    """Why two sides cannot be held against each other at all."""

    QUESTIONS = "questions"
    GATES = "gates"
    JUDGE = "judge"
    SELF_JUDGED = "self_judged"


@dataclass(frozen=True, slots=True)
class Side:
    """One mode of one version of a run, the unit that is compared.

    `superseded` says that a newer version is there.
    """

    info: RunInfo
    mode: Mode
    version: int = 1
    superseded: bool = False

    @property
    def ref(self) -> str:
        """RUN:mode, with the version where there is, or was, another one."""
        number = f".{self.version}" if self.version > 1 or self.superseded else ""
        return f"{self.info.run_id}{number}:{self.mode.value}"

    @property
    def is_of(self) -> tuple[str, int]:
        """The run file that it is of."""
        return self.info.run_id, self.version


@dataclass(frozen=True, slots=True)
class Change:
    """A declared field that differs, as text; `factor` is what it belongs to."""

    factor: str
    field: str
    base: str
    other: str


@dataclass(frozen=True, slots=True)
class Barrier:
    """A precondition that does not hold, with what each side has."""

    obstacle: Obstacle
    base: str
    other: str


@dataclass(frozen=True, slots=True)
class Comparability:
    """Whether a difference between two sides can be attributed, and to what.

    `codes` are the versions of ragdash that made the answers. `similar` is whether similarity
    signals are of the same embedder, so that they can be compared.
    """

    standing: Standing
    changes: tuple[Change, ...]
    barriers: tuple[Barrier, ...]
    codes: tuple[str, str]
    similar: bool = True

    @property
    def factors(self) -> tuple[str, ...]:
        """The factors that differ, in the order of `FACTORS`, each once."""
        return tuple(f for f in FACTORS if any(c.factor == f for c in self.changes))

    @property
    def is_attributable(self) -> bool:
        """Whether at most one factor differs over the same questions, gates and judge."""
        return self.standing in (Standing.SAME, Standing.ONE_FACTOR)


def comparability(base: Side, other: Side) -> Comparability:
    """Return what differs between two sides and whether a difference could be told from it."""
    changes, barriers = _changes(base, other), _barriers(base, other)
    factors = {change.factor for change in changes}
    if barriers:
        standing = Standing.NOT_COMPARABLE
    elif any(change.base == change.other for change in changes):
        # Two systems that say nothing of themselves are not known to be one.
        standing = Standing.NOT_ATTRIBUTABLE
    elif not factors:
        standing = Standing.SAME
    else:
        standing = Standing.ONE_FACTOR if len(factors) == 1 else Standing.NOT_ATTRIBUTABLE
    kinds = {base.info.config.judge.kind, other.info.config.judge.kind}
    return Comparability(
        standing=standing,
        changes=changes,
        barriers=barriers,
        codes=(code_of(base.info), code_of(other.info)),
        similar=kinds != {"similarity"} or "embedding" not in factors,
    )


def _changes(base: Side, other: Side) -> tuple[Change, ...]:
    first, second = declared(base.info, base.mode), declared(other.info, other.mode)
    foreign = any(side.info.config.imported is not None for side in (base, other))
    found = [
        Change(factor, field, _text(first[field]), _text(second[field]))
        for field, factor in _fields(first, second)
        if (first[field] != second[field] or (field == "system" and _strangers(base, other)))
        # A run of before this was recorded says it in other fields; an import says it nowhere.
        and (field not in UNRECORDED or foreign or (first[field] and second[field]))
    ]
    fields = {change.field for change in found}
    return tuple(c for c in found if not _follows(c.field, fields, first, second))


def _strangers(base: Side, other: Side) -> bool:
    """Whether the sides are of two runs of which neither names the system that made it."""
    given = [side.info.config.imported for side in (base, other)]
    unnamed = all(one is not None and not one.facts.get("system") for one in given)
    return unnamed and base.is_of != other.is_of


def _fields(first: Values, second: Values) -> list[tuple[str, str]]:
    """Return the fields that both sides use, with their factors; others follow from the mode."""
    return [
        (field, factor)
        for factor, fields in FACTORS.items()
        for field in fields
        if field in first and field in second
    ]


def _follows(field: str, changed: set[str], first: Values, second: Values) -> bool:
    """Whether a change says nothing that another one does not say already."""
    if field == "corpus_digest":
        return bool(changed & {"chunking", "documents", "parser"})
    if field == "prompts" or field.startswith(_GENERATOR):
        return field != _KIND and _KIND in changed
    if f"{field}.weights" in first:
        # The same weights under another name, or from another place; an import names none.
        weights = first[f"{field}.weights"], second.get(f"{field}.weights")
        return weights[0] is not None and weights[0] == weights[1]
    return False


def _text(value: str | None) -> str:
    return UNKNOWN if value is None else value


def _barriers(base: Side, other: Side) -> tuple[Barrier, ...]:
    kept = [] if base.is_of == other.is_of else _between(base.info, other.info)
    marks = tuple(is_self_judged(side.info) for side in (base, other))
    if any(marks):
        words = ("self-judged" if mark else "" for mark in marks)
        kept.append(Barrier(Obstacle.SELF_JUDGED, *words))
    return tuple(kept)


def _between(base: RunInfo, other: RunInfo) -> list[Barrier]:
    found = []
    if base.questions_digest != other.questions_digest:
        found.append(
            Barrier(
                Obstacle.QUESTIONS,
                base.questions_digest[:_DIGEST],
                other.questions_digest[:_DIGEST],
            )
        )
    gates = gates_of(base, other)
    # What neither says is not known to be the same.
    if gates[0] != gates[1] or not gates[0]:
        found.append(Barrier(Obstacle.GATES, *(g[:_DIGEST] or UNKNOWN for g in gates)))
    judges = judge_of(base), judge_of(other)
    fields = [name for name in judges[0] if judges[0][name] != judges[1][name]]
    if fields:
        # Another kind of judge says it all.
        shown = fields[:1] if "kind" in fields else fields
        words = (
            ", ".join(f"{name} {judge[name] or UNKNOWN}" for name in shown) for judge in judges
        )
        found.append(Barrier(Obstacle.JUDGE, *words))
    return found
