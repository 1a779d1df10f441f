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
from ragdash.core.call import Endpoint
from ragdash.core.fingerprint import digest_file
from ragdash.core.question import Gold
from ragdash.core.run import Outcome, RunConfig
from ragdash.gate.rules import load_rules
from ragdash.ingest.manifest import load_manifest
from ragdash.questions import load_questions
from ragdash.receive import form, receive

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def called() -> list[list[str]]:
    """Every `ragdash ...` in the README's code, inline and in blocks, as words."""
    code = [*re.findall(r"`([^`\n]+)`", README), *"\n".join(blocks("")).splitlines()]
    found = [m[1] for c in code if (m := re.search(r"(?:^|/)ragdash ([a-z].*)", c))]
    return [shlex.split(f, comments=True) for f in found]


def test_every_command_named_is_there_and_every_one_there_is_named() -> None:
    assert {words[0] for words in called()} == set(COMMANDS)


def test_the_table_of_commands_is_whole() -> None:
    rows = re.findall(r"^\| ((?:`[^`]+`(?: · )?)+) \|", section("Settings and models"), re.M)
    found = [name for row in rows for name in re.findall(r"`ragdash ([a-z]+)", row)]
    assert set(found) == set(COMMANDS)


def test_start_leads_to_results_that_somebody_has_already() -> None:
    heading = "Results of another system"
    anchor = heading.lower().replace(" ", "-")
    assert f"[{heading}](#{anchor})" in section("Start")
    assert section(heading)


@pytest.mark.parametrize("words", called(), ids=" ".join)
def test_every_option_named_is_an_option_of_its_command(words) -> None:
    command = cli.get_command(None, words[0])  # type: ignore[arg-type]
    assert command is not None
    children = getattr(command, "commands", {})
    if children:
        command = children[words[1]]
    known = {option for p in command.params for option in p.opts}
    assert {w for w in words if w.startswith("--")} <= known


def section(heading: str) -> str:
    return README.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def loaded(shown: str, folder: Path) -> RunConfig:
    path = folder / "run.toml"
    path.write_text(shown, "utf-8")
    return load_config(path)


def test_the_config_shown_is_the_default(tmp_path) -> None:
    (shown,) = blocks("toml", section("Settings and models"))
    assert loaded(shown, tmp_path) == RunConfig()


def test_every_server_is_shown_in_four_lines_that_load(tmp_path) -> None:
    text = section("Your own model")
    *servers, last = blocks("toml", text)
    for server, named in zip(
        servers, ("OpenAI", "Ollama", "vLLM", "llama.cpp", "transformers"), strict=True
    ):
        assert len(server.splitlines()) == 4
        config = loaded(server, tmp_path)
        assert config.generator.kind == "endpoint"
        assert config.generator.endpoint is not None
        assert config.judge == RunConfig().judge
        assert re.search(rf"^{re.escape(named)}[,;].*:\n\n```toml\n{re.escape(server)}", text, re.M)
    judge = loaded(last, tmp_path)
    assert judge.judge.endpoint is not None
    assert judge.judge.repeats == 3
    assert judge.budget is not None


def test_the_defaults_of_an_endpoint_are_as_named() -> None:
    text = section("Your own model").rpartition("Further keys")[2]
    named = dict(re.findall(r"`(\w+)` \((\d+)", text))
    default = Endpoint("http://127.0.0.1/v1", "any")
    assert {"max_tokens", "timeout", "concurrency", "tries"} <= named.keys()
    assert all(float(value) == getattr(default, name) for name, value in named.items())


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
    assert marked[1].endswith("-m pytest -n 2 --dist loadfile")
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
    given, printed = blocks("jsonl", section("How a number is judged"))
    judged = judge_lines(BytesIO(given.encode()), judge_line)
    assert [j.result for j in judged] == [json.loads(text) for text in printed.splitlines()]


def test_the_factors_named_are_those_that_runs_are_told_apart_by() -> None:
    from ragdash.compare.declared import FACTORS

    named = re.search(r"one factor only: ([^.]+)\.", README)
    assert named is not None
    words = re.split(r", | or ", " ".join(named[1].split()))
    code = {"embedding model": "embedding", "top k": "top_k"}
    assert {code.get(word, word) for word in words} == set(FACTORS)


def test_the_numbers_of_questions_named_are_those_of_the_code() -> None:
    from ragdash.compare.exact import ALPHA, exact_mcnemar
    from ragdash.compare.intervals import BOOTSTRAP_FROM
    from ragdash.compare.paired import COLOUR_FROM, NEEDED_FROM

    text = " ".join(README.split())
    assert f"a mean one from {BOOTSTRAP_FROM} questions on" in text
    assert f"Below {COLOUR_FROM} questions nothing is coloured" in text
    assert f"From {NEEDED_FROM} on the page says how many would be needed" in text
    below, at = exact_mcnemar(NEEDED_FROM - 1, 0), exact_mcnemar(NEEDED_FROM, 0)
    assert below is not None
    assert at is not None
    assert at < ALPHA < below


def test_the_rules_of_the_gate_section_are_rules(tmp_path: Path) -> None:
    (shown,) = blocks("toml", section("A gate in CI"))
    path = tmp_path / "rules.toml"
    path.write_text(shown, "utf-8")
    found = load_rules(path)
    assert [rule.metric for rule in (*found.questions, *found.attacks)] == re.findall(
        r'metric = "(\w+)"', shown
    )


def test_the_fields_of_the_filter_shown_are_those_of_the_code() -> None:
    from ragdash.filter.describe import EXAMPLES, described

    shown = README.split("<!-- fields -->\n")[1].split("\n<!-- end -->")[0].splitlines()[2:]
    cells = [[cell.strip().replace("`", "") for cell in row.strip("|").split("|")] for row in shown]
    told = [[one.names, one.means, one.values] for one in described("en")]
    told[-1][0] = "name of a metric"
    assert cells == told
    (examples,) = blocks("text", section("Filter and export"))
    assert examples.splitlines() == list(EXAMPLES)


def test_the_filters_of_the_readme_are_filters() -> None:
    from ragdash.filter import parse

    for words in called():
        if "--where" in words:
            parse(words[words.index("--where") + 1])


def test_the_results_of_another_system_shown_are_imported_and_every_key_is_named(tmp_path) -> None:
    text = section("Results of another system")
    (shown,) = blocks("jsonl", text)
    path = tmp_path / "their.jsonl"
    path.write_text(shown, "utf-8")

    results = list(receive(path, digest_file(path), None, {}).results())

    assert [r.outcome for r in results] == [Outcome.CORRECT, Outcome.UNSCORED]
    named = set(re.findall(r"`(\w+)`", text))
    facts = {name for group in form.FACTS.values() for name in group}
    plain = {key for key in form.CONTEXT if not key.startswith(tuple(f"{s}_" for s in form.STAGES))}
    assert {*form.QUESTION, *form.ANSWER, *form.HEADER, *facts, *plain} - {form.MARK} <= named
    for most in (form.MOST_LINES, form.MOST_CONTEXTS, form.LONGEST_ANSWER):
        assert f"{most:,}" in text
    assert f"{form.LARGEST_FILE >> 20} MB" in text
