"""Nothing that counts outcomes, layers or calibers reads the rule past store/effective.py."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "ragdash"
# Who reads the rule's own word, and why.
BY_THE_RULE = {
    "views/spot_check_risks.py": "a queue for people must not depend on what people say",
}
RAW = re.compile(r"\b(?:run|base|other)\.(results|scores)\b")
# A relation of what holds, put into a query by `.replace("{run}", RESULTS)` or as an f-string.
HOLDS = re.compile(r"\{\w*\}")
COLUMN = r"(?:outcome|layer|caliber_reviewed)\b"
OF_RESULTS = re.compile(rf"(?<![\w.$']){COLUMN}(?!')|\br\.{COLUMN}")
QUALIFIED = re.compile(rf"\br\.{COLUMN}|\br\.\*(?!\s*(?:EXCLUDE|,))")
OF_SCORES = re.compile(r"'(?:caliber|answer_accuracy)'|\$headline")


def queries(source: str) -> list[str]:
    """Return the strings of a module; what an f-string puts in stands as {}."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            parts = (p.value if isinstance(p, ast.Constant) else "{}" for p in node.values)
            found.append("".join(str(part) for part in parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append(node.value)
    return found


def is_past_people(query: str) -> bool:
    """Whether a query takes an outcome, a layer, a caliber or the headline from the rule's rows."""
    raw = {match[1] for match in RAW.finditer(query)}
    has_effective = HOLDS.search(query) is not None
    columns = QUALIFIED if has_effective else OF_RESULTS
    if "results" in raw and columns.search(query):
        return True
    return "scores" in raw and not has_effective and OF_SCORES.search(query) is not None


def modules() -> list[Path]:
    return [p for p in sorted(ROOT.rglob("*.py")) if p.relative_to(ROOT).parts[0] != "store"]


def test_only_the_named_modules_read_the_rule_past_people() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for path in modules()
        if any(is_past_people(query) for query in queries(path.read_text(encoding="utf-8")))
    }
    assert found == set(BY_THE_RULE)


@pytest.mark.parametrize(
    ("query", "past"),
    [
        ("SELECT mode, outcome, count(*) FROM run.results GROUP BY ALL", True),
        ("SELECT r.layer FROM run.results r", True),
        ("SELECT * FROM run.results WHERE outcome = 'wrong'", True),
        ("SELECT avg(value) FROM base.scores WHERE metric = 'answer_accuracy'", True),
        ("SELECT avg(value) FROM run.scores WHERE metric = $headline", True),
        ("SELECT r.outcome FROM run.results r JOIN ({run}) e USING (mode, question_id)", True),
        ("SELECT e.outcome FROM run.results r JOIN ({run}) e USING (mode, question_id)", False),
        ("SELECT outcome FROM ({run})", False),
        ("SELECT gold_final_rank FROM run.results WHERE mode = ?", False),
        ("SELECT value FROM run.scores WHERE metric = 'numeric_accuracy'", False),
        ("SELECT value FROM ({scores}) WHERE metric = 'caliber'", False),
    ],
)
def test_the_rule_tells_a_query_past_people_from_one_that_hears_them(
    query: str, past: bool
) -> None:
    assert is_past_people(query) == past
