"""The columns of CSV and Parquet: one row a (mode, question), in this order, with their types.

Lists are JSON in a CSV cell and lists of structs in Parquet. Each metric of the run has its mean,
status and reason; where people have a say, the rule's too; where it was repeated, each repeat.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from ragdash.store.effective import DECIDED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ragdash.export.asking import Selection
    from ragdash.export.records import Record


class Type(StrEnum):
    """What a column holds; the last ones are lists."""

    TEXT = "text"
    FLAG = "flag"
    WHOLE = "whole"
    REAL = "real"
    TIME = "time"
    TEXTS = "texts"
    GOLDS = "golds"
    EVIDENCE = "evidence"
    CITATIONS = "citations"
    REVIEWS = "reviews"
    CHECKS = "checks"
    REPEATS = "repeats"

    @property
    def is_list(self) -> bool:
        """Whether it is a list."""
        return self not in (Type.TEXT, Type.FLAG, Type.WHOLE, Type.REAL, Type.TIME)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, its type, and where a record holds it."""

    name: str
    type: Type
    of: Callable[[Record], Any]


_PLAIN: tuple[tuple[str, Type], ...] = (
    ("run", Type.TEXT),
    ("version", Type.WHOLE),
    ("mode", Type.TEXT),
    ("question_id", Type.TEXT),
    ("question", Type.TEXT),
    ("lang", Type.TEXT),
    ("kind", Type.TEXT),
    ("company", Type.TEXT),
    ("period", Type.TEXT),
    ("answerable", Type.FLAG),
    ("gold_text", Type.TEXT),
    ("golds", Type.GOLDS),
    ("evidence", Type.EVIDENCE),
    ("note", Type.TEXT),
    ("answer", Type.TEXT),
    ("answer_status", Type.TEXT),
    ("answer_reason", Type.TEXT),
    ("citations", Type.CITATIONS),
    ("outcome", Type.TEXT),
    ("rule_outcome", Type.TEXT),
    ("outcome_by", Type.TEXT),
    ("layer", Type.TEXT),
    ("rule_layer", Type.TEXT),
    ("layer_by", Type.TEXT),
    ("verdict", Type.TEXT),
    ("reviewer", Type.TEXT),
    ("flag", Type.FLAG),
    ("caliber_effective", Type.TEXT),
    ("caliber_rule", Type.TEXT),
    ("caliber_verdict", Type.TEXT),
    ("caliber_reviewer", Type.TEXT),
    ("caliber_disputed", Type.FLAG),
    ("diagnosis_reason", Type.TEXT),
    ("evidence_en", Type.TEXT),
    ("evidence_zh", Type.TEXT),
    ("try_en", Type.TEXT),
    ("try_zh", Type.TEXT),
    ("no_help_en", Type.TEXT),
    ("no_help_zh", Type.TEXT),
    ("gold_dense_rank", Type.WHOLE),
    ("gold_bm25_rank", Type.WHOLE),
    ("gold_fused_rank", Type.WHOLE),
    ("gold_rerank_rank", Type.WHOLE),
    ("gold_final_rank", Type.WHOLE),
    ("evidence_visible", Type.FLAG),
    ("gold_chunk_ids", Type.TEXTS),
    ("context_chunk_ids", Type.TEXTS),
    ("n_candidates", Type.WHOLE),
    ("top_k", Type.WHOLE),
    ("extent", Type.TEXT),
    ("retrieve_seconds", Type.REAL),
    ("generate_seconds", Type.REAL),
    ("generator", Type.TEXT),
    ("prompt", Type.TEXT),
    ("raw", Type.TEXT),
    ("finish_reason", Type.TEXT),
    ("reviews", Type.REVIEWS),
    ("checks", Type.CHECKS),
)
_RUN: tuple[tuple[str, Type], ...] = (
    ("started_at", Type.TIME),
    ("finished_at", Type.TIME),
    ("corpus_name", Type.TEXT),
    ("corpus_digest", Type.TEXT),
    ("questions_name", Type.TEXT),
    ("questions_digest", Type.TEXT),
    ("config_digest", Type.TEXT),
)


# A metric has the name to itself: two columns of one name are a table that few can read.
_IN_RECORD = {"caliber_effective": "caliber"}


def columns(chosen: Selection, metrics: Iterable[str], repeated: frozenset[str]) -> list[Column]:
    """Return the columns of an export; they do not depend on its filter.

    Args:
        chosen: what is exported.
        metrics: those of the run, in order.
        repeated: those of them that were measured more than once.
    """
    found = [column(name, of) for name, of in _PLAIN]
    for metric in metrics:
        found += _of_metric(metric, is_repeated=metric in repeated)
    constants = {name: getattr(chosen.run, name) for name, _ in _RUN}
    return found + [Column(name, of, _constant(constants[name])) for name, of in _RUN]


def _of_metric(metric: str, *, is_repeated: bool) -> list[Column]:
    parts = [("value", Type.REAL), ("status", Type.TEXT), ("reason", Type.TEXT)]
    if metric in DECIDED:
        parts += [("rule_value", Type.REAL), ("rule_status", Type.TEXT)]
        parts += [("rule_reason", Type.TEXT), ("by", Type.TEXT)]
    if is_repeated:
        parts.append(("repeats", Type.REPEATS))
    return [
        Column(metric if part == "value" else f"{metric}.{part}", of, _in_metric(metric, part))
        for part, of in parts
    ]


def column(name: str, of: Type) -> Column:
    """Return the column that holds one key of a record, empty where it does not have it."""
    key = _IN_RECORD.get(name, name)
    return Column(name, of, lambda record: record.get(key))


def _constant(value: Any) -> Callable[[Record], Any]:
    return lambda _: value


def _in_metric(metric: str, part: str) -> Callable[[Record], Any]:
    return lambda record: record["metrics"].get(metric, {}).get(part)
