"""Sign-in with a real provider: who is not signed in, or not on the list, sees no run."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

COOKIE_SECRET = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
SECRETS = """
[auth]
redirect_uri = "http://localhost:{port}/oauth2callback"
cookie_secret = "{cookie}"
client_id = "{client}"
client_secret = "{secret}"
server_metadata_url = "{url}/.well-known/openid-configuration"
[ragdash]
visitors = ["@example.com"]
"""


def signed_in(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.locator("h1").first).to_have_text("Sign in", timeout=60_000)
    assert page.locator("table").count() == 0
    page.get_by_role("button", name="Sign in").click()


def test_people_sign_in_and_out_and_only_those_on_the_list_see_runs(
    browser: Browser,
    build: ModuleType,
    rich: ModuleType,
    serving: ModuleType,
    provider: ModuleType,
    tmp_path: Path,
) -> None:
    store = rich.make_rich_store(build, tmp_path / "store")
    port = serving.free_port()
    with provider.providing() as known:
        (tmp_path / ".streamlit").mkdir()
        (tmp_path / ".streamlit" / "secrets.toml").write_text(
            SECRETS.format(
                port=port, cookie=COOKIE_SECRET, client=provider.CLIENT, secret=provider.SECRET,
                url=known.url,
            ),
            "utf-8",
        )  # fmt: skip
        command = [sys.executable, "-m", "ragdash.cli", "serve", "--port", str(port)]
        command += ["--store", str(store), "--address", "0.0.0.0"]
        home = {"HOME": str(tmp_path), "NO_PROXY": "127.0.0.1,localhost"}
        ready, url = f"http://127.0.0.1:{port}/_stcore/health", f"http://localhost:{port}"
        with serving.running(command, ready, tmp_path, {**os.environ, **home}):
            walk(browser, known, url, rich.RUN)
    log = (tmp_path / "server.log").read_text("utf-8", "replace")
    assert provider.SECRET not in log
    assert COOKIE_SECRET not in log


def walk(browser: Browser, known: Any, url: str, run: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    known.person = {"email": "安<b>@example.com", "email_verified": True}
    signed_in(page, f"{url}/compare")
    expect(page.get_by_text("安<b>@example.com")).to_be_visible(timeout=60_000)
    page.goto(f"{url}/compare?run={run}")
    expect(page.locator("h1").first).to_have_text("Compare", timeout=60_000)
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("h1").first).to_have_text("Sign in", timeout=60_000)
    # The page is redrawn before the browser has followed the redirect that takes its cookie away;
    # whoever goes elsewhere in between would cut the sign-out short.
    page.wait_for_url(f"{url}/", timeout=60_000)
    assert "_streamlit_user" not in {cookie["name"] for cookie in context.cookies()}
    known.person = {"email": "eve@elsewhere.example", "email_verified": True}
    signed_in(page, url)
    expect(page.get_by_text("not on the list of visitors")).to_be_visible(timeout=60_000)
    assert page.locator("table").count() == 0
    context.close()
    # A cookie written by hand signs nobody in.
    stranger = browser.new_context()
    value = "2|1:0|10:1700000000|15:_streamlit_user|24:eyJpc19sb2dnZWRfaW4iOnRydWV9|0000"
    stranger.add_cookies([{"name": "_streamlit_user", "value": value, "url": url}])
    page = stranger.new_page()
    page.goto(f"{url}/triage")
    expect(page.locator("h1").first).to_have_text("Sign in", timeout=60_000)
    stranger.close()
