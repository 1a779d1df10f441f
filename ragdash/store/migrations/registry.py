"""Steps of the registry (registry.sqlite). A step that has been released is never edited."""

from __future__ import annotations

from ragdash.store.migrations.runner import Step

STEPS = (
    Step(
        "runs with their summaries",
        (
            """
            CREATE TABLE runs (
                run_id TEXT NOT NULL,
                version INTEGER NOT NULL,
                kind TEXT NOT NULL,
                status TEXT NOT NULL,
                started_at TEXT NOT NULL,
                finished_at TEXT NOT NULL,
                config TEXT NOT NULL,
                config_digest TEXT NOT NULL,
                corpus_name TEXT,
                corpus_digest TEXT,
                questions_name TEXT NOT NULL,
                questions_digest TEXT NOT NULL,
                n_questions INTEGER NOT NULL,
                environment TEXT NOT NULL,
                PRIMARY KEY (run_id, version)
            )
            """,
            # One row a mode (a policy in an attack run); seconds are retrieval plus generation.
            """
            CREATE TABLE modes (
                run_id TEXT NOT NULL,
                version INTEGER NOT NULL,
                mode TEXT NOT NULL,
                position INTEGER NOT NULL,
                n INTEGER NOT NULL,
                p50_seconds REAL,
                p95_seconds REAL,
                PRIMARY KEY (run_id, version, mode),
                FOREIGN KEY (run_id, version) REFERENCES runs ON DELETE CASCADE
            )
            """,
            """
            CREATE TABLE summaries (
                run_id TEXT NOT NULL,
                version INTEGER NOT NULL,
                mode TEXT NOT NULL,
                metric TEXT NOT NULL,
                mean REAL,
                k INTEGER,
                n_scored INTEGER NOT NULL,
                n_undefined INTEGER NOT NULL,
                n_not_applicable INTEGER NOT NULL,
                n_error INTEGER NOT NULL,
                low REAL,
                high REAL,
                PRIMARY KEY (run_id, version, mode, metric),
                FOREIGN KEY (run_id, version) REFERENCES runs ON DELETE CASCADE
            )
            """,
            """
            CREATE TABLE outcomes (
                run_id TEXT NOT NULL,
                version INTEGER NOT NULL,
                mode TEXT NOT NULL,
                outcome TEXT NOT NULL,
                n INTEGER NOT NULL,
                PRIMARY KEY (run_id, version, mode, outcome),
                FOREIGN KEY (run_id, version) REFERENCES runs ON DELETE CASCADE
            )
            """,
        ),
    ),
    Step(
        "tags, append-only",
        (
            # The newest row of a name is what the tag names; no row is ever changed. Tags outlive
            # a removed run, so that history stays true.
            """
            CREATE TABLE tags (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                name TEXT NOT NULL,
                run_id TEXT NOT NULL,
                version INTEGER NOT NULL,
                mode TEXT,
                reason TEXT NOT NULL,
                author TEXT NOT NULL,
                at TEXT NOT NULL
            )
            """,
            "CREATE INDEX tags_by_name ON tags (name, number)",
            """
            CREATE TRIGGER tags_keep_their_history BEFORE UPDATE ON tags
            BEGIN SELECT RAISE(ABORT, 'tags are append-only'); END
            """,
            """
            CREATE TRIGGER tags_stay BEFORE DELETE ON tags
            BEGIN SELECT RAISE(ABORT, 'tags are append-only'); END
            """,
        ),
    ),
    Step(
        "ablations, by run version and grid",
        (
            # No foreign key: registering a run file again must not lose what was computed from it.
            """
            CREATE TABLE ablations (
                run_id TEXT NOT NULL,
                version INTEGER NOT NULL,
                mode TEXT NOT NULL,
                grid TEXT NOT NULL,
                at TEXT NOT NULL,
                result TEXT NOT NULL,
                PRIMARY KEY (run_id, version, mode, grid)
            )
            """,
        ),
    ),
    Step(
        "what the calls of a mode cost",
        (
            # Of calls that were asked this time, cached ones are not. `unpriced` are those that
            # were answered at an unknown price, so that `cost` is at least what is there.
            "ALTER TABLE modes ADD COLUMN calls INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE modes ADD COLUMN unpriced INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE modes ADD COLUMN cost REAL",
        ),
    ),
    Step(
        "reviews, append-only, with drafts and saved filters",
        (
            # No foreign key: reviews outlive a removed run and a run file that is registered again.
            # A review is valid until its own author supersedes it, and only once.
            """
            CREATE TABLE reviews (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                run_id TEXT NOT NULL,
                version INTEGER NOT NULL,
                mode TEXT NOT NULL,
                question_id TEXT NOT NULL,
                reviewer TEXT NOT NULL,
                at TEXT NOT NULL,
                verdict TEXT,
                flag INTEGER NOT NULL CHECK (flag IN (0, 1)),
                note TEXT NOT NULL,
                rule_layer TEXT,
                supersedes INTEGER UNIQUE REFERENCES reviews (number),
                CHECK (verdict IS NOT NULL OR flag = 1 OR note <> '')
            )
            """,
            "CREATE INDEX reviews_by_question ON reviews (run_id, version, mode, question_id)",
            """
            CREATE TRIGGER reviews_keep_their_words BEFORE UPDATE ON reviews
            BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END
            """,
            """
            CREATE TRIGGER reviews_stay BEFORE DELETE ON reviews
            BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END
            """,
            # INSERT OR REPLACE deletes without asking a trigger.
            """
            CREATE TRIGGER reviews_are_not_replaced BEFORE INSERT ON reviews
            WHEN EXISTS (SELECT 1 FROM reviews WHERE number = NEW.number
                         OR supersedes = NEW.supersedes)
            BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END
            """,
            # Without the version: what was begun goes on when a run has been scored again.
            """
            CREATE TABLE review_drafts (
                reviewer TEXT NOT NULL,
                run_id TEXT NOT NULL,
                mode TEXT NOT NULL,
                question_id TEXT NOT NULL,
                at TEXT NOT NULL,
                verdict TEXT,
                flag INTEGER NOT NULL,
                note TEXT NOT NULL,
                PRIMARY KEY (reviewer, run_id, mode, question_id)
            )
            """,
            """
            CREATE TABLE saved_filters (
                reviewer TEXT NOT NULL,
                name TEXT NOT NULL,
                at TEXT NOT NULL,
                query TEXT NOT NULL,
                PRIMARY KEY (reviewer, name)
            )
            """,
            # A browser is known by the digest of its own token, and remembers one name.
            """
            CREATE TABLE reviewers (
                browser TEXT PRIMARY KEY,
                name TEXT NOT NULL,
                at TEXT NOT NULL
            )
            """,
        ),
    ),
    Step(
        "spot checks of calibers, append-only, with locks and drafts",
        (
            # As reviews: no foreign key, valid until its own author supersedes it, and only once.
            # `version` is where it was said; it holds for every version with the same answer.
            """
            CREATE TABLE spot_checks (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                run_id TEXT NOT NULL,
                version INTEGER NOT NULL,
                mode TEXT NOT NULL,
                question_id TEXT NOT NULL,
                reviewer TEXT NOT NULL,
                at TEXT NOT NULL,
                fit TEXT NOT NULL CHECK (fit IN ('fits', 'conflict', 'unclear')),
                confidence TEXT NOT NULL,
                asked TEXT NOT NULL,
                gold TEXT NOT NULL,
                answered TEXT NOT NULL,
                doc_id TEXT,
                page INTEGER,
                note TEXT NOT NULL,
                blind INTEGER NOT NULL CHECK (blind IN (0, 1)),
                rule TEXT NOT NULL,
                outcome TEXT NOT NULL,
                answer_digest TEXT NOT NULL,
                supersedes INTEGER UNIQUE REFERENCES spot_checks (number),
                CHECK (page IS NULL OR (page >= 1 AND doc_id IS NOT NULL))
            )
            """,
            "CREATE INDEX spot_checks_by_question ON spot_checks (run_id, mode, question_id)",
            """
            CREATE TRIGGER spot_checks_keep_their_words BEFORE UPDATE ON spot_checks
            BEGIN SELECT RAISE(ABORT, 'spot checks are append-only'); END
            """,
            """
            CREATE TRIGGER spot_checks_stay BEFORE DELETE ON spot_checks
            BEGIN SELECT RAISE(ABORT, 'spot checks are append-only'); END
            """,
            # INSERT OR REPLACE deletes without asking a trigger.
            """
            CREATE TRIGGER spot_checks_are_not_replaced BEFORE INSERT ON spot_checks
            WHEN EXISTS (SELECT 1 FROM spot_checks WHERE number = NEW.number
                         OR supersedes = NEW.supersedes)
            BEGIN SELECT RAISE(ABORT, 'spot checks are append-only'); END
            """,
            """
            CREATE TABLE spot_check_locks (
                run_id TEXT NOT NULL,
                mode TEXT NOT NULL,
                question_id TEXT NOT NULL,
                reviewer TEXT NOT NULL,
                since TEXT NOT NULL,
                until TEXT NOT NULL,
                PRIMARY KEY (run_id, mode, question_id)
            )
            """,
            # NULL: not chosen yet.
            """
            CREATE TABLE spot_check_drafts (
                reviewer TEXT NOT NULL,
                run_id TEXT NOT NULL,
                mode TEXT NOT NULL,
                question_id TEXT NOT NULL,
                at TEXT NOT NULL,
                fit TEXT,
                confidence TEXT,
                asked TEXT,
                gold TEXT,
                answered TEXT,
                doc_id TEXT,
                page INTEGER,
                note TEXT NOT NULL,
                PRIMARY KEY (reviewer, run_id, mode, question_id)
            )
            """,
        ),
    ),
)
