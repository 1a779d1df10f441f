-- The tables of a run file (runs/<run_id>.duckdb), schema version 6 (1 had no evidence_chunks, 2 no
-- calls, 3 no trace in attack_rows, 4 no attack_retrieval, 5 no extent and no final_score).
--
-- Read through store/attach.py, which attaches the file under an alias: run, base or other, so a
-- query reads `FROM run.results`. Everything one run used and found is in its file.
-- Ranks and pages count from 1. NULL means "not there": never NaN, never an imputed 0.
-- `position` counts from 0 and keeps the order things were given in.
-- JSON columns hold plain JSON; Chinese is stored as itself, not as escapes.
-- No index and no primary key: rows are sorted on the way in, and zone maps do the rest.

-- One row: what identifies the run.
CREATE TABLE meta (
    run_id VARCHAR NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),      -- 2 and up: the same run scored again
    kind VARCHAR NOT NULL CHECK (kind IN ('evaluation', 'attack')),
    schema_version INTEGER NOT NULL,
    started_at VARCHAR NOT NULL,                        -- ISO 8601, UTC
    finished_at VARCHAR NOT NULL,                       -- ISO 8601, UTC
    status VARCHAR NOT NULL CHECK (status IN ('done', 'failed', 'partial')),
    modes JSON NOT NULL,                                -- list, in display order; policies of an attack run
    config JSON NOT NULL,                               -- core.run.RunConfig, of an import only what was
                                                        -- declared; attack: support_threshold,
                                                        -- oracle_trust, registry_digest, pipeline
    config_digest VARCHAR NOT NULL,                     -- sha256:..., like every digest
    corpus_name VARCHAR,                                -- NULL in an attack run without a retriever
    corpus_digest VARCHAR,
    questions_name VARCHAR NOT NULL,                    -- the fixture file of an attack run
    questions_digest VARCHAR NOT NULL,
    n_questions INTEGER NOT NULL,                       -- cases of an attack run
    environment JSON NOT NULL
);

-- One row a question of the set, by position.
CREATE TABLE questions (
    question_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    lang VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,                              -- lookup, compare, computed, text
    company VARCHAR,
    period VARCHAR,
    gold JSON NOT NULL,                                 -- list of core.question.Gold, decimals as text
    gold_text VARCHAR NOT NULL,
    evidence JSON NOT NULL,                             -- list of {doc_id, page}
    answerable BOOLEAN NOT NULL,
    note VARCHAR NOT NULL
);

-- One row a gold figure, by question and position.
CREATE TABLE golds (
    question_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    value DECIMAL(38, 4),                               -- NULL where it does not fit exactly
    value_text VARCHAR NOT NULL,                        -- the exact figure, always
    unit VARCHAR NOT NULL,
    metric VARCHAR,
    scope VARCHAR,
    attribution VARCHAR,
    period VARCHAR,
    tolerance VARCHAR NOT NULL,                         -- relative, exact
    decimals INTEGER
);

-- One row a document that a candidate came from, by doc_id.
CREATE TABLE sources (
    doc_id VARCHAR NOT NULL,
    file VARCHAR NOT NULL,
    company VARCHAR NOT NULL,
    period VARCHAR,
    doc_type VARCHAR NOT NULL,
    lang VARCHAR NOT NULL,
    channel VARCHAR,                                    -- NULL where an import does not say
    title VARCHAR NOT NULL,
    licence VARCHAR NOT NULL,
    label VARCHAR NOT NULL,                             -- citation label: 2023年报, FY2024 10-K
    sha256 VARCHAR NOT NULL,
    n_pages INTEGER                                     -- NULL where nobody counted
);

-- One row a chunk that was a candidate in any mode or is in evidence_chunks, by chunk_id; its text
-- is here and nowhere else.
CREATE TABLE chunks (
    chunk_id VARCHAR NOT NULL,
    doc_id VARCHAR NOT NULL,
    company VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    period VARCHAR,
    source_page INTEGER,                                -- NULL where an import does not say
    section VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,                              -- text, table
    unit_note VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    digest VARCHAR NOT NULL                             -- of the text
);

-- The rank trace: one row a candidate, sorted by (mode, question_id, final_rank).
-- A rank is NULL where that stage did not return the chunk.
CREATE TABLE candidates (
    mode VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    chunk_id VARCHAR NOT NULL,
    dense_rank INTEGER,
    bm25_rank INTEGER,
    fused_rank INTEGER,
    rerank_rank INTEGER,
    final_rank INTEGER NOT NULL,
    in_context BOOLEAN NOT NULL,                        -- the generator saw it
    is_gold BOOLEAN NOT NULL,
    dense_score FLOAT CHECK (dense_score IS NULL OR isfinite(dense_score)),
    bm25_score FLOAT CHECK (bm25_score IS NULL OR isfinite(bm25_score)),
    fused_score FLOAT CHECK (fused_score IS NULL OR isfinite(fused_score)),
    rerank_score FLOAT CHECK (rerank_score IS NULL OR isfinite(rerank_score)),
    final_score FLOAT CHECK (final_score IS NULL OR isfinite(final_score))   -- imports only
);

-- What tells where the gold stands in the corpus, candidate or not: gold chunks and, where the
-- evidence page does not print the gold, what the diagnosis found instead. By position.
CREATE TABLE evidence_chunks (
    mode VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    chunk_id VARCHAR NOT NULL
);

-- One row per (mode, question): the answer, its outcome, the best gold rank of each stage, the layer.
CREATE TABLE results (
    mode VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    outcome VARCHAR NOT NULL CHECK (outcome IN
        ('correct', 'wrong', 'abstained_right', 'abstained_wrong', 'error', 'unscored')),
    caliber_reviewed BOOLEAN NOT NULL,
    answer_status VARCHAR NOT NULL CHECK (answer_status IN ('answered', 'refused', 'error')),
    answer VARCHAR NOT NULL,
    answer_reason VARCHAR NOT NULL,                     -- a code where answer_status is error
    generator VARCHAR NOT NULL,
    prompt VARCHAR NOT NULL,
    raw VARCHAR NOT NULL,                               -- the reply before any parsing
    finish_reason VARCHAR NOT NULL,
    top_k INTEGER,                                      -- NULL, as the seconds, where an import does
    n_candidates INTEGER NOT NULL,                      -- not say
    extent VARCHAR NOT NULL CHECK (extent IN            -- how much of the retrieval is known; less
        ('whole', 'listed', 'cut', 'not_given')),       -- than whole in imports only
    retrieve_seconds DOUBLE,
    subject JSON,                                       -- core.retrieval.Subject; NULL: not looked for
    generate_seconds DOUBLE,
    gold_dense_rank INTEGER,                            -- gold_*, evidence_visible: NULL without qrels
    gold_bm25_rank INTEGER,
    gold_fused_rank INTEGER,
    gold_rerank_rank INTEGER,
    gold_final_rank INTEGER,
    evidence_visible BOOLEAN,
    gold_chunk_ids JSON,                                -- list; empty: no gold chunk in the index
    layer VARCHAR CHECK (layer IS NULL OR layer IN
        ('ingest', 'recall', 'ranking', 'generation', 'business', 'undetermined')),
    diagnosis_reason VARCHAR,                           -- layer to diagnosis_facts: NULL where nothing was lost
    evidence_en VARCHAR,
    evidence_zh VARCHAR,
    try_en VARCHAR,
    try_zh VARCHAR,
    no_help_en VARCHAR,
    no_help_zh VARCHAR,
    diagnosis_facts JSON
);

-- One row a citation of an answer, by position.
CREATE TABLE citations (
    mode VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    start_at INTEGER NOT NULL,                          -- half-open range of characters in the answer
    end_at INTEGER NOT NULL,
    company VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    pages JSON NOT NULL,                                -- list of pages; empty where not well formed
    well_formed BOOLEAN NOT NULL
);

-- One row per (mode, question, metric, repeat).
CREATE TABLE scores (
    mode VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    metric VARCHAR NOT NULL,
    repeat INTEGER NOT NULL,
    value DOUBLE CHECK (value IS NULL OR isfinite(value)),
    status VARCHAR NOT NULL CHECK (status IN ('scored', 'not_applicable', 'undefined', 'error')),
    reason VARCHAR NOT NULL,                            -- a code
    evidence JSON NOT NULL,
    judge VARCHAR NOT NULL,                             -- the model behind a signal; empty for code
    seconds DOUBLE NOT NULL,
    CHECK ((value IS NOT NULL) = (status = 'scored'))
);

-- One row a call to an endpoint, by position: the order in which a question's calls were made.
CREATE TABLE calls (
    mode VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    stage VARCHAR NOT NULL,                             -- generate, judge
    purpose VARCHAR NOT NULL,                           -- the metric, or the step of one
    repeat INTEGER NOT NULL,
    part INTEGER NOT NULL,
    host VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    prompt_digest VARCHAR NOT NULL,
    level VARCHAR NOT NULL CHECK (level IN ('json_schema', 'json_object', 'text')),
    sent VARCHAR NOT NULL,
    reply VARCHAR NOT NULL,                             -- raw, whatever it was
    reason VARCHAR NOT NULL,                            -- a code; empty where the reply could be used
    detail VARCHAR NOT NULL,
    finish_reason VARCHAR NOT NULL,
    fingerprint VARCHAR NOT NULL,
    prompt_tokens INTEGER,                              -- NULL where the endpoint does not count them
    completion_tokens INTEGER,
    cost DOUBLE CHECK (cost IS NULL OR isfinite(cost)), -- NULL where no price is known
    seconds DOUBLE NOT NULL,                            -- of all tries; of the first asking where cached
    tries INTEGER NOT NULL,
    cached BOOLEAN NOT NULL
);

-- One row per (policy, case) of an attack run (core.attack.AttackRow, names of `attack --json`).
CREATE TABLE attack_rows (
    policy VARCHAR NOT NULL,
    case_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,                          -- of the case among the rows of its policy
    class VARCHAR NOT NULL,
    query VARCHAR NOT NULL,
    answerable BOOLEAN NOT NULL,
    adversarial BOOLEAN NOT NULL,
    answer VARCHAR NOT NULL,
    citations JSON NOT NULL,                            -- list of chunk ids as in the fixture
    actions JSON NOT NULL,                              -- list of names
    flags JSON NOT NULL,
    refused BOOLEAN NOT NULL,
    unsafe_action BOOLEAN NOT NULL,
    citation_failure DOUBLE NOT NULL                    -- share, 0 to 1: cited ids not retrieved / cited
        CHECK (citation_failure BETWEEN 0 AND 1),
    unsupported_claim BOOLEAN NOT NULL,
    correct BOOLEAN NOT NULL,
    compromised BOOLEAN NOT NULL,
    channels JSON NOT NULL,
    fired JSON NOT NULL,                                -- controls, in order
    view JSON NOT NULL,                                 -- core.attack.PolicyView: query, oracle_trust,
                                                        -- chunks as list of {id, text, trusted, meta}
    view_digest VARCHAR NOT NULL,
    -- From version 4 on.
    trace JSON NOT NULL,                                -- list of {control, decision, chunk_id, reason}
    error VARCHAR NOT NULL,                             -- '' where the policy gave an output; else nothing
                                                        -- was judged and the row counts in no rate
    orders JSON,                                        -- {n, good, compromised, refused} over the orders
                                                        -- of the chunks; NULL where not studied
    effects JSON NOT NULL                               -- list of {control, fired, first, breaks_without,
                                                        -- stops_alone}; layered only
);

-- One row per (policy, case) of an attack run that went through a retriever (core.poison.PoisonTrace):
-- how far the hostile passages came, and what they pushed aside. policy names mode and policy.
CREATE TABLE attack_retrieval (
    policy VARCHAR NOT NULL,                            -- "dense/layered"; none is the generator alone
    case_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,                          -- as in attack_rows
    class VARCHAR NOT NULL,
    mode VARCHAR NOT NULL,                              -- dense, hybrid, rerank
    stage VARCHAR CHECK (stage IS NULL OR stage IN      -- NULL where the row is an error
        ('not_retrieved', 'retrieved', 'in_context', 'in_answer')),
    chunk_ids JSON NOT NULL,                            -- list: the case's hostile passages in the index
    dense_rank INTEGER,                                 -- best rank of any of them at each stage
    bm25_rank INTEGER,
    fused_rank INTEGER,
    rerank_rank INTEGER,
    final_rank INTEGER,
    context_rank INTEGER,                               -- place in the context; NULL where not shown
    hostile_shown INTEGER NOT NULL,                     -- of context_size passages, those of any case
    context_size INTEGER NOT NULL,
    gold_rank_without INTEGER,                          -- final rank without hostile passages, and with
    gold_rank_with INTEGER,
    gold_displaced BOOLEAN,                             -- NULL where no gold chunk was a candidate before
    gold_shown_without BOOLEAN,                         -- enough evidence in the context; NULL: no qrels
    gold_shown_with BOOLEAN,
    answer_without VARCHAR NOT NULL,                    -- of the same policy without hostile passages
    correct_without BOOLEAN,
    CHECK (hostile_shown BETWEEN 0 AND context_size)
);

-- One row per (policy, measure): k of n; rate, low and high (Wilson, 95 %) are NULL where n is 0.
CREATE TABLE attack_summary (
    policy VARCHAR NOT NULL,
    measure VARCHAR NOT NULL,                           -- unsafe_action, abstention, utility, ...;
                                                        -- stage_in_answer, stage_in_answer:CLASS, ...
    k INTEGER NOT NULL,
    n INTEGER NOT NULL,
    rate DOUBLE,
    low DOUBLE,
    high DOUBLE,
    CHECK (0 <= k AND k <= n),
    CHECK ((rate IS NULL) = (n = 0))
);
