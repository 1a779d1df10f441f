"""The Question page in a real browser: tabs by keyboard, reload, Back, and the other language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from types import ModuleType

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
READY = (
    "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]"
)


def settled(page: Page) -> None:
    page.wait_for_timeout(300)
    page.wait_for_selector(READY, timeout=60_000)
    expect(page.locator("h1").first).to_be_visible(timeout=30_000)


def tab_in_address(page: Page) -> list[str]:
    return parse_qs(urlsplit(page.url).query).get("tab", [])


def test_tabs_open_by_keyboard_and_come_back_with_reload_back_and_language(
    browser: Browser, served: Any, rich: ModuleType
) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    try:
        page.goto(f"{served.url}/question?run={rich.RUN}:dense&q=q06&base=rerank")
        settled(page)
        expect(page.get_by_role("heading", name="Side by side")).to_be_visible(timeout=20_000)
        page.get_by_role("tab", name="Chunks").focus()
        for key in ("ArrowRight", "ArrowRight", "Enter"):
            page.keyboard.press(key)
        chart = page.locator("[role=graphics-document]").first
        expect(chart).to_be_visible(timeout=20_000)
        assert tab_in_address(page) == ["trace"]
        assert "★ gold" in (chart.get_attribute("aria-label") or "")
        page.reload()
        settled(page)
        expect(page.get_by_role("tab", selected=True)).to_have_text("Rank trace", timeout=20_000)
        page.get_by_role("tab", name="History").click()
        expect(page.get_by_text("on view")).to_be_visible(timeout=20_000)
        assert tab_in_address(page) == ["history"]
        page.go_back()
        expect(page.get_by_role("tab", selected=True)).to_have_text("Rank trace", timeout=20_000)
        page.get_by_text("中文", exact=True).click()
        expect(page.get_by_role("tab", selected=True)).to_have_text("排序轨迹", timeout=20_000)
        expect(chart).to_have_attribute("aria-label", re.compile("★ 金标"), timeout=20_000)
        own = (served.url, served.url.replace("http", "ws", 1), "data:", "blob:")
        assert [r for r in requests if not r.startswith(own)] == []
    finally:
        context.close()
