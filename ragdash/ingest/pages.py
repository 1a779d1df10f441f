"""Pages files: JSON lines of doc_id, page and text, where somebody else has read the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragdash.core.chunk import Page
from ragdash.core.errors import InputError
from ragdash.ingest.problems import IngestProblem, ProblemKind, ReadFile, counted, listed
from ragdash.jsonlines import explained, read_objects

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.ingest.hidden import HiddenSpan

MOST_PAGES = 9_999
"""The last page that a citation can name."""


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    doc_id: str
    page: int = Field(ge=1, le=MOST_PAGES)
    text: str


def read_pages_file(path: Path, doc_id: str, name: str) -> ReadFile:
    """Read the pages of one document.

    Args:
        path: the pages file.
        doc_id: what every line must say.
        name: how the manifest names the file, for messages.

    Returns:
        Pages by number; those without text are left out and named.

    Raises:
        InputError: any line is bad; every bad line is named.
    """
    faults: list[str] = []
    texts: dict[int, str] = {}
    for number, row in read_objects(path, faults):
        try:
            line = _Line.model_validate(row)
        except ValidationError as error:
            faults.append(f"line {number}: {explained(error)}")
            continue
        if line.doc_id != doc_id:
            faults.append(f"line {number}: doc_id is {line.doc_id!r}, the manifest says {doc_id!r}")
        elif line.page in texts:
            faults.append(f"line {number}: page {line.page} stands twice")
        else:
            texts[line.page] = readable(line.text)
    if faults:
        raise InputError(f"{name}: {'; '.join(faults)}. Nothing was read; mend these lines.")
    return pages_of(texts, doc_id, name)


def readable(text: str) -> str:
    """Line breaks as one newline, and no characters that stand for nothing readable."""
    text = "\n".join(text.splitlines())
    return "".join(c for c in text if c in "\n\t" or (c >= " " and not "\ud800" <= c <= "\udfff"))


def pages_of(
    texts: dict[int, str], doc_id: str, name: str, hidden: tuple[HiddenSpan, ...] = ()
) -> ReadFile:
    """Return the texts of a file's pages (from 1) as pages, with those that hold none named.

    A page beyond the last that a citation can name is left out and named.
    """
    beyond = {n for n in texts if n > MOST_PAGES}
    pages = tuple(
        Page(doc_id, n, texts[n]) for n in sorted(texts.keys() - beyond) if texts[n].strip()
    )
    bare = sorted(n for n, text in texts.items() if not text.strip())
    if not pages:
        why = f"{name} holds no page with text"
        problem = IngestProblem(doc_id, name, ProblemKind.EMPTY, tuple(bare), why)
        return ReadFile((), max(texts, default=0), (problem,), hidden)
    problems = []
    if bare:
        why = f"{name}: {counted(len(bare), len(texts))} no text: {listed(bare)}"
        problems.append(IngestProblem(doc_id, name, ProblemKind.NO_TEXT, tuple(bare), why))
    if beyond:
        why = f"{name}: pages beyond {MOST_PAGES:,} cannot be cited and are left out; split it"
        problems.append(
            IngestProblem(doc_id, name, ProblemKind.DAMAGED, tuple(sorted(beyond)), why)
        )
    return ReadFile(pages, max(texts), tuple(problems), hidden)
