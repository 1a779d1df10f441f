"""The manifest: which files make up a corpus, and what each of them is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Annotated

from pydantic import (
    BaseModel,
    ConfigDict,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)

from ragdash.contract import label_for
from ragdash.core.chunk import Channel, DocType
from ragdash.core.errors import InputError
from ragdash.jsonlines import explained, read_objects

if TYPE_CHECKING:
    from pathlib import Path

HTML = (".html", ".htm", ".xhtml")
TEXT = (".txt", ".text", ".md")
READABLE = (".pdf", *HTML, *TEXT, ".jsonl")

_YEARS = (
    DocType.ANNUAL,
    DocType.ANNUAL_SUMMARY,
    DocType.SEMIANNUAL,
    DocType.SEMIANNUAL_SUMMARY,
    DocType.Q1,
    DocType.Q3,
    DocType.FORM_10K,
)
"""Filings whose type says which part of the year they are on."""
_PERIOD = re.compile(r"((?:19|20)\d\d|2100)(?:Q[1-4]|H[12]|-(\d\d)-(\d\d))?")

# One line without control characters: the words go into headers, citations and table rows.
_ONE_LINE = r"^\P{Cc}*$"
_Name = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=_ONE_LINE),
]
_Words = Annotated[str, StringConstraints(max_length=500, pattern=_ONE_LINE)]


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """One document to read; `path` is where its file is, `label` its citation label."""

    doc_id: str
    file: str
    path: Path
    company: str
    period: str | None
    doc_type: DocType
    lang: str
    channel: Channel
    title: str
    licence: str
    label: str
    line: int


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    doc_id: _Name
    file: _Name
    company: _Name
    period: _Name | None
    doc_type: DocType
    lang: str
    channel: Channel = Channel.FILING
    title: _Words = ""
    licence: _Words = ""

    @field_validator("lang")
    @classmethod
    def _is_language(cls, lang: str) -> str:
        if lang not in ("zh", "en"):
            raise ValueError('write "zh" for a Chinese document and "en" for an English one')
        return lang

    @field_validator("period")
    @classmethod
    def _is_period(cls, period: str | None) -> str | None:
        if period is not None and not _is_readable(period):
            raise ValueError('write "2024", "2024Q2", "2024H1" or "2024-05-20"')
        return period

    @model_validator(mode="after")
    def _is_year(self) -> _Line:
        if self.period and len(self.period) > 4 and self.doc_type in _YEARS:
            raise ValueError(
                f"'period' is {self.period!r}: the period of a document of type "
                f'{self.doc_type.value} is its year, "{self.period[:4]}"'
            )
        return self


def load_manifest(path: Path) -> tuple[ManifestEntry, ...]:
    """Read a manifest (JSON lines, contract.md section 2); files are relative to it.

    Raises:
        InputError: it cannot be read or holds no document, or any line is bad; every bad line is
            named with its number, a file that is not there among them.
    """
    faults: list[str] = []
    entries: list[ManifestEntry] = []
    seen: dict[str, int] = {}
    for number, row in read_objects(path, faults):
        try:
            line = _Line.model_validate(row)
            entry = _entry(line, path, number)
        except ValidationError as error:
            faults.append(f"line {number}: {explained(error)}")
            continue
        except InputError as error:
            faults.append(f"line {number}: {error}")
            continue
        if entry.doc_id in seen:
            first = seen[entry.doc_id]
            faults.append(f"line {number}: doc_id {entry.doc_id!r} is taken by line {first}")
            continue
        seen[entry.doc_id] = number
        entries.append(entry)
    if faults:
        raise InputError(f"{path}: {'; '.join(faults)}. Nothing was read; mend these lines.")
    if not entries:
        raise InputError(f"{path} names no document; write one JSON object a line.")
    return tuple(entries)


def _is_readable(period: str) -> bool:
    found = _PERIOD.fullmatch(period)
    if found is None or not period.isascii():
        return False
    try:
        return not found[2] or bool(date(int(found[1]), int(found[2]), int(found[3])))
    except ValueError:
        return False


def _entry(line: _Line, manifest: Path, number: int) -> ManifestEntry:
    if line.period is None and line.channel is Channel.FILING:
        raise InputError("'period' is null, which only documents off the filing channel may be")
    path = manifest.parent / line.file
    suffix = path.suffix.lower()
    if suffix not in READABLE:
        raise InputError(
            f"file {line.file!r}: only PDF (.pdf), HTML ({', '.join(HTML)}), text "
            f"({', '.join(TEXT)}) and pages files (.jsonl) are read"
        )
    if not path.is_file():
        raise InputError(f"file {line.file!r} is not there")
    return ManifestEntry(
        doc_id=line.doc_id,
        file=line.file,
        path=path,
        company=line.company,
        period=line.period,
        doc_type=line.doc_type,
        lang=line.lang,
        channel=line.channel,
        title=line.title,
        licence=line.licence,
        label=label_for(line.doc_type, line.period),
        line=number,
    )
