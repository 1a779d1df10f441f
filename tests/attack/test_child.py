"""Policies in processes of their own: ours, a user's function, a user's command, and bad ones."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ragdash.attack import isolation
from ragdash.attack.cases import fixture_file, load_cases, load_registry
from ragdash.attack.isolation import InProcesses, InThisProcess, PolicyError
from ragdash.attack.run import AttackPlan, run_attacks
from ragdash.attack.view import view_of
from ragdash.cli import invoke
from ragdash.core.errors import InputError

if TYPE_CHECKING:
    from ragdash.core.attack import PolicyView

ROOT = Path(__file__).resolve().parents[2]
GIVEN = load_cases(fixture_file("fixtures.jsonl"))
REGISTRY = load_registry(fixture_file("registry.json"))
TRUSTED = """
def answer(view):
    kept = [c for c in view["chunks"] if c["trusted"]]
    if not kept:
        return {"answer": "Not found in the provided filings", "refused": True}
    print("a word on stdout")
    return {"answer": kept[0]["text"], "citations": [kept[0]["id"]]}
"""
CHEAT = """
def answer(view):
    import inspect
    for frame in inspect.stack():
        for value in frame.frame.f_locals.values():
            if type(value).__name__ == "AttackCase":
                return {"answer": "found the key"}
    found = [k for k in ("answerable", "class", "expect", "fault", "id") if k in view]
    return {"answer": "no key" if not found else "found " + found[0]}
"""


def view(at: int = 0) -> PolicyView:
    return view_of(GIVEN[at], REGISTRY)


def written(folder: Path, text: str) -> str:
    path = folder / "mine.py"
    path.write_text(text, "utf-8")
    return f"{path}:answer"


@pytest.fixture(scope="module")
def child() -> InProcesses:
    with InProcesses() as runner:
        yield runner


def test_policy_gives_in_its_process_what_it_gives_here(child: InProcesses) -> None:
    here = InThisProcess()
    for policy in ("layered", "defended"):
        for at in (0, 7, 12, 26):
            raw = child.answer(policy, view(at))
            assert raw == here.answer(policy, view(at))
            assert child.validate(policy, view(at), raw) == here.validate(policy, view(at), raw)


def test_function_of_the_users_answers_from_a_dictionary(
    child: InProcesses, tmp_path: Path
) -> None:
    name = written(tmp_path, TRUSTED)
    child.check(name)
    found = child.answer(name, view())
    assert found.citations == ("c1",)
    assert found.answer.startswith("青禾样例股份2023年度实现营业收入52.36亿元")


def test_cheat_finds_no_key_in_its_process(child: InProcesses, tmp_path: Path) -> None:
    assert child.answer(written(tmp_path, CHEAT), view()).answer == "no key"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def answer(view):\n    return view['answerable']", "KeyError: 'answerable'"),
        ("def answer(view):\n    return {'answer': 5}", "'answer' is 5"),
        ("def answer(view):\n    return {'answer': 'x', 'score': 1}", "unknown key 'score'"),
        ("def answer(view):\n    return None", "gave no output"),
        ("def answer(view):\n    return {'answer': '\\ud800'}", "no JSON"),
        ("import os\ndef answer(view):\n    os._exit(3)", "ended without a reply"),
        ("def answer(view):\n    while True: pass", "took over 3 s"),
    ],
)
def test_policy_that_gives_nothing_is_an_error_and_the_next_one_runs(
    tmp_path: Path, text: str, words: str
) -> None:
    with InProcesses(seconds=3.0 if "while" in text else 60.0) as runner:
        name = written(tmp_path, text)
        with pytest.raises(PolicyError, match=re.escape(words)):
            runner.answer(name, view())
        with pytest.raises(PolicyError, match=re.escape(words)):
            runner.answer(name, view())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nowhere.py:answer", "is not there"),
        ("exec:", "names no command"),
        ("exec:'open", "quote the command"),
        ("layered without C99", "Control 'C99' is not known"),
    ],
)
def test_policy_that_cannot_be_is_one_sentence(child: InProcesses, name: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        child.check(name)
    assert "\n" not in str(caught.value)


COMMAND = f"""exec:{sys.executable} -c "
import json, sys
view = json.load(sys.stdin)
first = view['chunks'][0]
print(json.dumps({{'answer': first['text'], 'citations': [first['id']]}}))
" """


def test_command_reads_a_view_and_writes_an_output(child: InProcesses) -> None:
    found = child.answer(COMMAND, view())
    assert found.citations == ("c1",)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("exec:false", "ended with 1"),
        ("exec:echo no json", "wrote no JSON object"),
        ("exec:/nowhere/at/all", "cannot be started"),
        ("exec:echo []", "gave no output"),
    ],
)
def test_command_that_gives_nothing_is_an_error(
    child: InProcesses, command: str, words: str
) -> None:
    with pytest.raises(PolicyError, match=words):
        child.answer(command, view())


def test_row_without_an_output_counts_in_no_rate_and_ends_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = written(tmp_path, "def answer(view):\n    raise ValueError('半途')")
    assert invoke(["attack", "--policy", name, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["summary"][0]["errors"] == 6
    assert found["summary"][0]["attack_success"] == {"k": 0, "n": 0, "rate": None}
    assert found["rows"][0]["error"].endswith("ValueError: 半途")
    assert "correct" not in found["rows"][0]


def test_process_is_given_no_place_of_the_fixtures(child: InProcesses, tmp_path: Path) -> None:
    name = written(
        tmp_path,
        "import os, sys\n"
        "def answer(view):\n    return {'answer': os.getcwd() + ' '.join(sys.argv)}",
    )
    said = child.answer(name, view()).answer
    assert "ragdash-policy-" in said
    assert "fixtures" not in said


def test_readme_shows_a_policy_that_runs_as_it_is_written(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    section = readme[readme.index("## Your own policy") :]
    code = re.search(r"```python\n(.*?)```", section, re.S)
    assert code is not None
    (tmp_path / "mine.py").write_text(code[1], "utf-8")
    with InProcesses() as runner:
        name = f"{tmp_path / 'mine.py'}:answer"
        assert runner.answer(name, view(28)).citations == ("c2",)
        command = f"exec:{sys.executable} {tmp_path / 'mine.py'}"
        assert runner.answer(command, view(28)).citations == ("c2",)


def test_run_keeps_apart_processes_of_ours_and_of_the_users() -> None:
    run = run_attacks(AttackPlan(policies=("baseline",)))
    assert [row.error for row in run.rows] == [""] * 6
    assert isolation.SECONDS > 0
