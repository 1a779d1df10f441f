"""The demo's lesson: a small judge agrees with everything, and the numeric gate does not.

From recorded replies of a real model: nothing is asked here, and no model is needed. A prompt or a
schema that changes makes another judge, so that the recording no longer answers: record it again.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ragdash.core.call import CallReason
from ragdash.core.score import ScoreStatus

if TYPE_CHECKING:
    from types import ModuleType

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
RECORDINGS = sorted(Path(__file__).with_name("recordings").glob("*.calls.jsonl"))


@pytest.fixture(scope="module")
def tables(lesson: ModuleType, tmp_path_factory: pytest.TempPathFactory):
    """The rows of each recording by its name."""
    return {
        path.name: lesson.replayed(path, tmp_path_factory.mktemp("lesson") / "corpus")
        for path in RECORDINGS
    }


def test_there_is_a_recording_of_a_real_model() -> None:
    assert [p.name for p in RECORDINGS] == ["smollm2.en.calls.jsonl"]


def test_the_gate_fails_what_is_wrong_whatever_the_judge_says(tables) -> None:
    for rows in tables.values():
        assert [(r.case.stated, r.numeric.value, r.numeric.reason) for r in rows] == [
            ("right", 1.0, "match"),
            ("another magnitude", 0.0, "magnitude"),
            ("a product's", 0.0, "other_figure"),
        ]


def test_the_judge_calls_right_and_wrong_answers_supported_alike(tables) -> None:
    rows = tables["smollm2.en.calls.jsonl"]
    assert [row.said for row in rows] == ["supported"] * 3


def test_what_it_calls_supported_without_a_quote_that_is_there_counts_for_nothing(tables) -> None:
    for row in tables["smollm2.en.calls.jsonl"]:
        score = row.faithfulness
        assert score.status is ScoreStatus.ERROR or score.value == 0.0
        assert "12,300" in "".join(call.reply for call in row.calls)
        assert not any("12,300" in chunk.text for chunk in row.case.seen.context)


def test_every_reply_is_kept_as_it_came_and_none_was_asked_again(tables) -> None:
    for rows in tables.values():
        for row in rows:
            assert row.calls
            assert all(call.cached and call.tries == 1 for call in row.calls)
            assert all(call.reply for call in row.calls if call.reason is not CallReason.TIMEOUT)


def test_the_table_of_the_readme_is_what_was_recorded(lesson: ModuleType, tables) -> None:
    shown = README.split("<!-- lesson -->\n")[1].split("\n\n")[0].splitlines()[2:]
    rows = tables["smollm2.en.calls.jsonl"]
    assert shown == ["| " + " | ".join(lesson.cells(row)) + " |" for row in rows]
