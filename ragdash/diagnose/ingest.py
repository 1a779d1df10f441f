"""Lost at ingest: the gold is in no chunk, or in none so that it can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from ragdash.core.diagnosis import Diagnosis, Layer, Sentence
from ragdash.diagnose.advice import found
from ragdash.diagnose.digits import misread_digits, other_scale, other_sign, split_number
from ragdash.diagnose.kept import elsewhere, neighbours, sought
from ragdash.diagnose.places import listed, place, place_of, stated
from ragdash.jsonlines import printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.core.question import Evidence, Gold, Question
    from ragdash.diagnose.kept import ByPage

Golds: TypeAlias = "Mapping[Evidence, Sequence[Chunk]]"


def lost_at_ingest(question: Question, gold: Golds, pages: ByPage) -> Diagnosis | None:
    """Return why the corpus cannot give the gold; None where it can."""
    missing = [evidence for evidence, chunks in gold.items() if not chunks]
    if missing and (len(missing) == len(gold) or question.needs_every_page):
        return _no_chunk(missing, sought(question, gold), pages)
    unread = sought(question, gold)
    return _unreadable(unread[0], gold, pages) if unread else None


def _no_chunk(missing: Sequence[Evidence], wanted: Sequence[Gold], pages: ByPage) -> Diagnosis:
    first = missing[0]
    names = listed(place(e) for e in missing)
    facts: dict[str, Any] = {"pages": [{"doc_id": e.doc_id, "page": e.page} for e in missing]}
    near = neighbours(first, pages)
    if not near:
        doc = printable(first.doc_id)
        return found(
            Layer.INGEST,
            "document_not_indexed",
            Sentence(
                f"No chunk of the index comes from document {doc}, which holds evidence page "
                f"{names.en}.",
                f"索引中没有文件 {doc} 的任何片段，而证据页 {names.zh} 在该文件中。",
            ),
            facts,
        )
    last = near[0].source.n_pages
    if last is not None and first.page > last:
        return found(
            Layer.INGEST,
            "page_beyond_document",
            Sentence(
                f"No chunk of the index comes from evidence page {names.en}: the document has "
                f"{last} pages.",
                f"索引中没有来自证据页 {names.zh} 的片段：该文件共 {last} 页。",
            ),
            {**facts, "n_pages": last},
        )
    around = listed(f"P{chunk.source_page}" for chunk in near)
    others = _others(first, wanted, {e.page for e in missing if e.doc_id == first.doc_id}, pages)
    also, also_zh = _also_on(others)
    return found(
        Layer.INGEST,
        "page_not_indexed",
        Sentence(
            f"No chunk of the index comes from evidence page {names.en}, the nearest are from "
            f"{around.en}: a gap of parsing or chunking{also}.",
            f"索引中没有来自证据页 {names.zh} 的片段，最近的片段来自 {around.zh}：解析或切分有缺口"
            f"{also_zh}。",
        ),
        {**facts, "nearest": [c.source_page for c in near], "printed_on": _facts_of(others)},
    )


def _unreadable(figure: Gold, gold: Golds, pages: ByPage) -> Diagnosis:
    """Tell apart why the evidence pages are there and no chunk prints the figure."""
    on_page = {e: chunks for e, chunks in gold.items() if chunks}
    names = listed(place(e) for e in on_page)
    want = stated(figure)
    facts: dict[str, Any] = {
        "gold": str(figure.value),
        "unit": figure.unit,
        "pages": [{"doc_id": e.doc_id, "page": e.page} for e in on_page],
    }
    for chunks in on_page.values():
        known = _read_otherwise(figure, chunks, facts)
        if known is not None:
            return known
    for evidence in on_page:
        own = {e.page for e in gold if e.doc_id == evidence.doc_id}
        others = _others(evidence, [figure], own, pages)
        if others:
            there = listed(place_of(c) for c in others)
            return found(
                Layer.INGEST,
                "wrong_page",
                Sentence(
                    f"No chunk of {names.en} prints {want}; it is printed on {there.en}.",
                    f"{names.zh} 的片段没有印出 {want}；印有该数字的是 {there.zh}。",
                ),
                {**facts, "printed_on": _facts_of(others)},
            )
    return found(
        Layer.INGEST,
        "not_printed_on_page",
        Sentence(
            f"Indexed, but no chunk of {names.en} prints {want}, nor does another page of "
            "the document (text lost or misread, or a wrong page or figure in the question).",
            f"{names.zh} 已入索引，但没有片段印出 {want}，该文件其他页也没有（文本缺失或误识，"
            "或题目的页码、金标有误）。",
        ),
        facts,
    )


def _read_otherwise(
    figure: Gold, chunks: Sequence[Chunk], facts: dict[str, Any]
) -> Diagnosis | None:
    where, want = place_of(chunks[0]), stated(figure)
    broken = split_number(chunks, figure)
    if broken is not None:
        shown = printable(broken)
        return found(
            Layer.INGEST,
            "split_number",
            Sentence(
                f"{where} prints {want} in pieces ({shown}): no chunk holds it whole.",
                f"{where} 上的 {want} 被断开（{shown}）：没有片段完整写出它。",
            ),
            {**facts, "written": broken},
        )
    turned = other_sign(chunks, figure)
    scaled = None if turned else other_scale(chunks, figure)
    if turned or scaled:
        chunk, amount = turned or scaled  # type: ignore[misc]
        written = printable(amount.text)
        read = f"{amount.value:,f} {amount.currency or amount.kind.value}"
        read_zh = f"{amount.value:,f}" + (f" {amount.currency}" if amount.currency else "")
        more = {**facts, "written": amount.text, "read_as": str(amount.value)}
        more |= {"kind": amount.kind.value, "chunk_id": chunk.chunk_id}
        lost, lost_zh = ("sign", "符号") if turned else ("unit or header line", "单位行或表头")
        return found(
            Layer.INGEST,
            "lost_sign" if turned else "lost_unit",
            Sentence(
                f"{where} prints the digits of {want} ({written}), but they read as {read}: the "
                f"{lost} is lost.",
                f"{where} 印有 {want} 的各位数字（{written}），但读作 {read_zh}：{lost_zh}已丢失。",
            ),
            more,
        )
    misread = misread_digits(chunks, figure)
    if misread is None:
        return None
    shown = printable(misread)
    return found(
        Layer.INGEST,
        "misread_digits",
        Sentence(
            f"{where} prints {want} with letters for digits ({shown}): misread by OCR or parser.",
            f"{where} 上的 {want} 有数字被识成字母（{shown}）：OCR 或解析误识。",
        ),
        {**facts, "written": misread},
    )


def _others(
    evidence: Evidence, figures: Sequence[Gold], own: set[int], pages: ByPage
) -> list[Chunk]:
    return [c for figure in figures for c in elsewhere(figure, evidence.doc_id, own, pages)]


def _also_on(others: Sequence[Chunk]) -> tuple[str, str]:
    if not others:
        return "", ""
    names = listed(f"P{chunk.source_page}" for chunk in others)
    return f"; the figure is also printed on {names.en}", f"；{names.zh} 也印有该数字"


def _facts_of(chunks: Sequence[Chunk]) -> list[dict[str, Any]]:
    return [
        {"chunk_id": c.chunk_id, "doc_id": c.source.doc_id, "page": c.source_page} for c in chunks
    ]
