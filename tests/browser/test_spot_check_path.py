"""Spot checks by keyboard, and by two people at once while the store is being written."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import threading
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from ragdash.core.question import Gold
from ragdash.core.retrieval import Mode
from ragdash.core.run import Outcome
from ragdash.core.score import scored, undefined
from ragdash.core.spot_check import Caliber, Fit
from ragdash.models.tiny import write_tiny_embedder
from ragdash.store.journal import Journal
from ragdash.store.live import live_runs
from ragdash.store.runfile import publish
from ragdash.store.spot_checks import checks_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

READY = (
    "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]"
)
RUN = "20261130-1000-calibers-1a2b"


FLOW = Path(__file__).parents[1] / "flow" / "conftest.py"
ANSWERED = 4


@pytest.fixture(autouse=True)
def patient() -> None:
    # A rerun on shared cores can take longer than Playwright's five seconds.
    expect.set_options(timeout=30_000)


@pytest.fixture
def store(build: ModuleType, tmp_path: Path) -> Path:
    """A run whose four answers are right by number; of the first the rule could read no label."""
    folder = tmp_path / "store"
    info = build.make_info(RUN, modes=(Mode.DENSE,), n_questions=ANSWERED)
    gold = Gold(
        Decimal("147693604994.14"), "CNY", metric="净利润", attribution="归母", period="2023"
    )
    right = [scored("numeric_accuracy", 1, "match"), scored("answer_accuracy", 1, "match")]
    with Journal.create(folder, info, [f"c{n}" for n in range(1, ANSWERED + 1)]) as journal:
        for n in range(1, ANSWERED + 1):
            label = undefined("caliber", "needs_review") if n == 1 else scored("caliber", 1)
            question = build.make_question(
                f"c{n}", gold=(gold,), text=f"第{n}题的归母净利润是多少？"
            )
            journal.append(
                build.make_result(
                    question=question,
                    mode=Mode.DENSE,
                    scores=(*right, label),
                    outcome=Outcome.CORRECT,
                    caliber_reviewed=n > 1,
                    diagnosis=None,
                )
            )
        publish(folder, journal, "2026-11-30T10:05:00Z")
    return folder


def settled(page: Page) -> None:
    page.wait_for_selector(READY, timeout=30_000)
    expect(page.locator("h1").first).to_be_visible()
    # Streamlit takes up a button's shortcut shortly after it is drawn.
    page.wait_for_timeout(1200)


def entered(page: Page, url: str, name: str) -> None:
    """Open the page and say who reviews."""
    page.goto(f"{url}/reviews?run={RUN}:dense")
    settled(page)
    field = page.get_by_label("Your name")
    field.fill(name)
    field.press("Enter")
    expect(page.get_by_text("Free: from your first choice on")).to_be_visible()
    page.locator("h1").click()
    settled(page)


def pressed(page: Page, name: str) -> None:
    expect(page.get_by_role("button", name=re.compile(f"^✓ {name}"))).to_be_visible()


def key(page: Page, char: str, chosen: str) -> None:
    page.keyboard.press(char)
    pressed(page, chosen)
    page.wait_for_timeout(600)


def named(page: Page, words: str) -> None:
    """Choose the caliber of the answer from its list, by typing."""
    field = page.get_by_role("combobox", name=re.compile("Caliber of the answer"))
    field.focus()
    field.press_sequentially(words)
    field.press("Enter")
    expect(page.get_by_text("Draft kept, not saved yet")).to_be_visible()
    settled(page)


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def healthy(page: Page) -> None:
    """No error box and no traceback stands on a page."""
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stAlertContentError")).to_have_count(0)


def wait_for_a_run(page: Page, store: Path) -> None:
    """Go on when a run is being written at this moment."""
    for _ in range(600):
        if live_runs(store):
            return
        page.wait_for_timeout(100)
    pytest.fail("no run has begun within a minute")


def test_three_answers_are_checked_without_a_mouse(
    browser: Browser, serve: Callable[[Path], Any], store: Path
) -> None:
    alone = serve(store)
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, accept_downloads=True)
    page = context.new_page()
    entered(page, alone.url, "韩梅梅")
    main = page.get_by_test_id("stMain")
    expect(main.get_by_text("第1题的归母净利润是多少？").first).to_be_visible()
    expect(page.get_by_text("1 of 4", exact=True)).to_be_visible()
    expect(page.get_by_text("Blind: this form shows no verdict.")).to_be_visible()

    # H names the keys, P brings the page of the filing or says why there is none.
    page.keyboard.press("h")
    expect(page.locator("dl").get_by_text("Save and next")).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_role("button", name=re.compile("^Hide the page"))).to_be_visible()
    assert query(page)["leaf"] == ["1"]
    settled(page)

    # Verdict and Enter.
    key(page, "1", "Fits")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Saved: Fits")).to_be_visible()
    expect(page.get_by_text("2 of 4", exact=True)).to_be_visible()
    settled(page)

    # A conflict is named from the list, by typing; a draft outlives a reload.
    key(page, "2", "Conflict")
    named(page, "without")
    page.reload()
    settled(page)
    pressed(page, "Conflict")
    expect(page.get_by_label("Your name")).to_have_value("韩梅梅")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Saved: Conflict")).to_be_visible()
    expect(page.get_by_text("3 of 4", exact=True)).to_be_visible()
    settled(page)

    # Back with K and on with J; then the third, with how sure she is.
    page.keyboard.press("k")
    expect(page.get_by_text("2 of 4", exact=True)).to_be_visible()
    expect(main.get_by_text("The verdict of 韩梅梅 holds, here and in every gate")).to_be_visible()
    settled(page)
    page.keyboard.press("j")
    expect(page.get_by_text("3 of 4", exact=True)).to_be_visible()
    settled(page)
    key(page, "3", "Unclear")
    key(page, "6", "low")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Saved: Unclear")).to_be_visible()
    expect(page.get_by_text("4 of 4", exact=True)).to_be_visible()

    found = {c.key.question_id: c.judgement for c in checks_of(store, RUN)}
    assert {q: said.fit for q, said in found.items()} == {
        "c1": Fit.FITS,
        "c2": Fit.CONFLICT,
        "c3": Fit.UNCLEAR,
    }
    assert found["c2"].answered is Caliber.WITHOUT_ONE_OFF
    assert found["c3"].confidence == "low"

    page.get_by_role("tab", name="Agreement and summary").click()
    expect(page.get_by_role("region", name="Rule (rows) against people")).to_be_visible()
    expect(page.get_by_text("3/4 (0.75)").first).to_be_visible()
    for kind, told in (("Summary as HTML", "韩梅梅"), ("Checks as CSV", "needs_review")):
        with page.expect_download() as download:
            page.get_by_role("button", name=kind).click()
        assert told in download.value.path().read_text("utf-8-sig")
    healthy(page)
    context.close()


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    """The command that runs a few questions over a corpus of one small document."""
    spec = importlib.util.spec_from_file_location("ragdash_test_flow", FLOW)
    assert spec is not None
    assert spec.loader is not None
    flow = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = flow
    spec.loader.exec_module(flow)
    dense = write_tiny_embedder(tmp_path / "embedder")
    config = tmp_path / "run.toml"
    config.write_text(f'[models]\ndense = "path:{dense}"\n', "utf-8")
    flow.lines(tmp_path / "doc.jsonl", flow.pages("青禾样例", "doc"))
    document = {"doc_id": "doc", "file": "doc.jsonl", "company": "青禾样例", "period": "2023"}
    manifest = flow.lines(
        tmp_path / "manifest.jsonl", [{**document, "doc_type": "annual", "lang": "zh"}]
    )
    question = {"lang": "zh", "kind": "lookup", "company": "青禾样例", "period": "2023"}
    questions = flow.lines(
        tmp_path / "questions.jsonl",
        [
            {
                **question,
                "id": f"q{n}",
                "question": f"青禾样例2023年项目{n}营业收入是多少？",
                "gold": [{"value": f"{n}{n:03d}5000", "unit": "CNY", "metric": "营业收入"}],
                "gold_text": f"{n}{n:03d}5000",
                "evidence": [{"doc_id": "doc", "page": n}],
                "answerable": True,
            }
            for n in range(1, 31)
        ],
    )
    made = flow.Bench(tmp_path, manifest, questions, config, tmp_path / "corpus")
    made.ragdash(
        "ingest", str(manifest), "--corpus", str(made.corpus), "--profile", f"path:{dense}"
    )
    found: list[str] = made.command(*made.run_arguments(tmp_path / "store"), "dense", "hybrid")
    return found


@pytest.fixture
def running(command: list[str], store: Path) -> Iterator[list[int]]:
    """Run the command into the store again and again; the list fills with its exit codes."""
    assert str(store) in command
    codes: list[int] = []
    stop = threading.Event()
    quiet = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}

    def work() -> None:
        while not stop.is_set():
            done = subprocess.run(command, env=quiet, capture_output=True, check=False)
            codes.append(done.returncode)

    worker = threading.Thread(target=work)
    worker.start()
    yield codes
    stop.set()
    worker.join(timeout=300)
    assert not worker.is_alive()
    assert set(codes) == {0}


def test_two_people_check_at_once_while_the_store_is_written(
    browser: Browser, serve: Callable[[Path], Any], store: Path, running: list[int]
) -> None:
    shared = serve(store)
    ann, bo = (
        browser.new_context(viewport={"width": 1440, "height": 1000}).new_page() for _ in range(2)
    )
    entered(ann, shared.url, "Ann")
    key(ann, "1", "Fits")
    entered(bo, shared.url, "Bo")
    # Ann has begun the first one, so Bo has the second; nobody waits.
    expect(ann.get_by_text("1 of 4", exact=True)).to_be_visible()
    expect(bo.get_by_text("2 of 4", exact=True)).to_be_visible()
    expect(bo.get_by_text("Ann is checking it")).to_be_visible()
    bo.get_by_role("button", name="1", exact=True).click()
    expect(bo.get_by_text("Ann is checking this question until")).to_be_visible()
    bo.get_by_role("button", name="2", exact=True).click()
    expect(bo.get_by_text("Free: from your first choice on")).to_be_visible()
    settled(bo)

    # Both have chosen, then both save.
    key(bo, "1", "Fits")
    wait_for_a_run(ann, store)
    ann.keyboard.press("Enter")
    bo.keyboard.press("Enter")
    for page in (ann, bo):
        expect(page.get_by_text("Saved: Fits")).to_be_visible()
        healthy(page)

    # Bo checks second what Ann has checked, and sees nothing of it before he has saved.
    bo.get_by_role("button", name="1", exact=True).click()
    expect(bo.get_by_text("1 of 4", exact=True)).to_be_visible()
    expect(bo.get_by_text("Free: from your first choice on")).to_be_visible()
    settled(bo)
    expect(bo.get_by_test_id("stMain").get_by_text("checked once").first).to_be_visible()
    shown = bo.get_by_test_id("stMain").inner_text()
    assert "needs review" not in shown
    assert "People differ" not in shown
    key(bo, "2", "Conflict")
    named(bo, "parent alone")
    bo.locator("h1").click()
    wait_for_a_run(bo, store)
    bo.keyboard.press("Enter")
    expect(
        bo.get_by_text("People differ. The newest check holds; a third one can settle it.").first
    ).to_be_visible()
    expect(bo.get_by_text("Bo (you)")).to_be_visible()
    expect(bo.get_by_text("Outcome: correct by rule, wrong now.")).to_be_visible()

    # Ann sees it as it is now, and so does every other page.
    ann.get_by_role("button", name="1", exact=True).click()
    main = ann.get_by_test_id("stMain")
    expect(main.get_by_text("The verdict of Bo holds, here and in every gate")).to_be_visible()
    expect(main.get_by_text("needs review").first).to_be_visible()
    ann.get_by_role("tab", name="Agreement and summary").click()
    expect(ann.get_by_text("checked: 1; they say the same of 0")).to_be_visible()
    expect(ann.get_by_role("button", name="Give a third check")).to_be_visible()
    healthy(ann)
    ann.goto(f"{shared.url}/triage?run={RUN}:dense&outcome=wrong")
    settled(ann)
    expect(ann.get_by_text("1 of 4 questions")).to_be_visible()
    expect(ann.get_by_text("第1题的归母净利润是多少？").first).to_be_visible()
    for page in (ann, bo):
        healthy(page)

    # Nothing is lost: four checks of two people, and every run that was begun.
    found = [
        (c.key.question_id, c.reviewer, c.judgement.fit, c.blind) for c in checks_of(store, RUN)
    ]
    assert sorted(found) == [
        ("c1", "Ann", Fit.FITS, True),
        ("c1", "Bo", Fit.CONFLICT, True),
        ("c2", "Bo", Fit.FITS, True),
    ]
    ann.goto(shared.url)
    settled(ann)
    expect(ann.get_by_role("link", name=RUN)).to_be_visible()
    healthy(ann)
    assert set(running) <= {0}
