"""Unit lines above tables, such as 单位：万元 or (In millions), and what they make of numbers."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ragdash.amounts.amount import Kind
from ragdash.amounts.rowkind import counts_shares
from ragdash.amounts.units import CHINESE_SCALES, CURRENCIES, CURRENCY, ENGLISH_SCALES, ONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from decimal import Decimal

_LONGEST_HEADER = 160
_NOTE = re.compile(
    rf"""
    (?P<zh>(?:金额)?单位\s{{0,2}}(?:[:：]|均?[为是以])?\s{{0,2}}(?P<zh_cur>人民币|港币|美元|)\s?
        (?P<zh_scale>万亿|百亿|十亿|亿|千万|百万|十万|万|千|仟|百|)\s?
        (?P<zh_unit>港元|美元|欧元|元|股|%)
        (?:(?:[、,，]\s?|/(?=[亿百万千]))(?P<zh_shares>亿|千万|百万|万|千|)股(?![数份本]))?)
   |(?P<cn>[(（][^()（）\n]{{0,12}}?(?:人民币|港币)?(?<![\d零一二三四五六七八九十百千万亿])
        (?P<cn_scale>亿|百万|千万|万|千)(?P<cn_unit>元|[港美欧日]元|港币)
        [^()（）\n\d]{{0,16}}?(?=[)）]|[,，;；、]))
   |(?P<line>(?:^|\n)[ |]*(?:(?P<line_cur>人民币|港币)
        (?P<line_scale>亿|百万|千万|万|千)元
        |[^\d\n]{{1,40}}\|[ ]?(?P<head_scale>亿|百万|千万|万|千)元[ ]?(?=\|[^\d\n]{{0,40}}\n[ |:]*-)
        |(?P<own_scale>亿|百万|千万|万|千)(?P<own_cur>[港美欧日]元|港币))[ |]*(?=\n|$|\|))
   |(?P<shown>以[ ]?(?P<shown_cur>人民币|港币|)(?P<shown_scale>亿|百万|千万|万|千)
        (?P<shown_unit>元|[港美欧日]元|港币)(?:列示|列报|呈列|表示|为单位|计(?=[,，;；。)）\n]|$)))
   |(?P<gu>(?:股份数量|股份总数|股数|股份|股本)[^\d\n()（）,，;；]{{0,8}}?
        (?P<gu_scale>亿|千万|百万|万|千|)股(?![份本东票数价权息]))
   |(?P<cur000>(?P<cur>{CURRENCY})\s?'000)
   |(?P<sign>(?:(?<=[\n(（|:：,，])|\A)[ ]{{0,2}}(?P<sign_cur>{CURRENCY})\s?(?:in\s)?
        (?P<sign_scale>thousands?|millions?|billions?
          |(?:(?<=[bydr$€£¥])|(?<=[bydr$€£¥][ ]))(?:mn|m|bn|b|k))(?=[ ]{{0,2}}(?:[)）|\n,;]|$)))
   |(?P<en>(?P<en_cur>dollars|u\.s\.\ dollars|us\$|\$|rmb|usd|cny|hk\$|€|£|eur|amounts|figures|)\s?
      (?:(?:amounts|are|expressed|stated|presented|reported|shown|reflected|given)\s){{0,3}}
      in\s(?:(?P<of_cur>rmb|usd|cny|hkd|eur|us\$|hk\$|[$€£])\s?)?(?P<en_scale>thousands|millions|billions)
      (?:\sof\s(?P<of>u\.s\.\ dollars|us\ dollars|hong\ kong\ dollars|dollars|rmb|renminbi|yuan
        |euros?|pounds|yen|usd|hkd|eur|us\$|hk\$|shares))?
      (?:[,;]?\s(?:and\s)?(?P<of_shares>thousands|millions)\sof\sshares)?
      (?=\s*(?:[)\]|:;,.\n]|$|except|unless|u\.s\.|us|usd|rmb
        |and\s(?:per[ -]|(?:number\sof\s|share\s|common\s)?shares?\b))))
    """,
    re.I | re.X,
)
# Every unit line holds one of these, which end within _REACH characters of its start but for
# blanks that its line begins with. The class in front is what makes the search fast.
_KEY = re.compile(
    r"[位元币份数本0sSſnNdDmMbBkK](?:(?<=单位|[亿百千万]元|[港美欧日]元|股[份数本]|港币)|(?<='000)"
    r"|(?i:(?<=millions|billions)|(?<=thousands)"
    r"|(?:(?<=million|billion)|(?<=thousand)|(?<=[$€£¥][mbk])|(?<=[$€£¥bydr] [mbk])"
    r"|(?<=[bydr][mbk]))(?=n?[ ]{0,2}(?:[)）|,;\n]|\Z))))"
)
_REACH = 72
_FIRST = re.compile(r"[^\d\u4e00-\u9fff.,，。、；]|[金单股亿百千万人元港美欧日英新韩澳加瑞卢以]")
_WHICH = re.compile(r"[,，]?\s*\b(?:which|with)\s*$", re.I)
_OPEN = re.compile(r"[(（\[;；:：|]")
_SHARE = re.compile(r"\bshares?\b|股", re.I)
_MONEY = re.compile(r"dollars?\b|[$€£¥]|currency|monetary|\brmb\b|元", re.I)
_PER_SHARE = re.compile(
    r"\bper[ -]+(?:(?:common|ordinary|diluted|basic)[ -]+)*shares?\b|每\s?股", re.I
)
_EXCEPT = re.compile(r"\b(?:except|other than|excluding)\b", re.I)


@dataclass(frozen=True, slots=True)
class UnitNote:
    """What a header line says about the bare numbers below it.

    `factor` is what one written unit is worth; `kind` money, percent or count; `currency` an ISO
    code or None; `span` where the note stands. `shares` is what one unit of a count of shares is
    worth where the header tells it apart, `money` one of money below a header for shares.
    """

    factor: Decimal
    currency: str | None
    kind: Kind
    span: tuple[int, int]
    shares: Decimal | None = None
    money: Decimal | None = None

    @property
    def share_factor(self) -> Decimal:
        """What one written unit of a count of shares is worth."""
        return self.factor if self.shares is None else self.shares

    @property
    def money_factor(self) -> Decimal:
        """What one written unit of money is worth; 1 below a header that is for shares only."""
        if self.kind is Kind.COUNT:
            return ONE if self.money is None else self.money
        return self.factor


def read_unit_note(text: str) -> UnitNote | None:
    """Return the unit line of a text, such as 单位：万元 or (In millions), None if there is none.

    Of several the first for money, with the scale that another one gives to shares. A currency
    named beside it (币种:人民币) is taken over.
    """
    notes = unit_notes(text)
    first = next((n for n in notes if n.kind is not Kind.COUNT), notes[0] if notes else None)
    shares = next((n.shares for n in notes if n.shares is not None), None)
    return first if first is None else replace(first, shares=shares)


def unit_notes(text: str, above: UnitNote | None = None) -> list[UnitNote]:
    """Return what holds below each unit line of a text, in order.

    Within one header the first scale is that of money. A scale that is said of shares is theirs
    alone, and what held for money before it goes on.

    Args:
        text: folded or as written.
        above: what holds before the text's own first unit line.
    """
    out: list[UnitNote] = []
    end = 0
    for match in unit_lines(text):
        same = bool(out) and _one_header(text, out[-1].span, match.start())
        before = out[-1] if out else above
        about = _subject(text, match, out[-1].span[1] if same else end, same)
        if match["gu"] and not same:
            continue
        note = _note(match, text)
        if _is_for_shares(match, about) or match["gu"]:
            note = _shares(note, before, same, label=about == _LABEL)
        elif same and before is not None:
            if before.kind is not Kind.COUNT:
                out[-1] = replace(before, span=(before.span[0], match.end()))
                continue
            note = replace(note, shares=before.shares)
        end = note.span[1]
        if same:
            note = replace(note, span=(out.pop().span[0], note.span[1]))
        out.append(note)
    return [replace(n, span=(n.span[0], _closing(text, n.span))) for n in out]


def unit_lines(text: str) -> Iterator[re.Match[str]]:
    """Yield what the pattern of unit lines finds in a text, each place tried at most once."""
    tried = 0
    for key in _KEY.finditer(text):
        low = max(tried, key.end() - _REACH)
        starts: Iterable[int] = (m.start() for m in _FIRST.finditer(text, low, key.end()))
        line = max(text.rfind("\n", tried, low), tried)
        if line < low:
            starts = itertools.chain((line,), starts)
        for at in starts:
            if match := _NOTE.match(text, at):
                yield match
                tried = match.end()
                break
        else:
            tried = max(tried, key.end())


_LABEL = "shares (label)"


def _subject(text: str, match: re.Match[str], floor: int, same: bool) -> str:
    """What a scale is said of: the words before it in its clause, or the row's label."""
    low = max(floor, match.start() - 80)
    head = _WHICH.sub("", text[low : match.start()])
    pieces = _OPEN.split(head)
    clause = re.split(r"[,，]", pieces[-1])[-1]
    if len(pieces) == 1 and not same:
        clause = clause.rpartition("\n")[2]
    label = pieces[-2].rpartition("\n")[2] if len(pieces) > 1 and not pieces[-1].strip() else ""
    if label and head.rstrip().endswith(("(", "（")) and counts_shares(label):
        return _LABEL
    return clause


def _is_for_shares(match: re.Match[str], about: str) -> bool:
    """Whether a scale is said of shares and not of money as well."""
    if match["zh"]:
        return match["zh_unit"] == "股"
    if not match["en"]:
        return False
    if (match["of"] or "").lower() == "shares":
        return True
    currency = (
        match["of"] or match["of_cur"] or match["en_cur"].lower() not in ("", "amounts", "figures")
    )
    about = _PER_SHARE.sub("", about)
    first, *_ = _EXCEPT.split(about, maxsplit=1)
    said = first if _MONEY.search(first) else about
    return not currency and bool(_SHARE.search(said)) and not _MONEY.search(said)


def _shares(note: UnitNote, before: UnitNote | None, same: bool, *, label: bool) -> UnitNote:
    """A scale of shares: beside money's in one header or over one row, or heading a table alone."""
    if before is not None and before.kind is not Kind.COUNT:
        if same or label:
            return replace(before, shares=note.factor, span=note.span)
        money = before.money_factor
        return replace(
            note, kind=Kind.COUNT, shares=note.factor, money=money, currency=before.currency
        )
    held = before.money if before else None
    return replace(note, kind=Kind.COUNT, currency=None, shares=note.factor, money=held)


def _one_header(text: str, span: tuple[int, int], at: int) -> bool:
    """Whether a unit line goes on: the same line, or the same bracket over a line's end."""
    between = text[span[1] : at]
    if len(between) > _LONGEST_HEADER or re.search(r"\d", between):
        return False
    if "\n" not in between:
        return True
    head = text[max(0, span[0] - _LONGEST_HEADER) : span[0] + 1]
    opened = max(head.rfind("("), head.rfind("（")) > max(head.rfind(")"), head.rfind("）"))
    return opened and not re.search(r"[)）]|\n\s*\n", between)


def _closing(text: str, span: tuple[int, int]) -> int:
    """The end of the bracket that a note stands in, for words after it are no row's label."""
    rest = re.compile(r"[^()（）\d|]{0,160}[)）]").match(text, span[1])
    head = text[max(0, span[0] - _LONGEST_HEADER) : span[0] + 1]
    opened = max(head.rfind("("), head.rfind("（")) > max(head.rfind(")"), head.rfind("）"))
    return rest.end() if rest and opened else span[1]


def _note(match: re.Match[str], text: str) -> UnitNote:
    kind, power = Kind.MONEY, 0
    currency: str | None = None
    shares: Decimal | None = None
    if match["zh"]:
        power = CHINESE_SCALES.get(match["zh_scale"], 0)
        unit = match["zh_unit"]
        kind = Kind.PERCENT if unit == "%" else Kind.COUNT if unit == "股" else Kind.MONEY
        currency = CURRENCIES.get(match["zh_cur"]) or CURRENCIES.get(unit)
        nearby = text[match.end() : match.end() + 16]
        if named := re.search(r"币种\s?[:：]?\s?(人民币|美元|港币|港元|欧元)", nearby):
            currency = CURRENCIES[named[1]]
        if match["zh_shares"] is not None:
            shares = ONE.scaleb(CHINESE_SCALES.get(match["zh_shares"], 0))
    elif brief := _brief(match):
        power, currency = brief
    elif match["gu"]:
        power, kind = CHINESE_SCALES.get(match["gu_scale"], 0), Kind.COUNT
    else:
        power = ENGLISH_SCALES[match["en_scale"].lower()]
        named_by = match["of"] or match["of_cur"] or match["en_cur"] or ""
        currency = CURRENCIES.get(named_by.lower())
        if match["of_shares"]:
            shares = ONE.scaleb(ENGLISH_SCALES[match["of_shares"].lower()])
    if shares is None and kind is Kind.MONEY and _spares_shares(text, match.end()):
        shares = ONE
    return UnitNote(ONE.scaleb(power), currency, kind, match.span(), shares)


def _brief(match: re.Match[str]) -> tuple[int, str] | None:
    """Power of ten and currency of a note that is nothing but these: 百万港元, $m, RMB'000."""
    if match["cn"]:
        currency = "HKD" if "港" in match[0] else CURRENCIES[match["cn_unit"]]
        return CHINESE_SCALES[match["cn_scale"]], currency
    if match["line"]:
        scale = match["line_scale"] or match["own_scale"] or match["head_scale"]
        return CHINESE_SCALES[scale], CURRENCIES[match["line_cur"] or match["own_cur"] or "元"]
    if match["shown"]:
        currency = match["shown_cur"] or match["shown_unit"]
        return CHINESE_SCALES[match["shown_scale"]], CURRENCIES[currency]
    if match["sign"]:
        scale = match["sign_scale"].lower()
        return ENGLISH_SCALES[scale], CURRENCIES[match["sign_cur"].lower()]
    return (3, CURRENCIES[match["cur"].lower()]) if match["cur000"] else None


def _spares_shares(text: str, end: int) -> bool:
    """Whether a header takes counts of shares out of its scale: except share and per share data."""
    rest = re.split(r"[)）|;；]|\n\s*\n", text[end : end + _LONGEST_HEADER])[0]
    rest = _PER_SHARE.sub("", rest.replace("\n", " "))
    if spared := _EXCEPT.search(rest):
        return re.search(r"\bshares?\b(?! price)", rest[spared.end() :], re.I) is not None
    return re.search(r"除[^外]{0,10}股[数份][^外]{0,8}外|股[数份]\S{0,4}除外", rest) is not None
