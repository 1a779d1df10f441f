"""The list of runs as markup, and the live ones with their progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.store.layout import store_dir
from ragdash.store.live import LiveRun, live_runs
from ragdash.store.registry import BASELINE
from ragdash.ui import address, chips, commands, formats, made, safe
from ragdash.ui.i18n import t, term
from ragdash.views.frame import named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.store.registered import RunRow, Tag
    from ragdash.views.runs import ModeLine, RunLine

_PAGE_SIZE = 25


def live() -> None:
    """Show the runs under way, renewed every two seconds while there are any."""
    under_way = live_runs(store_dir(None))
    st.session_state["runs.live"] = _names(under_way)
    if under_way:
        st.header(t("runs.live"))
        st.fragment(_progress, run_every=2)()


def _names(found: Sequence[LiveRun]) -> tuple[str, ...]:
    return tuple(run.run_id for run in found)


def _progress() -> None:
    under_way = live_runs(store_dir(None))
    if _names(under_way) != st.session_state.get("runs.live"):
        # One of them has ended or begun: the whole list has changed, not this part only.
        st.rerun()
    for run in under_way:
        words = t("runs.live.of", done=run.done, total=run.total)
        state = term("run", "running" if run.alive else "interrupted")
        safe.render(
            safe.join([chips.strong(run.run_id), "  ", chips.badge(state), "  ", safe.plain(words)])
        )
        st.progress(min(1.0, run.done / run.total) if run.total else 0.0)
        if not run.alive:
            commands.show(_resume(run))


def _resume(run: LiveRun) -> str:
    inputs = ("--corpus", "CORPUS", "--questions", "QUESTIONS.jsonl")
    return commands.line("run", *inputs, "--resume", run.run_id)


def paged(lines: Sequence[RunLine]) -> Sequence[RunLine]:
    """Offer the pages of a long list and return the runs of the one that the address names."""
    pages = -(-len(lines) // _PAGE_SIZE)
    address.page_note(pages)
    number = address.page_number(pages)
    return lines[(number - 1) * _PAGE_SIZE : number * _PAGE_SIZE]


def runs_table(lines: Sequence[RunLine]) -> safe.Markup:
    """Return the finished evaluations, one row a run, with a line for each mode."""
    head = [t(f"runs.col.{name}") for name in ("run", "modes", "inputs", "n", "tags", "open")]
    return safe.table(
        head, [_row(line) for line in lines], caption=t("runs.table"), numeric=frozenset({3})
    )


def _row(line: RunLine) -> list[str]:
    run = line.run
    generator = made.generator(named(run.config.get("generator")))
    return [
        chips.lines(
            chips.link(line.ref, "compare", run=line.ref),
            chips.muted(formats.when(run.started_at)),
            chips.muted(term("run", run.status)),
            _imported(run),
        ),
        chips.lines(*(_mode(line.ref, mode) for mode in line.modes)),
        chips.lines(
            safe.plain(run.questions_name),
            chips.muted(safe.plain(run.corpus_name or formats.DASH)),
            chips.muted(generator),
            *_judge(run),
            *_top_k(run),
        ),
        str(run.n_questions),
        chips.lines(*(_tag(line, tag) for tag in line.tags)) if line.tags else formats.DASH,
        chips.lines(
            *(chips.link(t(f"nav.{page}"), page, run=line.ref) for page in ("compare", "triage")),
            chips.link(t("nav.judge"), "judge", run=line.ref) if _is_judged(run) else "",
        ),
    ]


def _tag(line: RunLine, tag: Tag) -> safe.Markup:
    """Return a tag with the mode and version it stands for, and why; the baseline has a star."""
    star = "★ " if tag.name == BASELINE else ""
    of = f":{tag.ref.mode}" if tag.ref.mode else ""
    older = t("runs.tag.version", n=tag.ref.version) if tag.ref.version != line.run.version else ""
    return chips.lines(
        chips.badge(f"{star}{tag.name}{of}{older}"),
        chips.muted(
            t("runs.tag.why", reason=safe.plain(tag.reason), author=safe.plain(tag.author))
        ),
    )


def _imported(run: RunRow) -> str:
    """Return that the results are another system's, and of which."""
    if not run.config.get("imported"):
        return ""
    return chips.badge(t("runs.imported", system=made.system(run.config)))


def _top_k(run: RunRow) -> list[safe.Markup]:
    retrieval = run.config.get("retrieval")
    found = retrieval.get("top_k") if isinstance(retrieval, dict) else None
    return [chips.muted(t("runs.top_k", k=found))] if isinstance(found, int) else []


def _is_judged(run: RunRow) -> bool:
    judge = run.config.get("judge")
    return isinstance(judge, dict) and judge.get("kind") == "endpoint"


def _judge(run: RunRow) -> list[safe.Markup]:
    """Return who gave the signals, and that it is the generator itself where it is."""
    name = named(run.config.get("judge"))
    words = term("judge", name) if name else formats.DASH
    parts = [chips.muted(t("runs.judge", name=safe.plain(words)))]
    if run.environment.get("self_judged") is True:
        parts.append(chips.badge(t("judging.self.badge"), chips.BAD))
    return parts


def _mode(ref: str, mode: ModeLine) -> safe.Markup:
    accuracy = formats.DASH if mode.k is None else formats.share(mode.k, mode.n)
    return safe.Markup(
        '<div style="display:flex;flex-wrap:wrap;gap:.1rem .7em;align-items:center;'
        'min-width:min(22em,72vw);padding:.1rem 0">'
        f'<span style="flex:0 0 4.6em">{chips.link(mode.mode, "triage", run=f"{ref}:{mode.mode}")}'
        f'</span><span style="flex:1 1 12em">{chips.strip(mode.outcomes)}</span>'
        '<span style="flex:0 0 7em;text-align:right;font-variant-numeric:tabular-nums">'
        f'{safe.escape(accuracy)}</span><span style="flex:1 1 100%">{chips.muted(_gates(mode))}'
        f"{chips.muted(_spent(mode))}</span></div>"
    )


def _gates(mode: ModeLine) -> str:
    parts = [f"{term('metric', name)} {k}/{n}" for name, (k, n) in mode.gates.items()]
    return f"■ {' · '.join(parts)}" if parts else ""


def _spent(mode: ModeLine) -> str:
    """Return the seconds of a question, and calls and cost where endpoints were asked."""
    p50, p95 = formats.seconds(mode.p50_seconds), formats.seconds(mode.p95_seconds)
    parts = [t("runs.seconds", p50=p50, p95=p95)]
    if mode.calls:
        cost = formats.cost(mode.cost, mode.unpriced)
        parts.append(t("runs.calls", n=f"{mode.calls:,}", cost=cost))
    return " · ".join(parts)


def attack_runs_table(lines: Sequence[RunLine]) -> safe.Markup:
    """Return the attack runs, one row each."""
    head = [t(f"runs.col.{name}") for name in ("run", "fixtures", "n", "policies", "open")]
    body = [
        [
            chips.lines(
                chips.link(line.ref, "attacks", attack=line.ref),
                chips.muted(formats.when(line.run.started_at)),
            ),
            safe.plain(line.run.questions_name),
            str(line.run.n_questions),
            safe.plain(", ".join(m.mode for m in line.run.modes)),
            chips.link(t("nav.attacks"), "attacks", attack=line.ref),
        ]
        for line in lines
    ]
    return safe.table(head, body, caption=t("runs.attack.table"), numeric=frozenset({2}))
