"""The generation contract: fixed refusals, citation labels, and how both are written and read.

This is the only place that knows these forms; prompt, generator, parsers and gates import it.
Source: the project's public contract, section 3.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragdash.core.chunk import DocType
from ragdash.core.errors import InputError

if TYPE_CHECKING:
    from ragdash.core.chunk import Source

REFUSAL_ZH = "未在所给资料中检索到"
REFUSAL_EN = "Not found in the provided filings"

_PERIOD = re.compile(r"(?:FY ?)?((?:199\d|20\d\d|2100))(?:(Q[1-4]|H[12])|(-\d\d-\d\d))?", re.I)
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
    if match is None:
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


def chunk_header(n: int, source: Source, page: int, lang: str) -> str:
    """Return the line above the n-th chunk of a prompt (n and page count from 1)."""
    word = "片段" if lang == "zh" else "Chunk "
    return f"{word}{n}|{source.company}·{source.label}·P{page}"


def write_citation(source: Source, page: int) -> str:
    """Return the citation of one page (from 1) in the only form that is written here."""
    return f"({source.company}·{source.label}·P{page})"
