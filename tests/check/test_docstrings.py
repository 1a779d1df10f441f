from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["numbers", "citations", "refusals"])
def test_the_example_of_each_function_holds(name) -> None:
    found = doctest.testmod(importlib.import_module(f"ragdash.check.{name}"))
    assert (found.failed, found.attempted > 0) == (0, True)
