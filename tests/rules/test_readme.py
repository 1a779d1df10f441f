"""What the README says is what the code does: its commands, examples and defaults."""

from __future__ import annotations

import json
import re
import shlex
from decimal import Decimal
from io import BytesIO
from pathlib import Path

import pytest

from ragdash.amounts import match_amount
from ragdash.amounts.reasons import REASONS
from ragdash.check.lines import judge_lines
from ragdash.check.numbers import judge_line
from ragdash.cli import COMMANDS, cli
from ragdash.config import load_config
from ragdash.core.question import Gold
from ragdash.core.run import RunConfig
from ragdash.ingest.manifest import load_manifest
from ragdash.questions import load_questions

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.M | re.S)


def called() -> list[list[str]]:
    """Every `ragdash ...` in the README's code, inline and in blocks, as words."""
    code = [*re.findall(r"`([^`\n]+)`", README), *"\n".join(blocks("")).splitlines()]
    found = [m[1] for c in code if (m := re.search(r"(?:^|/)ragdash ([a-z].*)", c))]
    return [shlex.split(f, comments=True) for f in found]


def test_every_command_named_is_there_and_every_one_there_is_named() -> None:
    assert {words[0] for words in called()} == set(COMMANDS)


@pytest.mark.parametrize("words", called(), ids=" ".join)
def test_every_option_named_is_an_option_of_its_command(words) -> None:
    command = cli.get_command(None, words[0])  # type: ignore[arg-type]
    assert command is not None
    children = getattr(command, "commands", {})
    if children:
        command = children[words[1]]
    known = {option for p in command.params for option in p.opts}
    assert {w for w in words if w.startswith("--")} <= known


def test_the_config_shown_is_the_default(tmp_path) -> None:
    (shown,) = blocks("toml")
    path = tmp_path / "run.toml"
    path.write_text(shown, "utf-8")
    assert load_config(path) == RunConfig()


def test_the_manifest_and_the_question_shown_load(tmp_path) -> None:
    manifest, questions = blocks("json")
    for line in manifest.splitlines():
        (tmp_path / json.loads(line)["file"]).write_bytes(b"%PDF-1.4")
    for name, text, load in (
        ("manifest.jsonl", manifest, load_manifest),
        ("questions.jsonl", questions, load_questions),
    ):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        load(path)


def test_the_picture_is_there() -> None:
    for path in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README):
        assert (ROOT / path).is_file()


def test_the_question_count_named_is_the_set_s() -> None:
    named = re.search(r"runs three modes over (\d+) questions", README)
    assert named is not None
    questions = load_questions(ROOT / "data" / "questions" / "demo.jsonl")
    assert int(named[1]) == len(questions.questions)


def test_continuous_integration_calls_the_command_between_the_markers() -> None:
    marked = re.search(r"<!-- test command -->\n```\n(.+)\n```\n<!-- end -->", README)
    assert marked is not None
    assert marked[1].endswith("-m pytest")
    assert "test command" in (ROOT / ".ci" / "run").read_text("utf-8")


def test_no_tracked_text_names_a_path_of_a_machine() -> None:
    import subprocess

    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    texts = [
        n for n in names
        if n.endswith((".py", ".md", ".toml", ".jsonl", ".css")) and (ROOT / n).is_file()
    ]  # fmt: skip
    pattern = re.compile(r"(?<![\w.])/(?:work|root|home)/")
    assert [n for n in texts if n != "tests/rules/test_readme.py"
            and pattern.search((ROOT / n).read_text("utf-8"))] == []  # fmt: skip


def judged() -> list[tuple[str, Gold, str, str, str]]:
    """Question, gold, answer, verdict and reason of each row of the table of judged answers."""
    (head,) = re.findall(r"<!-- judged: (.*) -->", README)
    question, value, unit = (word.strip() for word in head.split("|"))
    gold = Gold(Decimal(value), unit)
    table = README.split(head)[1].split("\n\n")[0].splitlines()[3:]
    return [(question, gold, *(c.strip() for c in row.strip("|").split("|"))) for row in table]


@pytest.mark.parametrize(("question", "gold", "answer", "verdict", "why"), judged())
def test_an_answer_shown_is_judged_as_shown(question, gold, answer, verdict, why) -> None:
    found = match_amount(answer, gold, question=question)
    assert (found.verdict.value, REASONS[found.reason].en) == (verdict, why)


def test_as_many_judged_answers_are_shown_as_an_analyst_asks_about() -> None:
    assert len(judged()) >= 6


def test_the_lines_shown_are_checked_as_shown() -> None:
    given, printed = blocks("jsonl")
    judged = judge_lines(BytesIO(given.encode()), judge_line)
    assert [j.result for j in judged] == [json.loads(text) for text in printed.splitlines()]
