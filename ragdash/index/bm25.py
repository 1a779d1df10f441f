"""BM25 over the tokens of each chunk, in two variants that a run config chooses between.

`lucene`: idf = ln(1 + (N - n + 0.5) / (n + 0.5)), always positive (Kamphuis et al. 2020), through
bm25s. `okapi`: rank-bm25 itself, k1 = 1.5, b = 0.75, whose idf can be negative and is then replaced
by a quarter of the average idf: with few chunks, or a term that most chunks hold, a chunk that
matches can score below one that does not. In both, a chunk without any token of the query has no
rank.
"""

from __future__ import annotations

import json
import math
from array import array
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ragdash.core.errors import ConfigError
from ragdash.index.arrays import mapped, save
from ragdash.index.ranking import Ranking, best
from ragdash.index.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from ragdash.index.ranking import Within


VARIANTS = ("lucene", "okapi")
K1, B = 1.5, 0.75
BOOST = 2.0
"""What the score of a preferred chunk is multiplied by, where it is above 0."""
# tokens that are sorted at once: their keys and counts take some 200 MB
_BLOCK = 4_000_000


class Postings:
    """Which chunks hold which tokens, in the forms that both variants are made from.

    `ids` are the token ids of all chunks one after the other, chunk i from `offsets[i]` to
    `offsets[i + 1]`; `vocabulary` gives the id of a token. `weights`, `chunks` and `starts` are the
    Lucene scores by token (compressed columns): token t is in `chunks[starts[t]:starts[t + 1]]`.
    """

    FILES = ("ids", "offsets", "weights", "chunks", "starts")

    def __init__(self, vocabulary: dict[str, int], arrays: dict[str, npt.NDArray[Any]]) -> None:
        self.vocabulary = vocabulary
        self.arrays = arrays

    def __len__(self) -> int:
        """Return the number of chunks."""
        return len(self.arrays["offsets"]) - 1

    @classmethod
    def build(cls, texts: Iterable[str], block: int = _BLOCK) -> Postings:
        """Return the postings of the texts, which are tokenised here and not kept.

        Args:
            texts: one for each chunk, read once.
            block: tokens that are counted at once, where no single chunk has more.
        """
        return cls._grown({}, array("i"), array("q"), texts, block)

    def extended(self, texts: Iterable[str], block: int = _BLOCK) -> Postings:
        """Return the postings of these chunks and, behind them, of more; these stay as they are.

        Only the new texts are tokenised. It is what `build` returns for all texts, bit for bit.
        """
        flat, lengths = array("i"), array("q")
        flat.frombytes(np.asarray(self.arrays["ids"], np.int32).tobytes())
        lengths.frombytes(np.diff(self.arrays["offsets"]).astype(np.int64).tobytes())
        return self._grown(dict(self.vocabulary), flat, lengths, texts, block)

    @classmethod
    def _grown(
        cls,
        vocabulary: dict[str, int],
        flat: array[int],
        lengths: array[int],
        texts: Iterable[str],
        block: int,
    ) -> Postings:
        """Count texts into token ids and lengths, four bytes a token.

        A list of a million chunks takes eight and then is copied.
        """
        for text in texts:
            before = len(flat)
            flat.extend(vocabulary.setdefault(token, len(vocabulary)) for token in tokenize(text))
            lengths.append(len(flat) - before)
        ids, counted = np.asarray(flat), np.asarray(lengths)
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counted)])
        columns = _lucene_columns(ids, offsets, len(vocabulary), block)
        return cls(vocabulary, {"ids": ids, "offsets": offsets} | columns)

    def save(self, folder: Path) -> None:
        """Write the postings into a folder that exists."""
        for name in self.FILES:
            save(folder / f"{name}.npy", self.arrays[name])
        tokens = json.dumps(list(self.vocabulary), ensure_ascii=False)
        (folder / "vocabulary.json").write_text(tokens, encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Postings:
        """Return what `save` has written, the arrays memory-mapped."""
        tokens = json.loads((folder / "vocabulary.json").read_text(encoding="utf-8"))
        arrays = {name: mapped(folder / f"{name}.npy") for name in cls.FILES}
        return cls({token: i for i, token in enumerate(tokens)}, arrays)

    def known(self, tokens: Sequence[str]) -> list[int]:
        """Return the ids of those tokens that some chunk holds, with repetitions."""
        return [self.vocabulary[token] for token in tokens if token in self.vocabulary]

    def holding(self, token_ids: Iterable[int]) -> npt.NDArray[np.intp]:
        """Return, ascending, the chunks that hold any of the tokens."""
        chunks, starts = self.arrays["chunks"], self.arrays["starts"]
        found = np.zeros(len(self), dtype=bool)
        for token in set(token_ids):
            found[chunks[starts[token] : starts[token + 1]]] = True
        return np.flatnonzero(found)


def _lucene_columns(
    ids: npt.NDArray[np.int32], offsets: npt.NDArray[np.int64], n_terms: int, block: int
) -> dict[str, npt.NDArray[Any]]:
    """Return what bm25s makes of the same tokens, bit for bit, in the memory of the result.

    bm25s keeps the tokens as lists and sorts all entries at once, which takes a multiple of it.
    """
    holding = np.zeros(n_terms, np.int64)
    for terms, _, _ in _counted(ids, offsets, block):
        holding += np.bincount(terms, minlength=n_terms)
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(holding)])
    weights, chunks = np.empty(starts[-1], np.float32), np.empty(starts[-1], np.int32)
    idf, length = _idf(holding, len(offsets) - 1), np.diff(offsets)
    # the mean of no chunk has no value, and no entry needs one
    scale = K1 * ((1 - B) + B * length / length.mean()) if len(ids) else length
    free = starts[:-1].copy()
    for terms, held_by, counts in _counted(ids, offsets, block):
        there, first, n = np.unique(terms, return_index=True, return_counts=True)
        places = np.arange(len(terms)) + np.repeat(free[there] - first, n)
        weights[places] = idf[terms] * (counts / (scale[held_by] + counts))
        chunks[places] = held_by
        free[there] += n
    return {"weights": weights, "chunks": chunks, "starts": starts}


def _counted(
    ids: npt.NDArray[np.int32], offsets: npt.NDArray[np.int64], block: int
) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
    """Yield (terms, chunks, how often), block by block of whole chunks, by term and then chunk."""
    start, n = 0, len(offsets) - 1
    while start < n:
        reached = int(np.searchsorted(offsets, offsets[start] + block, "right")) - 1
        end = max(start + 1, reached)
        owners = np.repeat(np.arange(end - start), np.diff(offsets[start : end + 1]))
        keys = ids[offsets[start] : offsets[end]].astype(np.int64) * (end - start) + owners
        pairs, counts = np.unique(keys, return_counts=True)
        terms, chunks = np.divmod(pairs, end - start)
        yield terms, chunks + start, counts
        start = end


def _idf(holding: npt.NDArray[np.int64], n: int) -> npt.NDArray[np.float32]:
    """Return Lucene's idf of each term from the number of chunks that hold it, of n."""
    held, at = np.unique(holding, return_inverse=True)
    # math.log, as numpy's may differ from it in the last bit
    values = [math.log(1 + (n - df + 0.5) / (df + 0.5)) for df in held.tolist()]
    return np.array(values, np.float32)[at]


def _bm25s() -> Any:
    import bm25s

    return bm25s.BM25(method="lucene", k1=K1, b=B, backend="numpy")


class Bm25(Protocol):
    """One variant over one corpus."""

    def search(self, query: str, k: int, within: Within | None = None) -> Ranking:
        """Return the k best of the chunks that hold a token of the query, ties by position."""


class LuceneBm25:
    """bm25s with Lucene's idf: a query adds up columns that were computed once."""

    def __init__(self, postings: Postings) -> None:
        self._postings = postings
        self._scored = _bm25s()
        self._scored.scores = {
            "data": postings.arrays["weights"],
            "indices": postings.arrays["chunks"],
            "indptr": postings.arrays["starts"],
            "num_docs": len(postings),
        }
        self._scored.nonoccurrence_array = None

    def search(self, query: str, k: int, within: Within | None = None) -> Ranking:
        """Return the k best of the chunks that hold a token of the query, ties by position."""
        tokens = self._postings.known(tokenize(query))
        if not tokens:
            return Ranking((), ())
        scores = self._scored.get_scores_from_ids(tokens)
        # with Lucene's idf every term that is there adds something
        return _preferring(scores, k, np.flatnonzero(scores > 0), within)


class OkapiBm25:
    """rank-bm25's BM25Okapi, rebuilt from the tokens; for comparison with older results."""

    def __init__(self, postings: Postings) -> None:
        from rank_bm25 import BM25Okapi

        self._postings = postings
        ids, offsets = postings.arrays["ids"], postings.arrays["offsets"]
        documents = [ids[start:end].tolist() for start, end in pairwise(offsets)]
        # rank-bm25 divides by the number of chunks and by that of tokens
        self._scored = BM25Okapi(documents, k1=K1, b=B) if postings.vocabulary else None

    def search(self, query: str, k: int, within: Within | None = None) -> Ranking:
        """Return the k best of the chunks that hold a token of the query, ties by position."""
        tokens = self._postings.known(tokenize(query))
        if not tokens or self._scored is None:
            return Ranking((), ())
        scores, holding = self._scored.get_scores(tokens), self._postings.holding(tokens)
        return _preferring(scores, k, holding, within)


def _preferring(
    scores: npt.NDArray[np.floating[Any]],
    k: int,
    holding: npt.NDArray[np.intp],
    within: Within | None,
) -> Ranking:
    if within is None:
        return best(scores, k, holding)
    if within.strict:
        return best(scores, k, holding[within.inside[holding]])
    gains = within.inside & (scores > 0)
    return best(np.where(gains, BOOST * scores, scores), k, holding)


def bm25(postings: Postings, variant: str) -> Bm25:
    """Return a variant over the postings.

    Raises:
        ConfigError: there is no such variant.
    """
    if variant == "lucene":
        return LuceneBm25(postings)
    if variant == "okapi":
        return OkapiBm25(postings)
    raise ConfigError(f"[retrieval] bm25 is {variant!r}: write one of {', '.join(VARIANTS)}")
