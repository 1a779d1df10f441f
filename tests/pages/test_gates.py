from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ragdash.cli import invoke
from ragdash.gate.asking import RULES
from ragdash.ui.i18n import say

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from streamlit.testing.v1 import AppTest

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
    assert any(f"ragdash gate {ref} --store" in one.value for one in at.code)


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
    assert "Too few scored questions." in shown
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
