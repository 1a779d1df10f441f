from __future__ import annotations

import ast
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streamlit import config
from streamlit.testing.v1 import AppTest

from ragdash.admission import OVERRIDE
from ragdash.core.review import NAME_LIMIT
from ragdash.ui.access import is_allowed
from ragdash.ui.headers import ThisMachineOnly

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "pages").glob("*.py"))


@pytest.fixture
def everywhere() -> Iterator[None]:
    """A server that listens on every interface."""
    before = config.get_option("server.address")
    config.set_option("server.address", "0.0.0.0")
    yield
    config.set_option("server.address", before)


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", "::1"])
def test_this_machine_is_let_in(address: str) -> None:
    assert is_allowed(address, "")


@pytest.mark.parametrize("address", [None, "0.0.0.0", "192.168.1.5", "::"])
def test_the_network_is_not_let_in_unless_allowed(address: str | None) -> None:
    assert not is_allowed(address, "")
    assert not is_allowed(address, "yes")
    assert is_allowed(address, "1")


def test_a_visitor_from_elsewhere_or_behind_a_proxy_is_not_on_this_machine() -> None:
    assert not is_allowed("127.0.0.1", "", client="192.168.1.7")
    assert not is_allowed("127.0.0.1", "", forwarded=True)
    assert is_allowed("127.0.0.1", "", client="::ffff:127.0.0.1")


AUTH = {
    "redirect_uri": "https://ragdash.example.com/oauth2callback",
    "cookie_secret": "0123456789abcdef0123456789abcdef",
    "client_id": "ragdash",
    "client_secret": "kept-secret",
    "server_metadata_url": "https://login.example.com/.well-known/openid-configuration",
}


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, filled: Path) -> Callable[..., AppTest]:
    """`opened(auth, user)` -> the first page for a visitor with that cookie."""

    def run(secrets: dict[str, object], user: dict[str, object], **params: str) -> AppTest:
        monkeypatch.setenv("RAGDASH_STORE", str(filled))
        at = AppTest.from_file(str(ROOT / "ragdash" / "ui" / "entry.py"), default_timeout=30)
        for name, section in secrets.items():
            at.secrets[name] = section
        at.user = user
        for name, value in params.items():
            at.query_params[name] = value
        return at.run()

    return run


def test_where_sign_in_is_configured_a_stranger_sees_the_way_in_and_nothing_else(
    opened: Callable[..., AppTest],
) -> None:
    for user in ({}, {"is_logged_in": False}, {"is_logged_in": "true", "email": "a@b.example"}):
        at = opened({"auth": AUTH}, user)
        assert at.title[0].value == "Sign in"
        assert [button.label for button in at.button] == ["Sign in"]
        assert not at.html


@pytest.mark.parametrize("lang", ["zh", "中文"])
def test_the_way_in_is_in_the_language_of_the_link(
    opened: Callable[..., AppTest], lang: str
) -> None:
    assert opened({"auth": AUTH}, {}, lang=lang).title[0].value == "登录"
    assert opened({"auth": AUTH}, {}, lang="xx").title[0].value == "Sign in"


def test_each_provider_has_its_own_way_in(opened: Callable[..., AppTest]) -> None:
    of_provider = ("client_id", "client_secret", "server_metadata_url")
    shared = {key: value for key, value in AUTH.items() if key not in of_provider}
    named = {key: AUTH[key] for key in of_provider}
    at = opened({"auth": shared | {"okta": named, "entra": named}}, {})
    assert [b.label for b in at.button] == ["Sign in with okta", "Sign in with entra"]


def test_one_who_signed_in_sees_the_runs_his_name_literally_and_the_way_out(
    opened: Callable[..., AppTest],
) -> None:
    name = "![x](http://beacon.example/b.png) <b>安"
    for user, shown in (
        ({"email": name, "name": "x", "sub": "42"}, name),
        ({"email": "ann@example.com", "email_verified": False, "sub": "42"}, "42"),
        ({"name": "安<b>", "sub": "42"}, "安<b> (42)"),
        ({"name": "a\u202eb", "sub": "4" * 200}, f"a⟦U+202E⟧b ({'4' * 200})"[:NAME_LIMIT]),
    ):
        at = opened({"auth": AUTH}, {"is_logged_in": True} | user)
        assert at.title[0].value == "Runs"
        assert shown in [code.value for code in at.sidebar.code]
    assert [b.label for b in at.sidebar.button] == ["Sign out"]


def test_only_visitors_on_the_list_see_the_runs(opened: Callable[..., AppTest]) -> None:
    secrets = {"auth": AUTH, "ragdash": {"visitors": ["@example.com"]}}
    user = {"is_logged_in": True, "email": "ann@example.com"}
    assert opened(secrets, user).title[0].value == "Runs"
    for other in (
        user | {"email": "ann@evil-example.com"},
        user | {"email": "ann@example.com.evil.example"},
        user | {"email_verified": False},
        {"is_logged_in": True, "name": "ann@example.com"},
    ):
        at = opened(secrets, other)
        assert at.title[0].value == "Not shown"
        assert not at.html


@pytest.mark.parametrize("key", ["redirect_uri", "cookie_secret", "client_id"])
def test_sign_in_that_cannot_work_shows_nothing_and_no_secret(
    opened: Callable[..., AppTest], key: str
) -> None:
    auth = AUTH | {key: "x" * 32}
    if key == "client_id":
        del auth[key]
    at = opened({"auth": auth}, {"is_logged_in": True, "email": "a@b.example"})
    assert at.title[0].value == "Not shown"
    assert not at.html
    shown = " ".join(str(element.value) for element in (*at.title, *at.error, *at.code, *at.text))
    assert key in shown
    assert "kept-secret" not in shown
    assert "x" * 32 not in shown


def test_a_header_that_streamlit_was_told_to_trust_signs_nobody_in(
    opened: Callable[..., AppTest],
) -> None:
    before = config.get_option("server.trustedUserHeaders")
    config.set_option("server.trustedUserHeaders", {"X-User": "is_logged_in"})
    try:
        at = opened({"auth": AUTH}, {"is_logged_in": True, "email": "a@b.example"})
    finally:
        config.set_option("server.trustedUserHeaders", before)
    assert at.title[0].value == "Sign in"


def request(server: object, kind: str = "http") -> list[dict[str, object]]:
    """What the lock of app.py answers to one connection that arrived at `server`."""
    sent: list[dict[str, object]] = []

    async def page(_: object, __: object, send: Callable[..., object]) -> None:
        await send({"type": "page"})  # type: ignore[misc]

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    scope = {"type": kind, "server": server, "headers": [(b"x-forwarded-for", b"127.0.0.1")]}
    asyncio.run(ThisMachineOnly(page)(scope, None, send))  # type: ignore[arg-type]
    return sent


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_the_socket_decides_whoever_started_the_server(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(OVERRIDE, raising=False)
    for here in ("127.0.0.1", "::1", "::ffff:127.0.0.1"):
        assert request((here, 8501), kind) == [{"type": "page"}]
    for elsewhere in (("192.168.1.5", 8501), ("fe80::1", 8501), ("::", 8501), None, ("/x", None)):
        refused = request(elsewhere, kind)
        assert {"type": "page"} not in refused
        assert refused[0].get("status") == (403 if kind == "http" else None)
    monkeypatch.setenv(OVERRIDE, "1")
    assert request(("192.168.1.5", 8501), kind) == [{"type": "page"}]


@pytest.mark.usefixtures("everywhere")
def test_a_server_on_every_interface_shows_nothing(
    open_page: Callable[..., AppTest], filled: Path
) -> None:
    at = open_page(filled, "runs")
    assert at.title[0].value == "Not shown"
    assert not at.html


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_the_first_thing_a_page_does_is_to_ask(page: Path) -> None:
    body = [n for n in ast.parse(page.read_text("utf-8")).body if not _is_import(n)]
    assert ast.unparse(body[0]) == "access.require()"


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def test_the_server_is_locked_down_by_default() -> None:
    import tomllib

    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert settings["server"]["address"] == "127.0.0.1"
    assert settings["server"]["allowedHosts"] == ["localhost", "127.0.0.1"]
    assert settings["server"]["enableXsrfProtection"]
    assert not settings["server"]["enableStaticServing"]
    assert settings["server"]["maxUploadSize"] == 20
    assert not settings["browser"]["gatherUsageStats"]
    assert settings["client"]["showErrorDetails"] == "type"
    assert not settings["client"]["showErrorLinks"]
    assert settings["client"]["toolbarMode"] == "viewer"
    assert not settings["runner"]["magicEnabled"]
