"""`load_embedder` and `load_reranker`: from a spec to a model that can be used.

Loaded in float32, never with trust_remote_code, from a folder that is already here; nothing reaches
the network but an endpoint that the user named.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from ragdash.core.errors import ModelNotFound
from ragdash.models import joint, maxsim
from ragdash.models.base import ModelIdentity
from ragdash.models.endpoint import EndpointEmbedder, EndpointReranker, is_endpoint
from ragdash.models.maxsim import MaxSimReranker
from ragdash.models.pairs import PairReranker
from ragdash.models.sentence import SentenceEmbedder
from ragdash.models.spec import JOINT, MAXSIM, ResolvedModel, Role, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ragdash.models.base import Embedder, Reranker

THREADS = min(2, os.cpu_count() or 1)
_LIBRARIES = ("sentence-transformers", "torch", "transformers", "tokenizers")


def load_embedder(spec: str) -> Embedder:
    """Return the embedder of a spec; 1 s for e5-small, 7 s more for the first import of torch.

    Raises:
        ConfigError: the text is no spec.
        ModelNotFound: it cannot be resolved, or the folder holds no SentenceTransformer.
        EnvironmentError_: an endpoint without a key, out of reach, or no embedder.
    """
    if is_endpoint(spec):
        return EndpointEmbedder(spec)
    resolved = resolve(Role.EMBEDDER, spec)
    _refuse_other_role(resolved)
    with _opening(resolved):
        import torch
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(
            str(resolved.folder), local_files_only=True, model_kwargs={"dtype": torch.float32}
        )
        dimension = model.get_embedding_dimension()
    identity = _identity(resolved, resolved.digest, dimension, model.max_seq_length)
    return SentenceEmbedder(model, identity)


def load_reranker(spec: str) -> Reranker:
    """Return the reranker of a spec; 1 s for those over e5-small.

    Raises:
        ConfigError: the text is no spec.
        ModelNotFound: it cannot be resolved, or the folder holds no CrossEncoder with one output.
    """
    if is_endpoint(spec):
        return EndpointReranker(spec)
    resolved = resolve(Role.RERANKER, spec)
    _refuse_other_role(resolved)
    with _opening(resolved):
        if resolved.name == MAXSIM:
            vectors = maxsim.load_maxsim(resolved.folder)
            identity = _identity(resolved, maxsim.DIGEST, None, vectors.max_seq_length)
            return MaxSimReranker(vectors, identity)
        if resolved.name == JOINT:
            model = joint.load_joint(resolved.folder)
            identity = _identity(resolved, joint.DIGEST, None, model.max_seq_length)
            return PairReranker(model, identity, joint.PROMPTS)
        return _cross_encoder(resolved)


def _refuse_other_role(resolved: ResolvedModel) -> None:
    """Refuse a folder that would open as this role, but with a head of random numbers.

    Raises:
        ModelNotFound: a reranker's folder is named as the embedder, or the other way round.
    """
    if resolved.name:
        return
    scores_pairs = _scores_pairs(resolved.folder)
    if scores_pairs != (resolved.role is Role.RERANKER):
        pairs, vectors = "scores pairs of texts", "turns texts into vectors"
        has, needs = (pairs, vectors) if scores_pairs else (vectors, pairs)
        raise ModelNotFound(
            f"the {resolved.role} {resolved.spec!r} cannot be used: the model in {resolved.folder} "
            f"{has}, and one that {needs} is needed"
        )


def _scores_pairs(folder: Path) -> bool:
    saved_as = _json(folder / "config_sentence_transformers.json").get("model_type")
    if saved_as == "CrossEncoder" or (folder / "modules.json").is_file():
        return bool(saved_as == "CrossEncoder")
    architectures = _json(folder / "config.json").get("architectures") or []
    return any(
        str(name).endswith(("ForSequenceClassification", "ForCausalLM")) for name in architectures
    )


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        # missing is allowed for each of them; what is damaged is reported when it is opened
        return {}
    return value if isinstance(value, dict) else {}


def _cross_encoder(resolved: ResolvedModel) -> Reranker:
    import torch
    from sentence_transformers import CrossEncoder

    model = CrossEncoder(
        str(resolved.folder),
        local_files_only=True,
        activation_fn=torch.nn.Identity(),
        model_kwargs={"dtype": torch.float32},
    )
    if model.num_labels != 1:
        raise ModelNotFound(
            f"the reranker {resolved.spec!r} has {model.num_labels} outputs for a pair where a "
            "reranker has one: name a model trained for reranking"
        )
    identity = _identity(resolved, resolved.digest, None, model.max_seq_length)
    return PairReranker(model, identity)


def _identity(
    resolved: ResolvedModel, digest: str, dimension: int | None, max_length: int | None
) -> ModelIdentity:
    return ModelIdentity(
        role=str(resolved.role),
        spec=resolved.spec,
        path=str(resolved.folder),
        digest=digest,
        dimension=dimension,
        max_length=int(max_length or 0),
        versions={name: version(name) for name in _LIBRARIES},
    )


@contextmanager
def _opening(resolved: ResolvedModel) -> Iterator[None]:
    """Load in silence, on few threads, and turn what the libraries raise into one sentence."""
    import torch
    from safetensors import SafetensorError
    from transformers.utils.logging import (
        disable_progress_bar,
        enable_progress_bar,
        is_progress_bar_enabled,
    )

    torch.set_num_threads(THREADS)
    shown = is_progress_bar_enabled()
    disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        ImportError,
        RuntimeError,
        SafetensorError,
    ) as error:
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise ModelNotFound(
            f"the {resolved.role} {resolved.spec!r} cannot be opened from {resolved.folder} "
            f"({reason[0]}): name a folder that sentence-transformers can load"
        ) from error
    finally:
        if shown:
            enable_progress_bar()  # type: ignore[no-untyped-call]
