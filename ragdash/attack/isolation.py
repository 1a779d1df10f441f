"""Runs policies in processes of their own, which get a view as JSON and can read no fixture key.

Our own rule functions share one process; each policy of the user's has one. A policy that raises,
hangs, ends or writes something else is an error of that case, and never an answer.
"""

from __future__ import annotations

import json
import os
import selectors
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

from ragdash.attack.named import COMMAND, NamedPolicy, is_of_the_user, policy_named
from ragdash.attack.wire import (
    decode_output,
    encode_output,
    output_object,
    read_output,
    view_object,
)
from ragdash.core.errors import InputError, RagdashError
from ragdash.jsonlines import printable

if TYPE_CHECKING:
    from types import TracebackType

    from ragdash.core.attack import PolicyOutput, PolicyView

SECONDS = 120.0
"""How long one policy may take over one case."""
_READ = 1 << 20


class PolicyError(Exception):
    """A policy gave no output; the text says why. Caught where the row is made."""


class Runner(Protocol):
    """Asks policies by name."""

    def check(self, policy: str) -> None:
        """Raise InputError where there is no such policy."""

    def answer(self, policy: str, view: PolicyView) -> PolicyOutput:
        """Return the raw output, or raise PolicyError."""

    def validate(self, policy: str, view: PolicyView, raw: PolicyOutput) -> PolicyOutput:
        """Return what the policy's own checks leave of a raw output, or raise PolicyError."""


class InThisProcess:
    """Asks rule functions here: for tests that ask thousands of times."""

    def __init__(self) -> None:
        self._known: dict[str, NamedPolicy] = {}

    def check(self, policy: str) -> None:
        """Raise InputError where there is no such policy."""
        self._named(policy)

    def answer(self, policy: str, view: PolicyView) -> PolicyOutput:
        """Return the raw output."""
        return self._named(policy).answer(view)

    def validate(self, policy: str, view: PolicyView, raw: PolicyOutput) -> PolicyOutput:
        """Return what the policy's own checks leave."""
        return self._named(policy).validate(view, raw)

    def _named(self, policy: str) -> NamedPolicy:
        if policy not in self._known:
            self._known[policy] = policy_named(policy)
        return self._known[policy]


class InProcesses:
    """Asks each policy in another process; to be used as a context."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._children: dict[str, _Child] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="ragdash-policy-")

    def __enter__(self) -> Self:
        """Begin; processes are started when they are needed."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        """End every process that was started."""
        for child in self._children.values():
            child.end()
        self._folder.cleanup()

    def check(self, policy: str) -> None:
        """Raise InputError where there is no such policy."""
        if policy.startswith(COMMAND):
            _words(policy)
            return
        try:
            self._ask(policy, {})
        except PolicyError as error:
            raise InputError(str(error)) from error

    def answer(self, policy: str, view: PolicyView) -> PolicyOutput:
        """Return the raw output, or raise PolicyError."""
        if policy.startswith(COMMAND):
            return self._command(policy, view_object(view))
        return self._output(policy, {"view": view_object(view)})

    def validate(self, policy: str, view: PolicyView, raw: PolicyOutput) -> PolicyOutput:
        """Return what the policy's own checks leave of a raw output, or raise PolicyError."""
        if policy.startswith(COMMAND):
            return self._command(policy, {**view_object(view), "output": output_object(raw)})
        return self._output(policy, {"view": view_object(view), "output": encode_output(raw)})

    def _output(self, policy: str, request: dict[str, Any]) -> PolicyOutput:
        reply = self._ask(policy, request)
        try:
            return decode_output(reply["output"])
        except (KeyError, TypeError, RagdashError) as error:
            raise PolicyError("the policy's process replied with no output") from error

    def _ask(self, policy: str, request: dict[str, Any]) -> dict[str, Any]:
        of_the_user = is_of_the_user(policy)
        key = policy if of_the_user else ""
        child = self._children.get(key)
        if child is None or child.ended:
            child = self._children[key] = _Child(Path(self._folder.name), whole_env=of_the_user)
        # Its process starts in another folder.
        name = str(Path.cwd() / policy) if of_the_user else policy
        reply = child.ask({"policy": name, **request}, self._seconds)
        if "error" in reply:
            raise PolicyError(str(reply["error"]))
        return reply

    def _command(self, policy: str, request: dict[str, Any]) -> PolicyOutput:
        """Start a command once for a view; it reads one JSON object and writes one."""
        of = f"The command {printable(policy.removeprefix(COMMAND))}"
        try:
            done = subprocess.run(
                _words(policy),
                input=json.dumps(request, ensure_ascii=False).encode(),
                capture_output=True,
                timeout=self._seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise PolicyError(f"{of} took over {self._seconds:g} s.") from error
        except OSError as error:
            raise PolicyError(f"{of} cannot be started: {error.strerror}.") from error
        if done.returncode:
            last = printable(
                done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2], 200
            )
            raise PolicyError(f"{of} ended with {done.returncode}: {last or 'no message'}.")
        try:
            return read_output(json.loads(done.stdout), of)
        except (ValueError, RecursionError) as error:
            raise PolicyError(f"{of} wrote no JSON object.") from error
        except InputError as error:
            raise PolicyError(str(error)) from error


def _words(policy: str) -> list[str]:
    try:
        words = shlex.split(policy.removeprefix(COMMAND))
    except ValueError as error:
        raise InputError(f"--policy {printable(policy)}: {error}; quote the command.") from error
    if not words:
        raise InputError("--policy exec: names no command; write exec:python3 mine.py.")
    return words


class _Child:
    """One process that answers request lines; it starts in an empty folder, without our state.

    A policy of the user's keeps the environment, as it may need a key or a setting of its own.
    """

    def __init__(self, folder: Path, *, whole_env: bool) -> None:
        package = Path(__file__).resolve().parents[2]
        kept = ("PATH", "HOME", "LANG", "LC_ALL", "VIRTUAL_ENV", "SYSTEMROOT", "TMPDIR")
        env = {name: v for name, v in os.environ.items() if whole_env or name in kept}
        env |= {"PYTHONPATH": str(package), "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        self.ended = False
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ragdash.attack.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=env,
        )

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Return the reply to one request, or raise PolicyError; the process may be over then."""
        assert self._process.stdin is not None
        line = json.dumps(request, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except OSError as error:
            self.end()
            raise PolicyError("the policy's process has ended") from error
        raw = self._line(seconds)
        try:
            reply = json.loads(raw)
        except ValueError as error:
            self.end()
            raise PolicyError("the policy's process ended without a reply") from error
        return reply if isinstance(reply, dict) else {"error": "the reply is no object"}

    def _line(self, seconds: float) -> bytes:
        assert self._process.stdout is not None
        until = time.monotonic() + seconds
        parts: list[bytes] = []
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._process.stdout, selectors.EVENT_READ)
            while not (parts and parts[-1].endswith(b"\n")):
                left = until - time.monotonic()
                if left <= 0 or not waiting.select(left):
                    self.end()
                    raise PolicyError(f"the policy took over {seconds:g} s over one case")
                part = os.read(self._process.stdout.fileno(), _READ)
                if not part:
                    break
                parts.append(part)
        return b"".join(parts)

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.ended = True
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue
