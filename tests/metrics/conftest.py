"""An answer in front of a judge that replies as told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragdash.contract import parse_citations, status_of
from ragdash.core.answer import Answer
from ragdash.core.retrieval import Mode, RankedChunk, RankTrace, Retrieval
from ragdash.metrics.base import Observation

APPLE = {"company": "Apple", "period": "2022", "lang": "en", "label": "FY2022 10-K"}


@pytest.fixture
def observe(build):
    """`observe(answer, chunks, judge, lang, repeat)` -> an Observation of one answered question."""

    def seen(text: str, chunks=(), judge=None, *, lang="zh", repeat=0, question_id="q1"):
        asked = build.make_question(question_id)
        source = build.make_source()
        if lang == "en":
            asked = replace(
                asked, lang="en", text="What was Apple's revenue in fiscal 2022?", company="Apple"
            )
            source = build.make_source("AAPL-2022", **APPLE)
        ranked = tuple(
            RankedChunk(
                build.make_chunk(f"c{n}", source=source, source_page=20 + n, text=body),
                RankTrace(n, None, None, None, n, in_context=True),
            )
            for n, body in enumerate(chunks, 1)
        )
        answer = Answer(text, status_of(text), parse_citations(text), "test")
        retrieval = Retrieval(Mode.DENSE, asked.id, ranked, 5, 0.0)
        return Observation(asked, retrieval, answer, None, None, judge, repeat)

    return seen
