"""A published run read back is what was published."""

from __future__ import annotations

import dataclasses
import json
from contextlib import closing
from dataclasses import replace
from decimal import Decimal

import duckdb
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragdash.core.answer import Answer, AnswerStatus
from ragdash.core.call import Call, CallReason, Level
from ragdash.core.question import Evidence, Gold, QuestionKind
from ragdash.core.retrieval import (
    GoldRanks,
    Mode,
    RankedChunk,
    RankTrace,
    Retrieval,
    Subject,
    SubjectState,
)
from ragdash.core.run import Outcome
from ragdash.core.score import failed, not_applicable, scored, undefined
from ragdash.store.attach import attach
from ragdash.store.check import check
from ragdash.store.journal import Journal
from ragdash.store.results import read_results
from ragdash.store.runfile import publish

RUN = "20261130-0936-demo-3f2a"
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
RANK = st.none() | st.integers(1, 99)
SCORE = st.none() | st.floats(-9, 9, width=32)
NAMES = st.lists(TEXT, max_size=2).map(tuple)
SUBJECT = st.none() | st.builds(
    Subject, NAMES, NAMES, NAMES, NAMES, st.sampled_from(SubjectState), TEXT, TEXT
)
SCORES = (
    undefined("caliber", "needs_review", why="no_label"),
    not_applicable("mrr", "refused"),
    scored("numeric_accuracy", 1, "equal", verdicts=[{"gold": "1.50", "unit": "CNY"}]),
    failed("refusal", "timeout"),
)


@pytest.fixture
def published(tmp_path, make_info):
    """Publishes results and returns the run file."""
    made = []

    def publish_these(results):
        store = tmp_path / str(len(made))
        made.append(store)
        modes = tuple(dict.fromkeys(r.mode for r in results))
        ids = list(dict.fromkeys(r.question.id for r in results))
        with Journal.create(store, make_info(RUN, modes=modes), ids) as journal:
            for result in results:
                journal.append(result)
            return publish(store, journal, "2026-11-30T09:40:00Z", "partial")

    return publish_these


def in_32_bits(result):
    """The result as a file can keep it."""
    kept = tuple(
        RankedChunk(
            c.chunk,
            replace(
                c.trace,
                **{
                    f.name: None if value is None else float(np.float32(value))
                    for f in dataclasses.fields(RankTrace)
                    if f.name.endswith("_score")
                    for value in [getattr(c.trace, f.name)]
                },
            ),
        )
        for c in result.retrieval.candidates
    )
    return replace(result, retrieval=replace(result.retrieval, candidates=kept))


@st.composite
def results(draw, build, mode, question_id):
    chunks = [
        build.make_chunk(f"c{n}", source_page=n + 1, text=draw(TEXT), section=draw(TEXT))
        for n in range(3)
    ]
    gold = Gold(draw(st.decimals(allow_nan=False, allow_infinity=False)), "CNY", Decimal("0.01"))
    question = build.make_question(
        question_id,
        text=draw(TEXT),
        note=draw(TEXT),
        kind=draw(st.sampled_from(QuestionKind)),
        company=draw(st.none() | TEXT),
        gold=(gold,) * draw(st.integers(0, 2)),
        evidence=tuple(Evidence(draw(TEXT), page) for page in range(1, draw(st.integers(1, 3)))),
    )
    order = draw(st.permutations(chunks))[: draw(st.integers(0, 3))]
    # a chunk of one id has one text in a run, so that the drawn ones go by their question
    named = {c.chunk_id: replace(c, chunk_id=f"{question_id}/{mode}/{c.chunk_id}") for c in chunks}
    candidates = tuple(
        RankedChunk(
            named[c.chunk_id],
            RankTrace(
                draw(RANK), draw(RANK), draw(RANK), draw(RANK), rank, draw(st.booleans()),
                draw(SCORE), draw(SCORE), draw(SCORE), draw(SCORE),
            ),
        )
        for rank, c in enumerate(order, start=1)
    )  # fmt: skip
    ranks = GoldRanks(
        tuple(draw(st.lists(TEXT, max_size=2))), draw(RANK), draw(RANK), draw(RANK), draw(RANK),
        draw(RANK), draw(st.booleans()),
    )  # fmt: skip
    said = build.make_answer(draw(TEXT) + "（贵州茅台·2023年报·P45）")
    silent = Answer("", AnswerStatus.ERROR, (), "g", "p", draw(TEXT), "length", "no_output", 0.5)
    return build.make_result(
        question=question,
        mode=mode,
        retrieval=Retrieval(
            mode, question_id, candidates, draw(st.integers(1, 9)), 0.25, draw(SUBJECT)
        ),
        gold_ranks=draw(st.none() | st.just(ranks)),
        answer=draw(st.sampled_from([said, silent])),
        scores=SCORES[: draw(st.integers(0, 4))],
        outcome=draw(st.sampled_from(Outcome)),
        caliber_reviewed=draw(st.booleans()),
        diagnosis=draw(st.none() | st.just(build.make_diagnosis())),
        evidence_chunks=tuple(draw(st.lists(st.sampled_from([*named.values()]), max_size=3))),
    )


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_what_is_published_reads_back_the_same(published, build, data) -> None:
    modes = data.draw(st.permutations(list(Mode)))[: data.draw(st.integers(1, 2))]
    ids = data.draw(st.permutations(["甲", "q2"]))
    one = {i: data.draw(results(build, modes[0], i)) for i in ids}
    given_ = [one[i] for i in ids]
    if len(modes) > 1:
        more = [data.draw(results(build, modes[1], i)) for i in ids]
        given_ += [replace(r, question=one[r.question.id].question) for r in more]
    path = published(given_)
    assert read_results(path) == [in_32_bits(r) for r in given_]
    assert read_results(path, [modes[0]]) == [in_32_bits(one[i]) for i in ids]


def test_gold_chunks_that_were_no_candidates_are_in_the_file(published, build) -> None:
    missed = build.make_chunk("gold", source_page=77, text="单位：元\n营业收入 1,000.00")
    path = published([build.make_result(evidence_chunks=(missed,))])
    assert read_results(path)[0].evidence_chunks == (missed,)
    texts = attach(path).execute("SELECT text FROM run.chunks WHERE chunk_id = 'gold'").fetchall()
    assert texts == [(missed.text,)]


def test_a_journal_of_before_goes_on_without_them(store, make_info, build) -> None:
    with Journal.create(store, make_info(RUN, modes=(Mode.DENSE,)), ["q1"]) as journal:
        journal.append(build.make_result())
        rows = journal._connection
        (text,) = rows.execute("SELECT payload FROM results").fetchone()
        plain = json.loads(text)
        assert plain.pop("evidence_chunks") == []
        rows.execute("UPDATE results SET payload = ?", (json.dumps(plain),))
        assert [r.evidence_chunks for r in journal.results()] == [()]


def as_version_1(path):
    with closing(duckdb.connect(path)) as run:
        run.execute("DROP TABLE evidence_chunks")
        run.execute("DROP TABLE calls")
        run.execute("DELETE FROM chunks WHERE chunk_id NOT IN (SELECT chunk_id FROM candidates)")
        run.execute("UPDATE meta SET schema_version = 1")


def test_a_file_of_the_first_schema_version_is_read(published, build) -> None:
    result = build.make_result(gold_ranks=None)
    result = replace(
        result,
        gold_ranks=GoldRanks(
            ("600519-2023/p45/1", "never-kept"), 1, 1, 1, None, 1, evidence_visible=True
        ),
        evidence_chunks=(build.make_chunk("never-kept", text="另一段"),),
    )
    path = published([result])
    as_version_1(path)
    (found,) = read_results(path)
    assert [c.chunk_id for c in found.evidence_chunks] == ["600519-2023/p45/1"]
    assert replace(found, evidence_chunks=()) == in_32_bits(replace(result, evidence_chunks=()))
    assert check(path.parents[1]).damaged == []
    twice = attach(path, path)
    assert twice.execute("SELECT count(*) FROM base.results").fetchone() == (1,)


def test_calls_come_back_in_their_order_and_a_file_of_version_2_has_none(published, build) -> None:
    calls = tuple(
        Call("judge", "faithfulness", "h", "m", "sha256:1", Level.TEXT, "问", "答\n{}", repeat=r)
        for r in (2, 0, 1)
    )
    failed = replace(calls[0], reason=CallReason.TIMEOUT, prompt_tokens=3, cost=0.25, cached=True)
    result = build.make_result(calls=(*calls, failed))
    path = published([result])
    assert read_results(path)[0].calls == result.calls
    with closing(duckdb.connect(path)) as run:
        run.execute("DROP TABLE calls")
        run.execute("UPDATE meta SET schema_version = 2")
    assert read_results(path)[0].calls == ()
    assert check(path.parents[1]).damaged == []
