"""`ragdash serve`: the dashboard over a store, on this machine unless people sign in."""

from __future__ import annotations

import os
import socket
import sys
import tomllib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ragdash import shipped
from ragdash.admission import OVERRIDE, is_loopback, named_host, sign_in_fault
from ragdash.core.errors import EnvironmentError_, InputError, StoreError
from ragdash.store.layout import store_dir

if TYPE_CHECKING:
    from collections.abc import Sequence

HOST = "127.0.0.1"
DEFAULT_PORT = 8501
_EVERYWHERE = ("0.0.0.0", "::")

# As in .streamlit/config.toml, and again here, because a flag also wins over the user's own
# configuration and over STREAMLIT_* variables. What it does to each: dashboard.md section 4.
_SAFE = (
    "--server.headless=true",
    "--server.enableXsrfProtection=true",
    "--server.enableCORS=true",
    "--server.enableStaticServing=false",
    "--server.maxUploadSize=20",
    "--server.trustedUserHeaders={}",
    "--server.enableAgentApi=false",
    "--browser.gatherUsageStats=false",
    "--client.showErrorDetails=type",
    "--client.showErrorLinks=false",
    "--client.toolbarMode=viewer",
    "--runner.magicEnabled=false",
)


@dataclass(frozen=True, slots=True)
class Listening:
    """Where the server listens, and under which hosts browsers may ask for it."""

    address: str = HOST
    port: int = DEFAULT_PORT
    hosts: tuple[str, ...] = ("localhost", HOST)
    secrets: tuple[Path, ...] = ()

    def flags(self) -> tuple[str, ...]:
        """Return the options of Streamlit that say so."""
        return (
            f"--server.address={self.address}",
            *(f"--server.allowedHosts={host}" for host in self.hosts),
            *(f"--secrets.files={path}" for path in self.secrets),
            f"--server.port={self.port}",
        )


def listening(address: str, port: int, hosts: Sequence[str]) -> Listening:
    """Return where to listen; another address than this machine's needs sign-in.

    Args:
        address: an IP address or a host name of this machine.
        port: there.
        hosts: names under which browsers reach it, besides its address and localhost.

    Raises:
        EnvironmentError_: sign-in is not configured, or cannot work, and the override is not set.
        InputError: nothing says under which name it is reached.
    """
    files = secrets_files()
    auth = auth_section(files)
    fault = sign_in_fault(auth)
    if auth and fault:
        raise EnvironmentError_(f"sign-in cannot work: {fault}; mend {files[-1]}")
    if auth and not all(find_spec(name) for name in ("authlib", "httpx")):
        raise EnvironmentError_("sign-in needs Authlib: pip install 'ragdash[auth]'")
    if not is_loopback(address) and fault and os.environ.get(OVERRIDE) != "1":
        raise EnvironmentError_(
            f"{address} can be reached from other machines, and {fault}: configure sign-in "
            f"(README, Serving it to others), or let everybody in with {OVERRIDE}=1"
        )
    bare = address.removeprefix("[").removesuffix("]")
    own = [named_host(auth)] if auth else []
    named = [name for name in (*own, *hosts) if name]
    if bare in _EVERYWHERE and not named:
        raise InputError(
            f"{address} is every address of this machine: say under which name browsers reach it "
            "with --host NAME"
        )
    # Not 0.0.0.0 itself: browsers take it for this machine, and any page may point there.
    local = () if bare in _EVERYWHERE else (bare,)
    return Listening(bare, port, tuple(dict.fromkeys(("localhost", HOST, *local, *named))), files)


def secrets_files() -> tuple[Path, ...]:
    """Return the secrets.toml files that exist, as Streamlit reads them: the later one wins."""
    places = (Path.home(), Path.cwd())
    found = (place / ".streamlit" / "secrets.toml" for place in places)
    return tuple(dict.fromkeys(path for path in found if path.is_file()))


def auth_section(files: Sequence[Path]) -> dict[str, Any]:
    """Return the [auth] section of secrets files, empty where there is none.

    Raises:
        EnvironmentError_: a file cannot be read; no part of it is quoted.
    """
    found: dict[str, Any] = {}
    for path in files:
        try:
            section = tomllib.loads(path.read_text("utf-8")).get("auth", found)
        except (OSError, ValueError) as error:
            raise EnvironmentError_(
                f"{path} cannot be read as TOML ({type(error).__name__}): mend it"
            ) from None
        found = section if isinstance(section, dict) else {}
    return found


def serve(store: Path, where: Listening) -> NoReturn:
    """Become the dashboard's server: the process is replaced, so that a signal ends the server.

    Args:
        store: the store's folder; need not exist yet.
        where: as `listening` gives it.

    Raises:
        EnvironmentError_: the port is taken, or the dashboard's files are not installed.
        StoreError: the store is a file.
    """
    app = app_file()
    if store.exists() and not store.is_dir():
        raise StoreError(f"the store {store} is a file: name a folder with --store")
    refuse_taken(where.port, where.address)
    environment = {**os.environ, "RAGDASH_STORE": str(store.resolve())}
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(sys.executable, server_command(app, where), environment)


def server_command(app: Path, where: Listening) -> list[str]:
    """Return the command line of the server."""
    return [sys.executable, "-m", "streamlit", "run", str(app), *_SAFE, *where.flags()]


def app_file() -> Path:
    """Return the file that Streamlit runs.

    Raises:
        EnvironmentError_: the dashboard's files are not installed.
    """
    return shipped.path("app.py")


def refuse_taken(port: int, address: str = HOST) -> None:
    """Raise where another program listens on a port of this machine.

    Raises:
        EnvironmentError_: it does, this user may not use the port, or the address is not ours.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        if os.name != "nt":
            # As the server does it: a port that a dead server has just left is free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
            probe.listen(1)
        except OSError as error:
            raise EnvironmentError_(
                f"port {port} on {address} cannot be used ({error.strerror}): stop what listens "
                "there, or choose another with --port N"
            ) from error


@click.command("serve")
@click.option("--store", metavar="DIR", help="The store to show; default: RAGDASH_STORE.")
@click.option("--port", type=click.IntRange(1, 65535), default=DEFAULT_PORT, show_default=True)
@click.option(
    "--address",
    default=HOST,
    show_default=True,
    help="Where to listen; beyond this machine only with sign-in (README).",
)
@click.option(
    "--host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A name under which browsers reach it; may be given again.",
)
def command(store: str | None, port: int, address: str, hosts: tuple[str, ...]) -> None:
    """Open the dashboard's server; end it with Ctrl-C."""
    serve(store_dir(store), listening(address, port, hosts))
