"""Small pieces of markup that several pages share: outcomes, layers, strips, links.

Never colour alone: an outcome has its letter and word, a verdict its mark and word, a bar its
count. Abstaining is slate, never red. Colours come in pairs for both themes and hold 4.5:1.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import streamlit as st

from ragdash.ui.i18n import default, term
from ragdash.ui.safe import LINE, MUTED, Markup, escape, join, to_markup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# letter, background, text
OUTCOMES = {
    "correct": ("C", "light-dark(#00705C,#3CC9A7)", "light-dark(#FFFFFF,#06251D)"),
    "abstained_right": ("A", "light-dark(#3E4C5E,#A9B6C6)", "light-dark(#FFFFFF,#10161D)"),
    "abstained_wrong": ("O", "light-dark(#64748B,#D3DBE5)", "light-dark(#FFFFFF,#10161D)"),
    "wrong": ("W", "light-dark(#B3261E,#FF9B8F)", "light-dark(#FFFFFF,#2B0906)"),
    "error": ("E", "light-dark(#6A2C91,#C9A6F0)", "light-dark(#FFFFFF,#1C0A2B)"),
    "unscored": ("U", "transparent", "inherit"),
}
GOOD, BAD = "light-dark(#00705C,#3CC9A7)", "light-dark(#B3261E,#FF9B8F)"
LINK = "light-dark(#1B5FA8,#7FB6EE)"
_IDS_SHOWN = 60


def letter(outcome: str) -> Markup:
    """Return the coloured letter of an outcome."""
    mark, ground, ink = OUTCOMES[outcome]
    edge = f"1px dashed {LINE}" if outcome == "unscored" else "1px solid transparent"
    return Markup(
        f'<span aria-hidden="true" style="display:inline-block;min-width:1.35em;text-align:center;'
        f"border:{edge};border-radius:4px;background:{ground};color:{ink};font-weight:700;"
        f'font-size:.82em;line-height:1.45">{mark}</span>'
    )


def outcome(code: str) -> Markup:
    """Return an outcome as letter and word."""
    return Markup(
        f'<span style="white-space:nowrap">{letter(code)} {escape(term("outcome", code))}</span>'
    )


def layer(code: str) -> Markup:
    """Return a layer as a small outlined word."""
    return badge(term("layer", code))


def badge(words: str, ink: str = "inherit") -> Markup:
    """Return a small outlined word of our own."""
    return Markup(
        f'<span style="display:inline-block;border:1px solid {LINE};border-radius:999px;'
        f'padding:0 .55em;font-size:.85em;line-height:1.6;white-space:nowrap;color:{ink}">'
        f"{to_markup(words)}</span>"
    )


def verdict(passed: bool, words: str) -> Markup:
    """Return a verdict as mark, word and colour."""
    mark, ink = ("✓", GOOD) if passed else ("✕", BAD)
    return Markup(
        f'<span style="display:inline-block;color:{ink};font-weight:600">'
        f"{mark} {escape(words)}</span>"
    )


def index(number: int) -> Markup:
    """Return the number of a mark in a text, as it stands beside what is said of it."""
    return Markup(
        f'<span style="display:inline-block;min-width:1.5em;text-align:center;font-size:.75em;'
        f'font-weight:700;border:1px solid {LINE};border-radius:999px;line-height:1.5">'
        f"{number}</span>"
    )


def tiles(rows: Sequence[tuple[str, str, str]], *, label: str) -> Markup:
    """Return (name, value, remark) side by side, as many in a row as there is room for."""
    cells = "".join(
        f'<div style="border-bottom:1px solid {LINE};padding:.3rem 0;min-width:0;display:grid;'
        'grid-template-columns:1fr auto;gap:0 .6em;align-items:baseline">'
        f'<dt style="margin:0;overflow-wrap:anywhere">{to_markup(name)}</dt>'
        '<dd style="margin:0;text-align:right;font-variant-numeric:tabular-nums">'
        f"{to_markup(value)}</dd>"
        f'<dd style="margin:0;color:{MUTED};font-size:.82em;overflow-wrap:anywhere;'
        f'grid-column:1/-1">{to_markup(remark)}</dd></div>'
        for name, value, remark in rows
    )
    return Markup(
        f'<dl aria-label="{html.escape(label)}" style="display:grid;margin:0;padding:0;'
        "font-size:.92rem;gap:.1rem 1.4rem;"
        'grid-template-columns:repeat(auto-fill,minmax(min(100%,13.5rem),1fr))">'
        f"{cells}</dl>"
    )


def muted(words: str) -> Markup:
    """Return secondary text on its own line."""
    return Markup(
        f'<span style="display:block;color:{MUTED};font-size:.88em">{to_markup(words)}</span>'
    )


def aside(words: str) -> Markup:
    """Return secondary text after the main one, kept together; nothing for nothing."""
    if not words:
        return Markup()
    return Markup(
        f'<span style="color:{MUTED};font-size:.88em;margin-left:.6em;white-space:nowrap">'
        f"{to_markup(words)}</span>"
    )


def strong(words: str) -> Markup:
    """Return text that carries the cell."""
    return Markup(f'<span style="font-weight:650;white-space:nowrap">{to_markup(words)}</span>')


def strip(counts: Mapping[str, int], *, width: str = "100%") -> Markup:
    """Return a bar of the six outcomes, each with letter and count, and a text for readers."""
    total = sum(counts.values())
    present = [(code, counts.get(code, 0)) for code in OUTCOMES if counts.get(code, 0)]
    words = ", ".join(f"{term('outcome', code)} {n}" for code, n in present)
    parts = []
    for code, n in present:
        mark, ground, ink = OUTCOMES[code]
        edge = f"outline:1px dashed {LINE};outline-offset:-1px;" if code == "unscored" else ""
        parts.append(
            f'<span title="{html.escape(term("outcome", code))}: {n}" style="flex:{n} 1 0;'
            f"min-width:2.1em;{edge}background:{ground};color:{ink};text-align:center;"
            f'font-size:.78rem;font-weight:650;line-height:1.5rem;white-space:nowrap">'
            f"{mark} {n}</span>"
        )
    return Markup(
        f'<div role="img" aria-label="{html.escape(words)} ({total})" style="display:flex;gap:2px;'
        f'width:{width};max-width:100%;border-radius:5px;overflow:hidden">{"".join(parts)}</div>'
    )


def legend() -> Markup:
    """Return what the letters of the outcomes mean."""
    parts = "".join(f'<span style="margin-right:1em">{outcome(code)}</span>' for code in OUTCOMES)
    return Markup(f'<div style="font-size:.88rem;line-height:1.9">{parts}</div>')


def url(page: str, **params: str | Sequence[str] | None) -> str:
    """Return the address of a page with its state; the language goes along.

    Args:
        page: a name of `frame.PAGES`, or "" for the list of runs.
        params: query parameters, a sequence one for each value; None is left out.
    """
    given = {key: value for key, value in params.items() if value is not None}
    lang = st.session_state.get("lang")
    if lang and lang != default():
        given["lang"] = lang
    query = urlencode(given, doseq=True)
    return f"{page or '.'}?{query}" if query else page or "."


def link(words: str, page: str, **params: str | Sequence[str] | None) -> Markup:
    """Return a link inside the dashboard; the words may be data, they are escaped."""
    return Markup(
        f'<a href="{html.escape(url(page, **params))}" style="color:{LINK};'
        f'text-decoration:underline;text-underline-offset:2px">{to_markup(words)}</a>'
    )


def text_link(words: str, page: str, **params: str | Sequence[str] | None) -> Markup:
    """Return a text to be read that leads somewhere too: in the ink of text, faintly underlined."""
    return Markup(
        f'<a href="{html.escape(url(page, **params))}" style="color:inherit;text-decoration:'
        f'underline dotted {MUTED};text-underline-offset:3px">{to_markup(words)}</a>'
    )


def questions(run: str, ids: Sequence[str]) -> Markup:
    """Return links to questions of one mode of a run; a long list is cut with a count."""
    links = [join([link(i, "question", run=run, q=i), " "]) for i in ids[:_IDS_SHOWN]]
    if len(ids) > _IDS_SHOWN:
        links.append(muted(f"+{len(ids) - _IDS_SHOWN}"))
    return join(links)


def difference(words: str, *, better: bool) -> Markup:
    """Return a signed difference that the questions allow to be coloured."""
    style = f"color:{GOOD if better else BAD};font-weight:650;white-space:nowrap"
    return Markup(f'<span style="{style}">{escape(words)}</span>')


def spaced(*parts: str) -> Markup:
    """Return pieces in a row that wraps, with a gap between them."""
    pieces = "".join(f"<span>{to_markup(p)}</span>" for p in parts if p)
    return Markup(
        '<div style="display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem .9rem">'
        f"{pieces}</div>"
    )


def lines(*parts: str) -> Markup:
    """Return pieces below each other."""
    return Markup("".join(f"<div>{to_markup(p)}</div>" for p in parts if p))


def wide(*parts: str) -> Markup:
    """Return pieces below each other in a cell that a table does not squeeze."""
    return Markup(f'<div style="min-width:8.5em">{lines(*parts)}</div>')


def facts(pairs: Mapping[str, str], *, label: str) -> Markup:
    """Return a two-column list of names and (escaped) values."""
    rows = "".join(
        f'<div style="display:flex;gap:.6em;border-bottom:1px solid {LINE};padding:.28rem 0">'
        f'<dt style="flex:0 0 36%;color:{MUTED}">{escape(name)}</dt>'
        f'<dd style="margin:0;overflow-wrap:anywhere">{to_markup(value)}</dd></div>'
        for name, value in pairs.items()
    )
    return Markup(
        f'<dl aria-label="{html.escape(label)}" style="margin:0;padding:0;font-size:.9rem">'
        f"{rows}</dl>"
    )


def note(title: str, body: str) -> Markup:
    """Return a quiet box of our own words around (escaped) text."""
    return Markup(
        f'<div style="border-left:3px solid {LINK};padding:.35rem .9rem;margin:.2rem 0">'
        f'<div style="font-weight:650">{to_markup(title)}</div>{to_markup(body)}</div>'
    )
