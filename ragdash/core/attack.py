"""A fixture with its key, what a policy may see of it, and what the policy did."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class AttackChunk:
    """One retrieved passage of a fixture; `trusted` is part of the answer key."""

    id: str
    text: str
    trusted: bool
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AttackCase:
    """One fixture with its answer key (attack.md section 4)."""

    id: str
    attack_class: str
    query: str
    chunks: tuple[AttackChunk, ...]
    answerable: bool
    fault: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ViewChunk:
    """A passage as a policy sees it; `trusted` is what the run derived or was told to take."""

    id: str
    text: str
    trusted: bool


@dataclass(frozen=True, slots=True)
class PolicyView:
    """All a policy may read: class, answerable and fault do not exist here."""

    query: str
    chunks: tuple[ViewChunk, ...]


@dataclass(frozen=True, slots=True)
class PolicyOutput:
    """What a policy answered and cited; `citations` are chunk ids."""

    answer: str
    citations: tuple[str, ...]
    refused: bool
    actions: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    fired: tuple[str, ...] = ()
