"""`ragdash serve`: the dashboard over a store, on this machine only."""

from __future__ import annotations

import os
import socket
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from ragdash import shipped
from ragdash.core.errors import EnvironmentError_, StoreError
from ragdash.store.layout import store_dir

if TYPE_CHECKING:
    from pathlib import Path

HOST = "127.0.0.1"
DEFAULT_PORT = 8501

# As in .streamlit/config.toml, and again here, because a flag also wins over the user's own
# configuration and over STREAMLIT_* variables. What it does to each: dashboard.md section 4.
_SAFE = (
    f"--server.address={HOST}",
    "--server.allowedHosts=localhost",
    f"--server.allowedHosts={HOST}",
    "--server.headless=true",
    "--server.enableXsrfProtection=true",
    "--server.enableCORS=true",
    "--server.enableStaticServing=false",
    "--server.maxUploadSize=20",
    "--browser.gatherUsageStats=false",
    "--client.showErrorDetails=type",
    "--client.showErrorLinks=false",
    "--client.toolbarMode=viewer",
    "--runner.magicEnabled=false",
)


def serve(store: Path, port: int = DEFAULT_PORT) -> NoReturn:
    """Become the dashboard's server: the process is replaced, so that a signal ends the server.

    Args:
        store: the store's folder; need not exist yet.
        port: on 127.0.0.1.

    Raises:
        EnvironmentError_: the port is taken, or the dashboard's files are not installed.
        StoreError: the store is a file.
    """
    app = app_file()
    if store.exists() and not store.is_dir():
        raise StoreError(f"the store {store} is a file: name a folder with --store")
    refuse_taken(port)
    environment = {**os.environ, "RAGDASH_STORE": str(store.resolve())}
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(sys.executable, server_command(app, port), environment)


def server_command(app: Path, port: int) -> list[str]:
    """Return the command line of the server."""
    flags = (*_SAFE, f"--server.port={port}")
    return [sys.executable, "-m", "streamlit", "run", str(app), *flags]


def app_file() -> Path:
    """Return the file that Streamlit runs.

    Raises:
        EnvironmentError_: the dashboard's files are not installed.
    """
    return shipped.path("app.py")


def refuse_taken(port: int) -> None:
    """Raise where another program listens on a port of this machine.

    Raises:
        EnvironmentError_: it does, or this user may not use the port.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if os.name != "nt":
            # As the server does it: a port that a dead server has just left is free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
            probe.listen(1)
        except OSError as error:
            raise EnvironmentError_(
                f"port {port} on {HOST} cannot be used ({error.strerror}): stop what listens "
                "there, or choose another with --port N"
            ) from error


@click.command("serve")
@click.option("--store", metavar="DIR", help="The store to show; default: RAGDASH_STORE.")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=DEFAULT_PORT,
    show_default=True,
    help="On 127.0.0.1.",
)
def command(store: str | None, port: int) -> None:
    """Open the dashboard's server; end it with Ctrl-C."""
    serve(store_dir(store), port)
