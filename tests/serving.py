"""Starting a server of our own in a test: a free port, patience, and an end."""

from __future__ import annotations

import socket
import subprocess
import time
import urllib.request
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path


class NotUp(Exception):  # noqa: N818 - it says what happened
    """The server ended, or did not answer in time; the text is the end of its log."""


def free_port(host: str = "127.0.0.1") -> int:
    """Return a port that nobody listens on at this moment."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(
    command: Sequence[str],
    ready: str,
    folder: Path,
    env: Mapping[str, str],
    *,
    log: Path | None = None,
    patience: float = 60.0,
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server until the block ends; its output goes to `server.log`.

    Args:
        command: what to run, from that folder.
        ready: an address that answers once the server is up.
        folder: where it runs.
        env: its whole environment.
        log: the folder of its log; without it the one where it runs.
        patience: seconds until it must be up; a crowded machine is slow, and never wrong.
    """
    written = (log or folder) / "server.log"
    with written.open("wb") as out:
        process = subprocess.Popen(
            list(command), cwd=folder, env=dict(env), stdout=out, stderr=subprocess.STDOUT
        )
    try:
        _wait(ready, process, written, patience)
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)


def _wait(ready: str, process: subprocess.Popen[bytes], log: Path, patience: float) -> None:
    until = time.monotonic() + patience
    while process.poll() is None and time.monotonic() < until:
        with suppress(OSError), urllib.request.urlopen(ready, timeout=5):
            return
        time.sleep(0.1)
    raise NotUp(f"the server did not come up:\n{log.read_text('utf-8', 'replace')[-2000:]}")
