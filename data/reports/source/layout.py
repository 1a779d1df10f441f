"""Fonts, line breaking and the flowables of the demo reports."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportlab.lib import colors
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Flowable, Table, TableStyle

if TYPE_CHECKING:
    from collections.abc import Iterator

FONT_PLACES = (
    Path("/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"),
    Path("/usr/share/fonts/wqy-microhei/wqy-microhei.ttc"),
)
FONT_MISSING = (
    "No CJK font found: install the Debian package fonts-wqy-microhei (Apache-2.0 or GPL-3), "
    "or name a TrueType font with --font."
)
NEVER_FIRST = "，。；：、！？）》”％%)"
TOKEN = re.compile(
    r"[\w.,:/%()（+&'’\"“”$;!?-]*[A-Za-z0-9][\w.,:/%()+&'’\"”$;!?-]*|\s+|.", re.ASCII
)
NUMBER_CELL = re.compile(r"[-+$(（]*[\d,.]+[%)）]*|[-—]|不适用|约.*|")
INK = colors.HexColor("#20242a")
RULE = colors.HexColor("#9aa3ad")
SHADE = colors.HexColor("#eef1f4")


class FontMissingError(RuntimeError):
    """The CJK font is not installed."""


def find_font(given: Path | None = None) -> Path:
    """Return the path of the CJK font, or say which package brings it."""
    for place in (given,) if given else FONT_PLACES:
        if place.is_file():
            return place
    raise FontMissingError(FONT_MISSING)


def use_font(lang: str, given: Path | None = None) -> tuple[str, str]:
    """Register what the language needs and return (body font, heading font).

    Args:
        lang: "zh" or "en".
        given: a font file to use instead of the installed one.
    """
    if lang == "en":
        return "Helvetica", "Helvetica-Bold"
    if "Demo" not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont("Demo", str(find_font(given))))
    return "Demo", "Demo"


def break_lines(text: str, font: str, size: float, width: float) -> list[str]:
    """Break text into lines without cutting numbers or Latin words."""
    lines, line = [], ""
    for token in TOKEN.findall(text):
        fits = pdfmetrics.stringWidth(line + token, font, size) <= width
        if fits or not line or token in NEVER_FIRST:
            line += token
            continue
        lines.append(line.rstrip())
        line = token.lstrip()
    return [*lines, line.rstrip()] if line.strip() else lines


class TextBlock(Flowable):  # type: ignore[misc]
    """A paragraph of already broken lines that may split over pages."""

    def __init__(self, lines: list[str], font: str, size: float, indent: float = 0, **look: Any):
        super().__init__()
        self.lines, self.font, self.size, self.indent = lines, font, size, indent
        self.look = {"leading": size * 1.7, "after": size * 0.6, "align": "left", **look}

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        """Return the size this block needs."""
        self.room = width
        return width, len(self.lines) * self.look["leading"] + self.look["after"]

    def split(self, _width: float, height: float) -> list[Flowable]:
        """Cut the block at a line end when it does not fit."""
        fit = int(height // self.look["leading"])
        if fit < 2 or fit >= len(self.lines):
            return [] if fit < len(self.lines) else [self]
        head = TextBlock(self.lines[:fit], self.font, self.size, self.indent, **self.look)
        head.look["after"] = 0
        return [head, TextBlock(self.lines[fit:], self.font, self.size, **self.look)]

    def draw(self) -> None:
        """Draw line by line from the top."""
        canvas, leading = self.canv, self.look["leading"]
        canvas.setFillColor(INK)
        canvas.setFont(self.font, self.size)
        y = len(self.lines) * leading + self.look["after"] - self.size * 1.1
        for number, line in enumerate(self.lines):
            if self.look["align"] == "right":
                canvas.drawRightString(self.room, y, line)
            elif self.look["align"] == "center":
                canvas.drawCentredString(self.room / 2, y, line)
            else:
                canvas.drawString(self.indent if number == 0 else 0, y, line)
            y -= leading


class Mark(Flowable):  # type: ignore[misc]
    """Takes no room; tells the document on which page a section begins."""

    def __init__(self, heading: str, found: dict[str, int]):
        super().__init__()
        self.heading, self.found = heading, found

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Return the size this block needs: none."""
        return 0, 0

    def draw(self) -> None:
        """Record the page."""
        self.found[self.heading] = self.canv.getPageNumber()


def column_widths(
    columns: list[str], rows: list[list[str]], width: float, font: str
) -> list[float]:
    """Give the number columns what they need and the first column the rest."""
    size = 8.6
    need = []
    for index in range(1, len(columns)):
        cells = [row[index] for row in rows if index < len(row)]
        longest = max((pdfmetrics.stringWidth(c, font, size) for c in cells), default=0.0)
        head = min(88.0, pdfmetrics.stringWidth(columns[index], font, size))
        need.append(max(52.0, min(max(longest, head) + 12, width * 0.6 / (len(columns) - 1) + 30)))
    return [max(width * 0.24, width - sum(need)), *need]


def number_like(cell: str) -> bool:
    """Tell whether a cell is set flush right."""
    return NUMBER_CELL.fullmatch(cell.strip()) is not None


def build_table(columns: list[str], rows: list[list[str]], width: float, font: str) -> Table:
    """Set a table with a shaded head and numbers flush right."""
    size, widths = 8.6, column_widths(columns, rows, width, font)
    total = sum(widths)
    widths = [w * width / total for w in widths] if total > width else widths
    body = [
        ["\n".join(break_lines(c, font, size, w - 9)) for c, w in zip(row, widths, strict=True)]
        for row in [columns, *rows]
    ]
    style = [
        ("FONT", (0, 0), (-1, -1), font, size, size * 1.3),
        ("TEXTCOLOR", (0, 0), (-1, -1), INK),
        ("BACKGROUND", (0, 0), (-1, 0), SHADE),
        ("LINEABOVE", (0, 0), (-1, 0), 0.9, INK),
        ("LINEBELOW", (0, 0), (-1, -1), 0.3, RULE),
        ("LINEBELOW", (0, -1), (-1, -1), 0.9, INK),
        ("ALIGN", (1, 0), (-1, 0), "RIGHT"),
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ("TOPPADDING", (0, 0), (-1, -1), 2.6),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3.6),
        ("LEFTPADDING", (0, 0), (-1, -1), 4),
        ("RIGHTPADDING", (0, 0), (-1, -1), 4),
        *right_cells(rows),
    ]
    return Table(body, colWidths=widths, repeatRows=1, style=TableStyle(style))


def right_cells(rows: list[list[str]]) -> Iterator[tuple[object, ...]]:
    """Yield the style commands that set numbers flush right."""
    for number, row in enumerate(rows, start=1):
        for index, cell in enumerate(row):
            if index and number_like(cell):
                yield ("ALIGN", (index, number), (index, number), "RIGHT")
