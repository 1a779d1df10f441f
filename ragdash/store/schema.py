"""Version, tables and insert statements of a run file; the tables themselves are in schema.sql."""

from __future__ import annotations

from importlib.resources import files

SCHEMA_VERSION = 1

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
    "results": "INSERT INTO run.results BY NAME SELECT * FROM rows ORDER BY mode, question_id",
    "citations": (
        "INSERT INTO run.citations BY NAME SELECT * FROM rows ORDER BY mode, question_id, position"
    ),
    "scores": (
        "INSERT INTO run.scores BY NAME SELECT * FROM rows "
        "ORDER BY mode, question_id, metric, repeat"
    ),
    "attack_rows": (
        "INSERT INTO run.attack_rows BY NAME SELECT * FROM rows ORDER BY policy, position"
    ),
    "attack_summary": (
        "INSERT INTO run.attack_summary BY NAME SELECT * FROM rows ORDER BY policy, measure"
    ),
}


def schema_sql() -> str:
    """Return the statements that make the tables of a run file."""
    return files("ragdash.store").joinpath("schema.sql").read_text(encoding="utf-8")
