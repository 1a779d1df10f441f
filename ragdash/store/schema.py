"""Version, tables and insert statements of a run file; the tables themselves are in schema.sql."""

from __future__ import annotations

from importlib.resources import files

SCHEMA_VERSION = 6

# Version 1 has no evidence_chunks: what a corpus held beside the candidates is not in the file.
# Version 2 has no calls: no endpoint could be asked.
# Version 3 has no trace, error, orders and effects in attack_rows: no policy had controls to trace.
# Version 4 has no attack_retrieval: no attack went through a retriever.
# Version 5 has no extent and no final_score, and knows every page, top k and time: no results of
# another system could be in it.
READABLE = (1, 2, 3, 4, 5, 6)

# Attached run files go by these names and no others.
ALIASES = ("run", "base", "other")

# Sorted on the way in: zone maps then find one question without an index.
INSERTS = {
    "meta": "INSERT INTO run.meta BY NAME SELECT * FROM rows",
    "questions": "INSERT INTO run.questions BY NAME SELECT * FROM rows ORDER BY position",
    "golds": "INSERT INTO run.golds BY NAME SELECT * FROM rows ORDER BY question_id, position",
    "sources": "INSERT INTO run.sources BY NAME SELECT * FROM rows ORDER BY doc_id",
    "chunks": "INSERT INTO run.chunks BY NAME SELECT * FROM rows ORDER BY chunk_id",
    "candidates": (
        "INSERT INTO run.candidates BY NAME SELECT * FROM rows "
        "ORDER BY mode, question_id, final_rank, chunk_id"
    ),
    "evidence_chunks": (
        "INSERT INTO run.evidence_chunks BY NAME SELECT * FROM rows "
        "ORDER BY mode, question_id, position"
    ),
    "results": "INSERT INTO run.results BY NAME SELECT * FROM rows ORDER BY mode, question_id",
    "citations": (
        "INSERT INTO run.citations BY NAME SELECT * FROM rows ORDER BY mode, question_id, position"
    ),
    "scores": (
        "INSERT INTO run.scores BY NAME SELECT * FROM rows "
        "ORDER BY mode, question_id, metric, repeat"
    ),
    "calls": (
        "INSERT INTO run.calls BY NAME SELECT * FROM rows ORDER BY mode, question_id, position"
    ),
    "attack_rows": (
        "INSERT INTO run.attack_rows BY NAME SELECT * FROM rows ORDER BY policy, position"
    ),
    "attack_retrieval": (
        "INSERT INTO run.attack_retrieval BY NAME SELECT * FROM rows ORDER BY policy, position"
    ),
    "attack_summary": (
        "INSERT INTO run.attack_summary BY NAME SELECT * FROM rows ORDER BY policy, measure"
    ),
}

_SINCE = {"evidence_chunks": 2, "calls": 3, "attack_retrieval": 5}


def tables_of(version: int) -> tuple[str, ...]:
    """Return the tables that a run file of a schema version has."""
    return tuple(table for table in INSERTS if _SINCE.get(table, 1) <= version)


def schema_sql() -> str:
    """Return the statements that make the tables of a run file."""
    return files("ragdash.store").joinpath("schema.sql").read_text(encoding="utf-8")
