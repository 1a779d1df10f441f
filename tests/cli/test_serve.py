"""Where the server may listen: beyond this machine only with sign-in or the override."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ragdash.admission import OVERRIDE, is_welcome, sign_in_fault
from ragdash.cli import invoke
from ragdash.cli.serve import Listening, auth_section, listening, secrets_files, server_command
from ragdash.core.errors import EnvironmentError_, InputError

if TYPE_CHECKING:
    from collections.abc import Callable

README = Path(__file__).parents[2] / "README.md"
AUTH = """
[auth]
redirect_uri = "https://ragdash.example.com/oauth2callback"
cookie_secret = "0123456789abcdef0123456789abcdef"
client_id = "ragdash"
client_secret = "canary-in-secrets"
server_metadata_url = "https://login.example.com/.well-known/openid-configuration"
"""


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither the settings of who runs the tests nor those of the checkout."""
    monkeypatch.delenv(OVERRIDE, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


@pytest.fixture
def secrets(tmp_path: Path) -> Callable[..., Path]:
    """`secrets(text, "home")` writes the secrets.toml of a place."""

    def write(text: str, place: str = "here") -> Path:
        path = tmp_path / place / ".streamlit" / "secrets.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    return write


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.168.1.5", "::ffff:10.0.0.1", "box"])
def test_an_address_beyond_this_machine_is_refused_and_the_sentence_says_what_to_do(
    address: str, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert invoke(["serve", "--store", str(store), "--address", address]) == 3
    told = capsys.readouterr().err
    assert f"{address} can be reached from other machines" in told
    assert "README, Serving it to others" in told
    assert f"{OVERRIDE}=1" in told


@pytest.mark.parametrize("value", ["", "0", "yes", "true"])
def test_only_the_value_1_overrides(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OVERRIDE, value)
    with pytest.raises(EnvironmentError_):
        listening("192.168.1.5", 8501, ())
    monkeypatch.setenv(OVERRIDE, "1")
    assert listening("192.168.1.5", 8501, ()).hosts == ("localhost", "127.0.0.1", "192.168.1.5")


def test_every_address_at_once_needs_a_name_and_is_none_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(OVERRIDE, "1")
    with pytest.raises(InputError, match="--host NAME"):
        listening("0.0.0.0", 8501, ())
    hosts = listening("0.0.0.0", 8501, ("ragdash.example.com",)).hosts
    assert hosts == ("localhost", "127.0.0.1", "ragdash.example.com")


@pytest.mark.parametrize("place", ["home", "here"])
def test_sign_in_opens_an_address_under_the_name_the_provider_knows(
    place: str, secrets: Callable[..., Path]
) -> None:
    path = secrets(AUTH, place)
    where = listening("0.0.0.0", 80, ())
    assert where.hosts == ("localhost", "127.0.0.1", "ragdash.example.com")
    command = server_command(Path("app.py"), where)
    assert "--server.address=0.0.0.0" in command
    assert f"--secrets.files={path}" in command
    assert "canary-in-secrets" not in " ".join(command)


def test_the_example_of_the_readme_is_whole_but_for_its_secret() -> None:
    section = README.read_text("utf-8").split("\n## Serving it to others\n")[1]
    shown = tomllib.loads(section.split("```toml\n")[1].split("```")[0])
    assert "cookie_secret" in sign_in_fault(shown["auth"])
    assert sign_in_fault(shown["auth"] | {"cookie_secret": "0123456789abcdef" * 4}) == ""
    assert is_welcome("ann@example.com", shown["ragdash"]["visitors"])


def test_the_later_file_wins_as_in_streamlit(secrets: Callable[..., Path]) -> None:
    secrets(AUTH, "home")
    secrets("[auth]\nclient_id = 'other'\n")
    assert auth_section(secrets_files()) == {"client_id": "other"}


def test_sign_in_that_cannot_work_is_refused_on_every_address(
    secrets: Callable[..., Path], store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = secrets(AUTH.replace("0123456789abcdef" * 2, "xxx"))
    for address in ("127.0.0.1", "192.168.1.5"):
        assert invoke(["serve", "--store", str(store), "--address", address]) == 3
        told = capsys.readouterr().err
        assert "cookie_secret" in told
        assert str(path) in told
        assert "canary-in-secrets" not in told


def test_secrets_that_are_no_toml_are_named_and_not_quoted(
    secrets: Callable[..., Path], store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = secrets("[auth\nclient_secret = canary-in-secrets")
    assert invoke(["--debug", "serve", "--store", str(store)]) == 3
    told = capsys.readouterr().err
    assert str(path) in told
    assert "canary-in-secrets" not in told


def test_loopback_in_any_form_starts_and_is_asked_for_by_its_own_name() -> None:
    assert listening("127.0.0.1", 8501, ()) == Listening()
    assert listening("[::1]", 8501, ()).flags()[0] == "--server.address=::1"
    assert "::1" in listening("::1", 8501, ()).hosts


def test_the_command_wins_over_settings_that_would_sign_anybody_in() -> None:
    command = server_command(Path("app.py"), Listening())
    assert command[0] == sys.executable
    assert "--server.trustedUserHeaders={}" in command
    assert "--server.enableAgentApi=false" in command
