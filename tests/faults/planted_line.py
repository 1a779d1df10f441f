"""A healthy line over the invented filings, and the ways in which a fault may damage it.

Pages go through the real manifest, pages reader and chunking, questions through the real loader,
retrieval through the real modes and fusion over a scripted index. The generator is honest: it
gives the right answer where the figure is printed on visible evidence pages as it was, and declines
where it is not, so that a fault only has to say what was lost.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from planted_en import HARBOR, HARBOR_2023, TALLGRASS, TALLGRASS_2023, before, en_report
from planted_questions import QUESTIONS
from planted_zh import (
    HAIYUE,
    HAIYUE_2022,
    HAIYUE_2023,
    YUNLING,
    YUNLING_2022,
    YUNLING_2023,
    zh_report,
)

from ragdash.contract import parse_citations, refusal_text, status_of
from ragdash.core.answer import Answer
from ragdash.core.retrieval import Mode
from ragdash.core.run import RetrievalConfig
from ragdash.evaluate import Setup, evaluate
from ragdash.index.ranking import Ranking
from ragdash.ingest.corpus import ingest, load_corpus
from ragdash.questions import load_questions
from ragdash.retrieve import build_retrievers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.core.retrieval import Retrieval
    from ragdash.core.run import QuestionResult

Pages = dict[str, dict[int, str]]
CONFIG = RetrievalConfig(top_k=3, candidates_dense=10, candidates_bm25=10, candidates_rerank=6)

REPORTS = {
    "yl-2023": (YUNLING, 2023, zh_report(YUNLING, 2023, YUNLING_2023)),
    "yl-2022": (YUNLING, 2022, zh_report(YUNLING, 2022, YUNLING_2022)),
    "hy-2023": (HAIYUE, 2023, zh_report(HAIYUE, 2023, HAIYUE_2023)),
    "hy-2022": (HAIYUE, 2022, zh_report(HAIYUE, 2022, HAIYUE_2022)),
    "hm-2023": (HARBOR, 2023, en_report(HARBOR, 2023, HARBOR_2023)),
    "hm-2022": (HARBOR, 2022, en_report(HARBOR, 2022, before(HARBOR_2023))),
    "tg-2023": (TALLGRASS, 2023, en_report(TALLGRASS, 2023, TALLGRASS_2023)),
    "tg-2022": (TALLGRASS, 2022, en_report(TALLGRASS, 2022, before(TALLGRASS_2023))),
}


def healthy_pages() -> Pages:
    """Every report's pages by number from 1."""
    return {doc: dict(enumerate(pages, start=1)) for doc, (_, _, pages) in REPORTS.items()}


def _chunks(pages: Pages) -> tuple[Chunk, ...]:
    return tuple(c for doc, texts in pages.items() for c in _of_one(doc, tuple(texts.items())))


@lru_cache(maxsize=256)
def _of_one(doc: str, texts: tuple[tuple[int, str], ...]) -> tuple[Chunk, ...]:
    company, year, _ = REPORTS[doc]
    lang = "zh" if company in (YUNLING, HAIYUE) else "en"
    kind = "annual" if lang == "zh" else "10k"
    head = {"doc_id": doc, "file": f"{doc}.jsonl", "company": company, "period": str(year)}
    with TemporaryDirectory() as folder:
        home = Path(folder)
        _write(home / f"{doc}.jsonl", [{"doc_id": doc, "page": n, "text": t} for n, t in texts])
        _write(home / "manifest.jsonl", [{**head, "doc_type": kind, "lang": lang}])
        ingest(home / "manifest.jsonl", home / "corpus")
        return load_corpus(home / "corpus").chunks


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), "utf-8")


@lru_cache(maxsize=4096)
def _grams(text: str) -> Counter[str]:
    words = re.findall(r"[a-z]+|\d+", text.lower())
    han = re.findall(r"[\u4e00-\u9fff]", text)
    return Counter([*words, *map("".join, pairwise(han))])


@dataclass
class Line:
    """One question's way through the line; the methods say what a fault loses on it."""

    name: str
    mode: Mode = Mode.HYBRID
    pages: Pages = field(default_factory=healthy_pages)
    answer: str | None = None
    broken: str = ""
    ranks: dict[int, dict[str, int | None]] = field(default_factory=dict)
    shown: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        asked = QUESTIONS[self.name]
        self.row = deepcopy(asked.row)
        self.needles = list(asked.needles)
        self.right = asked.right

    @property
    def places(self) -> list[tuple[str, int]]:
        """The evidence pages that the question names."""
        return [(e["doc_id"], e["page"]) for e in self.row.get("evidence", [])]

    # ---- what can be lost of a corpus
    def drop_page(self, doc: str, page: int) -> None:
        del self.pages[doc][page]

    def drop_document(self, doc: str) -> None:
        del self.pages[doc]

    def empty_page(self, doc: str, page: int) -> None:
        self.pages[doc][page] = " \n"

    def turn(self, doc: str, page: int, old: str, new: str) -> None:
        """Replace what stands once on a page; a fault that changes nothing is none."""
        text = self.pages[doc][page]
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times on {doc} P{page}"
        self.pages[doc][page] = text.replace(old, new)

    # ---- what can be lost of a search; `which` counts the evidence pages from 0
    def place(self, which: int = 0, **stages: int | None) -> None:
        """Put a passage at a rank of dense, bm25 or rerank; None: that stage does not return it."""
        self.ranks.setdefault(which, {}).update(stages)

    def unfound(self, which: int = 0) -> None:
        self.place(which, dense=None, bm25=None)

    def show(self, doc: str, page: int, words: str) -> None:
        """Have the passage of another page that holds `words` found right behind the evidence."""
        assert words in self.pages[doc][page]
        self.shown.append(f"{doc}#{page}#{words}")

    # ---- what can be lost of an answer
    def says(self, text: str) -> None:
        assert text != self.right
        self.answer = text

    def alter(self, old: str, new: str) -> None:
        """Say the right answer but for one part of it."""
        assert self.right.count(old) == 1, f"{old!r} in {self.right!r}"
        self.says(self.right.replace(old, new))

    def refuses(self, text: str | None = None) -> None:
        self.answer = text or refusal_text(self.row["lang"])

    def repeats(self) -> None:
        """Say the right answer whatever is visible."""
        self.answer = self.right

    def run(self) -> QuestionResult:
        """Ingest, load, retrieve, generate, evaluate and diagnose."""
        chunks = _chunks(self.pages)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "questions.jsonl"
            _write(path, [self.row])
            questions = load_questions(path).questions
        search = Scripted(self, chunks)
        retrievers: Any = build_retrievers(CONFIG, [self.mode], search, search, search)  # type: ignore[arg-type]
        if self.broken == "search":
            retrievers = {self.mode: _Crash()}
        (result,) = evaluate(questions, Setup(retrievers, _Says(self), chunks, CONFIG.top_k, None))
        return result


class _Crash:
    def retrieve(self, question_id: str, query: str) -> Retrieval:
        raise OSError(f"the index vanished before {question_id} {query}")


@dataclass(frozen=True)
class _Leg:
    searches: Scripted
    stage: str

    def search(self, query: str, k: int, within: object = None) -> Ranking:
        assert within is None
        return self.searches.leg(self.stage, query, k)


class Scripted:
    """Index, embedder and reranker in one: shared words, with passages put where the line says."""

    identity = SimpleNamespace(key="scripted")

    def __init__(self, line: Line, chunks: Sequence[Chunk]) -> None:
        self.chunks = tuple(chunks)
        self.dense = _Leg(self, "dense")
        self._words = _Leg(self, "bm25")
        self._line = line
        self._passages = [self._passage(i) for i in range(len(line.places))]
        self._shown = [self._at(*spot.split("#")) for spot in line.shown]

    def bm25(self, _: str) -> _Leg:
        return self._words

    def encode_queries(self, texts: Sequence[str]) -> Sequence[str]:
        return texts

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        read = [self._read(text) for text in passages]
        order = self._placed("rerank", self._by_words(query, read))
        return [-float(order.index(position)) for position in read]

    def leg(self, stage: str, query: str, k: int) -> Ranking:
        order = self._placed(stage, self._by_words(query, range(len(self.chunks))))[:k]
        return Ranking(tuple(order), tuple(1 / rank for rank in range(1, len(order) + 1)))

    def _by_words(self, query: str, among: Any) -> list[int]:
        asked = _grams(query)
        texts = [c.indexed_text for c in self.chunks]
        return sorted(among, key=lambda i: (-sum((asked & _grams(texts[i])).values()), i))

    def _placed(self, stage: str, order: list[int]) -> list[int]:
        """Passages first, then what is shown beside them, then the rest; then as scripted."""
        ahead = [p for p in [*self._passages, *self._shown] if p is not None and p in order]
        order = list(dict.fromkeys([*ahead, *order]))
        for which, stages in self._line.ranks.items():
            passage = self._passages[which]
            if stage in stages and passage is not None and passage in order:
                order.remove(passage)
                rank = stages[stage]
                if rank is not None:
                    order.insert(rank - 1, passage)
        return order

    def _passage(self, which: int) -> int | None:
        """The chunk of an evidence page with its needle; whatever is left of it where it is lost.

        What is left of a damaged page is found as the whole would have been.
        """
        doc, page = self._line.places[which]
        needle = self._line.needles[which] if which < len(self._line.needles) else "\0"
        on_page = [i for i, c in enumerate(self.chunks) if _is_on(c, doc, page)]
        holding = [i for i in on_page if needle in self.chunks[i].text]
        return next(iter(holding or on_page), None)

    def _at(self, doc: str, page: str, words: str) -> int:
        on_page = [i for i, c in enumerate(self.chunks) if _is_on(c, doc, int(page))]
        return next(i for i in on_page if words in self.chunks[i].text)

    def _read(self, text: str) -> int:
        return next(i for i, c in enumerate(self.chunks) if c.indexed_text == text)


def _is_on(chunk: Chunk, doc: str, page: int) -> bool:
    return (chunk.source.doc_id, chunk.source_page) == (doc, page)


class _Says:
    """The honest generator, or the damaged answer of the line."""

    name = "scripted"

    def __init__(self, line: Line) -> None:
        self._line = line

    def generate(self, question: str, lang: str, context: Sequence[Chunk]) -> Answer:
        line = self._line
        if line.broken == "generator":
            raise TimeoutError(f"no reply to {question}")
        text = line.answer
        if text is None:
            text = line.right if self._sees(context) else refusal_text(lang)
        return Answer(text, status_of(text), parse_citations(text), self.name, raw=text)

    def _sees(self, context: Sequence[Chunk]) -> bool:
        line = self._line
        seen = [
            any(_is_on(c, doc, page) and needle in c.text for c in context)
            for (doc, page), needle in zip(line.places, line.needles, strict=True)
        ]
        every = line.row["kind"] in ("compare", "computed")
        return not seen or (all(seen) if every else any(seen))
