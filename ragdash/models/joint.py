"""e5-joint: a CrossEncoder over e5-small whose score is a MaxSim inside the jointly encoded pair.

Query and passage are encoded together, `<s> query </s></s> passage </s>`, so that each sees the
other; the score is the mean, over the query's tokens, of the best cosine with a passage token,
times a learned scale, plus a learned linear term on the two mean vectors. A LoRA adapter (r = 8)
trained on generated pairs is merged into the weights when it is loaded: data/models/e5-joint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash import shipped
from ragdash.core.errors import ModelNotFound
from ragdash.core.fingerprint import digest, digest_file
from ragdash.models import e5
from ragdash.models.pairs import Prompts

if TYPE_CHECKING:
    from pathlib import Path

    from sentence_transformers import CrossEncoder
    from torch import Tensor, nn

ADAPTER_DIGEST = "sha256:9a5faa4c3d9d692c2eda04ebc77c188ef6ae583136eca8975958870be3a818c2"
DIGEST = digest({"base": e5.DIGEST, "adapter": ADAPTER_DIGEST})
PROMPTS = Prompts(query=e5.PROMPTS["query"], passage=e5.PROMPTS["document"])
# alpha / r of the adapter's training
LORA_SCALE = 2.0


def adapter_file() -> Path:
    """Return where the adapter lies, or belongs."""
    return shipped.root() / "data" / "models" / "e5-joint" / "adapter.safetensors"


def load_joint(folder: Path) -> CrossEncoder:
    """Return the CrossEncoder over a folder of e5-small, with the adapter merged; about 1 s.

    Raises:
        ModelNotFound: the adapter is missing or is not the pinned file.
    """
    adapter = adapter_file()
    if not adapter.is_file() or digest_file(adapter) != ADAPTER_DIGEST:
        raise ModelNotFound(
            f"the reranker e5-joint needs its adapter with {ADAPTER_DIGEST} at {adapter}, which is "
            "missing or another file: restore it from the repository, or use embedded:e5-maxsim"
        )
    return with_adapter(folder, adapter)


def with_adapter(folder: Path, adapter_file: Path) -> CrossEncoder:
    """Return the CrossEncoder over a folder of e5-small with any adapter file, pinned or not.

    Built from modules in code: a module class named in modules.json would need trust_remote_code.
    """
    import torch
    from safetensors.torch import load_file
    from sentence_transformers import CrossEncoder

    adapter = {name: tensor.float() for name, tensor in load_file(adapter_file).items()}
    encoder, head = joint_modules(folder)
    merge(encoder.model, adapter)
    head.load_state_dict(
        {"scale": adapter["scale"], "h.weight": adapter["h.weight"], "h.bias": adapter["h.bias"]}
    )
    model: CrossEncoder = CrossEncoder(modules=[encoder, head], activation_fn=torch.nn.Identity())
    return model


def joint_modules(folder: Path) -> tuple[Any, Any]:
    """Return the encoder of a folder of e5-small and an untrained head: what is trained."""
    import torch
    from sentence_transformers.base.modules import Transformer

    encoder = Transformer(
        str(folder),
        transformer_task="feature-extraction",
        model_kwargs={"dtype": torch.float32, "local_files_only": True},
        processor_kwargs={"local_files_only": True},
        config_kwargs={"local_files_only": True},
    )
    # CrossEncoder asks the encoder, which has no head, how many scores there are
    encoder.model.config.num_labels = 1
    return encoder, joint_maxsim(encoder.get_embedding_dimension(), encoder.tokenizer.sep_token_id)


def merge(encoder: nn.Module, adapter: dict[str, Tensor]) -> int:
    """Add each low-rank pair of the adapter to its weight and return how many there were.

    Raises:
        KeyError: the encoder has no layer of that name.
    """
    layers: dict[str, Any] = dict(encoder.named_modules())
    names = [key.removesuffix(".A") for key in adapter if key.endswith(".A")]
    for name in names:
        weight = layers[name.removeprefix("bert.")].weight
        weight.data += LORA_SCALE * (adapter[f"{name}.B"] @ adapter[f"{name}.A"])
    return len(names)


def joint_maxsim(hidden: int, separator: int) -> nn.Module:
    """Return the scoring module for token embeddings of `hidden` dimensions.

    It reads `token_embeddings`, `input_ids` and `attention_mask` and writes `scores`, (batch, 1).
    A function, because the class needs torch, which takes seconds to import.
    """
    import torch
    from sentence_transformers.base.modules import Module
    from torch.nn.functional import normalize

    class JointMaxSim(Module):
        def __init__(self) -> None:
            super().__init__()  # type: ignore[no-untyped-call]
            self.scale = torch.nn.Parameter(torch.tensor(20.0))
            self.h = torch.nn.Linear(2 * hidden, 1)

        def forward(self, features: dict[str, Any], **_: Any) -> dict[str, Any]:
            tokens = features["token_embeddings"]
            query, passage = pair_masks(
                features["input_ids"], features["attention_mask"], separator
            )
            unit = normalize(tokens, dim=-1)
            best = torch.bmm(unit, unit.transpose(1, 2)).masked_fill(~passage[:, None, :], -1.0)
            weights = query / query.sum(1, keepdim=True).clamp(min=1)
            maxsim = (best.max(-1).values * weights).sum(1, keepdim=True)
            q, p = (normalize(_mean(tokens, mask), dim=-1) for mask in (query, passage))
            features["scores"] = self.scale * maxsim + self.h(torch.cat([q * p, (q - p).abs()], -1))
            return features

        def save(self, output_path: str, *_: Any, **__: Any) -> None:
            raise NotImplementedError(f"kept as its adapter, not as a folder: {output_path}")

    return JointMaxSim()


def pair_masks(ids: Tensor, attention: Tensor, separator: int) -> tuple[Tensor, Tensor]:
    """Return which tokens are the query's and which the passage's, (batch, length), boolean.

    The query stands between the first token and the first separator; the passage starts after the
    second and keeps the closing separator, as in training.
    """
    import torch

    real = attention.bool()
    first = (ids == separator).float().argmax(1, keepdim=True)
    position = torch.arange(ids.shape[1], device=ids.device)[None]
    query = (position > 0) & (position < first) & real
    passage = (position > first + 1) & real
    return query, passage


def _mean(tokens: Tensor, mask: Tensor) -> Tensor:
    count = mask.sum(1, keepdim=True).clamp(min=1)
    return (tokens * mask[..., None]).sum(1) / count
