"""The registry: which runs there are, their summaries, and the tags people gave them."""

from __future__ import annotations

import json
import os
import re
from contextlib import contextmanager
from dataclasses import astuple, replace
from difflib import get_close_matches
from errno import EACCES
from typing import TYPE_CHECKING, Any, Self

from ragdash.core.errors import InputError, StoreError
from ragdash.store.attach import opened
from ragdash.store.layout import registry_file
from ragdash.store.migrations.registry import STEPS
from ragdash.store.migrations.runner import migrate, refuse_newer, refuse_older, version_of
from ragdash.store.registered import Ref, RunRow, Tag
from ragdash.store.renewal import renew
from ragdash.store.sqlite import open_reader, open_writer, transaction, translated
from ragdash.store.summary import MetricSummary, ModeRow, read_facts

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path

# The tag that gates over questions compare with.
BASELINE = "baseline"
_TAG = re.compile(r"\w[\w-]{0,63}")
# The columns of `runs`, which are also columns of a run file's `meta`.
_RUN_COLUMNS = (
    *("run_id", "version", "kind", "status", "started_at", "finished_at", "config"),
    *("config_digest", "corpus_name", "corpus_digest", "questions_name", "questions_digest"),
    *("n_questions", "environment"),
)


def prepare(store: Path) -> None:
    """Make a store's folders and its registry, before any work is done for it.

    Raises:
        StoreError: the store cannot be written, or its registry is damaged or of a newer version.
    """
    try:
        for folder in (store, store / "runs", store / "live"):
            folder.mkdir(parents=True, exist_ok=True)
            if not os.access(folder, os.W_OK | os.X_OK):
                raise PermissionError(EACCES, "Permission denied")
    except OSError as error:
        raise StoreError(
            f"the store {store} cannot be used ({error.strerror}): name a folder that can be "
            "written with --store or RAGDASH_STORE"
        ) from error
    Registry.open(store).close()


class Registry:
    """One connection to a store's registry; open it, ask, close it."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection

    @classmethod
    def open(cls, store: Path, *, read_only: bool = False) -> Self:
        """Open the registry of a store, made where there is none and brought up to date.

        Raises:
            StoreError: it is damaged, of a newer version, or to be read only and absent or older.
        """
        path = registry_file(store)
        if read_only:
            connection = open_reader(path)
            with translated(path):
                found = version_of(connection)
            if found == len(STEPS):
                return cls(path, connection)
            connection.close()
            refuse_newer(path, found, STEPS)
            if found:
                refuse_older(path, found, STEPS)
            # Somebody is making it at this moment, or was stopped at it: it is made, not migrated.
        store.mkdir(parents=True, exist_ok=True)
        connection = open_writer(path)
        try:
            migrate(connection, path, STEPS)
        except BaseException:
            connection.close()
            raise
        return cls(path, connection)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Let everything that is read inside be of one moment, whoever writes meanwhile."""
        with translated(self._path):
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                self._connection.execute("COMMIT")

    def register(self, path: Path) -> None:
        """Enter a run file with its summaries, in one transaction; a second time changes nothing.

        Raises:
            StoreError: the run file cannot be read.
        """
        facts = read_facts(path)
        key = (facts.meta["run_id"], facts.meta["version"])
        with opened(path) as file, translated(self._path), transaction(self._connection) as db:
            db.execute("DELETE FROM runs WHERE run_id = ? AND version = ?", key)
            db.execute(
                "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [facts.meta[name] for name in _RUN_COLUMNS],
            )
            db.executemany(
                "INSERT INTO modes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(*key, *astuple(row)) for row in facts.modes],
            )
            db.executemany(
                "INSERT INTO summaries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(*key, *astuple(row)) for row in facts.metrics],
            )
            renew(db, file, *key)

    def runs(self) -> list[RunRow]:
        """Return every registered version of every run, the latest start first."""
        modes: dict[tuple[str, int], list[ModeRow]] = {}
        for run_id, version, *rest in self._all(
            "SELECT run_id, version, mode, position, n, p50_seconds, p95_seconds, calls, unpriced, "
            "cost FROM modes ORDER BY run_id, version, position"
        ):
            modes.setdefault((run_id, version), []).append(ModeRow(*rest))
        query = "SELECT * FROM runs ORDER BY started_at DESC, run_id DESC, version DESC"
        runs = []
        for row in self._all(query):
            columns = dict(zip(_RUN_COLUMNS, row, strict=True))
            for name in ("config", "environment"):
                columns[name] = json.loads(columns[name])
            runs.append(RunRow(**columns, modes=tuple(modes.get((row[0], row[1]), ()))))
        newest: dict[str, int] = {}
        for run in runs:
            newest[run.run_id] = max(run.version, newest.get(run.run_id, 0))
        return [replace(run, superseded=run.version < newest[run.run_id]) for run in runs]

    def latest(self, kind: str = "evaluation") -> RunRow | None:
        """Return the run of a kind (evaluation, attack) that started last, newest version."""
        return next((run for run in self.runs() if run.kind == kind), None)

    def summaries(self) -> dict[tuple[str, int], list[MetricSummary]]:
        """Return the metric summaries of every run, by run id and version."""
        found: dict[tuple[str, int], list[MetricSummary]] = {}
        for run_id, version, *rest in self._all(
            "SELECT * FROM summaries ORDER BY run_id, version, mode, metric"
        ):
            found.setdefault((run_id, version), []).append(MetricSummary(*rest))
        return found

    def outcomes(self) -> dict[tuple[str, int], dict[tuple[str, str], int]]:
        """Return how many questions had each outcome, by run id and version, then by mode."""
        found: dict[tuple[str, int], dict[tuple[str, str], int]] = {}
        for run_id, version, mode, outcome, n in self._all(
            "SELECT * FROM outcomes ORDER BY run_id, version, mode, outcome"
        ):
            found.setdefault((run_id, version), {})[mode, outcome] = n
        return found

    def tag(self, ref: str, name: str, *, reason: str, author: str, at: str) -> Tag:
        """Let a name stand for a run or a RUN:mode from now on; what it stood for stays on record.

        The version is pinned: a baseline does not move when its run is scored again.

        Raises:
            InputError: the REF names nothing, the name cannot be a tag, or no reason is given.
        """
        if not _TAG.fullmatch(name):
            raise InputError(
                f"tag {name!r} is not made of letters, digits, _ and -, at most 64: choose another"
            )
        if not reason.strip():
            raise InputError(f"tag {name} needs a reason: say why with --reason TEXT")
        found = self.resolve(ref)
        if any(name == row[0] for row in self._all("SELECT DISTINCT run_id FROM runs")):
            raise InputError(f"tag {name} is the id of a run: choose another name")
        (kind,) = self._all("SELECT DISTINCT kind FROM runs WHERE run_id = ?", found.run_id)[0]
        if name == BASELINE and kind == "attack":
            raise InputError(
                f"{found} is a run of attacks, and gates over questions compare with the baseline: "
                "choose another name"
            )
        row = (name, found.run_id, found.version, found.mode, reason, author, at)
        with translated(self._path), transaction(self._connection) as db:
            db.execute(
                "INSERT INTO tags (name, run_id, version, mode, reason, author, at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                row,
            )
        return Tag(name, found, reason, author, at)

    def tags(self) -> dict[str, Tag]:
        """Return what each tag stands for now."""
        return {tag.name: tag for tag in self.tag_history()}

    def tag_history(self) -> list[Tag]:
        """Return every act of tagging, the oldest first."""
        rows = self._all(
            "SELECT name, run_id, version, mode, EXISTS (SELECT 1 FROM runs r WHERE "
            "r.run_id = tags.run_id AND r.version > tags.version), reason, author, at "
            "FROM tags ORDER BY number"
        )
        return [Tag(row[0], Ref(row[1], row[2], row[3], bool(row[4])), *row[5:]) for row in rows]

    def resolve(self, ref: str) -> Ref:
        """Return what RUN, RUN:mode, RUN.2, TAG or TAG:mode names.

        RUN alone is the newest version and all modes.

        Raises:
            InputError: it names nothing; the text lists near names, or the modes there are.
        """
        name, _, mode = ref.partition(":")
        run_id, _, number = name.partition(".")
        rows = self._all("SELECT version FROM runs WHERE run_id = ? ORDER BY version DESC", run_id)
        if rows:
            version = _version(ref, number, [row[0] for row in rows])
            return self._with_mode(ref, Ref(run_id, version, None, version < rows[0][0]), mode)
        tag = self.tags().get(name)
        if tag is None:
            raise InputError(self._unknown(name))
        if mode and tag.ref.mode and mode != tag.ref.mode:
            raise InputError(f"{ref!r} names nothing: tag {name} stands for {tag.ref}")
        return self._with_mode(ref, tag.ref, mode or tag.ref.mode or "")

    def _with_mode(self, ref: str, found: Ref, mode: str) -> Ref:
        rows = self._all(
            "SELECT mode FROM modes WHERE run_id = ? AND version = ? ORDER BY position",
            found.run_id,
            found.version,
        )
        known = [row[0] for row in rows]
        if not known:
            raise InputError(
                f"{ref!r} stands for {found}, which is not in this store any more: tag another run"
            )
        if (mode or ref.endswith(":")) and mode not in known:
            there = ", ".join(known)
            raise InputError(f"{ref!r} names nothing: run {found.run_id} has {there}, not {mode!r}")
        return found.of_mode(mode or None)

    def _unknown(self, name: str) -> str:
        runs = [row[0] for row in self._all("SELECT DISTINCT run_id FROM runs ORDER BY run_id")]
        near = get_close_matches(name, [*runs, *self.tags()], n=3, cutoff=0.5)
        if near:
            return f"{name!r} is no run and no tag in this store: did you mean {', '.join(near)}?"
        if not runs:
            return f"{name!r} is no run and no tag: this store is empty, `ragdash demo` fills it"
        return f"{name!r} is no run and no tag in this store: the latest run is {runs[-1]}"

    def _all(self, query: str, *values: Any) -> list[Any]:
        with translated(self._path):
            return self._connection.execute(query, values).fetchall()


def _version(ref: str, number: str, versions: list[int]) -> int:
    """Return the version that a REF asks for, else the newest (the first of `versions`)."""
    if not number and "." not in ref.partition(":")[0]:
        return versions[0]
    for version in versions:
        if number == str(version):
            return version
    there = ", ".join(str(version) for version in reversed(versions))
    raise InputError(f"{ref!r} names nothing: the run has version {there}, not {number!r}")
