"""The Question page: another side, history, the page of a filing, bad addresses, odd data."""

from __future__ import annotations

import html
import re
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import pytest
from reportlab.pdfgen.canvas import Canvas

from ragdash.core.answer import AnswerStatus
from ragdash.core.fingerprint import digest_bytes
from ragdash.core.retrieval import Mode
from ragdash.core.review import Opinion, Proposal, ReviewKey, Verdict
from ragdash.core.run import Outcome
from ragdash.store.attach import attach
from ragdash.store.journal import Journal
from ragdash.store.layout import run_file
from ragdash.store.registry import Registry
from ragdash.store.reviews import save_review
from ragdash.store.runfile import publish

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from streamlit.testing.v1 import AppTest

TABS = ("chunks", "numbers", "trace", "citations", "judge", "raw", "history")


def shown(at: AppTest) -> str:
    """All text of a page that a reader could see, our markup included."""
    kinds = ("title", "header", "text", "html", "code", "warning", "info", "success", "error")
    return "\n".join(str(e.value) for kind in kinds for e in at.get(kind))


def words_of(at: AppTest) -> str:
    """The page without tags and without the attributes in them."""
    return html.unescape(re.sub(r"<[^>]*>", "", shown(at)))


def published(
    store: Path, build: ModuleType, run: str, *, results: list[Any], **fields: object
) -> None:
    """Put another run into a store; without results its question set is empty."""
    modes = tuple(dict.fromkeys(r.mode for r in results)) or (Mode.DENSE,)
    names = list(dict.fromkeys(r.question.id for r in results))
    info = build.make_info(run, modes=modes, n_questions=len(names), **fields)
    with Journal.create(store, info, names) as journal:
        for result in results:
            journal.append(result)
        publish(store, journal, "2026-11-30T11:01:00Z")


@pytest.mark.parametrize(
    ("tab", "lang"), [(tab, "en" if i % 2 else "zh") for i, tab in enumerate(TABS)]
)
def test_every_tab_opens_from_its_address_and_only_that_one_is_drawn(
    open_page: Callable[..., AppTest], filled: Path, rich: ModuleType, tab: str, lang: str
) -> None:
    at = open_page(filled, "question", run=f"{rich.RUN}:dense", q="q06", tab=tab, lang=lang)
    assert not at.exception
    assert not at.warning
    drawn = [i for i, one in enumerate(at.tabs) if one.children]
    assert drawn == [TABS.index(tab)]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tab", "nope"),
        ("tab", "\x00"),
        ("q", "\ufffd"),
        ("q", "nul\x00"),
        ("base", "nope:dense"),
        ("base", "\x00"),
        ("base", "\ufffd:dense"),
        ("base", "x" * 100_000),
        ("leaf", "nope#p1c1"),
        ("leaf", "\ufffd\x00"),
    ],
)
def test_a_hand_edited_address_leaves_a_page_that_works(
    open_page: Callable[..., AppTest], filled: Path, rich: ModuleType, name: str, value: str
) -> None:
    at = open_page(filled, "question", run=f"{rich.RUN}:dense", **{name: value})
    assert not at.exception
    assert len(at.warning) == (0 if name == "leaf" else 1)
    assert "贵州茅台2023年营业收入是多少" in shown(at)
    at.button(key="step.q.next").click().run()
    assert not at.exception
    assert at.query_params["q"] == "q02"


@pytest.mark.parametrize("value", ["\x00", "\ufffd", "x" * 100_000, ".2", ":dense", "a.b.c:d:e"])
def test_a_run_that_cannot_be_is_said_and_the_newest_is_shown(
    open_page: Callable[..., AppTest], filled: Path, value: str
) -> None:
    at = open_page(filled, "question", run=value)
    assert not at.exception
    assert len(at.warning) == 1
    assert "not in this store" in at.warning[0].value
    assert "贵州茅台2023年营业收入是多少" in shown(at)


@pytest.mark.parametrize(("lang", "words"), [("en", "holds no question"), ("zh", "没有题目")])
def test_a_run_without_questions_says_so(
    open_page: Callable[..., AppTest], build: ModuleType, tmp_path: Path, lang: str, words: str
) -> None:
    published(tmp_path / "store", build, "20261130-1100-none-1", results=[])
    at = open_page(tmp_path / "store", "question", lang=lang)
    assert not at.exception
    assert words in at.info[0].value


@pytest.mark.parametrize("tab", ["numbers", "trace", "judge"])
def test_an_unscored_question_shows_what_there_is(
    open_page: Callable[..., AppTest], filled: Path, rich: ModuleType, tab: str
) -> None:
    at = open_page(filled, "question", run=f"{rich.RUN}:hybrid", q="q05", tab=tab)
    assert not at.exception
    page = words_of(at)
    assert "unscored" in page
    assert "input missing" in page
    assert "did not judge this answer" in page


@pytest.mark.parametrize("tab", ["numbers", "trace", "raw"])
def test_an_error_of_the_generator_is_said_where_the_answer_would_be(
    open_page: Callable[..., AppTest], filled: Path, rich: ModuleType, tab: str
) -> None:
    at = open_page(filled, "question", run=f"{rich.RUN}:dense", q="q05", tab=tab)
    assert not at.exception
    assert "no output" in words_of(at)


ODD = "nul\x00 \ud800 cr\r \u202egnp 营业收入1,234万元 <b>"


@pytest.mark.parametrize("tab", TABS)
def test_nul_and_lone_surrogates_are_shown_and_break_nothing(
    open_page: Callable[..., AppTest], build: ModuleType, tmp_path: Path, tab: str
) -> None:
    question = build.make_question("q1", text=ODD, gold_text=ODD, company=ODD, note=ODD)
    result = build.make_result(question=question)
    chunk = result.retrieval.candidates[0]
    odd = replace(chunk, chunk=replace(chunk.chunk, text=ODD, section=ODD))
    candidates = (odd, *result.retrieval.candidates[1:])
    result = replace(
        result,
        answer=replace(result.answer, text=ODD, raw=ODD, prompt=ODD, citations=()),
        retrieval=replace(result.retrieval, candidates=candidates),
    )
    published(tmp_path / "store", build, "20261130-1100-odd-1", results=[result])
    at = open_page(tmp_path / "store", "question", tab=tab)
    assert not at.exception
    page = words_of(at)
    assert "U+0000" in page
    assert "\x00" not in page
    assert "营业收入1,234万元 <b>" in page


@pytest.mark.parametrize("tab", ["numbers", "raw", "history"])
def test_an_answer_of_two_hundred_thousand_characters_is_cut_and_in_reach(
    open_page: Callable[..., AppTest], build: ModuleType, tmp_path: Path, tab: str
) -> None:
    long = "营业收入1,234万元；" * 17_000
    result = build.make_result("q1")
    result = replace(result, answer=replace(result.answer, text=long, raw=long, citations=()))
    published(tmp_path / "store", build, "20261130-1100-long-1", results=[result])
    at = open_page(tmp_path / "store", "question", tab=tab)
    assert not at.exception
    assert max(len(str(e.value)) for e in at.html) < 200_000
    assert any("whole text" in str(b) for b in at.get("download_button"))


def test_a_run_deleted_behind_an_open_page_is_said(
    open_page: Callable[..., AppTest], build: ModuleType, rich: ModuleType, tmp_path: Path
) -> None:
    store = rich.make_rich_store(build, tmp_path / "store")
    at = open_page(store, "question", run=f"{rich.RUN}:dense", q="q06")
    assert not at.error
    run_file(store, rich.RUN, 1).unlink()
    at.button(key="step.q.previous").click().run()
    assert not at.exception
    assert "This run's file is missing" in [e.value for e in at.error]


def test_another_mode_stands_beside_with_what_differs(
    open_page: Callable[..., AppTest], filled: Path, rich: ModuleType
) -> None:
    at = open_page(filled, "question", run=f"{rich.RUN}:dense", q="q06", base="rerank")
    assert not at.exception
    assert not at.warning
    page = words_of(at)
    assert "Side by side" in page
    assert "One factor differs: mode" in page
    assert "Best gold rank, Fused" in page
    assert "2 chunks are in both contexts" in page
    found = re.search(r'<a href="question\?([^"]*)"[^>]*>Open the other side', shown(at))
    assert found
    query = parse_qs(html.unescape(found[1]))
    assert query["run"] == [f"{rich.RUN}:rerank"]
    assert query["base"] == [f"{rich.RUN}:dense"]
    assert query["q"] == ["q06"]


def test_another_run_is_offered_and_stands_beside(
    open_page: Callable[..., AppTest], build: ModuleType, rich: ModuleType, tmp_path: Path
) -> None:
    store, other = rich.make_rich_store(build, tmp_path / "store"), "20261130-0800-other-1"
    question = rich._question(build, 5, "")
    result = build.make_result(question=question, mode=Mode.DENSE, outcome=Outcome.CORRECT)
    published(store, build, other, results=[result], started_at="2026-11-30T08:00:00Z")
    at = open_page(store, "question", run=f"{rich.RUN}:dense", q="q06")
    picker = at.selectbox(key=f"pick.beside.{rich.RUN}.dense")
    assert picker.options == ["nothing", "hybrid", "rerank", other]
    picker.set_value(other).run()
    assert not at.exception
    assert at.query_params["base"] == other
    page = words_of(at)
    assert f"{other}:dense" in page
    assert "Only in the context of" in page


@pytest.mark.parametrize(
    ("fields", "base", "words"),
    [
        ({}, "dense", "names the side that is on view"),
        ({"questions_digest": "sha256:" + "9" * 64}, "other", "another question set"),
        ({}, "other", "no result for this question"),
    ],
)
def test_a_side_that_cannot_stand_beside_is_said(
    open_page: Callable[..., AppTest],
    build: ModuleType,
    rich: ModuleType,
    tmp_path: Path,
    fields: dict[str, object],
    base: str,
    words: str,
) -> None:
    store, other = rich.make_rich_store(build, tmp_path / "store"), "20261130-0800-other-1"
    published(
        store,
        build,
        other,
        results=[build.make_result("elsewhere")],
        started_at="2026-11-30T08:00:00Z",
        **fields,
    )
    named = other if base == "other" else base
    at = open_page(store, "question", run=f"{rich.RUN}:dense", q="q06", base=named)
    assert not at.exception
    assert words in at.warning[0].value
    assert "Side by side" not in shown(at)


def rescored(store: Path, build: ModuleType, rich: ModuleType) -> None:
    """A second version of the run of the rich store, in which q06 of dense is right."""
    questions = [rich._question(build, i, "") for i in range(6)]
    info = build.make_info(
        rich.RUN, modes=rich.MODES, n_questions=6, questions_name="demo questions"
    )
    with Journal.create(store, info, [q.id for q in questions]) as journal:
        for mode in rich.MODES:
            for i, question in enumerate(questions):
                fate = "c" if (mode, i) == (Mode.DENSE, 5) else rich.FATES[mode][i]
                journal.append(rich._result(build, mode, question, fate, ""))
        publish(store, journal, "2026-11-30T12:00:00Z")


def test_the_version_that_an_address_names_is_opened(
    open_page: Callable[..., AppTest], build: ModuleType, rich: ModuleType, tmp_path: Path
) -> None:
    store = rich.make_rich_store(build, tmp_path / "store")
    rescored(store, build, rich)
    at = open_page(store, "question", run=f"{rich.RUN}:dense", q="q06")
    assert "Lost at" not in shown(at)
    at = open_page(store, "question", run=f"{rich.RUN}.1:dense", q="q06")
    assert not at.warning
    assert at.session_state["run"] == f"{rich.RUN}.1:dense"
    assert "Lost at: ranking" in shown(at)
    mode = at.segmented_control(key=f"mode.{rich.RUN}.1.False")
    mode.set_value("rerank").run()
    assert at.session_state["run"] == f"{rich.RUN}.1:rerank"
    at = open_page(store, "question", run=f"{rich.RUN}.2:dense", q="q06")
    assert at.session_state["run"] == f"{rich.RUN}:dense"


def test_an_older_version_stands_beside_the_newest(
    open_page: Callable[..., AppTest], build: ModuleType, rich: ModuleType, tmp_path: Path
) -> None:
    store = rich.make_rich_store(build, tmp_path / "store")
    rescored(store, build, rich)
    at = open_page(store, "question", run=f"{rich.RUN}:dense", q="q06", base=f"{rich.RUN}.1")
    assert not at.exception
    assert not at.warning
    page = shown(at)
    assert "Side by side" in page
    assert "Lost at: ranking" in page
    assert f"run={rich.RUN}.1%3Adense" in page


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_history_lists_every_version_newest_first_and_opens_each(
    open_page: Callable[..., AppTest],
    build: ModuleType,
    rich: ModuleType,
    tmp_path: Path,
    lang: str,
) -> None:
    store = rich.make_rich_store(build, tmp_path / "store")
    rescored(store, build, rich)
    foreign = {"questions_digest": "sha256:" + "9" * 64, "started_at": "2026-11-29T08:00:00Z"}
    published(store, build, "20261129-foreign-1", results=[build.make_result("q06")], **foreign)
    at = open_page(store, "question", run=f"{rich.RUN}:dense", q="q06", tab="history", lang=lang)
    assert not at.exception
    page = shown(at)
    assert ("2 versions of runs" if lang == "en" else "2 个运行版本") in page
    assert "20261129-foreign-1" not in page
    links = re.findall(r'<a href="question\?run=([^&"]*)&amp;q=q06', page)
    assert links.index(f"{rich.RUN}%3Adense") < links.index(f"{rich.RUN}.1%3Adense")


def test_the_command_that_scores_the_gates_again_names_the_run(
    open_page: Callable[..., AppTest], filled: Path, rich: ModuleType
) -> None:
    at = open_page(filled, "question", q="q01", tab="raw")
    assert f"ragdash rescore {rich.RUN} --gates-only --store {filled}" in [c.value for c in at.code]


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ("the same figure", "not counted: a year", "from its own unit", "off by 0")),
        ("zh", ("数字相同", "不计入：年份", "自带单位", "相对误差 0")),
    ],
)
def test_answer_and_gold_have_their_numbers_beside_them(
    open_page: Callable[..., AppTest],
    filled: Path,
    rich: ModuleType,
    lang: str,
    words: tuple[str, ...],
) -> None:
    at = open_page(filled, "question", run=f"{rich.RUN}:dense", q="q01", lang=lang)
    page = shown(at)
    for word in words:
        assert word in words_of(at)
    assert "147,693,604,994.14 元 (1,476.94 亿)" in words_of(at)
    # The gold's own number is marked, numbered and told as the answer's is.
    assert len(re.findall(r'<mark data-n="1"', page)) == 2
    assert len(re.findall('<ul aria-label="(?:Numbers of|回答中|金标中)', page)) == 2


def test_a_chunk_says_its_channel_and_its_scores(
    open_page: Callable[..., AppTest], build: ModuleType, tmp_path: Path
) -> None:
    from ragdash.core.chunk import Channel

    result = build.make_result("q1")
    first = result.retrieval.candidates[0]
    source = build.make_source("web-1", channel=Channel.WEB, file="a.html")
    web = replace(first, chunk=replace(first.chunk, source=source, chunk_id="web-1#p1c1"))
    rest = result.retrieval.candidates[1:]
    result = replace(result, retrieval=replace(result.retrieval, candidates=(web, *rest)))
    published(tmp_path / "store", build, "20261130-1100-web-1", results=[result])
    page = words_of(open_page(tmp_path / "store", "question"))
    assert "! not a trusted channel: web" in page
    assert "✓ trusted channel: filing" in page
    assert "BM25 1 (9.5)" in page
    assert "Rerank —" in page


@pytest.mark.parametrize(
    ("file", "lang", "words"),
    [
        ("a.html", "en", "This document is no PDF"),
        ("a.pdf", "en", "The corpus folder of this run is not on this machine"),
        ("a.pdf", "zh", "本机上没有该运行的语料文件夹"),
    ],
)
def test_without_its_file_the_page_of_a_filing_is_one_sentence(
    open_page: Callable[..., AppTest],
    build: ModuleType,
    tmp_path: Path,
    file: str,
    lang: str,
    words: str,
) -> None:
    result = build.make_result("q1")
    source = build.make_source("doc", file=file)
    candidates = tuple(
        replace(c, chunk=replace(c.chunk, source=source)) for c in result.retrieval.candidates
    )
    result = replace(result, retrieval=replace(result.retrieval, candidates=candidates))
    published(tmp_path / "store", build, "20261130-1100-leaf-1", results=[result])
    chunk_id = candidates[0].chunk.chunk_id
    at = open_page(tmp_path / "store", "question", leaf=chunk_id, lang=lang)
    assert not at.exception
    assert [words in i.value for i in at.info] == [True]
    toggles = [one for one in at.toggle if one.value]
    assert len(toggles) == 1
    toggles[0].set_value(False).run()
    assert not at.info
    assert "leaf" not in at.query_params


def with_filing(build: ModuleType, folder: Path) -> tuple[Path, str, Path]:
    """A store whose run names a corpus folder with a drawn PDF; the chunk's id; the PDF."""
    text = "Total net sales were 391,035 million. Net income was 93,736 million."
    drawn = BytesIO()
    canvas = Canvas(drawn)
    canvas.drawString(60, 700, text)
    canvas.showPage()
    canvas.save()
    sha256 = digest_bytes(drawn.getvalue())
    pdf = folder / "corpus" / "files" / f"{sha256.removeprefix('sha256:')}.pdf"
    pdf.parent.mkdir(parents=True)
    pdf.write_bytes(drawn.getvalue())
    (folder / "corpus" / "corpus.json").write_text("{}")
    source = build.make_source("AAPL", file="../../x.pdf", sha256=sha256, n_pages=1)
    result = build.make_result("q1")
    first, *rest = result.retrieval.candidates
    chunk = replace(first.chunk, chunk_id="AAPL#p1c1", source=source, source_page=1, text=text)
    candidates = (replace(first, chunk=chunk), *rest)
    result = replace(result, retrieval=replace(result.retrieval, candidates=candidates))
    environment = {"corpus": {"folder": str(folder / "corpus")}}
    published(folder / "s", build, "20261130-1100-pdf-1", results=[result], environment=environment)
    return folder / "s", chunk.chunk_id, pdf


def test_the_page_of_a_filing_is_drawn_beside_its_chunk_only_when_it_is_asked_for(
    open_page: Callable[..., AppTest], build: ModuleType, tmp_path: Path
) -> None:
    store, chunk_id, _ = with_filing(build, tmp_path)
    at = open_page(store, "question")
    assert not at.get("image")
    at.toggle[0].set_value(True).run()
    assert not at.exception
    assert at.query_params["leaf"] == chunk_id
    (found,) = at.get("image")
    assert found.proto.imgs[0].alt == "Page 1 of the filing as an image"
    # Out of the server's own store of media, as it was drawn.
    assert re.fullmatch(r"/mock/media/[0-9a-f]+\.png", found.proto.imgs[0].url)
    assert "the chunk is marked in yellow" in shown(at)
    chinese = open_page(store, "question", leaf=chunk_id, lang="zh")
    assert "片段以黄色标出" in shown(chinese)


def test_a_file_that_is_not_the_one_that_was_read_is_not_shown(
    open_page: Callable[..., AppTest], build: ModuleType, tmp_path: Path
) -> None:
    store, chunk_id, pdf = with_filing(build, tmp_path)
    pdf.write_bytes(pdf.read_bytes() + b" ")
    at = open_page(store, "question", leaf=chunk_id)
    assert not at.exception
    assert "not the one that was read" in at.warning[0].value
    assert not at.get("image")
    pdf.unlink()
    at.run()
    assert "no longer holds this file" in at.info[0].value


@pytest.mark.parametrize(
    ("lang", "banner", "repeat"),
    [("en", "The judge failed in", "Repeat 3"), ("zh", "次评判中有", "第 3 次")],
)
def test_a_run_with_judge_errors_says_so_and_shows_every_repeat(
    open_page: Callable[..., AppTest],
    with_judge: Path,
    judged: ModuleType,
    lang: str,
    banner: str,
    repeat: str,
) -> None:
    at = open_page(
        with_judge, "question", run=f"{judged.RUN}:dense", q="q02", tab="judge", lang=lang
    )
    assert not at.exception
    assert banner in words_of(at)
    assert repeat in words_of(at)


def test_a_refusal_is_no_failure_of_the_page(
    open_page: Callable[..., AppTest], filled: Path, rich: ModuleType
) -> None:
    at = open_page(filled, "question", run=f"{rich.RUN}:dense", q="q04", tab="trace")
    assert not at.exception
    assert "no gold to trace" in shown(at)


def test_a_tag_on_a_version_names_it_beside(
    open_page: Callable[..., AppTest], build: ModuleType, rich: ModuleType, tmp_path: Path
) -> None:
    store = rich.make_rich_store(build, tmp_path / "store")
    with closing(Registry.open(store)) as registry:
        registry.tag(f"{rich.RUN}:dense", "基线", reason="r", author="a", at="2026-11-30T10:00:00Z")
    rescored(store, build, rich)
    at = open_page(store, "question", run=f"{rich.RUN}:dense", q="q06", base="基线")
    assert not at.warning
    assert f"run={rich.RUN}.1%3Adense" in shown(at)
    assert AnswerStatus.REFUSED.value not in at.query_params


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("verdict", [None, *Verdict])
def test_the_advice_stands_only_where_the_layer_is_still_the_rules(
    open_page: Callable[..., AppTest], build: ModuleType, rich: ModuleType, tmp_path: Path,
    verdict: Verdict | None, lang: str,
) -> None:  # fmt: skip
    store = rich.make_rich_store(build, tmp_path / "store")
    row = (
        attach(run_file(store, rich.RUN, 1))
        .execute(
            "SELECT mode, question_id, layer, try_en, try_zh, no_help_en, no_help_zh "
            "FROM run.results WHERE layer IS NOT NULL AND try_en <> '' AND no_help_en <> '' "
            "ORDER BY ALL LIMIT 1"
        )
        .fetchone()
    )
    assert row is not None
    mode, question, layer, *advice = row
    if verdict is not None:
        key = ReviewKey(rich.RUN, 1, mode, question)
        save_review(store, Proposal(key, "Lin", Opinion(verdict), "2026-11-30T10:00:00Z"))
    page = words_of(open_page(store, "question", run=f"{rich.RUN}:{mode}", q=question, lang=lang))
    held = verdict is None or verdict.value == layer
    for words in (advice[0], advice[2]) if lang == "en" else (advice[1], advice[3]):
        assert (words in page) == held
    if verdict is not None:
        assert "Lin" in page
