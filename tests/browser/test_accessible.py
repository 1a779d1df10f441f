"""axe-core on every page, light and dark, with every rule and nothing left out; then a phone."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from ragdash.ui.frame import PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

READY = (
    "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]"
)
# scheme, width, and the ground that shows that the scheme is on
LOOKS = (("light", 1440, "rgb(255, 255, 255)"), ("dark", 390, "rgb(15, 18, 22)"))
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
# A line for each element and rule, with what axe says of it.
RUN = """
async () => {
  const found = await axe.run(document, {resultTypes: ["violations"]});
  const lines = found.violations.flatMap((rule) => rule.nodes.map((node) =>
    `${rule.id}: ${node.target.join(" ")}: ${node.html.slice(0, 160)} | ${node.failureSummary}`));
  return {lines, passes: found.passes.length};
}
"""
# Beside every page as it opens: with a judge, and with a question that was lost.
MORE = (
    *("question?run={judged}&q=q02", "judge?run={judged}", "reviews?run={judged}&tab=agreement"),
    *("data?tab=documents", "data?tab=gold", "triage?where=outcom:wrong", "triage?where=茅台"),
)


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    """One tab for all pages."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def settled(page: Page) -> None:
    # A change of theme or width starts a run a moment later.
    page.wait_for_timeout(250)
    page.wait_for_selector(READY, timeout=60_000)
    expect(page.locator("h1").first).to_be_visible(timeout=30_000)
    page.wait_for_timeout(250)


def violations(page: Page) -> list[str]:
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate(RUN)
    assert found["passes"] > 20
    lines: list[str] = found["lines"]
    return lines


@pytest.mark.parametrize("address", [*PAGES, *MORE])
def test_no_page_breaks_a_rule_in_either_theme_or_scrolls_sideways_on_a_phone(
    tab: Page, served: Any, judged: ModuleType, address: str
) -> None:
    path = address.replace("runs", "").format(judged=judged.RUN)
    for scheme, width, ground in LOOKS:
        tab.set_viewport_size({"width": width, "height": 900})
        tab.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        if scheme == "light":
            # Once: theme and width then change in the open page, as a reader's do.
            tab.goto(f"{served.url}/{path}")
        settled(tab)
        shown = tab.get_by_test_id("stApp").evaluate("e => getComputedStyle(e).backgroundColor")
        assert shown == ground
        assert violations(tab) == []
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_a_page_that_breaks_rules_is_seen(tab: Page) -> None:
    tab.set_content(
        "<html lang=en><title>x</title><main><h1>x</h1><img src='data:,'>"
        "<p style='color:#bbb;background:#fff'>pale</p></main>"
    )
    tab.evaluate(AXE)
    lines = " ".join(tab.evaluate(RUN)["lines"])
    assert "image-alt" in lines
    assert "color-contrast" in lines
