"""Both indexes of a corpus, on disk and opened again.

```
<corpus>/index/words/<chunks>-<tokenizer>/     tokens and BM25 columns
<corpus>/index/vectors/<model key>/model.json  which model made the vectors beside it
<corpus>/index/vectors/<model key>/<chunks>/   vectors.npy, keys.npy
<corpus>/index/vectors/<model key>/blocks/     finished parts of an embedding that goes on
```
`<chunks>` is a digest of the chunks' ids and indexed texts, so that an index never answers for
other chunks than its own. Each folder is staged and renamed; the older ones go once it is in place.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ragdash.core.errors import InputError, StoreError, StoreLocked
from ragdash.core.fingerprint import digest
from ragdash.index.arrays import mapped
from ragdash.index.bm25 import Bm25, Postings, bm25
from ragdash.index.dense import DenseIndex
from ragdash.index.embeddings import (
    KEYS,
    VECTORS,
    KnownVectors,
    embed_missing,
    text_key,
    write_keys,
)
from ragdash.index.tokenize import VERSION as TOKENS
from ragdash.models.base import ModelIdentity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.models.base import Embedder, Progress


@dataclass(frozen=True, slots=True)
class CorpusIndex:
    """The chunks of a corpus with their two indexes; a position counts chunks from 0.

    `embedded` is how many texts had to be embedded when it was built: 0 where all were known.
    """

    chunks: tuple[Chunk, ...]
    identity: ModelIdentity
    dense: DenseIndex
    postings: Postings
    embedded: int = 0
    _variants: dict[str, Bm25] = field(default_factory=dict, repr=False, compare=False)

    def bm25(self, variant: str) -> Bm25:
        """Return BM25 in a variant, made on first use.

        Raises:
            ConfigError: there is no such variant.
        """
        if variant not in self._variants:
            self._variants[variant] = bm25(self.postings, variant)
        return self._variants[variant]


def build_index(
    corpus_dir: Path,
    chunks: Sequence[Chunk],
    embedder: Embedder,
    on_progress: Progress | None = None,
) -> CorpusIndex:
    """Build what is not there yet of both indexes, and return them opened.

    A text that this model has embedded before is not embedded again. A call that was killed goes on
    from its last finished block. `on_progress(done, total)` counts the texts to be embedded.

    Raises:
        StoreError: the folder cannot be written, or a file in it is damaged.
        StoreLocked: another process is building an index of this corpus.
    """
    name = chunks_name(chunks)
    home = _vectors(corpus_dir) / embedder.identity.key
    try:
        with _alone(corpus_dir):
            _build_words(_words(corpus_dir, name), chunks)
            embedded = _build_vectors(home / name, chunks, embedder, on_progress)
    except OSError as error:
        raise StoreError(
            f"the index of the corpus {corpus_dir} cannot be written ({error}): "
            "make room there, or ingest into another folder"
        ) from error
    return _opened(corpus_dir, name, chunks, embedder.identity, embedded)


def open_index(corpus_dir: Path, chunks: Sequence[Chunk], identity: ModelIdentity) -> CorpusIndex:
    """Return the index of a corpus, memory-mapped.

    Raises:
        InputError: there is none, or it was made by another model than `identity`, or for other
            chunks.
        StoreError: a file of it is damaged.
    """
    made = _models(corpus_dir)
    if not made:
        raise InputError(
            f"the corpus {corpus_dir} has no index: ingest its manifest with --corpus {corpus_dir}"
        )
    if identity.key not in made:
        names = " and ".join(str(model) for model in made.values())
        raise InputError(
            f"the corpus {corpus_dir} was embedded by {names}, the run asks for {identity}: ingest "
            f"again with [models] dense = {identity.spec!r}, or name the corpus's own model"
        )
    return _opened(corpus_dir, chunks_name(chunks), chunks, identity, 0)


def extended(index: CorpusIndex, chunks: Sequence[Chunk], embedder: Embedder) -> CorpusIndex:
    """Return a copy of an index, in memory, with more chunks behind its own; nothing is written.

    Only the new chunks are embedded and tokenised. BM25 is over all chunks, as its statistics are.

    Raises:
        InputError: the embedder is not the one of the index.
    """
    if embedder.identity.key != index.identity.key:
        raise InputError(
            f"the corpus was embedded by {index.identity}, and more chunks cannot be by "
            f"{embedder.identity}: load the model that the corpus was ingested with"
        )
    if not chunks:
        return index
    texts = [chunk.indexed_text for chunk in chunks]
    return CorpusIndex(
        (*index.chunks, *chunks),
        index.identity,
        index.dense.extended(embedder.encode_passages(texts)),
        index.postings.extended(texts),
        len(texts),
    )


def chunks_name(chunks: Sequence[Chunk]) -> str:
    """Return the name of an index folder: 16 hexadecimal digits over ids and indexed texts."""
    pairs = [[chunk.chunk_id, text_key(chunk.indexed_text).hex()] for chunk in chunks]
    return digest(pairs).removeprefix("sha256:")[:16]


def _words(corpus_dir: Path, name: str) -> Path:
    return corpus_dir / "index" / "words" / f"{name}-{TOKENS}"


def _vectors(corpus_dir: Path) -> Path:
    return corpus_dir / "index" / "vectors"


def _models(corpus_dir: Path) -> dict[str, ModelIdentity]:
    """Return the models that have embedded this corpus, by key."""
    found = {}
    for path in sorted(_vectors(corpus_dir).glob("*/model.json")):
        if next(path.parent.glob(f"*/{VECTORS}"), None) is None:
            continue
        try:
            found[path.parent.name] = ModelIdentity(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as error:
            raise StoreError(
                f"{path} cannot be read ({error}): remove {path.parent} and ingest again"
            ) from error
    return found


def _build_words(target: Path, chunks: Sequence[Chunk]) -> None:
    if not target.is_dir():
        with _staged(target) as folder:
            Postings.build(chunk.indexed_text for chunk in chunks).save(folder)
    _drop_others(target)


def _build_vectors(
    target: Path, chunks: Sequence[Chunk], embedder: Embedder, on_progress: Progress | None
) -> int:
    if target.is_dir():
        return 0
    home, identity = target.parent, embedder.identity
    known = KnownVectors(home, identity.dimension or 0)
    texts = [chunk.indexed_text for chunk in chunks]
    embedded = embed_missing(known, texts, embedder, on_progress)
    keys = [text_key(text) for text in texts]
    home.mkdir(parents=True, exist_ok=True)
    described = home / f".model.{os.getpid()}"
    described.write_text(json.dumps(asdict(identity), ensure_ascii=False), encoding="utf-8")
    described.replace(home / "model.json")
    with _staged(target) as folder:
        known.write_gathered(folder / VECTORS, keys)
        write_keys(folder / KEYS, keys)
    known.drop_blocks()
    _drop_others(target)
    return embedded


def _opened(
    corpus_dir: Path, name: str, chunks: Sequence[Chunk], identity: ModelIdentity, embedded: int
) -> CorpusIndex:
    words = _words(corpus_dir, name)
    vectors = _vectors(corpus_dir) / identity.key / name
    if not words.is_dir() or not vectors.is_dir():
        raise InputError(
            f"the index of the corpus {corpus_dir} was made for other chunks than it has now: "
            "ingest its manifest again"
        )
    try:
        postings = Postings.load(words)
        array = mapped(vectors / VECTORS)
    except (OSError, ValueError, EOFError) as error:
        raise StoreError(
            f"the index of the corpus {corpus_dir} is damaged ({error}): remove "
            f"{corpus_dir / 'index'} and ingest again"
        ) from error
    return CorpusIndex(tuple(chunks), identity, DenseIndex(array), postings, embedded)


@contextmanager
def _alone(corpus_dir: Path) -> Iterator[None]:
    """Hold the lock of a corpus's index; the system releases it when the process ends, however."""
    home = corpus_dir / "index"
    home.mkdir(parents=True, exist_ok=True)
    with (home / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StoreLocked(
                f"the corpus {corpus_dir} is being indexed by another process: wait until it ends"
            ) from error
        yield


@contextmanager
def _staged(target: Path) -> Iterator[Path]:
    """Yield a folder beside the target that takes its place when all went well."""
    target.parent.mkdir(parents=True, exist_ok=True)
    staged = Path(tempfile.mkdtemp(prefix=".new-", dir=target.parent))
    try:
        yield staged
        staged.chmod(0o755)
        for path in staged.iterdir():
            with path.open("rb") as file:
                os.fsync(file.fileno())
        staged.rename(target)
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def _drop_others(target: Path) -> None:
    """Remove the folders of earlier chunks, and what a killed process has left.

    Who has them open keeps reading the removed files.
    """
    for other in target.parent.iterdir():
        if other.is_dir() and other not in (target, target.parent / "blocks"):
            shutil.rmtree(other, ignore_errors=True)
