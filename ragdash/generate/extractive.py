"""An extractive generator: the best row or sentence of the visible chunks, under the contract.

No LLM. It reads the question's words and the chunks, never the question set's gold, company or
period, so it fails in its own honest ways: a synonym it does not know, a column it misreads, a
calculation it does not do.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from ragdash.caliber import find_terms
from ragdash.contract import parse_citations, refusal_text, write_citation
from ragdash.core.answer import Answer, AnswerStatus
from ragdash.generate.reading import read_question
from ragdash.generate.rows import figure_for, rows_of, share_for, written
from ragdash.generate.sentences import best_sentence
from ragdash.index.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.generate.reading import Reading, Target
    from ragdash.generate.rows import Row

# Weights of the row score. A named metric outweighs any overlap of words, and words that narrow it
# (a product, a region) outweigh the metric's own total row.
_METRIC = 3.0
_NARROWED = 4.0
_ABOVE = 1.0
_PRECISION = 1.0
_RANK = 0.02
_ENOUGH = 2.0
# The number of a row in its statement is no part of what the row is called.
_ROW_NUMBER = re.compile(
    r"(?:[一二三四五六七八九十]{1,3}[、.．]|[（(]?(?:[一二三四五六七八九十]{1,3}|\d{1,2}|[a-z])[）)]"
    r"|\d{1,2}、|\d{1,2}[.．](?!\d))\s*"
)


class ExtractiveGenerator:
    """Answers with the row that fits best, or declines with the contract's sentence."""

    name = "extractive, no LLM"

    def generate(self, question: str, lang: str, context: Sequence[Chunk]) -> Answer:
        """Return an answer for a question from the visible chunks, best first."""
        started = time.perf_counter()
        reading = read_question(question, context)
        rows = [row for rank, chunk in enumerate(context, 1) for row in rows_of(chunk, rank)]
        parts = [_best(target, reading, rows, lang) for target in reading.targets]
        if all(parts):
            text = ("；" if lang == "zh" else "; ").join(dict.fromkeys(p for p in parts if p))
        elif not reading.wants_figure:
            text = best_sentence(reading, context) or ""
        else:
            text = ""
        if not text:
            return self._answer(refusal_text(lang), AnswerStatus.REFUSED, started)
        return self._answer(text + ("。" if lang == "zh" else "."), AnswerStatus.ANSWERED, started)

    def _answer(self, text: str, status: AnswerStatus, started: float) -> Answer:
        return Answer(
            text=text,
            status=status,
            citations=parse_citations(text),
            generator=self.name,
            raw=text,
            finish_reason="stop",
            seconds=time.perf_counter() - started,
        )


def _best(target: Target, reading: Reading, rows: Sequence[Row], lang: str) -> str | None:
    """Return the statement of the row that fits a target best, None where no row fits enough."""
    scored = [(score(target, row), -row.rank, row) for row in rows]
    scored = [s for s in scored if s[0] >= _ENOUGH]
    for _, _, row in sorted(scored, key=lambda s: s[:2], reverse=True):
        if reading.wants_share:
            amount = share_for(row, target.period)
        else:
            amount = figure_for(row, target.period, part=reading.wants_part)
        if amount is not None:
            return _statement(target, row, written(amount, row, lang), lang)
    return None


def score(target: Target, row: Row) -> float:
    """Return how well a row fits a target; 0 where company or metric contradict it."""
    source = row.chunk.source
    if target.company != source.company:
        return 0.0
    label_keys = [t.key for t in find_terms(row.label) if t.key]
    label_words = set(tokenize(row.label))
    above = f"{row.chunk.section}\n{row.above}"
    total = 0.0
    if target.key is not None:
        if target.key in label_keys:
            total += _METRIC
        elif label_keys or target.key not in {t.key for t in find_terms(above)}:
            return 0.0
        else:
            total += _ABOVE
    if target.words:
        total += _NARROWED * len(target.words & label_words) / len(target.words)
        total += _ABOVE * len(target.words & set(tokenize(above))) / len(target.words)
    wanted = len(label_words & target.words) + len(label_keys)
    total += _PRECISION * wanted / max(1, len(label_words))
    return total - _RANK * row.rank


def _named(row: Row) -> str:
    label = " ".join(row.label.split())[-80:]
    numbered = _ROW_NUMBER.match(label)
    return label[numbered.end() :] or label if numbered else label


def _statement(target: Target, row: Row, figure: str, lang: str) -> str:
    source = row.chunk.source
    period = target.period or source.period or ""
    label = _named(row)
    cited = write_citation(source, row.chunk.source_page)
    if lang == "zh":
        year = f"{period}年" if period else ""
        return f"{source.company}{year}{label}为{figure}{cited}"
    year = f" for {period}" if period else ""
    return f"{source.company} {label}{year}: {figure} {cited}"
