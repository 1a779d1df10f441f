"""Texts as they are searched: one width and one case, as a function of the database.

DuckDB has NFC and lower case, and no NFKC: "5" would not find "５", nor "aapl" "ＡＡＰＬ".
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

NAME = "folded"


def folded(text: str) -> str:
    """Return a text in NFKC and without case; two that read alike become one."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def register(connection: duckdb.DuckDBPyConnection) -> None:
    """Give queries of a connection, and of its cursors, the function `folded`."""
    connection.create_function(NAME, folded, ["VARCHAR"], "VARCHAR")
