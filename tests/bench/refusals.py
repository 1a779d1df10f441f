"""Refusals read from text, against labels given by people: precision, recall and F1.

    python tests/bench/refusals.py SHARED/data [--misses FILE]

SHARED is the folder beside the checkout. The rules are tuned on the first half only: in English
the answers of the first half of the models by name, in Chinese the texts whose id has an even
SHA-1. The misses of that half are written to FILE, those of the other half are counted, never
shown.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragdash.contract import read_refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

HALVES = ("tuned", "other")


def main(argv: Sequence[str] | None = None) -> None:
    """Print the table, and write the misses of the tuned half where a file is named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("data", type=Path)
    parser.add_argument("--misses", type=Path)
    options = parser.parse_args(argv)
    lines = (options.data / "refusal" / "texts.jsonl").read_text("utf-8").splitlines()
    records: list[dict[str, Any]] = [json.loads(line) for line in lines]
    started = time.perf_counter()
    for record in records:
        record["read"] = read_refusal(record["text"]).is_refusal
    seconds = time.perf_counter() - started
    tuned_models = first_half_of_models(records)
    for record in records:
        record["half"] = half(record, tuned_models)
    show(records, tuned_models)
    print(f"{len(records)} texts, {len(records) / seconds:,.0f} a second")  # noqa: T201
    if options.misses:
        write_misses(records, options.misses)


def model_of(record: dict[str, Any]) -> str:
    """Return the model of an English answer, without the setup it was asked in."""
    return str(record["id"]).split(":")[0].split("_")[0]


def first_half_of_models(records: list[dict[str, Any]]) -> list[str]:
    """Return the models that the rules are tuned on: the first half by name."""
    models = sorted({model_of(r) for r in records if r["lang"] == "en"})
    return models[: len(models) // 2]


def half(record: dict[str, Any], tuned_models: list[str]) -> str:
    """Return the half that a text belongs to, by model in English and by id in Chinese."""
    if record["lang"] == "en":
        return HALVES[model_of(record) not in tuned_models]
    return HALVES[int(hashlib.sha1(record["id"].encode()).hexdigest(), 16) % 2]


def show(records: list[dict[str, Any]], tuned_models: list[str]) -> None:
    """Print precision, recall and F1 of each language and half, with their counts."""
    print(f"English tuned on {', '.join(tuned_models)}; Chinese on even ids")  # noqa: T201
    print(f"{'':10}{'precision':>20}{'recall':>20}{'F1':>8}{'texts':>8}")  # noqa: T201
    for lang in ("en", "zh"):
        for name in HALVES:
            part = [r for r in records if (r["lang"], r["half"]) == (lang, name)]
            hits = sum(r["read"] and r["is_refusal"] for r in part)
            said, true = sum(r["read"] for r in part), sum(r["is_refusal"] for r in part)
            f1 = 2 * hits / (said + true) if said + true else 0.0
            print(  # noqa: T201
                f"{lang} {name:7}{rate(hits, said):>20}{rate(hits, true):>20}{f1:8.3f}{len(part):8}"
            )


def rate(k: int, n: int) -> str:
    """Return a share with its counts, a dash where there is nothing to divide by."""
    return f"{k / n:.3f} {k}/{n}" if n else "-"


def write_misses(records: list[dict[str, Any]], file: Path) -> None:
    """Write the misread texts of the tuned half as JSON lines."""
    missed = [r for r in records if r["half"] == HALVES[0] and r["read"] != r["is_refusal"]]
    kept = [{key: r[key] for key in ("id", "is_refusal", "read", "text")} for r in missed]
    text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in kept)
    file.write_text(text, "utf-8")
    print(f"{len(missed)} misses of the tuned half: {file}")  # noqa: T201


if __name__ == "__main__":
    main()
