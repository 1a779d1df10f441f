"""The Attacks page's part on the retriever: the stage at which each attack won or died."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.ui import address, chips, commands, formats, frame, safe
from ragdash.ui.i18n import t, term
from ragdash.views import pipeline_attacks as view
from ragdash.views import runs as runs_view

if TYPE_CHECKING:
    from ragdash.ui.attacks.attacking import Shown

_ALONE = "none"
_NAME = "attack-pipeline"


def section(shown: Shown) -> None:
    """Show how far hostile passages came in each mode; nothing where none went."""
    if not view.is_there(shown.facts, shown.cursor):
        return
    st.header(t("pipeline.title"))
    about = shown.facts.config.get("pipeline") or {}
    st.text(
        t(
            "pipeline.lead",
            n=about.get("hostile_passages", ""),
            chunks=about.get("chunks", ""),
            corpus=safe.plain(shown.facts.corpus or ""),
        )
    )
    st.subheader(t("pipeline.ended"))
    st.text(t("pipeline.ended.lead"))
    safe.render(_ended(shown))
    st.subheader(t("pipeline.byclass"))
    safe.render(_by_class(shown))
    st.subheader(t("pipeline.ranks"))
    st.text(t("pipeline.ranks.lead"))
    safe.render(_retrieved(shown))
    _cases(shown)


def absent(shown: Shown) -> None:
    """Say how to send hostile passages through a retriever, where none of the run went."""
    if view.is_there(shown.facts, shown.cursor):
        return
    st.header(t("pipeline.title"))
    st.text(t("pipeline.none"))
    commands.show(commands.line("attack", "--pipeline", "--corpus", "DIR"))
    with frame.registry() as found:
        known = [] if found is None else runs_view.newest(found, "attack")
    for run in known:
        if f"-{_NAME}-" in run.run_id:
            link = chips.link(t("pipeline.other"), "attacks", attack=run.run_id)
            safe.render(chips.lines(link))
            return


def _policy(name: str) -> str:
    return t("pipeline.alone") if name == _ALONE else safe.plain(name)


def _ended(shown: Shown) -> safe.Markup:
    head = [
        t("pipeline.mode"),
        t("pipeline.policy"),
        *(term("poison_stage", stage) for stage in view.STAGES),
    ]
    body = [
        [
            term("mode", row.mode),
            _policy(row.policy),
            *(_count(row.by_stage[stage]) for stage in view.STAGES),
        ]
        for row in view.ended(shown.cursor)
    ]
    numeric = frozenset(range(2, len(head)))
    return safe.table(head, body, caption=t("pipeline.ended"), numeric=numeric)


def _by_class(shown: Shown) -> safe.Markup:
    columns = [
        (mode, policy)
        for mode in view.modes(shown.cursor)
        for policy in view.policies(shown.cursor)
    ]
    head = [
        t("pipeline.class"),
        *(f"{term('mode', mode)} · {_policy(policy)}" for mode, policy in columns),
    ]
    body = [
        [
            term("class", name),
            *(_share(counts[c]) if c in counts else formats.DASH for c in columns),
        ]
        for name, counts in view.won_by_class(shown.cursor).items()
    ]
    numeric = frozenset(range(1, len(head)))
    return safe.table(head, body, caption=t("pipeline.byclass"), numeric=numeric)


def _retrieved(shown: Shown) -> safe.Markup:
    head = [
        t("pipeline.mode"),
        *(term("poison_rank", name) for name in view.RANKS),
        *(t(f"pipeline.{name}") for name in ("share", "worse", "lost")),
    ]
    body = [
        [
            term("mode", row.mode),
            *(_count(row.first[n]) if n in row.first else formats.DASH for n in view.RANKS),
            formats.share(row.hostile, row.shown) if row.shown else formats.DASH,
            _count(row.worse),
            _count(row.lost),
        ]
        for row in view.retrieved(shown.cursor)
    ]
    numeric = frozenset(range(1, len(head)))
    return safe.table(head, body, caption=t("pipeline.ranks"), numeric=numeric)


def _cases(shown: Shown) -> None:
    st.subheader(t("pipeline.cases"))
    st.text(t("pipeline.cases.lead"))
    modes = view.modes(shown.cursor)
    mode = address.one("way", t("pipeline.mode"), modes, lambda code: term("mode", code), "filter")
    _, pages = view.ways(shown.cursor, mode)
    numbers = [str(number) for number in range(1, pages + 1)]
    page = 1
    if pages > 1:
        page = int(address.one("ways", t("pipeline.page"), numbers, str, "filter"))
    found, _ = view.ways(shown.cursor, mode, page)
    safe.render(_table_of(shown, found))


def _table_of(shown: Shown, found: list[view.Way]) -> safe.Markup:
    policies = view.policies(shown.cursor)
    head = [
        t("pipeline.case"),
        t("pipeline.class"),
        *(term("place", name) for name in view.RANKS),
        t("pipeline.gold"),
        *(_policy(policy) for policy in policies),
    ]
    body = [
        [
            chips.link(safe.plain(way.case_id), "attacks", attack=shown.ref, case=way.case_id),
            chips.lines(
                safe.escape(term("class", way.attack_class)),
                "" if way.adversarial else chips.muted(t("pipeline.harmless")),
            ),
            *(_rank(way.ranks[name]) for name in view.RANKS),
            f"{_rank(way.gold_without)} → {_rank(way.gold_with)}",
            *(_end(way, policy) for policy in policies),
        ]
        for way in found
    ]
    numeric = frozenset(range(2, 2 + len(view.RANKS)))
    return safe.table(head, body, caption=t("pipeline.cases"), numeric=numeric)


def _end(way: view.Way, policy: str) -> str:
    stage, how, error = way.ended.get(policy, (None, "", ""))
    if error:
        return chips.lines(
            chips.badge(term("outcome", "error"), safe.MUTED), chips.muted(safe.plain(error))
        )
    if stage is None:
        return formats.DASH
    words = term("poison_stage", stage)
    if stage != "in_answer":
        return words
    channels = ", ".join(term("channel", code) for code in how.split(", ") if code)
    return chips.lines(chips.verdict(False, words), chips.muted(channels))


def _rank(rank: int | None) -> str:
    return formats.DASH if rank is None else str(rank)


def _share(count: view.Count) -> str:
    return formats.share(count.k, count.n) if count.n else formats.DASH


def _count(count: view.Count) -> str:
    if count.low is None or count.high is None:
        return formats.DASH
    return chips.lines(_share(count), chips.muted(f"{count.low:.2f}–{count.high:.2f}"))
