"""One tokenizer for Chinese and English that keeps numbers whole.

Han (and kana and hangul) runs become overlapping pairs of characters, a run of one stays single;
words are lower-cased; a number is one token without its thousands separators, with its decimals and
its percent sign, so that 1,476.94 and 1476.94 and １，４７６．９４ are one term. Signs, brackets
and currency symbols are no tokens: a filing writes the same figure with and without them.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

# raised with every change of what a text becomes, so that an index is not searched with other terms
VERSION = 1

_WIDE_COMMA = 0xFF0C
# alternatives in the order in which they are tried
_TOKEN = re.compile(
    r"""
    (?P<han>[\u3005\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\U00020000-\U000323af]+)
    | (?P<number>
        (?: [0-9]{1,3}(?:,[0-9]{3})+(?![0-9]) | [0-9]+ )   # 1,476 or 1476
        (?: \.[0-9]+ )*                                    # .94; more than one in a section number
        [%‰]?
      )
    | (?P<word>
        [a-z\u00df-\u00f6\u00f8-\u024f]+(?:&[a-z]+)*       # revenue, r&d
        (?: [0-9]{1,3}(?![0-9]|[.,][0-9]) )?                       # q3, but fy and 2024 apart
      )
    (?: ['\u2019]s\b )?                                    # apple's is apple
    | (?P<other>[^\W\d_]+)                                 # any other script, as a word
    """,
    re.VERBOSE,
)
_WIDE_GROUP = re.compile("(?<=[\uff10-\uff19])\uff0c(?=[\uff10-\uff19]{3})")


def _compatible() -> dict[int, str]:
    """Return what is the same character in another dress: full-width, radicals, ligatures.

    Not all of NFKC: that would turn ① and ² into digits of the number beside them. The full-width
    comma is punctuation between half-width figures.
    """
    ranges = (0x2E80, 0x2FE0), (0xF900, 0xFB07), (0xFF01, 0xFF5F)
    found = {
        code: unicodedata.normalize("NFKC", chr(code))
        for start, end in ranges
        for code in range(start, end)
        if code != _WIDE_COMMA
    }
    return {code: text for code, text in found.items() if text != chr(code)}


_COMPATIBLE = _compatible()


def tokenize(text: str) -> list[str]:
    """Return the terms of a text in their order, with repetitions."""
    if not text.isascii():
        if "\uff0c" in text:
            text = _WIDE_GROUP.sub(",", text)
        text = text.translate(_COMPATIBLE)
    tokens: list[str] = []
    for match in _TOKEN.finditer(text.lower()):
        kind = match.lastgroup or ""
        term = match[kind]
        if kind == "han" and len(term) > 1:
            tokens.extend(map("".join, pairwise(term)))
        elif kind != "other" or term.isalpha():
            # a circled or raised digit is neither number nor word
            tokens.append(term.replace(",", "") if kind == "number" else term)
    return tokens
