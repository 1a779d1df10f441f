"""Time our reading of PDFs against bare pypdfium2, interleaved, and say how far apart they are.

Usage: python tests/bench/parse.py FOLDER_OF_PDFS [--repeats N]
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from pathlib import Path
from statistics import median

import pypdfium2

sys.path.insert(0, str(Path(__file__).parents[2]))

from ragdash.ingest.pdf import read_pdf


def bare(path: Path) -> int:
    """Read a file's text as pypdfium2 gives it; returns the number of pages."""
    document = pypdfium2.PdfDocument(path)
    pages = len(document)
    for page in document:
        textpage = page.get_textpage()
        textpage.get_text_range()
        textpage.close()
        page.close()
    document.close()
    return pages


def timed(read: object, *args: object) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    read(*args)  # type: ignore[operator]
    return time.process_time() - start


def main() -> None:
    """Print seconds and ratio by file and over all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    total_bare = total_ours = 0.0
    pages = 0
    for path in sorted(args.folder.glob("*.pdf")):
        ours, base = [], []
        for _ in range(args.repeats):
            base.append(timed(bare, path))
            ours.append(timed(read_pdf, path, path.stem, path.name))
        pages += bare(path)
        total_bare += median(base)
        total_ours += median(ours)
        ratio = median(ours) / median(base)
        print(f"{path.name:36} {median(base):7.2f} s {median(ours):7.2f} s {ratio:5.2f}x")  # noqa: T201
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    line = f"{pages} pages: bare {total_bare:.2f} s, ours {total_ours:.2f} s,"
    print(f"{line} ratio {total_ours / total_bare:.2f}, peak {peak:.0f} MB")  # noqa: T201


if __name__ == "__main__":
    main()
