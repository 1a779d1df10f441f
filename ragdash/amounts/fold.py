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
_UNIT_NEXT = r"(?=\s{0,2}(?:[百千万亿億萬元%％]|thousand|[mb]illion|trillion|bn(?![a-z])))"
_MARKUP = re.compile(
    r"(?P<power>(?<=[×xX*·](?:10|１０))[⁰¹²³⁴-⁹⁻]{1,3}|(?<=[×xX*·] (?:10|１０))[⁰¹²³⁴-⁹⁻]{1,3}"
    r"|(?:(?<=[×xX*·;]10)|(?<=[×xX*·;] 10))(?:<sup>\s?-?\d{1,2}\s?</sup>|\*\*-?\d{1,2}))"
    r"|(?P<drop>[⁰¹²³⁴-⁹]+|\*{2,3}|__|`|\$\$"
    r"|[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe0e\ufe0f\ufeff\u00ad]"
    r"|\\[,;:! ]|\\(?:text|mathrm|mathbf|textbf|mathit|boxed|[dtc]?frac)\{|\\left|\\right"
    rf"|\\\[\d{{1,3}}\\\]|\\\(\d{{1,2}}\\\)(?!\s?[百千万亿元%％])|\\[()\[\]]|(?<=\d)[①-⑳❶-❿]{_UNIT_NEXT}"
    r"|\\q?quad(?![a-z])|(?<=[\d%])\}(?!\{)"
    r"|<sup>\s?[\[(]?\w{1,3}[\])]?\s?</sup>|\[\^\w{1,12}\]"
    rf"|</?(?:{_TAGS})(?:\s[^<>\n]{{0,200}})?>"
    rf"|(?<=[\d*])[\[(【（〔](?:注|note)?\s?\d{{1,2}}[\])】）〕]{_UNIT_NEXT}"
    rf"|(?<=[\d*] )[\[【〔](?:注|note)?\s?\d{{1,2}}[\]】〕]{_UNIT_NEXT})"
    r"|(?P<math>\$(?=(?:\\\$)?[\d.,．，％{}\\; !+-]{1,40}(?P<m1>\$)(?!\d)"
    r"|[^$\n]{0,60}\\(?:[dtc]?frac|times|cdot|div|approx|text|math|bold|boxed)[^$\n]{0,160}(?P<m2>\$)))"
    r"|(?P<italic>(?<![A-Za-z0-9_*)\]\\%])(?<![\d)] )\*(?=[^\s*][^*\n]{0,60}"
    r"(?P<m3>\*)(?![A-Za-z0-9_*])))"
    r"|(?P<quoted>(?<![^\n])>[> ]{0,4}(?:(?<=\n>)|(?<=\n> )|(?=(?!RMB|US|HK|人民币)[^\W\d_]{2})))"
    r"|(?P<struck></?(?:del|s|strike)>)"
    r"|(?P<line><br ?/?>|</?(?:p|tr|div|li|table|ul|ol|h[1-6])(?:\s[^<>\n]{0,200})?>)"
    r"|(?P<cell></?t[dh](?:\s[^<>\n]{0,200})?>)"
    r"|(?P<entity>&(?:#\d{1,5}|#x[0-9a-f]{1,4}|nbsp|amp|ensp|emsp|thinsp|minus|yen|euro|pound|cent"
    r"|times|divide|permil|ndash|mdash|lt|gt);)"
    r"|(?P<latex>\\[%％$&]|\\(?:times|cdot|div|approx)(?![a-z])|\{,\}|\}\{)",
    re.I,
)
# Every markup begins with one of these: a class alone is searched many times faster.
_OPENER = re.compile(
    r"[⁰¹²³⁴-⁹⁻①-⑳❶-❿*_`$&<>\\{}\[(（【〔\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe0e\ufe0f\ufeff]"
)
_LATEX = {
    "\\times": "×", "\\cdot": "×", "\\div": "÷", "\\approx": "≈", "{,}": ",", "}{": "/",
}  # fmt: skip
_BLANKS = dict.fromkeys("\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f", "\xa0")
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")
# Traditional characters of the words that amounts are read by, each with its simplified one.
_TRADITIONAL = dict(
    zip(
        "億萬圓圆個點負貳參陸兩幣倆虧損淨減長與數單無達從實際張轉營業歸潤約為過於餘價發產債權資總額認確證據報"
        "錄獲漲縮銳驟擴較環說應該糾誤錯來計項間並絕對頁號節條圖釋註編碼電話統範圍階開關係經將稅費貸質擔備補購"
        "紅門員職戶輛臺噸種筆韓歐鎊盧匯國動變響險沒檢錢復異類級結綜則論預測標準準現攤賬譽貿虛",
        "亿万元元个点负贰叁陆两币两亏损净减长与数单无达从实际张转营业归润约为过于余价发产债权资总额认确证据报"
        "录获涨缩锐骤扩较环说应该纠误错来计项间并绝对页号节条图释注编码电话统范围阶开关系经将税费贷质担备补购"
        "红门员职户辆台吨种笔韩欧镑卢汇国动变响险没检钱复异类级结综则论预测标准准现摊账誉贸虚",
        strict=True,
    )
)
_CHARS = {
    "−": "-", "﹣": "-", "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u3000": " ", "￥": "¥",
    "【": "[", "】": "]", "〔": "[", "〕": "]", "’": "'", "‘": "'", "\r": " ", "﹪": "%",
    # letters that a pattern without case takes for s, i and k, while no table of words has them
    "ſ": "s", "ı": "i", "İ": "I", "\u212a": "K", "每": "每", **_BLANKS, **_TRADITIONAL,
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
