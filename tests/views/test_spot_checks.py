from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.core.question import Evidence, Gold, QuestionKind
from ragdash.core.retrieval import Mode
from ragdash.core.run import Outcome
from ragdash.core.score import scored, undefined
from ragdash.core.spot_check import (
    Caliber,
    CheckDraft,
    CheckKey,
    Confidence,
    Fit,
    Judgement,
    Risk,
    RuleVerdict,
    SpotCheck,
)
from ragdash.store.attach import attach
from ragdash.store.effective import NOBODY
from ragdash.store.journal import Journal
from ragdash.store.runfile import publish
from ragdash.views import spot_check_item as item_view
from ragdash.views import spot_check_summary as summary
from ragdash.views import spot_checks as view
from ragdash.views.question import detail
from ragdash.views.spot_check_risks import Item, answered, risks_of

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from ragdash.views.query import Cursor

RUN = "20261130-1000-calibers-1a2b"
NOTHING = view.Said((), {}, {}, None)


def row(**fields: Any) -> dict[str, Any]:
    """A row as `answered` reads it: nothing about it makes another caliber likely."""
    plain = {
        "asked": "贵州茅台2023年营业收入是多少？",
        "answer": "营业收入为147,693,604,994.14元。",
        "note": "",
        "kind": "lookup",
        "period": "2023",
        "gold": json.dumps([{"metric": "营业收入", "scope": "consolidated", "period": "2023"}]),
        "evidence": json.dumps([{"doc_id": "600519-2023", "page": 45}]),
        "caliber": 1.0,
        "caliber_reason": "label_fits",
        "numbers": None,
        "faithful": None,
        "layer": None,
        "number": 1.0,
        "number_reason": "match",
        "parent_seen": False,
    }
    return {**plain, **fields}


def gold(**fields: Any) -> str:
    return json.dumps([{"metric": "营业收入", "scope": "consolidated", **fields}])


def near(error: str, **fields: Any) -> str:
    against = [{"same": False, "reason": "other_figure", "relative_error": error}]
    return json.dumps({"amounts": [{"excluded": "", "against": against, **fields}]})


@pytest.mark.parametrize(
    ("fields", "risks"),
    [
        ({}, {Risk.NONE}),
        ({"kind": "compare"}, {Risk.COMPARISON}),
        ({"gold": gold(scope="segment")}, {Risk.PART_OF_TOTAL}),
        ({"gold": gold(metric="茅台酒收入")}, {Risk.PART_OF_TOTAL}),
        ({"gold": gold(metric="iPhone net sales")}, {Risk.PART_OF_TOTAL}),
        # What narrows the metric of a calculation is the calculation.
        ({"gold": gold(metric="营业收入同比增长率"), "kind": "computed"}, {Risk.NONE}),
        ({"answer": "The Domestic segment earned $1,234 million."}, {Risk.PART_OF_TOTAL}),
        ({"gold": gold(scope="parent")}, {Risk.PARENT_OR_GROUP}),
        ({"asked": "昭衍新药2023年母公司营业收入是多少？"}, {Risk.PARENT_OR_GROUP}),
        ({"parent_seen": True}, {Risk.PARENT_OR_GROUP}),
        ({"gold": gold(attribution="归母")}, {Risk.ATTRIBUTION}),
        ({"asked": "茅台2023年扣非净利润是多少？"}, {Risk.ATTRIBUTION}),
        ({"gold": gold(period="2022")}, {Risk.RESTATED}),
        ({"gold": gold(period="2023Q2")}, {Risk.NONE}),
        ({"note": "2022年数字经追溯调整"}, {Risk.RESTATED}),
        ({"answer": "As restated, net sales were $383 million."}, {Risk.RESTATED}),
        ({"numbers": near("0.08"), "faithful": 0.8}, {Risk.NEAR_MISS}),
        ({"numbers": near("0.11"), "faithful": 0.9}, {Risk.NONE}),
        ({"numbers": near("0.08"), "faithful": 0.79}, {Risk.NONE}),
        ({"numbers": near("0.08"), "faithful": None}, {Risk.NONE}),
        # What the code read of another caliber needs no signal of a model.
        ({"caliber": None, "caliber_reason": "", "layer": "business"}, {Risk.NEAR_MISS}),
        (
            {"caliber": None, "caliber_reason": "", "number": 0, "number_reason": "sibling_metric"},
            {Risk.NEAR_MISS},
        ),
        ({"caliber": 0.0, "caliber_reason": "sibling_label"}, {Risk.NEAR_MISS}),
        ({"numbers": near("0.01", excluded="year"), "faithful": 0.9}, {Risk.NONE}),
        ({"numbers": near("null"), "faithful": 0.9}, {Risk.NONE}),
        ({"caliber": None, "caliber_reason": "needs_review"}, {Risk.UNLABELLED}),
        ({"caliber": None, "caliber_reason": "no_gold_amount"}, {Risk.NONE}),
        ({"gold": None, "evidence": "[]"}, {Risk.NONE}),
    ],
)
def test_a_risk_is_told_by_what_is_stored(fields: dict[str, Any], risks: set[Risk]) -> None:
    assert set(risks_of(row(**fields), {"600519-2023": "2023"})) == risks


def test_a_figure_that_is_the_golds_own_is_no_near_miss() -> None:
    matched = json.dumps(
        {
            "amounts": [{"excluded": "", "against": [{"same": True, "relative_error": "0"}]}],
            "verdicts": [{"verdict": "match", "relative_error": "0"}],
        }
    )
    assert risks_of(row(numbers=matched, faithful=1.0), {}) == (Risk.NONE,)


@given(
    numbers=st.one_of(
        st.none(),
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(["amounts", "verdicts", "against", "relative_error", "same"]),
                    inner,
                    max_size=4,
                )
            ),
            max_leaves=8,
        ).map(json.dumps),
    ),
    texts=st.tuples(st.text(max_size=60), st.text(max_size=60), st.text(max_size=20)),
)
def test_no_stored_evidence_and_no_text_breaks_the_reading_of_risks(
    numbers: str | None, texts: tuple[str, str, str]
) -> None:
    asked, answer, note = texts
    found = risks_of(row(numbers=numbers, faithful=1.0, asked=asked, answer=answer, note=note), {})
    assert found
    assert found == (Risk.NONE,) or Risk.NONE not in found


@pytest.fixture(scope="module")
def calibers(build: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one mode: three right by number, a near miss, an unscored one and a sibling's."""
    folder = tmp_path_factory.mktemp("calibers") / "store"
    parent = (Gold(Decimal(1), "CNY", metric="净利润", scope="parent", period="2023"),)
    fits = [scored("caliber", 1, "label_fits"), scored("numeric_accuracy", 1, "match")]
    open_ = [undefined("caliber", "needs_review"), scored("numeric_accuracy", 1, "match")]
    missed = [
        scored("numeric_accuracy", 0, "other_figure", **json.loads(near("0.05"))),
        undefined("caliber", "no_matched_amount"),
        scored("faithfulness_similarity", 0.95),
    ]
    plain = [scored("caliber", 1, "label_fits"), scored("numeric_accuracy", 1, "match")]
    none = [undefined("numeric_accuracy", "no_gold_amount"), undefined("caliber", "no_gold_amount")]
    other = [
        scored("numeric_accuracy", 0, "sibling_metric"),
        undefined("caliber", "no_matched_amount"),
    ]
    made = {
        "q1": (build.make_question("q1", gold=parent), fits, Outcome.CORRECT),
        "q2": (build.make_question("q2"), open_, Outcome.CORRECT),
        "q3": (build.make_question("q3"), missed, Outcome.WRONG),
        "q4": (build.make_question("q4"), plain, Outcome.CORRECT),
        "q5": (
            build.make_question("q5", gold=(), kind=QuestionKind.TEXT, text="Why?", lang="en"),
            none,
            Outcome.UNSCORED,
        ),
        "q6": (build.make_question("q6"), other, Outcome.WRONG),
    }
    info = build.make_info(RUN, modes=(Mode.DENSE,), n_questions=6)
    with Journal.create(folder, info, list(made)) as journal:
        for question, scores, outcome in made.values():
            result = build.make_result(
                question=question, mode=Mode.DENSE, scores=tuple(scores), outcome=outcome
            )
            journal.append(result)
        path: Path = publish(folder, journal, "2026-11-30T10:05:00Z")
    return path


@pytest.fixture
def cursor_of(calibers: Path) -> Cursor:
    opened: Cursor = attach(calibers)
    return opened


def test_every_answered_question_is_read_with_rule_and_number(cursor_of: Cursor) -> None:
    found = {item.question_id: item for item in answered(cursor_of, "dense")}
    assert list(found) == ["q1", "q2", "q3", "q4", "q5", "q6"]
    assert found["q1"].risks == (Risk.PARENT_OR_GROUP,)
    assert found["q2"].risks == (Risk.UNLABELLED,)
    assert found["q3"].risks == (Risk.NEAR_MISS,)
    assert found["q6"].risks == (Risk.NEAR_MISS,)
    assert [found[q].risks for q in ("q4", "q5")] == [(Risk.NONE,)] * 2
    assert [item.number_right for item in found.values()] == [True, True, False, True, None, False]
    assert [item.rule for item in found.values()] == [
        RuleVerdict.FITS,
        RuleVerdict.NEEDS_REVIEW,
        RuleVerdict.NOT_CHECKED,
        RuleVerdict.FITS,
        RuleVerdict.NOT_CHECKED,
        RuleVerdict.CONFLICT,
    ]


def test_refusals_and_errors_are_no_answers_to_check(cursor: Cursor, rich: ModuleType) -> None:
    found = [item.question_id for item in answered(cursor, "dense")]
    expected = [f"q{i + 1:02}" for i, fate in enumerate(rich.FATES[Mode.DENSE]) if fate in "cwu"]
    assert found == expected


def item(question_id: str, *risks: Risk, right: bool | None = None, position: int = 0) -> Item:
    return Item(
        question_id=question_id,
        position=position,
        text=question_id,
        length=len(question_id),
        lang="zh",
        company=None,
        period=None,
        kind="lookup",
        outcome="correct",
        answer_digest=f"answer of {question_id}",
        number_right=right,
        rule=RuleVerdict.FITS,
        risks=risks or (Risk.NONE,),
    )


def check(question_id: str, reviewer: str, fit: Fit, **fields: Any) -> SpotCheck:
    judgement = Judgement(
        fit, Confidence.HIGH, Caliber.CONSOLIDATED, Caliber.CONSOLIDATED, Caliber.SEGMENT
    )
    made = SpotCheck(
        number=fields.pop("number", 1),
        key=CheckKey(RUN, "dense", question_id),
        version=1,
        reviewer=reviewer,
        at="2026-11-30T12:00:00Z",
        judgement=judgement,
        blind=True,
        rule=RuleVerdict.FITS,
        outcome=Outcome.CORRECT,
        answer_digest=f"answer of {question_id}",
        supersedes=None,
    )
    return replace(made, **fields)


def ids(found: view.Queue) -> list[str]:
    return [entry.item.question_id for entry in found.entries]


def test_right_numbers_and_near_misses_come_first_and_then_the_gravest_risk() -> None:
    items = [
        item("wrong-total", Risk.PART_OF_TOTAL, right=False),
        item("right-compare", Risk.COMPARISON, right=True),
        item("near", Risk.NEAR_MISS, right=False),
        item("right-unlabelled", Risk.PART_OF_TOTAL, Risk.UNLABELLED, right=True),
        item("unscored", Risk.ATTRIBUTION),
    ]
    found = view.queue(RUN, items, NOTHING)
    assert ids(found) == ["right-unlabelled", "near", "right-compare", "unscored", "wrong-total"]


def test_another_calibers_figure_stands_before_every_right_number() -> None:
    items = [
        item("right-unlabelled", Risk.UNLABELLED, right=True),
        item("near", Risk.NEAR_MISS, right=False),
        replace(item("sibling", Risk.COMPARISON, Risk.NEAR_MISS, right=False),
                rule=RuleVerdict.CONFLICT),
        item("wrong", Risk.UNLABELLED, right=False),
    ]  # fmt: skip
    assert ids(view.queue(RUN, items, NOTHING)) == ["sibling", "right-unlabelled", "near", "wrong"]


def test_one_in_five_of_the_others_is_drawn_and_stands_at_every_fifth_place() -> None:
    risky = [item(f"r{i}", Risk.COMPARISON, position=i) for i in range(9)]
    others = [item(f"n{i}", position=20 + i) for i in range(12)]
    found = view.queue(RUN, [*risky, *others], NOTHING)
    drawn = [entry.item.question_id for entry in found.entries if entry.drawn]
    assert len(drawn) == 3
    assert set(drawn) < {one.question_id for one in others}
    assert [i for i, entry in enumerate(found.entries, 1) if entry.drawn] == [5, 10, 12]
    assert found.sample == view.Sample(answered=21, risky=9, without=12, drawn=3)
    assert {entry.item.question_id for entry in found.entries} == {
        *drawn,
        *(one.question_id for one in risky),
    }


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from([None, True, False])),
        max_size=40,
        unique=False,
    ),
    st.text(max_size=20),
)
def test_the_queue_is_the_same_whatever_order_it_is_read_in(
    kinds: list[tuple[int, bool | None]], run_id: str
) -> None:
    risks = ((), (Risk.NEAR_MISS,), (Risk.COMPARISON, Risk.ATTRIBUTION), (Risk.UNLABELLED,))
    items = [
        item(f"q{at}", *risks[kind], right=right, position=at)
        for at, (kind, right) in enumerate(kinds)
    ]
    found, again = view.queue(run_id, items, NOTHING), view.queue(run_id, items[::-1], NOTHING)
    assert ids(found) == ids(again)
    assert len(set(ids(found))) == len(found.entries)
    without = sum(kind == 0 for kind, _ in kinds)
    assert found.sample.drawn == -(-without // view.SHARE)
    assert len(found.entries) == len(items) - without + found.sample.drawn


def test_a_question_that_was_checked_stays_in_the_queue_and_counts_as_covered() -> None:
    items = [item(f"n{i}", position=i) for i in range(10)]
    lot = [entry.item.question_id for entry in view.queue(RUN, items, NOTHING).entries]
    outside = next(one.question_id for one in items if one.question_id not in lot)
    said = replace(NOTHING, checks=[check(outside, "Ann", Fit.FITS)])
    found = view.queue(RUN, items, said)
    assert outside in ids(found)
    (covered,) = found.coverage
    assert covered == view.Coverage(Risk.NONE, answered=10, queued=len(lot) + 1, checked=1)


def test_states_follow_the_people_and_not_the_checks() -> None:
    items = [item(q, Risk.COMPARISON, position=at) for at, q in enumerate("abcde")]
    said = view.Said(
        checks=[
            check("b", "Ann", Fit.FITS),
            *(check("c", who, Fit.CONFLICT) for who in ("Ann", "Bo")),
            check("d", "Ann", Fit.FITS),
            check("d", "Bo", Fit.UNCLEAR),
            # Of another answer than the one on view: nobody has checked this one.
            check("e", "Ann", Fit.FITS, answer_digest="another"),
        ],
        fits={"b": Fit.FITS, "c": Fit.CONFLICT, "d": Fit.UNCLEAR},
        locks={"a": "Ann", "b": "Bo"},
        viewer="Bo",
    )
    found = view.queue(RUN, items, said)
    standing = {entry.item.question_id: entry.standing for entry in found.entries}
    assert standing == {"a": "open", "b": "once", "c": "twice", "d": "disputed", "e": "open"}
    assert [e.item.question_id for e in found.entries if e.is_mine] == ["c", "d"]
    # One's own lock keeps nobody out.
    assert {e.item.question_id: e.locked_by for e in found.entries if e.locked_by} == {"a": "Ann"}

    def listed(**fields: Any) -> str:
        return "".join(e.item.question_id for e in view.matching(found, view.Filters(**fields)))

    assert listed(states=("open", "once")) == "abe"
    assert listed(states=("mine",)) == "cd"
    assert listed(states=("disputed", "mine")) == "d"
    assert listed(states=("locked",)) == "a"
    assert listed(risks=("comparison",)) == "abcde"
    assert listed(risks=("near_miss",)) == ""
    assert listed(rule=RuleVerdict.FITS, fit=Fit.CONFLICT) == "c"
    assert listed(rule=RuleVerdict.CONFLICT) == ""


def test_the_next_one_is_free_not_ones_own_and_not_settled() -> None:
    items = [item(q, Risk.COMPARISON, position=at) for at, q in enumerate("abcd")]
    said = view.Said(
        checks=[check("a", "Bo", Fit.FITS), *(check("c", w, Fit.FITS) for w in ("Ann", "Cy"))],
        fits={},
        locks={"b": "Ann"},
        viewer="Bo",
    )
    entries = view.queue(RUN, items, said).entries
    assert view.first_free(entries) == "d"
    assert view.first_free(entries, "d") is None
    assert view.first_free(view.queue(RUN, items, replace(said, locks={})).entries, "d") == "b"


def test_rule_and_people_are_counted_in_pairs(cursor_of: Cursor) -> None:
    items = answered(cursor_of, "dense")
    said = view.Said(
        checks=[replace(check(i.question_id, "Ann", Fit.FITS), answer_digest=i.answer_digest)
                for i in (*items[:3], items[5])],
        fits={"q1": Fit.CONFLICT, "q2": Fit.FITS, "q3": Fit.UNCLEAR, "q6": Fit.CONFLICT},
        locks={},
        viewer=None,
    )  # fmt: skip
    found = view.queue(RUN, items, said)
    assert summary.matrix(found) == {
        (RuleVerdict.FITS, Fit.CONFLICT): 1,
        (RuleVerdict.NEEDS_REVIEW, Fit.FITS): 1,
        (RuleVerdict.NOT_CHECKED, Fit.UNCLEAR): 1,
        (RuleVerdict.CONFLICT, Fit.CONFLICT): 1,
    }
    assert sorted(summary.with_rule(found)) == [
        (Fit.CONFLICT, Fit.CONFLICT),
        (Fit.FITS, Fit.CONFLICT),
    ]


def test_what_the_numeric_gate_told_is_the_rules_verdict_with_its_reason(
    cursor_of: Cursor,
) -> None:
    held = item_view.all_hold(cursor_of, NOBODY, "dense")
    assert (held["q6"]["caliber_rule"], held["q6"]["caliber_told"]) == (
        "conflict",
        "sibling_metric",
    )
    assert held["q3"]["caliber_told"] is None
    items = {item.question_id: item.rule for item in answered(cursor_of, "dense")}
    assert {q: row["caliber_rule"] for q, row in held.items()} == items
    alone = item_view.holds(cursor_of, NOBODY, "dense", "q6")
    assert alone == held["q6"]


def test_the_lines_of_an_audit_hold_every_question_and_every_check() -> None:
    items = [item("a", Risk.COMPARISON), item("b", position=1), item("c", position=2)]
    first = check("a", "Ann", Fit.FITS, number=1)
    second = check("a", "Ann", Fit.CONFLICT, number=4, supersedes=1)
    other = check("b", "Bo", Fit.FITS, number=2, answer_digest="another")
    found = view.queue(RUN, items, replace(NOTHING, checks=[second, other]))
    lines = summary.lines(items, found, [second, first, other], [second])
    assert [(x.item.question_id, x.check and x.check.number, x.held) for x in lines] == [
        ("a", 1, False),
        ("a", 4, True),
        ("b", 2, False),
        ("c", None, False),
    ]
    assert [line.same_answer for line in lines] == [True, True, False, True]
    assert lines[0].sample == "risk"
    assert sorted(line.sample for line in lines[2:]) == ["lot", "none"]


def test_a_form_begins_with_the_calibers_of_the_set_and_the_cited_page(
    cursor_of: Cursor,
) -> None:
    found = detail(cursor_of, "dense", "q1", NOBODY)
    assert found is not None
    known = item_view.documents(cursor_of, "q1")
    begun = item_view.begun(found, known)
    assert (begun.asked, begun.gold) == (Caliber.PARENT_COMPANY,) * 2
    assert (begun.doc_id, begun.page) == ("600519-2023", 45)
    assert (begun.fit, begun.answered) == (None, None)
    # Without a citation: the best passage that the generator saw.
    uncited = item_view.begun(replace(found, citations=()), known)
    assert (uncited.doc_id, uncited.page) == ("600519-2023", found.context[0].source_page)
    # Another system may not have said from which page a passage is.
    pageless = tuple(replace(chunk, source_page=None) for chunk in found.chunks)
    unknown = item_view.begun(replace(found, citations=(), chunks=pageless), known)
    assert (unknown.doc_id, unknown.page) == (None, None)
    nowhere = item_view.begun(replace(found, citations=(), chunks=()), known)
    assert (nowhere.doc_id, nowhere.page) == (None, None)


def test_a_document_that_only_the_question_names_can_be_chosen(
    build: ModuleType, tmp_path: Path
) -> None:
    question = build.make_question("q1", evidence=(Evidence("elsewhere-2023", 3),))
    info = build.make_info(RUN, modes=(Mode.DENSE,), n_questions=1)
    with Journal.create(tmp_path, info, ["q1"]) as journal:
        journal.append(build.make_result(question=question, mode=Mode.DENSE))
        path = publish(tmp_path, journal, "2026-11-30T10:05:00Z")
    found = {one.doc_id: one.n_pages for one in item_view.documents(attach(path), "q1")}
    assert found == {"600519-2023": 143, "elsewhere-2023": None}


@pytest.mark.parametrize(
    ("gold", "text", "caliber"),
    [
        ({"attribution": "归母", "scope": "consolidated"}, "", Caliber.ATTRIBUTABLE),
        ({"attribution": "扣非"}, "", Caliber.WITHOUT_ONE_OFF),
        ({"attribution": "扣非", "scope": "segment"}, "", Caliber.WITHOUT_ONE_OFF),
        (
            {"metric": "net income attributable to the parent", "scope": "consolidated"},
            "What was the net income attributable to the parent?",
            Caliber.ATTRIBUTABLE,
        ),
        ({"metric": "Net income attributable to Walmart"}, "", Caliber.ATTRIBUTABLE),
        ({"metric": "归属于某公司股东的净利润", "scope": "consolidated"}, "", Caliber.ATTRIBUTABLE),
        ({"metric": "扣非净利润"}, "", Caliber.WITHOUT_ONE_OFF),
        # The question tells where the metric of the gold does not.
        ({"scope": "consolidated"}, "茅台2023年归母净利润是多少？", Caliber.ATTRIBUTABLE),
        ({"metric": "合并净利润", "scope": "consolidated"}, "", Caliber.CONSOLIDATED),
        ({"metric": "净利润", "scope": "parent"}, "", Caliber.PARENT_COMPANY),
        ({"metric": "营业收入", "scope": "consolidated"}, "", Caliber.CONSOLIDATED),
        ({"metric": "revenue", "scope": "region"}, "", Caliber.REGION),
        ({"scope": "segment"}, "", Caliber.SEGMENT),
        ({"scope": "product"}, "", Caliber.PRODUCT),
        # What is not known is left to whoever checks.
        ({"metric": "基本每股收益", "scope": "consolidated"}, "", None),
        ({"metric": "少数股东损益", "scope": "consolidated"}, "", None),
        ({"metric": "shares of the moon", "scope": "consolidated"}, "", None),
        ({"metric": "营业收入"}, "", Caliber.CONSOLIDATED),
        ({"metric": "营业收入"}, "母公司营业收入是多少？", None),
        ({"metric": "net sales"}, "What were the net sales of the segment?", None),
        ({}, "", None),
    ],
)
def test_the_caliber_of_a_gold_is_what_set_and_question_state(
    gold: dict[str, str], text: str, caliber: Caliber | None
) -> None:
    assert item_view.stated([gold], text) is caliber
    assert item_view.asked_for([gold], text) is caliber


def test_where_golds_or_question_and_gold_differ_no_caliber_is_filled_in() -> None:
    group, owners = {"metric": "净利润"}, {"attribution": "归母"}
    assert item_view.stated([group, group]) is Caliber.CONSOLIDATED
    assert item_view.stated([group, owners]) is None
    # Both are shown as they are: it is for whoever checks to see that they differ.
    assert item_view.asked_for([group], "扣非净利润是多少？") is Caliber.WITHOUT_ONE_OFF
    assert item_view.asked_for([group], "扣非净利润和归母净利润是多少？") is None
    assert item_view.asked_for([group], "少数股东损益是多少？") is None
    assert item_view.asked_for([owners], "净利润是多少？") is Caliber.ATTRIBUTABLE
    assert item_view.stated([]) is Caliber.NOT_STATED
    assert item_view.asked_for([], "Why?") is Caliber.NOT_STATED
    assert item_view.asked_for([], "扣非净利润是多少？") is Caliber.WITHOUT_ONE_OFF
    assert item_view.asked_for([], "Why did revenue of the parent company fall?") is None


def test_the_caliber_of_an_answer_follows_from_the_verdict_where_it_can() -> None:
    start = CheckDraft(asked=Caliber.ATTRIBUTABLE, gold=Caliber.SEGMENT, doc_id="d", page=3)

    def done(**fields: Any) -> CheckDraft:
        return item_view.completed(CheckDraft(**fields), start)

    assert done(fit=Fit.FITS).answered is Caliber.ATTRIBUTABLE
    assert done(fit=Fit.FITS, asked=Caliber.REGION).answered is Caliber.REGION
    assert done(fit=Fit.UNCLEAR).answered is Caliber.NOT_STATED
    assert done(fit=Fit.CONFLICT).answered is None
    assert done(fit=Fit.CONFLICT, answered=Caliber.OTHER).answered is Caliber.OTHER
    assert (done().doc_id, done().page) == ("d", 3)
    assert (done(doc_id="e").doc_id, done(doc_id="e").page) == ("e", None)
