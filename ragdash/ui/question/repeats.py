"""The Judge tab of a question: every repeat of every judge metric, raw, with its calls."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdash.ui import chips, formats, safe
from ragdash.ui.i18n import reason, t, term
from ragdash.ui.judge import calls
from ragdash.views.judge import FAITHFULNESS, JUDGED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ragdash.views.endpoints import CallRow
    from ragdash.views.question import Detail, ScoreRow

_CLAIM = ("claim", "answer_quote", "verdict", "quote")
_ASPECTS = ("company", "metric", "period")


def tab(found: Detail, made: Sequence[CallRow]) -> None:
    """Show each judge metric with its repeats, then calls that belong to none of them."""
    of_judge = [call for call in made if call.stage == "judge"]
    scores = [s for s in found.scores if s.metric in JUDGED and s.reason != "not_judged"]
    if not scores:
        st.info(t("repeat.none"))
    known = set()
    for name in dict.fromkeys(score.metric for score in scores):
        rows = [score for score in scores if score.metric == name]
        mine = [call for call in of_judge if call.purpose.partition(".")[0] == name]
        known |= {call.position for call in mine}
        _metric(name, rows, mine)
    rest = [call for call in of_judge if call.position not in known]
    if rest:
        st.header(t("repeat.other"))
        calls.texts(rest, "call")


def _metric(name: str, scores: Sequence[ScoreRow], made: Sequence[CallRow]) -> None:
    st.header(t("judging.signal", name=term("metric", name)))
    safe.render(chips.muted(summary(scores)))
    if not made and len({(s.status, s.reason) for s in scores}) == 1 and not scores[0].evidence:
        # Nothing was asked: one line says why, not one for each repeat.
        return
    # Claims need the whole width; what is short stands side by side.
    columns = 1 if name == FAITHFULNESS else 3
    with st.grid(columns, min_column_width=330):
        for score in scores:
            with st.container(border=True, height="stretch"):
                _repeat(score, [call for call in made if call.repeat == score.repeat])


def summary(scores: Sequence[ScoreRow]) -> str:
    """Return the mean of the repeats with their range, or why there is no value."""
    values = [score.value for score in scores if score.value is not None]
    if not values:
        return formats.missing(scores[0].status, scores[0].reason)
    if len(scores) == 1:
        return formats.number(values[0])
    return t(
        "repeat.summary",
        mean=formats.number(fmean(values)),
        low=formats.number(min(values)),
        high=formats.number(max(values)),
        k=len(values),
        n=len(scores),
    )


def _repeat(score: ScoreRow, made: Sequence[CallRow]) -> None:
    value = (
        formats.number(score.value)
        if score.value is not None
        else formats.missing(score.status, "")
    )
    why = safe.plain(reason(score.reason)) if score.reason else ""
    head = chips.strong(t("repeat.number", i=score.repeat + 1))
    safe.render(chips.spaced(head, chips.strong(value), why))
    evidence(score)
    calls.texts(made, f"call.{score.metric}.{score.repeat}")


def evidence(score: ScoreRow) -> None:
    """Show what a value was counted from; a shape that is not known stays JSON."""
    if not score.evidence:
        return
    shown = _KNOWN.get(score.metric, _nothing)(score.evidence)
    if shown is None:
        safe.json(score.evidence)
    else:
        safe.render(shown)


def _nothing(_found: Any) -> safe.Markup | None:
    return None


def _claims(found: Any) -> safe.Markup | None:
    listed = _dicts(found, "claims")
    if listed is None:
        return None
    head = ["#", *(t(f"repeat.col.{name}") for name in _CLAIM)]
    body = [_claim(i, row) for i, row in enumerate(listed, 1)]
    parts = [safe.table(head, body, caption=t("repeat.claims"), row_heads=False)]
    dropped = _dicts(found, "dropped") or []
    if dropped:
        parts.append(chips.muted(t("repeat.dropped", n=len(dropped))))
        parts += [chips.muted(safe.plain(f"· {row.get('claim', '')}")) for row in dropped]
    return safe.join([*parts, _misnumbered(found)])


def _misnumbered(found: Mapping[str, Any]) -> safe.Markup:
    """Return the numbers of replies that did not keep to 1..n; nothing where all did."""
    replies = found.get("mismatches")
    if not isinstance(replies, list) or not replies:
        return safe.Markup()
    numbers = "; ".join(safe.plain(str(one)) for one in replies)
    return chips.muted(t("repeat.misnumbered", numbers=numbers))


def _claim(i: int, row: Mapping[str, Any]) -> list[str]:
    added = chips.muted(t("repeat.added")) if row.get("added") else ""
    words = safe.plain(term("claim", str(row.get("verdict", ""))))
    quote = safe.plain(str(row.get("quote", ""))) or formats.DASH
    return [
        str(i),
        chips.lines(safe.plain(str(row.get("claim", ""))), added),
        safe.plain(str(row.get("answer_quote", ""))),
        chips.verdict(bool(row.get("counts")), words),
        chips.lines(quote, chips.muted(_where(row))),
    ]


def _where(row: Mapping[str, Any]) -> str:
    """Return which chunk holds the quote, or that none does though support was claimed."""
    if isinstance(row.get("chunk"), int):
        return t("repeat.chunk", n=row["chunk"])
    return t("repeat.nowhere") if row.get("verdict") == "supported" else ""


def _aspects(found: Any) -> safe.Markup | None:
    if not isinstance(found, dict) or set(found) != set(_ASPECTS):
        return None
    pairs = {t(f"aspect.{name}"): safe.plain(term("said", str(found[name]))) for name in _ASPECTS}
    return chips.facts(pairs, label=t("repeat.aspects"))


def _grades(found: Any) -> safe.Markup | None:
    listed = _dicts(found, "grades")
    if listed is None:
        return None
    head = [t("repeat.col.chunk"), t("repeat.col.grade")]
    body = [
        [safe.plain(f"#{row.get('chunk', '')}"), safe.plain(str(row.get("grade", "")))]
        for row in listed
    ]
    table = safe.table(head, body, caption=t("repeat.grades"), numeric=frozenset({1}))
    parts = [table, _misnumbered(found)]
    precision = found.get("average_precision")
    if isinstance(precision, int | float):
        words = t("judging.precision", ap=formats.number(precision))
        parts.insert(1, chips.muted(words))
    return safe.join(parts)


def _dicts(found: Any, name: str) -> list[dict[str, Any]] | None:
    """Return a list of objects of some evidence; None where it has another shape."""
    listed = found.get(name) if isinstance(found, dict) else None
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        return None
    return listed


_KNOWN: Mapping[str, Callable[[Any], safe.Markup | None]] = {
    FAITHFULNESS: _claims,
    "answer_relevancy": _aspects,
    "context_relevance": _grades,
}
