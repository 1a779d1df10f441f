"""Unit words in both languages beside a number: scale, currency, kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from ragdash.amounts.amount import Kind

ONE = Decimal(1)
CHINESE_SCALES = {
    "兆": 12, "万亿": 12, "千亿": 11, "百亿": 10, "十亿": 9, "亿": 8,
    "千万": 7, "百万": 6, "十万": 5, "万": 4, "千": 3, "仟": 3, "百": 2,
}  # fmt: skip
ENGLISH_SCALES = {
    "thousand": 3, "thousands": 3, "million": 6, "millions": 6, "billion": 9, "billions": 9,
    "trillion": 12, "trillions": 12, "k": 3, "mn": 6, "mm": 6, "mln": 6, "m": 6, "mil": 6,
    "bn": 9, "bln": 9, "b": 9, "tn": 12, "trn": 12, "t": 12, "mio": 6, "mio.": 6, "mrd": 9,
    "mrd.": 9, "hundred million": 8, "hundred thousand": 5,
    "ten thousand": 4, "lakh": 5, "lakhs": 5, "crore": 7, "crores": 7,
}  # fmt: skip
CURRENCIES = {
    "人民币元": "CNY", "元人民币": "CNY", "人民币": "CNY", "港元": "HKD", "港币": "HKD",
    "美元": "USD", "美金": "USD", "欧元": "EUR", "日元": "JPY", "英镑": "GBP", "新台币": "TWD",
    "台币": "TWD", "日币": "JPY", "卢比": "INR", "泰铢": "THB", "澳门元": "MOP",
    "韩元": "KRW", "澳元": "AUD", "加元": "CAD", "新加坡元": "SGD", "瑞士法郎": "CHF",
    "卢布": "RUB", "元": "CNY",
    "u.s. dollars": "USD", "us dollars": "USD", "dollars": "USD", "dollar": "USD",
    "hong kong dollars": "HKD", "rupees": "INR", "₹": "INR", "swiss francs": "CHF",
    "renminbi": "CNY", "yuan": "CNY", "euros": "EUR", "euro": "EUR", "pounds": "GBP", "yen": "JPY",
    "rmb": "CNY", "cny": "CNY", "usd": "USD", "us$": "USD", "hk$": "HKD", "hkd": "HKD",
    "eur": "EUR", "gbp": "GBP", "jpy": "JPY", "chf": "CHF", "aud": "AUD", "cad": "CAD",
    "krw": "KRW", "twd": "TWD", "sgd": "SGD", "inr": "INR", "a$": "AUD", "c$": "CAD",
    "nt$": "TWD", "s$": "SGD", "$": "USD", "¥": "CNY", "€": "EUR", "£": "GBP",
}  # fmt: skip


def _alternatives(words: dict[str, str] | dict[str, int]) -> str:
    return "|".join(re.escape(w) for w in sorted(words, key=lambda w: (-len(w), w)))


CURRENCY = _alternatives(CURRENCIES)
# words that only ever follow their number; the others may stand before one
_SUFFIX_ONLY = (
    "元",
    "元人民币",
    "dollars",
    "dollar",
    "yuan",
    "euros",
    "pounds",
    "yen",
    "港元",
    "欧元",
)
_PREFIX = _alternatives({w: c for w, c in CURRENCIES.items() if w not in _SUFFIX_ONLY})
_SUFFIX = "|".join(sorted(_SUFFIX_ONLY, key=lambda w: (-len(w), w)))
_NOUNS_ZH = (
    "人次|人(?!民)|名|家|台(?!币)|辆|吨|股(?![东权])|户|个|项|件|套|间|店|位|笔|次|平方米|亩|"
    "千瓦|条|种|篇|座|片|部|艘"
)
_NOUNS_EN = (
    "employees?|people|persons?|stores?|shares?|units?|tons?|tonnes?|locations?|customers?|"
    "members?|countries|states|restaurants?|properties|branches|square feet|sq\\.? ft\\.?|"
    "barrels?|vehicles?|subscribers?|users?|patents?|facilities|segments?|sites?|companies|"
    "hours|years?|months?|weeks?|quarters?|items?|deals?|acquisitions?"
)
_PERMILLE = ("‰", "per m")
_CENTS = {"hk": "HKD", "港": "HKD", "us": "USD", "美": "USD", "eu": "EUR"}
_POINTS = {"basis": Decimal("0.01"), "bp": Decimal("0.01"), "基点": Decimal("0.01")}
# over a line's end or a hyphen only a unit word that is nothing else
_LONG_WORD = r"(?:亿|百万|千万|万|千)元|(?:(?:m|b|tr)illion|thousand|percent)(?![a-z])"
_AFTER = re.compile(
    rf"""
    (?:[ \xa0]?[\n-][ \xa0]?(?={_LONG_WORD})|[ \xa0]{{0,2}})
    (?:
      (?P<pp>(?:%|个)?百分点|percentage[ -]points?|percent(?:age)?[ ]points?
        |%[ -]?(?:pts?|points?)(?![a-z])|pp(?:ts?)?(?![a-z])
        |(?:basis[ -]points?|bps?)(?![a-z])|个?基点)
     |(?P<percent>%|‰|per[ ]?cent(?![a-z])|pct(?![a-z])|per[ ]?mill?e?(?![a-z]))
     |(?P<cheng>成(?![员为本功立果交品都长效绩熟就]))
     |(?P<cents>(?:(?:hk|us|u\.s\.|euro)[ ]?)?cents?(?![a-z])|¢|[港美]仙|美分)
     |(?P<times>倍|times(?![a-z])|x(?![a-z0-9])|:1(?![\d.,:%]))
     |(?P<days>天|日(?!元|均|常)|days?(?![a-z]))
     |(?P<scale>
        (?P<zh>万亿|千亿|百亿|十亿|亿|千万|百万|十万|万
          |兆(?=[ ]?(?:元|日元|韩元|人民币|新?台币))
          |[千仟百](?=[ ]?(?:元|人民币|港|美|欧|日元|英镑|股|人|吨|户|辆)))
        |\(?in[ ](?P<in>thousands|millions|billions)\)?
        |(?P<en>thousands?|(?:m|b|tr)illions?|k|mn|mm|mln|mil|bn|bln|b|tn|trn|t
          |m(?![ ](?:long|wide|high|tall|deep|thick)(?![a-z]))
          |mio\.?|mrd\.?|lakhs?|crores?|hundred[ ](?:million|thousand)|ten[ ]thousand
         )(?![a-z0-9&]))?
      (?:余|多)?[ \xa0-]{{0,2}}
      (?:(?P<noun>{_NOUNS_ZH}(?!元))|(?P<noun_en>(?:{_NOUNS_EN})(?![a-z]))
        |(?:of[ ])?(?P<currency>(?:{_SUFFIX})(?![a-z])|(?:{_PREFIX})(?![a-z]|[ ]?[(-]?[\d.]))
          (?P<named>人民币|新?台币|港币|美金|日币)?)?
    )
    (?P<share>[ ]?(?:/|每)[ ]?股
      |[ ]?(?:per|a|/)[ ]?(?:(?:fully[ ])?diluted[ ]|basic[ ]|common[ ]|ordinary[ ])?
       share(?![a-z]))?
    """,
    re.I | re.X,
)  # fmt: skip
_BEFORE = re.compile(
    rf"(?<![a-z])(?P<currency>{_PREFIX}|[港欧]元)(?P<thousand>'000)?[ \xa0]{{0,2}}$", re.I
)
_LAST = frozenset(c for w in CURRENCIES for c in w[-1] + w[-1].upper()) | {"0", "ſ", "K"}


@dataclass(frozen=True, slots=True)
class Unit:
    """What stands around a number: its kind, factor to the base unit, currency, and the word.

    `end` is where the unit ends; `stated` is whether a scale or base unit is written out.
    """

    kind: Kind
    factor: Decimal
    currency: str | None
    word: str
    end: int
    stated: bool


def unit_after(text: str, at: int) -> Unit:
    """Return the unit that follows a number which ends at `at`; kind bare if there is none."""
    match = _AFTER.match(text, at)
    if match is None or match.end() == at:
        return Unit(Kind.BARE, ONE, None, "", at, stated=False)
    word = match[0].strip()
    if match["pp"]:
        low = match["pp"].lower()
        factor = Decimal("0.01") if low.startswith(("b", "基", "个基")) else ONE
        return Unit(Kind.PP, factor, None, word, match.end(), stated=True)
    if match["percent"]:
        factor = Decimal("0.1") if match["percent"].lower().startswith(_PERMILLE) else ONE
        return Unit(Kind.PERCENT, factor, None, word, match.end(), stated=True)
    if match["cheng"]:
        return Unit(Kind.PERCENT, Decimal(10), None, word, match.end(), stated=True)
    if match["cents"]:
        kind = Kind.PER_SHARE if match["share"] else Kind.MONEY
        currency = _CENTS.get(match["cents"].lower().replace(".", "")[:2].strip("仙分"))
        return Unit(kind, Decimal("0.01"), currency, word, match.end(), stated=True)
    if match["times"]:
        return Unit(Kind.RATIO, ONE, None, word, match.end(), stated=True)
    if match["days"]:
        return Unit(Kind.DAYS, ONE, None, word, match.end(), stated=True)
    return _scaled(match, text, at, word)


def _scaled(match: re.Match[str], text: str, at: int, word: str) -> Unit:
    power = 0
    if match["zh"]:
        power = CHINESE_SCALES[match["zh"]]
    elif match["en"]:
        power = ENGLISH_SCALES[match["en"].lower()]
    elif match["in"]:
        power = ENGLISH_SCALES[match["in"].lower()]
    factor = ONE.scaleb(power)
    noun = match["noun"] or match["noun_en"]
    named = match["named"] or match["currency"]
    currency = CURRENCIES[named.lower()] if named else None
    if match["share"] and not noun:
        return Unit(Kind.PER_SHARE, factor, currency, word, match.end(), stated=True)
    if noun:
        return Unit(Kind.COUNT, factor, None, word, match.end(), stated=True)
    if not power and currency is None:
        return Unit(Kind.BARE, ONE, None, "", at, stated=False)
    end = match.end()
    while end > at and text[end - 1] in " \xa0-":
        end -= 1
    return Unit(Kind.MONEY, factor, currency, word.rstrip(" \xa0-"), end, stated=True)


def currency_before(text: str, at: int) -> tuple[str, int, bool] | None:
    """Return currency, its start, and whether '000 follows, where one stands just before `at`."""
    low = max(0, at - 20)
    before = text[low:at]
    if before.rstrip(" \xa0\n")[-1:] not in _LAST:
        return None
    match = _BEFORE.search(before)
    if match is None:
        return None
    return CURRENCIES[match["currency"].lower()], low + match.start(), bool(match["thousand"])
