"""Reading run files: attached read-only in memory, then everything else is shut off."""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from ragdash.core.errors import OtherVersion, StoreError
from ragdash.store import folding
from ragdash.store.migrations.runner import NEWER
from ragdash.store.schema import ALIASES, READABLE, SCHEMA_VERSION, tables_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import duckdb

# A page shows one to three files; a handful of pages and sessions share these.
_KEPT = 8
_open: OrderedDict[tuple[tuple[str, int, int], ...], duckdb.DuckDBPyConnection] = OrderedDict()
_guard = threading.Lock()

# Extensions cannot be fetched everywhere and a page has no business with files: both stay shut.
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "temp_directory": "",
    "threads": "2",
}
_SHUT = (
    "SET enable_external_access = false",
    "SET python_enable_replacements = false",
    "SET lock_configuration = true",
)


def attach(*paths: Path) -> duckdb.DuckDBPyConnection:
    """Return a cursor over one to three run files: `run`, then `base`, then `other`.

    One cursor a script run: take a new one each time, and give none to another thread. What is
    behind it is kept and shared by (path, mtime, size), which is sound because run files never
    change. Identifiers in queries are ours; values are bound (`?` or `$name`).

    Raises:
        StoreError: a file is missing, damaged or of another schema version.
    """
    key = tuple(_identity(path) for path in paths)
    with _guard:
        if key not in _open:
            _open[key] = _connect(paths)
            while len(_open) > _KEPT:
                _open.popitem(last=False)
        _open.move_to_end(key)
        return _open[key].cursor()


@contextmanager
def opened(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Give one run file as `run`, locked like a page's, and close it at the end.

    Raises:
        StoreError: the file is missing, damaged or of another schema version, also where that
            shows only when a query reads it.
    """
    import duckdb

    _identity(path)
    with closing(_connect([path])) as connection:
        try:
            yield connection
        except (duckdb.ParserException, duckdb.BinderException):
            raise  # a mistake in our query says nothing about the file
        except duckdb.Error as error:
            raise _damaged(path, error) from error


def _identity(path: Path) -> tuple[str, int, int]:
    try:
        facts = path.stat()
    except OSError as error:
        raise StoreError(
            f"run file {path} is not there: `ragdash db check` says what the store holds"
        ) from error
    return str(path.resolve()), facts.st_mtime_ns, facts.st_size


def _connect(paths: Sequence[Path]) -> duckdb.DuckDBPyConnection:
    import duckdb

    if not 1 <= len(paths) <= len(ALIASES):
        raise ValueError(f"{len(paths)} run files cannot be attached: one to {len(ALIASES)} can")
    connection = duckdb.connect(":memory:", config=_CONFIG)
    names: dict[Path, str] = {}
    try:
        folding.register(connection)
        for alias, path in zip(ALIASES, paths, strict=False):
            first = names.setdefault(path.resolve(), alias)
            if first == alias:
                connection.execute(f"ATTACH {_quoted(path)} AS {alias} (READ_ONLY)")
                _refuse_other_version(connection, alias, path)
            else:
                _mirror(connection, alias, first)
        for statement in _SHUT:
            connection.execute(statement)
    except duckdb.Error as error:
        connection.close()
        raise _damaged(path, error) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _refuse_other_version(connection: duckdb.DuckDBPyConnection, alias: str, path: Path) -> None:
    found = _schema_version(connection, alias)
    if found not in READABLE:
        raise OtherVersion(
            f"run file {path} has schema version {found}, this ragdash reads versions "
            f"up to {SCHEMA_VERSION}; use the ragdash that wrote it, or a newer one",
            found=found,
            known=SCHEMA_VERSION,
            command=NEWER,
        )


def _schema_version(connection: duckdb.DuckDBPyConnection, alias: str) -> int | None:
    # Fetched whole: a function cannot be registered while a result is open.
    rows = connection.execute(f"FROM {alias}.meta SELECT schema_version").fetchall()
    return rows[0][0] if rows else None


def _mirror(connection: duckdb.DuckDBPyConnection, alias: str, first: str) -> None:
    """Let one file answer to a second name; DuckDB attaches a file only once."""
    connection.execute(f"CREATE SCHEMA {alias}")
    for table in tables_of(_schema_version(connection, first) or SCHEMA_VERSION):
        connection.execute(f"CREATE VIEW {alias}.{table} AS FROM {first}.{table}")


def _quoted(path: Path) -> str:
    # ATTACH takes no bound parameter.
    return "'" + str(path.resolve()).replace("'", "''") + "'"


def _damaged(path: Path, error: Exception) -> StoreError:
    first_line = str(error).splitlines()[0]
    return StoreError(
        f"run file {path} cannot be read ({first_line}): restore it from a copy, or run it again"
    )
