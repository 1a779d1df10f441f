"""Which documents of a corpus a question is about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragdash.core.chunk import DocType
from ragdash.core.retrieval import Subject, SubjectState
from ragdash.recognise.asking import searched_text, words_of
from ragdash.recognise.names import CompanyNames
from ragdash.recognise.periods import AskedPeriod, asked_periods

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ragdash.core.chunk import Chunk, Source

_PART = {
    DocType.SEMIANNUAL: "H1",
    DocType.SEMIANNUAL_SUMMARY: "H1",
    DocType.Q1: "Q1",
    DocType.Q3: "9M",
}
_SAME = {"Q3": ("9M",), "9M": ("Q3",), "Q2": ("H1",), "H1": ("Q2",)}
_YEAR_PART = re.compile(r"(\d{4})(Q[1-4]|H[12])?(-\d\d-\d\d)?")
_ANY_PART = "*"
_ON_PERIOD = (SubjectState.MATCHED, SubjectState.LATER, SubjectState.OTHER_PART)
_MOST_LABELS = 4
_COMPARED_YEARS = 2
"""Years that a report's tables go back: one beside its own in most, two in a 10-K and in 近三年."""


class Recogniser:
    """Recognises the subject of questions over one corpus."""

    def __init__(self, sources: Sequence[Source], chunks: Iterable[Chunk] = ()) -> None:
        self._sources = tuple(sources)
        self._names = CompanyNames(self._sources, chunks)
        self._periods = {s.doc_id: _period_of(s) for s in self._sources}

    def subject(self, question: str, *, named: bool = True) -> Subject:
        """Return the companies, the periods, the documents on them, and the texts to search.

        `named` puts company and labels before the texts, which finds the documents where all are
        searched; among chunks of those documents alone it would only outweigh what is asked.
        """
        hits = self._names.find(question)
        own = tuple(dict.fromkeys(h.company for h in hits if h.known))
        absent = tuple(dict.fromkeys(h.company for h in hits if not h.known))
        periods = asked_periods(question)
        documents, state = self._documents(own, absent, periods)
        said = " ".join((*own, *(_labels(documents) if periods and state in _ON_PERIOD else ())))
        text = searched_text(question, hits)
        query = f"{said} {text}".strip() if named else text
        return Subject(
            companies=own,
            absent=absent,
            periods=tuple(map(str, periods)),
            doc_ids=tuple(s.doc_id for s in documents),
            state=state,
            query=query,
            words=words_of(said, query),
        )

    def _documents(
        self, own: Sequence[str], absent: Sequence[str], periods: Sequence[AskedPeriod]
    ) -> tuple[tuple[Source, ...], SubjectState]:
        if absent and not own:
            return (), SubjectState.NO_COMPANY
        if not own and not periods:
            return self._sources, SubjectState.UNRECOGNISED
        pools = [[s for s in self._sources if s.company == c] for c in own] or [[*self._sources]]
        chosen: dict[str, Source] = {}
        states: list[SubjectState] = []
        for pool in pools:
            for found, state in self._of_company(pool, periods):
                chosen |= {s.doc_id: s for s in found}
                states.append(state)
        # what is the least sure of several periods is said of all
        state = max(states, key=list(SubjectState).index)
        return tuple(s for s in self._sources if s.doc_id in chosen), state

    def _of_company(
        self, pool: Sequence[Source], periods: Sequence[AskedPeriod]
    ) -> list[tuple[Sequence[Source], SubjectState]]:
        """Return the documents of one company for each period; those without any are left out."""
        if not periods:
            return [(pool, SubjectState.MATCHED)]
        found = [(docs, state) for p in periods for docs, state in [self._of_period(pool, p)]]
        some = [(docs, state) for docs, state in found if docs]
        return some or [(pool, SubjectState.NO_PERIOD)]

    def _of_period(
        self, pool: Sequence[Source], asked: AskedPeriod
    ) -> tuple[Sequence[Source], SubjectState]:
        for back in range(_COMPARED_YEARS + 1):
            part = [s for s in pool if self._is_on(s, asked.year + back, asked.part)]
            if any(self._periods[s.doc_id][1] == asked.part for s in part) or (part and not back):
                return part, SubjectState.LATER if back else SubjectState.MATCHED
        same_year = [s for s in pool if self._periods[s.doc_id][0] == asked.year]
        return same_year, SubjectState.OTHER_PART

    def _is_on(self, source: Source, year: int, part: str) -> bool:
        own_year, own_part = self._periods[source.doc_id]
        if own_year != year:
            return False
        return own_part in (part, _ANY_PART, *_SAME.get(part, ()))


def _labels(documents: Iterable[Source]) -> list[str]:
    """Return the first few labels of the documents, as they head every chunk of them."""
    return list(dict.fromkeys(s.label for s in documents))[:_MOST_LABELS]


def _period_of(source: Source) -> tuple[int, str]:
    """Return year and part of a document; 8-K, releases and others may be on any part."""
    match = _YEAR_PART.match(source.period or "")
    if match is None:
        return 0, ""
    part = match[2] or _PART.get(source.doc_type, "")
    loose = source.doc_type in (DocType.FORM_8K, DocType.EARNINGS, DocType.OTHER)
    return int(match[1]), part or (_ANY_PART if loose or match[3] else "")
