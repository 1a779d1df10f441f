"""The generation contract: fixed refusals, citation labels, and how both are written and read.

This is the only place that knows these forms; prompt, generator, parsers and gates import it.
Source: the project's public contract, section 3.
"""

from __future__ import annotations

from ragdash.contract.citations import (
    parse_citations,
    resolve,
    resolve_in_corpus,
    strip_citations,
)
from ragdash.contract.labels import (
    REFUSAL_EN,
    REFUSAL_ZH,
    canonical_label,
    chunk_header,
    label_for,
    refusal_text,
    shown_chunk,
    write_citation,
)
from ragdash.contract.refusal import Refusal, has_fixed_refusal, read_refusal, status_of

__all__ = [
    "REFUSAL_EN",
    "REFUSAL_ZH",
    "Refusal",
    "canonical_label",
    "chunk_header",
    "has_fixed_refusal",
    "label_for",
    "parse_citations",
    "read_refusal",
    "refusal_text",
    "resolve",
    "resolve_in_corpus",
    "shown_chunk",
    "status_of",
    "strip_citations",
    "write_citation",
]
