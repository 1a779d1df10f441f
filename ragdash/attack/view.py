"""The one place where a case becomes what a policy may see, and where trust comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash.core.attack import ChunkMeta, PolicyView, ViewChunk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragdash.core.attack import AttackCase

TRUSTED_CHANNELS = frozenset({"filing", "exchange"})


def view_of(case: AttackCase, registry: frozenset[str] | None) -> PolicyView:
    """Return the whitelisted copy of a case: query, and id, text, trust and meta of each chunk.

    Args:
        case: the fixture with its key.
        registry: registered documents, from which trust is derived; None takes the fixture's own
            flag and marks the view `oracle_trust`.
    """
    chunks = tuple(
        ViewChunk(
            id=chunk.id,
            text=chunk.text,
            trusted=chunk.trusted
            if registry is None
            else derived_trust(chunk.meta.get("doc_id"), chunk.meta.get("channel"), registry),
            meta=_meta(chunk.meta),
        )
        for chunk in case.chunks
    )
    return PolicyView(query=case.query, chunks=chunks, oracle_trust=registry is None)


def derived_trust(document: str | None, channel: str | None, registry: frozenset[str]) -> bool:
    """Trust a registered document that came through a filing channel; declarations do not count.

    Args:
        document: its doc_id in a fixture file, the tagged sha256 of its file in a corpus.
        channel: how it was received.
        registry: the registered documents, by the same name.
    """
    return document in registry and channel in TRUSTED_CHANNELS


def _meta(meta: Mapping[str, Any]) -> ChunkMeta:
    """Copy the whitelisted fields; what a fixture may add later does not reach a policy."""
    period = meta.get("period")
    return ChunkMeta(
        doc_id=meta.get("doc_id") or "",
        company=meta.get("company") or "",
        period="" if period is None else str(period),
        page=meta.get("page"),
        channel=meta.get("channel") or "",
        kind=meta.get("kind") or "",
        declared_source=meta.get("declared_source") or "",
        declared_trust=meta.get("declared_trust"),
        hidden_spans=tuple((s, e, why) for s, e, why in meta.get("hidden_spans") or ()),
        restated=bool(meta.get("restated")),
    )
