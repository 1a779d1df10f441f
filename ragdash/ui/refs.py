"""How an address names a run: RUN, RUN:mode, and RUN.1 for a version that is not the newest."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from ragdash.store.layout import registry_file, store_dir
from ragdash.store.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ragdash.store.registered import RunRow


@contextmanager
def registry() -> Iterator[Registry | None]:
    """Give the store's registry, or None where there is none yet."""
    store = store_dir(None)
    if not registry_file(store).is_file():
        yield None
        return
    with closing(Registry.open(store, read_only=True)) as found:
        yield found


def address(run_id: str, number: int | None, mode: str | None = None) -> str:
    """Return the parts of a name put together; no number is the newest version."""
    return run_id + (f".{number}" if number else "") + (f":{mode}" if mode else "")


def ref_of(run_id: str, version: int, mode: str | None = None) -> str:
    """Return how an address names a version of a run: with its number where a newer one exists.

    Raises:
        InputError: the run is not in the store any more.
    """
    with registry() as found:
        newest = version if found is None else found.resolve(run_id).version
    return address(run_id, None if version == newest else version, mode)


def options(known: Sequence[RunRow], chosen: str | None) -> list[str]:
    """Return the runs to pick from, the chosen one (or its version) followed by its modes."""
    name = (chosen or "").partition(":")[0]
    found = []
    for run in known:
        found.append(run.run_id)
        if name.partition(".")[0] == run.run_id:
            found += [name] if name != run.run_id else []
            found += [f"{name}:{m.mode}" for m in run.modes]
    return found


def named(
    chosen: str | None, known: Sequence[RunRow], every: Sequence[RunRow]
) -> tuple[RunRow, str, str]:
    """Return the run that an address names, its mode ("" for all), and the name without the mode.

    Args:
        chosen: RUN, RUN:mode, RUN.1 or RUN.1:mode; what names nothing is the newest run.
        known: the newest version of each run, the latest first, at least one.
        every: all versions.
    """
    name, _, mode = (chosen or known[0].run_id).partition(":")
    run_id, _, number = name.partition(".")
    newest = next((r for r in known if r.run_id == run_id), known[0])
    if newest.run_id != run_id:
        return newest, mode, newest.run_id
    for run in every:
        if (run.run_id, str(run.version)) == (run_id, number) and run.version != newest.version:
            return run, mode, address(run_id, run.version)
    return newest, mode, run_id
