"""What a run declares: every field that bears on its answers, by the factor that it belongs to.

Runs of older ragdash say less. Of the models they hold the identity (a digest over the weights)
since long; documents, parser and gates have their own entries since 2026-12.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from ragdash.core.fingerprint import digest
from ragdash.core.retrieval import Mode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragdash.core.call import Endpoint
    from ragdash.core.run import Imported, RunInfo

UNKNOWN = "?"
# Text of each declared field; None where the run does not say.
Values: TypeAlias = "Mapping[str, str | None]"

_ENDPOINT = ("base_url", "model", "temperature", "seed", "max_tokens")
FACTORS: dict[str, tuple[str, ...]] = {
    "mode": ("mode",),
    "system": ("system", "system_version"),
    "ingest": ("documents", "parser", "corpus", "corpus_digest"),
    "chunking": ("chunking",),
    "embedding": ("models.dense", "models.dense.weights"),
    "fusion": (
        *("candidates_dense", "candidates_bm25", "bm25", "rrf_k", "weights"),
        *("candidates_rerank", "fusion"),
    ),
    "filter": ("filter",),
    "query": ("query",),
    "reranker": ("models.reranker", "models.reranker.weights"),
    "top_k": ("top_k",),
    "prompt": ("prompts",),
    "generator": ("generator.kind", *(f"generator.{n}" for n in _ENDPOINT), "generator.level"),
}
# Fields that runs of before 2026-12, or of before a model had a digest, do not hold.
UNRECORDED = frozenset({"documents", "parser", "models.dense.weights", "models.reranker.weights"})
# Other fields are used by every mode; what a mode does not use cannot be its factor.
_FUSED = frozenset({Mode.HYBRID, Mode.RERANK})
USED_BY = {
    **dict.fromkeys(("candidates_bm25", "bm25", "rrf_k", "weights"), _FUSED),
    **dict.fromkeys(
        ("candidates_rerank", "models.reranker", "models.reranker.weights"),
        frozenset({Mode.RERANK}),
    ),
}
_SHORT = 12
OURS = "ragdash"
# What another system declares, by the name that stands for the same of ours; None where it is none.
_GIVEN_AS = {
    "embedding": "models.dense",
    "reranker": "models.reranker",
    "prompt_version": "prompts",
    "generator": "generator.kind",
}
_GIVEN = (
    *("system", "system_version", "corpus", "corpus_digest", "parser", "chunking", "embedding"),
    *("fusion", "filter", "query", "reranker", "top_k", "prompt_version", "generator"),
)


def declared(info: RunInfo, mode: Mode) -> Values:
    """Return what one mode of a run declares, without what the mode does not use."""
    if info.config.imported is not None:
        return _given(info.config.imported, mode)
    retrieval = info.config.retrieval
    corpus = _dict(info.environment.get("corpus"))
    found: dict[str, str | None] = {
        "mode": mode.value,
        "system": OURS,
        "documents": _optional(corpus.get("documents")),
        "parser": _optional(corpus.get("reader")),
        "corpus_digest": info.corpus_digest,
        "chunking": info.config.corpus.chunking,
        "models.dense": info.config.models.dense,
        "models.dense.weights": _weights(info, "dense"),
        "models.reranker": info.config.models.reranker,
        "models.reranker.weights": _weights(info, "reranker"),
        "weights": ", ".join(f"{w:g}" for w in retrieval.weights),
        **{
            name: str(getattr(retrieval, name))
            for name in ("candidates_dense", "candidates_bm25", "bm25", "rrf_k")
        },
        "candidates_rerank": str(retrieval.candidates_rerank),
        "filter": retrieval.filter,
        "query": retrieval.query,
        "top_k": str(retrieval.top_k),
        **_generator(info),
    }
    return {
        field: value
        for field, value in found.items()
        if mode in USED_BY.get(field, frozenset(Mode))
    }


def _given(imported: Imported, mode: Mode) -> Values:
    """Return what the file of another system says of it; all else is unknown, not a default."""
    told = {_GIVEN_AS.get(name, name): imported.facts.get(name) for name in _GIVEN}
    return {"mode": mode.value, **told}


def _generator(info: RunInfo) -> dict[str, str | None]:
    config = info.config.generator
    return {
        "generator.kind": config.kind,
        **{f"generator.{name}": value for name, value in _asked(config.endpoint).items()},
        "generator.level": _level(info, "generator"),
        "prompts": _prompts(info, "generator"),
    }


def _asked(endpoint: Endpoint | None) -> dict[str, str]:
    if endpoint is None:
        return dict.fromkeys(_ENDPOINT, "")
    values = {name: getattr(endpoint, name) for name in _ENDPOINT}
    return {name: "unset" if value is None else str(value) for name, value in values.items()}


def _weights(info: RunInfo, role: str) -> str | None:
    """Return what makes a model the same wherever it lies: weights, dimension, length of input."""
    known = _dict(_dict(info.environment.get("models")).get(role))
    if not known.get("digest"):
        return None
    kind, _, value = str(known["digest"]).partition(":")
    shape = [str(known[n]) for n in ("dimension", "max_length") if known.get(n) is not None]
    return " ".join([f"{kind}:{value[:_SHORT]}", *shape])


def _level(info: RunInfo, role: str) -> str:
    models = _dict(_dict(info.environment.get("models")).get(role))
    probed = _dict(_dict(_dict(info.environment.get("endpoints")).get(role)).get("probe"))
    return str(models.get("level") or probed.get("level") or "")


def _prompts(info: RunInfo, role: str) -> str:
    for part in ("models", "endpoints"):
        prompts = _dict(_dict(info.environment.get(part)).get(role)).get("prompts")
        if prompts:
            return digest(prompts)[: len("sha256:") + _SHORT]
    return ""


def judge_of(info: RunInfo) -> Mapping[str, str]:
    """Return who gave the signals and how it was asked; equal where it is the same judge.

    Repeats are no part of it: they tell how well a value is known. The embedder behind similarity
    is none either, it is the run's own.
    """
    judge = info.config.judge
    return {
        "kind": judge.kind,
        **_asked(judge.endpoint),
        "level": _level(info, "judge"),
        "prompts": _prompts(info, "judge"),
    }


def is_self_judged(info: RunInfo) -> bool:
    """Whether the generator judged its own answers."""
    both = (info.config.generator.endpoint, info.config.judge.endpoint)
    same = all(both) and len({(e.base_url, e.model) for e in both if e}) == 1
    return info.environment.get("self_judged") is True or same


def gates_of(base: RunInfo, other: RunInfo) -> tuple[str, str]:
    """Return what decided the verdicts of two runs, told the same way on both sides.

    Before 2026-12 a run has only the digest of the whole code; "" where it has not even that.
    """
    for name in ("gates", "code"):
        found = tuple(_optional(info.environment.get(name)) for info in (base, other))
        if all(found):
            return str(found[0]), str(found[1])
    return "", ""


def code_of(info: RunInfo) -> str:
    """Return the version of ragdash, or the other system, that made the answers.

    Of ours its number, commit and digest.
    """
    if info.config.imported is not None:
        facts = info.config.imported.facts
        named = (str(facts.get(name) or "") for name in ("system", "system_version"))
        return " ".join(part for part in named if part) or UNKNOWN
    rescored = _dict(info.environment.get("rescored"))
    made = _dict(rescored.get("answers_by")) or info.environment
    parts = [str(made.get(name) or "") for name in ("ragdash", "commit", "code")]
    parts[2] = parts[2].removeprefix("sha256:")[:_SHORT]
    return " ".join(part for part in parts if part)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _optional(value: Any) -> str | None:
    return None if value in (None, "") else str(value)
