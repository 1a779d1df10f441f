"""Text that a file holds and no reader of the page sees: recorded, and kept out of chunks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

WHITE: Colour = (255, 255, 255)
LEAST_CONTRAST = 1.2
"""Contrast ratio (WCAG 2, 1 to 21) below which text cannot be told from what lies beneath it."""
TINY = 2.0
"""Points (in HTML, pixels); nobody reads smaller text."""
LONGEST = 2_000
"""Characters kept of one hidden span; how long it was is kept beside it."""


class HiddenKind(StrEnum):
    """Why a reader does not see a text.

    `OCR_LAYER` alone is read all the same: invisible text over a scanned page is its text.
    """

    COLOUR = "same_colour_as_background"
    TRANSPARENT = "transparent"
    TINY = "tiny"
    OFF_PAGE = "off_page"
    INVISIBLE = "invisible_render_mode"
    NOT_DISPLAYED = "not_displayed"
    ARIA_HIDDEN = "aria_hidden"
    XBRL_HIDDEN = "xbrl_hidden"
    OCR_LAYER = "ocr_layer"


@dataclass(frozen=True, slots=True)
class HiddenSpan:
    """A run of hidden text on a page (from 1); `length` counts its characters before the cut."""

    doc_id: str
    page: int
    kind: HiddenKind
    text: str
    length: int


def hidden_span(doc_id: str, page: int, kind: HiddenKind, text: str) -> HiddenSpan | None:
    """Return a span with its blanks run together, or None where it holds nothing readable."""
    text = " ".join(text.split())
    return HiddenSpan(doc_id, page, kind, text[:LONGEST], len(text)) if text else None


def alike(text: Colour, background: Colour) -> bool:
    """Whether text of one colour is unreadable on the other."""
    light, dark = sorted((_luminance(text), _luminance(background)), reverse=True)
    return (light + 0.05) / (dark + 0.05) < LEAST_CONTRAST


def _luminance(colour: Colour) -> float:
    """Relative luminance, 0 to 1 (WCAG 2.2, section "relative luminance")."""
    parts = [c / 255 for c in colour]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
