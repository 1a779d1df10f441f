"""The characters of a filter: words, quoted texts and signs, half and full width alike."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from ragdash.filter.faults import BadFilter, shown
from ragdash.filter.tree import Op

LONGEST = 2_000
_QUOTES = {'"': '"', "“": "”", "”": "”", "＂": "＂", "「": "」", "『": "』"}
_OPS = {
    "<=": Op.AT_MOST, ">=": Op.AT_LEAST, "!=": None, "≤": Op.AT_MOST, "≥": Op.AT_LEAST, "≠": None,
    ":": Op.IS, "=": Op.EQUAL, "<": Op.LESS, ">": Op.MORE,
}  # fmt: skip
_PLAIN = {
    "（": "(", "）": ")", "：": ":", "＝": "=", "＜": "<", "＞": ">", "！": "!", "，": ",",
    "、": ",", "－": "-", "｜": "|",
}  # fmt: skip
_ENDS = frozenset("():=<>|≤≥≠") | frozenset(_QUOTES)


@dataclass(slots=True)
class Scanner:
    """A filter, and how far it has been read; `at` counts from 0."""

    text: str
    at: int = 0

    def __post_init__(self) -> None:
        if len(self.text) > LONGEST:
            n = f"{len(self.text):,}"
            raise BadFilter(
                LONGEST + 1,
                f"it has {n} characters, and {LONGEST:,} are allowed: take some out",
                f"共 {n} 个字符，最多 {LONGEST:,} 个：请删减",
            )
        for place, char in enumerate(self.text):
            if unicodedata.category(char) in {"Cc", "Cs"} and not char.isspace():
                code = f"U+{ord(char):04X}"
                raise BadFilter(
                    place + 1,
                    f"{code} is no character that a text holds: take it out",
                    f"{code} 不是文字中的字符：请删去",
                )

    def blanks(self) -> None:
        """Go to the next character that is none."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def sign(self) -> str:
        """Return the next character in half width; empty at the end."""
        char = self.text[self.at : self.at + 1]
        return _PLAIN.get(char, char)

    def take(self, sign: str) -> bool:
        """Go over the next character where it is this sign."""
        if self.sign() != sign:
            return False
        self.at += 1
        return True

    def op(self) -> tuple[int, Op | None] | None:
        """Return the length of the comparison that stands here and what it is, None for !=."""
        pair = "".join(_PLAIN.get(c, c) for c in self.text[self.at : self.at + 2])
        for sign in (pair, pair[:1]):
            if sign in _OPS:
                return len(sign), _OPS[sign]
        return None

    def is_quote(self) -> bool:
        """Whether a quoted text begins here."""
        return self.sign() in _QUOTES

    def quoted(self) -> str:
        """Return the quoted text that begins here; a backslash keeps a quote or a backslash."""
        begin = self.at
        out: list[str] = []
        ends = {_QUOTES[self.text[begin]], self.text[begin]}
        if self.text[begin] in "“”":
            ends.add('"')
        self.at += 1
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 1
            if char in ends:
                return self._not_empty("".join(out), begin)
            if char == "\\" and self.text[self.at : self.at + 1] in {*ends, "\\"}:
                char = self.text[self.at]
                self.at += 1
            out.append(char)
        raise BadFilter(
            begin + 1, "a quote opens here and never closes", "此处的引号没有对应的后引号"
        )

    def word(self, *, commas: bool, numbers: bool = False) -> str:
        """Return the word that begins here, empty where none does.

        Args:
            commas: whether a comma belongs to it.
            numbers: whether a comma between two digits does all the same, as in 1,476.94.
        """
        begin = self.at
        while self.at < len(self.text):
            sign = self.sign()
            if self.text[self.at].isspace() or sign in _ENDS or self._is_unequal(sign):
                break
            if sign == "," and not commas and not (numbers and self._between_digits()):
                break
            self.at += 1
        return self.text[begin : self.at]

    def _is_unequal(self, sign: str) -> bool:
        after = self.text[self.at + 1 : self.at + 2]
        return sign == "!" and _PLAIN.get(after, after) == "="

    def _between_digits(self) -> bool:
        around = self.text[self.at - 1 : self.at] + self.text[self.at + 1 : self.at + 2]
        return self.text[self.at] == "," and len(around) == 2 and around.isdigit()

    def _not_empty(self, text: str, begin: int) -> str:
        if text.strip():
            return text
        raise BadFilter(
            begin + 1,
            f"there is nothing in the quotes {shown(self.text[begin : self.at])}",
            "引号中没有内容",
        )
