"""What a retriever is, and the searches that the modes of one run share."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from ragdash.core.errors import ConfigError
from ragdash.core.retrieval import RankedChunk, RankTrace, Retrieval
from ragdash.retrieve.fusion import Fused, fuse
from ragdash.retrieve.subject import SubjectFilter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ragdash.core.retrieval import Mode, Subject
    from ragdash.core.run import RetrievalConfig
    from ragdash.index.corpus_index import CorpusIndex
    from ragdash.index.ranking import Ranking, Within
    from ragdash.models.base import Embedder

Found = TypeVar("Found")
SEARCHED_TOGETHER = 64
"""Questions that are encoded and searched at once.

More gain little: at 64 the products outweigh reading the matrix. Fewer are lost by a kill: some
seconds of encoding, as every result is journalled by itself. Their scores of a block take 2 MB.
"""
# questions whose searches are kept: those of a batch, and more where modes are asked in turn
_KEPT = 4 * SEARCHED_TOGETHER


class Retriever(Protocol):
    """One mode over one corpus."""

    def retrieve(self, question_id: str, query: str) -> Retrieval:
        """Return every candidate of a question with its full trace."""


@runtime_checkable
class SearchesTogether(Protocol):
    """A retriever that can do what is alike for many questions at once, ahead of `retrieve`."""

    def search_together(self, queries: Sequence[str]) -> None:
        """Search for up to SEARCHED_TOGETHER questions; `retrieve` then finds the same, sooner."""


@dataclass(slots=True)
class _Search:
    """What has been searched for one question, with the seconds that each part took."""

    subject: Subject
    within: Within | None
    dense: tuple[Ranking, float] | None = None
    bm25: tuple[Ranking, float] | None = None
    fused: tuple[tuple[Fused, ...], float] | None = None


class Legs:
    """The dense and BM25 rankings and their fusion, made once per question for all modes.

    Each part comes with the seconds that the mode would have spent on it alone, so that a mode's
    time does not depend on which mode was asked first; of a search for many at once each has an
    equal share.
    """

    def __init__(self, config: RetrievalConfig, index: CorpusIndex, embedder: Embedder) -> None:
        if embedder.identity.key != index.identity.key:
            raise ConfigError(
                f"the corpus was embedded by {index.identity} and cannot be searched with "
                f"{embedder.identity}: load the model that the corpus was ingested with"
            )
        self.config = config
        self.index = index
        self._embedder = embedder
        # made here, so that a wrong variant fails before the first question
        self._bm25 = index.bm25(config.bm25)
        self._filter = SubjectFilter(config, index.chunks)
        self._searches: OrderedDict[str, _Search] = OrderedDict()
        self._lock = Lock()

    def subject(self, query: str) -> Subject:
        """Return what the question is about, and the text that is searched for it."""
        with self._lock:
            return self._search(query).subject

    def search_together(self, queries: Sequence[str]) -> None:
        """Encode the questions and search their vectors at once, where that is not done yet."""
        with self._lock:
            searches = map(self._search, dict.fromkeys(queries))
            new = [search for search in searches if search.dense is None]
            if not new:
                return
            found, seconds = _timed(
                lambda: self.index.dense.search_many(
                    self._embedder.encode_queries([search.subject.query for search in new]),
                    self.config.candidates_dense,
                    [search.within for search in new],
                )
            )
            for search, ranking in zip(new, found, strict=True):
                search.dense = (ranking, seconds / len(new))

    def dense(self, query: str) -> tuple[Ranking, float]:
        """Return the nearest chunks by cosine."""
        with self._lock:
            return self._dense(self._search(query))

    def bm25(self, query: str) -> tuple[Ranking, float]:
        """Return the best chunks by words; none where no chunk holds a word of the query."""
        with self._lock:
            return self._words(self._search(query))

    def fused(self, query: str) -> tuple[tuple[Fused, ...], float]:
        """Return both rankings fused, with the seconds of all three steps."""
        with self._lock:
            search = self._search(query)
            if search.fused is None:
                dense, dense_seconds = self._dense(search)
                bm25, bm25_seconds = self._words(search)
                fused, seconds = _timed(
                    lambda: fuse(
                        (dense.positions, bm25.positions), self.config.rrf_k, self.config.weights
                    )
                )
                search.fused = (fused, dense_seconds + bm25_seconds + seconds)
            return search.fused

    def _search(self, query: str) -> _Search:
        search = self._searches.get(query)
        if search is None:
            search = self._searches[query] = _Search(*self._filter.read(query))
        self._searches.move_to_end(query)
        if len(self._searches) > _KEPT:
            self._searches.popitem(last=False)
        return search

    def _dense(self, search: _Search) -> tuple[Ranking, float]:
        if search.dense is None:
            k = self.config.candidates_dense
            search.dense = _timed(
                lambda: self.index.dense.search(
                    self._embedder.encode_queries([search.subject.query])[0], k, search.within
                )
            )
        return search.dense

    def _words(self, search: _Search) -> tuple[Ranking, float]:
        if search.bm25 is None:
            k = self.config.candidates_bm25
            search.bm25 = _timed(lambda: self._bm25.search(search.subject.words, k, search.within))
        return search.bm25


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk position with its rank and score at each stage that this mode ran."""

    position: int
    dense: tuple[int, float] | None = None
    bm25: tuple[int, float] | None = None
    fused: tuple[int, float] | None = None
    rerank: tuple[int, float] | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as a mode was asked it."""

    question_id: str
    query: str


def ranked(
    legs: Legs, mode: Mode, asked: Asked, candidates: Sequence[Candidate], seconds: float
) -> Retrieval:
    """Return the candidates, best first, as a Retrieval; the first top_k are the context."""
    top_k = legs.config.top_k
    found = tuple(
        RankedChunk(legs.index.chunks[candidate.position], _trace(candidate, rank, top_k))
        for rank, candidate in enumerate(candidates, start=1)
    )
    subject = legs.subject(asked.query)
    return Retrieval(mode, asked.question_id, found, top_k, seconds, subject)


def fused_candidates(legs: Legs, query: str) -> tuple[tuple[Candidate, ...], float]:
    """Return the fused candidates with the ranks and scores of both searches."""
    fused, seconds = legs.fused(query)
    dense, bm25 = (_by_position(ranking) for ranking in (legs.dense(query)[0], legs.bm25(query)[0]))
    candidates = tuple(
        Candidate(
            position=one.position,
            dense=dense.get(one.position),
            bm25=bm25.get(one.position),
            fused=(rank, one.score),
        )
        for rank, one in enumerate(fused, start=1)
    )
    return candidates, seconds


def ranks(ranking: Ranking) -> Iterable[tuple[int, tuple[int, float]]]:
    """Yield each position of a ranking with its rank, from 1, and its score."""
    for rank, (position, score) in enumerate(
        zip(ranking.positions, ranking.scores, strict=True), start=1
    ):
        yield position, (rank, score)


def _by_position(ranking: Ranking) -> dict[int, tuple[int, float]]:
    return dict(ranks(ranking))


def _trace(candidate: Candidate, rank: int, top_k: int) -> RankTrace:
    none = (None, None)
    dense_rank, dense_score = candidate.dense or none
    bm25_rank, bm25_score = candidate.bm25 or none
    fused_rank, fused_score = candidate.fused or none
    rerank_rank, rerank_score = candidate.rerank or none
    return RankTrace(
        dense_rank=dense_rank,
        bm25_rank=bm25_rank,
        fused_rank=fused_rank,
        rerank_rank=rerank_rank,
        final_rank=rank,
        in_context=rank <= top_k,
        dense_score=dense_score,
        bm25_score=bm25_score,
        fused_score=fused_score,
        rerank_score=rerank_score,
    )


def _timed(call: Callable[[], Found]) -> tuple[Found, float]:
    started = time.perf_counter()
    found = call()
    return found, time.perf_counter() - started
