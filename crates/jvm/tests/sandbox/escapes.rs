//! Every attempt fails inside the sandbox, and the same attempt succeeds outside of it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crashback_jvm::sandbox;

use crate::native::{self, Control};
use crate::support::{ChildOrder, Guard, Jdk, Stage, User, methods, snapshot};
use crate::table;

/// Attempts that cannot be shown to succeed outside of the sandbox: one needs a network, one would
/// end this process, and some need root.
const NEVER: [&str; 2] = ["resolveName", "destroyParent"];
const ONLY_ROOT: [&str; 2] = ["readShadow", "openKernelSetting"];

#[test]
fn attempts_in_java() {
    for jdk in Jdk::all().iter() {
        for user in User::all() {
            check_java(jdk, user);
        }
    }
}

/// The same in a JVM that is a program of its own, which has taken the place of the process that
/// was confined.
#[test]
fn attempts_in_a_program() {
    for jdk in Jdk::all().iter() {
        for user in User::all() {
            check_program(jdk, user);
        }
    }
}

#[test]
fn attempts_below_java() {
    let jdk = Jdk::without_classes();
    for user in User::all() {
        check_native(&jdk, user);
    }
}

/// Which layers a child has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layers {
    None,
    All,
    /// All, but programs of the JDK may take the process's place.
    ForProgram,
    /// All but Landlock, or all but seccomp.
    Without(&'static str),
}

/// With one of the two great layers hidden, an attempt fails exactly if the document names another
/// that stops it.
#[test]
fn each_layer_stops_what_the_document_says() {
    let sandbox::Landlock::Abi(abi) = sandbox::support().landlock else { panic!("no Landlock") };
    if abi < 6 {
        eprintln!("SKIPPED: the document speaks of Landlock ABI 6, the kernel has {abi}");
        return;
    }
    let jdks = Jdk::all();
    let jdk = jdks.iter().max_by_key(|jdk| jdk.feature).unwrap();
    for hidden in ["Landlock", "seccomp"] {
        check_layers(jdk, hidden);
    }
}

fn check_layers(jdk: &Jdk, hidden: &'static str) {
    let names: Vec<String> = jdk.attempts().into_iter().flat_map(methods).collect();
    let native = native::ATTEMPTS.iter().map(|(name, ..)| *name);
    let stage = Stage::new(User::Own, names.iter().map(String::as_str).chain(native));
    let (process, jvm) = (stage.waiting_process(jdk), jdk.waiting_jvm(User::Own));
    let servers = Servers::start(&stage);
    let layers = Layers::Without(hidden);
    let mut outcomes = run_native(jdk, &stage, &process, layers);
    outcomes.append(&mut run_java(jdk, &stage, (&process, &jvm), &servers, layers));

    let mut others = vec!["Landlock", "seccomp", "descriptors"];
    others.retain(|layer| *layer != hidden);
    if User::Own.is_root() {
        others.push("capabilities");
    }
    let told = table::layers();
    let uncontrolled = native::ATTEMPTS.iter().filter(|(_, control, _)| *control != Control::Always);
    let uncontrolled: Vec<&str> =
        uncontrolled.map(|(name, ..)| *name).chain(NEVER).chain(ONLY_ROOT).collect();
    let mut wrong = Vec::new();
    for (name, layers) in told.iter().filter(|(name, _)| !uncontrolled.contains(&name.as_str())) {
        let Some(outcome) = outcomes.get(name) else { continue };
        let stopped = others.iter().any(|layer| layers.contains(layer));
        if stopped == (outcome == "done") {
            wrong.push(format!("{name}: {layers}: {outcome}"));
        }
    }
    assert!(wrong.is_empty(), "without {hidden}: {wrong:#?}");
}

fn check_java(jdk: &Jdk, user: User) {
    let names: Vec<String> = jdk.attempts().into_iter().flat_map(methods).collect();
    let stage = Stage::new(user, names.iter().map(String::as_str));
    let mut process = stage.waiting_process(jdk);
    let mut jvm = jdk.waiting_jvm(user);
    let servers = Servers::start(&stage);
    let watched = [stage.outside(), stage.readable(), jdk.class_path()[0].parent().unwrap().to_path_buf()];

    let before = snapshot(&watched);
    let inside = run_java(jdk, &stage, (&process, &jvm), &servers, Layers::All);
    for name in &names {
        assert_denied(name, &inside[name], user, jdk);
    }
    assert_eq!(snapshot(&watched), before, "as {user:?} on {}", jdk.feature);
    assert_eq!(servers.contacts(), 0);
    assert!(process.is_alive() && jvm.is_alive());

    stage.clean();
    let outside = run_java(jdk, &stage, (&process, &jvm), &servers, Layers::None);
    for name in &names {
        let excused =
            NEVER.contains(&name.as_str()) || (!user.is_root() && ONLY_ROOT.contains(&name.as_str()));
        let outcome = &outside[name];
        assert!(
            excused || outcome == "done",
            "without sandbox, {name} as {user:?} on {}: {outcome}",
            jdk.feature
        );
    }
    assert!(snapshot(&watched) != before && servers.contacts() > 0);
    let can_end_processes = jdk.attempts().contains(&"ModernAttempts");
    assert!(!can_end_processes || !process.is_alive());
}

fn assert_denied(name: &str, outcome: &str, user: User, jdk: &Jdk) {
    assert!(outcome.starts_with("threw "), "{name} as {user:?} on {}: {outcome}", jdk.feature);
    // An attempt that fails by a mistake of its own proves nothing.
    for mistake in ["NullPointer", "ClassNotFound", "NoClassDef", "IllegalArgument", "AssertionError"] {
        assert!(!outcome.contains(mistake), "{name}: {outcome}");
    }
}

/// Standard input is the null device, which may be written, and the own program is the JDK's, which
/// may be read.
const HARMLESS_IN_PROGRAM: [&str; 2] = ["reopenKeptDescriptor", "readOwnProgram"];

/// That the attempts succeed outside of the sandbox is shown by [`check_java`].
fn check_program(jdk: &Jdk, user: User) {
    let names: Vec<String> = jdk.attempts().into_iter().flat_map(methods).collect();
    let stage = Stage::new(user, names.iter().map(String::as_str));
    let mut process = stage.waiting_process(jdk);
    let mut jvm = jdk.waiting_jvm(user);
    let servers = Servers::start(&stage);
    let watched = [stage.outside(), stage.readable(), jdk.class_path()[0].parent().unwrap().to_path_buf()];
    let before = snapshot(&watched);
    let inside = run_java(jdk, &stage, (&process, &jvm), &servers, Layers::ForProgram);
    for name in names.iter().filter(|name| !HARMLESS_IN_PROGRAM.contains(&name.as_str())) {
        assert_denied(name, &inside[name], user, jdk);
    }
    assert_eq!(snapshot(&watched), before, "as {user:?} on {}", jdk.feature);
    assert_eq!(servers.contacts(), 0);
    assert!(process.is_alive() && jvm.is_alive());
}

fn run_java(
    jdk: &Jdk,
    stage: &Stage,
    (process, jvm): (&Guard, &Guard),
    servers: &Servers,
    layers: Layers,
) -> BTreeMap<String, String> {
    let mode = if layers == Layers::ForProgram { "program" } else { "java" };
    let mut child = child(jdk, stage, mode, layers);
    let file = stage.outside().join("reopenKeptDescriptor/file");
    child.command.stdin(File::open(&file).unwrap());
    child.set("inherit", stage.outside().join("useInheritedDescriptor/secret").display());
    if jdk.feature >= 9 {
        child.set("jvm", "--add-opens=java.base/java.io=ALL-UNNAMED");
    }
    child.property("run", jdk.attempts().join(","));
    child.set("class_path", stage.readable().display());
    child.property("stage.readable", stage.readable().display());
    child.property("stage.confined", matches!(layers, Layers::All | Layers::ForProgram));
    child.property("stage.kept", 0);
    child.property("stage.process", process.id());
    child.property("stage.jvm", jvm.id());
    child.property("stage.tcp", servers.tcp);
    child.property("stage.udp", servers.udp);
    child.property("stage.unix", stage.outside().join("connectToUnixSocket/socket").display());
    child.property("jdk.attach.allowAttachSelf", true);
    child.property("sun.tools.attach.attachTimeout", 2000);
    child.report()
}

/// Servers that count who comes.
struct Servers {
    tcp: u16,
    udp: u16,
    contacts: Arc<AtomicUsize>,
}

impl Servers {
    fn start(stage: &Stage) -> Self {
        let contacts = Arc::new(AtomicUsize::new(0));
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        let socket = stage.outside().join("connectToUnixSocket");
        let unix = socket.exists().then(|| UnixListener::bind(socket.join("socket")).unwrap());
        if let Some(unix) = &unix {
            let path = unix.local_addr().unwrap().as_pathname().unwrap().to_path_buf();
            std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
        }
        let ports = (tcp.local_addr().unwrap().port(), udp.local_addr().unwrap().port());

        let count = contacts.clone();
        thread::spawn(move || {
            for stream in tcp.incoming() {
                count.fetch_add(1, Ordering::SeqCst);
                let mut stream = stream.unwrap();
                let mut request = [0; 1024];
                if stream.read(&mut request).is_ok_and(|read| read > 0) {
                    stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n").ok();
                }
            }
        });
        let count = contacts.clone();
        thread::spawn(move || {
            while udp.recv_from(&mut [0; 1024]).is_ok() {
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
        let count = contacts.clone();
        thread::spawn(move || {
            for stream in unix.iter().flat_map(|unix| unix.incoming()) {
                count.fetch_add(1, Ordering::SeqCst);
                drop(stream);
            }
        });
        Self { tcp: ports.0, udp: ports.1, contacts }
    }

    fn contacts(&self) -> usize {
        self.contacts.load(Ordering::SeqCst)
    }
}

fn check_native(jdk: &Jdk, user: User) {
    let stage = Stage::new(user, native::ATTEMPTS.iter().map(|(name, ..)| *name));
    let mut process = stage.waiting_process(jdk);
    let watched = [stage.outside(), stage.readable()];

    let before = snapshot(&watched);
    let refusals = ["os error 1)", "os error 13)", "os error 38)"];
    for layers in [Layers::All, Layers::ForProgram] {
        let inside = run_native(jdk, &stage, &process, layers);
        for (name, ..) in native::ATTEMPTS {
            let outcome = &inside[*name];
            let refused = refusals.iter().any(|it| outcome.ends_with(it));
            assert!(refused, "{name} as {user:?} with {layers:?}: {outcome}");
        }
    }
    assert_eq!(snapshot(&watched), before);

    let outside = run_native(jdk, &stage, &process, Layers::None);
    for (name, control, _) in native::ATTEMPTS {
        if *control == Control::Always || (*control == Control::AsRoot && user.is_root()) {
            assert_eq!(outside[*name], "done", "without sandbox, {name} as {user:?}");
        }
    }
    assert!(process.is_alive());
}

fn run_native(jdk: &Jdk, stage: &Stage, process: &Guard, layers: Layers) -> BTreeMap<String, String> {
    let mut child = child(jdk, stage, "native", layers);
    child.set("process", process.id());
    child.set("class_path", stage.readable().display());
    child.report()
}

fn child(jdk: &Jdk, stage: &Stage, mode: &str, layers: Layers) -> ChildOrder {
    let mut child = stage.child(jdk, mode, layers != Layers::None);
    if let Layers::Without(hidden) = layers {
        child.set("hide", hidden.to_lowercase());
        child.set("weaker", "yes");
    }
    if layers == Layers::ForProgram {
        child.set("execute", jdk.home.display());
    }
    child
}
