"""No fixture makes a browser ask for anything, and none changes a character of the page."""

from __future__ import annotations

import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from ragdash.attack.cases import fixture_file, load_cases
from ragdash.attack.view import view_of
from ragdash.core.attack import ControlTrace, PolicyView, ViewChunk
from ragdash.store.runfile import publish_attack
from ragdash.ui.safe import is_hidden
from ragdash.views.attack_case import CHUNKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import ModuleType

    from playwright.sync_api import Browser, Page

READY = (
    "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]"
)
FILES = ("fixtures.jsonl", "variants.jsonl", "published_six.jsonl")
_HOST = re.compile(r"(?i)\b(https?:)?//[^\s/\"'<>)\]，。]+")
# Several texts stand in one chunk of the page: a page load takes seconds.
_TOGETHER = 8


class Beacon:
    """A server on loopback that keeps what it is asked for."""

    def __init__(self) -> None:
        asked: list[str] = []

        class Listening(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<img src='/control.png'>")

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.asked = asked
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Listening)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"


@pytest.fixture
def beacon() -> Iterator[Beacon]:
    made = Beacon()
    thread = threading.Thread(target=made.server.serve_forever, daemon=True)
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()


def hostile_texts(url: str) -> list[str]:
    """Every text of every fixture, all addresses in them those of the beacon, where it listens."""
    texts = []
    for name in FILES:
        for case in load_cases(fixture_file(name)):
            texts.append(case.query)
            texts += [chunk.text for chunk in view_of(case, frozenset()).chunks]
    return [_HOST.sub(url, text) for text in dict.fromkeys(texts)]


def as_shown(text: str) -> str:
    """A text with its hidden characters named, as the page is to show it."""
    return "".join(f"U+{ord(c):04X}" if is_hidden(c) else c for c in text)


def publish(build: ModuleType, store: Path, texts: list[str]) -> tuple[str, list[str]]:
    """Publish the texts as chunks, queries, answers, reasons and faults; return run and cases."""
    joined = ["\n\n".join(texts[i : i + _TOGETHER]) for i in range(0, len(texts), _TOGETHER)]
    rows, cases = [], []
    for at in range(0, len(joined), CHUNKS):
        part = joined[at : at + CHUNKS]
        view = PolicyView(
            part[0], tuple(ViewChunk(f"c{i}", t, trusted=False) for i, t in enumerate(part)), False
        )
        trace = tuple(
            ControlTrace("C3_detect", "quarantined", f"c{i}", f"why: {t[:190]}")
            for i, t in enumerate(part)
        )
        cases.append(f"case-{at}")
        rows += [
            build.make_attack_row(cases[-1], "baseline", view=view, answer=part[-1]),
            build.make_attack_row(cases[-1], "layered", view=view, answer=part[0], trace=trace),
            build.make_attack_row(cases[-1], "broken", view=view, error=part[0][:300]),
        ]
    policies = ("baseline", "layered", "broken")
    info = build.make_attack_info(n_cases=len(cases), policies=policies)
    summaries = [build.make_attack_summary(policy) for policy in policies]
    publish_attack(store, info, rows, summaries, "2026-11-30T10:00:00Z")
    return info.run_id, cases


def opened(page: Page, url: str) -> None:
    page.goto(url)
    page.wait_for_selector(READY, timeout=30_000)
    page.get_by_text("Attack fixtures").first.wait_for(timeout=15_000)


def test_no_fixture_asks_for_anything_or_changes_a_character(
    browser: Browser,
    serve: Callable[[Path], object],
    build: ModuleType,
    tmp_path: Path,
    beacon: Beacon,
) -> None:
    texts = hostile_texts(beacon.url)
    assert len(texts) > 150
    assert sum(beacon.url in text for text in texts) >= 4
    run, cases = publish(build, tmp_path / "store", texts)
    served = serve(tmp_path / "store")
    url = str(served.url)  # type: ignore[attr-defined]
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    seen: set[str] = set()
    for address in (f"?attack={run}", *(f"?attack={run}&case={case}" for case in cases)):
        opened(page, f"{url}/attacks{address}")
        if "case=" in address:
            page.get_by_text("The stored view").first.wait_for()
        seen |= set(
            page.eval_on_selector_all(
                "[data-testid=stHtml] div[style*='pre-wrap']", "es => es.map(e => e.textContent)"
            )
        )
        strange = "[data-testid=stMain] :is(img, iframe, script, object, embed, video, link)"
        assert page.locator(strange).count() == 0
        links = page.locator("[data-testid=stMain] a").evaluate_all("es => es.map(e => e.href)")
        assert [link for link in links if not link.startswith(url)] == []
    missing = [t for t in texts if not any(as_shown(t) in whole for whole in seen)]
    assert missing == []
    assert beacon.asked == []
    own = (url, url.replace("http", "ws", 1), "data:", "blob:")
    assert [r for r in requests if not r.startswith(own)] == []
    # The same beacon is asked as soon as a page draws a picture: the silence above means something.
    with page.expect_request(f"{beacon.url}/control.png"):
        page.goto(f"{beacon.url}/drawn")
    assert beacon.asked[:2] == ["/drawn", "/control.png"]
    context.close()
