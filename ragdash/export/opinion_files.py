"""All that people said in a store as a file: a row a review or spot check, superseded ones too."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ragdash.core.errors import InputError
from ragdash.export import parquet, table
from ragdash.export.columns import Type, column
from ragdash.export.formats import Format
from ragdash.export.opinions import opinions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# kind: review (of a layer) or spot_check (of a caliber); a column of the other kind is empty.
COLUMNS = tuple(
    column(name, of)
    for of, names in (
        (Type.TEXT, ("kind", "run")),
        (Type.WHOLE, ("version",)),
        (Type.TEXT, ("mode", "question_id")),
        (Type.WHOLE, ("number",)),
        (Type.TEXT, ("reviewer",)),
        (Type.TIME, ("at",)),
        (Type.TEXT, ("verdict",)),
        (Type.FLAG, ("flag",)),
        (Type.TEXT, ("fit", "confidence", "asked", "gold", "answered", "doc_id")),
        (Type.WHOLE, ("page",)),
        (Type.TEXT, ("note",)),
        (Type.FLAG, ("blind",)),
        (Type.TEXT, ("rule_layer", "rule", "outcome", "answer_digest")),
        (Type.WHOLE, ("supersedes",)),
        (Type.FLAG, ("superseded",)),
    )
    for name in names
)


def reviews_written(store: Path, format_: Format) -> tuple[int, Iterator[bytes]]:
    """Return how many there are, and the file of them in pieces.

    Raises:
        InputError: as a report, which is of a run.
        StoreError: the registry cannot be read.
    """
    if format_ is Format.HTML:
        raise InputError("reviews are written as csv, jsonl or parquet: html is a run's report")
    said = list(opinions(store))
    if format_ is Format.JSONL:
        lines = ((json.dumps(one, ensure_ascii=False) + "\n").encode("utf-8") for one in said)
        return len(said), lines
    of = table if format_ is Format.CSV else parquet
    return len(said), of.written(COLUMNS, said)
