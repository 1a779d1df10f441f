"""The Chunks tab: what the generator saw, the cut, gold that stayed below, and their pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.attack.view import TRUSTED_CHANNELS
from ragdash.core.retrieval import Extent
from ragdash.ui import chips, formats, safe
from ragdash.ui.i18n import t, term
from ragdash.ui.question import filing
from ragdash.ui.question.evidence import Figures, chunk_spans, figures
from ragdash.views.filing import brings_files

if TYPE_CHECKING:
    from ragdash.views.frame import RunFacts
    from ragdash.views.question import ChunkRow, CitationRow, Detail

_STEPS = ("dense", "bm25", "fused", "rerank")
_LIMIT = 4_000


def chunks(found: Detail, facts: RunFacts) -> None:
    """Show what the generator saw, the cut, and gold that stayed below it."""
    if not found.chunks:
        st.info(t(nothing(found)))
        return
    sought = figures(found)
    if not brings_files(facts):
        safe.render(chips.muted(t("leaf.imported")))
    for chunk in found.context:
        _chunk(chunk, found, sought, facts)
    safe.render(_cut(found.result["top_k"]))
    if found.lost_gold:
        st.header(t("question.below"))
        for chunk in found.lost_gold:
            _chunk(chunk, found, sought, facts)


def texts(found: Detail) -> None:
    """Show what the generator saw, without the pages; the cited chunks are marked."""
    if not found.context:
        st.info(t(nothing(found)))
    sought = figures(found)
    for chunk in found.context:
        with st.container(border=True):
            safe.render(_head(chunk, found))
            _text(chunk, sought)


def nothing(found: Detail) -> str:
    """Return the words on why there is no passage: none was retrieved, or none was given."""
    not_given = found.result["extent"] == Extent.NOT_GIVEN
    return "question.not_given" if not_given else "question.no_chunks"


def _cut(top_k: int) -> safe.Markup:
    return safe.Markup(
        f'<div style="border-top:2px dashed {safe.MUTED};padding-top:.3rem;color:{safe.MUTED};'
        f'font-size:.88rem">{safe.escape(t("question.cut", k=top_k))}</div>'
    )


def _chunk(chunk: ChunkRow, found: Detail, sought: Figures, facts: RunFacts) -> None:
    with st.container(border=True):
        if not brings_files(facts):
            safe.render(_head(chunk, found))
            _text(chunk, sought)
            return
        head, control = st.columns([4, 1], vertical_alignment="center")
        with head:
            safe.render(_head(chunk, found))
        with control:
            opened = filing.opened(chunk)
        if not opened:
            _text(chunk, sought)
            return
        left, right = st.columns(2, gap="medium")
        with left:
            _text(chunk, sought)
        with right:
            filing.show(facts, chunk)


def _head(chunk: ChunkRow, found: Detail) -> safe.Markup:
    parts: list[str] = [chips.strong(f"#{chunk.final_rank}"), safe.plain(chunk.where)]
    if chunk.is_gold:
        parts.append(chips.badge(t("question.gold_star"), "light-dark(#8A5A00,#FFD58A)"))
    if _is_cited(chunk, found.citations):
        parts.append(chips.badge(t("question.cited"), chips.LINK))
    parts.append(_trust(chunk.channel))
    lines = [chips.spaced(*parts)]
    if chunk.section:
        lines.append(chips.muted(safe.plain(chunk.section)))
    return safe.join(lines)


def _trust(channel: str | None) -> safe.Markup:
    """Return whether a document came by a channel that is trusted, and by which."""
    if channel is None:
        return chips.badge(t("chunk.trust.unknown"), safe.MUTED)
    trusted = channel in TRUSTED_CHANNELS
    words = t(
        "chunk.trusted" if trusted else "chunk.untrusted",
        channel=safe.plain(term("provenance", channel)),
    )
    return chips.badge(("✓ " if trusted else "! ") + words, safe.MUTED if trusted else chips.BAD)


def _text(chunk: ChunkRow, sought: Figures) -> None:
    safe.text(
        chunk.text,
        key=f"chunk-{chunk.final_rank}",
        lang=chunk.lang,
        spans=chunk_spans(chunk, sought),
        limit=_LIMIT,
    )
    known = any(getattr(chunk, f"{step}_rank") is not None for step in _STEPS)
    ranks = [_step(chunk, step) for step in (*(_STEPS if known else ()), "final")]
    safe.render(chips.muted(f"{' · '.join(ranks)} · {safe.plain(chunk.chunk_id)}"))


def _step(chunk: ChunkRow, step: str) -> str:
    """Return the rank at one step and its score: "BM25 3 (9.512)"."""
    rank, score = getattr(chunk, f"{step}_rank"), getattr(chunk, f"{step}_score")
    name = t(f"trace.{step}")
    if rank is None:
        return f"{name} {formats.DASH}"
    return f"{name} {rank}" + ("" if score is None else f" ({formats.score(score)})")


def _is_cited(chunk: ChunkRow, cited: tuple[CitationRow, ...]) -> bool:
    return any(
        (c.company, c.label) == (chunk.company, chunk.label) and chunk.source_page in c.pages
        for c in cited
    )
