"""A bound query as plain rows; what every view reads through."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


class Cursor(Protocol):
    """As much of a database cursor as a view needs; the store's are locked and read-only."""

    @property
    def description(self) -> Any:
        """Name and type of each column of the last query."""

    def execute(self, query: str, parameters: Any = ...) -> Any:
        """Run one query with bound parameters."""

    def fetchall(self) -> Any:
        """Return the rows of the last query."""


Row = dict[str, Any]


def rows(cursor: Cursor, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> list[Row]:
    """Return the rows of one query as dicts by column name; parameters by place or by name."""
    cursor.execute(sql, dict(parameters) if isinstance(parameters, Mapping) else list(parameters))
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def one(cursor: Cursor, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> Row | None:
    """Return the first row of a query, or None."""
    found = rows(cursor, sql, parameters)
    return found[0] if found else None


def parsed(value: Any) -> Any:
    """Return a JSON column as plain values; NULL stays None."""
    return json.loads(value) if isinstance(value, str) else value
