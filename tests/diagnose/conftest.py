"""One question over a small corpus, as a run would have left it."""

from __future__ import annotations

import re

import pytest

from ragdash.contract import parse_citations
from ragdash.core.answer import Answer, AnswerStatus
from ragdash.core.retrieval import Mode, RankedChunk, RankTrace, Retrieval
from ragdash.diagnose import diagnose, evidence_chunks
from ragdash.metrics import METRICS
from ragdash.metrics.base import Observation
from ragdash.metrics.qrels import by_page, gold_chunks, gold_ranks

_ENGLISH = re.compile(r"[A-Za-z]{3,} +[A-Za-z]{3,}")
_CHINESE = re.compile("[\u4e00-\u9fff]")


@pytest.fixture
def ask():
    """`ask(question, corpus, found, answer)` -> the diagnosis.

    `found` is a list of chunks, which are then the context in that order, or of (chunk, trace).
    """

    def run(question, corpus, found=(), answer="", *, mode=Mode.HYBRID, top_k=5, status=None):
        candidates = tuple(
            RankedChunk(*one)
            if isinstance(one, tuple)
            else RankedChunk(one, RankTrace(n, n, n, None, n, in_context=True))
            for n, one in enumerate(found, 1)
        )
        retrieval = Retrieval(mode, question.id, candidates, top_k, 0.0)
        pages = by_page(corpus)
        gold = gold_chunks(question, pages)
        status = status or (AnswerStatus.ANSWERED if answer else AnswerStatus.REFUSED)
        said = Answer(answer, status, parse_citations(answer), "test")
        seen = Observation(question, retrieval, said, gold_ranks(question, gold, retrieval), None)
        scores = {m.name: m.score(seen) for m in METRICS}
        found_ = diagnose(seen, scores, evidence_chunks(question, gold, pages))
        in_both_languages(found_)
        return found_

    return run


def in_both_languages(found) -> None:
    """Each sentence is of one language; what documents say in brackets or quotes is theirs."""
    for sentence in (found.evidence, found.try_next, found.no_help):
        own = re.sub(r"（[^（）]*）|“[^”]*”|`[^`]*`|\d+ BM25 -?|P\d+", "", sentence.zh)
        assert not _ENGLISH.search(own.replace("top k", "")), own
        assert _CHINESE.search(sentence.zh)
        own = re.sub(r'\([^()]*\)|"[^"]*"', "", sentence.en)
        assert not _CHINESE.search(own), own
