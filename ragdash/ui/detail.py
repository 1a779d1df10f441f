"""The Question page's parts: everything here may be data, so everything goes through safe."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.core.score import MetricKind
from ragdash.ui import calls, chips, formats, repeats, safe
from ragdash.ui.evidence import Figures, amount_spans, chunk_spans, figures
from ragdash.ui.i18n import EXTRACTIVE, current, judge, reason, t, term

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pandas as pd

    from ragdash.views.endpoints import CallRow
    from ragdash.views.question import ChunkRow, CitationRow, Detail, Listed, ScoreRow

_STEPS = ("dense", "bm25", "fused", "rerank", "final")


def option(listed: Mapping[str, Listed]) -> Callable[[str], str]:
    """Return how a question reads in the picker."""
    return lambda q: f"{safe.plain(q)} · {safe.plain(listed[q].text)}" if q in listed else q


def heading(found: Detail, mode: str) -> None:
    """Show the question, what it is about, and what became of it in every mode."""
    question = found.question
    safe.render(
        safe.Markup(
            f'<div lang="{"zh-CN" if question["lang"] == "zh" else "en"}" style="font-size:1.2rem;'
            'font-weight:600;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5">'
            f"{safe.to_markup(safe.plain(question['text'], 2000))}</div>"
        )
    )
    about = (question["company"], question["period"], term("kind", question["kind"]))
    parts: list[str] = [chips.badge(safe.plain(part)) for part in about if part]
    if not question["answerable"]:
        parts.append(chips.badge(t("triage.no_answer")))
    for other, code in found.outcomes.items():
        words = safe.join([f"{other} ", chips.outcome(code)])
        parts.append(chips.strong(words) if other == mode else words)
    safe.render(chips.spaced(*parts))
    if question["note"]:
        safe.render(chips.muted(f"{t('question.note')}: {safe.plain(question['note'])}"))


def diagnosis(found: Detail) -> None:
    """Show where the question was lost, the evidence, what to try and what will not help."""
    result, lang = found.result, current()
    if not result["layer"]:
        return
    body = [safe.plain(result[f"evidence_{lang}"] or "", None)]
    for key, column in (("question.try", "try"), ("question.no_help", "no_help")):
        words = result[f"{column}_{lang}"]
        if words:
            body.append(safe.join([chips.strong(t(key)), ": ", safe.plain(words, None)]))
    title = t("question.lost", layer=term("layer", result["layer"]))
    safe.render(chips.note(title, chips.lines(*body)))


def answer(found: Detail) -> None:
    """Show the answer verbatim, the amounts that decided the numeric gate marked."""
    result = found.result
    safe.text(
        result["answer"],
        key="answer",
        lang=found.question["lang"],
        spans=amount_spans(found.scores),
    )
    if result["answer_status"] == "error":
        safe.render(chips.muted(formats.missing("error", result["answer_reason"])))
    words = (
        t("question.extractive")
        if result["generator"] in EXTRACTIVE
        else f"{t('question.generator')}: {safe.plain(result['generator'])}"
    )
    safe.render(chips.muted(words))
    if result["outcome"] == "correct" and not result["caliber_reviewed"]:
        safe.render(chips.badge(t("question.unreviewed")))


def verdicts(found: Detail, *, gates: bool) -> safe.Markup:
    """Return the gates of this answer, or every other metric, with value or why there is none."""
    head = [t("compare.metric"), t("question.value"), t("question.reason")]
    by_metric: dict[str, list[ScoreRow]] = {}
    for score in found.scores:
        if (score.kind is MetricKind.GATE) == gates and score.reason != "not_judged":
            by_metric.setdefault(score.metric, []).append(score)
    rows = []
    for name, scores in by_metric.items():
        mark = {"gate": "■ ", "signal": "≈ "}.get(scores[0].kind.value, "")
        rows.append([mark + term("metric", name), _values(scores), _reason(scores)])
    return safe.table(head, rows, caption=t(f"question.verdicts.{'gates' if gates else 'others'}"))


def _values(scores: Sequence[ScoreRow]) -> str:
    return _value(scores[0]) if len(scores) == 1 else repeats.summary(scores)


def _value(score: ScoreRow) -> str:
    if score.value is None:
        return f"{formats.DASH} {term('status', score.status)}"
    if score.kind.value == "gate" and score.value in (0, 1):
        cost = score.metric == "over_refusal"
        passed = (score.value == 1) != cost
        return chips.verdict(passed, t("word.pass" if passed else "word.fail"))
    return formats.number(score.value)


def _reason(scores: Sequence[ScoreRow]) -> str:
    reasons = (reason(score.reason) for score in scores)
    words = dict.fromkeys([*reasons, judge(scores[0].judge)])
    return safe.plain(" · ".join(word for word in words if word))


def chunks(found: Detail) -> None:
    """Show what the generator saw, the cut, and gold that stayed below it."""
    if not found.chunks:
        st.info(t("question.no_chunks"))
        return
    sought = figures(found)
    for chunk in found.context:
        _chunk(chunk, found, sought)
    safe.render(_cut(found.result["top_k"]))
    if found.lost_gold:
        st.header(t("question.below"))
        for chunk in found.lost_gold:
            _chunk(chunk, found, sought)


def _cut(top_k: int) -> safe.Markup:
    return safe.Markup(
        f'<div style="border-top:2px dashed {safe.MUTED};padding-top:.3rem;color:{safe.MUTED};'
        f'font-size:.88rem">{safe.escape(t("question.cut", k=top_k))}</div>'
    )


def _chunk(chunk: ChunkRow, found: Detail, sought: Figures) -> None:
    where = f"{chunk.company} · {chunk.label} · P{chunk.source_page}"
    head: list[str] = [chips.strong(f"#{chunk.final_rank}"), safe.plain(where)]
    if chunk.is_gold:
        head.append(chips.badge(t("question.gold_star"), "light-dark(#8A5A00,#FFD58A)"))
    if _is_cited(chunk, found.citations):
        head.append(chips.badge(t("question.cited"), chips.LINK))
    ranks = [
        f"{t(f'trace.{step}')} {getattr(chunk, f'{step}_rank') or formats.DASH}" for step in _STEPS
    ]
    with st.container(border=True):
        safe.render(chips.spaced(*head))
        if chunk.section:
            safe.render(chips.muted(safe.plain(chunk.section)))
        safe.text(
            chunk.text,
            key=f"chunk-{chunk.final_rank}",
            lang=chunk.lang,
            spans=chunk_spans(chunk, sought),
            limit=4000,
        )
        safe.render(chips.muted(f"{' · '.join(ranks)} · {safe.plain(chunk.chunk_id)}"))


def _is_cited(chunk: ChunkRow, cited: tuple[CitationRow, ...]) -> bool:
    return any(
        (c.company, c.label) == (chunk.company, chunk.label) and chunk.source_page in c.pages
        for c in cited
    )


def trace(found: Detail, frame: pd.DataFrame) -> None:
    """Show the rank of every candidate at every step, and the best gold rank of each."""
    result = found.result
    if frame.empty:
        st.info(t("question.no_chunks"))
        return
    st.text(t("question.trace.lead", k=result["top_k"]))
    if found.question["answerable"]:
        best = [_rank(result[f"gold_{step}_rank"]) for step in _STEPS]
        head = [t("trace.best"), *(t(f"trace.{step}") for step in _STEPS)]
        safe.render(
            safe.table(
                head,
                [[t("trace.gold"), *best]],
                caption=t("trace.best.table"),
                numeric=frozenset(range(1, 6)),
            )
        )
    st.dataframe(
        _readable(frame),
        hide_index=True,
        column_config={t("trace.final"): st.column_config.NumberColumn(pinned=True)},
        placeholder=formats.DASH,
        alt=t("question.trace.table"),
    )


def _rank(rank: int | None) -> str:
    return formats.DASH if rank is None else str(rank)


def _readable(frame: pd.DataFrame) -> pd.DataFrame:
    shown = frame.copy()
    shown["is_gold"] = ["★" if gold else "" for gold in shown["is_gold"]]
    shown["in_context"] = [t("word.yes") if seen else t("word.no") for seen in shown["in_context"]]
    for column in ("source", "chunk_id"):
        shown[column] = [safe.plain(str(value)) for value in shown[column]]
    steps = [step for step in _STEPS if step != "final"]
    order = ["final_rank", "is_gold", "in_context", "source"]
    order += [f"{step}_rank" for step in steps] + [f"{step}_score" for step in steps]
    names = {
        "final_rank": t("trace.final"),
        "is_gold": t("trace.gold"),
        "in_context": t("trace.context"),
        "source": t("trace.source"),
        "chunk_id": t("trace.chunk"),
    }
    for step in steps:
        names[f"{step}_rank"] = t(f"trace.{step}")
        names[f"{step}_score"] = t("trace.score", step=t(f"trace.{step}"))
    return shown[[*order, "chunk_id"]].rename(columns=names)


def citations(found: Detail) -> None:
    """Show each citation with its three verdicts."""
    if not found.citations:
        st.info(t("citation.none"))
        return
    names = ("text", "names", "well_formed", "resolves", "supports")
    rows = [
        [
            safe.plain(c.text),
            safe.plain(" · ".join([c.company, c.label, *(f"P{p}" for p in c.pages)])),
            _flag(c.well_formed),
            _flag(c.resolves),
            _flag(c.supports),
        ]
        for c in found.citations
    ]
    head = [t(f"citation.{name}") for name in names]
    safe.render(safe.table(head, rows, caption=t("citation.table")))


def _flag(value: bool | None) -> str:
    if value is None:
        return formats.DASH
    return chips.verdict(value, t("word.yes") if value else t("word.no"))


def raw(found: Detail, made: Sequence[CallRow]) -> None:
    """Show the stored records as they are: prompt, reply, scores, facts."""
    result = found.result
    retrieve, generate = result["retrieve_seconds"], result["generate_seconds"]
    st.text(t("raw.timing", retrieve=formats.seconds(retrieve), generate=formats.seconds(generate)))
    for call in made:
        if call.stage == "generate":
            safe.render(calls.facts(call))
    st.header(t("raw.prompt"))
    if result["prompt"]:
        safe.verbatim(result["prompt"], key="prompt")
    else:
        st.text(t("raw.prompt.none"))
    st.header(t("raw.reply"))
    safe.verbatim(result["raw"], key="raw")
    with st.expander(t("raw.scores")):
        safe.json(
            [
                {
                    "metric": s.metric,
                    "repeat": s.repeat,
                    "value": s.value,
                    "status": s.status,
                    "reason": s.reason,
                    "judge": s.judge,
                    "evidence": s.evidence,
                }
                for s in found.scores
            ]
        )
    if result["diagnosis_facts"] is not None:
        with st.expander(t("raw.diagnosis")):
            safe.json(result["diagnosis_facts"])
