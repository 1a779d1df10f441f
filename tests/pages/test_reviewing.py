from __future__ import annotations

import html
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ragdash.core.review import Opinion, Proposal, ReviewKey, Verdict
from ragdash.store.layout import registry_file, run_file
from ragdash.store.reviewers import SavedFilter, filters_of, save_filter
from ragdash.store.reviews import draft_of, keep_draft, reviews_of, save_review
from ragdash.ui.review.reviewer import browser_of
from ragdash.ui.review.verdicts import Form

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from streamlit.testing.v1 import AppTest
    from streamlit.testing.v1.element_tree import Button

AT = "2026-11-30T10:00:00Z"
HAZARD = "from $1M to $2M <img src=x> ![](http://beacon.example/b.png) :red[x] |a| 30~35%"


@pytest.fixture
def store(build: ModuleType, rich: ModuleType, tmp_path: Path) -> Path:
    made: Path = rich.make_rich_store(build, tmp_path / "store")
    return made


@pytest.fixture
def triage(
    open_page: Callable[..., AppTest], store: Path, rich: ModuleType
) -> Callable[..., AppTest]:
    """`triage(q="q06")` -> Triage of hybrid beside rerank, as the link of a run opens it."""

    def opened(name: str | None = "韩梅梅", **params: str) -> AppTest:
        where = {"run": f"{rich.RUN}:hybrid", "base": f"{rich.RUN}:rerank", **params}
        at = open_page(store, "triage", **where)
        assert not at.exception
        if name is not None:
            at.text_input(key="reviewer.typed").set_value(name).run()
        return at

    return opened


def shown(at: AppTest) -> str:
    kinds = ("title", "header", "text", "html", "code", "warning", "info", "success", "error")
    return html.unescape("\n".join(str(e.value) for kind in kinds for e in at.get(kind)))


def button(at: AppTest, start: str) -> Button:
    return next(b for b in at.button if str(b.key).startswith(start))


def key_of(rich: ModuleType, question: str = "q03", mode: str = "hybrid") -> ReviewKey:
    return ReviewKey(rich.RUN, 1, mode, question)


def chips(at: AppTest) -> str:
    return " ".join(at.get_by_key("filter.chips").options)


def test_the_link_of_a_run_opens_the_first_regressed_question(
    triage: Callable[..., AppTest],
) -> None:
    page = shown(triage(name=None))
    assert "One factor differs: mode" in page
    assert "6 of 6 questions paired" in page
    assert "1 unscored" in page
    assert "1 of 6" in page
    assert "Lost at: business caliber" in page


def test_chips_say_how_many_questions_they_list(triage: Callable[..., AppTest]) -> None:
    at = triage(name=None)
    assert chips(at) == (
        "Regressed 2 Wrong 1 Abstained wrongly 1 Errors 0 Unscored 1 Flaky 0 Unreviewed 3 Flagged 0"
    )
    at.get_by_key("filter.chips").set_value(["regressed", "wrong"]).run()
    assert not at.exception
    assert (at.query_params["change"], at.query_params["outcome"]) == ("regressed", "wrong")
    assert "1 of 6 questions" in shown(at)
    at.get_by_key("filter.chips").set_value([]).run()
    assert "change" not in at.query_params
    assert "6 of 6 questions" in shown(at)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_verdict_is_saved_and_the_next_question_opens(
    triage: Callable[..., AppTest], store: Path, rich: ModuleType, lang: str
) -> None:
    at = triage(lang=lang)
    assert button(at, "review.save").disabled
    button(at, "verdict.ranking").click().run()
    assert draft_of(store, key_of(rich), "韩梅梅") == Opinion(Verdict.RANKING)
    button(at, "review.flag").click().run()
    at.text_area[0].set_value(HAZARD).run()
    button(at, "review.save").click().run()
    assert not at.exception
    (review,) = reviews_of(store, rich.RUN)
    assert review.key == key_of(rich)
    assert (review.reviewer, review.rule_layer) == ("韩梅梅", "business")
    assert review.opinion == Opinion(Verdict.RANKING, flag=True, note=HAZARD)
    assert at.query_params["q"] == "q06"
    assert ("Saved: Ranking" if lang == "en" else "已保存：排序") in shown(at)
    assert draft_of(store, key_of(rich), "韩梅梅") is None
    assert "2 of 6" in shown(at) or "第 2 / 6 题" in shown(at)


def test_the_note_of_a_reviewer_is_shown_as_written_and_never_rendered(
    triage: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    note = f"{HAZARD}\n{'长' * 19_000}"
    proposal = Proposal(key_of(rich), "<b>x</b> $1 $2", Opinion(Verdict.RECALL, note=note), AT)
    save_review(store, proposal)
    at = triage(q="q03")
    page = "\n".join(str(e.value) for e in at.html)
    assert "<img" not in page
    assert "<b>x" not in page
    assert "&lt;img src=x&gt; ![](http://beacon.example/b.png) :red[x] |a| 30~35%" in page
    assert " chars" in page
    for kind in ("markdown", "caption", "warning", "info", "success", "error"):
        assert all("beacon" not in str(e.value) for e in at.get(kind))


def test_without_a_name_nothing_is_saved_and_what_was_chosen_stays(
    triage: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = triage(name=None)
    button(at, "verdict.recall").click().run()
    button(at, "review.save").click().run()
    assert "Type your name first" in shown(at)
    assert reviews_of(store, rich.RUN) == []
    at.text_input(key="reviewer.typed").set_value("  ").run()
    button(at, "review.save").click().run()
    assert "Type your name first" in shown(at)
    at.text_input(key="reviewer.typed").set_value("a\u202eb").run()
    assert "U+202E" in shown(at)
    at.text_input(key="reviewer.typed").set_value("Ann").run()
    assert draft_of(store, key_of(rich), "Ann") == Opinion(Verdict.RECALL)
    button(at, "review.save").click().run()
    assert [r.reviewer for r in reviews_of(store, rich.RUN)] == ["Ann"]


def test_a_note_that_cannot_be_kept_stays_in_the_form_and_is_said(
    triage: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = triage()
    button(at, "verdict.recall").click().run()
    at.text_area[0].set_value("a\x00b").run()
    assert "U+0000" in shown(at)
    assert at.text_area[0].value == "a\x00b"
    button(at, "review.save").click().run()
    assert "U+0000" in shown(at)
    assert reviews_of(store, rich.RUN) == []
    assert at.text_area[0].value == "a\x00b"
    at.text_area[0].set_value("ab").run()
    button(at, "review.save").click().run()
    assert [r.opinion.note for r in reviews_of(store, rich.RUN)] == ["ab"]


def test_a_draft_is_there_again_after_a_reload(
    triage: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    keep_draft(
        store, Proposal(key_of(rich), "韩梅梅", Opinion(Verdict.INGEST, note="写到一半"), AT)
    )
    at = triage(q="q03")
    assert at.text_area[0].value == "写到一半"
    assert "Draft kept, not saved yet" in shown(at)
    button(at, "review.discard").click().run()
    assert at.text_area[0].value == ""
    assert draft_of(store, key_of(rich), "韩梅梅") is None


def test_what_was_written_before_the_name_is_added_to_the_draft_under_it(
    triage: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    keep_draft(store, Proposal(key_of(rich), "Ann", Opinion(Verdict.INGEST, note="first"), AT))
    at = triage(name=None, q="q03")
    at.text_area[0].set_value("second").run()
    assert "Not kept yet" in shown(at)
    at.text_input(key="reviewer.typed").set_value("Ann").run()
    assert draft_of(store, key_of(rich), "Ann") == Opinion(Verdict.INGEST, note="first\nsecond")
    assert at.text_area[0].value == "first\nsecond"
    at.text_input(key="reviewer.typed").set_value("Bo").run()
    assert at.text_area[0].value == ""
    assert draft_of(store, key_of(rich), "Ann") == Opinion(Verdict.INGEST, note="first\nsecond")


def test_somebody_else_was_first_is_said_and_a_second_save_stands_beside(
    triage: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = triage(q="q03")
    button(at, "verdict.recall").click().run()
    save_review(store, Proposal(key_of(rich), "Ann", Opinion(Verdict.INGEST), AT))
    button(at, "review.save").click().run()
    assert "Ann has reviewed q03 since this form was opened" in shown(at)
    assert len(reviews_of(store, rich.RUN)) == 1
    button(at, "review.save").click().run()
    assert [r.reviewer for r in reviews_of(store, rich.RUN)] == ["Ann", "韩梅梅"]


def test_a_run_that_went_away_is_said_and_the_draft_is_kept(
    triage: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = triage(q="q03")
    button(at, "verdict.recall").click().run()
    run_file(store, rich.RUN, 1).unlink()
    button(at, "review.save").click().run()
    assert not at.exception
    assert reviews_of(store, rich.RUN) == []
    assert draft_of(store, key_of(rich), "韩梅梅") == Opinion(Verdict.RECALL)
    assert "is not there" in shown(at)


def test_a_run_that_was_scored_again_meanwhile_is_said_and_the_draft_is_kept(
    triage: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = triage(q="q03")
    button(at, "verdict.recall").click().run()
    newer = run_file(store, rich.RUN, 2)
    newer.write_bytes(run_file(store, rich.RUN, 1).read_bytes())
    with closing(sqlite3.connect(registry_file(store))) as connection, connection:
        for table in ("runs", "modes"):
            connection.execute(f"CREATE TEMP TABLE again AS SELECT * FROM {table}")  # noqa: S608
            connection.execute("DELETE FROM again WHERE run_id <> ?", (rich.RUN,))
            connection.execute("UPDATE again SET version = 2")
            connection.execute(f"INSERT INTO {table} SELECT * FROM again")  # noqa: S608
            connection.execute("DROP TABLE again")
    button(at, "review.save").click().run()
    assert not at.exception
    assert reviews_of(store, rich.RUN) == []
    assert draft_of(store, key_of(rich), "韩梅梅") == Opinion(Verdict.RECALL)


def test_a_saved_filter_is_applied_by_name_and_only_to_its_reviewer(
    triage: Callable[..., AppTest], store: Path
) -> None:
    at = triage(outcome="wrong", mark="unreviewed")
    at.text_input(key="saved.name").set_value("待办 <b>").run()
    button(at, "saved.save").click().run()
    assert filters_of(store, "韩梅梅") == [SavedFilter("待办 <b>", "outcome=wrong&mark=unreviewed")]
    at.get_by_key("filter.chips").set_value([]).run()
    assert "6 of 6 questions" in shown(at)
    button(at, "saved.apply").click().run()
    assert at.query_params["mark"] == "unreviewed"
    assert "1 of 6 questions" in shown(at)
    button(at, "saved.save").click().run()
    assert "the filter's name is empty" in shown(at)
    button(at, "saved.drop").click().run()
    assert filters_of(store, "韩梅梅") == []


def test_a_saved_filter_that_means_nothing_any_more_is_noted(
    triage: Callable[..., AppTest], store: Path
) -> None:
    save_filter(store, "韩梅梅", SavedFilter("old", "outcome=gone&layer=ranking"), AT)
    at = triage()
    button(at, "saved.apply").click().run()
    assert not at.exception
    assert "a filter value that does not exist" in at.warning[0].value
    assert "1 of 6 questions" in shown(at)


@pytest.mark.parametrize("name", ["mark", "sort", "change", "q"])
def test_a_value_typed_by_hand_that_does_not_exist_is_said(
    triage: Callable[..., AppTest], name: str
) -> None:
    at = triage(name=None, **{name: "**x** nope"})
    assert "does not" in at.warning[0].value
    assert "**x** nope" in [c.value for c in at.code]
    assert "6 of 6 questions" in shown(at)


def test_a_question_outside_the_list_is_open_and_says_so(triage: Callable[..., AppTest]) -> None:
    at = triage(name=None, q="q01", outcome="wrong")
    assert "not among the 1 filtered" in shown(at)
    button(at, "triage.next").click().run()
    assert at.query_params["q"] == "q03"


def test_the_summary_says_how_far_people_and_rule_agree(
    triage: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    for question, verdict in (("q03", Verdict.BUSINESS), ("q06", Verdict.RECALL)):
        save_review(store, Proposal(key_of(rich, question), "Ann", Opinion(verdict), AT))
    page = shown(triage())
    assert "2 of 3 questions that were not answered rightly are reviewed" in page
    assert "agree on the layer of 1 of 2 reviewed questions" in page
    assert "人工与规则对 1 题判定一致" in shown(triage(lang="zh"))


def set_write_version(path: Path, version: int) -> None:
    """SQLite does not write to a file of a newer write version, whoever asks (root too)."""
    with path.open("r+b") as file:
        file.seek(18)
        file.write(bytes([version]))


def test_a_registry_that_cannot_be_written_is_said_and_what_was_chosen_stays(
    triage: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = triage("Ann", q="q03")
    set_write_version(registry_file(store), 3)
    button(at, "verdict.recall").click().run()
    assert not at.exception
    assert "registry.sqlite cannot be used" in shown(at)
    assert button(at, "verdict.recall").label.startswith("✓ ")
    button(at, "review.save").click().run()
    assert not at.exception
    assert "Nothing has been saved, and nothing you wrote is lost." in shown(at)
    assert button(at, "verdict.recall").label.startswith("✓ ")
    set_write_version(registry_file(store), 2)
    button(at, "review.save").click().run()
    assert [r.opinion.verdict for r in reviews_of(store, rich.RUN)] == [Verdict.RECALL]


def test_the_token_of_a_browser_leads_to_one_digest_whatever_its_mask() -> None:
    from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

    token = bytes(range(16))
    found = {
        browser_of({"_streamlit_xsrf": generate_xsrf_token_string(token, 1)}) for _ in range(5)
    }
    assert len(found) == 1
    assert found != {browser_of({"_streamlit_xsrf": generate_xsrf_token_string(bytes(16), 1)})}
    for cookie in ("", "2|x|y|1", "2|00", "1|00|00|1", "2||00|1", "2|00||1"):
        assert browser_of({"_streamlit_xsrf": cookie}) is None


def test_the_reviews_tab_shows_every_review_and_takes_another(
    open_page: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    for verdict, reviewer in ((Verdict.INGEST, "Ann"), (Verdict.RECALL, "Ann")):
        seen = max((r.number for r in reviews_of(store, rich.RUN)), default=None)
        opinion = Opinion(verdict, note=HAZARD)
        save_review(store, Proposal(key_of(rich), reviewer, opinion, AT, seen))
    at = open_page(store, "question", run=f"{rich.RUN}:hybrid", q="q03", tab="reviews")
    assert not at.exception
    page = shown(at)
    assert page.count(HAZARD) >= 2
    assert "superseded later by its author" in page
    assert "the rule said business caliber" in page
    at.text_input(key="reviewer.typed").set_value("韩梅梅").run()
    button(at, "verdict.business").click().run()
    button(at, "review.save").click().run()
    assert not at.exception
    assert [r.opinion.verdict for r in reviews_of(store, rich.RUN)][-1] is Verdict.BUSINESS
    assert at.query_params["q"] == "q03"
    # The keys belong to Triage, and walking by J and K to the question.
    assert not button(at, "verdict.business").proto.shortcut


def test_the_walk_on_a_question_takes_what_people_say_into_account(
    open_page: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    save_review(store, Proposal(key_of(rich), "Ann", Opinion(Verdict.RANKING), AT))
    params = {"q": "q03", "among": "hybrid", "layer": "ranking"}
    assert "1 of 2 filtered" in shown(open_page(store, "question", **params))
    params = {"q": "q06", "among": "hybrid", "mark": "unreviewed"}
    at = open_page(store, "question", **params)
    assert not at.warning
    assert "of 2 filtered" in shown(at)


def test_compare_counts_at_a_layer_what_triage_lists_there(
    open_page: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    save_review(store, Proposal(key_of(rich), "Ann", Opinion(Verdict.RECALL), AT))
    at = open_page(store, "compare", run=rich.RUN)
    assert not at.exception
    page = shown(at)
    assert f"triage?run={rich.RUN}%3Ahybrid&layer=recall" in page
    assert f"triage?run={rich.RUN}%3Ahybrid&layer=business" not in page
    assert "1 of 6 questions" in shown(
        open_page(store, "triage", run=f"{rich.RUN}:hybrid", layer="recall")
    )


def test_a_run_without_questions_has_an_empty_list(
    open_page: Callable[..., AppTest], build: ModuleType, tmp_path: Path
) -> None:
    from ragdash.core.retrieval import Mode
    from ragdash.store.journal import Journal
    from ragdash.store.runfile import publish

    info = build.make_info("20261130-1100-none-1", modes=(Mode.DENSE,), n_questions=0)
    with Journal.create(tmp_path, info, []) as journal:
        publish(tmp_path, journal, AT)
    at = open_page(tmp_path, "triage", run=f"{info.run_id}:dense", q="q01")
    assert not at.exception
    assert "No question matches" in at.info[0].value
    assert "does not have" in at.warning[0].value


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_one_layer_chosen_after_another_is_asked_for_again_before_it_is_saved(
    triage: Callable[..., AppTest], store: Path, rich: ModuleType, lang: str
) -> None:
    # A server that is behind loses the Enter of 3, Enter, 4, Enter: 4 was for the next question.
    at = triage(lang=lang)
    button(at, "verdict.ranking").click().run()
    button(at, "verdict.generation").click().run()
    button(at, "review.save").click().run()
    assert reviews_of(store, rich.RUN) == []
    assert len(at.warning) == 1
    assert "q" not in at.query_params or at.query_params["q"] == "q03"
    button(at, "review.save").click().run()
    (review,) = reviews_of(store, rich.RUN)
    assert (review.key.question_id, review.opinion.verdict) == ("q03", Verdict.GENERATION)
    assert not at.warning


def test_the_same_layer_twice_or_none_before_it_is_saved_at_once(
    triage: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = triage()
    button(at, "verdict.ranking").click().run()
    button(at, "verdict.ranking").click().run()
    button(at, "review.save").click().run()
    assert [r.opinion.verdict for r in reviews_of(store, rich.RUN)] == [Verdict.RANKING]


def test_people_who_differ_are_told_of_in_the_list_and_in_the_summary(
    triage: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    first = Proposal(key_of(rich), "李雷", Opinion(Verdict.RANKING), AT)
    number = save_review(store, first).number
    save_review(store, Proposal(key_of(rich), "Ann", Opinion(Verdict.RANKING), AT, number))
    assert "people differ" not in shown(triage())
    number = reviews_of(store, rich.RUN)[-1].number
    save_review(store, Proposal(key_of(rich), "Ann", Opinion(Verdict.RECALL), AT, number))
    page = shown(triage())
    assert "people differ" in page
    assert "Of 1 questions that two people or more judged, they differ on 1." in page


@pytest.mark.parametrize("pressed", ["verdict.generation", "review.flag"])
def test_a_key_that_comes_after_its_question_was_saved_changes_nothing_and_is_told_of(
    triage: Callable[..., AppTest], store: Path, rich: ModuleType, pressed: str
) -> None:
    at = triage()
    # As it stands between saving this question and drawing the next one.
    at.session_state["review.done"] = Form(key_of(rich), ()).mark
    button(at, pressed).click().run()
    assert draft_of(store, key_of(rich), "韩梅梅") is None
    assert len(at.warning) == 1
    # The question is on the screen again: the next key is meant for it.
    button(at, "verdict.generation").click().run()
    assert draft_of(store, key_of(rich), "韩梅梅") == Opinion(Verdict.GENERATION)
