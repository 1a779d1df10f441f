"""A command that a page prints to copy can be run as it stands: it names the store on view."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.cli import COMMANDS, cli
from ragdash.ui import commands

ROOT = Path(__file__).parents[2]
NAMED = re.compile(rf"\bragdash ({'|'.join(COMMANDS)})\b")
# Words are prose about commands; they are read, not copied.
FILES = [
    path
    for path in (*(ROOT / "ragdash" / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py"))
    if "words" not in path.parts and path.name != "commands.py"
]


def literals(tree: ast.Module) -> list[str]:
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, holders) and node.body and isinstance(node.body[0], ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
    ]


def test_no_page_writes_a_command_line_by_hand() -> None:
    found = [
        (str(path.relative_to(ROOT)), text)
        for path in FILES
        for text in literals(ast.parse(path.read_text("utf-8")))
        if NAMED.search(text)
    ]
    assert len(FILES) > 50
    assert found == []


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_given_the_store_where_it_can_take_one(name: str) -> None:
    command = cli.get_command(None, name)  # type: ignore[arg-type]
    assert command is not None
    parts = [command, *getattr(command, "commands", {}).values()]
    takes = any("--store" in option for part in parts for p in part.params for option in p.opts)
    assert ("--store" in shlex.split(commands.line(name))) == takes


@pytest.mark.parametrize("folder", ["my runs", "库 $(x)", "it's"])
def test_the_store_is_the_one_on_view_from_any_folder(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAGDASH_STORE", folder)
    words = shlex.split(commands.line("export", "run:dense", "-o", "x.html"))
    assert words == ["ragdash", "export", "run:dense", "-o", "x.html", "--store", *words[-1:]]
    assert words[-1] == str(tmp_path / folder)


@given(st.lists(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=20)))
def test_a_shell_reads_the_words_that_were_given(words: list[str]) -> None:
    given_ = [w for w in words if commands.safe.plain(w, None) == w]
    assert shlex.split(commands.line("export", *given_))[2:-2] == given_
