from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from ragdash.attack.cases import fixture_file
from ragdash.attack.run import AttackPlan, run_attacks
from ragdash.cli.attack import publish

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from streamlit.testing.v1 import AppTest

WHEN = datetime(2026, 11, 30, 10, tzinfo=UTC)
TAKEN = ("atk-001", "atk-005", "atk-009", "atk-013", "atk-031", "atk-032")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with six of our fixtures, studied, in both languages."""
    folder = tmp_path_factory.mktemp("attacks")
    lines = fixture_file("fixtures.jsonl").read_text("utf-8").splitlines()
    taken = [line for line in lines if json.loads(line)["id"] in TAKEN]
    (folder / "some.jsonl").write_text("\n".join(taken), "utf-8")
    plan = AttackPlan(
        folder / "some.jsonl", fixture_file("registry.json"), isolated=False, studied=True
    )
    publish(run_attacks(plan), folder / "store", WHEN)
    return folder / "store"


def shown(at: AppTest) -> str:
    """All text of a page that a reader could see, our markup included."""
    kinds = ("title", "header", "text", "html", "code", "warning", "info", "success", "error")
    return "\n".join(str(getattr(e, "value", "")) for kind in kinds for e in at.get(kind))


def headers(at: AppTest) -> list[str]:
    return [str(h.value) for h in at.header]


def test_rows_stand_before_the_averages_and_the_key_before_both(
    open_page: Callable[..., AppTest], store: Path
) -> None:
    at = open_page(store, "attacks")
    assert not at.exception
    assert headers(at)[:4] == [
        "Answer key",
        "Case rows",
        "Failure rates by policy",
        "Abstention",
    ]
    assert "6 of 6 cases" in shown(at)
    assert len(at.get("vega_lite_chart")) == 3


def test_a_cell_is_a_link_to_its_case_and_policy(
    open_page: Callable[..., AppTest], store: Path
) -> None:
    text = shown(open_page(store, "attacks"))
    assert "case=atk-013&amp;policy=layered" in text
    assert 'aria-label="atk-013, baseline: attack won"' in text
    assert "First control: C2 strip hidden text" in text


def test_a_case_of_the_address_is_shown_with_its_marks_trace_and_effects(
    open_page: Callable[..., AppTest], store: Path
) -> None:
    at = open_page(store, "attacks", case="atk-013", policy="layered")
    assert not at.exception
    assert headers(at) == [
        "What each policy did",
        "What the policies saw",
        "What layered decided",
        "Which control it took",
        "The stored view",
    ]
    text = shown(at)
    assert "<mark" in text
    assert "hidden text stripped" in text
    assert "opened from the grid" in text
    assert "the case breaks" in text
    assert any(c.value.startswith("sha256:") for c in at.code)


@pytest.mark.parametrize(("lang", "words"), [("en", "Open on purpose"), ("zh", "有意保留")])
def test_the_case_that_is_open_on_purpose_is_named_as_such(
    open_page: Callable[..., AppTest], store: Path, lang: str, words: str
) -> None:
    text = shown(open_page(store, "attacks", lang=lang))
    assert words in text
    assert "case=atk-031" in text


@pytest.mark.parametrize(("name", "value"), [("state", "forbidden"), ("class", "hidden_markup")])
def test_a_filter_that_drops_a_class_refuses_the_summary_and_says_so(
    open_page: Callable[..., AppTest], store: Path, name: str, value: str
) -> None:
    at = open_page(store, "attacks", **{name: value})
    assert not at.exception
    assert headers(at)[-1] == "No summary"
    assert not at.get("vega_lite_chart")
    text = shown(at)
    assert "no rate of the run" in text
    assert "benign, answerable" in text


def test_a_run_that_lacks_rows_has_no_summary(
    open_page: Callable[..., AppTest], build: ModuleType, tmp_path: Path
) -> None:
    from ragdash.store.runfile import publish_attack

    info = build.make_attack_info(n_cases=9)
    publish_attack(
        tmp_path, info, [build.make_attack_row("a")], [build.make_attack_summary()], "2026-11-30"
    )
    at = open_page(tmp_path, "attacks")
    assert not at.exception
    assert "lacks" in at.warning[0].value
    assert not at.get("vega_lite_chart")


def test_rows_without_output_are_said_apart_and_are_no_success(
    open_page: Callable[..., AppTest], build: ModuleType, tmp_path: Path
) -> None:
    from ragdash.store.runfile import publish_attack

    info = build.make_attack_info(n_cases=1, policies=("defended",))
    row = build.make_attack_row("a", error="took over 120 s $x$ <b>", correct=False)
    publish_attack(tmp_path, info, [row], [build.make_attack_summary()], "2026-11-30T10:00:00Z")
    at = open_page(tmp_path, "attacks")
    assert not at.exception
    assert "Rows without an output: 1." in at.warning[0].value
    assert "took over 120 s $x$ &lt;b&gt;" in shown(at)
    assert "✕" not in shown(at)
    assert "Rows without an output: 1." in shown(open_page(tmp_path, "attacks", state="error"))


def test_many_cases_come_a_page_at_a_time(
    open_page: Callable[..., AppTest], build: ModuleType, tmp_path: Path
) -> None:
    from ragdash.store.runfile import publish_attack

    info = build.make_attack_info(n_cases=60, policies=("defended",))
    rows = [build.make_attack_row(f"c{i:03}") for i in range(60)]
    publish_attack(tmp_path, info, rows, [build.make_attack_summary()], "2026-11-30T10:00:00Z")
    text = shown(open_page(tmp_path, "attacks", page="2"))
    assert ">c025</a>" in text
    assert ">c049</a>" in text
    assert ">c050</a>" not in text
    assert ">c024</a>" not in text
