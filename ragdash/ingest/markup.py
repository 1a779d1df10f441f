"""HTML to a flat stream of tags and text, in time that grows with the file and no faster.

Our own instead of html.parser, which up to Python 3.11.13 takes quadratic time on unclosed
comments and tags (CVE-2025-6069) and cuts them differently from version to version, so that one
file would give different chunks; and instead of a library for trees, since nothing here needs one.
A document type is skipped: no entity is ever defined, so none can expand.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_VOID_NAMES = "area base br col embed hr img input link meta param source track wbr page"
VOID = frozenset(_VOID_NAMES.split())
"""Elements without content; `page` is the page mark of old EDGAR filings."""
RAW = frozenset(("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"))
"""Elements whose content is text up to their end tag."""

_NAME = re.compile(r"[A-Za-z][^\s/>\x00]*")
_ATTRIBUTE = re.compile(
    r"""[\s/]*+([^\s/>=][^\s/>=]*+)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']?+[^\s>]*+)))?+"""
)
_LONG_REFERENCE = re.compile(r"&#(?:\d{8,}|[xX][0-9a-fA-F]{7,});?")
MOST_ATTRIBUTES = 100


@dataclass(frozen=True, slots=True)
class Token:
    """A start tag (`name`, `attributes`), an end tag (`ends`) or text (`name` empty)."""

    name: str = ""
    text: str = ""
    ends: bool = False
    closed: bool = False
    attributes: dict[str, str] = field(default_factory=dict)


def tokens(source: str) -> Iterator[Token]:
    """Yield the tags and texts of a document; comments, doctypes and instructions are dropped."""
    at, text_from = 0, 0
    size = len(source)
    while at < size:
        at = source.find("<", at)
        if at < 0:
            break
        end = _markup_end(source, at)
        if end is None:
            # "<" that begins nothing is text: "less than < 5".
            at += 1
            continue
        if at > text_from:
            yield Token(text=unescaped(source[text_from:at]))
        tag = _tag(source, at)
        at = text_from = end if tag is None else tag[1]
        if tag is None:
            continue
        yield tag[0]
        if not tag[0].ends and tag[0].name in RAW and not tag[0].closed:
            at = text_from = _raw_end(source, at, tag[0].name)
            yield Token(text=source[tag[1] : at])
    if text_from < size:
        yield Token(text=unescaped(source[text_from:]))


def unescaped(text: str) -> str:
    """Return text with its character references resolved; one out of range becomes U+FFFD."""
    if "&" not in text:
        return text
    # int() refuses thousands of digits, and html.unescape lets that error through.
    return html.unescape(_LONG_REFERENCE.sub("\ufffd", text))


def _markup_end(source: str, at: int) -> int | None:
    """Where the comment, doctype or instruction at `at` ends; `at` for a tag; None for text."""
    if source.startswith("<!--", at):
        return _after(source, "-->", at + 4)
    if source.startswith("<![CDATA[", at):
        # XHTML only; what it holds is text, which is what remains when the marks go.
        return at + 9
    following = source[at + 1 : at + 2]
    if following in ("!", "?"):
        return _after(source, ">", at + 2)
    name = at + (2 if following == "/" else 1)
    return at if _NAME.match(source, name) else None


def _after(source: str, mark: str, start: int) -> int:
    """The place after a mark, or the end of a file that does not close what it opens."""
    found = source.find(mark, start)
    return len(source) if found < 0 else found + len(mark)


def _tag(source: str, at: int) -> tuple[Token, int] | None:
    ends = source.startswith("</", at)
    name = _NAME.match(source, at + 1 + ends)
    if name is None:
        return None
    if ends:
        return Token(name=name[0].lower(), ends=True), _after(source, ">", name.end())
    attributes: dict[str, str] = {}
    place = name.end()
    while found := _ATTRIBUTE.match(source, place):
        place = found.end()
        key = found[1].lower()
        if key not in attributes and len(attributes) < MOST_ATTRIBUTES:
            attributes[key] = unescaped(next((g for g in found.groups()[1:] if g is not None), ""))
    stop = _after(source, ">", place)
    closed = source[max(place, stop - 2) : stop] == "/>" or source[place - 1 : stop] == "/>"
    return Token(name=name[0].lower(), closed=closed, attributes=attributes), stop


def _raw_end(source: str, start: int, name: str) -> int:
    found = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(source, start)
    return len(source) if found is None else found.start()
