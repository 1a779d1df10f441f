"""JSON lines in, one judgement a line out, with one line in memory at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragdash.check.fields import id_of, shown
from ragdash.core.errors import InputError
from ragdash.jsonlines import parse, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import BinaryIO

LONGEST_LINE = 4 * 1024 * 1024
"""Bytes; an answer with its chunks is well below, and a file without line ends is none of ours."""

_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Judged:
    """One line's judgement as JSON; for a bad line `fault` says what is wrong with it."""

    number: int
    result: dict[str, Any]
    fault: str = ""


def judge_lines(
    stream: BinaryIO, judge: Callable[[Mapping[str, Any]], dict[str, Any]], name: str = "the text"
) -> Iterator[Judged]:
    """Yield a judgement for each line that is not blank, in order.

    A bad line yields its number and the fault, with its id where it can be read. Memory depends on
    the longest line only, so that an id may stand twice unseen.

    Args:
        stream: UTF-8, a byte order mark and CRLF are taken.
        judge: a line's keys to the keys of its result; raises InputError for a bad line.
        name: what the stream is, for errors.

    Raises:
        InputError: the text cannot be read, or is UTF-16, where no line can be told.
    """
    for number, raw in _raw_lines(stream, name):
        given: object = None
        try:
            row = _row(raw)
            given = row.get("id")
            yield Judged(number, {"id": id_of(row), **judge(row)})
        except InputError as error:
            fault = str(error)
            kept = given if isinstance(given, str | int) and not isinstance(given, bool) else None
            yield Judged(number, {"id": kept, "line": number, "error": fault}, fault)


def _raw_lines(stream: BinaryIO, name: str) -> Iterator[tuple[int, bytes | None]]:
    """Yield numbered lines that are not blank, None for one that is too long."""
    number = 0
    while raw := _read(stream, name, LONGEST_LINE + 1):
        number += 1
        if number == 1:
            if raw.startswith(_UTF_16):
                raise InputError(f"{name} is UTF-16: save it as UTF-8")
            raw = raw.removeprefix(_BOM)
        if len(raw) > LONGEST_LINE:
            while raw and not raw.endswith(b"\n"):
                raw = _read(stream, name, LONGEST_LINE)
            yield number, None
        elif raw.strip():
            yield number, raw


def _read(stream: BinaryIO, name: str, most: int) -> bytes:
    try:
        return stream.readline(most)
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}; name a file") from error


def _row(raw: bytes | None) -> dict[str, Any]:
    if raw is None:
        raise InputError(f"longer than {LONGEST_LINE:,} bytes; write one answer a line")
    try:
        # NaN is refused in the keys that are read; in another, such as a latency, it does no harm.
        row = parse(raw.decode("utf-8"), nan=True)
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start + 1} of the line") from error
    except (ValueError, RecursionError) as error:
        why = printable(str(error).replace("line 1 column", "column"), 120)
        raise InputError(f"no JSON object ({why})") from error
    if not isinstance(row, dict):
        raise InputError(f"a JSON object is wanted, not {shown(row)}")
    return row
