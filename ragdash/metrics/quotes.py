"""Whether a quote stands in a text, whatever its width, blanks and punctuation."""

from __future__ import annotations

import re
import unicodedata

_VARIANTS = str.maketrans(
    {
        "。": ". ", "、": ", ", "，": ",", "；": ";", "：": ":", "！": "!", "？": "?",
        "“": '"', "”": '"', "「": '"', "」": '"', "『": '"', "』": '"', "‘": "'", "’": "'",
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-",
        "《": '"', "》": '"', "【": "[", "】": "]", "〔": "(", "〕": ")", "…": "...", "|": " ",
        "*": None, "`": None,
    }
)  # fmt: skip
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_LAST = ".,;:!?\"' "
_FIRST = "\"' "


def plain(text: str) -> str:
    """Return a text as quotes are compared: NFKC, lower case, one form of each mark.

    Table bars are blanks. A blank stays only between Latin words or numbers, and between a comma or
    full stop and a number, so that 2023, 2022 are two numbers and $ 5 is $5.
    """
    shown = "".join(c for c in text if unicodedata.category(c) != "Cf")
    folded = unicodedata.normalize("NFKC", shown).casefold().translate(_VARIANTS)
    out: list[str] = []
    for word in folded.split():
        if out and _apart(out[-1][-1], word[0]):
            out.append(" ")
        out.append(word)
    return "".join(out)


def _apart(left: str, right: str) -> bool:
    if _CJK.match(left) or _CJK.match(right):
        return False
    return (left.isalnum() and right.isalnum()) or (left in ",." and right.isdigit())


def occurs(quote: str, text: str, least: int = 1) -> bool:
    """Whether a quote stands in a text as a whole run of characters, both made plain.

    A quote that begins or ends in the middle of a number does not: 476.94 is not in 1,476.94.

    Args:
        quote: what is said to be quoted; quotation marks around it and its last mark are left out.
        text: where it should stand.
        least: letters and digits that a quote must have to be one.
    """
    wanted = plain(quote).lstrip(_FIRST).rstrip(_LAST)
    if not wanted or sum(c.isalnum() for c in wanted) < least:
        return False
    before = r"(?<!\d)(?<!\d[.,])" if wanted[0].isdigit() else ""
    after = r"(?!\d)(?![.,]\d)" if wanted[-1].isdigit() else ""
    return re.search(before + re.escape(wanted) + after, plain(text)) is not None
