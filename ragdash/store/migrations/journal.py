"""Steps of a journal (live/<run_id>.sqlite)."""

from __future__ import annotations

from ragdash.store.migrations.runner import Step

STEPS = (
    Step(
        "results with their chunks apart",
        (
            # One row: who the run is, and which version of it will be published.
            """
            CREATE TABLE run (
                run_id TEXT NOT NULL,
                version INTEGER NOT NULL,
                info TEXT NOT NULL,
                question_ids TEXT NOT NULL,
                holder TEXT NOT NULL
            )
            """,
            """
            CREATE TABLE results (
                mode TEXT NOT NULL,
                question_id TEXT NOT NULL,
                outcome TEXT NOT NULL,
                answer_status TEXT NOT NULL,
                layer TEXT,
                seconds REAL NOT NULL,
                payload TEXT NOT NULL,
                PRIMARY KEY (mode, question_id)
            )
            """,
            "CREATE TABLE chunks (chunk_id TEXT PRIMARY KEY, payload TEXT NOT NULL)",
            "CREATE TABLE sources (doc_id TEXT PRIMARY KEY, payload TEXT NOT NULL)",
        ),
    ),
)
