"""A filter is typed, the list follows, and what is downloaded is what the command line gives."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from ragdash.cli import invoke

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
READY = (
    "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]"
)


def opened(browser: Browser, address: str, **dress: object) -> Page:
    context = browser.new_context(accept_downloads=True, **dress)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector(READY, timeout=30_000)
    return page


def where(page: Page) -> list[str]:
    return parse_qs(urlsplit(page.url).query).get("where", [])


def test_a_filter_is_typed_and_its_list_downloaded(
    browser: Browser, served, rich: ModuleType, tmp_path: Path
) -> None:
    page = opened(browser, f"{served.url}/triage?run={rich.RUN}:dense&lang=en")
    box = page.get_by_label("Filter", exact=True)
    expect(page.get_by_text("6 of 6 questions", exact=True)).to_be_visible(timeout=20_000)
    # Letters that are shortcuts of the page are letters here.
    box.fill("")
    box.press_sequentially("outcom:wrong xjk123")
    box.press("Enter")
    expect(
        page.get_by_text(re.compile("unknown field outcom: did you mean outcome"))
    ).to_be_visible()
    expect(box).to_have_value("outcom:wrong xjk123")
    expect(page.get_by_text("6 of 6 questions", exact=True)).to_be_visible()
    box.fill("outcome:wrong 茅台")
    box.press("Enter")
    expect(page.get_by_text("1 of 6 questions", exact=True)).to_be_visible()
    assert where(page) == ["outcome:wrong 茅台"]
    page.reload()
    page.wait_for_selector(READY, timeout=30_000)
    expect(page.get_by_label("Filter", exact=True)).to_have_value("outcome:wrong 茅台")
    for ending, name in (("csv", "CSV"), ("html", "Report")):
        page.get_by_role("button", name="Download", exact=False).first.click()
        with page.expect_download(timeout=30_000) as download:
            page.get_by_role("button", name=name, exact=False).click()
        path = tmp_path / f"rows.{ending}"
        words = ["export", f"{rich.RUN}:dense", "--where", "outcome:wrong 茅台", "-o", str(path)]
        assert invoke([*words, "--store", str(served.store)]) == 0
        assert download.value.path().read_bytes() == path.read_bytes()
        page.keyboard.press("Escape")
    page.context.close()


def test_a_report_of_hostile_text_asks_for_nothing(
    browser: Browser, build: ModuleType, rich: ModuleType, tmp_path: Path
) -> None:
    beacon = "http://beacon.example.org/b.png"
    text = f"![x]({beacon}) <img src='{beacon}'> <script>fetch('{beacon}')</script> <style>*{{"
    store = rich.make_rich_store(build, tmp_path / "store", text=text)
    path = tmp_path / "report.html"
    assert invoke(["export", rich.RUN, "-o", str(path), "--store", str(store)]) == 0
    context = browser.new_context()
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    page.wait_for_timeout(500)
    assert asked == [path.as_uri()]
    expect(page.locator("tbody tr")).to_have_count(18)
    assert page.locator("img").count() == 0
    assert text in page.locator("tbody td").nth(1).inner_text()
    context.close()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_a_report_breaks_no_rule_of_axe_in_either_theme(
    browser: Browser, served, rich: ModuleType, tmp_path: Path, scheme: str, width: int
) -> None:
    path = tmp_path / "report.html"
    words = ["export", rich.RUN, "--lang", "zh", "-o", str(path), "--store", str(served.store)]
    assert invoke(words) == 0
    context = browser.new_context(
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 900},
        bypass_csp=True,  # axe is a script, and the report allows none
    )
    page = context.new_page()
    page.goto(path.as_uri())
    page.locator("details").evaluate_all("all => all.forEach((one) => (one.open = true))")
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
