from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ragdash.store.attach import attach
from ragdash.store.runfile import publish_attack
from ragdash.ui import attacking
from ragdash.views import attacks

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.views.query import Cursor


def test_case_rows_name_what_failed(attack_cursor: Cursor) -> None:
    rows = {(r.policy, r.case_id): r for r in attacks.cases(attack_cursor)}
    assert rows["baseline", "inj_01"].failures == ("unsafe_action", "unsupported_claim")
    assert rows["defended", "inj_02"].refused
    assert not rows["defended", "inj_02"].answerable
    assert [c["trusted"] for c in rows["baseline", "safe_01"].view["chunks"]] == [True, False]


def test_a_policy_that_gave_nothing_is_an_error_and_no_answer(
    build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attacking, "t", lambda key: key)
    broken = build.make_attack_row(error="timed out", answer="", citations=())
    run = publish_attack(tmp_path, build.make_attack_info(), [broken], [], "2026-11-30T10:00:00Z")
    (row,) = attacks.cases(attach(run))
    assert row.error == "timed out"
    said = str(attacking._did(row))
    assert "outcome.error" in said
    assert "timed out" in said
    assert "attacks.answered" not in said


def test_a_rate_over_no_case_is_missing_and_not_zero(attack_cursor: Cursor) -> None:
    found = attacks.rates(attack_cursor)
    assert found["baseline"]["over_abstention"].rate is None
    frame = attacks.rate_frame(found, ("baseline",), ("over_abstention", "unsafe_action"))
    assert frame["measure"].tolist() == ["unsafe_action"]
    assert frame["rate"].tolist() == pytest.approx([2 / 3])


def test_abstention_is_among_no_failures() -> None:
    assert attacks.COST not in attacks.FAILURES
    assert not set(attacks.SPLIT) & set(attacks.FAILURES)


def test_zero_of_six_still_allows_a_rate() -> None:
    assert attacks.zero_still_allows(6) == pytest.approx(0.39, abs=0.005)
