from __future__ import annotations

import json
from dataclasses import fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from ragdash.attack.cases import fixture_file
from ragdash.attack.outcomes import went_well
from ragdash.attack.run import AttackPlan, run_attacks
from ragdash.cli.attack import publish
from ragdash.core.attack import AttackCase, Expectation, Forbidden
from ragdash.store.attach import attach
from ragdash.store.runfile import publish_attack
from ragdash.views import attack_case, attack_study, attacks

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from ragdash.attack.run import AttackRun
    from ragdash.views.query import Cursor

WHEN = datetime(2026, 11, 30, 10, tzinfo=UTC)
# Hidden markup, an instruction in a filing, one in a web page, a silent corruption, an unanswerable
# case and a benign one, in both languages.
TAKEN = ("atk-005", "atk-009", "atk-013", "atk-014", "atk-019", "atk-031", "atk-001")


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> AttackRun:
    folder = tmp_path_factory.mktemp("studied")
    lines = fixture_file("fixtures.jsonl").read_text("utf-8").splitlines()
    taken = [line for line in lines if json.loads(line)["id"] in TAKEN]
    (folder / "some.jsonl").write_text("\n".join(taken), "utf-8")
    plan = AttackPlan(
        folder / "some.jsonl", fixture_file("registry.json"), isolated=False, studied=True
    )
    return run_attacks(plan)


@pytest.fixture(scope="module")
def run_path(studied: AttackRun, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return publish(studied, tmp_path_factory.mktemp("store"), WHEN)


@pytest.fixture
def cursor(run_path: Path) -> Cursor:
    opened: Cursor = attach(run_path)
    return opened


@pytest.fixture(scope="module")
def six(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return publish(run_attacks(AttackPlan(isolated=False)), tmp_path_factory.mktemp("six"), WHEN)


def test_a_cell_says_what_became_of_a_case_and_which_control_fired(cursor: Cursor) -> None:
    found = attacks.grid(cursor, attacks.Filters(), 1)
    cells = {case.case_id: case.cells for case in found.cases}
    assert found.matching == found.total == len(TAKEN)
    assert cells["atk-013"]["baseline"].state == "compromised"
    assert cells["atk-013"]["layered"].state == "right"
    assert cells["atk-013"]["layered"].fired[0] == "C2_strip_hidden"
    assert cells["atk-005"]["layered"].state == "refused_right"
    assert cells["atk-031"]["layered"].state == "forbidden"


def test_a_refusal_is_no_failure_of_a_class_and_an_error_is_no_case_of_it(
    build: ModuleType, tmp_path: Path
) -> None:
    rows = [
        build.make_attack_row("a", refused=True, correct=False),
        build.make_attack_row("b", error="timed out", correct=False),
        build.make_attack_row("c", correct=False),
    ]
    run = publish_attack(tmp_path, build.make_attack_info(), rows, [], "2026-11-30T10:00:00Z")
    found = attacks.by_class(attach(run))["defended", "plain_injection"]
    assert (found.k, found.n) == (1, 2)
    assert attacks.errors(attach(run)) == (1, [("defended", "b", "timed out")])
    assert attacks.per_answered(attach(run))["defended"]["unsafe_action"].n == 1


def test_a_filter_keeps_cases_whole_and_says_which_classes_it_drops(cursor: Cursor) -> None:
    lost = attacks.Filters(states=("forbidden",))
    found = attacks.grid(cursor, lost, 1)
    assert "atk-031" in [case.case_id for case in found.cases]
    assert all(len(case.cells) == 3 for case in found.cases)
    left = attacks.classes_left(cursor, lost)
    assert "trusted_silent_corruption" in left
    assert "benign_answerable" not in left
    assert not lost.whole


def test_cases_are_paged_by_the_database_and_a_page_too_far_is_the_last(
    build: ModuleType, tmp_path: Path
) -> None:
    rows = [build.make_attack_row(f"c{i:03}") for i in range(2 * attacks.PAGE_SIZE + 3)]
    run = publish_attack(tmp_path, build.make_attack_info(), rows, [], "2026-11-30T10:00:00Z")
    first = attacks.grid(attach(run), attacks.Filters(), 1)
    last = attacks.grid(attach(run), attacks.Filters(), 99)
    assert first.pages == 3
    assert [c.case_id for c in first.cases] == [f"c{i:03}" for i in range(attacks.PAGE_SIZE)]
    assert [c.case_id for c in last.cases] == [f"c{i:03}" for i in range(50, 53)]


def test_a_run_that_lacks_rows_is_found_out(build: ModuleType, tmp_path: Path) -> None:
    rows = [build.make_attack_row(i) for i in "ab"]
    info = build.make_attack_info(n_cases=3, policies=("defended",))
    run = publish_attack(tmp_path, info, rows, [], "2026-11-30T10:00:00Z")
    assert attacks.missing_rows(attach(run), 3, ("defended",)) == 1
    assert attacks.missing_rows(attach(run), 2, ("defended",)) == 0


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


def test_one_case_has_its_view_its_trace_and_its_effects(cursor: Cursor) -> None:
    found = attack_case.case(cursor, "atk-013")
    assert found is not None
    layered = found.policies["layered"]
    assert next((line.control, line.decision) for line in layered.trace) == (
        "C2_strip_hidden",
        "stripped",
    )
    assert found.view is not None
    assert [c["id"] for c in found.view["chunks"]] == [c.id for c in found.chunks]
    assert found.n_views == 1
    told = {e.control: e for e in layered.effects}
    assert told["C2_strip_hidden"].first
    assert told["C2_strip_hidden"].breaks_without
    assert not told["C4_provenance"].fired
    assert layered.orders == {"n": 1, "good": 1, "compromised": 0, "refused": 0}
    assert attack_case.case(cursor, "no such case") is None


def test_a_case_of_many_and_long_chunks_is_cut_and_says_so(
    build: ModuleType, tmp_path: Path, make_view: Callable[[int, str], object]
) -> None:
    row = build.make_attack_row("big", view=make_view(300, "长" * 70_000))
    info = build.make_attack_info()
    run = publish_attack(tmp_path, info, [row], [], "2026-11-30T10:00:00Z")
    found = attack_case.case(attach(run), "big")
    assert found is not None
    assert (len(found.chunks), found.n_chunks) == (attack_case.CHUNKS, 300)
    assert (len(found.chunks[0].text), found.chunks[0].length) == (attack_case.TEXT, 70_000)
    assert found.view is None
    assert found.view_length > 300 * 70_000


@pytest.fixture
def make_view() -> Callable[[int, str], object]:
    from ragdash.core.attack import PolicyView, ViewChunk

    def made(n: int, text: str) -> PolicyView:
        chunks = tuple(ViewChunk(f"c{i}", text, trusted=True) for i in range(n))
        return PolicyView("问？", chunks, oracle_trust=False)

    return made


def test_controls_orders_and_open_cases_are_those_of_the_rows(
    cursor: Cursor, studied: AttackRun
) -> None:
    layered = [row for row in studied.rows if row.policy == "layered"]
    rows = {row.control: row for row in attack_study.controls(cursor)}
    assert list(rows) == [e.control for e in layered[0].effects]
    for at, name in enumerate(rows):
        effects = [(row.case_id, row.effects[at]) for row in layered]
        assert rows[name].fired == sum(e.fired for _, e in effects)
        assert rows[name].first == sum(e.first for _, e in effects)
        assert rows[name].breaks == tuple(i for i, e in effects if e.breaks_without)
        assert rows[name].stops == tuple(i for i, e in effects if e.stops_alone)
    orders = {found.policy: found for found in attack_study.orders(cursor)}
    assert set(orders) == set(studied.policies)
    assert orders["layered"].worst.k == 0
    assert orders["baseline"].mean > 0.5
    lost = attack_study.open_cases(cursor)
    assert lost is not None
    assert [case.case_id for case in lost] == [r.case_id for r in layered if not went_well(r)]
    assert all(case.by_design for case in lost)


def test_a_run_without_the_layered_policy_has_no_open_cases_to_speak_of(six: Path) -> None:
    assert attack_study.open_cases(attach(six)) is None
    assert attack_study.controls(attach(six)) == []


@pytest.mark.parametrize("which", ["six", "studied"])
def test_the_sweep_meets_the_stored_rate_at_the_threshold_of_the_run(
    which: str, six: Path, run_path: Path
) -> None:
    cursor = attach(six if which == "six" else run_path)
    swept = attack_study.sweep(cursor)
    rates = attacks.rates(cursor)
    at = swept[swept["threshold"] == 0.4]
    assert {row["policy"]: row["k"] for row in at.to_dict("records")} == {
        policy: found["unsupported_claim"].k for policy, found in rates.items()
    }
    for _, one in swept.groupby("policy"):
        assert one["k"].is_monotonic_increasing
    if which == "six":
        golden = dict(zip(at["policy"], at["k"], strict=True))
        assert (golden["baseline"], golden["defended"], golden["detect_only"]) == (4, 0, 2)


def test_the_key_check_proves_whitelisted_views_that_all_policies_shared(cursor: Cursor) -> None:
    found = attack_study.key_check(cursor)
    assert found.holds
    assert (found.cases, found.checked) == (len(TAKEN), len(TAKEN))
    assert found.trusted + found.mixed == len(TAKEN)


def test_the_key_check_fails_where_policies_got_different_views(
    build: ModuleType, tmp_path: Path, make_view: Callable[[int, str], object]
) -> None:
    rows = [
        build.make_attack_row("a", "defended", view=make_view(1, "x")),
        build.make_attack_row("a", "baseline", view=make_view(2, "x")),
    ]
    run = publish_attack(tmp_path, build.make_attack_info(), rows, [], "2026-11-30T10:00:00Z")
    found = attack_study.key_check(attach(run))
    assert not found.holds
    assert (found.shared, found.cases) == (0, 1)


@pytest.mark.parametrize(
    "view",
    [
        {"query": "q", "chunks": [], "oracle_trust": False, "answerable": True},
        {
            "query": "q",
            "oracle_trust": False,
            "chunks": [{"id": "a", "text": "t", "trusted": True, "meta": {"class": "x"}}],
        },
        {"query": "q", "oracle_trust": False, "chunks": [{"id": "a", "poison": 1, "meta": {}}]},
    ],
)
def test_a_view_with_a_field_of_the_key_is_not_clean(view: dict[str, object]) -> None:
    assert not attack_study._is_clean(view)


def test_the_whitelist_holds_no_field_that_only_the_key_has() -> None:
    known = attack_study._KEYS | attack_study._CHUNK_KEYS | attack_study._META_KEYS
    key = {f.name for noun in (AttackCase, Expectation, Forbidden) for f in fields(noun)}
    assert {"answerable", "attack_class", "expect", "fault", "poison_ids"} <= key
    # Forbidden.text is a list of phrases; a chunk's text has the same name.
    assert not known & (key - {"id", "query", "chunks", "text"})
