"""The only place that renders data as HTML: escaped, with our own marks, hidden characters shown.

Text of filings, questions, answers, model replies and file names is hostile until shown here. It
goes into the page as escaped text inside markup of our own, never through Markdown, which would
load pictures, turn "$1 ... $2" into a formula and drop the minus of "- 1,234 万元".
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdash.core.visible import BREAK, visible
from ragdash.core.visible import is_hidden as is_hidden
from ragdash.ui.i18n import t

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# A passage longer than this is cut on the page; the whole text stays one click away.
TEXT_LIMIT = 20_000
CELL_LIMIT = 400

MUTED = "light-dark(#59636E,#9BA7B4)"
LINE = "light-dark(#D3D7DC,#39424E)"
SOFT = "light-dark(#F4F5F3,#1A1F26)"
GROUND = "light-dark(#FFFFFF,#0F1216)"


# The name of a row stays in view while a wide table scrolls sideways; an id without a break wraps.
_ROW_HEAD = (
    f"font-weight:500;position:sticky;left:0;background:{GROUND};overflow-wrap:anywhere;"
    "min-width:8em;"
)
# On a phone every row becomes a card: its name on top, then each cell under its own head, so that
# nothing hides behind a sideways scroll that no bar shows.
TABLE_STYLE = f"""<style>
@media (max-width: 640px) {{
  .rd-table, .rd-table tbody, .rd-table tr, .rd-table th, .rd-table td {{
    display: block !important; width: auto !important; text-align: left !important;
    position: static !important; min-width: 0 !important;
  }}
  .rd-table thead {{ display: none !important; }}
  .rd-table tbody td {{ border-bottom: 0 !important; overflow-wrap: anywhere; }}
  .rd-table tbody tr {{ border-bottom: 2px solid {LINE}; padding: .3rem 0; }}
  .rd-table td[data-head]::before {{
    content: attr(data-head); display: block; color: {MUTED}; font-size: .85em;
  }}
}}
mark[data-n]::after {{
  content: attr(data-n); font-size: .68em; font-weight: 700; vertical-align: super;
  line-height: 0; margin-left: .15em; opacity: .85;
}}
</style>"""


class Markup(str):
    """HTML that this package made; everything else is text and gets escaped."""

    __slots__ = ()


def plain(text: str, limit: int | None = CELL_LIMIT) -> str:
    """Return text for a grid cell or an option: hidden characters named, cut with a count."""
    return visible(text if limit is None else text[:limit]) + _rest(text, limit)


def _rest(text: str, limit: int | None) -> str:
    over = 0 if limit is None else len(text) - limit
    return f" …+{over:,} chars" if over > 0 else ""


def escape(text: str) -> Markup:
    """Return text as markup: escaped, hidden characters as small visible marks."""
    parts = []
    for char in BREAK.sub("\n", text):
        if is_hidden(char):
            parts.append(
                '<span style="font:0.72em monospace;border:1px dashed;border-radius:3px;'
                f'padding:0 2px;opacity:.8">U+{ord(char):04X}</span>'
            )
        else:
            parts.append(html.escape(char))
    return Markup("".join(parts))


_MARK = "border-radius:3px;padding:0 2px;color:inherit;background:"
# hit: what counts. note: what was read and does not. out: what is no figure at all.
_STYLES = {
    "hit": "light-dark(#BFE8D4,#0B5B45);box-shadow:inset 0 -2px light-dark(#00705C,#3CC9A7)",
    "note": "light-dark(#FFE08A,#6B5200)",
    "out": f"transparent;box-shadow:inset 0 0 0 1px {LINE};opacity:.9",
}


@dataclass(frozen=True, slots=True)
class Mark:
    """A half-open range of characters to highlight, with a number of ours beside it (0 for none).

    `style` is hit, note or out.
    """

    start: int
    end: int
    style: str = "note"
    number: int = 0


def marked(text: str, marks: Iterable[Mark | tuple[int, int]]) -> Markup:
    """Return escaped text with ranges highlighted, cut to the text, overlapping ones joined.

    A number is drawn by the style sheet, so that it is in no copy of the text.
    """
    out: list[str] = []
    at = 0
    known = [mark if isinstance(mark, Mark) else Mark(*mark) for mark in marks]
    for mark in sorted(known, key=lambda m: (m.start, m.end)):
        begin, stop = max(at, mark.start), min(mark.end, len(text))
        if begin >= stop:
            continue
        out.append(escape(text[at:begin]))
        number = f' data-n="{mark.number}"' if mark.number else ""
        out.append(
            f'<mark{number} style="{_MARK}{_STYLES[mark.style]}">{escape(text[begin:stop])}</mark>'
        )
        at = stop
    out.append(escape(text[at:]))
    return Markup("".join(out))


def to_markup(value: str) -> Markup:
    """Return our own markup as it is and anything else escaped and cut to a cell."""
    if isinstance(value, Markup):
        return value
    return Markup(escape(value[:CELL_LIMIT]) + html.escape(_rest(value, CELL_LIMIT)))


def render(markup: Markup) -> None:
    """Put our own markup on the page."""
    if not isinstance(markup, Markup):
        raise TypeError("only Markup of ragdash.ui.safe may be rendered as HTML")
    if markup:
        st.html(markup)


def text(
    value: str,
    *,
    key: str,
    lang: str | None = None,
    spans: Sequence[Mark | tuple[int, int]] = (),
    limit: int = TEXT_LIMIT,
) -> None:
    """Show untrusted text, line breaks kept, with marks; a long one is cut and kept in reach.

    Args:
        value: the text, verbatim.
        key: unique on the page; the download of a cut text carries it.
        lang: language of the text for fonts and screen readers ("zh", "en").
        spans: ranges of characters to highlight.
        limit: characters shown.
    """
    if not value:
        render(Markup(f'<p style="color:{MUTED};margin:0">{escape(t("text.empty"))}</p>'))
        return
    tag = "zh-CN" if lang == "zh" else "en" if lang == "en" else ""
    inner = marked(value[:limit], spans) + html.escape(_rest(value, limit))
    render(
        Markup(
            f'<div lang="{tag}" style="white-space:pre-wrap;overflow-wrap:anywhere;'
            f'line-height:1.65;max-width:76ch;unicode-bidi:isolate">{inner}</div>'
        )
    )
    if len(value) > limit:
        _whole(value, key)


def join(parts: Iterable[str]) -> Markup:
    """Return pieces after each other, our markup as it is and text escaped."""
    return Markup("".join(to_markup(p) for p in parts))


def table(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    caption: str,
    numeric: frozenset[int] = frozenset(),
    row_heads: bool = True,
) -> Markup:
    """Return a real HTML table; on a phone its rows are cards, elsewhere a wide one scrolls.

    Args:
        head: column heads.
        rows: cells; text is escaped and cut, Markup is kept.
        caption: what the table is, for screen readers.
        numeric: columns that are set to the right with equal-width digits.
        row_heads: whether the first cell names its row.
    """
    top = "".join(
        f'<th scope="col" style="{_cell_style(i in numeric)}background:{SOFT};font-weight:600;'
        f'overflow-wrap:break-word">{to_markup(h)}</th>'
        for i, h in enumerate(head)
    )
    names = [html.escape(plain(h)) for h in head]
    cells = (
        "".join(
            _cell(c, i in numeric, names[i], names_row=i == 0 and row_heads)
            for i, c in enumerate(row)
        )
        for row in rows
    )
    body = "".join(f'<tr role="row">{row}</tr>' for row in cells)
    return Markup(
        f'<div role="region" aria-label="{html.escape(caption)}" tabindex="0" '
        f'style="overflow-x:auto;border:1px solid {LINE};border-radius:.5rem">'
        '<table class="rd-table" role="table" style="border-collapse:separate;border-spacing:0;'
        f'width:100%;font-size:.93rem;margin:0"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def table_style() -> None:
    """Put the rules for tables on a narrow screen on the page, once a script run."""
    st.html(TABLE_STYLE)


def _cell_style(numeric: bool) -> str:
    pad = f"padding:.45rem .7rem;border-bottom:1px solid {LINE};vertical-align:top;"
    side = "right;font-variant-numeric:tabular-nums;" if numeric else "left;"
    return f"{pad}text-align:{side}"


def _cell(value: str, numeric: bool, head: str, *, names_row: bool) -> str:
    if names_row:
        style = _cell_style(numeric) + _ROW_HEAD
        return f'<th scope="row" role="rowheader" style="{style}">{to_markup(value)}</th>'
    style = _cell_style(numeric)
    return f'<td role="cell" data-head="{head}" style="{style}">{to_markup(value)}</td>'


def verbatim(value: str, *, key: str, limit: int = TEXT_LIMIT) -> None:
    """Show a stored record in fixed type with a copy button; a long one is cut as in `text`."""
    if not value:
        text("", key=key)
        return
    st.code(plain(value, limit), language=None, wrap_lines=True)
    if len(value) > limit:
        _whole(value, key)


def json(value: Any) -> None:
    """Show plain JSON as an expandable tree, hidden characters named."""
    st.json(_shown(value), expanded=2)


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return plain(value, TEXT_LIMIT)
    if isinstance(value, dict):
        return {plain(str(key)): _shown(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_shown(inner) for inner in value]
    return value


def picture(png: bytes, alt: str) -> None:
    """Show a picture that this server drew, as wide as its place."""
    if not isinstance(png, bytes):
        raise TypeError("a picture is shown from its bytes: a name would be read or fetched")
    st.image(png, width="stretch", output_format="PNG", alt=alt)


def _whole(value: str, key: str) -> None:
    st.download_button(
        t("text.whole"),
        value.encode("utf-8", "surrogatepass"),
        file_name="text.txt",
        mime="text/plain",
        on_click="ignore",
        key=f"whole-{key}",
    )
