"""The one place where a case becomes what a policy may see, and where trust comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.core.attack import PolicyView, ViewChunk

if TYPE_CHECKING:
    from ragdash.core.attack import AttackCase, AttackChunk

_TRUSTED_CHANNELS = frozenset({"filing", "exchange"})


def view_of(case: AttackCase, registry: frozenset[str] | None) -> PolicyView:
    """Return the whitelisted copy of a case: query, and the id, text and trust of each chunk.

    Args:
        case: the fixture with its key.
        registry: registered doc_ids, from which trust is derived; None takes the fixture's own
            flag and marks the view `oracle_trust`.
    """
    chunks = tuple(
        ViewChunk(
            id=chunk.id,
            text=chunk.text,
            trusted=chunk.trusted if registry is None else _derived_trust(chunk, registry),
        )
        for chunk in case.chunks
    )
    return PolicyView(query=case.query, chunks=chunks, oracle_trust=registry is None)


def _derived_trust(chunk: AttackChunk, registry: frozenset[str]) -> bool:
    """Trust a registered document that came through a filing channel; declarations do not count."""
    registered = chunk.meta.get("doc_id") in registry
    return registered and chunk.meta.get("channel") in _TRUSTED_CHANNELS
