from __future__ import annotations

import re
import string
from pathlib import Path
from types import SimpleNamespace

import pytest

from ragdash.amounts.reasons import REASONS
from ragdash.attack.classes import KNOWN
from ragdash.core.diagnosis import Layer
from ragdash.core.run import Outcome
from ragdash.core.score import ScoreStatus
from ragdash.index.similarity import IndexSimilarity
from ragdash.metrics import METRICS
from ragdash.questions import ATTRIBUTIONS, SCOPES
from ragdash.ui.i18n import SIMILARITY, S, say

ROOT = Path(__file__).parents[2]
# Without the words themselves: a key that only stands among them is used by nobody.
SOURCES = [
    path
    for path in (*(ROOT / "ragdash" / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py"))
    if path.parent.name != "words"
]


def holes(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("key", S)
def test_each_key_has_both_languages_with_the_same_holes(key: str) -> None:
    english, chinese = S[key]
    assert english.strip()
    assert chinese.strip()
    assert holes(english) == holes(chinese)


# 归母 and 扣非 have no short English name: the reason for a check names them beside the English.
TERMS = {"risk.attribution", "risk_help.attribution", "risk_help.near_miss"}


def test_english_holds_no_chinese_but_where_a_language_or_a_term_is_named() -> None:
    han = {k for k, (en, _) in S.items() if re.search(r"[\u4e00-\u9fff]", en)}
    assert han == {"lang.label", *TERMS}


# What people type: a filter, an address, a pair of weights.
CODE = re.compile(r"-?无:评审|运行:模式|向量:BM25")
UI = Path(__file__).parents[2] / "ragdash" / "ui"


def test_a_colon_after_chinese_is_a_full_width_one() -> None:
    half = [k for k, (_, zh) in S.items() if re.search(r"[\u4e00-\u9fff}]:", CODE.sub("", zh))]
    assert half == []
    assert say("colon", "zh") == "："


def test_a_label_gets_the_colon_of_its_language() -> None:
    """A label and a value are put together by `labelled`, never by a colon in the code."""
    joined = re.compile(r"""\{(?:t|term|control)\([^{}]*\)\}: """)
    found = [str(p) for p in UI.rglob("*.py") if joined.search(p.read_text("utf-8"))]
    assert [p for p in found if "spot_checks" not in p] == []


def test_what_a_gate_is_called_is_one_word_in_chinese() -> None:
    assert [k for k, (_, zh) in S.items() if "门槛" in zh] == []


def test_every_stored_code_has_its_words() -> None:
    codes = [f"outcome.{o}" for o in Outcome] + [f"layer.{x}" for x in Layer]
    codes += [f"status.{x}" for x in ScoreStatus] + [f"metric.{m.name}" for m in METRICS]
    codes += [f"class.{c}" for c in KNOWN] + [f"scope.{c}" for c in SCOPES]
    codes += [f"attribution.{c}" for c in ATTRIBUTIONS]
    assert [c for c in codes if c not in S] == []


@pytest.mark.parametrize("model", ["embedded:e5-small", "a, not entailment", "x\ny"])
def test_the_name_of_the_similarity_judge_is_taken_apart(model: str) -> None:
    index = SimpleNamespace(dense=None, chunks=())
    embedder = SimpleNamespace(identity=SimpleNamespace(spec=model))
    found = SIMILARITY.fullmatch(IndexSimilarity(index, embedder).name)  # type: ignore[arg-type]
    assert found
    assert found["model"] == model
    assert say("judge.of", "zh", model=model).startswith(model)


def test_every_reason_that_the_rules_give_has_its_words() -> None:
    rooms = ("evaluate", "metrics", "caliber", "amounts")
    rules = [path for room in rooms for path in (ROOT / "ragdash" / room).glob("*.py")]
    calls = r"(?:undefined|failed|not_applicable)\(\s*(?:self\.)?\"?[\w@]+\"?,\s*\"([a-z_]+)\""
    verdicts = r"(?:Match|CaliberStatus)\.[A-Z_]+,\s*(?:None,\s*)?\"([a-z_]+)\""
    faults = r"_fault\(\s*\"([a-z_]+)\""
    found = {
        code
        for path in rules
        for pattern in (calls, verdicts, faults)
        for code in re.findall(pattern, path.read_text("utf-8"))
    }
    assert {"no_gold_amount", "no_label", "no_output"} <= found
    assert {c for c in found if f"reason.{c}" not in S and c not in REASONS} == set()
    assert [c for c in REASONS if f"reason.{c}" in S] == []


def test_every_key_in_the_code_exists() -> None:
    used = {k for p in SOURCES for k in re.findall(r"\bt\(\s*\"([a-z_.@0-9]+)\"", p.read_text())}
    assert used
    assert used - set(S) == set()


def test_every_key_is_used() -> None:
    code = "".join(p.read_text("utf-8") for p in SOURCES)
    groups = {m.split(".")[0] for m in re.findall(r"term\(\s*\"(\w+)\"", code)} | {"metric"}
    prefixes = tuple(re.findall(r"t\(f\"([a-z_.]+)\.?\{", code))
    # the groups that name the tabs of a page
    prefixes += tuple(re.findall(r"\bwords=\"([a-z_.]+)\"", code))
    unused = [
        key
        for key in S
        if f'"{key}"' not in code
        and f"'{key}'" not in code
        and key.split(".")[0]
        not in groups | {"outcome", "layer", "kind", "status", "run", "reason"}
        and not key.startswith(prefixes)
    ]
    assert unused == []


def test_a_missing_key_is_an_error_and_not_a_blank() -> None:
    with pytest.raises(KeyError):
        say("no.such.key", "en")
