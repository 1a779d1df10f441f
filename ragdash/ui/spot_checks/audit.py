"""The summary for an audit: one HTML file and one CSV, the same bytes while nothing changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.export import sheet
from ragdash.ui import formats
from ragdash.ui.i18n import current, t, term
from ragdash.ui.spot_checks import agreeing, rows
from ragdash.ui.triage import summary_files
from ragdash.views import spot_check_record as record_view
from ragdash.views import spot_check_summary as view

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.core.spot_check import SpotCheck
    from ragdash.ui.spot_checks.checking import Bench
    from ragdash.views.query import Row
    from ragdash.views.spot_check_record import Record
    from ragdash.views.spot_check_summary import Line

# Codes and not words: what reads a table is a program, whatever the language of the page.
COLUMNS = (
    *("run_id", "run_version", "mode", "question_id", "question", "company", "period"),
    *(
        "risks",
        "sample",
        "state",
        "check",
        "not_superseded",
        "supersedes",
        "same_answer",
        "version",
    ),
    *("reviewer", "at", "verdict", "confidence", "caliber_asked", "caliber_gold"),
    *(
        "caliber_answered",
        "answer",
        "figures",
        "golds",
        "doc_id",
        "page",
        "evidence_row",
        "blind",
        "note",
        "rule_then",
        "outcome_then",
    ),
    *("rule", "outcome_rule", "outcome", "verdict_holds", "holds_by"),
    *("questions_digest", "corpus_digest", "config_digest"),
)
_CHECKS = (
    *("number", "question", "answer", "golds", "reviewer", "fit", "calibers", "evidence", "note"),
    *("rule", "state"),
)


def offer(made: Bench) -> None:
    """Offer both files."""
    st.header(t("audit.title"))
    st.text(t("audit.lead"))
    file = made.shown.of_mode(made.mode).replace(":", "-")
    with st.container(horizontal=True):
        for kind, mime, write in (("html", "text/html", page), ("csv", "text/csv", table)):
            st.download_button(
                t(f"audit.{kind}"),
                write(made),
                file_name=f"spot-checks-{file}.{kind}",
                mime=mime,
                on_click="ignore",
                key=f"audit.{kind}",
            )


def _lines(made: Bench) -> tuple[Line, ...]:
    """Return the checks in the order of their numbers; coverage counts what is not checked."""
    found = view.lines(made.items, made.queue, made.checks, made.held)
    said = [(line.check.number, line) for line in found if line.check is not None]
    return tuple(line for _, line in sorted(said, key=lambda one: one[0]))


def _records(made: Bench) -> dict[str, Record]:
    asked = sorted({line.item.question_id for line in _lines(made)})
    return record_view.records(made.cursor, made.mode, asked)


def table(made: Bench) -> bytes:
    """Return every check as CSV in the order of their numbers, superseded ones too."""
    kept = _records(made)
    body = [
        _row(made, line, line.check, kept[line.item.question_id])
        for line in _lines(made)
        if line.check is not None
    ]
    return b"".join(sheet.written(COLUMNS, body))


def _row(made: Bench, line: Line, check: SpotCheck, record: Record) -> list[object]:
    item, run = line.item, made.shown.run
    standing = made.standings[item.question_id]
    row = record_view.row_of(made.cursor, check, record) if line.same_answer else None
    return [
        *(run.run_id, run.version, made.mode, item.question_id),
        *(made.texts[item.question_id], item.company),
        *(item.period, " ".join(item.risks), line.sample, line.standing),
        *_said(check, line, record, row),
        *(item.rule.value, standing["rule_outcome"], standing["outcome"]),
        *(_held(standing), standing["caliber_reviewer"] if standing["by_person"] else "rule"),
        *(run.questions_digest, run.corpus_digest, run.config_digest),
    ]


def _held(standing: Row) -> str:
    return str(standing["caliber_verdict" if standing["by_person"] else "caliber_rule"])


def _said(check: SpotCheck, line: Line, record: Record, row: str | None) -> list[object]:
    said = check.judgement
    return [
        *(check.number, line.held, check.supersedes, line.same_answer, check.version),
        *(check.reviewer, check.at, said.fit.value, said.confidence.value, said.asked.value),
        *(said.gold.value, said.answered.value, record.answer, "\n".join(record.figures)),
        *("\n".join(record.golds), said.doc_id, said.page, row, check.blind, said.note),
        *(check.rule.value, check.outcome.value),
    ]


def page(made: Bench) -> bytes:
    """Return the whole summary as one HTML page that loads nothing."""
    name = made.shown.of_mode(made.mode)
    lang = "zh-CN" if current() == "zh" else "en"
    coverage, matrix = agreeing.covered(made), agreeing.matrix(made)
    parts = [
        summary_files.table((t("audit.facts"), ""), _facts(made)),
        summary_files.section(t("audit.sample"), rows.sample(made.queue.sample)),
        summary_files.section(t("agree.coverage"), (t("agree.coverage.note"),)),
        summary_files.table(*coverage),
        summary_files.section(t("agree.between"), agreeing.between(made)),
        summary_files.section(t("agree.rule"), agreeing.with_rule(made)),
        summary_files.section(t("agree.matrix"), ()),
        summary_files.table(
            matrix[0],
            [
                [term("rule", rule.value), *(str(n) for _, n in counts)]
                for rule, counts in matrix[1]
            ],
        ),
        summary_files.section(t("audit.checks"), ()),
        summary_files.table([t(f"audit.{one}") for one in _CHECKS], _checks(made)),
    ]
    text = summary_files.document(t("audit.of", name=name), "".join(parts), lang, scheme="light")
    return text.encode("utf-8", "surrogatepass")


def _facts(made: Bench) -> Sequence[Sequence[str]]:
    run, facts = made.shown.run, made.shown.facts
    found: Mapping[str, str | None] = {
        "run": run.run_id,
        "version": str(run.version),
        "mode": made.mode,
        "finished": formats.when(facts.finished_at),
        "last": max((formats.when(check.at) for check in made.checks), default=None),
        "questions": facts.questions,
        "questions_digest": facts.questions_digest,
        "corpus": facts.corpus,
        "corpus_digest": facts.corpus_digest,
        "config_digest": run.config_digest,
        "code": facts.environment.get("code"),
    }
    return [[t(f"audit.{key}"), value or formats.DASH] for key, value in found.items()]


def _checks(made: Bench) -> list[list[str]]:
    kept = _records(made)
    return [
        _cells(made, line, line.check, kept[line.item.question_id])
        for line in _lines(made)
        if line.check
    ]


def _cells(made: Bench, line: Line, check: SpotCheck, record: Record) -> list[str]:
    said = check.judgement
    where = said.doc_id or formats.DASH
    page_ = where if said.page is None else f"{where} P{said.page}"
    row = record_view.row_of(made.cursor, check, record) if line.same_answer else None
    blind = t("check.blind.yes" if check.blind else "check.blind.no")
    sure = t("check.sure", how=term("confidence", said.confidence.value))
    return [
        str(check.number),
        f"{line.item.question_id} {made.texts[line.item.question_id]}",
        f"{' / '.join(record.figures) or formats.DASH}\n{record.answer}",
        "\n".join(record.golds) or formats.DASH,
        f"{check.reviewer} · {formats.when(check.at)} · {blind}",
        f"{term('fit', said.fit.value)} · {sure}",
        " / ".join(term("caliber", code.value) for code in (said.asked, said.gold, said.answered)),
        "\n".join(part for part in (page_, row) if part),
        said.note,
        f"{term('rule', check.rule.value)} · {term('outcome', check.outcome.value)}",
        _state(line, made.standings[line.item.question_id]),
    ]


def _state(line: Line, standing: Row) -> str:
    if not line.same_answer:
        return t("audit.other_answer")
    if not line.held:
        return t("audit.superseded")
    return f"{t('audit.held')} · {term('state', line.standing)} · {_who(standing)}"


def _who(standing: Row) -> str:
    if not standing["by_person"]:
        return t("audit.holds.rule", rule=term("rule", standing["caliber_rule"]))
    return t(
        "audit.holds.person",
        name=standing["caliber_reviewer"],
        fit=term("fit", standing["caliber_verdict"]),
        outcome=term("outcome", standing["outcome"]),
    )
