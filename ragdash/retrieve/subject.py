"""What the subject of a question does to a search: nothing, a boost, or a filter."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ragdash.core.errors import ConfigError
from ragdash.core.retrieval import SubjectState
from ragdash.index.ranking import Within
from ragdash.recognise import Recogniser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.core.retrieval import Subject
    from ragdash.core.run import RetrievalConfig

FILTERS = ("none", "boost", "strict")
QUERIES = ("asked", "resolved")


class SubjectFilter:
    """Reads the subject of a question and turns it into the chunks that a search prefers.

    A strict filter leaves only the chunks of the subject's documents. Where the corpus has no
    document of the company that is none at all, and the subject's state says so: nothing in the
    corpus can answer. Where it has none of the period it is every document of the company, and the
    state says that, since a year in a question need not be the reporting period. A question without
    a subject that is known is searched in all chunks.
    """

    def __init__(self, config: RetrievalConfig, chunks: Sequence[Chunk]) -> None:
        if config.filter not in FILTERS or config.query not in QUERIES:
            raise ConfigError(
                f"[retrieval] filter = {config.filter!r} and query = {config.query!r}: write one "
                f"of {', '.join(FILTERS)} and one of {', '.join(QUERIES)}"
            )
        self._config = config
        numbers: dict[str, int] = {}
        sources = {c.source.doc_id: c.source for c in chunks}
        self._document = np.fromiter(
            (numbers.setdefault(c.source.doc_id, len(numbers)) for c in chunks),
            np.int64,
            len(chunks),
        )
        self._numbers = numbers
        self._recogniser = Recogniser(list(sources.values()), chunks)

    def read(self, question: str) -> tuple[Subject, Within | None]:
        """Return the subject, its texts as they are searched, and the chunks that are preferred."""
        subject = self._recogniser.subject(question, named=self._config.filter == "none")
        if self._config.query == "asked":
            subject = replace(subject, query=question, words=question)
        if self._config.filter == "none" or subject.state is SubjectState.UNRECOGNISED:
            return subject, None
        chosen = [self._numbers[doc_id] for doc_id in subject.doc_ids]
        inside = np.isin(self._document, np.array(chosen, np.int64))
        return subject, Within(inside, strict=self._config.filter == "strict")
