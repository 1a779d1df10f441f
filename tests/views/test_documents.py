from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from ragdash.core.diagnosis import Layer
from ragdash.core.question import Evidence
from ragdash.core.retrieval import GoldRanks, Mode
from ragdash.core.review import Verdict
from ragdash.core.run import Outcome
from ragdash.store.attach import attach
from ragdash.store.effective import NOBODY, Finding, People
from ragdash.store.journal import Journal
from ragdash.store.runfile import publish
from ragdash.views import documents as view

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from ragdash.core.run import QuestionResult
    from ragdash.views.query import Cursor

DOC = "600519-2023"
MODES = (Mode.DENSE, Mode.HYBRID)


def results_of(build: ModuleType, draw: random.Random, at: int) -> list[QuestionResult]:
    places = tuple(draw.sample([Evidence(DOC, 45), Evidence("b<1>", 2), Evidence(DOC, 46)], 2))
    question = build.make_question(f"q{at:02}", evidence=draw.choice([(), places, places[:1]]))
    ids = draw.choice([(), ("600519-2023/p45/1",), ("600519-2023/p45/1", "600519-2023/p45/3")])
    lost = draw.random() < 0.4
    layer = draw.choice([Layer.INGEST, Layer.GENERATION])
    made = []
    for mode in MODES:
        ranks = GoldRanks(ids, 1, None, None, None, 1, evidence_visible=draw.random() < 0.5)
        made.append(
            build.make_result(
                question=question,
                mode=mode,
                gold_ranks=ranks if question.evidence else None,
                outcome=Outcome.WRONG if lost else Outcome.CORRECT,
                diagnosis=build.make_diagnosis(layer) if lost else None,
            )
        )
    return made


@pytest.mark.parametrize("seed", range(3))
def test_gold_passages_are_those_of_a_loop_the_missing_first(
    build: ModuleType, tmp_path: Path, seed: int
) -> None:
    draw = random.Random(seed)
    both = [results_of(build, draw, at) for at in range(50)]
    info = build.make_info("20261130-1600-doc-1", modes=MODES, n_questions=50)
    journal = Journal.create(tmp_path, info, [pair[0].question.id for pair in both])
    for result in (one for pair in both for one in pair):
        journal.append(result)
    cursor: Cursor = attach(publish(tmp_path, journal, "2026-11-30T16:01:00Z"))
    expected = {}
    for first, _ in both:
        if first.gold_ranks is None:
            continue
        ingest = first.diagnosis is not None and first.diagnosis.layer is Layer.INGEST
        held = "unreadable" if ingest else "held"
        expected[first.question.id] = held if first.gold_ranks.chunk_ids else "none"
    found = view.gold_passages(cursor, NOBODY)
    assert {s: n for s, n in found.counts.items() if n} == dict(Counter(expected.values()))
    shown = [
        one for at in range(found.pages) for one in view.gold_passages(cursor, NOBODY, at + 1).shown
    ]
    assert {one.question_id: one.state for one in shown} == expected
    order = [view.STATES.index(one.state) for one in shown]
    assert order == sorted(order)
    seen = {
        first.question.id: tuple(
            r.mode.value for r in pair if r.gold_ranks and r.gold_ranks.evidence_visible
        )
        for pair in both
        for first in pair[:1]
    }
    assert all(one.visible == seen[one.question_id] for one in shown)
    evidence = Counter(
        doc for first, _ in both for doc in {e.doc_id for e in first.question.evidence}
    )
    assert view.evidence_counts(cursor) == dict(evidence)


def test_a_person_who_says_ingest_makes_a_passage_unreadable(cursor: Cursor) -> None:
    said = People({("dense", "q02"): Finding(Verdict.INGEST, "anna", flag=False)}, {})
    before = {o.question_id: o.state for o in view.gold_passages(cursor, NOBODY).shown}
    after = {o.question_id: o.state for o in view.gold_passages(cursor, said).shown}
    assert (before["q02"], after["q02"]) == ("held", "unreadable")
    assert {q: s for q, s in after.items() if q != "q02"} == {
        q: s for q, s in before.items() if q != "q02"
    }


def test_documents_are_those_that_a_candidate_came_from(cursor: Cursor) -> None:
    (one,) = view.documents(cursor)
    assert (one.doc_id, one.n_pages, one.pages_seen, one.chunks) == (DOC, 143, (45,), 4)
    assert one.questions == 5
    assert view.evidence_pages(cursor, DOC)[45][0] == "q01"
    assert view.evidence_pages(cursor, "'; DROP TABLE x") == {}


def test_chunks_of_a_page_name_the_questions_whose_gold_they_hold(cursor: Cursor) -> None:
    chunks = view.chunks_of(cursor, DOC, 45)
    assert [c.chunk_id for c in chunks] == [f"{DOC}/p45/{at}" for at in range(1, 5)]
    gold = view.gold_of(cursor, [c.chunk_id for c in chunks])
    # In dense and hybrid q06 has its gold in another chunk than in rerank.
    assert gold[f"{DOC}/p45/4"] == ("q06",)
    assert gold[f"{DOC}/p45/1"][0] == "q01"
    assert view.chunks_of(cursor, DOC, 44) == []
    assert view.gold_of(cursor, []) == {}


def test_an_attack_run_has_no_documents_and_no_passages(attack_cursor: Cursor) -> None:
    assert view.documents(attack_cursor) == []
    found = view.gold_passages(attack_cursor, NOBODY, 5)
    assert (found.shown, found.page, found.pages, found.interval) == ((), 1, 1, None)
