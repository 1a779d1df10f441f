"""Steps of the cache of model calls (calls.sqlite)."""

from __future__ import annotations

from ragdash.store.migrations.runner import Step

STEPS = (
    Step(
        "calls by key",
        (
            # Numbers and names as columns for the totals; the call itself as JSON.
            """
            CREATE TABLE calls (
                key TEXT PRIMARY KEY,
                host TEXT NOT NULL,
                model TEXT NOT NULL,
                stage TEXT NOT NULL,
                at TEXT NOT NULL,
                prompt_tokens INTEGER,
                completion_tokens INTEGER,
                cost REAL,
                payload TEXT NOT NULL
            )
            """,
            "CREATE INDEX calls_by_model ON calls (model, at)",
        ),
    ),
)
