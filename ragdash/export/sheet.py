"""Rows as CSV that a spreadsheet opens as it was meant: UTF-8 with a mark, no cell a formula.

RFC 4180: commas, CRLF, quotes doubled. A byte order mark, or Excel reads Chinese as its code page.
"""

from __future__ import annotations

import csv
import io
import re
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# What Excel, LibreOffice or WPS may take for the beginning of a formula, the full-width forms too
# (OWASP, CSV Injection).
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
# NUL ends a cell in many readers, half of a surrogate pair has no UTF-8 form.
_UNKEEPABLE = re.compile("[\x00\ud800-\udfff]")
_BATCH = 500


def cell(value: object) -> str:
    """Return one value as the text of a cell; None is empty, a number stays one.

    Decimals keep every digit and take no exponent; a text that a spreadsheet would calculate gets
    a `'` before it.
    """
    if isinstance(value, str):
        return guarded(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, int | float):
        return repr(value)
    return guarded(str(value))


def guarded(text: str) -> str:
    """Return a text that no spreadsheet calculates; NUL and half surrogates are named."""
    kept = keepable(text)
    return f"'{kept}" if kept.startswith(_FORMULA) else kept


def keepable(text: str) -> str:
    """Return a text that every UTF-8 file can hold: `⟦U+0000⟧` in the place of NUL, and alike."""
    return _UNKEEPABLE.sub(lambda found: f"⟦U+{ord(found[0]):04X}⟧", text)


def written(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
    """Yield a CSV file in pieces: the mark, the head, then the rows as they come."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    buffer.write("\ufeff")
    writer.writerow([guarded(name) for name in head])
    for number, row in enumerate(rows, start=1):
        writer.writerow([cell(value) for value in row])
        if number % _BATCH == 0:
            yield _taken(buffer)
    yield _taken(buffer)


def _taken(buffer: io.StringIO) -> bytes:
    whole = buffer.getvalue().encode("utf-8")
    buffer.seek(0)
    buffer.truncate()
    return whole
