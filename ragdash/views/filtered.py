"""The filter language over a run: its queries, and the page's own filters said in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash.filter import compile as compiled
from ragdash.filter import held, parse, written
from ragdash.filter.fields import JUDGE, RENAMED, Kind, field_of, metric_of
from ragdash.filter.tree import Op, Term, every, some, terms
from ragdash.metrics import BY_NAME
from ragdash.views.passage import PASSAGES
from ragdash.views.query import Cursor, rows

if TYPE_CHECKING:
    from ragdash.filter.tree import Expr
    from ragdash.views.triage import Filters

_NAMES = {metric: name for name, metric in RENAMED.items()}


def query_of(expr: Expr, *, paired: bool = False) -> tuple[str, dict[str, Any]]:
    """Return the query for mode and question id of the rows that hold, and what it binds itself.

    Beside these it binds what `filter.asked` returns.

    Raises:
        InputError: it asks for changes, and there is no base.
    """
    condition, values = compiled(expr, paired=paired)
    if any(term.field in ("lost", "kept") for term in terms(expr)):
        return held(condition, paired=paired, passages=PASSAGES), values
    return held(condition, paired=paired), values


def needs_base(expr: Expr) -> bool:
    """Return whether a filter asks for changes, and so for a base to be held against."""
    return any(
        term.field == "change" or (term.field == "has" and "change" in term.values)
        for term in terms(expr)
    )


def unmeasured(cursor: Cursor, text: str) -> list[str]:
    """Return the metrics that a filter names and the run has no value of, by their fields."""
    named = {t.field: None for t in terms(parse(text)) if field_of(t.field).kind is Kind.METRIC}
    if not named:
        return []
    query = "SELECT DISTINCT metric FROM run.scores WHERE value IS NOT NULL"
    known = {row["metric"] for row in rows(cursor, query)}
    return [name for name in named if name != JUDGE and metric_of(name) not in known]


def expressed(filters: Filters) -> str:
    """Return all that a list is filtered by, but its mode and base, in the filter language."""
    parts = [
        Term(name, Op.IS, codes)
        for name, codes in (
            ("outcome", filters.outcomes),
            ("layer", filters.layers),
            ("change", filters.changes),
            ("flips", filters.flips),
        )
        if codes
    ]
    marks = [Term("is", Op.IS, (mark,)) for mark in filters.marks]
    passages = [
        Term(name, Op.IS, codes)
        for name, codes in (("lost", filters.lost), ("kept", filters.kept))
        if codes
    ]
    short = [_short(name) for name in filters.short]
    anded: list[Expr] = [*parts, *marks]
    anded += [some(group) for group in (short, passages) if group]
    return written(every([*anded, parse(filters.where)]))


def _short(metric: str) -> Term:
    """A value of a metric is not its best: values lie in 0..1, and so does their mean."""
    is_gain = BY_NAME[metric].higher_is_better
    name = _NAMES.get(metric, metric)
    return Term(name, Op.LESS, ("1",)) if is_gain else Term(name, Op.MORE, ("0",))
