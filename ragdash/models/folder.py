"""Writes model folders that sentence-transformers and transformers open as their own.

Only numpy, safetensors and tokenizers are needed to write one: no torch, and no import of seconds.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt
    from tokenizers import Tokenizer

    from ragdash.models.base import FloatArray


@dataclass(frozen=True, slots=True)
class BertSizes:
    """The sizes of a BertModel; `pad` is the id of the padding token."""

    hidden: int
    layers: int
    heads: int
    feed_forward: int
    max_positions: int
    token_types: int
    layer_norm_eps: float
    vocabulary: int
    pad: int


@dataclass(frozen=True, slots=True)
class SpecialTokens:
    """The tokens with a meaning of their own; `split` reads them in a text as plain characters."""

    start: str
    end: str
    pad: str
    unknown: str
    split: bool = True


def write_config(folder: Path, sizes: BertSizes, architecture: str, **more: Any) -> None:
    """Write config.json, which says to transformers what the weights are."""
    _write_json(
        folder / "config.json",
        {
            "architectures": [architecture],
            "model_type": "bert",
            "dtype": "float16",
            "hidden_act": "gelu",
            "hidden_size": sizes.hidden,
            "intermediate_size": sizes.feed_forward,
            "layer_norm_eps": sizes.layer_norm_eps,
            "max_position_embeddings": sizes.max_positions,
            "num_attention_heads": sizes.heads,
            "num_hidden_layers": sizes.layers,
            "pad_token_id": sizes.pad,
            "type_vocab_size": sizes.token_types,
            "vocab_size": sizes.vocabulary,
            **more,
        },
    )


def write_tensors(folder: Path, tensors: dict[str, FloatArray]) -> None:
    """Write model.safetensors in float16: half the disk, and loaded as float32."""
    from safetensors.numpy import save_file

    halves: dict[str, npt.NDArray[np.float16]] = {
        name: np.ascontiguousarray(array, np.float16) for name, array in tensors.items()
    }
    save_file(halves, folder / "model.safetensors", metadata={"format": "pt"})


def write_tokenizer(
    folder: Path, tokenizer: Tokenizer, special: SpecialTokens, max_length: int
) -> None:
    """Write tokenizer.json and what transformers wants to know beside it."""
    tokenizer.save(str(folder / "tokenizer.json"))
    _write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": max_length,
            "split_special_tokens": special.split,
            "bos_token": special.start,
            "cls_token": special.start,
            "eos_token": special.end,
            "sep_token": special.end,
            "pad_token": special.pad,
            "unk_token": special.unknown,
        },
    )


def write_sentence_modules(
    folder: Path, hidden: int, max_length: int, prompts: dict[str, str]
) -> None:
    """Write what makes it a SentenceTransformer: mean pooling, unit length and its prompts."""
    modules = ("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize")
    _write_json(
        folder / "modules.json",
        [
            {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
            for i, (path, kind) in enumerate(modules)
        ],
    )
    (folder / "2_Normalize").mkdir()
    (folder / "1_Pooling").mkdir()
    _write_json(
        folder / "1_Pooling" / "config.json",
        {"word_embedding_dimension": hidden, "pooling_mode_mean_tokens": True},
    )
    _write_json(
        folder / "sentence_bert_config.json",
        {"max_seq_length": max_length, "do_lower_case": False},
    )
    _write_json(
        folder / "config_sentence_transformers.json",
        {"prompts": prompts, "default_prompt_name": None, "similarity_fn_name": "cosine"},
    )


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2), encoding="utf-8")
