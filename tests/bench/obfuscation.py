"""How many attacks stay defended when their fixtures are obfuscated further, way by way.

    python tests/bench/obfuscation.py

The ways and the cases are those of tests/attack/test_obfuscation.py: the whole of an untrusted
chunk, and the sentences of a trusted one that are instructions. Variants that an attack won are
listed.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

SPLIT = "split over two chunks"


def main() -> None:
    """Print k of n and the share defended for each way, and the ids of those lost."""
    ways = _ways()
    for way in (*ways.WAYS, SPLIT):
        lost: list[str] = []
        n = 0
        for study, case in ways.ATTACKS:
            variant = ways.split(case) if way == SPLIT else ways.obfuscated(case, way)
            if variant is None:
                continue
            n += 1
            if study.row("layered", variant).compromised:
                lost.append(case.id)
        defended = n - len(lost)
        print(f"{way}: {defended}/{n} {defended / n:.3f} {', '.join(lost)}")  # noqa: T201


def _ways() -> ModuleType:
    path = Path(__file__).resolve().parents[1] / "attack" / "test_obfuscation.py"
    spec = importlib.util.spec_from_file_location("obfuscation_ways", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
