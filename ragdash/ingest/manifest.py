"""The manifest: which files make up a corpus, and what each of them is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from ragdash.contract import label_for
from ragdash.core.chunk import Channel, DocType
from ragdash.core.errors import InputError
from ragdash.jsonlines import explained, read_objects

if TYPE_CHECKING:
    from pathlib import Path

READABLE = (".pdf", ".jsonl")
LATER = (".html", ".htm", ".xhtml", ".txt", ".md")

# One line without control characters: the words go into headers, citations and table rows.
_ONE_LINE = r"^\P{Cc}*$"
_Name = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=_ONE_LINE),
]
_Lang = Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")]
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
    lang: _Lang
    channel: Channel = Channel.FILING
    title: _Words = ""
    licence: _Words = ""


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


def _entry(line: _Line, manifest: Path, number: int) -> ManifestEntry:
    if line.period is None and line.channel is Channel.FILING:
        raise InputError("'period' is null, which only documents off the filing channel may be")
    path = manifest.parent / line.file
    suffix = path.suffix.lower()
    if suffix in LATER:
        raise InputError(f"file {line.file!r}: {suffix} comes later; give a PDF or a pages file")
    if suffix not in READABLE:
        raise InputError(f"file {line.file!r}: only .pdf and pages files (.jsonl) are read")
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
