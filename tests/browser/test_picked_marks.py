"""A bar or point that is clicked opens exactly the questions behind it, and the address says so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from types import ModuleType

    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser

READY = (
    "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]"
)


def opened(browser: Browser, url: str) -> Page:
    page = browser.new_page(viewport={"width": 1440, "height": 2400})
    page.goto(url)
    page.wait_for_selector(READY, timeout=60_000)
    return page


def clicked(mark: Locator) -> None:
    expect(mark).to_be_visible(timeout=30_000)
    box, before = mark.bounding_box(), None
    while box != before:
        # A chart grows for a moment after it is there.
        mark.page.wait_for_timeout(400)
        box, before = mark.bounding_box(), box
    assert box
    mark.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.parametrize("name", ["Where it was lost", "How far the passage came"])
def test_a_bar_of_the_funnel_opens_its_questions(
    browser: Browser, served: Any, rich: ModuleType, name: str
) -> None:
    page = opened(browser, f"{served.url}/funnel?run={rich.RUN}")
    lost = name == "Where it was lost"
    drawn = page.locator("[data-testid=stVegaLiteChart]").nth(1 if lost else 0)
    where = "lost=context" if lost else "kept=context"
    # The table beside the charts has the same numbers as links.
    link = page.locator(f'a[href*="{where}"][href*="dense"]').first
    expect(link).to_be_visible(timeout=30_000)
    (n,) = re.findall(r"\d+", link.inner_text())[:1]
    bars = drawn.locator("path[aria-roledescription=bar]")
    # A bar of nought has no width, and is there all the same.
    expect(bars.first).to_be_attached(timeout=30_000)
    clicked(labelled(bars, "step: In the context", "mode: dense"))
    page.wait_for_url(re.compile(rf"/triage\?(?=.*{where})(?=.*run={rich.RUN}%3Adense)"))
    words = f"{n} of {len(rich.TEXTS)} questions"
    expect(page.get_by_text(words)).to_be_visible(timeout=30_000)
    # The address alone lists the same.
    page.reload()
    expect(page.get_by_text(words)).to_be_visible(timeout=30_000)
    page.close()


def labelled(marks: Locator, *words: str) -> Locator:
    labels = [marks.nth(i).get_attribute("aria-label") or "" for i in range(marks.count())]
    return marks.nth(next(i for i, label in enumerate(labels) if all(w in label for w in words)))


def test_a_point_of_compare_opens_what_is_short_of_it(
    browser: Browser, served: Any, rich: ModuleType
) -> None:
    page = opened(browser, f"{served.url}/compare?run={rich.RUN}")
    points = page.locator("path[aria-roledescription=point]")
    expect(points.first).to_be_visible(timeout=30_000)
    clicked(labelled(points, "rate: 0.50", "mode: hybrid"))
    page.wait_for_url(re.compile(rf"/triage\?(?=.*short=)(?=.*run={rich.RUN}%3Ahybrid)"))
    page.close()
