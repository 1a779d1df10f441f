"""A person's caliber verdict on every page that tells an outcome: hers, beside the rule's."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import pytest

from ragdash.core.spot_check import (
    Caliber,
    CheckKey,
    CheckProposal,
    Confidence,
    Fit,
    Judgement,
)
from ragdash.store.spot_checks import save_check
from ragdash.ui.i18n import say

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from streamlit.testing.v1 import AppTest

NAME = "韩 <b>*梅梅*"
SHOWN = "韩 &lt;b&gt;*梅梅*"


def shown(at: AppTest) -> str:
    assert not at.exception
    return "\n".join(str(one.value) for one in at.get("html"))


@pytest.fixture
def own(build: ModuleType, rich: ModuleType, tmp_path: Path) -> Path:
    """A store of this test alone: what is said in it is said of no other test's."""
    store: Path = rich.make_rich_store(build, tmp_path / "store")
    return store


@pytest.fixture
def check(own: Path, rich: ModuleType) -> Callable[[str, Fit], None]:
    """`check("q01", Fit.CONFLICT)`: what NAME says of a question in dense."""

    def checked(question: str, fit: Fit) -> None:
        said = Judgement(fit, Confidence.HIGH, *([Caliber.SEGMENT] * 3), note=f"备注 {fit.value}")
        key = CheckKey(rich.RUN, "dense", question)
        at = "2026-11-30T10:00:00Z"
        save_check(own, CheckProposal(key, 1, NAME, said, at, blind=True))

    return checked


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_question_says_whose_outcome_it_is_and_what_the_rule_had_said(
    own: Path, rich: ModuleType, open_page: Callable[..., AppTest],
    check: Callable[[str, Fit], None], lang: str,
) -> None:  # fmt: skip
    where = {"run": f"{rich.RUN}:dense", "q": "q01", "lang": lang}
    rule = say("review.rule.outcome", lang, outcome=say("outcome.correct", lang))
    assert rule not in shown(open_page(own, "question", **where))
    check("q01", Fit.CONFLICT)
    page = shown(open_page(own, "question", **where))
    fit = say("fit.conflict", lang)
    assert say("review.by.caliber", lang, name=SHOWN, fit=fit) in page
    assert rule in page
    layer = say("layer.business", lang)
    assert say("question.lost.by", lang, layer=layer, name=SHOWN) in page
    assert say("review.rule.score", lang, value=f"{say('word.pass', lang)} (") in page
    assert say("reason.person_conflict", lang) in page


def test_that_a_caliber_fits_makes_no_other_figure_right_and_the_page_says_so(
    own: Path, rich: ModuleType, open_page: Callable[..., AppTest],
    check: Callable[[str, Fit], None],
) -> None:  # fmt: skip
    check("q02", Fit.FITS)
    page = shown(open_page(own, "question", run=f"{rich.RUN}:dense", q="q02"))
    assert html.escape(say("review.other_figure", "en")) in page
    assert "✕ fail" in page


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_reviews_tab_lists_every_check_and_marks_what_was_superseded(
    own: Path, rich: ModuleType, open_page: Callable[..., AppTest],
    check: Callable[[str, Fit], None], lang: str,
) -> None:  # fmt: skip
    where = {"run": f"{rich.RUN}:dense", "q": "q01", "tab": "reviews", "lang": lang}
    headers = [one.value for one in open_page(own, "question", **where).header]
    assert say("review.checks", lang) not in headers
    check("q01", Fit.FITS)
    check("q01", Fit.CONFLICT)
    at = open_page(own, "question", **where)
    assert say("review.checks", lang) in [one.value for one in at.header]
    page = shown(at)
    assert page.count(say("review.superseded", lang)) == 1
    assert page.index("备注 conflict") < page.index("备注 fits")
    assert "<b>" not in page.replace("&lt;b&gt;", "")


def test_the_history_follows_what_people_say_though_a_run_file_is_read_once(
    own: Path, rich: ModuleType, open_page: Callable[..., AppTest],
    check: Callable[[str, Fit], None],
) -> None:  # fmt: skip
    where = {"run": f"{rich.RUN}:dense", "q": "q01", "tab": "history"}
    by = f">{say('review.by', 'en', name=SHOWN)}<"
    assert by not in shown(open_page(own, "question", **where))
    check("q01", Fit.CONFLICT)
    assert by in shown(open_page(own, "question", **where))
    check("q01", Fit.UNCLEAR)
    assert by not in shown(open_page(own, "question", **where))


def test_triage_gates_compare_and_runs_count_it(
    own: Path, rich: ModuleType, open_page: Callable[..., AppTest],
    check: Callable[[str, Fit], None],
) -> None:  # fmt: skip
    def wrong() -> list[str]:
        at = open_page(own, "triage", run=f"{rich.RUN}:dense", outcome="wrong")
        return [q for q in ("q01", "q02", "q03") if f">{q}</a>" in shown(at)]

    people = say("review.by_people", "en", n=1)
    assert wrong() == ["q02"]
    assert people not in shown(open_page(own, "gates", run=f"{rich.RUN}:dense"))
    check("q01", Fit.CONFLICT)
    assert wrong() == ["q01", "q02"]
    assert people in shown(open_page(own, "gates", run=f"{rich.RUN}:dense"))
    assert people in shown(open_page(own, "compare", run=rich.RUN))
    # dense had two right of four that are scored.
    assert "1/4" in shown(open_page(own, "runs"))
