-- Configurations are told apart by their content, runs have a target frame, an exception and a budget, and jobs
-- wait in the store. Runs are copied, because the target frame is part of their key.
ALTER TABLE configurations ADD COLUMN content  TEXT;
ALTER TABLE configurations ADD COLUMN identity TEXT;

CREATE TABLE crashes (
    id      TEXT NOT NULL PRIMARY KEY,
    subject TEXT NOT NULL,
    log     BLOB NOT NULL
) STRICT;

CREATE TABLE jobs (
    id            INTEGER PRIMARY KEY,
    crash         TEXT    NOT NULL REFERENCES crashes (id),
    configuration TEXT    NOT NULL REFERENCES configurations (name),
    target_frame  INTEGER NOT NULL,
    seed          INTEGER NOT NULL,
    plan          TEXT    NOT NULL,
    place         INTEGER NOT NULL,
    state         TEXT    NOT NULL,
    attempts      INTEGER NOT NULL,
    worker        TEXT,
    lease_until   REAL,
    UNIQUE (crash, configuration, target_frame, seed)
) STRICT;

CREATE INDEX jobs_to_do ON jobs (state, place, id);

ALTER TABLE runs RENAME TO earlier_runs;
ALTER TABLE frames RENAME TO earlier_frames;
ALTER TABLE unverified RENAME TO earlier_unverified;

CREATE TABLE runs (
    id                   INTEGER PRIMARY KEY,
    crash                TEXT    NOT NULL,
    application          TEXT    NOT NULL,
    application_version  TEXT    NOT NULL,
    configuration        TEXT    NOT NULL REFERENCES configurations (name),
    target_frame         INTEGER NOT NULL,
    seed                 INTEGER NOT NULL,
    frame                INTEGER,
    highest_target_frame INTEGER,
    outcome              TEXT    NOT NULL,
    verified             INTEGER NOT NULL,
    degree               TEXT,
    satisfactory         INTEGER NOT NULL,
    line_shifted         INTEGER NOT NULL,
    evaluations          INTEGER NOT NULL,
    seconds              REAL    NOT NULL,
    nulls                INTEGER NOT NULL,
    mocks                INTEGER NOT NULL,
    unverified_claims    INTEGER NOT NULL,
    obstacle             TEXT,
    test_class           TEXT,
    test_source          TEXT,
    error_kind           TEXT,
    error                TEXT,
    crashback            TEXT    NOT NULL,
    started_at           INTEGER NOT NULL,
    obstacle_kind        TEXT,
    fitness              TEXT    NOT NULL,
    algorithm            TEXT    NOT NULL,
    tuning               TEXT    NOT NULL,
    waiting_share        REAL,
    timing               TEXT,
    doubts               TEXT,
    relaxations          TEXT,
    exception            TEXT,
    time_limit           REAL,
    population           INTEGER,
    worker               TEXT,
    outer_frame          INTEGER,
    outer_degree         TEXT,
    outer_doubts         TEXT,
    outer_test_source    TEXT,
    UNIQUE (crash, configuration, target_frame, seed)
) STRICT;

CREATE TABLE frames (
    run           INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    level         INTEGER NOT NULL,
    frame         TEXT    NOT NULL,
    outcome       TEXT    NOT NULL,
    evaluations   INTEGER NOT NULL,
    obstacle      TEXT,
    obstacle_kind TEXT,
    distance      REAL,
    curve         TEXT,
    found_by      TEXT,
    found_after   REAL,
    degree        TEXT,
    PRIMARY KEY (run, level)
) STRICT;

CREATE TABLE unverified (
    run    INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    reason TEXT    NOT NULL,
    PRIMARY KEY (run, number)
) STRICT;

INSERT INTO runs (
    target_frame,
    id, crash, application, application_version, configuration, seed, frame, highest_target_frame, outcome,
    verified, degree, satisfactory, line_shifted, evaluations, seconds, nulls, mocks, unverified_claims,
    obstacle, test_class, test_source, error_kind, error, crashback, started_at, obstacle_kind, fitness,
    algorithm, tuning, waiting_share, timing, doubts, relaxations
) SELECT
    0,
    id, crash, application, application_version, configuration, seed, frame, highest_target_frame, outcome,
    verified, degree, satisfactory, line_shifted, evaluations, seconds, nulls, mocks, unverified_claims,
    obstacle, test_class, test_source, error_kind, error, crashback, started_at, obstacle_kind, fitness,
    algorithm, tuning, waiting_share, timing, doubts, relaxations
FROM earlier_runs;
INSERT INTO frames (
    run, level, frame, outcome, evaluations, obstacle, obstacle_kind, distance, curve, found_by, found_after
) SELECT
    run, level, frame, outcome, evaluations, obstacle, obstacle_kind, distance, curve, found_by, found_after
FROM earlier_frames;
INSERT INTO unverified SELECT * FROM earlier_unverified;
DROP TABLE earlier_frames;
DROP TABLE earlier_unverified;
DROP TABLE earlier_runs;
