"""Every reason code that the matcher can give has words in both languages."""

from __future__ import annotations

import re
from pathlib import Path

from ragdash.amounts import Role
from ragdash.amounts.reasons import REASONS

ROOM = Path(__file__).parents[2] / "ragdash" / "amounts"


def test_every_code_in_the_matcher_and_in_binding_has_words() -> None:
    files = ("match.py", "figures.py", "binding.py")
    source = "".join((ROOM / name).read_text("utf-8") for name in files)
    quoted = set(re.findall(r'"([a-z]+(?:_[a-z]+)*)"', source))
    codes = {c for c in quoted if c in REASONS or "_" in c or c in ("equal", "sign", "magnitude")}
    assert codes <= set(REASONS)
    assert {"other_figure", "sibling_metric", "no_number", "magnitude"} <= codes


def test_every_role_that_excludes_a_figure_has_words() -> None:
    excluding = {Role.NEGATED, Role.BOUND, Role.RANGE, Role.HEDGED, Role.INTERMEDIATE}
    assert {role.value for role in excluding} <= set(REASONS)


def test_both_languages_are_there() -> None:
    assert all(s.en and re.search(r"[\u4e00-\u9fff]", s.zh) for s in REASONS.values())
