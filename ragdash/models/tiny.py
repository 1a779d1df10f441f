"""Model folders of 150 kB for tests: two layers, one token a character, random weights by seed.

Opened by the real classes through `path:DIR`, so that a test runs the code that a real model runs.
Texts that share characters come out alike, and that is all they know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ragdash.models import folder as write
from ragdash.models.folder import BertSizes, SpecialTokens

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.models.base import FloatArray

_SPECIAL = SpecialTokens(start="[CLS]", end="[SEP]", pad="[PAD]", unknown="[UNK]")
_ASCII = "".join(map(chr, range(33, 127)))
_HAN = "年月日元亿万千百营业收入净利润归母扣非报告公司分部产品地区毛利率研发费用现金流量总额是多少"
_ALPHABET = sorted(set(_ASCII + _HAN))
_LENGTH = 128


def write_tiny_embedder(folder: Path, seed: int = 0) -> Path:
    """Write a SentenceTransformer of 32 dimensions into a new folder, and return the folder."""
    folder.mkdir(parents=True)
    sizes = _write_tokenizer(folder)
    write.write_config(folder, sizes, "BertModel")
    write.write_tensors(folder, _tensors(sizes, seed))
    write.write_sentence_modules(folder, sizes.hidden, _LENGTH, {"query": "q: ", "document": "p: "})
    return folder


def write_tiny_reranker(folder: Path, seed: int = 0) -> Path:
    """Write a CrossEncoder with one output into a new folder, and return the folder."""
    folder.mkdir(parents=True)
    sizes = _write_tokenizer(folder)
    write.write_config(folder, sizes, "BertForSequenceClassification", id2label={"0": "LABEL_0"})
    random = np.random.default_rng(seed + 1)
    tensors = {f"bert.{name}": array for name, array in _tensors(sizes, seed).items()}
    tensors["classifier.weight"] = random.normal(0, 1, (1, sizes.hidden)).astype(np.float32)
    tensors["classifier.bias"] = np.zeros(1, np.float32)
    write.write_tensors(folder, tensors)
    return folder


def _write_tokenizer(folder: Path) -> BertSizes:
    from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, processors
    from tokenizers import pre_tokenizers as pre

    names = (_SPECIAL.pad, _SPECIAL.unknown, _SPECIAL.start, _SPECIAL.end)
    vocabulary = {token: i for i, token in enumerate([*names, *_ALPHABET])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=_SPECIAL.unknown))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre.Split(Regex("."), "isolated")
    tokenizer.add_special_tokens([AddedToken(name, normalized=False) for name in names])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(n, vocabulary[n]) for n in (_SPECIAL.start, _SPECIAL.end)],
    )
    write.write_tokenizer(folder, tokenizer, _SPECIAL, _LENGTH)
    return BertSizes(32, 2, 2, 64, _LENGTH, 2, 1e-12, len(vocabulary), vocabulary[_SPECIAL.pad])


def _tensors(sizes: BertSizes, seed: int) -> dict[str, FloatArray]:
    random = np.random.default_rng(seed)
    hidden, wide = sizes.hidden, sizes.feed_forward
    found: dict[str, FloatArray] = {}

    def linear(name: str, rows: int, columns: int) -> None:
        found[f"{name}.weight"] = random.normal(0, 0.1, (rows, columns)).astype(np.float32)
        found[f"{name}.bias"] = np.zeros(rows, np.float32)

    def norm(name: str) -> None:
        found[f"{name}.weight"] = np.ones(hidden, np.float32)
        found[f"{name}.bias"] = np.zeros(hidden, np.float32)

    tables = ("word", sizes.vocabulary), ("position", _LENGTH), ("token_type", sizes.token_types)
    for name, rows in tables:
        # words weigh most, so that a vector is chiefly the characters of its text
        spread = 1.0 if name == "word" else 0.02
        table = random.normal(0, spread, (rows, hidden)).astype(np.float32)
        found[f"embeddings.{name}_embeddings.weight"] = table
    norm("embeddings.LayerNorm")
    for layer in range(sizes.layers):
        at = f"encoder.layer.{layer}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            linear(f"{at}.attention.{part}", hidden, hidden)
        norm(f"{at}.attention.output.LayerNorm")
        linear(f"{at}.intermediate.dense", wide, hidden)
        linear(f"{at}.output.dense", hidden, wide)
        norm(f"{at}.output.LayerNorm")
    linear("pooler.dense", hidden, hidden)
    return found
