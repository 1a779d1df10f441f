from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from ragdash.core.question import Evidence, QuestionKind
from ragdash.core.retrieval import Mode
from ragdash.store.attach import attach
from ragdash.store.journal import Journal
from ragdash.store.registry import Registry
from ragdash.store.runfile import publish
from ragdash.views import question_sets as view

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from ragdash.core.question import Question
    from ragdash.views.query import Cursor

RUN = "20261130-15{:02}-set-1"


def run_over(
    build: ModuleType, store: Path, questions: list[Question], at: int, digit: str = ""
) -> Path:
    info = build.make_info(
        RUN.format(at),
        modes=(Mode.DENSE,),
        n_questions=len(questions),
        started_at=f"2026-11-30T15:{at:02}:00Z",
        questions_name=f"套题{at}",
        questions_digest="sha256:" + (digit or f"{at:x}") * 64,
    )
    journal = Journal.create(store, info, [q.id for q in questions])
    for question in questions:
        journal.append(build.make_result(question=question, mode=Mode.DENSE))
    return publish(store, journal, f"2026-11-30T15:{at:02}:30Z")


def changed(draw: random.Random, question: Question) -> tuple[str, Question]:
    """A question as it may have been before, and what is then said of it."""
    (gold,) = question.gold
    return draw.choice(
        [
            ("same", question),
            ("gold", replace(question, gold=(replace(gold, value=Decimal("7.5")),))),
            ("gold", replace(question, evidence=(Evidence("600519-2023", 46),))),
            ("gold", replace(question, answerable=False, text="改写")),
            ("fields", replace(question, text="贵州茅台2023年营收？")),
            ("fields", replace(question, note="看清口径", period=None)),
            ("fields", replace(question, kind=QuestionKind.COMPUTED)),
        ]
    )


@pytest.mark.parametrize("seed", range(3))
def test_differences_are_those_of_a_loop_over_two_sets_the_dangerous_first(
    build: ModuleType, tmp_path: Path, seed: int
) -> None:
    draw = random.Random(seed)
    names = [f"q{i:02}" for i in range(60)]
    now = [build.make_question(name) for name in draw.sample(names, 45)]
    told: dict[str, str] = {}
    before = []
    for question in now:
        if draw.random() < 0.2:
            told[question.id] = "added"
            continue
        told[question.id], was = changed(draw, question)
        before.append(was)
    gone = [name for name in names if name not in {q.id for q in now}][:7]
    before += [build.make_question(name) for name in gone]
    told |= dict.fromkeys(gone, "removed")
    paths = [run_over(build, tmp_path, part, at) for at, part in enumerate((now, before), start=1)]
    cursor = attach(*paths)
    first = view.differences(cursor)
    expected = Counter(told.values())
    assert first.same == expected.pop("same", 0)
    assert {code: n for code, n in first.counts.items() if n} == dict(expected)
    shown = [one for at in range(first.pages) for one in view.differences(cursor, at + 1).shown]
    assert {one.question_id: one.change for one in shown} == {
        q: c for q, c in told.items() if c != "same"
    }
    ranks = [view.CHANGES.index(one.change) for one in shown]
    assert ranks == sorted(ranks)
    assert view.differences(cursor, 99).page == first.pages


def test_a_changed_field_is_shown_as_it_was_and_is(build: ModuleType, tmp_path: Path) -> None:
    question = build.make_question("q<1>")
    was = replace(question, text="旧题", gold=(), answerable=False)
    paths = [run_over(build, tmp_path, [q], at) for at, q in enumerate((question, was), start=1)]
    (one,) = view.differences(attach(*paths)).shown
    assert (one.question_id, one.change) == ("q<1>", "gold")
    assert list(one.fields) == ["gold", "answerable", "text"]
    assert one.fields["answerable"] == (False, True)
    assert one.fields["text"] == ("旧题", question.text)
    assert one.fields["gold"][0] == []
    assert one.fields["gold"][1][0]["value"] == "147693604994.14"


def test_a_set_held_against_itself_has_no_difference(build: ModuleType, tmp_path: Path) -> None:
    path = run_over(build, tmp_path, [build.make_question("q1")], 1)
    found = view.differences(attach(path, path))
    assert (found.same, sum(found.counts.values()), found.shown) == (1, 0, ())


def test_sets_are_told_by_their_content_and_name_the_runs_that_used_them(
    build: ModuleType, rich: ModuleType, tmp_path: Path
) -> None:
    store = rich.make_rich_store(build, tmp_path / "store")
    one = [build.make_question("q1")]
    run_over(build, store, one, 1)
    run_over(build, store, one, 3, "1")
    found = view.sets(Registry.open(store, read_only=True).runs())
    assert [(s.key, len(s.runs)) for s in found] == [("1" * 12, 2), ("2" * 12, 1)]
    # An attack run has fixtures and no question set.
    assert rich.ATTACK not in [run.run_id for s in found for run in s.runs]
    assert found[0].run.run_id == RUN.format(3)


def test_facts_count_kinds_languages_and_what_questions_bring(cursor: Cursor) -> None:
    found = view.facts(cursor)
    assert (found.n, found.answerable, found.with_gold, found.with_evidence) == (6, 5, 4, 5)
    assert found.langs == {"zh": 4, "en": 2}
    assert found.kinds == {"lookup": 5, "text": 1}
