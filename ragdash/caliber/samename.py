"""Whether two names may be of one company, product or segment: 中远海控, AmEx, J&J."""

from __future__ import annotations

import re
from functools import lru_cache

from ragdash.caliber.terms import common_words
from ragdash.caliber.wholename import is_place_and_trade, stem

_HAN = re.compile(r"[\u4e00-\u9fff]")
_FORMS = {"inc", "corp", "corporation", "company", "co", "ltd", "plc", "group", "the", "of", "s"}


def is_chinese(name: str) -> bool:
    """Whether a name holds a Chinese character."""
    return _HAN.search(name) is not None


def same_name(a: str, b: str) -> bool:
    """Whether two names may be one: common words, initials or a shortening."""
    if is_chinese(a) != is_chinese(b):
        return False
    return _same_chinese(a, b) if is_chinese(a) else _same_english(a, b)


def may_be_a_name(name: str) -> bool:
    """Whether more is left of a Chinese name than a place and a trade (上海, 科技股份)."""
    return not is_chinese(name) or len(_core(name)) > 1 or is_place_and_trade(name)


def shares_a_word(name: str, text: str) -> bool:
    """Whether a text holds two characters of a Chinese name that are no place and no trade."""
    core = _core(name) or stem(name)
    return any(core[i : i + 2] in text for i in range(len(core) - 1))


@lru_cache(8)
def any_of(which: str) -> re.Pattern[str]:
    """Return a pattern of the words of a list of terms.toml, the longest first."""
    words = sorted(common_words(which), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)))


def _same_chinese(a: str, b: str) -> bool:
    if is_place_and_trade(a) or is_place_and_trade(b):
        short, long = sorted((stem(a), stem(b)), key=len)
        # 中国银行 is not 中国农业银行, while 深圳机场 may be 深圳市机场 and 中行 中国银行
        loose = len(short) == 2 or not short.endswith(("银行", "证券", "保险"))
        shortened = len(short) > 1 and loose and short[0] == long[0] and _spread(short, long)
        return shortened or (bool(short) and short in long)
    one, two = _core(a) or a, _core(b) or b
    pairs = {one[i : i + 2] for i in range(len(one) - 1)}
    if any(two[i : i + 2] in pairs for i in range(len(two) - 1)) or one in two or two in one:
        return True
    for short, long in (sorted((a, b), key=len), sorted((one, two), key=len)):
        if len(short) > 1 and short[0] == long[0] and _spread(short, long):
            return True
    short, long = sorted((a, b), key=len)
    short = _core(short)
    return len(short) > 2 and _spread(short, long)


def _core(name: str) -> str:
    """A Chinese name without place and trade: 海川银行 and 江北银行 share 银行 only."""
    return any_of("zh_in_many_names").sub("", name)


def _spread(short: str, long: str) -> bool:
    """Whether all characters of one stand in the other in order."""
    rest = iter(long)
    return all(char in rest for char in short)


def _same_english(a: str, b: str) -> bool:
    one, two = _words(a), _words(b)
    if set(one) & set(two) - set(common_words("en_in_many_names")) or one == two:
        return True
    short, long = sorted((one, two), key=lambda words: len("".join(words)))
    letters, initials = "".join(short), "".join(word[0] for word in long)
    if not letters or not initials or letters[0] != initials[0]:
        return False
    if letters == initials:
        return True
    # AmEx, MSFT, BBY; a ticker may say a letter once more: AAPL
    once = "".join(dict.fromkeys(letters))
    name = "".join(long)
    if len(short) != 1 or len(letters) < 3:
        return False
    return _spread(letters, name) or (len(once) > 2 and _spread(once, name))


def _words(name: str) -> list[str]:
    words = re.findall(r"[a-z0-9]+", name.lower().replace("&", ""))
    return [word for word in words if word not in _FORMS]
