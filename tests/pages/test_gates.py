from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from ragdash.cli import invoke
from ragdash.cli.gate_report import why
from ragdash.gate.asking import RULES, rules_file
from ragdash.gate.rules import Rule, Threshold, load_rules
from ragdash.gate.verdict import Checked, Verdict
from ragdash.metrics import BY_NAME
from ragdash.store.attach import attach
from ragdash.store.effective import NOBODY
from ragdash.store.layout import run_file
from ragdash.ui.i18n import say
from ragdash.views import triage
from ragdash.views.query import rows

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from streamlit.testing.v1 import AppTest

    from ragdash.views.query import Cursor

OWN = """
[[questions]]
metric = "answer_accuracy"
min = 0.4
[[questions]]
metric = "answer_accuracy"
min = 0.99
[[questions]]
metric = "answer_accuracy"
min = 0.1
min_scored = 50
"""


def page(at: AppTest) -> str:
    return "\n".join(str(one.value) for one in at.get("html"))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("mode", ["dense", "hybrid", "rerank"])
def test_the_page_gives_the_verdict_of_the_command_rule_by_rule(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest],
    capsys: pytest.CaptureFixture[str], mode: str, lang: str,
) -> None:  # fmt: skip
    ref = f"{rich.RUN}:{mode}"
    capsys.readouterr()
    invoke(["gate", ref, "--store", str(filled), "--json"])
    told = json.loads(capsys.readouterr().out)
    at = open_page(filled, "gates", run=ref, lang=lang)
    assert not at.exception
    shown = page(at)
    for verdict in ("pass", "fail", "unscored", "not_comparable"):
        words = say(f"gate.{verdict}", lang)
        expected = sum(rule["verdict"] == verdict for rule in told["rules"])
        heading = told["verdict"] == verdict
        assert (
            shown.count(f"✓ {words}") + shown.count(f"✕ {words}") + shown.count(f"– {words}")
            == expected + heading
        )
    assert any(
        f"ragdash gate {ref} --junit gate.xml --store {filled}" == one.value for one in at.code
    )


def test_own_rules_are_named_by_the_environment(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest],
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    rules = tmp_path / "rules.toml"
    rules.write_text(OWN, "utf-8")
    monkeypatch.setenv(RULES, str(rules))
    shown = page(open_page(filled, "gates", run=f"{rich.RUN}:hybrid"))
    assert shown.count("✓ passed") == 1
    assert shown.count("✕ failed") == 2
    assert "scored, the rule asks for 50." in shown
    assert "rules.toml" in shown


@pytest.mark.parametrize("text", ["[[questions]]\nmetric = 'x'\nmin = 1", "not toml ["])
def test_rules_that_are_none_are_one_sentence(
    filled: Path, open_page: Callable[..., AppTest],
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str,
) -> None:  # fmt: skip
    rules = tmp_path / "rules.toml"
    rules.write_text(text, "utf-8")
    monkeypatch.setenv(RULES, str(rules))
    at = open_page(filled, "gates")
    assert not at.exception
    assert len(at.error) == 1
    assert "rules.toml" in page(at)


@pytest.mark.parametrize("base", ["no such run", "dense", "20261130-0940-attack-9b1c"])
def test_a_base_that_cannot_be_is_noted(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest], base: str
) -> None:
    at = open_page(filled, "gates", run=f"{rich.RUN}:dense", base=base)
    assert not at.exception
    assert len(at.warning) == 1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_without_a_baseline_nothing_looks_failed_or_held_against_it(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest],
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str,
) -> None:  # fmt: skip
    rules = tmp_path / "rules.toml"
    rules.write_text('[[questions]]\nmetric = "answer_accuracy"\nnon_inferior = 0.1\n', "utf-8")
    monkeypatch.setenv(RULES, str(rules))
    at = open_page(filled, "gates", run=f"{rich.RUN}:dense", lang=lang)
    shown = page(at)
    assert f"✕ {say('gate.fail', lang)}" not in shown
    assert shown.count(f"– {say('gate.not_comparable', lang)}") == 2
    assert say("gates.base.none", lang) in at.selectbox(key="pick.gate.base").options
    assert say("gates.base.tag", lang) not in at.selectbox(key="pick.gate.base").options
    assert invoke(["gate", f"{rich.RUN}:dense", "--store", str(filled)]) == 2


@pytest.mark.parametrize("mode", ["dense", "hybrid", "rerank"])
def test_a_failed_rule_opens_exactly_the_questions_that_are_short_of_it(
    filled: Path, rich: ModuleType, mode: str, open_page: Callable[..., AppTest],
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Thresholds that nothing reaches, over every metric of the default rules."""
    names = [rule.metric for rule in load_rules(rules_file()).questions]
    rules = tmp_path / "rules.toml"
    rules.write_text("".join(_hardest(name) for name in names), "utf-8")
    monkeypatch.setenv(RULES, str(rules))
    ref = f"{rich.RUN}:{mode}"
    capsys.readouterr()
    invoke(["gate", ref, "--store", str(filled), "--json"])
    told = {rule["metric"]: rule for rule in json.loads(capsys.readouterr().out)["rules"]}
    hrefs = re.findall(r'href="([^"]*triage[^"]*)"', page(open_page(filled, "gates", run=ref)))
    linked = {parse_qs(urlsplit(unescape(href)).query)["short"][0]: href for href in hrefs}
    assert set(linked) == {name for name, rule in told.items() if rule["verdict"] == "fail"}
    assert linked or mode == "rerank"
    cursor = attach(run_file(filled, rich.RUN, 1))
    for name in linked:
        rule = told[name]
        expected = rule["k"] if rule["test"] == "max" else rule["n"] - rule["k"]
        found = triage.ids(cursor, triage.Filters(mode=mode, short=(name,)), NOBODY)
        assert len(found) == expected > 0
        at = open_page(filled, "triage", run=ref, short=name)
        total = rich_total(cursor)
        assert say("triage.shown", "en", n=expected, total=total) in [one.value for one in at.text]


def _hardest(name: str) -> str:
    bound = "min = 1.0" if BY_NAME[name].higher_is_better else "max = 0.0"
    return f'[[questions]]\nmetric = "{name}"\n{bound}\n'


def rich_total(cursor: Cursor) -> int:
    return int(rows(cursor, "SELECT count(*) AS n FROM run.questions")[0]["n"])


@pytest.mark.parametrize("test", ["min", "max", "non_inferior"])
def test_the_command_names_the_numbers_of_too_few(test: str) -> None:
    rule = Rule("answer_accuracy", Threshold(test), 0.5, by_interval=False, min_scored=20)
    words = why(Checked(rule, Verdict.UNSCORED, "too_few", 0.5, 4, 8, 9, 0, None, "yes"))
    assert "20" in words
    assert ("8 scored" in words) == (test != "non_inferior")
