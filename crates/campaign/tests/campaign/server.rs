//! A PostgreSQL server of a test's own, on a socket in a temporary folder.
#![expect(clippy::disallowed_methods, reason = "a server is a process, and starting it takes time")]

use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use postgres::NoTls;
use tempfile::TempDir;

/// How long a server may take to start or stop on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Server {
    programs: PathBuf,
    folder: TempDir,
    /// The user that the server runs as, where that cannot be ours: it refuses to be root's.
    user: Option<(u32, u32)>,
    process: Option<Child>,
    port: u16,
    /// Settings beyond the usual ones.
    settings: Vec<String>,
}

/// PostgreSQL's own port, by which the socket is named.
const USUAL_PORT: u16 = 5432;

impl Server {
    /// Starts a server; none, with a word about it, where none is installed. Continuous integration must
    /// have one.
    pub(crate) fn start() -> Option<Self> {
        let mut server = Self::prepare()?;
        server.resume();
        Some(server)
    }

    /// Starts a server that listens on this machine, and there to encrypted connections alone, with a
    /// certificate for `localhost` that it signed itself. Gives the file of the certificate, too.
    pub(crate) fn start_encrypted() -> Option<(Self, PathBuf)> {
        let mut server = Self::prepare()?;
        let (key, certificate) = (server.path("key"), server.path("certificate"));
        let mut openssl = Command::new("openssl");
        openssl.args([
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
        ]);
        openssl.args(["-addext", "subjectAltName=DNS:localhost"]);
        openssl.args(["-addext", "basicConstraints=critical,CA:FALSE"]);
        let made = openssl.arg("-keyout").arg(&key).arg("-out").arg(&certificate).output();
        let made = made.expect("openssl runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        fs::set_permissions(&key, Permissions::from_mode(0o600)).expect("a private key");
        if let Some((user, group)) = server.user {
            chown(&key, Some(user), Some(group)).expect("its owner");
        }
        let rules = "local all all trust\nhostssl all all 127.0.0.1/32 trust\n";
        fs::write(server.path("data/pg_hba.conf"), rules).expect("rules");
        let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr());
        server.port = free.expect("a free port").port();
        server.settings = vec![
            "listen_addresses=127.0.0.1".to_owned(),
            "ssl=on".to_owned(),
            format!("ssl_key_file={}", key.display()),
            format!("ssl_cert_file={}", certificate.display()),
        ];
        server.resume();
        Some((server, certificate))
    }

    /// A server that was not started yet.
    fn prepare() -> Option<Self> {
        let Some(programs) = programs() else {
            assert!(std::env::var_os("CI").is_none(), "PostgreSQL is not installed: apt install postgresql");
            drop(writeln!(std::io::stderr(), "skipped: PostgreSQL is not installed"));
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder");
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("a folder for all");
        let user = other_user();
        let settings = vec!["listen_addresses=".to_owned()];
        let server = Self { programs, folder, user, process: None, port: USUAL_PORT, settings };
        for name in ["data", "socket"] {
            fs::create_dir(server.path(name)).expect("a folder");
            if let Some((user, group)) = user {
                chown(server.path(name), Some(user), Some(group)).expect("its owner");
            }
        }
        let mut initdb = server.command("initdb");
        initdb.args([
            "--username=crashback",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
            "-D",
        ]);
        let made = initdb.arg(server.path("data")).output().expect("initdb runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        Some(server)
    }

    /// The address of one of its databases.
    pub(crate) fn address(&self, database: &str) -> PathBuf {
        let (socket, port) = (self.path("socket"), self.port);
        PathBuf::from(format!("postgres://crashback@/{database}?host={}&port={port}", socket.display()))
    }

    /// The same over the network, by a name of this machine.
    pub(crate) fn network_address(&self, host: &str, database: &str, query: &str) -> PathBuf {
        PathBuf::from(format!("postgres://crashback@{host}:{}/{database}?{query}", self.port))
    }

    /// Makes a database and gives its address.
    pub(crate) fn database(&self, name: &str) -> PathBuf {
        self.execute("postgres", &format!("CREATE DATABASE {name}"));
        self.address(name)
    }

    pub(crate) fn execute(&self, database: &str, statement: &str) {
        let address = self.address(database);
        let mut client =
            postgres::Client::connect(address.to_str().expect("text"), NoTls).expect("a connection");
        client.batch_execute(statement).expect("it is done");
    }

    /// Starts it, as it was before.
    pub(crate) fn resume(&mut self) {
        let mut postgres = self.command("postgres");
        // Tests do not survive a power failure anyway.
        postgres.args(["-c", "fsync=off", "-c", "max_connections=50", "-p", &self.port.to_string()]);
        postgres.args(self.settings.iter().flat_map(|it| ["-c", it]));
        postgres.arg("-D").arg(self.path("data")).arg("-k").arg(self.path("socket"));
        let process = postgres.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a server");
        self.process = Some(process);
        let begun = Instant::now();
        let address = self.address("postgres");
        while postgres::Client::connect(address.to_str().expect("text"), NoTls).is_err() {
            assert!(begun.elapsed() < PATIENCE, "the server does not answer");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Stops it: connections are cut.
    pub(crate) fn stop(&mut self) {
        let Some(mut process) = self.process.take() else { return };
        let pid = process.id().to_string();
        let told = Command::new("kill").args(["-INT", &pid]).status();
        if told.is_ok_and(|it| it.success()) {
            process.wait().expect("it ends");
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command.current_dir(self.folder.path());
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The folder of Debian's newest server, or of one on the path.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|it| it.path().join("bin")).collect();
    folders.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    folders.splice(0..0, std::env::split_paths(&path));
    let is_whole = |it: &Path| it.join("postgres").is_file() && it.join("initdb").is_file();
    folders.into_iter().rev().find(|it| is_whole(it))
}

/// Who else than root may run a server: the user that the package made.
fn other_user() -> Option<(u32, u32)> {
    let number = |arguments: &[&str]| {
        let output = Command::new("id").args(arguments).output().expect("id runs");
        String::from_utf8_lossy(&output.stdout).trim().parse::<u32>().ok()
    };
    if number(&["-u"]) != Some(0) {
        return None;
    }
    let nobody = || Some((number(&["-u", "nobody"])?, number(&["-g", "nobody"])?));
    number(&["-u", "postgres"]).zip(number(&["-g", "postgres"])).or_else(nobody)
}
