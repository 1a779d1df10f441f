"""The ten-minute path: from the link of a run to a summary, by keyboard, in a browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from ragdash.cli.run import triage_link
from ragdash.core.retrieval import Mode

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType
    from typing import Any

    from playwright.sync_api import Browser, WebSocket

pytestmark = pytest.mark.browser

READY = (
    "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]"
)
expect.set_options(timeout=20_000)
# A part of a page is run by its id; a run of the whole page names none.
FRAGMENT = re.compile(rb"[0-9a-f]{32}")


def settled(page: Page) -> None:
    page.wait_for_selector(READY, timeout=30_000)
    expect(page.locator("h1").first).to_be_visible(timeout=15_000)
    # Streamlit takes up a button's shortcut shortly after it is drawn.
    page.wait_for_timeout(1200)


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def pressed(page: Page, name: str) -> None:
    button = page.get_by_role("button", name=re.compile(name))
    expect(button.first).to_have_text(re.compile("✓"))


def summary_of(page: Page, name: str) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    return download.value.path().read_text("utf-8")


def test_from_the_link_of_a_run_to_its_summary(
    browser: Browser,
    serve: Callable[[Path], Any],
    build: ModuleType,
    rich: ModuleType,
    tmp_path: Path,
) -> None:
    alone = serve(rich.make_rich_store(build, tmp_path / "store"))
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, accept_downloads=True)
    page = context.new_page()
    sent: list[bytes] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda data: sent.append(data if isinstance(data, bytes) else b""))

    page.on("websocket", listen)
    # As the last line of a run prints it, on the port of this server.
    link = triage_link(rich.RUN, (Mode.RERANK, Mode.HYBRID))
    page.goto(alone.url + link.partition(":8501")[2])
    settled(page)
    expect(page.get_by_text("One factor differs: mode")).to_be_visible()
    expect(page.get_by_text(f"6 of 6 questions paired with {rich.RUN}:rerank")).to_be_visible()
    expect(page.get_by_text("1 unscored")).to_be_visible()

    # The first regressed question is open: why it was lost, answer, gold and its ranks.
    expect(page.get_by_text("1 of 6", exact=True)).to_be_visible()
    main = page.get_by_test_id("stMain")
    expect(main.get_by_text("Lost at: business caliber")).to_be_visible()
    expect(main.get_by_text("Apple's total net sales").first).to_be_visible()
    expect(main.get_by_role("columnheader", name="Best gold rank")).to_be_visible()

    # Without a name nothing is saved, and nothing is lost.
    page.keyboard.press("3")
    pressed(page, "^✓ Ranking")
    page.wait_for_timeout(500)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Type your name first")).to_be_visible()
    name = page.get_by_label("Your name")
    name.fill("韩梅梅")
    name.press("Enter")
    expect(page.get_by_text("Draft kept, not saved yet")).to_be_visible()
    pressed(page, "^✓ Ranking")
    page.locator("h1").click()
    page.wait_for_timeout(1200)

    # Enter saves and opens the next one, and this part of the page alone is run for it.
    sent.clear()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Saved: Ranking")).to_be_visible()
    expect(page.get_by_text("2 of 6", exact=True)).to_be_visible()
    assert query(page)["q"] == ["q06"]
    runs = [data for data in sent if len(data) > 60]
    assert runs
    assert all(FRAGMENT.search(data) for data in runs)
    expect(main.get_by_text("by 韩梅梅").first).to_be_visible()

    # The second one agrees with the rule, with a flag and a note that means nothing to a page.
    page.wait_for_timeout(500)
    page.keyboard.press("3")
    pressed(page, "^✓ Ranking")
    page.keyboard.press("x")
    expect(page.get_by_role("button", name=re.compile("^Flagged Shortcut X"))).to_be_visible()
    note = page.get_by_label("Note")
    note.fill("from $1M to $2M <img src=x> ![](http://beacon.example.org/b.png)")
    page.get_by_role("button", name=re.compile("^Save and next")).click()
    expect(page.get_by_text("3 of 6", exact=True)).to_be_visible()
    page.wait_for_timeout(500)
    page.keyboard.press("k")
    expect(page.get_by_text("2 of 6", exact=True)).to_be_visible()
    expect(main.get_by_text("from $1M to $2M <img src=x>").first).to_be_visible()
    page.wait_for_timeout(500)
    page.keyboard.press("j")
    expect(page.get_by_text("3 of 6", exact=True)).to_be_visible()
    expect(page.get_by_text("2 of 6", exact=True)).to_have_count(0)

    # A draft and the name outlive a reload, and so does the question that is open.
    page.wait_for_timeout(500)
    page.keyboard.press("4")
    pressed(page, "^✓ Generation")
    expect(page.get_by_text("Draft kept, not saved yet")).to_be_visible()
    page.reload()
    settled(page)
    expect(page.get_by_text("3 of 6", exact=True)).to_be_visible()
    pressed(page, "^✓ Generation")
    expect(page.get_by_label("Your name")).to_have_value("韩梅梅")

    # A chip lists what it counts.
    page.get_by_role("button", name="Regressed 2").click()
    expect(page.get_by_text("2 of 6 questions")).to_be_visible()
    expect(page.get_by_role("button", name="Unreviewed 0")).to_be_visible()
    assert query(page)["change"] == ["regressed"]

    expect(page.get_by_text("agree on the layer of 1 of 2 reviewed")).to_be_visible()
    for kind, hazard in (("Markdown", "\\!\\[\\]"), ("HTML", "&lt;img src=x&gt;")):
        text = summary_of(page, f"Summary as {kind}")
        assert hazard in text
        assert "<img" not in text
        assert "韩梅梅" in text

    page.get_by_role("link", name="q06", exact=True).click()
    expect(page.locator("h1")).to_have_text("Question", timeout=15_000)
    context.close()


def test_help_and_the_list_need_no_mouse_and_fit_a_phone(
    browser: Browser, served, rich: ModuleType
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 900}, color_scheme="dark")
    page = context.new_page()
    page.goto(f"{served.url}/triage?run={rich.RUN}:dense&lang=zh")
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("h")
    expect(page.locator("dl").get_by_text("保存并看下一题")).to_be_visible()
    # A bar of the histogram lists its questions, and a second click every question again.
    page.locator("svg .mark-rect path").first.click()
    expect(page.get_by_text("6 题中的 1 题")).to_be_visible()
    assert query(page)["layer"] == ["ranking"]
    page.locator("svg .mark-rect path").first.click()
    expect(page.get_by_text("6 题中的 6 题")).to_be_visible()
    row = page.get_by_role("button", name="3", exact=True)
    row.focus()
    row.press("Enter")
    expect(page.get_by_text("第 3 / 6 题")).to_be_visible()
    context.close()
