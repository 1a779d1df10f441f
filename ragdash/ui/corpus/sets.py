"""The question sets of the store, and what differs between two of them, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdash.store.attach import attach
from ragdash.store.layout import run_file, store_dir
from ragdash.ui import address, chips, formats, frame, notes, safe
from ragdash.ui.i18n import t, term
from ragdash.views import question_sets as view

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.views.query import Cursor
    from ragdash.views.question_sets import Difference, QuestionSet, SetFacts

_RUNS_SHOWN = 5
_SETS_SHOWN = 10
_NONE = ""


def sets(shown: frame.View) -> None:
    """Show the sets, that of the run on view marked, and the difference of two."""
    with notes.faults_shown(), frame.registry() as registry:
        found = [] if registry is None else view.sets(registry.runs())
    st.text(t("data.sets.lead"))
    own = view.key_of(shown.run.questions_digest)
    safe.render(_table(found, own))
    if len(found) > _SETS_SHOWN:
        safe.render(chips.muted(t("data.sets.more", n=len(found) - _SETS_SHOWN)))
    _difference(found, own)


def _table(found: Sequence[QuestionSet], own: str) -> safe.Markup:
    # The set of the run on view stands first, so that it is never among those left out.
    ordered = sorted(found, key=lambda one: one.key != own)[:_SETS_SHOWN]
    names = ("name", "n", "kinds", "langs", "answerable", "evidence", "runs")
    head = [t(f"data.sets.{name}") for name in names]
    body = [_row(one, is_own=one.key == own) for one in ordered]
    return safe.table(head, body, caption=t("data.sets.table"), numeric=frozenset((1, 4, 5)))


def _row(one: QuestionSet, *, is_own: bool) -> list[str]:
    mark = chips.badge(t("data.sets.own")) if is_own else ""
    name = chips.lines(
        safe.join([safe.plain(one.name), " ", mark]), chips.muted(safe.plain(one.key))
    )
    facts = _facts(one)
    if facts is None:
        gone = chips.muted(t("data.sets.gone"))
        return [name, str(one.n), gone, formats.DASH, formats.DASH, formats.DASH, _runs(one)]
    n = str(one.n) if facts.n == one.n else t("judging.of", k=facts.n, n=one.n)
    return [
        name,
        n,
        _counted("kind", facts.kinds),
        _counted("language", facts.langs),
        t("judging.of", k=facts.answerable, n=facts.n),
        t("judging.of", k=facts.with_evidence, n=facts.n),
        _runs(one),
    ]


def _facts(one: QuestionSet) -> SetFacts | None:
    path = run_file(store_dir(None), one.run.run_id, one.run.version)
    return view.facts(attach(path)) if path.is_file() else None


def _counted(group: str, counts: Mapping[str, int]) -> str:
    return safe.plain(", ".join(f"{term(group, code)} {n}" for code, n in counts.items()))


def _runs(one: QuestionSet) -> safe.Markup:
    links = [
        safe.join([chips.link(run.run_id, "compare", run=run.run_id), " "])
        for run in one.runs[:_RUNS_SHOWN]
    ]
    more = len(one.runs) - _RUNS_SHOWN
    return chips.lines(
        str(len(one.runs)), safe.join(links), chips.muted(f"+{more}") if more > 0 else ""
    )


def _difference(found: Sequence[QuestionSet], own: str) -> None:
    st.header(t("data.diff"))
    if len(found) < 2:
        st.text(t("data.diff.one"))
        return
    named = {one.key: one for one in found}
    words = {key: _option(one) for key, one in named.items()}
    left, right = st.columns(2, gap="medium")
    with left:
        options = sorted(named, key=lambda key: key != own)
        now = address.one("set", t("data.diff.now"), options, words.__getitem__, "set")
    with right:
        others = sorted((key for key in named if key != now), key=_near(named, now))
        before = address.one("with", t("data.diff.before"), others, words.__getitem__, "set")
    cursor = _both(named[now], named[before])
    if cursor is None:
        st.info(t("data.diff.gone"))
        return
    differences = view.differences(cursor, address.page_asked())
    address.page_note(differences.pages)
    counts = [(t(f"data.change.{code}"), str(n), "") for code, n in differences.counts.items()]
    counts.append((t("data.change.same"), str(differences.same), ""))
    safe.render(chips.tiles(counts, label=t("data.diff")))
    if differences.counts["gold"]:
        title = t("data.diff.danger", n=differences.counts["gold"])
        safe.render(chips.note(title, chips.muted(t("data.diff.danger.body"))))
    if differences.shown:
        rows = [_changed(one, named[now], named[before]) for one in differences.shown]
        head = [t(f"data.diff.col.{name}") for name in ("question", "change", "fields")]
        safe.render(safe.table(head, rows, caption=t("data.diff")))
    address.page_number(differences.pages)


def _near(named: Mapping[str, QuestionSet], now: str) -> Any:
    """Return a key that puts sets of the same name first: they are what a set was before."""
    return lambda key: named[key].name != named[now].name


def _option(one: QuestionSet) -> str:
    return f"{safe.plain(one.name)} ({one.n}) · {one.key}"


def _both(now: QuestionSet, before: QuestionSet) -> Cursor | None:
    paths = [run_file(store_dir(None), one.run.run_id, one.run.version) for one in (now, before)]
    if not all(path.is_file() for path in paths):
        return None
    found: Cursor = attach(*paths)
    return found


def _changed(one: Difference, now: QuestionSet, before: QuestionSet) -> list[str]:
    run = before.run.run_id if one.change == "removed" else now.run.run_id
    link = chips.link(one.question_id, "question", run=run, q=one.question_id)
    return [
        link,
        chips.badge(
            t(f"data.change.{one.change}"), chips.BAD if one.change == "gold" else "inherit"
        ),
        _sides(one),
    ]


def _sides(one: Difference) -> str:
    if not one.fields:
        return safe.plain(one.text)
    rows = [
        [t(f"data.field.{name}"), _value(name, was), _value(name, now)]
        for name, (was, now) in one.fields.items()
    ]
    head = [t("data.diff.col.field"), t("data.diff.before"), t("data.diff.now")]
    caption = f"{t('data.diff')} {safe.plain(one.question_id)}"
    return chips.lines(chips.muted(safe.plain(one.text)), safe.table(head, rows, caption=caption))


def _value(name: str, value: Any) -> str:
    if value is None or value == "" or value == []:
        return formats.DASH
    if name == "answerable":
        return t("word.yes" if value else "word.no")
    if name == "kind":
        return term("kind", str(value))
    if name == "evidence":
        return chips.lines(*(safe.plain(f"{one['doc_id']} · P{one['page']}") for one in value))
    if name == "gold":
        return chips.lines(*(safe.plain(_gold(one)) for one in value))
    return safe.plain(str(value))


def _gold(one: Mapping[str, Any]) -> str:
    parts = [
        f"{one['value']} {one['unit']}",
        one.get("metric"),
        term("scope", one.get("scope") or ""),
        term("attribution", one.get("attribution") or ""),
        one.get("period"),
        f"± {one['tolerance']}" if one.get("tolerance") else None,
        None if one.get("decimals") is None else t("data.decimals", n=one["decimals"]),
    ]
    return " · ".join(str(part) for part in parts if part)
