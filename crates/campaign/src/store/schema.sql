-- The format of a store. A change of anything here needs another FORMAT in mod.rs, and a script that brings
-- stores of the format before up to it. PostgreSQL gets the same tables, with its own names of types, so that
-- scripts use statements that both databases know.

-- The content that the runs of a configuration have in common.
CREATE TABLE configurations (
    name       TEXT NOT NULL PRIMARY KEY,
    -- In words.
    conditions TEXT NOT NULL,
    -- As canonical JSON, and its hash. Null for configurations of earlier formats, which the words tell apart.
    content    TEXT,
    identity   TEXT
) STRICT;

-- The crashes of jobs, with everything that a worker needs.
CREATE TABLE crashes (
    id      TEXT NOT NULL PRIMARY KEY,
    -- Class path, coordinates and scope, as JSON.
    subject TEXT NOT NULL,
    log     BLOB NOT NULL
) STRICT;

-- One row for each run that was planned: the queue.
CREATE TABLE jobs (
    id            INTEGER PRIMARY KEY,
    crash         TEXT    NOT NULL REFERENCES crashes (id),
    configuration TEXT    NOT NULL REFERENCES configurations (name),
    -- The frame to reproduce, 0 for the highest that can be.
    target_frame  INTEGER NOT NULL,
    seed          INTEGER NOT NULL,
    -- The plan that asked for it last, and its place there.
    plan          TEXT    NOT NULL,
    place         INTEGER NOT NULL,
    -- `open`, `running` or `done`.
    state         TEXT    NOT NULL,
    -- How often it was claimed, by which worker last, and until when, in seconds since 1970 of the server.
    attempts      INTEGER NOT NULL,
    worker        TEXT,
    lease_until   REAL,
    UNIQUE (crash, configuration, target_frame, seed)
) STRICT;

CREATE INDEX jobs_to_do ON jobs (state, place, id);

-- One row for each run that is over.
CREATE TABLE runs (
    id                   INTEGER PRIMARY KEY,
    crash                TEXT    NOT NULL,
    application          TEXT    NOT NULL,
    application_version  TEXT    NOT NULL,
    configuration        TEXT    NOT NULL REFERENCES configurations (name),
    -- The frame that was asked for, 0 for the highest that can be.
    target_frame         INTEGER NOT NULL,
    -- Unsigned numbers of 64 bits, kept as signed ones of the same bits.
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
    -- Why there was no search at all.
    error_kind           TEXT,
    error                TEXT,
    crashback            TEXT    NOT NULL,
    -- Seconds since 1970.
    started_at           INTEGER NOT NULL,
    obstacle_kind        TEXT,
    fitness              TEXT    NOT NULL,
    algorithm            TEXT    NOT NULL,
    -- Pairs `name=value` that are not the default, separated by blanks.
    tuning               TEXT    NOT NULL,
    -- The share of their time that workers waited for tests while the search ran.
    waiting_share        REAL,
    -- Where the time went, as `timing` of `crashback reproduce --json`.
    timing               TEXT,
    -- Names separated by blanks, as in `doubts` and `relaxations` of `crashback reproduce --json`. Null
    -- without a test, and where it is not known.
    doubts               TEXT,
    relaxations          TEXT,
    -- Class of the exception, as the log gives it.
    exception            TEXT,
    -- The budget: seconds, tests in a generation.
    time_limit           REAL,
    population           INTEGER,
    -- The worker that made it.
    worker               TEXT,
    -- The test of a frame above, where the program wraps or catches the exception.
    outer_frame          INTEGER,
    outer_degree         TEXT,
    outer_doubts         TEXT,
    outer_test_source    TEXT,
    -- What happened: lists of seconds, kind, frame and detail, as JSON. Null where it is not known.
    events               TEXT,
    UNIQUE (crash, configuration, target_frame, seed)
) STRICT;

-- One row for each target frame of a run.
CREATE TABLE frames (
    run           INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    level         INTEGER NOT NULL,
    frame         TEXT    NOT NULL,
    outcome       TEXT    NOT NULL,
    evaluations   INTEGER NOT NULL,
    obstacle      TEXT,
    obstacle_kind TEXT,
    -- The smallest crash distance, and how it fell: triples of tests executed for all frames, seconds and
    -- distance, as JSON.
    distance      REAL,
    curve         TEXT,
    -- The arm that made the test which reproduces the frame, and after how many seconds.
    found_by      TEXT,
    found_after   REAL,
    -- Where the exception was seen, if the frame was reproduced.
    degree        TEXT,
    PRIMARY KEY (run, level)
) STRICT;

-- One row for each test that crashed in the worker but not in a plain JVM.
CREATE TABLE unverified (
    run    INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    -- What happened instead.
    reason TEXT    NOT NULL,
    PRIMARY KEY (run, number)
) STRICT;
