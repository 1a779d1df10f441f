"""`ragdash check`: answers of any system scored from a file, one JSON line out per line in."""

from __future__ import annotations

import functools
import json
import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragdash.core.errors import EnvironmentError_, InputError
from ragdash.jsonlines import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager
    from typing import BinaryIO

    Judge = Callable[[Mapping[str, Any]], dict[str, Any]]

_file = click.argument("file", metavar="FILE", type=click.Path(path_type=Path, allow_dash=True))


def judge_file(file: Path, judge: Judge) -> None:
    """Print the judgement of each line of a file, a bad line also as a sentence on stderr.

    Ends quietly where the reader of the output has gone.

    Raises:
        InputError: the file cannot be read, holds no line, or lines were bad.
        EnvironmentError_: the output cannot be written.
    """
    try:
        with _opened(file) as stream:
            _print_all(stream, _name(file), judge)
    except BrokenPipeError:
        _discard_output()
    except OSError as error:
        _discard_output()
        raise EnvironmentError_(
            f"the results cannot be written ({error.strerror}): free space or write elsewhere"
        ) from error


def _opened(file: Path) -> AbstractContextManager[BinaryIO]:
    if str(file) == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return file.open("rb")
    except OSError as error:
        raise InputError(
            f"{_name(file)} cannot be read: {error.strerror}; check the path"
        ) from error


def _print_all(stream: BinaryIO, name: str, judge: Judge) -> None:
    from ragdash.check.lines import judge_lines

    out = sys.stdout.buffer
    total = bad = 0
    for judged in judge_lines(stream, judge, name):
        out.write(_line(judged.result))
        # So that a reader sees a line as soon as it is judged; it costs little beside judging.
        out.flush()
        total += 1
        if judged.fault:
            bad += 1
            click.echo(f"{name}, line {judged.number}: {judged.fault}", err=True)
    if not total:
        raise InputError(f"{name} holds no line; write one JSON object a line")
    if bad:
        raise InputError(f"{bad} of {total} lines of {name} are bad, the others are scored")


def _line(result: dict[str, Any]) -> bytes:
    try:
        text = json.dumps(result, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair, which JSON can name and UTF-8 cannot.
        text = json.dumps(result, allow_nan=False).encode()
    return text + b"\n"


def _name(file: Path) -> str:
    return "stdin" if str(file) == "-" else printable(str(file), 200)


def _discard_output() -> None:
    """Let what is still buffered go nowhere, else the interpreter's last flush would fail aloud."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


@click.group("check")
def command() -> None:
    """Score answers from a file of JSON lines (- for stdin); no model, no key, no network.

    Prints one JSON line for each line. Bad lines are named on stderr, the others are scored, and
    the command ends with 2.
    """


@command.command("numbers")
@_file
@click.option("--evidence", is_flag=True, help="Also every number of the answer, and why not it.")
def numbers_command(file: Path, evidence: bool) -> None:
    """Does each answer state the expected figure.

    Reads id, answer, expected_value, unit, and if there are any tolerance (0.005), decimals,
    question, or gold (a list, as in a question file) instead of expected_value.
    """
    from ragdash.check.numbers import judge_line

    judge_file(file, functools.partial(judge_line, evidence=evidence))


@command.command("citations")
@_file
@click.option("--evidence", is_flag=True, help="Also the pages named and the figures not found.")
def citations_command(file: Path, evidence: bool) -> None:
    """Is each citation well formed, does it name a chunk, does that hold the answer's figures.

    Reads id, text, and if there are any chunks (company, period, doc_type, page, text) and answer.
    """
    from ragdash.check.citations import judge_line

    judge_file(file, functools.partial(judge_line, evidence=evidence))


@command.command("refusals")
@_file
def refusals_command(file: Path) -> None:
    """Does each text decline to answer, in the fixed sentence, and with a figure all the same.

    Reads id and text.
    """
    from ragdash.check.refusals import judge_line

    judge_file(file, judge_line)
