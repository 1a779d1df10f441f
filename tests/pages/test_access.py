from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streamlit import config

from ragdash.ui.access import is_allowed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from streamlit.testing.v1 import AppTest

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
    assert is_allowed(address, "", signed_in=False)


@pytest.mark.parametrize("address", [None, "0.0.0.0", "192.168.1.5", "::"])
def test_the_network_is_not_let_in_unless_signed_in_or_allowed(address: str | None) -> None:
    assert not is_allowed(address, "", signed_in=False)
    assert not is_allowed(address, "yes", signed_in=False)
    assert is_allowed(address, "1", signed_in=False)
    assert is_allowed(address, "", signed_in=True)


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
