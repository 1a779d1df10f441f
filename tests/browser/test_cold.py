"""A deep link to each page, each on a server nobody has opened, over hostile data, with a key set.

The first page of a server is where pages/ can be run without the frame around it. The data holds
every hazard string, so that each page is read to the last character; the environment holds a key,
which no page and no log may show.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

from ragdash.ui.frame import PAGES
from ragdash.ui.safe import is_hidden

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

READY = (
    "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]"
)
CANARY = "sk-canary-5e1f0a7b9c3d2468"
MARK, END = "ZZQ", "QZZ"
# With a mark before it each piece is found again, wherever it stands. The first is the whole of
# what a chart has room for.
HAZARDS = (
    "$1 … $2 from $5M to $7M",
    "30~35% 2022~2023 5~8%~",
    "12*3*4 __init__ # x",
    "- 1,234 万元",
    "![](http://beacon.example.org/b.png)",
    "<img src=http://beacon.example.org/i.png onerror=alert(1)>",
    "<style>body{display:none}</style><script>fetch('http://beacon.example.org/s')</script>",
    ":red[x] :material/lock: |a|b|",
    "</td></table><h1>x</h1> &amp; &lt;",
    "zero\u200bwidth bidi\u202egnp.exe\u2066 nul\x00 \ufffe",
)
TEXT = " ".join(f"{MARK}{at}{piece}{END}" for at, piece in enumerate(HAZARDS))


@pytest.fixture(scope="module")
def hostile(
    build: ModuleType,
    rich: ModuleType,
    judged: ModuleType,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """A store whose every free field is the hazard text."""
    store: Path = rich.make_rich_store(
        build, tmp_path_factory.mktemp("hostile") / "store", text=TEXT
    )
    judged.make_judged_run(build, rich, store, text=TEXT)
    return store


def settled(page: Page) -> None:
    page.wait_for_selector(READY, timeout=60_000)
    expect(page.locator("h1").first).to_be_visible(timeout=30_000)


def as_shown(piece: str) -> set[str]:
    """How a piece may read: as it is, hidden characters named in one of our two ways."""
    return {
        "".join(form.format(ord(c)) if is_hidden(c) else c for c in piece)
        for form in ("U+{:04X}", "⟦U+{:04X}⟧")
    }


def changed(shown: str) -> list[str]:
    """The places where a piece of the hazard text does not stand as it was written.

    A text may be cut, and says so: "…" and how much is left.
    """
    wrong = []
    for found in re.finditer(rf"{MARK}(\d)", shown):
        rest = shown[found.end() :]
        forms = [form + END for form in as_shown(HAZARDS[int(found[1])])]
        if not any(rest.startswith(form) or _is_cut(rest, form) for form in forms):
            wrong.append(found[0] + rest[:80])
    return wrong


def _is_cut(rest: str, form: str) -> bool:
    kept, dots, _ = rest[: len(form) + 3].partition("…")
    return bool(dots) and form.startswith(kept.rstrip())


@pytest.mark.parametrize("name", PAGES)
def test_a_cold_deep_link_shows_hostile_text_unchanged_and_asks_nobody_else(
    browser: Browser,
    serve: Callable[[Path], Any],
    hostile: Path,
    rich: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    served = serve(hostile)
    asked: list[str] = []
    said: list[str] = []
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    run = "" if name in ("runs", "attacks") else f"?run={rich.RUN}:hybrid"
    link = f"{served.url}/{'' if name == 'runs' else name}{run}"
    try:
        page.goto(link)
        settled(page)
        heading = page.locator("h1").first.inner_text()
        # The frame is there: this is no page file by itself.
        expect(page.get_by_role("link", name="Attacks", exact=True).first).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        shown = page.evaluate("document.body.textContent")
        assert MARK in shown
        assert changed(shown) == []
        # To another page and Back, then again from the start.
        away = "Judge" if name != "judge" else "Compare"
        page.get_by_role("link", name=away, exact=True).first.click()
        expect(page.locator("h1").first).not_to_have_text(heading, timeout=30_000)
        settled(page)
        page.go_back()
        expect(page.locator("h1").first).to_have_text(heading, timeout=30_000)
        settled(page)
        assert page.url.startswith(link)
        page.reload()
        settled(page)
        expect(page.locator("h1").first).to_have_text(heading)
        assert page.url.startswith(link)
        assert changed(page.evaluate("document.body.textContent")) == []
        assert CANARY not in page.content()
    finally:
        context.close()
    own = (served.url, served.url.replace("http", "ws", 1), "data:", "blob:")
    assert [url for url in asked if not url.startswith(own)] == []
    assert said == []
    assert CANARY not in (tmp_path / "server.log").read_text("utf-8", "replace")


def test_a_changed_character_is_seen() -> None:
    assert changed(TEXT.replace("\u200b", "U+200B")) != []
    shown = " ".join(f"{MARK}{i}{min(as_shown(p))}{END}" for i, p in enumerate(HAZARDS))
    assert changed(shown) == []
    for was, now in (("$1 … $2", "1 … 2"), ("30~35", "3035"), ("- 1,234", "1,234"), ("*3*", "3")):
        assert len(changed(shown.replace(was, now))) == 1
    assert changed(f"{MARK}0$1 … $2 from …+12 chars") == []
