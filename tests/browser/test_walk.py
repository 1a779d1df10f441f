from __future__ import annotations

import re
import socket
import urllib.request
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from ragdash.ui.frame import PAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

READY = (
    "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]"
)
# A rerun on shared cores can take longer than Playwright's five seconds.
expect.set_options(timeout=20_000)


@pytest.fixture
def requests() -> list[str]:
    """Every address the page asked for."""
    return []


@pytest.fixture
def open_tab(browser: Browser, requests: list[str]) -> Iterator[Callable[..., Page]]:
    """`open_tab(url, dark=True, width=390)` -> a page that has settled."""
    contexts = []

    def opened(url: str, *, dark: bool = False, width: int = 1440) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
        )
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.goto(url)
        settled(page)
        return page

    yield opened
    for context in contexts:
        context.close()


def settled(page: Page) -> None:
    page.wait_for_selector(READY, timeout=30_000)
    expect(page.locator("h1").first).to_be_visible(timeout=15_000)


def foreign(requests: list[str], own: str) -> list[str]:
    return [
        r
        for r in requests
        if not r.startswith((own, own.replace("http", "ws", 1), "data:", "blob:"))
    ]


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_a_walk_from_the_run_to_the_question_and_on(
    open_tab: Callable[..., Page], served, rich: ModuleType, requests: list[str]
) -> None:
    page = open_tab(served.url)
    page.get_by_role("link", name=rich.RUN).click()
    expect(page.locator("h1")).to_have_text("Compare", timeout=15_000)
    settled(page)
    expect(page.get_by_text("4 questions cannot separate the modes")).to_be_visible()
    page.get_by_role("region", name=re.compile("first failing layer")).get_by_role(
        "link"
    ).first.click()
    expect(page.locator("h1")).to_have_text("Triage", timeout=15_000)
    settled(page)
    assert query(page) == {"run": [f"{rich.RUN}:dense"], "layer": ["ranking"]}
    page.get_by_role("link", name="q06").click()
    expect(page.locator("h1")).to_have_text("Question", timeout=15_000)
    settled(page)
    expect(page.get_by_text("Lost at: ranking")).to_be_visible()
    # The filter came along: J and K walk the list that was filtered, until it is left.
    expect(page.get_by_text(re.compile(r"\d of \d filtered"))).to_be_visible()
    assert query(page)["layer"] == ["ranking"]
    page.get_by_role("button", name="Walk all questions").click()
    expect(page.get_by_text("6 of 6", exact=True)).to_be_visible()
    page.get_by_role("button", name=re.compile("Previous")).click()
    expect(page.get_by_text("5 of 6")).to_be_visible()
    assert query(page)["q"] == ["q05"]
    page.go_back()
    expect(page.get_by_text("6 of 6")).to_be_visible()
    page.get_by_role("link", name="Attacks", exact=True).click()
    expect(page.locator("h1")).to_have_text("Attack fixtures", timeout=15_000)
    settled(page)
    expect(page.get_by_text("A cost, not a score")).to_be_visible()
    assert query(page)["run"] == [f"{rich.RUN}:dense"]
    assert foreign(requests, served.url) == []


@pytest.mark.parametrize("name", PAGES)
def test_every_page_fits_a_phone_in_chinese_and_its_charts_have_words(
    open_tab: Callable[..., Page], served, name: str
) -> None:
    # English and both themes: test_accessible.
    page = open_tab(f"{served.url}/{name.replace('runs', '')}?lang=zh", dark=True, width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.get_by_test_id("stException")).to_have_count(0)
    for chart in page.locator("[role=graphics-document]").all():
        assert len(chart.get_attribute("aria-label") or "") > 40


def test_the_keyboard_walks_questions_and_reaches_links(
    open_tab: Callable[..., Page], served, rich: ModuleType
) -> None:
    page = open_tab(f"{served.url}/question?run={rich.RUN}:hybrid&q=q01")
    expect(page.get_by_text("1 of 6")).to_be_visible()
    # Streamlit takes up a button's shortcut shortly after it is drawn.
    page.wait_for_timeout(700)
    page.keyboard.press("j")
    expect(page.get_by_text("2 of 6")).to_be_visible()
    page.keyboard.press("k")
    expect(page.get_by_text("1 of 6")).to_be_visible()
    page = open_tab(f"{served.url}/triage")
    settled(page)
    link = page.get_by_role("link", name="q05", exact=True)
    expect(link).to_be_visible()
    reached = False
    for _ in range(60):
        page.keyboard.press("Tab")
        reached = link.evaluate("e => e === document.activeElement")
        if reached:
            break
    assert reached
    # Pressed on the link itself: a rerun may draw it anew and take the focus away.
    link.press("Enter")
    expect(page.locator("h1")).to_have_text("Question", timeout=15_000)
    assert query(page)["q"] == ["q05"]


def test_the_judge_page_fits_a_phone_and_leads_to_a_question_by_keyboard(
    open_tab: Callable[..., Page], served, judged: ModuleType, requests: list[str]
) -> None:
    page = open_tab(f"{served.url}/judge?run={judged.RUN}", dark=True, width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page = open_tab(f"{served.url}/judge?run={judged.RUN}&base=hybrid")
    expect(page.get_by_text("Faithful is not right.")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    tables = page.get_by_role("region", name="Agreement with the numeric gate")
    link = tables.get_by_role("link", name="q02", exact=True).first
    # A table is a stop of the Tab key, and its links are behind it.
    tables.focus()
    for _ in range(8):
        page.keyboard.press("Tab")
        if link.evaluate("e => e === document.activeElement"):
            break
    expect(link).to_be_focused()
    link.press("Enter")
    expect(page.locator("h1")).to_have_text("Question", timeout=15_000)
    settled(page)
    page.get_by_role("tab", name="Judge", exact=True).click()
    expect(page.get_by_text("Repeat 3").first).to_be_visible()
    expect(page.get_by_text("你是财务问答的评审")).to_have_count(0)
    page.get_by_text("The prompt that was sent").first.click()
    expect(page.get_by_text("你是财务问答的评审").first).to_be_visible()
    assert foreign(requests, served.url) == []


def test_hostile_data_sends_no_request_and_hides_nothing(
    open_tab: Callable[..., Page], served_hostile, judged: ModuleType, requests: list[str]
) -> None:
    # The other run of the store: test_cold.
    for name in (f"{name}?run={judged.RUN}" for name in ("compare", "question", "judge")):
        page = open_tab(f"{served_hostile.url}/{name}")
        page.wait_for_timeout(300)
        expect(page.locator("h1").first).to_be_visible()
        assert page.locator("img[src*=beacon]").count() == 0
    assert foreign(requests, served_hostile.url) == []


def test_headers_hold_on_every_answer(served) -> None:
    for path in ("/", "/question?q=x", "/_stcore/health"):
        with urllib.request.urlopen(served.url + path) as answer:
            policy = answer.headers["Content-Security-Policy"]
        assert "img-src 'self' data: blob:" in policy
        assert "connect-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy


def handshake(served, host: str) -> str:
    """The status line that a web socket handshake with a Host of one's own gets."""
    port = urlsplit(served.url).port
    lines = [
        "GET /_stcore/stream HTTP/1.1",
        f"Host: {host}:{port}",
        f"Origin: http://{host}:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version: 13",
        "",
        "",
    ]
    with socket.create_connection(("127.0.0.1", port), timeout=5) as raw:
        raw.sendall("\r\n".join(lines).encode())
        return raw.recv(200).decode("latin-1").splitlines()[0]


def test_a_page_of_another_host_cannot_talk_to_the_server(served) -> None:
    assert "101" in handshake(served, "localhost")
    assert "403" in handshake(served, "evil.example")
