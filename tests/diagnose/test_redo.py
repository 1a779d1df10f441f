"""`ragdash diagnose` finds in a run file what the run found with the corpus at hand."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass, replace
from decimal import Decimal

import duckdb
import pytest

from ragdash.cli import invoke
from ragdash.core.answer import Answer, AnswerStatus
from ragdash.core.question import Evidence, Gold
from ragdash.core.retrieval import Mode, RankedChunk, RankTrace, Retrieval
from ragdash.core.run import Outcome
from ragdash.diagnose import redo
from ragdash.evaluate import Setup, evaluate
from ragdash.generate import ExtractiveGenerator
from ragdash.store.journal import Journal
from ragdash.store.results import read_results
from ragdash.store.runfile import publish, publish_attack

RUN = "20261130-0936-demo-3f2a"
MODES = (Mode.DENSE, Mode.HYBRID)


@dataclass
class Ranked:
    """A retriever that returns given chunks in a given order, the first two as the context."""

    mode: Mode
    chunks: list[object]

    def retrieve(self, question_id: str, query: str) -> Retrieval:
        del query
        hybrid = self.mode is Mode.HYBRID
        found = tuple(
            RankedChunk(
                c, RankTrace(n, n if hybrid else None, n if hybrid else None, None, n, n <= 2)
            )
            for n, c in enumerate(self.chunks, 1)
        )
        return Retrieval(self.mode, question_id, found, 2, 0.1)


class Refuses:
    """A generator that always declines."""

    name = "refuses"

    def generate(self, question: str, lang: str, context: object) -> Answer:
        del question, lang, context
        return Answer("未在所给资料中检索到", AnswerStatus.REFUSED, (), self.name)


@pytest.fixture
def published(store, make_info, build):
    """A run over a small corpus in which each question is lost in its own way."""

    def run(generator=None):
        texts = {
            1: "单位：元\n营业收入 | 1,000,000.50",
            2: "单位：元\n营业收入 | 2,000 000.50",
            3: "营业收入 | 300.25",
            4: "单位：元\n营业成本 | 44.00",
            5: "单位：元\n营业收入 | 5,000,000.50",
            7: "单位：元\n营业收入 | 4,000,000.50",
        }
        corpus = [
            build.make_chunk(
                f"d/p{page}", source_page=page, text=text, unit_note=text.partition("\n")[0]
            )
            for page, text in texts.items()
        ]
        golds = {1: "1000000.50", 2: "2000000.50", 3: "3002500", 4: "4000000.50",
                 5: "5000000.50", 6: "6000000.50"}  # fmt: skip
        questions = [
            build.make_question(
                f"q{page}",
                gold=(Gold(Decimal(value), "CNY", metric="营业收入", period="2023"),),
                evidence=(Evidence("600519-2023", page),),
            )
            for page, value in golds.items()
        ]
        questions.append(build.make_question("q9", evidence=(Evidence("absent", 1),)))
        found = {Mode.DENSE: [corpus[3], corpus[5], corpus[0]], Mode.HYBRID: [corpus[0]]}
        setup = Setup(
            {mode: Ranked(mode, found[mode]) for mode in MODES}, generator or Refuses(), corpus, 2,
            None,
        )  # fmt: skip
        results = list(evaluate(questions, setup))
        info = make_info(RUN, modes=MODES, n_questions=len(questions))
        with Journal.create(store, info, [q.id for q in questions]) as journal:
            for result in results:
                journal.append(result)
            return publish(store, journal, "2026-11-30T09:40:00Z"), results

    return run


REASONS = {
    ("dense", "q1"): "below_dense",
    ("hybrid", "q1"): "refused_with_evidence",
    ("hybrid", "q2"): "split_number",
    ("hybrid", "q3"): "lost_unit",
    ("hybrid", "q4"): "wrong_page",
    ("hybrid", "q5"): "in_no_candidate_list",
    ("hybrid", "q6"): "page_not_indexed",
    ("hybrid", "q9"): "document_not_indexed",
}


@pytest.mark.parametrize("generator", [Refuses(), ExtractiveGenerator()], ids=["refuses", "says"])
def test_from_the_file_alone_every_diagnosis_is_the_run_s_own(published, generator) -> None:
    path, results = published(generator)
    redone = [redo(result) for result in read_results(path)]
    by_key = {(r.mode, r.question.id): r for r in results}
    for one in redone:
        own = by_key[one.stored.mode, one.stored.question.id]
        assert (one.outcome, one.diagnosis) == (own.outcome, own.diagnosis)
        assert not one.changed
        assert not one.as_stored
    if generator.name == "refuses":
        reasons = {(o.stored.mode.value, o.stored.question.id): o.diagnosis.reason for o in redone}
        assert {key: reasons[key] for key in REASONS} == REASONS


def test_the_command_prints_counts_and_each_lost_question(published, store, capsys) -> None:
    published()
    assert invoke(["diagnose", RUN, "--store", str(store)]) == 0
    shown = capsys.readouterr().out
    rows = [line.split() for line in shown.splitlines()]
    assert ["ingest", "5", "5"] in rows
    assert ["ranking", "1", "0"] in rows
    assert ["generation", "0", "1"] in rows
    assert ["lost", "7/7", "7/7"] in rows
    assert "hybrid q2  ingest: split_number" in shown
    assert "  try: " in shown
    assert "  no help: " in shown
    assert "(was" not in shown
    assert "as stored" not in shown


def test_json_holds_both_languages_and_only_the_mode_that_was_named(
    published, store, capsys
) -> None:
    published()
    assert invoke(["diagnose", f"{RUN}:hybrid", "--store", str(store), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert list(data["modes"]) == ["hybrid"]
    assert data["modes"]["hybrid"]["layers"] == {"generation": 1, "ingest": 5, "recall": 1}
    first = data["questions"][0]
    assert (first["question_id"], first["reason"]) == ("q1", "refused_with_evidence")
    assert "却被拒答" in first["evidence"]["zh"]
    assert set(first["try"]) == set(first["no_help"]) == {"en", "zh"}
    assert first["stored"]["layer"] == "generation"


def edit(path, *statements):
    with closing(duckdb.connect(path)) as run:
        for statement in statements:
            run.execute(statement)


def test_a_layer_that_differs_from_the_stored_one_is_said(published, store, capsys) -> None:
    path, _ = published()
    edit(
        path,
        "UPDATE results SET layer = 'recall' WHERE mode = 'hybrid' AND question_id = 'q2'",
        "UPDATE results SET layer = NULL WHERE mode = 'hybrid' AND question_id = 'q3'",
    )
    assert invoke(["diagnose", RUN, "--store", str(store)]) == 0
    shown = capsys.readouterr().out
    assert "hybrid q2  ingest: split_number (was recall)" in shown
    assert "hybrid q3  ingest: lost_unit (was not lost)" in shown
    assert "2 questions with another layer than stored" in shown


def test_a_question_that_is_right_by_today_s_gates_is_said_to_be(published, store, capsys) -> None:
    path, _ = published(ExtractiveGenerator())
    (before,) = (r for r in read_results(path, [Mode.HYBRID]) if r.question.id == "q1")
    assert before.outcome is Outcome.CORRECT
    edit(
        path,
        "UPDATE results SET outcome = 'wrong', layer = 'generation', diagnosis_reason = 'x', "
        "evidence_en = '', evidence_zh = '', try_en = '', try_zh = '', no_help_en = '', "
        "no_help_zh = '', diagnosis_facts = '{}' WHERE mode = 'hybrid' AND question_id = 'q1'",
    )
    assert invoke(["diagnose", f"{RUN}:hybrid", "--store", str(store)]) == 0
    assert "hybrid q1  correct by today's gates (was generation)" in capsys.readouterr().out


def test_a_file_that_did_not_keep_the_chunks_is_shown_as_stored(published, store, capsys) -> None:
    path, results = published()
    edit(
        path,
        "DROP TABLE evidence_chunks",
        "DELETE FROM chunks WHERE chunk_id NOT IN (SELECT chunk_id FROM candidates)",
        "UPDATE meta SET schema_version = 1",
        "UPDATE results SET diagnosis_reason = 'not_indexed' WHERE layer = 'ingest' "
        "AND gold_chunk_ids = '[]'",
    )
    own = {(r.mode, r.question.id): r.diagnosis.layer for r in results}
    redone = [redo(r) for r in read_results(path)]
    assert {(o.stored.mode, o.stored.question.id): o.diagnosis.layer for o in redone} == own
    kept = {o.stored.question.id for o in redone if o.as_stored}
    assert kept == {"q2", "q3", "q5", "q6", "q9"}
    assert invoke(["diagnose", RUN, "--store", str(store)]) == 0
    shown = capsys.readouterr().out
    assert "(as stored)" in shown
    assert "10 questions as stored" in shown


def test_lost_today_without_the_chunks_is_undetermined_and_not_guessed(published) -> None:
    path, _ = published()
    (one,) = (r for r in read_results(path, [Mode.HYBRID]) if r.question.id == "q5")
    found = redo(replace(one, evidence_chunks=(), diagnosis=None))
    assert found.diagnosis.reason == "not_kept"
    assert "未保存" in found.diagnosis.evidence.zh


def test_an_attack_run_has_nothing_to_diagnose(store, build, capsys) -> None:
    info = build.make_attack_info()
    publish_attack(
        store, info, [build.make_attack_row()], [build.make_attack_summary()],
        "2026-11-30T09:41:00Z",
    )  # fmt: skip
    assert invoke(["diagnose", info.run_id, "--store", str(store)]) == 2
    assert "attacks" in capsys.readouterr().err


def test_a_store_or_run_that_is_not_there_is_said_in_a_sentence(store, published, capsys) -> None:
    assert invoke(["diagnose", RUN, "--store", str(store)]) == 3
    assert "there is no store" in capsys.readouterr().err
    published()
    assert invoke(["diagnose", "nobody", "--store", str(store)]) == 2
    assert "nobody" in capsys.readouterr().err
