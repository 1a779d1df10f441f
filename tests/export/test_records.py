from __future__ import annotations

import pytest

from ragdash.core.errors import InputError, NotComparable, StoreError
from ragdash.export.records import PAGE_SIZE, metrics_of, records
from ragdash.store.attach import attach
from ragdash.store.layout import refuse_no_store, run_file


def by_key(chosen, **more):
    return {(one["mode"], one["question_id"]): one for one in records(chosen, **more)}


def test_every_row_comes_once_in_the_order_of_modes_and_of_the_set(reviewed, choose, rich) -> None:
    found = [(one["mode"], one["question_id"]) for one in records(choose(reviewed))]
    names = [f"q{i + 1:02}" for i in range(len(rich.TEXTS))]
    assert found == [(mode, name) for mode in ("dense", "hybrid", "rerank") for name in names]


def test_a_row_is_what_its_run_file_says_whole(reviewed, choose, rich) -> None:
    chosen = choose(reviewed, ref=f"{rich.RUN}:hybrid")
    cursor = attach(run_file(reviewed, rich.RUN, 1))
    told = {
        row[0]: row[1:]
        for row in cursor.execute(
            "SELECT r.question_id, q.text, answer, raw, gold_final_rank, evidence_zh, "
            "retrieve_seconds FROM run.results r JOIN run.questions q USING (question_id) "
            "WHERE mode = 'hybrid'"
        ).fetchall()
    }
    names = ("question", "answer", "raw", "gold_final_rank", "evidence_zh", "retrieve_seconds")
    for record in records(chosen):
        assert tuple(record[name] for name in names) == told[record["question_id"]]
        scores = cursor.execute(
            "SELECT metric, value, status FROM run.scores WHERE mode = 'hybrid' "
            "AND question_id = ? AND metric NOT IN ('caliber', 'answer_accuracy')",
            [record["question_id"]],
        ).fetchall()
        for metric, value, status in scores:
            measured = record["metrics"][metric]
            assert (measured["value"], measured["status"]) == (value, status)


def test_what_people_said_stands_beside_the_rule_with_who_said_it(reviewed, choose) -> None:
    found = by_key(choose(reviewed))
    verdict = found["dense", "q02"]
    assert (verdict["layer"], verdict["rule_layer"]) == ("ranking", "business")
    assert (verdict["verdict"], verdict["reviewer"], verdict["flag"]) == ("ranking", "安", True)
    assert [(one["verdict"], one["superseded"]) for one in verdict["reviews"]] == [
        ("recall", True),
        ("ranking", False),
    ]
    caliber = found["rerank", "q01"]
    assert (caliber["outcome"], caliber["rule_outcome"]) == ("wrong", "correct")
    assert (caliber["outcome_by"], caliber["caliber"]) == ("陈", "conflict")
    right = caliber["metrics"]["answer_accuracy"]
    assert (right["value"], right["rule_value"], right["by"]) == (0.0, 1.0, "陈")
    (check,) = caliber["checks"]
    assert (check["page"], check["note"], check["blind"]) == (45, "母公司的数", True)
    assert found["dense", "q01"]["reviews"] == found["dense", "q01"]["checks"] == []


def test_golds_are_exact_text(reviewed, choose) -> None:
    (gold,) = by_key(choose(reviewed))["dense", "q01"]["golds"]
    assert (gold["value"], gold["tolerance"]) == ("147693604994.14", "0.005")


def test_contexts_come_in_rank_order_where_they_are_asked_for(reviewed, choose) -> None:
    one = by_key(choose(reviewed), contexts=True)["rerank", "q01"]
    assert [c["final_rank"] for c in one["contexts"]] == [1, 2, 3, 4]
    assert [c["in_context"] for c in one["contexts"]] == [True, True, False, False]
    assert one["context_chunk_ids"] == [c["chunk_id"] for c in one["contexts"][:2]]
    assert "contexts" not in by_key(choose(reviewed))["rerank", "q01"]


def test_a_filter_selects_among_what_holds(reviewed, choose) -> None:
    assert choose(reviewed, "layer:ranking mode:dense").keys == (("dense", "q02"), ("dense", "q06"))
    assert choose(reviewed, "复核人：陈").keys == (("rerank", "q01"),)
    for text in ("checked:yes", "是：已抽查", "口径：冲突 is:checked -is:disputed"):
        assert choose(reviewed, text).keys == (("rerank", "q01"),)
    # What the numeric gate told of another caliber is a conflict too, as long as nobody differs.
    conflicts = (("dense", "q02"), ("hybrid", "q03"), ("rerank", "q01"))
    assert choose(reviewed, "caliber:conflict").keys == conflicts


def test_metrics_do_not_depend_on_the_filter(reviewed, choose) -> None:
    assert metrics_of(choose(reviewed, "is:refused")) == metrics_of(choose(reviewed))


def test_many_rows_come_in_pages_and_none_is_lost(build, tmp_path, choose) -> None:
    from ragdash.core.retrieval import Mode
    from ragdash.store.journal import Journal
    from ragdash.store.runfile import publish

    names = [f"q{i:03}" for i in range(PAGE_SIZE + 3)]
    info = build.make_info("20261130-1100-long-1", modes=(Mode.DENSE,), n_questions=len(names))
    with Journal.create(tmp_path, info, names) as journal:
        for name in names:
            journal.append(build.make_result(name))
        publish(tmp_path, journal, "2026-11-30T11:01:00Z")
    chosen = choose(tmp_path, ref=info.run_id)
    assert [one["question_id"] for one in records(chosen)] == names


def test_changes_are_against_the_base_and_need_one(reviewed, choose, rich) -> None:
    ref, base = f"{rich.RUN}:rerank", f"{rich.RUN}:dense"
    assert choose(reviewed, "change:improved", ref, base).keys == (
        ("rerank", "q02"),
        ("rerank", "q06"),
    )
    # A person's caliber conflict makes it worse than the rule alone would have it.
    assert choose(reviewed, "change:regressed", ref, base).keys == (("rerank", "q01"),)
    with pytest.raises(InputError, match="needs a base"):
        choose(reviewed, "change:improved", ref)
    with pytest.raises(InputError, match="its own base"):
        choose(reviewed, "", ref, ref)


def test_what_cannot_be_exported_is_said_in_one_sentence(reviewed, choose, rich, tmp_path) -> None:
    with pytest.raises(InputError, match="run of attacks"):
        choose(reviewed, ref=rich.ATTACK)
    with pytest.raises(InputError, match="is no run and no tag"):
        choose(reviewed, ref="nothing")
    with pytest.raises(StoreError, match=r"there is no store at .*--store DIR or RAGDASH_STORE"):
        refuse_no_store(tmp_path / "none")


def test_runs_that_differ_in_more_than_one_factor_have_no_changes(
    build, rich, choose, tmp_path
) -> None:
    from dataclasses import replace

    from ragdash.core.retrieval import Mode
    from ragdash.store.journal import Journal
    from ragdash.store.runfile import publish

    store = rich.make_rich_store(build, tmp_path / "store")
    info = build.make_info("20261130-1100-other-1", modes=(Mode.DENSE,), n_questions=1)
    retrieval = replace(info.config.retrieval, top_k=9, filter="boost")
    info = replace(info, config=replace(info.config, retrieval=retrieval))
    with Journal.create(store, info, ["q01"]) as journal:
        journal.append(build.make_result("q01"))
        publish(store, journal, "2026-11-30T11:01:00Z")
    with pytest.raises(NotComparable, match="cannot be held against"):
        choose(store, "change:same", f"{rich.RUN}:dense", f"{info.run_id}:dense")
