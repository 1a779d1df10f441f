"""Scan-like pages: a picture of the page over a text layer with reading errors.

The picture shows the page as it was set. The text below it is what a poor reader
would have made of it: blanks inside numbers, numbers broken over a line, 0 read as O
and 1 read as l. The errors depend on the text alone, so that each run gives the same.
"""

from __future__ import annotations

import io
import random
import re
from typing import Any, ClassVar

import pypdfium2
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

NUMBER = re.compile(r"\d[\d,]*\.?\d*")
INVISIBLE = 3


def misread(text: str, dice: random.Random) -> list[str]:
    """Return the text as a poor reader gives it, in one or two lines."""
    number = NUMBER.search(text)
    if number is None or len(number[0]) < 8:
        return [text]
    choice, at = dice.random(), number.start() + dice.randrange(3, len(number[0]) - 2)
    if choice < 0.30:
        return [text[:at] + " " + text[at:].replace(".", ". ")]
    if choice < 0.40:
        return [text[:at], text[at:]]
    if choice < 0.62:
        misread_digits = number[0].translate({48: "O", 49: "l"})
        return [text[: number.start()] + misread_digits + text[number.end() :]]
    if choice < 0.72:
        return [text.replace(",", " , ")]
    return [text]


def page_pictures(pdf: bytes, pages: list[int]) -> dict[int, ImageReader]:
    """Render pages as grey, slightly crooked pictures of a scan."""
    document, pictures = pypdfium2.PdfDocument(pdf), {}
    for page in pages:
        picture = document[page - 1].render(scale=1.7, grayscale=True).to_pil().convert("L")
        angle = random.Random(page).uniform(-0.5, 0.5)
        turned = picture.rotate(angle, resample=Image.Resampling.BICUBIC, fillcolor=250)
        store = io.BytesIO()
        turned.point(lambda v: int(v * 0.93 + 10)).save(store, "JPEG", quality=38)
        pictures[page] = ImageReader(io.BytesIO(store.getvalue()))
    document.close()
    return pictures


class ScanCanvas(Canvas):  # type: ignore[misc]
    """A canvas that hides and damages the text of some pages."""

    pictures: ClassVar[dict[int, ImageReader]] = {}
    mute: ClassVar[frozenset[int]] = frozenset()
    size: ClassVar[tuple[float, float]] = (595.0, 842.0)

    def _put(self, draw: Any, x: float, y: float, text: str, **more: Any) -> None:
        page = self.getPageNumber()
        if page not in self.pictures:
            draw(x, y, text, **more)
        elif page not in self.mute:
            dice = random.Random(f"{page}|{text}")
            for number, part in enumerate(misread(text, dice)):
                draw(x, y - 7 * number, part, mode=INVISIBLE)

    def drawString(self, x: float, y: float, text: str, **more: Any) -> None:  # noqa: N802
        """Draw text, hidden and misread on a scanned page."""
        self._put(super().drawString, x, y, text, **more)

    def drawRightString(self, x: float, y: float, text: str, **more: Any) -> None:  # noqa: N802
        """Draw text flush right, hidden and misread on a scanned page."""
        self._put(super().drawRightString, x, y, text, **more)

    def drawCentredString(self, x: float, y: float, text: str, **more: Any) -> None:  # noqa: N802
        """Draw centred text, hidden and misread on a scanned page."""
        self._put(super().drawCentredString, x, y, text, **more)

    def showPage(self) -> None:  # noqa: N802
        """Lay the picture over what the page holds, then go on."""
        picture = self.pictures.get(self.getPageNumber())
        if picture is not None:
            self.drawImage(picture, 0, 0, *self.size)
        super().showPage()
