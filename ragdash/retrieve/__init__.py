"""From a question to its ranked chunks, each with the way it came.

Here lie the modes (dense, hybrid, rerank) behind one Protocol (base), their fusion (fusion), and
`build_retrievers`, which makes those of one run over shared searches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.core.errors import ConfigError
from ragdash.core.retrieval import Mode
from ragdash.retrieve.base import Legs, Retriever
from ragdash.retrieve.dense import DenseRetriever
from ragdash.retrieve.hybrid import HybridRetriever
from ragdash.retrieve.rerank import RerankRetriever

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ragdash.core.run import RetrievalConfig
    from ragdash.index.corpus_index import CorpusIndex
    from ragdash.models.base import Embedder, Reranker


def _rerank(legs: Legs, reranker: Reranker | None) -> Retriever:
    if reranker is None:
        raise ConfigError("mode rerank needs a reranker: name one as [models] reranker")
    return RerankRetriever(legs, reranker)


RETRIEVERS: dict[Mode, Callable[[Legs, Reranker | None], Retriever]] = {
    Mode.DENSE: lambda legs, _: DenseRetriever(legs),
    Mode.HYBRID: lambda legs, _: HybridRetriever(legs),
    Mode.RERANK: _rerank,
}


def build_retrievers(
    config: RetrievalConfig,
    modes: Iterable[Mode],
    index: CorpusIndex,
    embedder: Embedder,
    reranker: Reranker | None = None,
) -> dict[Mode, Retriever]:
    """Return a retriever for each mode; a question is embedded and searched once for all of them.

    Raises:
        ConfigError: mode rerank without a reranker, an unknown BM25 variant, or an embedder that
            is not the one the index was built with.
    """
    legs = Legs(config, index, embedder)
    return {mode: RETRIEVERS[mode](legs, reranker) for mode in modes}
