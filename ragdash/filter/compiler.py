"""A tree as a condition of SQL: identifiers from the lists below, every value bound.

Missing is not zero: a number that is not there is neither above nor below, and its term is NULL,
which no row is listed for, nor for its opposite. Everything else is true or false.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ragdash.core.errors import InputError
from ragdash.filter.fields import FIELDS, FLIPS, JUDGE, SIGNALS, Kind, field_of, metric_of
from ragdash.filter.tree import Every, Not, Op, Phrase, Some, Term
from ragdash.store.folding import NAME as FOLDED
from ragdash.store.folding import folded

if TYPE_CHECKING:
    from ragdash.filter.tree import Expr

# Columns of relation.py by field; a flag is true or false there.
_FLAGS = {"reviewed": "f.reviewed", "checked": "f.checked", "flag": "f.flag"}
_STATES = {
    "answered": "f.answer_status = 'answered'",
    "refused": "f.answer_status = 'refused'",
    "answerable": "f.answerable",
    "unanswerable": "NOT f.answerable",
    "failed": "f.failed",
    "lost": "f.layer <> 'none'",
    "seen": "f.seen",
    "reviewed": "f.reviewed",
    "unreviewed": "(f.failed AND NOT f.reviewed)",
    "flagged": "f.flag",
    "checked": "f.checked",
    "disputed": "f.disputed",
    "flaky": "f.flaky",
}
_COLUMNS = {
    one.name: "f.question_id" if one.name == "id" else f"f.{one.name}"
    for one in FIELDS.values()
    if one.kind not in (Kind.METRIC, Kind.STATE, Kind.PRESENCE) and one.name not in ("lost", "kept")
}
_OPS = {Op.EQUAL: "=", Op.LESS: "<", Op.AT_MOST: "<=", Op.MORE: ">", Op.AT_LEAST: ">="}
_MEANS_OF = (
    "FROM means m WHERE m.mode = f.mode AND m.question_id = f.question_id "
    "AND list_contains({names}, m.metric)"
)
_PASSED = "FROM passages p WHERE "
_STAGED = {
    "lost": "(list_contains({codes}, p.stage) OR list_has_any({codes}, p.missed) OR "
    "(list_contains({codes}, 'anyway') AND p.correct AND p.stage IS NOT NULL "
    "AND p.stage <> 'no_qrels'))",
    "kept": "list_has_any({codes}, p.passed)",
}
# Several in one column, a line each.
_LISTS = frozenset({"doc", "reviewer"})


def compile(expr: Expr, *, paired: bool = False) -> tuple[str, dict[str, Any]]:  # noqa: A001 - the term
    """Return a condition on the rows of `relation.held`, and the values that it binds.

    Raises:
        InputError: it asks for changes, and nothing is there to compare with.
    """
    made = _Made(paired)
    return made.condition(expr), made.values


@dataclass(slots=True)
class _Made:
    paired: bool
    values: dict[str, Any] = field(default_factory=dict)

    def condition(self, expr: Expr) -> str:
        match expr:
            case Phrase(text):
                name = self._bind(folded(text))
                return f"({self._within('f.question', name)} OR {self._within('f.answer', name)})"
            case Not(of):
                return f"(NOT {self.condition(of)})"
            case Every(()):
                return "true"
            case Every(parts):
                return "(" + " AND ".join(self.condition(part) for part in parts) + ")"
            case Some(parts):
                return "(" + " OR ".join(self.condition(part) for part in parts) + ")"
            case Term():
                return self._term(expr)

    def _bind(self, value: Any) -> str:
        name = f"where_{len(self.values)}"
        self.values[name] = value
        return f"${name}"

    def _within(self, column: str, name: str) -> str:
        return f"contains({FOLDED}(coalesce({column}, '')), {name})"

    def _term(self, term: Term) -> str:
        kind = field_of(term.field).kind
        if term.field == "change" and not self.paired:
            raise InputError("change needs a base to be held against: name one with --base REF")
        if kind is Kind.METRIC:
            return self._metric(term)
        if kind is Kind.STATE:
            return self._any(_STATES[code] for code in term.values)
        if kind is Kind.PRESENCE:
            return self._any(self._present(name) for name in term.values)
        if term.field in _STAGED:
            return self._staged(term)
        column = _COLUMNS[term.field]
        if kind is Kind.NUMBER:
            return self._any(self._compared(column, term.op, value) for value in term.values)
        if kind is Kind.TEXT:
            return self._any(self._text(term, column, value) for value in term.values)
        if kind is Kind.ID:
            return self._any(self._id(column, value) for value in term.values)
        return self._code(term, column)

    def _code(self, term: Term, column: str) -> str:
        if term.field in _FLAGS:
            return f"list_contains({self._bind([v == 'yes' for v in term.values])}, {column})"
        held = "list_has_any" if term.field == FLIPS else "list_contains"
        return f"{held}({self._bind(list(term.values))}, {column})"

    def _any(self, parts: Any) -> str:
        return "(" + " OR ".join(parts) + ")"

    def _compared(self, column: str, op: Op, value: str) -> str:
        return f"{column} {_OPS[op]} {self._bind(float(value))}"

    def _text(self, term: Term, column: str, value: str) -> str:
        if term.op is Op.IS:
            return self._within(column, self._bind(folded(value)))
        if term.field in _LISTS:
            whole = f"chr(10) || {column} || chr(10)"
            return self._within(f"({whole})", self._bind(f"\n{folded(value)}\n"))
        return f"{FOLDED}(coalesce({column}, '')) = {self._bind(folded(value))}"

    def _id(self, column: str, value: str) -> str:
        # Folded first: a full-width % becomes one, and would be taken for any characters.
        escaped = folded(value).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        name = self._bind(escaped.replace("*", "%"))
        return f"{FOLDED}(coalesce({column}, '')) LIKE {name} ESCAPE '\\'"

    def _metric(self, term: Term) -> str:
        told = _MEANS_OF.replace("{names}", self._bind(_metrics(term.field)))
        if term.op is Op.IS:
            held = f"list_has_any(m.statuses, {self._bind(list(term.values))})"
            return f"coalesce((SELECT bool_or({held}) {told}), false)"
        means = self._any(self._compared("m.mean", term.op, value) for value in term.values)
        return f"(SELECT bool_or({means}) {told})"

    def _staged(self, term: Term) -> str:
        """Return the condition on views/passage.py: lost at a stage, or come as far as it."""
        held = _STAGED[term.field].replace("{codes}", self._bind(list(term.values)))
        return f"(f.mode, f.question_id) IN (SELECT p.mode, p.question_id {_PASSED}{held})"

    def _present(self, name: str) -> str:
        kind = field_of(name).kind
        if name == "change" and not self.paired:
            return "false"
        if kind is Kind.METRIC:
            told = _MEANS_OF.replace("{names}", self._bind(_metrics(name)))
            return f"coalesce((SELECT bool_or(m.mean IS NOT NULL) {told}), false)"
        column = _COLUMNS[name]
        if name in _FLAGS:
            return column
        if kind is Kind.CODE:
            return f"{column} NOT IN ('none', 'not_checked')"
        if kind is Kind.NUMBER:
            return f"{column} IS NOT NULL"
        return f"trim(coalesce({column}, ''), chr(10) || ' ') <> ''"


def _metrics(name: str) -> list[str]:
    return list(SIGNALS) if name == JUDGE else [metric_of(name)]
