"""HTML to lines: what a reader sees, and at its place what is hidden from him."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ragdash.core.errors import InputError
from ragdash.ingest.budget import Budget
from ragdash.ingest.cells import PAGE_BREAK, Concealed, Line, Table, table_lines
from ragdash.ingest.css import Identity, Sheet, declarations
from ragdash.ingest.look import Look, look_of
from ragdash.ingest.markup import VOID, Token, tokens
from ragdash.ingest.spans import is_cjk

if TYPE_CHECKING:
    from ragdash.ingest.hidden import HiddenKind

MOST_DEPTH = 1_000
"""Elements open at once."""

_BLOCKS_NAMES = (
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset"
    " figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol"
    " option p page pre section summary table tbody td tfoot th thead title tr ul document"
)
BLOCKS = frozenset(_BLOCKS_NAMES.split())
_CLOSES = {
    "li": ("li",), "dt": ("dt", "dd"), "dd": ("dt", "dd"), "option": ("option",),
    "td": ("td", "th"), "th": ("td", "th"), "tr": ("tr",),
    "thead": ("thead", "tbody", "tfoot"), "tbody": ("thead", "tbody", "tfoot"),
    "tfoot": ("thead", "tbody", "tfoot"), "caption": ("caption",),
}  # fmt: skip
"""What a start tag ends where the file leaves the end tag out."""
_WITHIN = {
    "li": ("ul", "ol", "menu"), "dt": ("dl",), "dd": ("dl",), "td": ("tr", "table"),
    "th": ("tr", "table"), "tr": ("table",), "thead": ("table",), "tbody": ("table",),
    "tfoot": ("table",), "caption": ("table",), "table": (),
}  # fmt: skip
"""Elements beyond which a tag of that name ends nothing."""
_CELL_WALL = ("td", "th", "caption", "table")
_UNSEEN_NAMES = (
    "script style title textarea xmp iframe noembed noframes head select datalist object svg math"
    " audio video canvas ix:references ix:resources xml"
)
_UNSEEN = frozenset(_UNSEEN_NAMES.split())
"""Elements whose text is none of the page's."""
_BLANKS = re.compile("[ \t\n\r\f\v\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2028\u2029]+")
_NOTHING = re.compile("[\u200b-\u200f\u2060-\u2064\ufeff\u00ad\u202a-\u202e\u2066-\u2069]")
_UNPRINTED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(slots=True)
class _Open:
    """An element that is open, how it is drawn, and the table or cell that it began."""

    identity: Identity
    look: Look
    table: Table | None = None
    writer: _Writer | None = None


@dataclass(slots=True)
class _Writer:
    """Takes text in and cuts it into lines; `into` is what they go to."""

    into: list[Line]
    pieces: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    kind: HiddenKind | None = None

    def write(self, text: str, hidden: HiddenKind | None) -> None:
        """Add text to the line, or to what is hidden in it."""
        if hidden is None:
            self.pieces.append(text)
            return
        if self.kind is not None and self.kind is not hidden:
            self._conceal()
        self.kind = hidden
        self.unseen.append(text)

    def end_line(self) -> None:
        """Begin another line, whatever has been written."""
        if self.unseen:
            self._conceal()
        if self.pieces:
            line = tidied("".join(self.pieces))
            self.pieces = []
            if line:
                self.into.append(line)

    def _conceal(self) -> None:
        text = tidied("".join(self.unseen))
        self.unseen = []
        if text and self.kind is not None:
            self.into.append(Concealed(self.kind, text))


def tidied(text: str) -> str:
    """Return text as it is drawn: blanks run together, none between two broken CJK lines."""
    text = _UNPRINTED.sub("", _NOTHING.sub("", text))
    return _BLANKS.sub(lambda m: _blank(text, m), text).strip()


def _blank(text: str, found: re.Match[str]) -> str:
    before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
    broken = "\n" in found[0] and before and after
    return "" if broken and is_cjk(before) and is_cjk(after) else " "


def html_lines(source: str, budget: Budget | None = None) -> list[Line]:
    """Return the lines of a document in order, page breaks and hidden text among them.

    `budget` is what reading it may cost, MOST_STEPS where none is given.

    Raises:
        InputError: it nests or spans more than any filing does.
    """
    return _Reader(source, budget or Budget()).read()


class _Reader:
    """Walks the tags of one document with the elements that are open on a stack."""

    def __init__(self, source: str, budget: Budget) -> None:
        self._source = source
        self._budget = budget
        self._sheet = Sheet(self._budget)
        self._lines: list[Line] = []
        self._stack = [_Open(Identity("", "", frozenset()), Look(), None, _Writer(self._lines))]
        self._open: Counter[str] = Counter()
        self._unseen = 0
        # In XML an element may end in its start tag; browsers ignore that in HTML.
        self._is_xml = source[:200].lstrip().startswith("<?xml")

    def read(self) -> list[Line]:
        if re.search(r"<style", self._source, re.IGNORECASE):
            inside = False
            for token in tokens(self._source):
                if inside and not token.name:
                    self._sheet.read(token.text)
                inside = token.name == "style" and not token.ends
        for token in tokens(self._source):
            if not token.name:
                if not self._unseen:
                    self._writer.write(token.text, self._stack[-1].look.why_hidden)
            elif token.ends:
                self._end(token.name)
            else:
                self._start(token)
        while len(self._stack) > 1:
            self._pop()
        self._writer.end_line()
        return self._lines

    @property
    def _writer(self) -> _Writer:
        return next(o.writer for o in reversed(self._stack) if o.writer is not None)

    @property
    def _table(self) -> Table | None:
        """The table whose rows and cells come here: the innermost, unless a cell is within it."""
        for element in reversed(self._stack):
            if element.table is not None:
                return element.table
        return None

    def _start(self, token: Token) -> None:
        name = token.name
        if name == "br":
            self._writer.write("\n", None)
            self._writer.end_line()
            return
        self._imply(name)
        look = self._look(token)
        if self._is_block(name, look):
            self._writer.end_line()
        if look.break_before or name == "page":
            self._break_page()
        if name in VOID:
            if look.break_after:
                self._break_page()
            return
        if len(self._stack) > MOST_DEPTH:
            raise InputError(f"nests more than {MOST_DEPTH:,} elements; save it simpler")
        element = _Open(_identity(token), look)
        self._begin_table_part(element, token)
        self._stack.append(element)
        self._open[name] += 1
        self._unseen += name in _UNSEEN
        if token.closed and (self._is_xml or ":" in name):
            self._pop()

    def _begin_table_part(self, element: _Open, token: Token) -> None:
        if token.name == "table":
            element.table = Table(self._budget)
            return
        table = self._table
        if table is None:
            return
        if token.name == "tr":
            table.new_row()
        elif token.name in ("td", "th"):
            span = (_count(token, "colspan", 1_000), _count(token, "rowspan", 65_534))
            element.writer = _Writer(table.new_cell(*span).lines)
        elif token.name == "caption":
            element.writer = _Writer(table.caption)

    def _look(self, token: Token) -> Look:
        inline = token.attributes.get("style", "")
        declared = (
            self._sheet.declared(_identity(token), [o.identity for o in self._stack[1:]])
            if self._sheet.by_key
            else {}
        )
        if inline:
            declared = {**declared, **declarations(inline)}
        if self._sheet.unsure_backgrounds:
            declared = {"background-image": "url()", **declared}
        return look_of(token.name, token.attributes, declared, self._stack[-1].look)

    def _is_block(self, name: str, look: Look) -> bool:
        return look.block if look.block is not None else name in BLOCKS

    def _imply(self, name: str) -> None:
        """End what this start tag ends."""
        if name in BLOCKS and self._open["p"]:
            self._close("p", _CELL_WALL)
        for other in _CLOSES.get(name, ()):
            if self._open[other]:
                self._close(other, _WITHIN[name])

    def _end(self, name: str) -> None:
        if self._open[name]:
            self._close(name, _WITHIN.get(name, _CELL_WALL))
        if name in BLOCKS:
            self._writer.end_line()

    def _close(self, name: str, walls: tuple[str, ...]) -> None:
        """End the innermost element of a name, if no wall stands before it."""
        for depth in range(len(self._stack) - 1, 0, -1):
            self._budget.spend(1, "tags that end nothing")
            found = self._stack[depth].identity.name
            if found == name:
                while len(self._stack) > depth:
                    self._pop()
                return
            if found in walls:
                return

    def _pop(self) -> None:
        element = self._stack[-1]
        name = element.identity.name
        if self._is_block(name, element.look) or element.writer is not None:
            self._writer.end_line()
        self._stack.pop()
        self._open[name] -= 1
        self._unseen -= name in _UNSEEN
        if element.table is not None:
            self._end_table(element.table)
        if element.look.break_after:
            self._break_page()

    def _end_table(self, table: Table) -> None:
        lines = table_lines(table)
        self._writer.into.extend(lines)
        outer = self._table
        if outer is not None and sum(isinstance(x, str) and x != PAGE_BREAK for x in lines) > 1:
            outer.is_layout = True

    def _break_page(self) -> None:
        last = self._stack[-1].identity.name
        table = self._table
        if table is not None and last in ("table", "thead", "tbody", "tfoot", "tr"):
            table.between_rows(PAGE_BREAK)
            return
        self._writer.end_line()
        self._writer.into.append(PAGE_BREAK)


def _identity(token: Token) -> Identity:
    given = token.attributes
    return Identity(token.name, given.get("id", ""), frozenset(given.get("class", "").split()))


def _count(token: Token, name: str, most: int) -> int:
    text = token.attributes.get(name, "").strip()
    return max(1, min(int(text[:6]), most)) if text.isdecimal() and text.isascii() else 1
