"""`ragdash compare`: modes or runs on the same questions, and what they can say."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ragdash.cli.compare_table import as_data, as_text, reason
from ragdash.core.errors import InputError
from ragdash.core.fingerprint import canonical_json
from ragdash.core.retrieval import Mode
from ragdash.store.layout import refuse_no_store, run_file, store_dir
from ragdash.store.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ragdash.store.registered import Ref, RunRow
    from ragdash.views.comparison import Opened


@dataclass(frozen=True, slots=True)
class Plan:
    """Which sides are compared: groups with the base first, and the sides without a partner."""

    groups: tuple[tuple[Ref, ...], ...]
    left_out: tuple[Ref, ...]


@click.command("compare")
@click.argument("refs", metavar="REF [REF...]", nargs=-1, required=True)
@click.option("--store", metavar="DIR", help="The store; default: RAGDASH_STORE.")
@click.option("--json", "as_json", is_flag=True, help="The same as data.")
def command(refs: tuple[str, ...], store: str | None, as_json: bool) -> int:
    """Compare the modes of a run, or several REFs with the first one, on the same questions.

    A REF is a run, RUN:mode or a tag. A run beside a RUN:mode is read in that mode; two runs are
    compared mode by mode. Ends with 2 where a difference could not be attributed to one factor.
    """
    from ragdash.views.comparison import compared

    folder = store_dir(store)
    refuse_no_store(folder)
    with closing(Registry.open(folder, read_only=True)) as registry:
        named = [registry.resolve(ref) for ref in refs]
        known = {(run.run_id, run.version): run for run in registry.runs()}
    for ref in named:
        if known[ref.run_id, ref.version].kind != "evaluation":
            raise InputError(f"{ref} is a run of attacks: `compare` takes runs over questions")
    plan = planned(named, {key: _modes(run) for key, run in known.items()})
    groups = [_opened(folder, group, known) for group in plan.groups]
    found = compared(groups, [group[0].name for group in groups])
    left_out = [str(ref) for ref in plan.left_out]
    click.echo(canonical_json(as_data(found, left_out)) if as_json else as_text(found, left_out))
    refused = [one for one in found if not one.is_attributable]
    for one in refused:
        click.echo(f"ragdash: {reason(one)}", err=True)
    return 2 if refused else 0


def _modes(run: RunRow) -> tuple[str, ...]:
    return tuple(mode.mode for mode in run.modes)


def planned(refs: Sequence[Ref], modes: Mapping[tuple[str, int], Sequence[str]]) -> Plan:
    """Return which RUN:mode is held against which.

    Args:
        refs: what was named; the first one is the base.
        modes: of every run, by id and version, in display order.

    Raises:
        InputError: there is nothing to compare with, or something with itself.
    """
    base, *others = refs
    mine = modes[base.run_id, base.version]
    if not others:
        if base.mode or len(mine) < 2:
            raise InputError(
                f"{base} is one mode alone: name what it is compared with, `ragdash compare {base} "
                "REF`, or a run of several modes"
            )
        return Plan((tuple(_in_mode(base, mode) for mode in mine),), ())
    groups: dict[str, list[Ref]] = {}
    left_out: list[Ref] = []
    for other in others:
        for first, second in _partners(base, other, modes):
            if second is None or first is None:
                left_out += [ref for ref in (first, second) if ref]
            else:
                groups.setdefault(str(first), [first]).append(second)
    for group in groups.values():
        twice = next((ref for ref in group if group.count(ref) > 1), None)
        if twice:
            raise InputError(f"{twice} would be compared with itself: name another run or mode")
    if not groups:
        raise InputError(f"{base} shares no mode with {others[0]}: name the modes, as RUN:mode")
    return Plan(tuple(map(tuple, groups.values())), tuple(dict.fromkeys(left_out)))


def _partners(
    base: Ref, other: Ref, modes: Mapping[tuple[str, int], Sequence[str]]
) -> list[tuple[Ref | None, Ref | None]]:
    """Return pairs of RUN:mode; None where a mode of one run is not in the other."""
    mine, theirs = modes[base.run_id, base.version], modes[other.run_id, other.version]
    if base.mode and other.mode:
        return [(base, other)]
    if base.mode:
        if (base.run_id, base.version) == (other.run_id, other.version):
            return [(base, _in_mode(other, mode)) for mode in theirs if mode != base.mode]
        _refuse_missing(other, base.mode, theirs)
        return [(base, _in_mode(other, base.mode))]
    if other.mode:
        _refuse_missing(base, other.mode, mine)
        return [(_in_mode(base, other.mode), other)]
    every = dict.fromkeys([*mine, *theirs])
    return [
        (
            _in_mode(base, mode) if mode in mine else None,
            _in_mode(other, mode) if mode in theirs else None,
        )
        for mode in every
    ]


def _refuse_missing(ref: Ref, mode: str, known: Sequence[str]) -> None:
    if mode not in known:
        raise InputError(f"{ref} has no mode {mode}, only {', '.join(known)}: name one as RUN:mode")


def _in_mode(ref: Ref, mode: str) -> Ref:
    return ref.of_mode(mode)


def _opened(
    store: Path, group: Sequence[Ref], known: Mapping[tuple[str, int], RunRow]
) -> list[Opened]:
    from ragdash.compare.factors import Side
    from ragdash.store.attach import attach
    from ragdash.store.said import people_of
    from ragdash.store.stored import info_of
    from ragdash.views.comparison import Opened

    one_run = len({(ref.run_id, ref.version) for ref in group}) == 1
    return [
        Opened(
            str(ref.mode) if one_run else str(ref),
            Side(info_of(run), Mode(str(ref.mode)), run.version, run.superseded),
            attach(run_file(store, run.run_id, run.version)),
            people_of(store, run.run_id, run.version),
        )
        for ref, run in ((ref, known[ref.run_id, ref.version]) for ref in group)
    ]
