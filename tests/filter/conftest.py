"""Random filters and what they mean, for every test of the language."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path


def _expressions() -> None:
    # By path: under importlib mode a test folder is no package that could be imported from.
    spec = importlib.util.spec_from_file_location(
        "ragdash_test_expressions", Path(__file__).parent / "expressions.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)


_expressions()
