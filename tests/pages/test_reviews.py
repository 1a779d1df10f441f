from __future__ import annotations

import csv
import html
import io
import re
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from ragdash.core.answer import AnswerStatus
from ragdash.core.retrieval import Mode
from ragdash.core.run import Outcome
from ragdash.core.spot_check import (
    Caliber,
    CheckDraft,
    CheckKey,
    CheckProposal,
    Confidence,
    Fit,
    Judgement,
)
from ragdash.store.journal import Journal
from ragdash.store.layout import registry_file, run_file
from ragdash.store.remove import remove
from ragdash.store.runfile import publish
from ragdash.store.said import people_of
from ragdash.store.spot_check_desk import draft_of, keep_draft, locks_of, take_lock
from ragdash.store.spot_checks import checks_of, save_check
from ragdash.ui.review.reviewer import now

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from streamlit.testing.v1 import AppTest
    from streamlit.testing.v1.element_tree import Button

ANSWER = "营业收入为147,693,604,994.14元"
HAZARD = "from $1M to $2M <img src=x> ![](http://beacon.example/b.png) :red[x] |a| 30~35%"


@pytest.fixture
def store(build: ModuleType, rich: ModuleType, tmp_path: Path) -> Path:
    made: Path = rich.make_rich_store(build, tmp_path / "store")
    return made


@pytest.fixture
def reviews(
    open_page: Callable[..., AppTest], store: Path, rich: ModuleType
) -> Callable[..., AppTest]:
    """`reviews("Bo", q="q02")` -> the page over hybrid, as Bo sees it."""

    def opened(name: str | None = "Bo", **params: str) -> AppTest:
        at = open_page(store, "reviews", **{"run": f"{rich.RUN}:hybrid", **params})
        assert not at.exception
        if name is not None:
            at.text_input(key="reviewer.typed").set_value(name).run()
        return at

    return opened


def shown(at: AppTest) -> str:
    """All text of a page that a reader could see, without our markup."""
    kinds = ("title", "header", "text", "html", "code", "warning", "info", "success", "error")
    found = "\n".join(str(e.value) for kind in kinds for e in at.get(kind))
    return html.unescape(re.sub(r"<[^>]+>", " ", found))


def button(at: AppTest, start: str) -> Button:
    return next(b for b in at.button if str(b.key).startswith(start))


def key_of(rich: ModuleType, question: str = "q02", mode: str = "hybrid") -> CheckKey:
    return CheckKey(rich.RUN, mode, question)


def said(fit: Fit = Fit.CONFLICT, note: str = "") -> Judgement:
    gold = Caliber.CONSOLIDATED
    return Judgement(fit, Confidence.HIGH, gold, gold, Caliber.SEGMENT, "600519-2023", 45, note)


def saved(
    store: Path, key: CheckKey, reviewer: str = "Ann", judgement: Judgement | None = None
) -> None:
    proposal = CheckProposal(key, 1, reviewer, judgement or said(), now(), blind=True)
    save_check(store, proposal)


def test_an_empty_store_says_how_to_fill_it(
    open_page: Callable[..., AppTest], tmp_path: Path
) -> None:
    at = open_page(tmp_path / "nothing", "reviews")
    assert not at.exception
    assert "No runs yet" in shown(at)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_queue_says_how_it_was_drawn_and_opens_the_first_question(
    reviews: Callable[..., AppTest], lang: str
) -> None:
    at = reviews(None, lang=lang)
    page = shown(at)
    assert not at.warning
    # q03 is a sibling's figure, q02 asks for 归母; of q01 and q05 without a risk one is drawn.
    if lang == "en":
        assert "2 of 4 answered questions of this mode have a risk" in page
        assert "Of the 2 others, 1 are drawn" in page
        assert "3 of 3 in the queue" in page
        assert "near miss: The number is within 10% of the gold" in page
    else:
        assert "本模式作答的 4 题中有 2 题存在口径风险" in page
        assert "队列 3 题中的 3 题" in page
        assert "盲评" in page
    assert at.title[0].value == ("Spot checks" if lang == "en" else "口径抽查")
    assert page.index("q03") < page.index("q02")


def test_a_verdict_is_saved_by_two_keys_and_the_next_question_opens(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = reviews(q="q02")
    assert button(at, "check.save").disabled
    # Who only looks keeps nobody out.
    assert locks_of(store, rich.RUN, now()) == []
    assert "Free: from your first choice on" in shown(at)
    button(at, "check.fit.fits").click().run()
    assert [lock.key for lock in locks_of(store, rich.RUN, now())] == [key_of(rich)]
    assert draft_of(store, key_of(rich), "Bo") == CheckDraft(fit=Fit.FITS)
    button(at, "check.save").click().run()
    assert not at.exception
    (check,) = checks_of(store, rich.RUN)
    assert (check.key, check.reviewer, check.blind) == (key_of(rich), "Bo", True)
    # What the form shows is what is saved: question's and gold's caliber and the cited page.
    assert check.judgement == Judgement(
        Fit.FITS,
        Confidence.MEDIUM,
        Caliber.ATTRIBUTABLE,
        Caliber.CONSOLIDATED,
        Caliber.ATTRIBUTABLE,
        "600519-2023",
        45,
    )
    assert "Saved: Fits" in shown(at)
    assert "A second person has not checked it yet" in shown(at)
    opened = at.query_params["q"]
    assert opened != "q02"
    assert f"Next: {opened}" in shown(at)
    assert locks_of(store, rich.RUN, now()) == []


def test_after_the_last_of_the_list_it_is_said_where_it_goes_on(
    reviews: Callable[..., AppTest],
) -> None:
    at = reviews()
    last = next(q for q in ("q01", "q05") if q in shown(at))
    at = reviews(q=last)
    for goes_on in ("goes on from its start with q03", "Next: q02", "Nothing else in this list"):
        button(at, "check.fit.unclear").click().run()
        button(at, "check.save").click().run()
        assert goes_on in shown(at)


def test_a_lock_ends_with_the_draft_and_with_leaving_the_question(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = reviews(q="q02")

    def locked() -> list[str]:
        return [lock.key.question_id for lock in locks_of(store, rich.RUN, now())]

    button(at, "check.fit.fits").click().run()
    assert locked() == ["q02"]
    button(at, "check.discard").click().run()
    assert locked() == []
    at.text_area[0].set_value("写到一半").run()
    assert locked() == ["q02"]
    button(at, "check.step.previous").click().run()
    assert locked() == []


def test_checking_again_locks_nothing_by_itself_and_can_be_cancelled(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    saved(store, key_of(rich), "Bo")
    at = reviews(q="q02")
    button(at, "check.again").click().run()
    assert locks_of(store, rich.RUN, now()) == []
    button(at, "check.fit.fits").click().run()
    assert len(locks_of(store, rich.RUN, now())) == 1
    button(at, "check.cancel").click().run()
    assert not at.exception
    assert locks_of(store, rich.RUN, now()) == []
    assert draft_of(store, key_of(rich), "Bo") is None
    assert not [b for b in at.button if str(b.key).startswith("check.fit")]
    assert len(checks_of(store, rich.RUN)) == 1


def test_a_conflict_has_to_be_named(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = reviews(q="q02")
    button(at, "check.fit.conflict").click().run()
    button(at, "check.save").click().run()
    assert "Say which caliber the answer has" in shown(at)
    assert checks_of(store, rich.RUN) == []
    chosen = next(s for s in at.selectbox if str(s.key).startswith("check.answered"))
    chosen.set_value(Caliber.WITHOUT_ONE_OFF).run()
    button(at, "check.confidence.low").click().run()
    at.text_area[0].set_value(HAZARD).run()
    at.number_input[0].set_value(46).run()
    button(at, "check.save").click().run()
    (check,) = checks_of(store, rich.RUN)
    said = check.judgement
    assert (said.fit, said.answered) == (Fit.CONFLICT, Caliber.WITHOUT_ONE_OFF)
    assert (said.confidence, said.page, said.note) == (Confidence.LOW, 46, HAZARD)


def test_every_caliber_is_offered_in_both_languages(reviews: Callable[..., AppTest]) -> None:
    at = reviews(None)
    (asked,) = (s for s in at.selectbox if str(s.key).startswith("check.asked"))
    assert len(asked.options) == len(Caliber)
    assert "归母 · attributable to the parent's owners" in asked.options
    assert all(re.search("[\u4e00-\u9fff]", words) for words in asked.options)


def test_an_unscored_question_is_decided_by_a_person(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = reviews(q="q05")
    assert not at.exception
    assert "Did the gross margin rise or fall" in shown(at)
    button(at, "check.fit.fits").click().run()
    button(at, "check.save").click().run()
    (check,) = checks_of(store, rich.RUN)
    assert (check.outcome, check.judgement.gold) == (Outcome.UNSCORED, Caliber.NOT_STATED)
    page = shown(reviews(q="q05"))
    assert "The verdict of Bo holds, here and in every gate: Fits." in page
    assert "Outcome: unscored by rule, correct now." in page


@pytest.mark.parametrize(
    "name", ["risk", "state", "rule", "fit", "tab", "page", "q", "leaf", "shown"]
)
def test_a_value_typed_by_hand_that_does_not_exist_is_said(
    reviews: Callable[..., AppTest], name: str
) -> None:
    at = reviews(None, **{name: "**x** nope"})
    assert "does not" in at.warning[0].value
    assert "**x** nope" in [c.value for c in at.code]
    assert "3 of 3 in the queue" in shown(at)


def test_a_question_that_was_refused_is_not_on_the_bench(reviews: Callable[..., AppTest]) -> None:
    at = reviews(None, q="q04")
    assert "was not answered in this mode" in at.warning[0].value
    assert "q04" in [c.value for c in at.code]


def test_a_question_outside_of_the_queue_can_be_checked_all_the_same(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = reviews(None)
    outside = next(q for q in ("q01", "q05") if q not in shown(at))
    at = reviews(q=outside)
    assert "is not in the queue" in shown(at)
    button(at, "check.fit.unclear").click().run()
    button(at, "check.save").click().run()
    assert [c.key.question_id for c in checks_of(store, rich.RUN)] == [outside]
    assert "4 of 4 in the queue" in shown(at)


def test_a_run_with_a_judge_that_failed_at_times_is_read_as_any_other(
    open_page: Callable[..., AppTest], with_judge: Path, judged: ModuleType
) -> None:
    at = open_page(with_judge, "reviews", run=f"{judged.RUN}:hybrid")
    assert not at.exception
    assert not at.error
    assert "in the queue" in shown(at)


def test_a_mode_without_an_answer_says_so(
    open_page: Callable[..., AppTest], build: ModuleType, tmp_path: Path
) -> None:
    info = build.make_info("run-refused", modes=(Mode.DENSE,), n_questions=1)
    answer = build.make_answer("未在所给资料中检索到")
    with Journal.create(tmp_path, info, ["q1"]) as journal:
        journal.append(
            build.make_result(
                "q1",
                Mode.DENSE,
                outcome=Outcome.ABSTAINED_WRONG,
                answer=type(answer)(
                    answer.text, AnswerStatus.REFUSED, (), "extractive", reason="refused"
                ),
            )
        )
        publish(tmp_path, journal, "2026-11-30T10:05:00Z")
    at = open_page(tmp_path, "reviews", run="run-refused")
    assert not at.exception
    assert "No question was answered in this mode" in shown(at)


def test_an_attack_run_is_said_not_to_be_shown_here(
    open_page: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = open_page(store, "reviews", run=rich.ATTACK)
    assert not at.exception
    assert "names an attack run" in at.warning[0].value


def test_a_question_that_somebody_else_has_open_says_whose_it_is_and_cannot_be_saved(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    lock = take_lock(store, key_of(rich), "Ann <b>x</b> $1 $2", now(), 600)
    # The first free one is opened instead.
    at = reviews()
    assert "Ann <b>x</b> $1 $2 is checking this question until" not in shown(at)
    assert "Ann <b>x</b> $1 $2 is checking it" in shown(at)
    at = reviews(q="q02")
    page = "\n".join(str(e.value) for e in at.html)
    assert "Ann &lt;b&gt;x&lt;/b&gt; $1 $2 is checking this question until" in page
    assert lock.until[11:16] in page
    button(at, "check.fit.fits").click().run()
    assert button(at, "check.save").disabled
    # Whoever sends the form all the same is refused by the store.
    assert "Draft kept" in shown(at)


def test_a_lock_that_has_ended_keeps_nobody_out(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    take_lock(store, key_of(rich), "Ann", "2026-11-30T10:00:00Z", 600)
    at = reviews()
    button(at, "check.fit.fits").click().run()
    button(at, "check.save").click().run()
    assert [c.reviewer for c in checks_of(store, rich.RUN)] == ["Bo"]


def test_who_checks_second_sees_nothing_of_the_first_check_nor_of_the_rule_before_saving(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    saved(store, key_of(rich), "Ann", said(Fit.CONFLICT, "the note of the first"))
    at = reviews(q="q02")
    page = shown(at)
    for hidden in ("Ann", "the note of the first", "Rule", "wrong", "correct", "The verdict of"):
        assert hidden not in page
    assert "checked once" in page
    assert "Blind: this form shows no verdict." in page
    button(at, "check.fit.fits").click().run()
    button(at, "check.save").click().run()
    page = shown(at)
    for told in ("Ann", "the note of the first", "People differ", "not checked"):
        assert told in page
    assert [c.blind for c in checks_of(store, rich.RUN)] == [True, True]
    # Her own question shows both from then on.
    page = shown(reviews(q="q02"))
    assert "Ann" in page
    assert "Bo (you)" in page
    assert "disputed" in page


def test_nobody_is_her_own_second(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    saved(store, key_of(rich), "Bo")
    at = reviews(q="q02")
    assert "checked once" in shown(at)
    button(at, "check.again").click().run()
    # Her own check, and the rule's verdict, stand below the form.
    assert "Not blind: a verdict of it" in shown(at)
    button(at, "check.fit.fits").click().run()
    button(at, "check.save").click().run()
    first, second = checks_of(store, rich.RUN)
    assert (first.blind, second.blind) == (True, False)
    assert (first.judgement.fit, second.judgement.fit) == (Fit.CONFLICT, Fit.FITS)
    assert second.supersedes == first.number
    assert "checked once" in shown(reviews())


def test_a_draft_is_there_again_after_a_reload(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    begun = CheckDraft(fit=Fit.CONFLICT, answered=Caliber.REGION, note="写到一半")
    keep_draft(store, key_of(rich), "Bo", begun, now())
    at = reviews(q="q02")
    assert at.text_area[0].value == "写到一半"
    assert "Draft kept, not saved yet" in shown(at)
    (answered,) = (s for s in at.selectbox if str(s.key).startswith("check.answered"))
    assert answered.value is Caliber.REGION
    button(at, "check.discard").click().run()
    assert draft_of(store, key_of(rich), "Bo") is None
    assert at.text_area[0].value == ""


def test_without_a_name_nothing_is_saved_and_what_was_chosen_stays(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = reviews(None, q="q02")
    assert locks_of(store, rich.RUN, now()) == []
    button(at, "check.fit.fits").click().run()
    button(at, "check.save").click().run()
    assert "Type your name first" in shown(at)
    assert checks_of(store, rich.RUN) == []
    at.text_input(key="reviewer.typed").set_value("Bo").run()
    assert draft_of(store, key_of(rich), "Bo") == CheckDraft(fit=Fit.FITS)
    button(at, "check.save").click().run()
    assert [c.reviewer for c in checks_of(store, rich.RUN)] == ["Bo"]


def test_a_note_that_cannot_be_kept_stays_in_the_form_and_is_said(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = reviews(q="q02")
    button(at, "check.fit.fits").click().run()
    at.text_area[0].set_value("a\x00b").run()
    assert "U+0000" in shown(at)
    button(at, "check.save").click().run()
    assert checks_of(store, rich.RUN) == []
    at.text_area[0].set_value("ab").run()
    button(at, "check.save").click().run()
    assert [c.judgement.note for c in checks_of(store, rich.RUN)] == ["ab"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_where_a_check_overrides_the_rule_it_is_said_whose_verdict_holds(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType, lang: str
) -> None:
    saved(store, key_of(rich), "Bo", said(Fit.CONFLICT, HAZARD))
    assert people_of(store, rich.RUN, 1).calibers["hybrid", "q02"].fit is Fit.CONFLICT
    at = reviews(q="q02", lang=lang)
    page = shown(at)
    if lang == "en":
        assert "The verdict of Bo holds, here and in every gate: Conflict." in page
        assert "The rule's (not checked) is kept beside it." in page
        assert "Outcome: correct by rule, wrong now." in page
    else:
        assert "此处及各门禁以 Bo 的判定为准：口径不符" in page
        assert "结果：规则为答对，现为答错" in page
    assert HAZARD in page
    markup = "\n".join(str(e.value) for e in at.html)
    assert "<img" not in markup
    for kind in ("markdown", "caption", "warning", "info", "success", "error"):
        assert all("beacon" not in str(e.value) for e in at.get(kind))


def test_an_unclear_check_leaves_the_rule_its_word(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    saved(store, key_of(rich), "Bo", said(Fit.UNCLEAR))
    assert "The rule's verdict holds: not checked" in shown(reviews(q="q02"))


def test_disputed_questions_stay_hidden_from_a_third_until_she_asks(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    saved(store, key_of(rich), "Ann", said(Fit.CONFLICT, "first"))
    saved(store, key_of(rich), "Cy", said(Fit.FITS, "second"))
    at = reviews(None, tab="agreement")
    page = shown(at)
    assert "checked: 1; they say the same of 0: 0.00 (0.00 to 0.79, 95%)" in page
    assert "Ann" not in page
    button(at, "agree.reveal").click().run()
    assert {"Ann", "Cy", "first", "second"} <= set(re.findall(r"\w+", shown(at)))
    button(at, "agree.third").click().run()
    assert at.query_params["q"] == "q02"
    assert "Not blind: a verdict of it" in shown(at)
    # A reload forgets nothing of it: what was shown stands in the address.
    at = reviews("Dee", q="q02", shown="q02")
    button(at, "check.fit.fits").click().run()
    button(at, "check.save").click().run()
    assert not at.exception
    assert [c.blind for c in checks_of(store, rich.RUN)] == [True, True, False]
    # Whoever has said her own sees all of them.
    assert {"Ann", "Cy", "Dee", "second"} <= set(re.findall(r"\w+", shown(reviews("Dee", q="q02"))))


def test_the_matrix_opens_its_questions_and_whoever_comes_from_it_is_not_blind(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    saved(store, key_of(rich), "Ann", said(Fit.CONFLICT))
    at = reviews(None, tab="agreement")
    links = [
        html.unescape(found)
        for e in at.html
        for found in re.findall(r'href="(reviews[^"]*)"', str(e.value))
    ]
    assert [link for link in links if "rule=not_checked&fit=conflict" in link]
    at = reviews(rule="not_checked", fit="conflict")
    page = shown(at)
    assert "1 of 3 in the queue" in page
    assert "Only where the rule said not checked and people say Conflict" in page
    assert "Not blind" in page
    button(at, "check.cell").click().run()
    assert "fit" not in at.query_params
    assert "3 of 3 in the queue" in shown(at)


def test_whoever_comes_from_a_row_of_the_rule_is_not_blind(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = reviews(rule="conflict")
    assert at.query_params.get("q") is None
    assert "told by the numeric gate" not in shown(at)
    button(at, "check.fit.unclear").click().run()
    button(at, "check.save").click().run()
    (check,) = checks_of(store, rich.RUN)
    assert (check.key.question_id, check.blind, check.rule) == ("q03", False, "conflict")
    assert "told by the numeric gate: the figure of a sibling caliber" in shown(reviews(q="q03"))


def test_kappa_is_said_to_be_undefined_where_everybody_said_the_same(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    for who in ("Ann", "Cy"):
        saved(store, key_of(rich), who, said(Fit.FITS))
    page = shown(reviews(None, tab="agreement"))
    assert "no variation" in page
    assert "they say the same of 1: 1.00 (0.21 to 1.00, 95%)" in page
    assert "无变化" in shown(reviews(None, tab="agreement", lang="zh"))


def test_people_agree_on_a_question_where_all_of_them_say_the_same(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    for who, fit in (("Ann", Fit.FITS), ("Cy", Fit.FITS), ("Dee", Fit.CONFLICT)):
        saved(store, key_of(rich), who, said(fit))
    page = shown(reviews(None, tab="agreement"))
    assert "checked: 1; they say the same of 0: 0.00 (0.00 to 0.79, 95%)" in page
    assert "Kappa is of the first two people" in page
    assert "最先核对的两人" in shown(reviews(None, tab="agreement", lang="zh"))


def set_write_version(path: Path, version: int) -> None:
    """SQLite does not write to a file of a newer write version, whoever asks (root too)."""
    with path.open("r+b") as file:
        file.seek(18)
        file.write(bytes([version]))


def test_a_store_that_cannot_be_written_is_read_and_what_was_chosen_stays(
    reviews: Callable[..., AppTest], store: Path
) -> None:
    at = reviews(q="q02")
    set_write_version(registry_file(store), 3)
    button(at, "check.fit.fits").click().run()
    assert not at.exception
    page = shown(at)
    assert "nothing can be saved here; reading goes on" in page
    assert "贵州茅台2023年归属于上市公司股东的净利润是多少？" in page
    assert button(at, "check.fit.fits").label == "✓ Fits"
    assert button(at, "check.save").disabled
    set_write_version(registry_file(store), 2)
    at.run()
    assert not button(at, "check.save").disabled


def test_a_run_that_went_away_is_said(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = reviews(q="q02")
    button(at, "check.fit.fits").click().run()
    run_file(store, rich.RUN, 1).unlink()
    button(at, "check.save").click().run()
    assert not at.exception
    assert checks_of(store, rich.RUN) == []
    assert draft_of(store, key_of(rich), "Bo") == CheckDraft(fit=Fit.FITS)
    assert "is not there" in shown(at)


def test_a_run_that_was_removed_while_its_page_was_open_is_said(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = reviews(q="q02")
    remove(store, rich.RUN)
    at.run()
    assert not at.exception
    assert "No runs yet" in shown(at)


def test_an_older_version_is_read_and_checks_are_saved_with_the_newest(
    open_page: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    run_file(store, rich.RUN, 2).write_bytes(run_file(store, rich.RUN, 1).read_bytes())
    with closing(sqlite3.connect(registry_file(store))) as connection, connection:
        for table in ("runs", "modes"):
            connection.execute(f"CREATE TEMP TABLE again AS SELECT * FROM {table}")  # noqa: S608
            connection.execute("DELETE FROM again WHERE run_id <> ?", (rich.RUN,))
            connection.execute("UPDATE again SET version = 2")
            connection.execute(f"INSERT INTO {table} SELECT * FROM again")  # noqa: S608
            connection.execute("DROP TABLE again")
    at = open_page(store, "reviews", run=f"{rich.RUN}.1:hybrid", q="q02")
    assert not at.exception
    assert "Version 2 of this run is newer" in at.info[0].value
    assert not [b for b in at.button if str(b.key).startswith("check.fit")]
    at = open_page(store, "reviews", run=f"{rich.RUN}:hybrid", q="q02")
    assert button(at, "check.fit.fits")


def files(store: Path, run: str, lang: str) -> Any:
    """Write both files of the audit inside of a script run, as the page does."""

    def script(store: str, run: str, lang: str) -> None:
        import os
        from dataclasses import replace

        import streamlit as st

        from ragdash.ui import frame
        from ragdash.ui.spot_checks import audit, checking

        os.environ["RAGDASH_STORE"] = store
        st.session_state["lang"] = lang
        st.session_state["run"] = run
        shown = frame.view()
        assert shown is not None
        made = checking._made(replace(shown, cursor=frame.open_run(shown.run)), "hybrid")
        st.session_state["files"] = (audit.page(made), audit.table(made))

    from streamlit.testing.v1 import AppTest

    at = AppTest.from_function(
        script, default_timeout=30, kwargs={"store": str(store), "run": run, "lang": lang}
    )
    at.run()
    assert not at.exception
    return at.session_state["files"]


@pytest.mark.parametrize("lang", ["English", "中文"])
def test_the_audit_gets_every_check_the_same_bytes_and_no_formula(
    store: Path, rich: ModuleType, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    monkeypatch.setenv("RAGDASH_STORE", str(store))
    saved(store, key_of(rich), "=Ann", said(Fit.CONFLICT, f"=HYPERLINK(1)\n{HAZARD}"))
    saved(store, key_of(rich), "=Ann", said(Fit.FITS, "＝1+1"))
    saved(store, key_of(rich), "韩梅梅", said(Fit.CONFLICT))
    page, table = files(store, rich.RUN, lang)
    assert files(store, rich.RUN, lang) == (page, table)
    rows = list(csv.DictReader(io.StringIO(table.decode("utf-8-sig"), newline="")))
    # What nobody has checked is no check.
    assert {row["question_id"] for row in rows} == {"q02"}
    checks = rows
    assert all(ANSWER in row["answer"] for row in checks)
    assert all("营业收入" in row["golds"] and "147693604994.14" in row["golds"] for row in checks)
    assert [row["check"] for row in checks] == ["1", "2", "3"]
    assert [row["not_superseded"] for row in checks] == ["false", "true", "true"]
    assert [row["reviewer"] for row in checks] == ["'=Ann", "'=Ann", "韩梅梅"]
    assert checks[0]["note"].startswith("'=HYPERLINK(1)\nfrom $1M")
    assert checks[1]["note"] == "'＝1+1"
    assert [row["page"] for row in checks] == ["45"] * 3
    assert {row["state"] for row in checks} == {"disputed"}
    assert {(r["rule"], r["outcome_rule"], r["outcome"], r["holds_by"]) for r in checks} == {
        ("not_checked", "correct", "wrong", "韩梅梅")
    }
    assert {row["sample"] for row in rows} == {"risk"}
    text = page.decode("utf-8")
    assert "<img" not in text
    assert "http://beacon" in text
    assert not re.search(r"\b(?:src|href)\s*=\s*[\"']", text)
    assert "color-scheme:light}" in text
    for told in (rich.RUN, "sha256:", "韩梅梅", ANSWER, "=Ann", html.escape(HAZARD)):
        assert told in text
    assert ("superseded by its author" if lang == "English" else "已被本人更新") in text
    saved(store, key_of(rich, "q01"), "Cy")
    again = files(store, rich.RUN, lang)[1]
    assert again != table
    rows = list(csv.DictReader(io.StringIO(again.decode("utf-8-sig"), newline="")))
    assert [row["check"] for row in rows] == ["1", "2", "3", "4"]


def test_what_a_field_was_filled_with_is_no_choice(
    reviews: Callable[..., AppTest], store: Path, rich: ModuleType
) -> None:
    at = reviews(q="q02")
    page = at.number_input[0]
    shown_first = page.value
    page.set_value(46).run()
    assert draft_of(store, key_of(rich), "Bo") is not None
    button(at, "check.discard").click().run()
    # The field sends its own value again, as a browser does when it is drawn anew.
    asked = next(s for s in at.selectbox if str(s.key).startswith("check.asked"))
    asked.set_value(asked.value).run()
    assert at.number_input[0].value == shown_first
    assert draft_of(store, key_of(rich), "Bo") is None
    assert locks_of(store, rich.RUN, now()) == []
