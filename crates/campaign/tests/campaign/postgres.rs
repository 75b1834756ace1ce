//! The shared queue: workers in several processes, killed at any moment, and a server that comes and goes.
#![expect(clippy::disallowed_methods, reason = "workers are killed in processes of their own")]

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crashback_campaign::{Campaign, Ended, Error, Job, Record, Runner, Status, Store, enqueue};

use crate::server::Server;
use crate::store::check_extents;
use crate::support::{Checkout, Fake, searched, work};

const LEASE: Duration = Duration::from_secs(2);
const JOBS: usize = 2_000;
/// Enough on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(300);

fn record(job: &Job, worker: &str) -> Record {
    let record = Record::new(job, Ok(searched(job.seed)), "0", 12);
    Record { worker: Some(worker.to_owned()), ..record }
}

#[test]
fn a_server_keeps_what_a_file_keeps() {
    let Some(server) = Server::start() else { return };
    let checkout = Checkout::with(&["A", "Bad"]);
    let jobs = checkout.jobs(2);
    let addresses = [server.database("one"), checkout.path("file")];
    let kept = addresses.map(|address| {
        let mut store = Store::open(&address).expect("a store");
        work(&mut store, &jobs, false, &Arc::default(), |it| it);
        // What is there is not run again.
        let (_, events) = work(&mut store, &jobs, false, &Arc::default(), |it| it);
        assert!(events.is_empty(), "{events:?}");
        drop(store);
        let store = Store::open_to_read(&address).expect("a store");
        check_extents(&store);
        let mut records = store.records().expect("records");
        records.iter_mut().flat_map(|it| &mut it.events).for_each(|it| it.seconds = 0.0);
        (records, store.status(None).expect("a status"))
    });
    assert_eq!(kept[0], kept[1]);
    assert_eq!(kept[0].0.len(), 4);
    assert!(kept[0].0.iter().all(|it| it.events.len() == 4));

    let mut store = Store::open(&server.address("one")).expect("a store");
    let mut other = checkout.plan(1);
    other.configurations[0].workers = 9;
    let refused = enqueue(store.database(), &other.jobs(&Default::default()), false);
    assert!(matches!(refused, Err(Error::OtherConditions { .. })), "{refused:?}");
    let (_, events) = work(&mut store, &jobs, true, &Arc::default(), |it| it);
    assert_eq!(events.len(), 4, "two runs that could not search are made again: {events:?}");
    leases_end_and_results_are_written_once(&server, &jobs);
    databases_that_are_none(&server);
}

fn leases_end_and_results_are_written_once(server: &Server, jobs: &[Job]) {
    let address = server.database("leases");
    let [mut one, mut other] = [(); 2].map(|()| Store::open(&address).expect("a store"));
    enqueue(one.database(), &jobs[..1], false).expect("a job");
    let short = Duration::from_millis(300);
    let claims = one.database().claim("one", None, short, 5).expect("claims");
    assert_eq!((claims.len(), claims[0].attempts), (1, 1));
    assert!(other.database().claim("other", None, LEASE, 5).expect("claims").is_empty(), "it is taken");
    // A worker that gives signs of life keeps its job.
    for _ in 0..3 {
        thread::sleep(short / 2);
        assert_eq!(one.database().renew("one", short).expect("a lease"), [claims[0].id]);
    }
    assert!(other.database().claim("other", None, LEASE, 5).expect("claims").is_empty(), "it is renewed");
    thread::sleep(short * 2);
    let taken = other.database().claim("other", None, LEASE, 5).expect("claims");
    assert_eq!((taken.len(), taken[0].id, taken[0].attempts), (1, claims[0].id, 2), "its worker is dead");
    assert!(one.database().renew("one", short).expect("leases").is_empty());
    let job = &claims[0].job;
    assert!(!one.database().finish("one", &claims[0], &record(job, "one")).expect("asked"), "it is too late");
    assert!(other.database().finish("other", &taken[0], &record(job, "other")).expect("written"));
    assert!(!other.database().finish("other", &taken[0], &record(job, "twice")).expect("asked"));
    let records = one.records().expect("records");
    assert_eq!(records.iter().map(|it| it.worker.as_deref()).collect::<Vec<_>>(), [Some("other")]);
    assert_eq!(job.subject.content.as_deref(), Some(&b"a trace"[..]), "the log comes with the job");
}

/// Tables and columns of a database, with their types.
fn columns(server: &Server, database: &str) -> Vec<String> {
    let address = server.address(database);
    let mut client =
        postgres::Client::connect(address.to_str().expect("text"), postgres::NoTls).expect("a connection");
    let query = "SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable
                 FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1";
    client.query(query, &[]).expect("columns").iter().map(|it| it.get(0)).collect()
}

#[test]
fn a_server_of_format_7_keeps_its_runs_and_goes_on() {
    let Some(server) = Server::start() else { return };
    let checkout = Checkout::with(&["A", "B"]);
    drop(Store::open(&server.database("new")).expect("a store"));
    type Open = fn(&Path) -> Result<Store, Error>;
    for (name, open) in [("writing", Store::open as Open), ("reading", Store::open_to_read as Open)] {
        let address = server.database(name);
        let mut store = Store::open(&address).expect("a store");
        work(&mut store, &checkout.jobs(2), false, &Arc::default(), |it| it);
        let before = store.records().expect("records");
        assert_eq!(before.len(), 4);
        drop(store);
        let back = "ALTER TABLE runs DROP COLUMN events; UPDATE crashback_store SET format = 7";
        server.execute(name, back);
        let after = open(&address).and_then(|it| it.records()).expect("records");
        let known: Vec<Record> = before.into_iter().map(|it| Record { events: Vec::new(), ..it }).collect();
        assert_eq!(after, known);
        assert_eq!(columns(&server, name), columns(&server, "new"));
        let mut store = Store::open(&address).expect("a store");
        work(&mut store, &checkout.jobs(3), false, &Arc::default(), |it| it);
        let records = store.records().expect("records");
        assert_eq!(records.iter().filter(|it| it.events.len() == 4).count(), 2, "new runs have events");
        assert_eq!(records.len(), 6, "it goes on");
    }
    server.execute("new", "UPDATE crashback_store SET format = 6");
    let error = Store::open(&server.address("new")).expect_err("servers had no such format");
    assert!(error.to_string().contains("has format 6"), "{error}");
}

fn databases_that_are_none(server: &Server) {
    let empty = server.database("empty");
    let missing = Store::open_to_read(&empty).expect_err("no tables");
    assert!(matches!(missing, Error::MissingStore { .. }), "{missing}");
    let foreign = server.database("foreign_one");
    server.execute("foreign_one", "CREATE TABLE runs (x INT)");
    let error = Store::open(&foreign).expect_err("another program's");
    assert!(matches!(error, Error::NoStore { .. }), "{error}");
    drop(Store::open(&empty).expect("a store"));
    server.execute("empty", "UPDATE crashback_store SET format = 99");
    let error = Store::open(&empty).expect_err("of a later version");
    assert!(error.to_string().contains("has format 99"), "{error}");
    let nowhere = Store::open(Path::new("postgres://me:secret@/runs?host=/no/such/folder"));
    let error = nowhere.expect_err("no server");
    assert!(matches!(error, Error::ServerGone { .. }), "{error}");
    assert!(!error.to_string().contains("secret"), "{error}");
    let error = Store::open(Path::new("postgres://me@db:not-a-port/runs")).expect_err("no address");
    assert!(matches!(error, Error::Address { .. }), "{error}");
}

/// What a worker process does: make jobs until none is left.
#[test]
#[ignore = "started by another test"]
fn works() {
    let address = PathBuf::from(std::env::var_os("CRASHBACK_TEST_STORE").expect("a variable"));
    let fake = Arc::new(Fake { takes: Duration::from_millis(1), ..Fake::default() });
    let mut store = Store::open(&address).expect("a store");
    let ended = Campaign {
        runner: Arc::<Fake>::clone(&fake) as Arc<dyn Runner>,
        interruption: &fake.interruption,
        worker: format!("worker {}", std::process::id()),
        plan: None,
        jobs: 4,
        retries: 0,
        grace: PATIENCE,
        lease: LEASE,
        crashback: "0",
        now: &|| 0,
    }
    .work(store.database(), &mut |_| {});
    assert_eq!(ended.expect("it waits for the server"), Ended::Complete);
}

fn worker(address: &Path) -> Child {
    Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "postgres::works", "--ignored", "--nocapture"])
        .env("CRASHBACK_TEST_STORE", address)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs")
}

/// The status as soon as the server answers.
fn status(address: &Path) -> Status {
    let begun = Instant::now();
    loop {
        match Store::open_to_read(address).and_then(|it| it.status(None)) {
            Ok(status) => return status,
            Err(error) => assert!(begun.elapsed() < PATIENCE, "{error}"),
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn wait_until(address: &Path, done: usize) {
    let begun = Instant::now();
    while status(address).done < done {
        assert!(begun.elapsed() < PATIENCE, "{:?}", status(address));
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn no_job_is_lost_or_recorded_twice_when_workers_die_and_the_server_restarts() {
    let Some(mut server) = Server::start() else { return };
    let checkout = Checkout::with(&["A", "B"]);
    let jobs = checkout.jobs(u32::try_from(JOBS / 2).expect("a number"));
    let address = server.database("queue");
    let mut store = Store::open(&address).expect("a store");
    enqueue(store.database(), &jobs, false).expect("jobs");
    enqueue(store.database(), &jobs, false).expect("the same jobs are there once");
    drop(store);
    let mut workers: Vec<Child> = (0..4).map(|_| worker(&address)).collect();
    // Any moment will do; another one each time.
    let chance = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.subsec_nanos()) as usize;
    for moment in [50 + chance % 300, 400 + chance / 300 % 300] {
        wait_until(&address, moment);
        let mut worker = workers.remove(0);
        worker.kill().expect("killed");
        worker.wait().expect("gone");
    }
    wait_until(&address, 900 + chance / 7 % 400);
    server.stop();
    thread::sleep(Duration::from_millis(700));
    server.resume();
    for mut worker in workers {
        assert!(worker.wait().expect("an end").success(), "workers wait for the server and go on");
    }
    let store = Store::open_to_read(&address).expect("a store");
    let status = store.status(None).expect("a status");
    assert_eq!((status.open, status.running, status.done, status.runs), (0, 0, JOBS, JOBS));
    let records = store.records().expect("records");
    let keys: BTreeSet<(&str, u64)> = records.iter().map(|it| (it.crash.as_str(), it.seed)).collect();
    assert_eq!((keys.len(), records.len()), (JOBS, JOBS));
    assert!(records.iter().all(|it| it.frames.len() == 2), "a run has its frames");
    claims_are_quick(&server, &jobs);
}

/// Prints how many empty jobs four workers claim and finish in a second.
fn claims_are_quick(server: &Server, jobs: &[Job]) {
    let address = server.database("quick");
    let mut store = Store::open(&address).expect("a store");
    enqueue(store.database(), jobs, false).expect("jobs");
    let begun = Instant::now();
    thread::scope(|scope| {
        for number in 0..4 {
            let address = &address;
            scope.spawn(move || {
                let name = format!("worker {number}");
                let mut store = Store::open(address).expect("a store");
                loop {
                    let claims = store.database().claim(&name, None, LEASE, 4).expect("claims");
                    if claims.is_empty() {
                        return;
                    }
                    for claim in claims {
                        let record = Record::new(&claim.job, Ok(Default::default()), "0", 0);
                        assert!(store.database().finish(&name, &claim, &record).expect("written"));
                    }
                }
            });
        }
    });
    let rate = jobs.len() as f64 / begun.elapsed().as_secs_f64();
    drop(writeln!(std::io::stderr(), "{rate:.0} empty jobs claimed and finished in a second"));
    assert_eq!(store.status(None).expect("a status").done, jobs.len());
}
