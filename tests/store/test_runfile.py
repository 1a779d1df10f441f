from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.core.errors import InputError, StoreError, StoreLocked
from ragdash.core.question import Evidence, Gold
from ragdash.core.retrieval import Mode
from ragdash.core.run import Outcome
from ragdash.core.score import failed, not_applicable, scored, undefined
from ragdash.store.attach import attach
from ragdash.store.journal import Journal
from ragdash.store.registry import Registry
from ragdash.store.rows import exact_decimal
from ragdash.store.runfile import publish, publish_attack

RUN = "20261130-0936-demo-3f2a"
FINISHED = "2026-11-30T09:40:00Z"
CRASHER = Path(__file__).with_name("crasher.py")


@pytest.fixture
def published(store, make_info):
    """Publishes results as a run of the modes and questions they have; returns a cursor."""

    def publish_these(*results, **info):
        modes = tuple(dict.fromkeys(r.mode for r in results)) or (Mode.DENSE,)
        ids = list(dict.fromkeys(r.question.id for r in results)) or ["q1"]
        with Journal.create(store, make_info(RUN, modes=modes, **info), ids) as journal:
            for result in results:
                journal.append(result)
            whole = len(results) == len(modes) * len(ids)
            path = publish(store, journal, FINISHED, "done" if whole else "partial")
        return attach(path)

    return publish_these


def rows(cursor, query, *values):
    return cursor.execute(query, values).fetchall()


def test_one_question_becomes_rows_that_hold_everything_of_it(published, build):
    diagnosed = build.make_result(
        "q1",
        Mode.HYBRID,
        n_candidates=2,
        outcome=Outcome.WRONG,
        caliber_reviewed=False,
        diagnosis=build.make_diagnosis(),
        scores=(scored("mrr", 0.5, qrels=1), not_applicable("numeric", "refused")),
    )

    run = published(diagnosed)

    assert rows(
        run, "SELECT run_id, version, kind, status, finished_at, n_questions FROM run.meta"
    ) == [(RUN, 1, "evaluation", "done", FINISHED, 2)]
    assert json.loads(rows(run, "SELECT config FROM run.meta")[0][0])["retrieval"]["top_k"] == 5
    assert rows(run, "SELECT * FROM run.candidates") == [
        ("hybrid", "q1", "600519-2023/p45/1", 1, 1, 1, None, 1, True, True, 1.0, 9.5,
         pytest.approx(0.03), None, None),
        ("hybrid", "q1", "600519-2023/p45/2", 2, 2, 2, None, 2, True, False, 0.5, 9.5,
         pytest.approx(0.03), None, None),
    ]  # fmt: skip
    assert rows(
        run,
        "SELECT outcome, caliber_reviewed, answer_status, answer, generator, raw, top_k, "
        "n_candidates, retrieve_seconds, generate_seconds, gold_dense_rank, gold_rerank_rank, "
        "evidence_visible, gold_chunk_ids, layer, diagnosis_reason, evidence_en, evidence_zh, "
        "try_en, try_zh, no_help_en, no_help_zh, diagnosis_facts->>'dense' FROM run.results",
    ) == [
        ("wrong", False, "answered", diagnosed.answer.text, "extractive, no LLM",
         diagnosed.answer.raw, 2, 2, 0.012, 0.004, 1, None, True, '["600519-2023/p45/1"]',
         "ranking", "below_top_k", "gold was dense 7, below the top 5",
         "金标 dense 第 7，在前 5 之外", "rerank", "重排", "more data", "更多数据", "7"),
    ]  # fmt: skip
    assert rows(
        run, "SELECT text, start_at, end_at, company, label, pages, well_formed FROM run.citations"
    ) == [("（贵州茅台·2023年报·P45）", 24, 41, "贵州茅台", "2023年报", "[45]", True)]
    assert diagnosed.answer.text[24:41] == "（贵州茅台·2023年报·P45）"
    assert rows(
        run, "SELECT metric, value, status, reason, evidence FROM run.scores ORDER BY 1"
    ) == [
        ("mrr", 0.5, "scored", "", '{"qrels":1}'),
        ("numeric", None, "not_applicable", "refused", "{}"),
    ]
    assert rows(run, "SELECT doc_id, sha256, n_pages FROM run.sources") == [
        ("600519-2023", "sha256:" + "0" * 64, 143)
    ]
    assert rows(run, "SELECT company, kind, unit_note, text FROM run.chunks LIMIT 1") == [
        ("贵州茅台", "table", "单位：元", "第1段 营业收入 1,000.00")
    ]


def test_questions_and_golds_keep_the_order_of_the_set_and_exact_money(published, build):
    golds = (
        Gold(Decimal("147693604994.14"), "CNY", metric="营业收入", scope="consolidated"),
        Gold(Decimal("0.123456"), "ratio", decimals=6),
        Gold(Decimal("-1E+40"), "CNY"),
    )
    second = build.make_question("a", gold=golds, evidence=(Evidence("d", 2), Evidence("d", 3)))

    run = published(build.make_result("z"), build.make_result(question=second))

    assert rows(run, "SELECT question_id, position FROM run.questions") == [("z", 0), ("a", 1)]
    assert rows(
        run, "SELECT value, value_text, tolerance, decimals FROM run.golds WHERE question_id = 'a'"
    ) == [
        (Decimal("147693604994.1400"), "147693604994.14", "0.005", None),
        (None, "0.123456", "0.005", 6),
        (None, "-1E+40", "0.005", None),
    ]
    assert rows(run, "SELECT evidence->1->>'page' FROM run.questions WHERE question_id = 'a'") == [
        ("3",)
    ]


@given(
    st.builds(
        Decimal,
        st.tuples(
            st.sampled_from((0, 1)),
            st.lists(st.integers(0, 9), min_size=1, max_size=45).map(tuple),
            st.integers(-12, 12),
        ),
    )
)
def test_money_is_kept_as_a_decimal_exactly_when_four_places_and_38_digits_hold_it(value):
    scaled = Fraction(value) * 10**4

    kept = exact_decimal(value)

    if scaled.denominator == 1 and abs(scaled) < 10**38:
        assert Fraction(kept) == Fraction(value)
        assert kept.as_tuple().exponent == -4
    else:
        assert kept is None


def test_candidates_lie_sorted_for_the_drill_down(published, build):
    published_as = published(*[
        build.make_result(q, mode, n_candidates=4)
        for q in ("q2", "q1") for mode in (Mode.RERANK, Mode.DENSE)
    ])  # fmt: skip

    found = rows(published_as, "SELECT mode, question_id, final_rank FROM run.candidates")

    assert found == sorted(found)
    assert len(found) == 16


def test_text_of_any_kind_is_stored_as_it_is_but_for_what_has_no_utf8_form(published, build):
    hostile = "a\0b 'quote\"; DROP TABLE results; -- 贵州茅台 \u202e 𝟙 \ud83d!"
    question = build.make_question("q'\"\0;--茅", text=hostile)
    result = build.make_result(
        question=question,
        answer=replace(build.make_answer(), text=hostile, raw=hostile),
        scores=(failed("faithfulness", "invalid_json", raw=hostile),),
    )

    run = published(result)

    stored = hostile.replace("\ud83d", "\ufffd")
    assert rows(
        run, "SELECT text, answer, raw FROM run.questions JOIN run.results USING (question_id)"
    ) == [(stored, stored, stored)]
    assert rows(run, "SELECT answer FROM run.results WHERE question_id = ?", question.id) == [
        (stored,)
    ]
    assert json.loads(rows(run, "SELECT evidence FROM run.scores")[0][0]) == {"raw": stored}
    assert "贵州茅台" in rows(run, "SELECT evidence FROM run.scores")[0][0]


def test_missing_is_null_and_never_zero_or_nan(published, build):
    result = build.make_result(
        gold_ranks=None,
        scores=(undefined("mrr", "no_qrels"), failed("faithfulness", "timeout")),
    )

    run = published(result)

    assert rows(run, "SELECT metric, value, status FROM run.scores") == [
        ("faithfulness", None, "error"),
        ("mrr", None, "undefined"),
    ]
    assert rows(
        run,
        "SELECT gold_dense_rank, evidence_visible, gold_chunk_ids, layer, try_en FROM run.results",
    ) == [(None, None, None, None, None)]
    assert rows(run, "SELECT count(*) FROM run.candidates WHERE is_gold") == [(0,)]


def test_a_run_of_no_results_is_a_file_with_empty_tables(published):
    run = published()

    assert rows(run, "SELECT status FROM run.meta") == [("partial",)]
    assert rows(run, "SELECT count(*) FROM run.results") == [(0,)]


def test_a_question_without_candidates_or_citations_is_stored(published, build):
    result = build.make_result(n_candidates=0, answer=build.make_answer("未在所给资料中检索到"))

    run = published(result)

    assert rows(run, "SELECT n_candidates, answer FROM run.results") == [
        (0, "未在所给资料中检索到")
    ]
    assert rows(run, "SELECT count(*) FROM run.citations") == [(0,)]


def test_a_run_with_questions_missing_is_not_published_as_done(store, make_info, make_result):
    with Journal.create(store, make_info(RUN), ["q1", "q2"]) as journal:
        journal.append(make_result("q1"))

        with pytest.raises(ValueError, match="1 of 6"):
            publish(store, journal, FINISHED, "done")

    assert not (store / "runs").exists()


def test_publishing_a_run_again_makes_a_version_beside_and_leaves_the_old_file(
    store, make_info, make_result
):
    info = make_info(RUN, modes=(Mode.DENSE,))
    paths, contents = [], []
    for outcome in (Outcome.WRONG, Outcome.CORRECT, Outcome.ERROR):
        with Journal.create(store, info, ["q1"]) as journal:
            journal.append(make_result("q1", outcome=outcome))
            paths.append(publish(store, journal, FINISHED))
        contents.append([path.read_bytes() for path in paths])

    assert [path.name for path in paths] == [f"{RUN}.duckdb", f"{RUN}.2.duckdb", f"{RUN}.3.duckdb"]
    assert contents[0][0] == contents[2][0]
    assert contents[1][1] == contents[2][1]
    run = attach(*paths)
    assert rows(run, "SELECT outcome, version FROM base.results, base.meta") == [("correct", 2)]
    with closing(Registry.open(store)) as registry:
        assert str(registry.resolve(RUN)) == f"{RUN}.3"
        assert str(registry.resolve(f"{RUN}.1:dense")) == f"{RUN}.1:dense"


def test_a_published_run_leaves_nothing_in_live(store, published, make_result):
    published(make_result())

    assert list((store / "live").iterdir()) == []
    assert [path.name for path in (store / "runs").iterdir()] == [f"{RUN}.duckdb"]


def test_a_strange_file_where_the_run_belongs_is_not_overwritten(store, make_info, make_result):
    with Journal.create(store, make_info(RUN, modes=(Mode.DENSE,)), ["q1"]) as journal:
        journal.append(make_result())
        place = store / "runs" / f"{RUN}.duckdb"
        place.parent.mkdir()
        place.write_bytes(b"somebody's")

        with pytest.raises(StoreError, match="cannot be read"):
            publish(store, journal, FINISHED)

        assert place.read_bytes() == b"somebody's"
        assert len(journal.done()) == 1


@pytest.mark.parametrize(("kind", "stride"), [("evaluation", 1), ("attack", 5)])
def test_a_publish_that_dies_at_any_step_leaves_no_half_file_and_can_be_repeated(
    store, make_info, make_result, kind, stride
):
    store.mkdir()
    if kind == "evaluation":
        with Journal.create(store, make_info(RUN, modes=(Mode.DENSE,)), ["q1"]) as journal:
            journal.append(make_result())

    deaths = 0
    for code, died, repeated in crashes(store, kind, stride):
        deaths += code == 137
        assert repeated() == 0
        names = whole_files(died)
        # An attack run that had been published whole is published a second time beside it.
        assert names[0] == f"{RUN}.duckdb"
        assert len(names) == 1 or kind == "attack"
        with closing(Registry.open(died, read_only=True)) as registry:
            assert registry.latest(kind).version == len(names)
        if kind == "evaluation":
            assert list((died / "live").glob("*.sqlite")) == []
    assert code == 0
    assert deaths >= 12 // stride


def crashes(store, kind, stride):
    """Yield how each death ended, the store it left (checked), and how to publish once more."""
    process = subprocess.Popen(
        [sys.executable, str(CRASHER), str(store), RUN, kind, str(stride)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def go_on():
        process.stdin.write("\n")
        process.stdin.flush()

    def repeated():
        go_on()
        return int(process.stdout.readline())

    with process:
        while line := process.stdout.readline():
            code, _, folder = line.strip().partition(" ")
            whole_files(Path(folder))
            yield int(code), Path(folder), repeated
            go_on()


def whole_files(store):
    """Return the names a reader sees, after reading each file."""
    paths = sorted((store / "runs").glob("*.duckdb"), reverse=True)
    for path in paths:
        rows(
            attach(path),
            "SELECT kind FROM run.meta, run.results UNION ALL FROM run.attack_rows SELECT policy",
        )
    return [path.name for path in paths]


def test_an_attack_run_is_stored_with_what_each_policy_was_shown(store, build):
    path = publish_attack(
        store,
        build.make_attack_info(),
        [build.make_attack_row("a", "baseline"), build.make_attack_row("b", "baseline"),
         build.make_attack_row("a", citation_failure=0.5, refused=True)],
        [build.make_attack_summary("baseline"), build.make_attack_summary()],
        FINISHED,
    )  # fmt: skip

    run = attach(path)
    assert rows(
        run, "SELECT kind, modes, corpus_name, questions_name, n_questions FROM run.meta"
    ) == [("attack", '["baseline","defended"]', None, "published_six", 6)]
    assert rows(
        run,
        "SELECT policy, case_id, position, class, query, citation_failure, refused, fired "
        "FROM run.attack_rows",
    ) == [
        ("baseline", "a", 0, "plain_injection", "毛利率是多少？", 0.0, False, '["C4","C3"]'),
        ("baseline", "b", 1, "plain_injection", "毛利率是多少？", 0.0, False, '["C4","C3"]'),
        ("defended", "a", 0, "plain_injection", "毛利率是多少？", 0.5, True, '["C4","C3"]'),
    ]
    assert rows(run, "SELECT view->'chunks'->0->>'trusted' FROM run.attack_rows LIMIT 1") == [
        ("true",)
    ]
    assert rows(
        run,
        "SELECT k, n, rate FROM run.attack_summary WHERE policy = 'defended' "
        "AND measure IN ('abstention', 'over_abstention') ORDER BY measure",
    ) == [
        (2, 6, pytest.approx(1 / 3)),
        (0, 0, None),
    ]


def test_an_attack_run_takes_no_id_of_a_run_under_way(store, build, make_info):
    with Journal.create(store, make_info(RUN), ["q1"]), pytest.raises(StoreLocked):
        publish_attack(store, build.make_attack_info(RUN), [], [], FINISHED)

    with pytest.raises(InputError, match="take another"):
        publish_attack(store, build.make_attack_info(RUN), [], [], FINISHED)


def test_duckdb_1_5_can_open_the_file(store, published, make_result):
    published(make_result())

    with closing(duckdb.connect(store / "runs" / f"{RUN}.duckdb", read_only=True)) as run:
        tags = run.execute("SELECT tags FROM duckdb_databases() WHERE NOT internal").fetchone()[0]
    assert tags["storage_version"].startswith("v1.5")
