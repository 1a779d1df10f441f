"""A selection as CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash.core.fingerprint import canonical_json
from ragdash.export import sheet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ragdash.export.columns import Column
    from ragdash.export.records import Record


def written(columns: Sequence[Column], records: Iterable[Record]) -> Iterator[bytes]:
    """Yield a CSV file in pieces; a list is its JSON in one cell, an empty one is empty."""
    head = [column.name for column in columns]
    parts = [(column.of, column.type.is_list) for column in columns]
    return sheet.written(
        head, ([_cell(of(one), is_list) for of, is_list in parts] for one in records)
    )


def _cell(value: Any, is_list: bool) -> Any:
    return (canonical_json(value) if value else None) if is_list else value
