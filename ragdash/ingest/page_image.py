"""A page of a PDF as a picture, with a chunk marked where its place is known.

Drawing a page runs much more of PDFium than reading its text, PDFium is not to be used by two
threads at once, and a page can be made to take for ever. So each page is drawn by a process of its
own (`ragdash.ingest.drawing`), with a limit on its time and memory, and without our environment.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from ragdash.ingest.drawing import DAMAGED, NO_PAGE, SECONDS

SLOW = "slow"
_PNG = b"\x89PNG\r\n\x1a\n"
# Beyond the limit on its own time, as a child may also wait for the processor.
_PATIENCE = 2 * SECONDS


class PageImageError(Exception):
    """A page was not drawn; `code` says why: slow, damaged or no_page."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class PageImage:
    """A page as PNG; `marks` counts the stretches of text that are marked, 0 for none found."""

    png: bytes
    marks: int


def page_image(path: Path, number: int, text: str) -> PageImage:
    """Draw a page and mark a chunk on it.

    Args:
        path: a PDF.
        number: of the page, from 1.
        text: of the chunk.

    Raises:
        PageImageError: the page took too long, the file is damaged, or it has no such page.
    """
    # As escapes: what is no valid text has no other form.
    request = json.dumps({"path": str(path.resolve()), "number": number, "text": text})
    try:
        done = subprocess.run(
            [sys.executable, "-m", "ragdash.ingest.drawing"],
            input=request.encode("ascii"),
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
            env=_environment(),
        )
    except subprocess.TimeoutExpired as error:
        raise PageImageError(SLOW) from error
    head, _, png = done.stdout.partition(b"\n")
    said = head.decode("ascii", "replace").strip()
    if done.returncode == 0 and png.startswith(_PNG) and said.isdecimal():
        return PageImage(png, int(said))
    if said in (NO_PAGE, DAMAGED):
        raise PageImageError(said)
    # A signal: its time or its memory was used up, or PDFium broke on the file.
    raise PageImageError(SLOW if -done.returncode in _USED_UP else DAMAGED)


_USED_UP = (9, 24)
"""SIGKILL and SIGXCPU, by number: Windows has neither name."""


def _environment() -> dict[str, str]:
    """Return what a child needs to start; keys of endpoints are not among it."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    root = str(Path(__file__).resolve().parents[2])
    return {**kept, "PYTHONPATH": root, "PYTHONSAFEPATH": "1", "OPENBLAS_NUM_THREADS": "1"}
