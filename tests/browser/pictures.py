# ruff: noqa: T201
"""Take the pictures of the README, or every page in every dress, of a dashboard that is running.

    python tests/browser/pictures.py http://127.0.0.1:8501 RUN
    python tests/browser/pictures.py http://127.0.0.1:8501 RUN --every FOLDER

The first makes the six pictures beside this file anew, in few colours, so that they stay small. The
second is for looking: each page of RUN light and dark, in English and Chinese, 1440 and 390 pixels
wide.
The system's Chromium is driven; nothing is downloaded.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HERE = Path(__file__).parent
PICTURES = HERE / "pictures"
PAGES = ("", "compare", "triage", "question", "judge", "gates", "attacks", "reviews")
WIDE, PHONE = 1440, 390
_COLOURS = 200
_TALLEST = 5000
_READY = (
    "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]"
)
# Charts draw after the script has ended.
_SETTLE_MS = 1500


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture of `path`, from `top` down; sizes are CSS pixels, a height of 0 is the whole."""

    name: str
    path: str
    scheme: str = "light"
    width: int = WIDE
    height: int = 1000
    top: int = 0


# {run} is the run that is named on the command line, one of the demo.
README = (
    Shot("runs", "?run={run}", height=700),
    Shot("compare", "compare?run={run}", height=980),
    Shot("triage", "triage?run={run}:rerank&base={run}:dense", height=980),
    Shot("question", "question?run={run}:rerank&q=zh-look-11&tab=trace", "dark", top=860),
    Shot("gates", "gates?run={run}:hybrid&base=dense&lang=zh", height=900),
    Shot("attacks", "attacks", height=980),
)


def every() -> list[Shot]:
    """Return each page light and dark, in both languages, wide and on a phone, whole."""
    query = "{}?run={{run}}&lang={}"
    return [
        Shot(
            f"{page or 'runs'}-{scheme}-{lang}-{width}", query.format(page, lang), scheme, width, 0
        )
        for page in PAGES
        for scheme in ("light", "dark")
        for lang in ("en", "zh")
        for width in (WIDE, PHONE)
    ]


def take(browser: Browser, base: str, shot: Shot) -> bytes:
    """Return a picture as PNG; a height of 0 is the whole page."""
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height or 1000}, color_scheme=shot.scheme
    )
    try:
        page = context.new_page()
        page.goto(f"{base}/{shot.path}")
        _settled(page)
        if not shot.height:
            main = "(document.querySelector('[data-testid=stMain]') || document.body).scrollHeight"
            height = min(max(page.evaluate(main) + 20, 600), _TALLEST)
            page.set_viewport_size({"width": shot.width, "height": height})
            _settled(page)
        if shot.top:
            page.mouse.move(shot.width / 2, 500)
            page.mouse.wheel(0, shot.top)
            _settled(page)
        found: bytes = page.screenshot()
        return found
    finally:
        context.close()


def _settled(page: Page) -> None:
    page.wait_for_selector(_READY, timeout=60_000)
    page.wait_for_timeout(_SETTLE_MS)


def small(png: bytes) -> bytes:
    """Return a picture in few colours: pages have few, and a repository keeps every version."""
    from PIL import Image

    out = io.BytesIO()
    image = Image.open(io.BytesIO(png)).convert("RGB")
    # Rare colours carry the verdicts: they are kept apart rather than averaged away.
    few = image.quantize(_COLOURS, method=Image.Quantize.MAXCOVERAGE)
    few.save(out, "PNG", optimize=True)
    return out.getvalue()


def main() -> None:
    """Take the pictures and say what each weighs."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", help="address of a running `ragdash serve`")
    parser.add_argument("run", help="id of a run over questions in its store")
    parser.add_argument("--every", type=Path, metavar="FOLDER", help="every page, to look at")
    asked = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("chromium is not installed: apt-get install chromium fonts-noto-cjk")
    folder = asked.every or PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--disable-gpu"])
        for shot in every() if asked.every else README:
            path = shot.path.replace("{run}", asked.run)
            png = take(browser, asked.base.rstrip("/"), replace(shot, path=path))
            data = png if asked.every else small(png)
            (folder / f"{shot.name}.png").write_bytes(data)
            print(f"{shot.name}.png {len(data) / 1000:.0f} kB")
        browser.close()


if __name__ == "__main__":
    main()
