"""Citations in an answer: found, read tolerantly, resolved to pages, or taken out."""

from __future__ import annotations

import itertools
import re
import unicodedata
from typing import TYPE_CHECKING

from ragdash.amounts import read_amounts
from ragdash.contract.labels import canonical_label
from ragdash.core.answer import Citation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ragdash.core.chunk import Chunk, Source

_LONGEST = 320
_LONGEST_RANGE = 100
_LAST_PAGE = 9_999
_DOT = r"[·•・･‧∙⋅・]"
_SPLIT = re.compile(_DOT)
_PAGES = re.compile(r"P(\d{1,5})(?:[-~]P?(\d{1,5}))?", re.I)
_DASHES = str.maketrans({"‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-", "～": "-", "〜": "-"})
_PAIRS = {")": "(", "）": "(", "]": "[", "】": "["}
_OPENERS = {"(": "(", "（": "(", "[": "[", "【": "["}
# the marks of other styles: [1], [^1], 【4†source】, (Chunk 2), 【片段1】
_NUMBERED = re.compile(r"\^?\d{1,3}(?:\s*[,，、-]\s*\d{1,3})*|\d{1,3}(?::\d{1,3})?†[^\]】]{0,60}")
_NAMED = re.compile(
    r"(?:chunk|source|doc(?:ument)?|ref(?:erence)?|excerpt|片段|来源|资料|文档|引用)\s*#?\s*\d{1,3}",
    re.I,
)
_LABEL_LIKE = re.compile(r"年\s*度?\s*报|季\s*度?\s*报|10-[KQ]|8-K", re.I)
_PAGE_LIKE = re.compile(
    r"(?<![A-Za-z])P\s*(?:\d|页码|page\b|[xn#?]+$|\{|$)|page\s*\d|pp?\.\s*\d|第\s*\d+\s*页", re.I
)
_PAGE_TAIL = re.compile(rf"{_DOT}\s?[Pp]\s?\d{{1,6}}(?:[-–~]\d{{1,6}})?")
# between the page of one citation and the company of the next in one bracket
_NEXT = re.compile(
    r"(?<=\d)\s*(?:[;；,，、]|和|及|与|以及|\band\b)\s*"
    rf"(?=(?:[^·•・･‧∙⋅;；\n]{{1,60}}{_DOT}){{2,4}}\s*[Pp]\s*\d)"
)
_NEXT_MARK = re.compile(r"(?<=\d)\s*(?:[;；,，、]|和|及|与|以及|and)\s*\Z")
_LEAD_IN = re.compile(
    r"(?:(?:详见|参见|请见|见于|引自|摘自|出自|见)\s*[:：]?|(?:资料来源|数据来源|信息来源|来源于|来源|出处|参考|依据|注|引用)"
    r"\s*[:：]|(?:see(?:\s+also)?|cf\.?)\s+|(?:sources?|refs?\.?|references?|notes?|from|per|citations?)\s*[:：])\s*",
    re.I,
)
# what no company's name holds: another citation's page, a sentence's marks, a lead-in within
_NO_NAME = re.compile(
    r"[:;：；。！？，、|]|,(?=\s?[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff]),|见(?=[\u4e00-\u9fff])|来源|出处|摘自|引自"
    rf"|{_DOT}\s*[Pp]\s*\d|(?<![a-z])(?:see|source)\s",
    re.I,
)
_EMPHASIS = re.compile(r"(\*\*|__|`)(.+)\1")
_BREAK = re.compile(r"[\n()（）\[\]【】。；;，,：:]")
_LONGEST_LOOSE = 80


def parse_citations(text: str) -> tuple[Citation, ...]:
    """Return every citation and every recognisable attempt at one, in order of appearance.

    Well formed is the contract's form and its tolerated spellings: full-width brackets, middle
    dots of any kind, blanks, lower-case p, 年年报, 年度报告, `2024 10-K`, page ranges of up to
    100 pages, a lead-in (见, Source:), several in one bracket. An attempt (a part missing, another
    bracket, a sentence for a company, `[1]`, an unclosed bracket) has `well_formed` False and no
    pages. Linear in the length of the text.
    """
    found: list[Citation] = []
    taken = 0
    for start, end in _outermost_first(_groups(text)):
        if start < taken:
            continue
        citations = _read_group(text, start, end)
        if citations:
            found.extend(citations)
            taken = end
    found.extend(_loose(text, found))
    return tuple(sorted(found, key=lambda c: c.span))


def strip_citations(text: str) -> str:
    """Return the text without its citations and attempts, for judges and claim splitting."""
    out: list[str] = []
    at = 0
    for citation in parse_citations(text):
        out.append(text[at : citation.span[0]].rstrip(" "))
        at = citation.span[1]
    out.append(text[at:])
    return "".join(out)


def resolve(citation: Citation, chunks: Iterable[Chunk]) -> tuple[tuple[str, int], ...]:
    """Return the (doc_id, page) pairs that a citation names among chunks, or nothing.

    Every page of a range must be there, and each page must belong to exactly one document;
    otherwise the citation does not resolve and the result is empty.
    """
    pages = {(c.source.doc_id, c.source_page): c.source for c in chunks}
    return _one_page_each(citation, {(d, p): s for (d, p), s in pages.items() if p is not None})


def resolve_in_corpus(citation: Citation, sources: Iterable[Source]) -> tuple[tuple[str, int], ...]:
    """Return the (doc_id, page) pairs that a citation names among whole documents, or nothing.

    A page beyond the document's last does not resolve.
    """
    pages = {
        (s.doc_id, page): s
        for s in sources
        for page in citation.pages
        if s.n_pages is None or page <= s.n_pages
    }
    return _one_page_each(citation, pages)


def _one_page_each(
    citation: Citation, pages: dict[tuple[str, int], Source]
) -> tuple[tuple[str, int], ...]:
    if not citation.well_formed:
        return ()
    company, label = _company_key(citation.company), citation.label
    named = [
        key
        for key, source in pages.items()
        if _company_key(source.company) == company
        and (canonical_label(source.label) or source.label) == label
    ]
    out: list[tuple[str, int]] = []
    for page in citation.pages:
        hits = [key for key in named if key[1] == page]
        if len(hits) != 1:
            return ()
        out.append(hits[0])
    return tuple(out)


def _company_key(name: str) -> str:
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def _groups(text: str) -> Iterator[tuple[int, int]]:
    """Yield matched bracket pairs on one line, at most _LONGEST long, by their end."""
    stack: list[tuple[str, int]] = []
    for at, char in enumerate(text):
        if char in _OPENERS:
            stack.append((_OPENERS[char], at))
        elif char in _PAIRS:
            if stack and stack[-1][0] == _PAIRS[char]:
                start = stack.pop()[1]
                if at - start < _LONGEST:
                    yield start, at + 1
        elif char == "\n":
            stack.clear()


def _outermost_first(groups: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    return sorted(groups, key=lambda g: (g[0], -g[1]))


def _read_group(text: str, start: int, end: int) -> list[Citation]:
    """Read a bracket: one citation, several parted by a semicolon, a broken attempt, or nothing.

    The spans of several meet, from the opening to the closing bracket.
    """
    raw = text[start:end]
    if raw[0] in "(（":
        cuts = [start, *(start + m.end() for m in _NEXT.finditer(raw)), end]
        read = [_read_one(text, a, b, start, end) for a, b in itertools.pairwise(cuts)]
        good = [c for c in read if c is not None]
        if len(good) == len(read):
            return good
    if _is_attempt(raw[0], raw[1:-1]):
        return [Citation(raw, (start, end), "", "", (), well_formed=False)]
    return []


def _read_one(text: str, start: int, end: int, opened: int, closed: int) -> Citation | None:
    """Read one of a bracket's citations, without its brackets, separator and lead-in."""
    inner = text[start + (start == opened) : end - (end == closed)]
    inner = _NEXT_MARK.sub("", inner).strip()
    inner = inner[lead.end() :] if (lead := _LEAD_IN.match(inner)) else inner
    parts = [p.strip() for p in _SPLIT.split(inner)]
    if len(parts) < 3 or not _is_name("·".join(parts[:-2])):
        return None
    company, label, page = (_plain(p) for p in ("·".join(parts[:-2]), *parts[-2:]))
    label, pages = canonical_label(label), _read_pages(page)
    if not label or not pages:
        return None
    return Citation(text[start:end], (start, end), company, label, pages, well_formed=True)


def _plain(part: str) -> str:
    """Return a part without width variants, invisible characters and the Markdown around it."""
    folded = unicodedata.normalize("NFKC", part)
    shown = "".join(c for c in folded if unicodedata.category(c) != "Cf").strip()
    return emphasis[2] if (emphasis := _EMPHASIS.fullmatch(shown)) else shown


def _is_name(company: str) -> bool:
    """Whether a citation's first part can be a company: no sentence, no figure with a unit.

    One letter after a number that begins the name is part of it: 3M, 10x Genomics, 7天.
    """
    if not re.search(r"\w", company) or _NO_NAME.search(company):
        return False
    if not re.search(r"\d", company):
        return True
    return not any(
        a.asserted and (a.currency or len(a.unit) > (a.span[0] == 0 and a.unit.isalpha()))
        for a in read_amounts(company)
    )


def _is_attempt(opener: str, inner: str) -> bool:
    if any(c in _OPENERS or c in _PAIRS for c in inner):
        return False
    mark = inner.strip()
    if _NAMED.fullmatch(mark) or (opener in "[【" and _NUMBERED.fullmatch(mark)):
        return True
    page = _PAGE_LIKE.search(inner) is not None
    label = _LABEL_LIKE.search(inner) is not None
    dot = _SPLIT.search(inner) is not None
    return (dot and (page or label)) or (page and (label or len(inner) < 16))


def _read_pages(part: str) -> tuple[int, ...]:
    match = _PAGES.fullmatch("".join(part.translate(_DASHES).split()))
    if match is None:
        return ()
    first = int(match[1])
    last = int(match[2]) if match[2] else first
    if not 1 <= first <= last <= _LAST_PAGE or last - first >= _LONGEST_RANGE:
        return ()
    return tuple(range(first, last + 1))


def _loose(text: str, found: list[Citation]) -> Iterator[Citation]:
    """Yield attempts whose brackets are missing or not closed, read leftwards from the page."""
    spans = sorted(c.span for c in found)
    next_span = floor = 0
    for match in _PAGE_TAIL.finditer(text):
        while next_span < len(spans) and spans[next_span][0] < match.end():
            floor = max(floor, spans[next_span][1])
            next_span += 1
        if floor > match.start():
            continue
        low = max(floor, match.start() - _LONGEST_LOOSE)
        head = _BREAK.split(text[low : match.start()])[-1]
        if _SPLIT.search(head.strip()) is not None:
            start = match.start() - len(head.lstrip())
            yield Citation(text[start : match.end()], (start, match.end()), "", "", (), False)
            floor = match.end()
