"""Source, Page and Chunk: what a filing becomes on its way into an index."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_BROKEN = re.compile("(?<=[\u4e00-\u9fff）])\n(?=[\u4e00-\u9fff（])")


class DocType(StrEnum):
    """What kind of filing a document is (contract.md section 2)."""

    ANNUAL = "annual"
    ANNUAL_SUMMARY = "annual_summary"
    SEMIANNUAL = "semiannual"
    SEMIANNUAL_SUMMARY = "semiannual_summary"
    Q1 = "q1"
    Q3 = "q3"
    FORM_10K = "10k"
    FORM_10Q = "10q"
    FORM_8K = "8k"
    EARNINGS = "earnings"
    OTHER = "other"


class Channel(StrEnum):
    """How a document reached the corpus; provenance is derived from it and the digest."""

    FILING = "filing"
    EXCHANGE = "exchange"
    WEB = "web"
    UPLOAD = "upload"
    EMAIL = "email"
    RESEARCH = "research"


class ChunkKind(StrEnum):
    """Prose, or rows of a table together with its header and unit line."""

    TEXT = "text"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Source:
    """One document as the manifest names it; set at ingest and never rebuilt.

    `period` is None only for documents that are no filing; `label` is the citation label
    ("2023年报"); `n_pages` counts physical pages; `sha256` is the tagged digest of the file.
    Another system may give neither `channel` nor `n_pages`: they are None then.
    """

    doc_id: str
    file: str
    company: str
    period: str | None
    doc_type: DocType
    lang: str
    channel: Channel | None
    title: str
    licence: str
    label: str
    sha256: str
    n_pages: int | None


@dataclass(frozen=True, slots=True)
class Page:
    """The text of one physical page, counted from 1; a table row is one line."""

    doc_id: str
    page: int
    text: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of one page that is indexed and shown as a unit.

    `text` is what the model sees below the contract's header: for a table the unit line and the
    header row come first. `unit_note` is that unit line again ("单位：万元", "In millions, except
    per share amounts"), empty where the page states none. `section` is the nearest heading above.
    `source_page` is None only where another system did not give it.
    """

    chunk_id: str
    source: Source
    source_page: int | None
    section: str
    kind: ChunkKind
    unit_note: str
    text: str

    @property
    def indexed_text(self) -> str:
        """The text that is embedded and tokenised: company, label, section, then the passage.

        A line break between two Chinese characters is none here: a column's width has often broken
        a label there, which would be found by neither of its halves.
        """
        head = f"{self.source.company} {self.source.label}"
        if self.section:
            head += f" {self.section}"
        return f"{head}\n{_BROKEN.sub('', self.text)}"
