"""Labels, headers, citations and fixed refusals as they are written."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from typing import TYPE_CHECKING

from ragdash.core.chunk import DocType
from ragdash.core.errors import InputError

if TYPE_CHECKING:
    from ragdash.core.chunk import Chunk, Source

REFUSAL_ZH = "未在所给资料中检索到"
REFUSAL_EN = "Not found in the provided filings"

_YEAR = r"(199\d|20\d\d|2100)"
_PERIOD = re.compile(rf"(?:FY ?)?{_YEAR}(?:(Q[1-4]|H[12])|(-\d\d-\d\d))?", re.I)
_CHINESE_LABELS = {
    DocType.ANNUAL: "年报",
    DocType.ANNUAL_SUMMARY: "年报摘要",
    DocType.SEMIANNUAL: "半年报",
    DocType.SEMIANNUAL_SUMMARY: "半年报摘要",
    DocType.Q1: "一季报",
    DocType.Q3: "三季报",
}
_FORM_LABELS = {
    DocType.FORM_10K: "10-K",
    DocType.FORM_10Q: "10-Q",
    DocType.FORM_8K: "8-K",
    DocType.EARNINGS: "earnings",
    DocType.OTHER: "other",
}
_CHINESE_READ = re.compile(
    rf"{_YEAR}年?(?:(年报|年度报告|度报告)|(半年报|半年度报告)|(?:第?([一三])季报|第?([一三])季度报告))"
    r"(摘要)?"
)
_ANNUAL_SHORT = re.compile(rf"{_YEAR}年报(摘要)?")
_FORM_READ = re.compile(
    rf"(?:FY)?{_YEAR}(Q[1-4]|H[12])?(-\d\d-\d\d)?(10-K|10-Q|8-K|EARNINGS|OTHER)", re.I
)
_DASHES = str.maketrans({"‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-"})


def refusal_text(lang: str) -> str:
    """Return the fixed refusal sentence in a language: Chinese for "zh", English for all else."""
    return REFUSAL_ZH if lang == "zh" else REFUSAL_EN


def label_for(doc_type: DocType, period: str | None) -> str:
    """Return the citation label of a filing, such as `2023年报` or `FY2024 10-K`.

    Earnings releases and other documents, which the contract does not name, are written
    `2023Q1 earnings` and `2023 other`, without a period `undated other`.

    Args:
        doc_type: the kind of filing; decides the form.
        period: "2023", "2024Q2", "2023H1" or "2024-05-20"; None only off-filing.

    Raises:
        InputError: the period is missing for a filing, or in none of these forms.
    """
    if period is None:
        if doc_type is DocType.OTHER:
            return "undated other"
        raise InputError(f"A document of type {doc_type.value} has no period; name it, e.g. 2023.")
    match = _PERIOD.fullmatch(period.strip())
    if match is None or (match[3] and not _is_day(match[1] + match[3])):
        raise InputError(
            f"Period {period!r} of a document of type {doc_type.value} cannot be read; "
            "write 2023, 2024Q2 or 2024-05-20."
        )
    year, part, day = match[1], (match[2] or "").upper(), match[3] or ""
    if doc_type in _CHINESE_LABELS:
        return f"{year}{_CHINESE_LABELS[doc_type]}"
    if doc_type is DocType.FORM_10K:
        return f"FY{year} 10-K"
    return f"{year}{part}{day} {_FORM_LABELS[doc_type]}"


def canonical_label(label: str) -> str:
    """Return the written form of a label that was read in a tolerant one, or "" if it is none.

    `2023年年报`, `2023 年度报告` give `2023年报`; `2024 10-K` gives `FY2024 10-K`.
    Years 1990 to 2100 only.
    """
    tight = "".join(unicodedata.normalize("NFKC", label).translate(_DASHES).split())
    if short := _ANNUAL_SHORT.fullmatch(tight):
        return f"{short[1]}年报{short[2] or ''}"
    if match := _CHINESE_READ.fullmatch(tight):
        quarter = match[4] or match[5]
        if quarter and match[6]:
            return ""
        kind = f"{quarter}季报" if quarter else "半年报" if match[3] else "年报"
        return f"{match[1]}{kind}{match[6] or ''}"
    if form := _FORM_READ.fullmatch(tight):
        if form[3] and (tight[:2].upper() == "FY" or not _is_day(form[1] + form[3])):
            return ""
        name = form[4].lower() if form[4][0].isalpha() else form[4].upper()
        if name == "10-K":
            return "" if form[2] or form[3] else f"FY{form[1]} 10-K"
        return f"{form[1]}{(form[2] or '').upper()}{form[3] or ''} {name}"
    return "undated other" if tight.lower() == "undatedother" else ""


def _is_day(written: str) -> bool:
    try:
        date.fromisoformat(written)
    except ValueError:
        return False
    return True


def chunk_header(n: int, source: Source, page: int | None, lang: str) -> str:
    """Return the line above the n-th chunk of a prompt (n and page count from 1)."""
    word = "片段" if lang == "zh" else "Chunk "
    return f"{word}{n}|{_named(source, page)}"


def shown_chunk(n: int, chunk: Chunk, lang: str) -> str:
    """Return the n-th chunk (from 1) as a model sees it: its header, a new line, its text."""
    return f"{chunk_header(n, chunk.source, chunk.source_page, lang)}\n{chunk.text}"


def write_citation(source: Source, page: int | None) -> str:
    """Return the citation of one page (from 1) in the only form that is written here.

    Without a page, which only another system leaves out, it is a citation that resolves to none.
    """
    return f"({_named(source, page)})"


def _named(source: Source, page: int | None) -> str:
    return f"{source.company}·{source.label}" + ("" if page is None else f"·P{page}")
