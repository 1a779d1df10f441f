"""Text as numbers are read from it: one width, no markup, with the way back to each character."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_TAGS = (
    "b|i|u|em|strong|span|font|sup|sub|code|mark|small|big|a|ins|img|kbd|center|label|abbr|article"
)
_UNIT_NEXT = r"(?=\s{0,2}(?:[百千万亿億萬元%％]|thousand|[mb]illion|trillion|bn\b))"
_MARKUP = re.compile(
    r"(?P<power>(?<=[×xX*·]10)[⁰¹²³⁴-⁹⁻]{1,3}|(?<=[×xX*·] 10)[⁰¹²³⁴-⁹⁻]{1,3}"
    r"|(?:(?<=[×xX*·;]10)|(?<=[×xX*·;] 10))(?:<sup>\s?-?\d{1,2}\s?</sup>|\*\*-?\d{1,2}))"
    r"|(?P<drop>[⁰¹²³⁴-⁹]+|\*{2,3}|__|`|\$\$"
    r"|[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe0e\ufe0f\ufeff\u00ad]"
    r"|\\[,;:! ]|\\(?:text|mathrm|mathbf|textbf|mathit|boxed|[dtc]?frac)\{|\\left|\\right"
    rf"|\\\[\d{{1,3}}\\\]|\\\(\d{{1,2}}\\\)(?!\s?[百千万亿元%％])|\\[()\[\]]|(?<=\d)[①-⑳❶-❿]{_UNIT_NEXT}"
    r"|\\q?quad(?![a-z])|(?<=[\d%])\}(?!\{)"
    r"|<sup>\s?[\[(]?\w{1,3}[\])]?\s?</sup>|\[\^\w{1,12}\]"
    rf"|</?(?:{_TAGS})(?:\s[^<>\n]{{0,200}})?>"
    rf"|(?<=[\d*])[\[(【（〔](?:注|note)?\s?\d{{1,2}}[\])】）〕]{_UNIT_NEXT})"
    r"|(?P<math>\$(?=(?:\\\$)?[\d.,{}\\; !+-]{1,40}(?P<m1>\$)(?!\d)"
    r"|[^$\n]{0,60}\\(?:[dtc]?frac|times|cdot|div|approx|text|math|bold|boxed)[^$\n]{0,160}(?P<m2>\$)))"
    r"|(?P<italic>(?<![A-Za-z0-9_*)\]\\%])(?<![\d)] )\*(?=[^\s*][^*\n]{0,60}(?P<m3>\*)(?![\w*])))"
    r"|(?P<struck></?(?:del|s|strike)>)"
    r"|(?P<line><br ?/?>|</?(?:p|tr|div|li|table|ul|ol|h[1-6])(?:\s[^<>\n]{0,200})?>)"
    r"|(?P<cell></?t[dh](?:\s[^<>\n]{0,200})?>)"
    r"|(?P<entity>&(?:#\d{1,5}|#x[0-9a-f]{1,4}|nbsp|amp|ensp|emsp|thinsp|minus|yen|euro|pound|cent"
    r"|times|divide|permil|ndash|mdash|lt|gt);)"
    r"|(?P<latex>\\[%$&]|\\(?:times|cdot|div|approx)(?![a-z])|\{,\}|\}\{)",
    re.I,
)
# Every markup begins with one of these: a class alone is searched many times faster.
_OPENER = re.compile(
    r"[⁰¹²³⁴-⁹⁻①-⑳❶-❿*_`$&<\\{}\[(（【〔\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe0e\ufe0f\ufeff]"
)
_LATEX = {
    "\\times": "×", "\\cdot": "×", "\\div": "÷", "\\approx": "≈", "{,}": ",", "}{": "/",
}  # fmt: skip
_BLANKS = dict.fromkeys("\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f", "\xa0")
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")
_CHARS = {
    "−": "-", "﹣": "-", "億": "亿", "萬": "万", "圓": "元", "圆": "元", "個": "个", "點": "点",
    "負": "负", "貳": "贰", "參": "叁", "陸": "陆", "兩": "两", "幣": "币", "倆": "两",
    "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u3000": " ", "￥": "¥", "【": "[", "】": "]",
    "〔": "[", "〕": "]", "’": "'", "‘": "'", "\r": " ", "﹪": "%", "每": "每", **_BLANKS,
}  # fmt: skip
_TABLE = str.maketrans({**{chr(c): chr(c - 0xFEE0) for c in range(0xFF01, 0xFF5F)}, **_CHARS})


@dataclass(frozen=True, slots=True)
class Folded:
    """The folded text, and for each of its characters the index it came from.

    `source` is the text as given; `origin` has one entry more, the length of the source.
    """

    text: str
    origin: Sequence[int]
    source: str

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open range of the source that a folded range came from."""
        return self.origin[start], self.origin[end - 1] + 1


def fold(text: str) -> Folded:
    """Return the text with full width, markup, superscripts and entities folded away.

    Superscripts go first: a footnote mark after a figure must not become a digit of it, while the
    exponent of a power of ten is kept as ^n. Linear in the length of the text.
    """
    pieces: list[tuple[int, str]] = []
    at = 0
    closing = -1
    for opener in _OPENER.finditer(text):
        start = opener.start()
        if start < at or start == closing or (match := _MARKUP.match(text, start)) is None:
            continue
        end = match.end()
        pieces.extend(_copied(text, at, start, closing))
        pieces.append((start, _replacement(match)))
        if match["math"] or match["italic"]:
            closing = next(match.start(g) for g in ("m1", "m2", "m3") if match[g])
        at = end
    if not pieces:
        return Folded(text.translate(_TABLE), range(len(text) + 1), text)
    pieces.extend(_copied(text, at, len(text), closing))
    origin: list[int] = []
    for start, piece in pieces:
        if piece and text[start : start + len(piece)].translate(_TABLE) != piece:
            origin.extend([start] * len(piece))
        else:
            origin.extend(range(start, start + len(piece)))
    origin.append(len(text))
    return Folded("".join(p for _, p in pieces), origin, text)


def _copied(text: str, start: int, end: int, closing: int) -> list[tuple[int, str]]:
    """Copy a stretch without markup, leaving out the dollar that closes inline mathematics."""
    if start <= closing < end:
        cut = [(start, text[start:closing]), (closing + 1, text[closing + 1 : end])]
        return [(at, piece.translate(_TABLE)) for at, piece in cut]
    return [(start, text[start:end].translate(_TABLE))]


def _replacement(match: re.Match[str]) -> str:
    if match["power"]:
        return "^" + "".join(re.findall(r"[-\d]", match["power"].translate(_SUPERSCRIPTS)))
    if match["line"]:
        return "\n"
    if match["cell"]:
        return "|"
    if match["entity"]:
        return _INVISIBLE.sub("", html.unescape(match["entity"])).translate(_TABLE)
    if match["struck"]:
        return "~~"
    if match["latex"]:
        return _LATEX.get(match["latex"], match["latex"][-1])
    return ""
