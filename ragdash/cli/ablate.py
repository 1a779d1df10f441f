"""`ragdash ablate`: other fusions and cut-offs of a run that is there, from its stored ranks."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from ragdash.ablate import ablate, own_setting, settings
from ragdash.cli.mode_table import aligned
from ragdash.core.errors import InputError
from ragdash.core.fingerprint import canonical_json
from ragdash.core.retrieval import Mode
from ragdash.store.ablations import keep_ablation
from ragdash.store.kept_ranks import kept_ranks
from ragdash.store.layout import refuse_no_store, run_file, store_dir
from ragdash.store.registry import Registry

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.core.ablation import Ablation, Cell, Choice, Setting
    from ragdash.store.registered import Ref

# Below this the table says so once more: a grid over few questions fits their noise.
_FEW = 100
_SHOWN = 8


class _Numbers(click.ParamType[tuple[int, ...]]):
    """Whole numbers from `low`, by commas: 10,30,60."""

    name = "N,N,..."

    def __init__(self, low: int) -> None:
        self._low = low

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        words = str(value).split(",")
        if not all(w.strip().isascii() and w.strip().isdigit() for w in words):
            self.fail(f"{value!r} is not a list of whole numbers such as 10,30,60", param, ctx)
        numbers = tuple(int(w) for w in words)
        if min(numbers) < self._low:
            self.fail(f"{min(numbers)} is below {self._low}", param, ctx)
        return numbers


class _Weights(click.ParamType[tuple[tuple[float, float], ...]]):
    """Pairs dense:bm25 by commas: 1:1,2:1."""

    name = "D:B,D:B,..."

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[tuple[float, float], ...]:
        pairs = [word.split(":") for word in str(value).split(",")]
        try:
            read = tuple((float(dense), float(bm25)) for dense, bm25 in pairs)
        except ValueError:
            self.fail(f"{value!r} is not a list of dense:bm25 such as 1:1,2:1", param, ctx)
        if any(not 0 <= w < 1_000 for pair in read for w in pair) or any(p == (0, 0) for p in read):
            self.fail(f"{value!r}: weights go from 0 to 1,000, not both 0", param, ctx)
        return read


@click.command("ablate")
@click.argument("ref", metavar="RUN")
@click.option("--rrf-k", type=_Numbers(0), help="k of the fusion; default: 10,30,60,100.")
@click.option("--weights", type=_Weights(), help="dense:bm25; default: 1:1,2:1,1:2,1:0,0:1.")
@click.option("--candidates", type=_Numbers(1), help="Candidates a leg; default: the run's.")
@click.option("--top-k", type=_Numbers(1), help="Chunks in the context; default: the run's.")
@click.option("--store", metavar="DIR", help="The store; default: RAGDASH_STORE.")
@click.option("--json", "as_json", is_flag=True, help="The whole grid as JSON on stdout.")
def command(  # noqa: PLR0913 - one parameter an option
    ref: str,
    rrf_k: tuple[int, ...] | None,
    weights: tuple[tuple[float, float], ...] | None,
    candidates: tuple[int, ...] | None,
    top_k: tuple[int, ...] | None,
    store: str | None,
    as_json: bool,
) -> None:
    """Recompute fusion and cut-offs of RUN (or RUN:hybrid, RUN:rerank) over a grid.

    Nothing is retrieved or generated again, so answers are not judged: the table says where the
    gold chunk would have stood. The result is kept in the store for the dashboard.
    """
    folder = store_dir(store)
    found, mode = _named(folder, ref)
    path = run_file(folder, found.run_id, found.version)
    config, questions, without = kept_ranks(path, mode)
    if not questions:
        raise InputError(f"{found} has no question with evidence pages: there is nothing to ablate")
    own = own_setting(config)
    grid = settings(
        rrf_k or (10, 30, 60, 100),
        weights or ((1.0, 1.0), (2.0, 1.0), (1.0, 2.0), (1.0, 0.0), (0.0, 1.0)),
        candidates or (own.candidates,),
        top_k or (own.top_k,),
    )
    result = ablate(mode, config, questions, grid, without_qrels=without)
    keep_ablation(folder, found, result, at=datetime.now(UTC).isoformat(timespec="seconds"))
    click.echo(canonical_json(result) if as_json else table(found, result))


def _named(folder: Path, ref: str) -> tuple[Ref, Mode]:
    """Return the run and the mode to ablate: the one named, else hybrid, else rerank."""
    refuse_no_store(folder)
    with closing(Registry.open(folder, read_only=True)) as registry:
        found = registry.resolve(ref)
        run = next(
            r for r in registry.runs() if (r.run_id, r.version) == (found.run_id, found.version)
        )
    if run.kind != "evaluation":
        raise InputError(f"{found} is a run of attacks: it has no ranks to ablate")
    modes = [m.mode for m in run.modes]
    chosen = found.mode or next((m for m in ("hybrid", "rerank") if m in modes), None)
    if chosen is None:
        raise InputError(f"{found} has {', '.join(modes)} only: fusion needs hybrid or rerank")
    return found.of_mode(chosen), Mode(chosen)


def table(ref: Ref, found: Ablation) -> str:
    """Return the grid as text: hits of n, MRR, who changed; then the best and what it is worth."""
    head = ["rrf_k", "weights", "candidates", "top_k", "hit@k", "MRR", "gained", "lost", "open"]
    rows = [head, *(_row(cell, found.own) for cell in found.cells)]
    left = f", {found.without_qrels} without evidence pages left out" if found.without_qrels else ""
    lines = [f"{ref}: {found.n} questions{left}; * is the run's own setting", aligned(rows)]
    lines += [line for choice in found.choices for line in _chosen(choice, found)]
    if any(cell.open for cell in found.cells):
        lines.append(
            "open: this setting would rerank chunks that the run never did; only a new run can tell"
        )
    if found.choices and found.n < _FEW:
        some = "1 question" if found.n == 1 else f"{found.n} questions"
        lines.append(
            f"A grid over {some} overfits: it finds what fits their noise. Trust the "
            "left-out count, and confirm with a run over other questions."
        )
    return "\n".join(lines)


def _row(cell: Cell, own: Setting) -> list[str]:
    setting, n = cell.setting, len(cell.gold_rank)
    return [
        f"{setting.rrf_k}{'*' if setting == own else ''}",
        _pair(setting.weights),
        str(setting.candidates),
        str(setting.top_k),
        f"{cell.hits}/{n}" + (f" {cell.hits / n:.2f}" if n else ""),
        "-" if cell.mrr is None else f"{cell.mrr:.3f}",
        str(len(cell.gained)),
        str(len(cell.lost)),
        str(len(cell.open)),
    ]


def _pair(weights: tuple[float, float]) -> str:
    return ":".join(f"{w:g}" for w in weights)


def _chosen(choice: Choice, found: Ablation) -> list[str]:
    cell = next(c for c in found.cells if c.setting == choice.best)
    best = choice.best
    lines = [
        f"top {choice.top_k}: best is k {best.rrf_k}, weights {_pair(best.weights)}, candidates "
        f"{best.candidates} with {choice.hits}/{choice.n}; chosen without each question in turn it "
        f"hits {choice.left_out}/{choice.n} of those left out"
    ]
    for word, ids in (("gains", cell.gained), ("loses", cell.lost)):
        if ids:
            more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
            lines.append(f"  {word} {', '.join(ids[:_SHOWN])}{more}")
    return lines
