"""Generators: question and visible chunks in, an answer under the contract out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.generate.extractive import ExtractiveGenerator

if TYPE_CHECKING:
    from collections.abc import Callable

    from ragdash.generate.base import Generator

GENERATORS: dict[str, Callable[[], Generator]] = {"extractive": ExtractiveGenerator}
