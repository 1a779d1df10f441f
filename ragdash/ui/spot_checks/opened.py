"""The question that is open: what was asked and answered, the form, and what it was made from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.core.spot_check import CheckKey
from ragdash.store.effective import NOBODY
from ragdash.ui import chips, notes, safe
from ragdash.ui.i18n import t, term
from ragdash.ui.question import filing, golds, numbers, passages
from ragdash.ui.spot_checks import desk, drafts, form, last_saved, rows, told
from ragdash.views import question as view
from ragdash.views import spot_check_item as item_view
from ragdash.views.question import ChunkRow
from ragdash.views.spot_checks import first_free

if TYPE_CHECKING:
    from ragdash.ui.spot_checks.checking import Bench
    from ragdash.views.question import Detail
    from ragdash.views.spot_check_item import Document
    from ragdash.views.spot_checks import Entry


def question(made: Bench, question_id: str) -> None:
    """Show one answer with the way to the next one, and its form or what has been said of it."""
    # What people say would tell whoever is to be blind, so it is read apart.
    found = view.detail(made.cursor, made.mode, question_id, NOBODY)
    if found is None:
        st.warning(t("question.no_row"))
        return
    made_form = _form(made, found)
    _steps(made, question_id)
    with st.container(border=True):
        _asked(made, found, made.entry(question_id))
        left, right = st.columns(2, gap="medium")
        with left:
            st.header(t("question.answer"))
            _answer(found, is_blind=made_form.is_blind)
        with right:
            st.header(t("question.gold"))
            golds.gold(found)
    with st.container(border=True):
        _desk(made, made_form, found)
    _evidence(made, found, made_form)


def _form(made: Bench, found: Detail) -> form.Form:
    question_id = found.result["question_id"]
    key = CheckKey(made.shown.run.run_id, made.mode, question_id)
    known = item_view.documents(made.cursor, question_id)
    checks = made.checks_of(question_id)
    own = next((check for check in checks if check.reviewer == made.viewer), None)
    following = first_free(made.entries, question_id)

    def then() -> None:
        st.session_state.pop(_again_key(key), None)
        rows.open_(following or question_id)

    begun = form.Form(
        key=key,
        version=made.shown.run.version,
        start=item_view.begun(found, known),
        known=known,
        own=own,
        others=desk.others(checks, made.viewer),
        is_blind=own is None and not desk.has_seen(key),
        hold=desk.Hold(),
        then=then,
    )
    return replace(begun, hold=_hold(made, begun))


def _hold(made: Bench, begun: form.Form) -> desk.Hold:
    """Take the question for whoever has begun; who only looks keeps nobody out."""
    works = begun.own is None or bool(st.session_state.get(_again_key(begun.key)))
    if not (works and made.is_newest):
        desk.leave()
        return desk.Hold()
    if drafts.is_begun(begun, made.viewer):
        return desk.hold(begun.key, made.viewer)
    return desk.look(begun.key, made.viewer)


def _again_key(key: CheckKey) -> str:
    return f"check.again.{key.run_id}.{key.mode}.{key.question_id}"


def _asked(made: Bench, found: Detail, entry: Entry | None) -> None:
    """Show the question and its risks; neither outcome nor rule, which would tell too much."""
    asked = found.question
    safe.render(
        safe.Markup(
            f'<div lang="{"zh-CN" if asked["lang"] == "zh" else "en"}" style="font-size:1.2rem;'
            'font-weight:600;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5">'
            f"{safe.to_markup(safe.plain(asked['text'], 2000))}</div>"
        )
    )
    about = (asked["company"], asked["period"], term("kind", asked["kind"]))
    parts: list[str] = [chips.badge(safe.plain(part)) for part in about if part]
    if not asked["answerable"]:
        parts.append(chips.badge(t("triage.no_answer")))
    safe.render(chips.spaced(*parts))
    risks = made.risks_of(found.result["question_id"])
    why = (
        t("check.named", name=term("risk", code), what=term("risk_help", code)) for code in risks
    )
    safe.render(chips.lines(*(chips.muted(words) for words in why)))
    if entry is None:
        safe.render(chips.muted(t("reviews.outside")))
    if asked["note"]:
        safe.render(
            chips.muted(t("check.named", name=t("question.note"), what=safe.plain(asked["note"])))
        )


def _answer(found: Detail, *, is_blind: bool) -> None:
    """Show the answer with its numbers; to the blind without a word on whose figure one is."""
    read, judged = numbers.of_answer(found)
    if is_blind:
        read = numbers.neutral(read)
    safe.text(
        found.result["answer"],
        key="answer",
        lang=found.question["lang"],
        spans=numbers.marks(read),
    )
    safe.render(numbers.beside(read, label=t("numbers.table")))
    if read and not judged:
        safe.render(chips.muted(t("numbers.not_judged")))


def _desk(made: Bench, made_form: form.Form, found: Detail) -> None:
    again = bool(st.session_state.get(_again_key(made_form.key)))
    if made_form.own is None or again:
        st.header(t("check.title" if made_form.own is None else "check.again"))
        if not made.is_newest:
            st.info(t("check.outdated", n=made.newest))
            return
        safe.render(_head(found))
        st.text(t("check.blind" if made_form.is_blind else "check.not_blind"))
        if made_form.is_blind:
            st.text(t("reviews.full.note"))
        desk.told(made_form.hold)
        form.show(made_form)
        if again:
            _cancel(made_form)
    last_saved.show(made, made_form.key.question_id)
    if made_form.own is not None:
        st.header(t("check.beside"))
        _said(made, made_form)
        if not again:
            st.button(t("check.again"), key="check.again", on_click=_again, args=(made_form.key,))


def _again(key: CheckKey) -> None:
    st.session_state[_again_key(key)] = True


def _head(found: Detail) -> safe.Markup:
    """Return id and beginning of the question: after saving the form alone may be in view."""
    asked = found.question
    name = chips.strong(safe.plain(found.result["question_id"]))
    return chips.spaced(name, chips.muted(safe.plain(asked["text"], 200)))


def _cancel(made_form: form.Form) -> None:
    def leave() -> None:
        st.session_state.pop(_again_key(made_form.key), None)
        drafts.discard(made_form)

    st.button(t("check.cancel"), key="check.cancel", type="tertiary", on_click=leave)


def _said(made: Bench, made_form: form.Form) -> None:
    """Show everything that was said of one answer, to one who has said her own."""
    question_id = made_form.key.question_id
    standing = made.standing(question_id)
    if standing is None:
        return
    known = {one.doc_id: form.document(one) for one in made_form.known}
    desk.saw([made_form.key])
    safe.render(told.beside(made.checks_of(question_id), standing, made.viewer, known))


def _steps(made: Bench, question_id: str) -> None:
    ids = [entry.item.question_id for entry in made.entries]
    at = ids.index(question_id) if question_id in ids else -1
    with st.container(horizontal=True, vertical_alignment="center"):
        for word, to, shortcut in (("previous", at - 1, "K"), ("next", at + 1, "J")):
            outside = not 0 <= to < len(ids)
            st.button(
                t(f"question.{word}"),
                disabled=outside,
                on_click=rows.open_,
                args=(question_id if outside else ids[to],),
                shortcut=shortcut,
                key=f"check.step.{word}",
            )
        place = t("question.at", i=at + 1, n=len(ids))
        st.text(place if at >= 0 else t("question.outside", n=len(ids)), width="content")
        st.button(
            t("triage.help"), on_click=_flip, args=("help",), type="tertiary", shortcut="H",
            key="check.help",
        )  # fmt: skip
        if any(check.reviewer == made.viewer for check in made.checks_of(question_id)):
            # That page shows the verdict that holds, so it is for whoever has said her own.
            where = {"run": made.shown.of_mode(made.mode), "q": question_id}
            safe.render(chips.link(t("reviews.full"), "question", **where))
    if st.session_state.get("check.shown.help"):
        safe.render(form.keys())


def _flip(what: str) -> None:
    st.session_state[f"check.shown.{what}"] = not st.session_state.get(f"check.shown.{what}")


def _evidence(made: Bench, found: Detail, made_form: form.Form) -> None:
    """Show the chunks that the answer was made from, and beside them the page that is chosen."""
    asked = st.query_params.get("leaf")
    is_page = asked == "1"
    if not is_page:
        notes.note("filter", asked)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header(t("reviews.evidence"), width="content")
        st.button(
            t("reviews.page.hide" if is_page else "reviews.page"),
            key="check.leaf",
            on_click=_leaf,
            args=(not is_page,),
            shortcut="P",
        )
    if not is_page:
        passages.texts(found)
        return
    left, right = st.columns([2, 3], gap="medium")
    with left:
        passages.texts(found)
    with right:
        chunk = _page(found, made_form, made.viewer)
        if chunk is None:
            st.info(t("reviews.page.none"))
        else:
            filing.show(made.shown.facts, chunk)


def _leaf(shown: bool) -> None:
    if shown:
        st.query_params["leaf"] = "1"
    else:
        st.query_params.pop("leaf", None)


def _page(found: Detail, made_form: form.Form, viewer: str | None) -> ChunkRow | None:
    """Return the chosen page, as the passage of it that the generator saw where there is one."""
    chosen = item_view.completed(drafts.of(made_form, viewer), made_form.start)
    one = next((d for d in made_form.known if d.doc_id == chosen.doc_id), None)
    if one is None or chosen.page is None:
        return None
    for chunk in found.chunks:
        if (chunk.company, chunk.label, chunk.source_page) == (one.company, one.label, chosen.page):
            return chunk
    return _blank(one, chosen.page)


def _blank(one: Document, page: int) -> ChunkRow:
    return ChunkRow(
        chunk_id="",
        company=one.company,
        label=one.label,
        source_page=page,
        section="",
        kind="",
        unit_note="",
        text="",
        lang="",
        final_rank=0,
        dense_rank=None,
        bm25_rank=None,
        fused_rank=None,
        rerank_rank=None,
        in_context=False,
        is_gold=False,
        file=one.file,
        sha256=one.sha256,
    )
