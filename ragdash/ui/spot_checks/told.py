"""What has been said of an answer, side by side: the rule, each person, and whose word holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.ui import chips, formats, safe
from ragdash.ui.i18n import reason, t, term

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.core.spot_check import Judgement, SpotCheck
    from ragdash.views.query import Row

_NOTE = "margin:.6rem 0;white-space:pre-wrap;overflow-wrap:anywhere;max-width:76ch"


def beside(
    checks: Sequence[SpotCheck], standing: Row, name: str | None, known: Mapping[str, str]
) -> safe.Markup:
    """Return the rule and every person's check as rows of one table, and below it what holds.

    Args:
        checks: those that their authors hold to, the oldest first.
        standing: the answer's row of `store.effective.RESULTS`.
        name: the viewer.
        known: the documents of the run in words, by id.
    """
    head = [t(f"check.{key}") for key in ("who", "verdict", "calibers", "evidence", "when")]
    blank = [formats.DASH] * 3
    ruled = [verdict(term("rule", standing["caliber_rule"])), chips.muted(by_gate(standing))]
    rows = [[t("check.rule"), chips.lines(*(one for one in ruled if one)), *blank]]
    rows += [_row(check, name, known) for check in checks]
    table = safe.table(head, rows, caption=t("check.beside"))
    notes = [_note(check) for check in checks if check.judgement.note]
    return safe.join([table, *notes, chips.note(agreed(checks), holds(standing))])


def by_gate(standing: Row) -> str:
    """Return in words why the numeric gate took a figure for another caliber's, else nothing."""
    code = standing["caliber_told"]
    if code is None:
        return ""
    found = standing["told_found"]
    why = reason(code) + (f" ({safe.plain(str(found), 80)})" if found else "")
    return t("check.told", why=why)


def _row(check: SpotCheck, name: str | None, known: Mapping[str, str]) -> list[str]:
    said = check.judgement
    who = safe.plain(check.reviewer) + (f" ({t('check.you')})" if check.reviewer == name else "")
    sure = t("check.sure", how=term("confidence", said.confidence.value))
    stamp = t("check.blind.yes" if check.blind else "check.blind.no")
    return [
        who,
        chips.lines(verdict(term("fit", said.fit.value)), chips.muted(sure)),
        " / ".join(term("caliber", code.value) for code in (said.asked, said.gold, said.answered)),
        evidence(said, known),
        chips.lines(formats.when(check.at), chips.muted(stamp)),
    ]


def verdict(words: str) -> safe.Markup:
    """Return a verdict on a caliber as a word of weight: fits and conflict differ by the word."""
    return chips.strong(words)


def evidence(said: Judgement, known: Mapping[str, str]) -> str:
    """Return the page that decided a check."""
    if said.doc_id is None:
        return formats.DASH
    where = known.get(said.doc_id, safe.plain(said.doc_id))
    return f"{where} · P{said.page}" if said.page is not None else where


def _note(check: SpotCheck) -> safe.Markup:
    words = safe.to_markup(check.judgement.note)
    return safe.Markup(
        f'<div style="{_NOTE}">{chips.muted(safe.plain(check.reviewer))}{words}</div>'
    )


def agreed(checks: Sequence[SpotCheck]) -> str:
    """Return in a sentence how far people agree on one answer."""
    fits = {check.judgement.fit for check in checks}
    if len(checks) < 2:
        return t("check.first_of_two")
    return t("check.agree" if len(fits) == 1 else "check.differ")


def holds(standing: Row) -> str:
    """Return whose verdict holds, and what became of the outcome by it."""
    rule = term("rule", standing["caliber_rule"])
    who = standing["caliber_reviewer"]
    if not standing["by_person"] or who is None:
        return t("check.holds.rule", rule=rule)
    words = t(
        "check.holds.person",
        name=safe.plain(who),
        fit=term("fit", standing["caliber_verdict"]),
        rule=rule,
    )
    before, now = (term("outcome", standing[name]) for name in ("rule_outcome", "outcome"))
    same = before == now
    outcome = t("check.outcome.same", now=now) if same else t("check.outcome", rule=before, now=now)
    return f"{words} {outcome}"
