"""The names of companies in a text: as the corpus has them, by an alias, or by a ticker."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from ragdash import shipped
from ragdash.core.errors import StoreError
from ragdash.recognise.folding import folded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ragdash.core.chunk import Chunk, Source

_FORM_ZH = r"(?:股份有限公司|有限责任公司|股份公司|有限公司|集团)"
_LEGAL_ZH = re.compile(rf"[\u4e00-\u9fff()]{{2,24}}?{_FORM_ZH}")
_TO_FORM_ZH = re.compile(rf"[\u4e00-\u9fff()]{{0,16}}?{_FORM_ZH}")
_PLACE_ZH = re.compile(r"[\u4e00-\u9fff]{2,4}$")
_ASKING_ZH = re.compile(r"请问|根据|关于|查询|比较|以及|截至|公司|[的在对和与及由向据从]")
_ASKING_EN = re.compile(r"^(?:Did|Does|Do|Has|Is|Was|For|At|In|Of|The)\s")
_FORM_EN = (
    r"(?:incorporated|corporation|company|limited|holdings?|group|trust|inc|corp|ltd|plc|llc"
    r"|co|n\.?v|s\.?a|a\.?g|reit)"
)
_ENDS_EN = re.compile(rf"(?:[\s,.&]+(?:the\s+)?{_FORM_EN})+\.?$|[\s,.]+$", re.IGNORECASE)
_LEGAL_EN = re.compile(
    r"(?:[A-Z0-9][\w&'’.-]*,?\s+){1,6}(?:Inc|Corp|Corporation|Incorporated|Limited|Ltd|plc|PLC|LLC"
    r"|REIT|N\.V|S\.A|AG)\b"
)
_TICKER = re.compile(r"[A-Z]{2,5}(?:\.[A-Z])?")
_CODE = re.compile(r"\d{5,6}")

_EARLY = 12
"""Pages from the front on which a report names the company in full."""
_FULL_NAME = re.compile(r"公司的?(?:法定)?中文名称[\s|:：]*(?P<name>[\u4e00-\u9fff（）()]{4,40})")
_STOCK = r"[\s|:：]*(?P<code>\d{6})\b"
_REGISTRANT = re.compile(
    r"(?P<name>[^\n|]{2,80}?)\s*\n?\s*\(Exact name of registrant as specified", re.IGNORECASE
)
_LISTED = re.compile(
    r"\b(?P<code>[A-Z]{2,5})\s*\|?\s*(?:The\s+)?(?:New York Stock Exchange|NYSE|Nasdaq|NASDAQ)"
)


@dataclass(frozen=True, slots=True)
class NameHit:
    """A company named in a text; `span` is half-open. `company` is the corpus's own name.

    Without a document in the corpus, `known` is False and `company` the name as it is known.
    """

    company: str
    span: tuple[int, int]
    known: bool


class CompanyNames:
    """Finds companies by every name that the corpus, its reports or the alias data give them."""

    def __init__(self, sources: Iterable[Source], chunks: Iterable[Chunk] = ()) -> None:
        companies = list(dict.fromkeys(s.company for s in sources))
        self._names: dict[str, tuple[str, bool]] = {}
        self._capital: set[str] = set()
        self._cased: dict[str, tuple[str, bool]] = {}
        for company in companies:
            for name in (company, _short(company)):
                self._take(name, company, known=True)
        for company, name in names_in_reports(chunks):
            self._take(name, company, known=True)
        for group in alias_groups():
            own = next((found for name in group if (found := self._known(name))), None)
            for name in group:
                self._take(name, own or group[0], known=own is not None)
        longest = sorted(self._names, key=lambda n: (-len(n), n))
        self._pattern = re.compile("|".join(map(_bounded, longest)) or r"(?!)")
        self._cased_pattern = re.compile(
            "|".join(rf"(?<![A-Za-z0-9]){re.escape(t)}(?![A-Za-z0-9])" for t in sorted(self._cased))
            or r"(?!)"
        )

    def _take(self, name: str, company: str, *, known: bool) -> None:
        """Note a name; of two companies that share it, the one that was noted first has it."""
        if len(name) >= 2:
            table = self._cased if _TICKER.fullmatch(name) else self._names
            key = name if table is self._cased else folded(name)
            if key not in table:
                table[key] = (company, known)
                if name.isascii() and name[0].isupper():
                    self._capital.add(key)

    def _known(self, name: str) -> str | None:
        """Return the company of the corpus that a name is already known to stand for."""
        for form in (name, folded(name), folded(_short(name))):
            company, known = (self._cased if form is name else self._names).get(form, ("", False))
            if known:
                return company
        return None

    def find(self, text: str) -> tuple[NameHit, ...]:
        """Return the companies of a text in order, each span with the words of its full name."""
        plain = folded(text)
        hits = [self._hit(text, plain, match) for match in self._pattern.finditer(plain)]
        hits += [
            NameHit(self._cased[m.group()][0], m.span(), self._cased[m.group()][1])
            for m in self._cased_pattern.finditer(text)
        ]
        found: list[NameHit] = []
        for hit in sorted((h for h in hits if h), key=lambda h: (h.span[0], -h.span[1])):
            if not found or hit.span[0] >= found[-1].span[1]:
                found.append(hit)
        return tuple(found) or _unknown(text)

    def _hit(self, text: str, plain: str, match: re.Match[str]) -> NameHit | None:
        name = match.group()
        if name in self._capital and not text[match.start()].isupper():
            # block and target are words, Block and Target are companies
            return None
        company, known = self._names[name]
        return NameHit(company, _whole(plain, match.span()), known)


def names_in_reports(chunks: Iterable[Chunk]) -> list[tuple[str, str]]:
    """Return (company, name) as the first pages of the reports state them: full name and ticker."""
    found: dict[tuple[str, str], None] = {}
    for chunk in chunks:
        if chunk.source_page is None or chunk.source_page > _EARLY:
            continue
        company, text = chunk.source.company, chunk.text
        for name in _stated(company, text):
            found.setdefault((company, name.strip()))
    return list(found)


def _stated(company: str, text: str) -> list[str]:
    names = [m["name"] for m in _FULL_NAME.finditer(text)] if "中文名称" in text else []
    if "代码" in text and company in text:
        own = re.escape(company)
        pair = rf"代码{_STOCK}[^\d\n]{{0,12}}简称[\s|:：]*{own}|{own}[\s|]*(?P<listed>\d{{6}})\b"
        names += [m["code"] or m["listed"] for m in re.finditer(pair, text)]
    if "xact name of" not in text:
        return names
    registrants = [m["name"].strip() for m in _REGISTRANT.finditer(text)]
    # a subsidiary's name on a joint cover is another company
    alike = [n for n in registrants if folded(company.split()[0]) in folded(n)]
    names += [n for name in alike for n in (name, _short(name))]
    if alike:
        names += [m["code"] for m in _LISTED.finditer(text)]
    return names


@cache
def alias_groups() -> tuple[tuple[str, ...], ...]:
    """Return the names of each company of data/companies/aliases.toml, the usual one first.

    Raises:
        StoreError: the file is damaged.
    """
    path = shipped.path("data/companies/aliases.toml")
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))["company"]
        return tuple(tuple(map(str, row["names"])) for row in rows)
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise StoreError(f"{path} cannot be read ({error}): restore it") from error


def _short(name: str) -> str:
    """Return a name without its legal form, where something telling is left."""
    short = _ENDS_EN.sub("", name, count=1)
    return short if len(short) >= 2 else name


def _bounded(name: str) -> str:
    """Return the pattern of a name; Latin letters and digits end where a word or number ends."""
    before = r"(?<![a-z0-9.])" if name[0].isascii() and name[0].isalnum() else ""
    after = r"(?![a-z0-9])" if name[-1].isascii() and name[-1].isalnum() else ""
    if _CODE.fullmatch(name):
        before, after = r"(?<![\d.,])", r"(?![\d,]|\.\d)"
    return before + re.escape(name) + after


def _whole(plain: str, span: tuple[int, int]) -> tuple[int, int]:
    """Return the span with the rest of a full Chinese name: place before, form after."""
    start, end = span
    after = _TO_FORM_ZH.match(plain, end)
    if not after or not "\u4e00" <= plain[end - 1] <= "\u9fff":
        return span
    before = _PLACE_ZH.search(plain[:start])
    if before:
        words = before.group()
        cut = max((m.end() for m in _ASKING_ZH.finditer(words)), default=0)
        start -= len(words) - cut
    return start, after.end()


def _unknown(text: str) -> tuple[NameHit, ...]:
    """Return the full names of companies that nothing knows, in a text that names no known one."""
    hits = []
    for match in (*_LEGAL_ZH.finditer(folded(text)), *_LEGAL_EN.finditer(text)):
        words = match.group()
        asking = _ASKING_EN if words.isascii() else _ASKING_ZH
        cut = max((m.end() for m in asking.finditer(words) if m.end() < 6), default=0)
        hits.append(NameHit(text[match.start() + cut : match.end()], match.span(), known=False))
    return tuple(hits)
