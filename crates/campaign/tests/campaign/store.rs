//! The file: whose it is, who may write, and what a killed campaign leaves.
#![expect(clippy::disallowed_methods, reason = "a campaign is killed in another process")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crashback_campaign::{Error, EventKind, EventRecord, Extent, FrameRecord, Record, RunFailure, Store};
use rusqlite::Connection;

use crate::support::{Checkout, Fake, campaign, records, searched};

#[test]
fn a_record_reads_back_as_it_was() {
    let checkout = Checkout::with(&["A", "B"]);
    let path = checkout.path("store");
    let plan = checkout.plan(1);
    let mut job = checkout.jobs(1).remove(0);
    campaign(&plan, &path, &Arc::<Fake>::default());
    let mut store = Store::open(&path).expect("a store");
    for seed in [0, 1, u64::MAX, u64::MAX - 2] {
        job.seed = seed;
        let failure = RunFailure { kind: "internal".to_owned(), message: "it \0 broke".to_owned() };
        let result = if seed == 0 { Err(failure) } else { Ok(searched(seed)) };
        let record = Record::new(&job, result, "9.9", 12);
        let event = |frame, kind, detail| EventRecord { seconds: 0.25, kind, frame, detail };
        let events = vec![
            event(Some(2), EventKind::Searching, None),
            event(None, EventKind::LeftOut, Some("\"7\"\0 ∅".to_owned())),
        ];
        let record = Record { events, ..record };
        store.add(&record).expect("added");
        store.add(&record).expect("added again");
        let read: Vec<Record> =
            store.records().expect("records").into_iter().filter(|it| it.seed == seed).collect();
        assert_eq!(read, [record]);
    }
}

/// What a run is read without, by extent.
fn read_to(extent: Extent, record: Record) -> Record {
    let without_bulk =
        |it: FrameRecord| FrameRecord { curve: Vec::new(), obstacle: None, found_by: None, ..it };
    let mut read = Record { test_source: None, events: Vec::new(), unverified_reasons: Vec::new(), ..record };
    read.frames = match extent {
        Extent::Runs => Vec::new(),
        _ => read.frames.into_iter().map(without_bulk).collect(),
    };
    read
}

#[test]
fn as_much_is_read_as_is_asked_for() {
    let checkout = Checkout::with(&["A", "Bad"]);
    let path = checkout.path("store");
    campaign(&checkout.plan(3), &path, &Arc::<Fake>::default());
    check_extents(&Store::open_to_read(&path).expect("a store"));
}

/// Everything that is read to an extent is as it is in the whole.
pub(crate) fn check_extents(store: &Store) {
    let whole = store.records().expect("records");
    assert_eq!(store.records_to(Extent::Whole).expect("records"), whole);
    for extent in [Extent::Runs, Extent::Frames] {
        let expected: Vec<Record> = whole.iter().cloned().map(|it| read_to(extent, it)).collect();
        assert_eq!(store.records_to(extent).expect("records"), expected);
    }
    assert!(whole.iter().any(|it| !it.frames.is_empty() && it.test_source.is_some()));
}

#[test]
fn two_campaigns_at_once_are_refused_but_readers_are_not() {
    let checkout = Checkout::with(&["A"]);
    let path = checkout.path("store");
    let first = Store::open(&path).expect("a store");
    let error = Store::open(&path).expect_err("busy");
    assert!(matches!(error, Error::Busy { .. }), "{error}");
    assert!(records(&path).is_empty());
    drop(first);
    Store::open(&path).expect("free again");
}

fn refused(path: &Path, words: &str) {
    let before = fs::read(path).expect("a file");
    for opened in [Store::open(path), Store::open_to_read(path)] {
        let error = opened.expect_err("no store of ours");
        assert!(error.to_string().contains(words), "{error}");
    }
    assert_eq!(fs::read(path).expect("a file"), before, "it is not touched");
}

#[test]
fn other_files_are_refused_and_not_touched() {
    let checkout = Checkout::with(&["A"]);
    let text = checkout.path("text");
    fs::write(&text, "not a database, but quite a long text\n".repeat(100)).expect("a file");
    refused(&text, "not a store");
    assert!(!checkout.path("text.lock").exists());

    let foreign = checkout.path("foreign");
    let connection = Connection::open(&foreign).expect("a database");
    connection.execute_batch("CREATE TABLE runs (x); PRAGMA user_version = 1;").expect("a table");
    drop(connection);
    refused(&foreign, "not a store");

    let future = checkout.path("future");
    drop(Store::open(&future).expect("a store"));
    Connection::open(&future).expect("a database").execute_batch("PRAGMA user_version = 9").expect("changed");
    refused(&future, "has format 9, and this version of crashback knows format 8");

    let missing = Store::open_to_read(&checkout.path("missing")).expect_err("missing");
    assert!(matches!(missing, Error::MissingStore { .. }), "{missing}");
    assert!(!checkout.path("missing").exists());
    let nowhere = Store::open(&checkout.path("no/such/folder/store")).expect_err("no folder");
    assert!(nowhere.to_string().contains("no/such/folder/store"), "{nowhere}");
    assert!(Store::open(&checkout.path("crashes")).is_err(), "a folder is no store");
}

/// Takes a store of the present format back to format 7.
const TO_7: &str = "
    ALTER TABLE runs DROP COLUMN events;
    PRAGMA user_version = 7;";

/// Takes a store of format 7 back to format 6. The columns that are left over do no harm: its runs
/// are copied by name.
const TO_6: &str = "
    PRAGMA foreign_keys = OFF;
    CREATE TABLE old_runs AS SELECT * FROM runs;
    DROP TABLE jobs; DROP TABLE crashes; DROP TABLE runs;
    ALTER TABLE configurations DROP COLUMN content; ALTER TABLE configurations DROP COLUMN identity;
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY, crash TEXT NOT NULL, application TEXT NOT NULL,
        application_version TEXT NOT NULL, configuration TEXT NOT NULL REFERENCES configurations (name),
        seed INTEGER NOT NULL, frame INTEGER, highest_target_frame INTEGER, outcome TEXT NOT NULL,
        verified INTEGER NOT NULL, degree TEXT, satisfactory INTEGER NOT NULL, line_shifted INTEGER NOT NULL,
        evaluations INTEGER NOT NULL, seconds REAL NOT NULL, nulls INTEGER NOT NULL, mocks INTEGER NOT NULL,
        unverified_claims INTEGER NOT NULL, obstacle TEXT, test_class TEXT, test_source TEXT, error_kind TEXT,
        error TEXT, crashback TEXT NOT NULL, started_at INTEGER NOT NULL, obstacle_kind TEXT,
        fitness TEXT NOT NULL DEFAULT 'call-chain', algorithm TEXT NOT NULL DEFAULT 'guided-ga',
        tuning TEXT NOT NULL DEFAULT '', waiting_share REAL, timing TEXT, doubts TEXT, relaxations TEXT,
        UNIQUE (crash, configuration, seed)
    ) STRICT;
    INSERT INTO runs SELECT id, crash, application, application_version, configuration, seed, frame,
        highest_target_frame, outcome, verified, degree, satisfactory, line_shifted, evaluations, seconds,
        nulls, mocks, unverified_claims, obstacle, test_class, test_source, error_kind, error, crashback,
        started_at, obstacle_kind, fitness, algorithm, tuning, waiting_share, timing, doubts, relaxations
    FROM old_runs;
    DROP TABLE old_runs;
    PRAGMA user_version = 6;";

/// Takes a store of format 6 back to format 5.
const TO_5: &str = "
    ALTER TABLE frames DROP COLUMN distance; ALTER TABLE frames DROP COLUMN curve;
    ALTER TABLE frames DROP COLUMN found_by; ALTER TABLE frames DROP COLUMN found_after;
    PRAGMA user_version = 5;";

/// Takes a store of format 5 back to format 4.
const TO_4: &str = "
    ALTER TABLE runs DROP COLUMN doubts; ALTER TABLE runs DROP COLUMN relaxations;
    PRAGMA user_version = 4;";

/// Takes a store of format 4 back to format 3.
const TO_3: &str = "
    ALTER TABLE runs DROP COLUMN timing;
    PRAGMA user_version = 3;";

/// Takes a store of format 3 back to format 2.
const TO_2: &str = "
    ALTER TABLE runs DROP COLUMN fitness; ALTER TABLE runs DROP COLUMN algorithm;
    ALTER TABLE runs DROP COLUMN tuning; ALTER TABLE runs DROP COLUMN waiting_share;
    UPDATE configurations
    SET conditions = replace(conditions, ', fitness call-chain, algorithm guided-ga', '');
    PRAGMA user_version = 2;";

/// Takes a store of format 2 back to format 1.
const TO_1: &str = "
    ALTER TABLE runs DROP COLUMN obstacle_kind; ALTER TABLE frames DROP COLUMN obstacle_kind;
    PRAGMA user_version = 1;";

/// A store with runs, taken back to an earlier format, keeps what that format knew, and campaigns
/// under the same conditions go on.
fn check_migration(scripts: &[&str], known: impl Fn(Record) -> Record) {
    let checkout = Checkout::with(&["A", "B"]);
    for open in [Store::open, Store::open_to_read] {
        let path = checkout.path("store");
        drop(fs::remove_file(&path));
        campaign(&checkout.plan(2), &path, &Arc::<Fake>::default());
        let before = records(&path);
        assert!(before.iter().all(|it| it.events.len() == 4), "everything is there to be lost");
        Connection::open(&path).expect("a database").execute_batch(&scripts.concat()).expect("an old store");
        let after = open(&path).and_then(|it| it.records()).expect("records");
        assert_eq!(after, before.into_iter().map(&known).collect::<Vec<_>>());
        campaign(&checkout.plan(3), &path, &Arc::<Fake>::default());
        assert_eq!(records(&path).len(), 6, "it goes on");
    }
}

/// What format 7 knows of a run.
fn known_to_7(record: Record) -> Record {
    Record { events: Vec::new(), ..record }
}

#[test]
fn a_store_of_format_7_keeps_its_runs() {
    check_migration(&[TO_7], known_to_7);
}

/// What format 6 knows of a run.
fn known_to_6(record: Record) -> Record {
    let record = known_to_7(record);
    let frames = record.frames.into_iter().map(|it| FrameRecord { degree: None, ..it }).collect();
    Record {
        exception: None,
        time_limit: None,
        population: None,
        worker: None,
        outer: None,
        frames,
        ..record
    }
}

#[test]
fn a_store_of_format_6_keeps_its_runs() {
    check_migration(&[TO_7, TO_6], known_to_6);
}

/// What format 5 knows of a run.
fn known_to_5(record: Record) -> Record {
    let record = known_to_6(record);
    let known =
        |it| FrameRecord { distance: None, curve: Vec::new(), found_by: None, found_after: None, ..it };
    Record { frames: record.frames.into_iter().map(known).collect(), ..record }
}

/// What format 4 knows of a run.
fn known_to_4(record: Record) -> Record {
    Record { doubts: None, relaxations: None, ..known_to_5(record) }
}

#[test]
fn a_store_of_format_5_keeps_its_runs() {
    check_migration(&[TO_7, TO_6, TO_5], known_to_5);
}

#[test]
fn a_store_of_format_4_keeps_its_runs() {
    check_migration(&[TO_7, TO_6, TO_5, TO_4], known_to_4);
}

#[test]
fn a_store_of_format_3_keeps_its_runs() {
    check_migration(&[TO_7, TO_6, TO_5, TO_4, TO_3], |it| Record { timing: None, ..known_to_4(it) });
}

#[test]
fn a_store_of_format_2_keeps_its_runs() {
    let known = |it| Record { timing: None, waiting_share: None, ..known_to_4(it) };
    check_migration(&[TO_7, TO_6, TO_5, TO_4, TO_3, TO_2], known);
}

#[test]
fn a_store_of_format_1_keeps_its_runs() {
    check_migration(&[TO_7, TO_6, TO_5, TO_4, TO_3, TO_2, TO_1], |it| {
        let it = known_to_4(it);
        Record {
            timing: None,
            waiting_share: None,
            obstacle_kind: None,
            frames: it.frames.into_iter().map(|it| FrameRecord { obstacle_kind: None, ..it }).collect(),
            ..it
        }
    });
}

#[test]
fn a_migrated_store_has_the_tables_of_a_new_one() {
    let checkout = Checkout::with(&["A"]);
    let columns = |name: &str| -> Vec<String> {
        let path = checkout.path(name);
        drop(Store::open(&path).expect("a store"));
        if name == "old" {
            Connection::open(&path)
                .expect("a database")
                .execute_batch(&[TO_7, TO_6, TO_5, TO_4, TO_3, TO_2, TO_1].concat())
                .expect("old");
            drop(Store::open(&path).expect("a migrated store"));
        }
        let connection = Connection::open(&path).expect("a database");
        let query = "SELECT m.name || '.' || c.name || ' ' || c.type || ' ' || c.\"notnull\"
                     FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY 1";
        let mut select = connection.prepare(query).expect("a query");
        let rows = select.query_map([], |row| row.get(0)).expect("columns");
        rows.collect::<Result<_, _>>().expect("columns")
    };
    assert_eq!(columns("old"), columns("new"));
}

#[test]
fn an_empty_file_becomes_a_store() {
    let checkout = Checkout::with(&["A"]);
    let path = checkout.path("store");
    fs::write(&path, "").expect("a file");
    campaign(&checkout.plan(1), &path, &Arc::<Fake>::default());
    assert_eq!(records(&path).len(), 1);
}

/// What the killed process does: add runs until it is killed.
#[test]
#[ignore = "started by another test"]
fn adds_runs_for_ever() {
    let variable = |name: &str| std::env::var(name).expect("a variable");
    let path = variable("CRASHBACK_TEST_STORE");
    let checkout = Checkout::with(&["A"]);
    let plan = checkout.plan(1);
    let mut job = checkout.jobs(1).remove(0);
    campaign(&plan, Path::new(&path), &Arc::<Fake>::default());
    let mut store = Store::open(Path::new(&path)).expect("a store");
    for seed in variable("CRASHBACK_TEST_SEED").parse().expect("a seed").. {
        job.seed = seed;
        store.add(&Record::new(&job, Ok(searched(seed)), "0", 0)).expect("added");
    }
}

#[test]
fn a_killed_campaign_leaves_whole_runs() {
    let checkout = Checkout::with(&["A"]);
    let path = checkout.path("store");
    let stored = || Store::open_to_read(&path).and_then(|it| it.records()).unwrap_or_default();
    for round in 1..=4_u64 {
        let before = stored().len();
        let mut child = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "store::adds_runs_for_ever", "--ignored", "--nocapture"])
            .env("CRASHBACK_TEST_STORE", &path)
            .env("CRASHBACK_TEST_SEED", (round << 32).to_string())
            .stdout(Stdio::null())
            .spawn()
            .expect("it runs");
        let begun = Instant::now();
        while stored().len() <= before {
            assert_eq!(child.try_wait().expect("a process"), None, "it adds runs until it is killed");
            assert!(begun.elapsed() < Duration::from_secs(300), "nothing is added");
            thread::sleep(Duration::from_millis(3 + round));
        }
        child.kill().expect("killed");
        child.wait().expect("gone");
        let records = records(&path);
        assert!(records.iter().all(|it| it.frames.len() == 2), "a run has its frames");
        let count: i64 = Connection::open(&path)
            .and_then(|it| it.query_row("SELECT count(*) FROM frames", [], |row| row.get(0)))
            .expect("a count");
        assert_eq!(usize::try_from(count), Ok(records.len() * 2), "no frames without their run");
        drop(Store::open(&path).expect("the lock is free"));
    }
}

#[test]
fn a_damaged_store_is_named() {
    let checkout = Checkout::with(&["A"]);
    let path = checkout.path("store");
    campaign(&checkout.plan(40), &path, &Arc::<Fake>::default());
    let mut bytes = fs::read(&path).expect("a file");
    // The first page tells the format; the others are overwritten.
    bytes.get_mut(4096..).expect("pages").fill(0x5a);
    fs::write(&path, bytes).expect("a file");
    let error = Store::open_to_read(&path).and_then(|it| it.records()).expect_err("damage");
    assert!(matches!(error, Error::Damaged { .. }), "{error}");
    assert!(error.to_string().contains(".recover"), "{error}");
}
