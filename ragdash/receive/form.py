"""The open form: results of any system as JSON lines, names and limits in one place.

A first line may be a header, then comes one line a question and mode. `ragdash import jsonl` reads
the form and `ragdash export --format jsonl` writes it, both with these names.

    {"ragdash_import": 1, "system": "my-rag", "modes": ["v2"], "generator": "qwen-max", "top_k": 5}
    {"id": "q1", "question": "贵州茅台2023年营业收入是多少？", "mode": "v2",
     "gold": [{"value": "147693604994.14", "unit": "CNY", "metric": "营业收入"}],
     "evidence": [{"doc_id": "600519-2023", "page": 2}],
     "answer": "1,476.94亿元 (贵州茅台·2023年报·P2)",
     "contexts": [{"chunk_id": "c1", "doc_id": "600519-2023", "company": "贵州茅台",
                   "period": "2023", "doc_type": "annual", "page": 2, "text": "营业收入 ...",
                   "rank": 1, "score": 0.83, "in_context": true}],
     "scores": {"faithfulness": 0.9}, "generate_seconds": 1.2}
    {"id": "q2", "question": "What were Apple's net sales in fiscal 2023?", "mode": "v2",
     "answer": "$383,285 million"}

Only `id`, `question` and `answer` must be there. What is not given stays unknown: it is stored as
such and shown as not given, never as 0. Keys that hold null, and names that are empty, are as good
as left out.
"""

from __future__ import annotations

from ragdash.core.score import GIVEN as GIVEN

# -- The header ---------------------------------------------------------------------------------

MARK = "ragdash_import"
"""The key that makes the first line a header; its value is the version of the form."""

FORM_VERSION = 1

# What a system may declare of itself, by the factor of a comparison that it belongs to. Text.
FACTS: dict[str, tuple[str, ...]] = {
    "system": ("system", "system_version"),
    "ingest": ("corpus", "corpus_digest", "parser"),
    "chunking": ("chunking",),
    "embedding": ("embedding",),
    "fusion": ("fusion",),
    "filter": ("filter",),
    "query": ("query",),
    "reranker": ("reranker",),
    "top_k": ("top_k",),
    "prompt": ("prompt_version",),
    "generator": ("generator",),
}

# questions: the name of the set. started_at: ISO 8601. whole_lists: `contexts` hold all that the
# retriever returned, so that what is not among them was not found.
HEADER = (MARK, "modes", "questions", "started_at", "whole_lists", "note")

# -- A line: one question in one mode -----------------------------------------------------------

# As in a question file (contract.md section 2).
QUESTION = (
    *("id", "question", "lang", "kind", "company", "period"),
    *("gold", "gold_text", "evidence", "answerable", "note"),
)

# mode: the system's own name of the way it answered. refused: it declared a refusal. error: it
# failed, and why. raw: the reply before any parsing. Seconds are wall time; a system that times
# only the whole gives it as generate_seconds. cost: of this answer, in one currency.
ANSWER = (
    *("mode", "answer", "refused", "error", "generator", "prompt", "raw", "finish_reason"),
    *("retrieve_seconds", "generate_seconds", "cost", "contexts", "scores"),
)

# A context, best first, or just its text. rank counts from 1 and orders the system's list; score
# is the one behind it. A stage's rank and score are there where that stage returned the chunk.
STAGES = ("dense", "bm25", "fused", "rerank")
CONTEXT = (
    *("chunk_id", "doc_id", "company", "period", "doc_type", "label", "page"),
    *("section", "chunk_kind", "unit_note", "text", "rank", "score", "in_context"),
    *(f"{stage}_rank" for stage in STAGES),
    *(f"{stage}_score" for stage in STAGES),
)

# Where an empty text says something: elsewhere it is as good as left out.
EMPTY_SAYS = ("answer", "text", "unit_note", "error", "raw")

# Written by `ragdash export`, told by this code again on import: read over, never taken as given.
TOLD = (
    *("run", "version", "outcome", "rule_outcome", "layer", "rule_layer", "diagnosis"),
    *("citations", "metrics", "reviews", "checks", "reviewer", "flag"),
    *("outcome_by", "layer_by", "verdict", "caliber", "ranks"),
)

ONLY_MODE = "imported"
"""The mode of lines that name none; names of modes are as core.retrieval.MODE_NAME allows."""

SCORE_NAME = r"[^\W_][\w.@+-]{0,59}"

# -- Limits -------------------------------------------------------------------------------------

LARGEST_FILE = 512 << 20
LONGEST_LINE = 32 << 20
DEEPEST = 20
MOST_LINES = 200_000
MOST_FAULTS = 1_000
MOST_MODES = 50
MOST_CONTEXTS = 1_000
MOST_SCORES = 50
MOST_GOLDS = 100
MOST_EVIDENCE = 200
LONGEST_ANSWER = 1_000_000
LONGEST_TEXT = 200_000
LONGEST_NAME = 200
LAST_PAGE = 9_999
LARGEST_RANK = 1_000_000
