"""A filter as people write it, read into a tree.

filter  = group (OR group)*          OR, | or 或; these words in any case
group   = part (AND? part)*          beside each other means AND; &, 且
part    = (- | NOT | 非) part | ( filter ) | field op value (, value)* | text
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragdash.filter.faults import BadFilter, shown, unknown_field
from ragdash.filter.fields import Kind, by_any_name, field_of, named
from ragdash.filter.reading import term_of
from ragdash.filter.scanner import Scanner
from ragdash.filter.tree import NOTHING_ASKED, Op, Phrase, every, negated, some
from ragdash.store.folding import folded

if TYPE_CHECKING:
    from ragdash.filter.tree import Expr

MOST_TERMS = 50
DEEPEST = 20
# Folded: in any case and width. A text of that name is put in quotes.
_OR, _AND, _NOT = {"or", "或"}, {"and", "且", "&", "&&"}, {"not", "非"}
# As people write a number of four digits or more; where only one is taken, it is no list.
_GROUPED = re.compile(r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?%?")
RESERVED = _OR | _AND | _NOT


def parse(text: str) -> Expr:
    """Return what a filter says; an empty one asks for everything.

    Raises:
        BadFilter: it cannot be read, or is longer or deeper than a filter may be.
    """
    parser = _Parser(text)
    if parser.is_at_end():
        return NOTHING_ASKED
    found = parser.alternatives(0)
    if not parser.is_at_end():
        raise parser.fault("a bracket closes here that never opened", "此处的括号没有对应的前括号")
    return found


class _Parser:
    def __init__(self, text: str) -> None:
        self._scan = Scanner(text)
        self._terms = 0

    def is_at_end(self) -> bool:
        self._scan.blanks()
        return self._scan.sign() == ""

    def fault(self, en: str, zh: str, at: int | None = None) -> BadFilter:
        return BadFilter((self._scan.at if at is None else at) + 1, en, zh)

    def alternatives(self, depth: int) -> Expr:
        parts = [self._group(depth)]
        while self._is_or():
            parts.append(self._group(depth))
        return some(parts)

    def _group(self, depth: int) -> Expr:
        parts = [self._part(depth)]
        while not self.is_at_end() and self._scan.sign() not in {")", "|"}:
            if folded(self._peek()) in _OR:
                break
            if folded(self._peek()) in _AND:
                self._skip_word()
            parts.append(self._part(depth))
        return every(parts)

    def _is_or(self) -> bool:
        self._scan.blanks()
        if self._scan.take("|"):
            return True
        if folded(self._peek()) in _OR:
            self._skip_word()
            return True
        return False

    def _part(self, depth: int) -> Expr:
        self._scan.blanks()
        if depth > DEEPEST:
            raise self.fault(
                f"it is nested more than {DEEPEST} deep: write it flatter",
                f"嵌套超过 {DEEPEST} 层：请简化",
            )
        if self._scan.sign() == "-":
            self._scan.at += 1
            return negated(self._part(depth + 1))
        if folded(self._peek()) in _NOT:
            self._skip_word()
            return negated(self._part(depth + 1))
        if self._scan.sign() == "(":
            return self._bracket(depth)
        return self._term()

    def _bracket(self, depth: int) -> Expr:
        begin = self._scan.at
        self._scan.at += 1
        found = self.alternatives(depth + 1)
        self._scan.blanks()
        if not self._scan.take(")"):
            raise self.fault(
                "a bracket opens here and never closes", "此处的括号没有对应的后括号", begin
            )
        return found

    def _peek(self) -> str:
        """Return the word that stands here alone, empty where it is the name of a field."""
        self._scan.blanks()
        begin = self._scan.at
        word = self._scan.word(commas=True)
        self._scan.blanks()
        is_name = self._scan.op() is not None
        self._scan.at = begin
        return "" if is_name else word

    def _skip_word(self) -> None:
        self._scan.word(commas=True)

    def _term(self) -> Expr:
        begin = self._scan.at
        if self._scan.is_quote():
            text = self._scan.quoted()
            self._counted(begin)
            return Phrase(text)
        word = self._scan.word(commas=True)
        if not word or folded(word) in RESERVED:
            raise self._nothing_here(word, begin)
        after = self._scan.at
        self._scan.blanks()
        if self._scan.op() is None:
            self._scan.at = after
            self._counted(begin)
            return Phrase(word)
        return self._tested(word, begin)

    def _nothing_here(self, word: str, begin: int) -> BadFilter:
        stands = word or self._scan.sign()
        if not stands:
            return self.fault(
                "something is missing at the end: write what to look for",
                "末尾缺少内容：请写出要查找的内容",
            )
        return self.fault(
            f"nothing to look for stands before {shown(stands)}",
            f"{shown(stands)} 之前缺少要查找的内容",
            begin,
        )

    def _tested(self, word: str, begin: int) -> Expr:
        name = named(word)
        if name is None:
            raise unknown_field(begin + 1, word, by_any_name())
        found = self._scan.op()
        if found is None:
            raise AssertionError("a comparison was seen here")
        at, (length, op) = self._scan.at, found
        self._scan.at += length
        grouped = self._grouped(name, op)
        values = [grouped] if grouped else self._values(name, word)
        return term_of(name, op, values, at + 1, word)

    def _grouped(self, name: str, op: Op | None) -> tuple[int, str] | None:
        """Return the number with commas that stands here, as 1,000; of = it would be a list."""
        if field_of(name).kind not in (Kind.NUMBER, Kind.METRIC) or op in (None, Op.IS, Op.EQUAL):
            return None
        self._scan.blanks()
        begin = self._scan.at
        word = self._scan.word(commas=False, numbers=True)
        if not _GROUPED.fullmatch(word):
            self._scan.at = begin
            return None
        self._counted(begin)
        return begin + 1, word.replace(",", "")

    def _values(self, name: str, typed: str) -> list[tuple[int, str]]:
        """Return the values after a comparison, each with its position from 1."""
        is_text = field_of(name).kind in (Kind.TEXT, Kind.ID)
        values = []
        while True:
            self._scan.blanks()
            begin = self._scan.at
            if self._scan.is_quote():
                word = self._scan.quoted()
            else:
                word = self._scan.word(commas=False, numbers=is_text)
            if not word:
                raise self.fault(
                    f"a value of {shown(typed)} is missing here",
                    f"此处缺少 {shown(typed)} 的取值",
                    begin,
                )
            self._counted(begin)
            values.append((begin + 1, word))
            after = self._scan.at
            self._scan.blanks()
            if not self._scan.take(","):
                self._scan.at = after
                return values

    def _counted(self, begin: int) -> None:
        self._terms += 1
        if self._terms > MOST_TERMS:
            raise self.fault(
                f"it has more than {MOST_TERMS} conditions: take some out",
                f"条件超过 {MOST_TERMS} 个：请删减",
                begin,
            )
