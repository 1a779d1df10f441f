"""A policy by its name: one of ours, a part of the layered one, or a function in a file.

`layered without C4_provenance` and `layered only C4_provenance` are the layered policy without one
control, and with none but one. `FILE.py:FUNCTION` is the user's own: a function from the view as a
dictionary to a dictionary with `answer`. Where the file has a function `validate(view, output)`, it
is the policy's own check, and is called with what a fault may have been put into.
"""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragdash.attack.wire import output_object, read_output, view_object
from ragdash.core.errors import InputError
from ragdash.jsonlines import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from ragdash.core.attack import PolicyOutput, PolicyView

LAYERED = "layered"
_PART = re.compile(rf"{LAYERED} (without|only) (\S+)")
_FUNCTION = re.compile(r"(.+\.py):([A-Za-z_]\w*)")
COMMAND = "exec:"


@dataclass(frozen=True, slots=True)
class NamedPolicy:
    """What answers, and what checks the raw answer afterwards."""

    answer: Callable[[PolicyView], PolicyOutput]
    validate: Callable[[PolicyView, PolicyOutput], PolicyOutput]


def is_of_the_user(name: str) -> bool:
    """Whether a name is a function in a file or a command."""
    return name.startswith(COMMAND) or _FUNCTION.fullmatch(name) is not None


def policy_named(name: str) -> NamedPolicy:
    """Return a policy by its name; a file is executed here, so call it in the policy's process.

    Raises:
        InputError: there is none of that name, or the file cannot be loaded.
    """
    if name == LAYERED or _PART.fullmatch(name):
        return _layered(name)
    if found := _FUNCTION.fullmatch(name):
        return _function(Path(found[1]), found[2])
    from ragdash.attack.policies import POLICIES

    if name not in POLICIES:
        raise InputError(
            f"Policy '{printable(name)}' is not known; choose from "
            f"{', '.join((*POLICIES, LAYERED))}, or give your own as FILE.py:FUNCTION or "
            "exec:COMMAND."
        )
    return NamedPolicy(POLICIES[name], _unchanged)


def _unchanged(view: PolicyView, output: PolicyOutput) -> PolicyOutput:  # noqa: ARG001
    return output


def _layered(name: str) -> NamedPolicy:
    from ragdash.attack.layered import CONTROLS, Layered

    every = frozenset(CONTROLS)
    part = _PART.fullmatch(name)
    if part is None:
        policy = Layered()
    elif part[0].endswith(" only nothing"):
        policy = Layered(controls=frozenset())
    elif part[2] not in every:
        raise InputError(
            f"Control '{printable(part[2])}' is not known; choose from {', '.join(CONTROLS)}."
        )
    else:
        one = frozenset({part[2]})
        policy = Layered(controls=one if part[1] == "only" else every - one)
    return NamedPolicy(policy.answer, policy.validate)


def _function(path: Path, function: str) -> NamedPolicy:
    module = _loaded(path)
    answer, check = getattr(module, function, None), getattr(module, "validate", None)
    of = f"{path.name}:{function}"
    if not callable(answer):
        raise InputError(f"Policy {of}: the file has no such function; check the name.")

    def answers(view: PolicyView) -> PolicyOutput:
        return read_output(answer(view_object(view)), of)

    def checks(view: PolicyView, output: PolicyOutput) -> PolicyOutput:
        if not callable(check):
            return output
        return read_output(check(view_object(view), output_object(output)), f"{path.name}:validate")

    return NamedPolicy(answers, checks)


def _loaded(path: Path) -> Any:
    if not path.is_file():
        raise InputError(f"Policy file {path} is not there; check the path.")
    spec = importlib.util.spec_from_file_location(f"policy_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise InputError(f"Policy file {path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        said = printable(f"{type(error).__name__}: {error}", 200)
        raise InputError(f"Policy file {path} cannot be loaded: {said}.") from error
    return module
