"""The sentence of the visible chunks that shares most with a question that asks for prose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragdash.contract import write_citation
from ragdash.index.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.generate.reading import Reading

_END = re.compile(r"(?<=[。！？；!?;])|(?<=[a-z)]\.)(?=\s)|\n\s*\n")
_ENOUGH = 0.5
_LONGEST = 400


def best_sentence(reading: Reading, context: Sequence[Chunk]) -> str | None:
    """Return the cited sentence that covers most words of a question, None below half of them."""
    companies = {t.company for t in reading.targets}
    best: tuple[float, int, str] | None = None
    for rank, chunk in enumerate(context, 1):
        if chunk.source.company not in companies or not reading.words:
            continue
        for part in _END.split(chunk.text):
            sentence = " ".join(part.split()).rstrip("。.")
            shared = len(reading.words & set(tokenize(sentence))) / len(reading.words)
            if shared >= _ENOUGH and len(sentence) <= _LONGEST:
                cited = f"{sentence}{write_citation(chunk.source, chunk.source_page)}"
                best = max(best or (0.0, 0, ""), (shared, -rank, cited))
    return best[2] if best else None
