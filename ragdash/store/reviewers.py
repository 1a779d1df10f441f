"""What the registry keeps for a reviewer: a remembered name and saved filters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.core.errors import InputError
from ragdash.core.review import checked_name
from ragdash.store.turns import reading, writing

if TYPE_CHECKING:
    from pathlib import Path

FILTERS_LIMIT = 50
_QUERY_LIMIT = 2000


@dataclass(frozen=True, slots=True)
class SavedFilter:
    """A filter under a name; `query` is the query string that asks for it."""

    name: str
    query: str


def save_filter(store: Path, reviewer: str, saved: SavedFilter, at: str) -> None:
    """Keep a filter for a reviewer; the same name takes the place of what it stood for.

    Raises:
        InputError: a name cannot be kept, or the reviewer has 50 filters already.
        StoreError: the registry cannot be written.
    """
    reviewer, name = checked_name(reviewer), checked_filter_name(saved.name)
    if len(saved.query) > _QUERY_LIMIT:
        raise InputError(
            f"the filter {name!r} has {len(saved.query)} characters: {_QUERY_LIMIT} are allowed"
        )
    with writing(store) as db:
        known = [
            row[0]
            for row in db.execute("SELECT name FROM saved_filters WHERE reviewer = ?", (reviewer,))
        ]
        if name not in known and len(known) >= FILTERS_LIMIT:
            raise InputError(
                f"there are {FILTERS_LIMIT} filters of {reviewer} already: delete one first"
            )
        db.execute(
            "INSERT OR REPLACE INTO saved_filters VALUES (?, ?, ?, ?)",
            (reviewer, name, at, saved.query),
        )


def checked_filter_name(name: str) -> str:
    """Return the name of a filter without the space around it.

    Raises:
        InputError: it is empty, longer than 80 characters, or holds a character nobody can see.
    """
    try:
        return checked_name(name)
    except InputError as error:
        words = str(error).replace("the reviewer's name", "the filter's name")
        raise InputError(words.replace("say who reviews", "say what it is for")) from error


def drop_filter(store: Path, reviewer: str, name: str) -> None:
    """Forget a filter of a reviewer.

    Raises:
        StoreError: the registry cannot be written.
    """
    with writing(store) as db:
        db.execute("DELETE FROM saved_filters WHERE reviewer = ? AND name = ?", (reviewer, name))


def filters_of(store: Path, reviewer: str) -> list[SavedFilter]:
    """Return the filters of a reviewer by name.

    Raises:
        StoreError: the registry cannot be read.
    """
    with reading(store, "reviews") as db:
        if db is None:
            return []
        rows = db.execute(
            "SELECT name, query FROM saved_filters WHERE reviewer = ? ORDER BY name", (reviewer,)
        ).fetchall()
    return [SavedFilter(*row) for row in rows]


def remember_name(store: Path, browser: str, name: str, at: str) -> None:
    """Remember who reviews in a browser; an empty name is forgotten.

    Args:
        store: the store's folder.
        browser: a digest that only this browser leads to.
        name: as typed.
        at: ISO 8601, UTC.

    Raises:
        InputError: the name cannot be one.
        StoreError: the registry cannot be written.
    """
    with writing(store) as db:
        if not name.strip():
            db.execute("DELETE FROM reviewers WHERE browser = ?", (browser,))
            return
        row = (browser, checked_name(name), at)
        db.execute("INSERT OR REPLACE INTO reviewers VALUES (?, ?, ?)", row)


def remembered_name(store: Path, browser: str) -> str | None:
    """Return who reviewed last in a browser; None where nobody has.

    Raises:
        StoreError: the registry cannot be read.
    """
    with reading(store, "reviews") as db:
        if db is None:
            return None
        row = db.execute("SELECT name FROM reviewers WHERE browser = ?", (browser,)).fetchone()
    return row[0] if row else None
