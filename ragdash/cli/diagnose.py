"""`ragdash diagnose`: where each lost question was lost, redone from what a run has stored."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ragdash.cli.mode_table import aligned
from ragdash.core.diagnosis import Layer
from ragdash.core.errors import InputError
from ragdash.core.fingerprint import canonical_json
from ragdash.core.retrieval import Mode
from ragdash.diagnose import redo
from ragdash.jsonlines import printable
from ragdash.store.layout import refuse_no_store, run_file, store_dir
from ragdash.store.registry import Registry
from ragdash.store.results import read_results

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from ragdash.core.diagnosis import Diagnosis, Sentence
    from ragdash.diagnose import Redone
    from ragdash.store.registered import Ref
    from ragdash.views.verdicts import Said

    People = Mapping[tuple[str, str], Said]


@click.command("diagnose")
@click.argument("ref", metavar="REF")
@click.option("--store", metavar="DIR", help="The store; default: RAGDASH_STORE.")
@click.option("--json", "as_json", is_flag=True, help="The same as data, in both languages.")
def command(ref: str, store: str | None, as_json: bool) -> None:
    """Tell for each lost question of REF (a run, RUN:mode or a tag) the layer that lost it.

    Nothing is retrieved or generated: gates and diagnosis of this ragdash read the stored ranks,
    chunks and answers. Where that gives another layer than the run has stored, it says so. The
    layers are the rule's; where a person says otherwise, her word stands below.
    """
    from ragdash.store.attach import attach
    from ragdash.store.said import people_of
    from ragdash.views.verdicts import said

    folder = store_dir(store)
    found = _named(folder, ref)
    modes = (Mode(found.mode),) if found.mode else ()
    path = run_file(folder, found.run_id, found.version)
    redone = [redo(result) for result in read_results(path, modes)]
    people = said(attach(path), people_of(folder, found.run_id, found.version))
    told = as_data if as_json else as_text
    words = told(found, redone, people)
    click.echo(words if isinstance(words, str) else canonical_json(words))


def _named(folder: Path, ref: str) -> Ref:
    refuse_no_store(folder)
    with closing(Registry.open(folder, read_only=True)) as registry:
        found = registry.resolve(ref)
        kinds = {(run.run_id, run.version): run.kind for run in registry.runs()}
    if kinds[found.run_id, found.version] != "evaluation":
        raise InputError(f"{found} is a run of attacks: it has no questions to diagnose")
    return found


def as_data(ref: Ref, redone: Sequence[Redone], people: People) -> dict[str, Any]:
    """Return counts by mode and layer, and every question lost today or when it was stored.

    Layers and outcomes are the rule's; `people` of a question is what a person says of it, or null.
    """
    return {
        "ref": str(ref),
        "modes": {
            mode: {
                "n": len(of_mode),
                "lost": sum(one.diagnosis is not None for one in of_mode),
                "layers": dict(_layers(of_mode)),
                "stored_layers": dict(_stored_layers(of_mode)),
            }
            for mode, of_mode in _by_mode(redone)
        },
        "questions": [
            _question(one, people.get(_key(one)))
            for one in redone
            if one.diagnosis or one.stored.diagnosis or _key(one) in people
        ],
    }


def _key(one: Redone) -> tuple[str, str]:
    return one.stored.mode.value, one.stored.question.id


def _question(one: Redone, said: Said | None) -> dict[str, Any]:
    now, before = one.diagnosis, one.stored.diagnosis
    return {
        "question_id": one.stored.question.id,
        "mode": one.stored.mode.value,
        "outcome": one.outcome.value,
        **_told(now),
        "as_stored": one.as_stored,
        "changed": one.changed,
        "stored": {
            "outcome": one.stored.outcome.value,
            "layer": before.layer.value if before else None,
            "reason": before.reason if before else None,
        },
        "people": asdict(said) if said else None,
    }


def _told(found: Diagnosis | None) -> dict[str, Any]:
    def both(sentence: Sentence) -> dict[str, str]:
        return {"en": sentence.en, "zh": sentence.zh}

    if found is None:
        return {"layer": None, "reason": None}
    return {
        "layer": found.layer.value,
        "reason": found.reason,
        "evidence": both(found.evidence),
        "try": both(found.try_next),
        "no_help": both(found.no_help),
        "facts": found.facts,
    }


def as_text(ref: Ref, redone: Sequence[Redone], people: People) -> str:
    """Return the table of layers by mode, then each lost question with its evidence and advice.

    Of a question that a person has judged it also says what she says.
    """
    modes = _by_mode(redone)
    rows = [["lost at", *(mode for mode, _ in modes)]]
    rows += [[x.value, *(str(_layers(of)[x.value]) for _, of in modes)] for x in Layer]
    rows.append(["lost", *(f"{sum(_layers(of).values())}/{len(of)}" for _, of in modes)])
    lines = [f"{ref}: diagnosed again from what is stored, by the rule", aligned(rows)]
    for one in redone:
        lines += _lines(one, people.get(_key(one)))
    changed = sum(one.changed for one in redone)
    if changed:
        lines += ["", f"{_counted(changed)} with another layer than stored, marked 'was'."]
    kept = sum(one.as_stored for one in redone)
    if kept:
        lines += [
            "",
            f"{_counted(kept)} as stored: this file was written before ragdash kept the chunks "
            "that a diagnosis reads.",
        ]
    return "\n".join(lines)


def _lines(one: Redone, said: Said | None) -> list[str]:
    now, before = one.diagnosis, one.stored.diagnosis
    if now is None and before is None and said is None:
        return []
    people = _people(said) if said else []
    name = f"{one.stored.mode.value} {printable(one.stored.question.id)}"
    was = f" (was {before.layer.value if before else 'not lost'})" if one.changed else ""
    if now is None:
        return ["", f"{name}  {one.outcome.value} by today's gates{was}", *people]
    stored = " (as stored)" if one.as_stored else ""
    return [
        "",
        f"{name}  {now.layer.value}: {now.reason}{was}{stored}",
        f"  {now.evidence.en}",
        f"  try: {now.try_next.en}",
        f"  no help: {now.no_help.en}",
        *people,
    ]


def _people(said: Said) -> list[str]:
    lines = []
    if said.outcome_by:
        lines.append(f"  {said.outcome} by the caliber verdict of {printable(said.outcome_by)}")
    if said.layer_by:
        lines.append(f"  {said.layer or 'not lost'} by {printable(said.layer_by)}")
    return lines


def _counted(n: int) -> str:
    return "1 question" if n == 1 else f"{n} questions"


def _by_mode(redone: Iterable[Redone]) -> list[tuple[str, list[Redone]]]:
    found: dict[str, list[Redone]] = {}
    for one in redone:
        found.setdefault(one.stored.mode.value, []).append(one)
    return list(found.items())


def _layers(redone: Iterable[Redone]) -> Counter[str]:
    return Counter(one.diagnosis.layer.value for one in redone if one.diagnosis)


def _stored_layers(redone: Iterable[Redone]) -> Counter[str]:
    found = (one.stored.diagnosis for one in redone)
    return Counter(diagnosis.layer.value for diagnosis in found if diagnosis)
