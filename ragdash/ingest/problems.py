"""What a file gave, and what kept it or some of its pages out of the corpus."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragdash.core.chunk import Page
    from ragdash.ingest.hidden import HiddenSpan


class ProblemKind(StrEnum):
    """Why a file or some of its pages did not go in; an ambiguous one did, but cannot be cited."""

    ENCRYPTED = "encrypted"
    DAMAGED = "damaged"
    EMPTY = "empty"
    IMAGE_ONLY = "image_only"
    NO_TEXT = "pages_without_text"
    AMBIGUOUS = "ambiguous_citation"


@dataclass(frozen=True, slots=True)
class IngestProblem:
    """One thing that did not go in; `pages` (from 1) is empty where it is the whole file."""

    doc_id: str
    file: str
    kind: ProblemKind
    pages: tuple[int, ...]
    message: str


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The pages of one file that hold text, how many there are in all, and what was wrong.

    `hidden` is what no reader of the pages sees; only an OCR layer of it is in their text too.
    """

    pages: tuple[Page, ...]
    n_pages: int
    problems: tuple[IngestProblem, ...]
    hidden: tuple[HiddenSpan, ...] = ()


def counted(bare: int, pages: int) -> str:
    """Begin a sentence on some of a file's pages: "3 of 9 pages hold", "1 of 9 pages holds"."""
    return f"{bare} of {pages} page{'s' * (pages != 1)} hold{'s' * (bare == 1)}"


def listed(pages: list[int]) -> str:
    """Name pages for a message, the first twenty of them."""
    shown = ", ".join(map(str, pages[:20]))
    return shown + (f" and {len(pages) - 20} more" if len(pages) > 20 else "")
