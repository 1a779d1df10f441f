"""Generators: question and visible chunks in, an answer under the contract out."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from ragdash.generate.extractive import ExtractiveGenerator

if TYPE_CHECKING:
    from collections.abc import Callable

    from ragdash.generate.base import Generator
    from ragdash.llm.base import ChatClient

GENERATORS: dict[str, Callable[[], Generator]] = {"extractive": ExtractiveGenerator}


def heard_by(generator: Generator, wrap: Callable[[ChatClient], ChatClient]) -> Generator:
    """Return the generator with its chat client wrapped; the same one where it asks none."""
    client = getattr(generator, "client", None)
    if client is None:
        return generator
    heard = copy.copy(generator)
    heard.client = wrap(client)  # type: ignore[attr-defined]
    return heard
