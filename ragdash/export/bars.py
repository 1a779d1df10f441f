"""Bar charts as SVG of our own: no script, nothing loaded, every text escaped.

Never colour alone: each part carries its count, and the legend names each colour.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.core.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

_WIDTH, _LABEL, _HEIGHT = 640, 110, 26
_PLOT = _WIDTH - _LABEL - 10
# Narrower than this a count does not fit into its part.
_NARROW = 14
_LONGEST = 13


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a bar: its class in the style sheet, what it is, and how much."""

    style: str
    word: str
    n: int


@dataclass(frozen=True, slots=True)
class Range:
    """A share with its interval, from 0 to 1, and what stands beside it; None: nothing to show."""

    label: str
    share: float | None
    low: float
    high: float
    words: str


def shown(text: str) -> str:
    """Return text as HTML: escaped, hidden characters named."""
    return html.escape(visible(text))


def stacked(title: str, bars: Sequence[tuple[str, Sequence[Part]]], none: str) -> str:
    """Return bars of one scale, a label and its parts each; parts of 0 are left out."""
    most = max((sum(p.n for p in parts) for _, parts in bars), default=0)
    drawn, told = [], []
    for row, (label, parts) in enumerate(bars):
        top, left = row * _HEIGHT, float(_LABEL)
        drawn.append(_label(top, label))
        held = [part for part in parts if part.n]
        told.append(f"{label}: " + (", ".join(f"{p.word} {p.n}" for p in held) or none))
        if not held:
            drawn.append(_text(_LABEL + 2, top + 17, none, "start", "muted"))
        for part in held:
            wide = part.n / most * _PLOT
            drawn.append(
                f'<rect class="{part.style}" x="{left:.1f}" y="{top + 3}" width="{wide:.1f}" '
                f'height="{_HEIGHT - 6}"><title>{shown(f"{part.word}: {part.n}")}</title></rect>'
            )
            if wide >= _NARROW:
                style = f"on {part.style}-ink"
                drawn.append(_text(left + wide / 2, top + 17, str(part.n), "middle", style))
            left += wide
    return _figure(title, "; ".join(told), drawn, len(bars), _legend(bars))


def ranges(title: str, found: Sequence[Range]) -> str:
    """Return a dot with its interval for each row, on one axis from 0 to 1."""
    drawn, told, plot = [], [], _PLOT - 320
    for row, one in enumerate(found):
        top = row * _HEIGHT
        drawn.append(_label(top, one.label))
        told.append(f"{one.label}: {one.words}")
        drawn.append(_text(_LABEL + plot + 12, top + 17, one.words, "start"))
        drawn.append(_line(_LABEL, _LABEL + plot, top + 13, "axis"))
        if one.share is not None:
            at = [_LABEL + plot * value for value in (one.low, one.share, one.high)]
            drawn.append(_line(at[0], at[2], top + 13, "whisker"))
            drawn.append(f'<circle class="dot" cx="{at[1]:.1f}" cy="{top + 13}" r="5"/>')
    foot = len(found) * _HEIGHT + 12
    for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
        drawn.append(_text(_LABEL + plot * share, foot, f"{share:g}", anchor, "muted"))
    return _figure(title, "; ".join(told), drawn, len(found) + 1, "")


def _label(top: float, label: str) -> str:
    """Return the name of a bar; a longer one is cut, and whole in the description."""
    cut = label if len(label) <= _LONGEST else label[: _LONGEST - 1] + "…"
    return _text(_LABEL - 8, top + 17, cut, "end")


def _line(left: float, right: float, at: float, style: str) -> str:
    return f'<line class="{style}" x1="{left:.1f}" x2="{right:.1f}" y1="{at}" y2="{at}"/>'


def _text(x: float, y: float, words: str, anchor: str, style: str = "") -> str:
    named = f' class="{style}"' if style else ""
    return f'<text{named} x="{x:.1f}" y="{y}" text-anchor="{anchor}">{shown(words)}</text>'


def _legend(bars: Sequence[tuple[str, Sequence[Part]]]) -> str:
    known = {part.style: part.word for _, parts in bars for part in parts if part.n}
    keys = "".join(
        f'<span><i class="key {style}"></i>{shown(word)}</span>' for style, word in known.items()
    )
    return f'<div class="legend">{keys}</div>' if known else ""


def _figure(title: str, told: str, drawn: Sequence[str], n_rows: int, legend: str) -> str:
    high = max(n_rows, 1) * _HEIGHT
    return (
        f'<figure><figcaption>{shown(title)}</figcaption>{legend}<svg role="img" '
        f'viewBox="0 0 {_WIDTH} {high}" aria-label="{shown(f"{title}. {told}")}">'
        f"{''.join(drawn)}</svg></figure>\n"
    )
