from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ragdash import shipped
from ragdash.core.errors import InputError
from ragdash.gate.rules import Rule, Threshold, load_rules
from ragdash.metrics import BY_NAME

if TYPE_CHECKING:
    from pathlib import Path


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "rules.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_rule_is_one_threshold_of_one_metric(tmp_path: Path) -> None:
    found = load_rules(
        written(
            tmp_path,
            """
            [[questions]]
            metric = "caliber" # 口径
            min = 0.95
            by = "interval"
            min_scored = 30
            [[attacks]]
            metric = "attack_success"
            max = 0.0
            """,
        )
    )
    assert found.questions == (
        Rule("caliber", Threshold.MIN, 0.95, by_interval=True, min_scored=30),
    )
    assert found.attacks == (
        Rule("attack_success", Threshold.MAX, 0.0, by_interval=False, min_scored=1),
    )


def test_the_shipped_rules_are_rules() -> None:
    found = load_rules(shipped.path("data/gates/default.toml"))
    assert {rule.metric for rule in found.questions} <= set(BY_NAME)
    assert found.attacks


QUESTION = "\n\n[[questions]]\nmetric = "


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "hold no [[questions]]"),
        ("[[questions]\n", "not TOML"),
        (f'{QUESTION}"answer_acuracy"\nmin = 0.5', "did you mean answer_accuracy?"),
        (f'{QUESTION}"answer_acuracy"\nmin = 0.5', ":3: metric 'answer_acuracy' does not"),
        (f'{QUESTION}"回答准确率"\nmin = 0.5', ":3: metric '回答准确率' does not exist: known are"),
        (f'{QUESTION}"caliber"', "one of min, max and non_inferior, this one none"),
        (f'{QUESTION}"caliber"\nmin = 0.5\nmax = 0.9', "this one min and max"),
        (f'{QUESTION}"caliber"\nmin = 1.5', ":3: min:"),
        (f'{QUESTION}"caliber"\nmin = nan', ":3: min:"),
        (f'{QUESTION}"caliber"\nmin = "0.5"', ":3: min:"),
        (f'{QUESTION}"caliber"\nminn = 0.5', ":3: key 'minn' does not exist: did you mean min?"),
        (f'{QUESTION}"caliber"\nmax = 0.5', "more of caliber is better: write min"),
        (f'{QUESTION}"over_refusal"\nmin = 0.5', "less of over_refusal is better: write max"),
        (f'{QUESTION}"faithfulness_similarity"\nmin = 0.5', "a direction only: it cannot be gated"),
        (f'{QUESTION}"caliber"\nnon_inferior = 0.1\nby = "value"', "always read from the interval"),
        ('[[attacks]]\nmetric = "attack_succes"\nmax = 0', ":1: metric 'attack_succes' does not"),
        ('[[attacks]]\nmetric = "utility"\nnon_inferior = 0.1', "is for [[questions]]"),
        ("[gates]\nx = 1", "key 'gates' does not exist"),
        ('questions = "all"', "the rules"),
    ],
)  # fmt: skip
def test_what_is_no_rule_is_refused_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        load_rules(written(tmp_path, text))
    assert words in str(refused.value)
    assert "\n" not in str(refused.value).replace("\\n", "")
    assert "rules.toml" in str(refused.value)


@pytest.mark.parametrize("data", [b"\xff\xfe[[questions]]", b"#" * 2_000_000])
def test_bytes_that_are_no_rules_are_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes(data)
    with pytest.raises(InputError, match="rules"):
        load_rules(path)


def test_deep_nesting_is_refused_and_not_a_crash(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"rules\.toml"):
        load_rules(written(tmp_path, "x = " + "[" * 10_000))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml cannot be read"):
        load_rules(tmp_path / "none.toml")
