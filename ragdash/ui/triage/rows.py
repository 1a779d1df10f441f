"""The list of Triage: a question a row, opened by its number, with a line for each mode."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.store.effective import disputed
from ragdash.ui import chips, safe
from ragdash.ui.i18n import t, term
from ragdash.ui.triage import walk
from ragdash.views.triage import PAGE_SIZE

if TYPE_CHECKING:
    from ragdash.ui.triage.triaging import Bench
    from ragdash.views.triage import Listed, Listing, ModeResult


def listing(made: Bench, found: Listing, asked: str | None) -> None:
    """Show one page of the list; the number of a row opens it beside, its id on a page."""
    for place, listed in enumerate(found.questions, (found.page - 1) * PAGE_SIZE + 1):
        is_open = listed.question_id == asked
        with st.container(horizontal=True, wrap=False, gap="small", vertical_alignment="top"):
            st.button(
                t("triage.row.open" if is_open else "triage.row", n=place),
                key=f"triage.open.{_mark(listed.question_id)}",
                on_click=open_,
                args=(listed.question_id,),
                help=t("triage.open"),
            )
            safe.render(_row(made, listed, is_open))


def pages(found: Listing) -> None:
    """Offer the pages of the list; the question that is open stays open."""
    if found.pages <= 1:
        return
    key = f"triage.page.{found.page}.{found.pages}"

    def write() -> None:
        asked = st.query_params.get("q") or found.questions[0].question_id
        st.query_params["q"] = asked
        st.query_params["page"] = str(st.session_state[key])

    st.pagination(found.pages, default=found.page, key=key, on_change=write)


def open_(question_id: str) -> None:
    """Open a question by its id; the list turns to it."""
    st.query_params["q"] = question_id
    st.query_params.pop("page", None)


def _mark(question_id: str) -> str:
    return hashlib.sha256(question_id.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _row(made: Bench, listed: Listed, is_open: bool) -> safe.Markup:
    order = {mode: i for i, mode in enumerate(made.shown.facts.modes)}
    results = sorted(listed.results, key=lambda r: order.get(r.mode, len(order)))
    asked = [r for r in results if made.filters.mode in (None, r.mode)]
    about = [listed.company, listed.period, term("kind", listed.kind)]
    lines = [_question(made, listed, asked)]
    lines.append(chips.muted(safe.plain(" · ".join(part for part in about if part))))
    if not listed.answerable:
        lines.append(chips.muted(t("triage.no_answer")))
    moved = listed.change if listed.change in ("regressed", "improved") else None
    lines += [_mode(made, listed.question_id, result, moved) for result in asked]
    edge = chips.LINK if is_open else "transparent"
    now = ' aria-current="true"' if is_open else ""
    return safe.Markup(
        f'<div{now} style="border-left:3px solid {edge};padding:0 0 .45rem .6rem;min-width:0;'
        f'overflow-wrap:anywhere;border-bottom:1px solid {safe.LINE};font-size:.95rem">'
        f"{safe.join(lines)}</div>"
    )


def _question(made: Bench, listed: Listed, asked: list[ModeResult]) -> safe.Markup:
    mode = made.filters.mode or next((r.mode for r in asked if r.hit), None)
    rest = listed.length - len(listed.text)
    text = safe.plain(listed.text, None) + (f" …+{rest:,} chars" if rest > 0 else "")
    lang = "zh-CN" if listed.lang == "zh" else "en"
    link = _link(made, safe.plain(listed.question_id), listed.question_id, mode)
    where = {**walk.beside(made.shown, made.filters), "q": listed.question_id}
    opener = chips.text_link(text, "triage", **where)
    return safe.Markup(
        f'<div>{link}<div lang="{lang}" style="overflow-wrap:anywhere">{opener}</div></div>'
    )


def _link(made: Bench, words: str, question_id: str, mode: str | None) -> safe.Markup:
    return chips.link(
        words,
        "question",
        run=made.shown.of_mode(mode),
        q=question_id,
        **walk.params(made.filters),
    )


def _mode(made: Bench, question_id: str, result: ModeResult, moved: str | None) -> safe.Markup:
    parts: list[str] = [chips.outcome(result.outcome)]
    if made.filters.mode is None:
        name = _link(made, result.mode, question_id, result.mode)
        parts.insert(
            0, safe.Markup(f'<span style="display:inline-block;min-width:4em">{name}</span>')
        )
    if moved is not None:
        parts.append(
            chips.badge(term("change", moved), chips.GOOD if moved == "improved" else chips.BAD)
        )
    if result.layer:
        parts.append(chips.layer(result.layer))
    if result.verdict is not None:
        parts.append(_verdict(result))
    if result.caliber_verdict is not None:
        parts.append(_caliber(result))
    if result.caliber_disputed or (result.mode, question_id) in disputed(made.reviews)[1]:
        parts.append(chips.badge(t("review.disputed"), chips.BAD))
    if result.flag:
        parts.append(chips.badge(t("review.flagged"), chips.BAD))
    return chips.spaced(*parts)


def _caliber(result: ModeResult) -> safe.Markup:
    """Return a person's caliber verdict, and what the rule had given where it differs."""
    words = t(
        "review.by.caliber",
        name=safe.plain(result.caliber_reviewer or ""),
        fit=term("fit", result.caliber_verdict or ""),
    )
    if result.outcome != result.rule_outcome:
        words += f" · {t('review.rule.outcome', outcome=term('outcome', result.rule_outcome))}"
    return chips.muted(f"✓ {words}")


def _verdict(result: ModeResult) -> safe.Markup:
    """Return whose verdict it is, and whether the rule says the same."""
    agrees = result.verdict == (result.rule_layer or "no_fault")
    words = t("review.by", name=safe.plain(result.reviewer or ""))
    if result.layer is None:
        words = f"{term('verdict', result.verdict or '')} · {words}"
    rule = (
        "" if agrees else f" · {t('review.rule', layer=term('layer', result.rule_layer or 'none'))}"
    )
    return chips.muted(f"✓ {words}{rule}")
