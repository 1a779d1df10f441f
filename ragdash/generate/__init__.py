"""Generators: question and visible chunks in, an answer under the contract out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.generate.endpoint import EndpointGenerator
from ragdash.generate.extractive import ExtractiveGenerator

if TYPE_CHECKING:
    from collections.abc import Callable

    from ragdash.generate.base import Generator
    from ragdash.llm.base import ChatClient

__all__ = ["EndpointGenerator", "ExtractiveGenerator", "heard_by"]


def heard_by(generator: Generator, wrap: Callable[[ChatClient], ChatClient]) -> Generator:
    """Return the generator with its chat client wrapped; the same one where it asks none."""
    if isinstance(generator, EndpointGenerator):
        return EndpointGenerator(wrap(generator.client), generator.level)
    return generator
