"""Text files to pages, cut at form feeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.core.errors import InputError
from ragdash.ingest.decoding import MOST_BYTES, decoded
from ragdash.ingest.pages import pages_of, readable
from ragdash.ingest.problems import IngestProblem, ProblemKind, ReadFile

if TYPE_CHECKING:
    from pathlib import Path


def read_text(path: Path, doc_id: str, name: str, lang: str) -> ReadFile:
    """Read one text file.

    Args:
        path: the file.
        doc_id: goes into each page.
        name: how the manifest names the file, for messages.
        lang: the manifest's; decides the encoding where the bytes are not UTF-8.

    Returns:
        Pages with text, counted from 1; those between two form feeds that hold none are named. A
        file that cannot be read has none and one problem.
    """
    size = path.stat().st_size
    try:
        if size > MOST_BYTES:
            raise InputError(f"{name} has {size:,} bytes, more than {MOST_BYTES:,}; split it")
        text = decoded(path.read_bytes(), lang, name)
    except InputError as error:
        problem = IngestProblem(doc_id, name, ProblemKind.DAMAGED, (), str(error).rstrip("."))
        return ReadFile((), 0, (problem,))
    parts = text.split("\f")
    if len(parts) > 1 and not parts[-1].strip():
        # The last form feed ends the last page and begins none.
        parts.pop()
    texts = {n: readable(part) for n, part in enumerate(parts, start=1)}
    return pages_of(texts, doc_id, name)
