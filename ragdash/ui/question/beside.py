"""The same question of another side: another mode of the run, or a mode of another run.

`?base=` names it as on Compare and Triage: a mode, or RUN, RUN:mode or a tag.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.compare.factors import Side, comparability
from ragdash.core.errors import RagdashError
from ragdash.core.retrieval import Mode
from ragdash.core.score import MetricKind
from ragdash.store.stored import info_of
from ragdash.ui import chips, formats, frame, notes, refs, safe, sides, standing
from ragdash.ui.i18n import t, term
from ragdash.ui.question import detail, numbers
from ragdash.ui.review import people
from ragdash.views import question as view
from ragdash.views import runs as runs_view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.store.registered import RunRow
    from ragdash.views.question import ChunkRow, Detail, ScoreRow

_OFFERED = 50
_STEPS = ("dense", "bm25", "fused", "rerank", "final")


@dataclass(frozen=True, slots=True)
class Other:
    """The other side of a question; `ref` names it in an address."""

    ref: str
    mode: str
    run: RunRow
    found: Detail


def control(shown: frame.View, mode: str) -> None:
    """Offer the other modes of this run, and the other runs over the same questions."""
    options = ["", *(m for m in shown.facts.modes if m != mode), *_others(shown)]
    asked = st.query_params.get("base", "")
    if asked and asked not in options:
        options.append(asked)
    words = {ref: safe.plain(ref) if ref else t("beside.none") for ref in options}
    # By mode and run, so that another side's choice is not taken for this one's.
    key = f"pick.beside.{shown.ref}.{mode}"
    st.session_state[key] = asked

    def write() -> None:
        chosen = st.session_state[key]
        if chosen:
            st.query_params["base"] = chosen
        else:
            st.query_params.pop("base", None)

    st.selectbox(
        t("beside.pick"),
        options,
        format_func=words.__getitem__,
        key=key,
        on_change=write,
    )


def _others(shown: frame.View) -> list[str]:
    with refs.registry() as found:
        known = [] if found is None else runs_view.newest(found, "evaluation")
    digest = shown.run.questions_digest
    return [
        r.run_id for r in known if r.questions_digest == digest and r.run_id != shown.run.run_id
    ][:_OFFERED]


def asked(shown: frame.View, mode: str, question_id: str) -> Other | None:
    """Return the side that `?base=` names; what does not exist, or has no such question, is noted.

    Questions pair by set and id: the same id of another set is another question.
    """
    text = st.query_params.get("base")
    if text is None:
        return None
    base = sides.named(shown, text)
    if base is None:
        notes.note("beside", text)
        return None
    run = base.run or shown.run
    modes = [m.mode for m in run.modes]
    of = base.mode or (mode if mode in modes else modes[0])
    if base.run is None and of == mode:
        notes.note("beside.same", text)
        return None
    if run.questions_digest != shown.run.questions_digest:
        notes.note("beside.other_set", text)
        return None
    try:
        said = people.of(run.run_id, run.version)
        found = view.detail(frame.open_run(run), of, question_id, said)
    except RagdashError:
        notes.note("beside.unreadable", text)
        return None
    if found is None:
        notes.note("beside.no_row", text)
        return None
    return Other(refs.ref_of(run.run_id, run.version, of), of, run, found)


def panel(shown: frame.View, mode: str, found: Detail, other: Other) -> None:
    """Show both sides: outcome, layer and answer, then verdicts, gold ranks and chunks."""
    this = shown.of_mode(mode)
    names = (mode, other.mode) if other.run.run_id == shown.run.run_id else (this, other.ref)
    with st.container(border=True):
        st.header(t("beside.title"))
        safe.render(chips.muted(_standing(shown, mode, other)))
        for column, name, one, key in zip(
            st.columns(2, gap="medium"), names, (found, other.found), ("this", "base"), strict=True
        ):
            with column:
                _side(name, one, key)
        safe.render(_table(names, found, other.found))
        safe.render(_moved(names, found, other.found))
        link = chips.link(
            t("beside.open"), "question", run=other.ref, q=found.result["question_id"], base=this
        )
        safe.render(chips.spaced(link))


def _standing(shown: frame.View, mode: str, other: Other) -> str:
    pair = [
        Side(info_of(run), Mode(of), run.version, run.superseded)
        for run, of in ((other.run, other.mode), (shown.run, mode))
    ]
    return standing.words(comparability(*pair))


def _side(name: str, found: Detail, key: str) -> None:
    result = found.result
    parts: list[str] = [chips.strong(safe.plain(name)), chips.outcome(result["outcome"])]
    if result["caliber_verdict"] is not None:
        parts += detail.caliber_words(result)
    if lost := detail.lost(result):
        parts.append(chips.badge(lost))
    safe.render(chips.spaced(*parts))
    read, _ = numbers.of_answer(found)
    safe.text(
        result["answer"],
        key=f"beside.{key}",
        lang=found.question["lang"],
        spans=numbers.marks(read),
        limit=2_000,
    )


def _table(names: tuple[str, str], *both: Detail) -> safe.Markup:
    """Return the metrics that differ, how many do not, and the best gold rank of each stage."""
    found = [_by_metric(one) for one in both]
    metrics = list(dict.fromkeys([*found[0], *found[1]]))
    cells = {name: [_cell(one.get(name)) for one in found] for name in metrics}
    differ = [name for name in metrics if cells[name][0] != cells[name][1]]
    gates = {name for one in found for name, scores in one.items() if _is_gate(scores)}
    rows = [
        [f"{'■ ' if name in gates else ''}{term('metric', name)}", *cells[name]] for name in differ
    ]
    for step in _STEPS:
        ranks = [one.result[f"gold_{step}_rank"] for one in both]
        if any(rank is not None for rank in ranks):
            words = t("beside.gold_rank", step=t(f"trace.{step}"))
            rows.append([words, *(formats.count(rank) for rank in ranks)])
    head = [t("compare.metric"), *(safe.plain(name) for name in names)]
    same = chips.muted(t("beside.same_metrics", n=len(metrics) - len(differ)))
    return safe.join([safe.table(head, rows, caption=t("beside.table")) if rows else "", same])


def _by_metric(found: Detail) -> dict[str, list[ScoreRow]]:
    by_metric: dict[str, list[ScoreRow]] = {}
    for score in found.scores:
        if score.reason != "not_judged":
            by_metric.setdefault(score.metric, []).append(score)
    return by_metric


def _cell(scores: Sequence[ScoreRow] | None) -> str:
    return detail.value(scores) if scores else formats.DASH


def _is_gate(scores: Sequence[ScoreRow]) -> bool:
    return scores[0].kind is MetricKind.GATE


def _moved(names: tuple[str, str], *both: Detail) -> safe.Markup:
    """Return the chunks that one context alone holds, with the rank that the other side gave."""
    seen = [{_key(c): c for c in one.context} for one in both]
    parts = []
    for at, name in enumerate(names):
        alone = [c for key, c in seen[at].items() if key not in seen[1 - at]]
        title = t("beside.alone", name=safe.plain(name), n=len(alone))
        lines = [_told(chunk, names[1 - at], both[1 - at]) for chunk in alone]
        parts.append(chips.lines(chips.strong(title), *lines))
    shared = t("beside.shared", n=len(seen[0].keys() & seen[1].keys()))
    columns = "".join(f'<div style="min-width:0">{part}</div>' for part in parts)
    return safe.Markup(
        '<div style="display:grid;gap:.5rem 1.5rem;overflow-wrap:anywhere;font-size:.93rem;'
        f'grid-template-columns:repeat(auto-fit,minmax(min(100%,18rem),1fr))">{columns}</div>'
        f"{chips.muted(shared)}"
    )


def _key(chunk: ChunkRow) -> tuple[str, str, int | None, str]:
    """What makes a chunk the same in two runs, however these number theirs."""
    return chunk.company, chunk.label, chunk.source_page, chunk.text


def _told(chunk: ChunkRow, other: str, found: Detail) -> safe.Markup:
    there = next((c for c in found.chunks if c.chunk_id == chunk.chunk_id), None)
    words = (
        t("beside.rank_there", name=safe.plain(other), rank=there.final_rank)
        if there
        else t("beside.nowhere", name=safe.plain(other))
    )
    where = safe.plain(f"#{chunk.final_rank} {chunk.where}")
    star = chips.badge(t("question.gold_star"), "light-dark(#8A5A00,#FFD58A)")
    return chips.spaced(where, star if chunk.is_gold else "", chips.muted(words))
