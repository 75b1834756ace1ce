//! The process that is confined: this test program, started again.
//!
//! The sandbox must be entered while there is one thread, but the test harness starts threads
//! before any test. So the child's work is done before `main`, in a function that the C library
//! calls from `.init_array`.

use std::env;
use std::ffi::{CString, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{FromRawFd, IntoRawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, parent_id};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr;

use crashback_jvm::confined::Confined;
use crashback_jvm::sandbox::{self, DiesWith, Rules};
use jvmti_bindings::sys::jni;
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

use crate::native;

/// First argument of a child.
pub(crate) const MARK: &str = "confined-child";

#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = before_main;

extern "C" fn before_main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let Some((MARK, order)) = arguments.split_first().map(|(first, rest)| (first.as_str(), rest)) else {
        return;
    };
    let code = std::panic::catch_unwind(|| run(&Order(order))).map_or(70, |()| 0);
    io::stdout().flush().ok();
    // SAFETY: ends the process without running handlers of a JVM that is still alive.
    unsafe { libc::_exit(code) };
}

/// What to do, as `key=value` arguments; a key may occur several times.
pub(crate) struct Order<'a>(&'a [String]);

impl<'a> Order<'a> {
    pub(crate) fn all(&self, key: &str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter_map(move |it| it.strip_prefix(key)?.strip_prefix('='))
    }

    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        self.all(key).next()
    }

    pub(crate) fn number(&self, key: &str) -> Option<u64> {
        Some(self.get(key)?.parse().unwrap())
    }

    pub(crate) fn path(&self, key: &str) -> PathBuf {
        self.get(key).unwrap().into()
    }

    pub(crate) fn confined(&self) -> bool {
        self.get("confine") == Some("yes")
    }
}

fn run(order: &Order<'_>) {
    if let Some(user) = order.number("user") {
        become_user(user.try_into().unwrap());
    }
    match order.get("hide") {
        Some("landlock") => hide(libc::SYS_landlock_create_ruleset),
        Some("seccomp") => hide(libc::SYS_seccomp),
        _ => {}
    }
    let inherited = order.get("inherit").map(|path| File::open(path).unwrap().into_raw_fd());
    if order.get("mode") == Some("program") {
        become_program(order, inherited);
    }
    let _confinement = order.confined().then(|| match sandbox::enter(&rules(order)) {
        Ok(confinement) => {
            say(&format!("@ confined {confinement}"));
            confinement
        }
        Err(error) => {
            say(&format!("@ error {error}"));
            std::process::exit(0);
        }
    });
    match order.get("mode") {
        Some("java") => std::thread::scope(|scope| {
            let jvm = std::thread::Builder::new().stack_size(2 << 20);
            jvm.spawn_scoped(scope, || java(order, inherited)).unwrap().join().unwrap();
        }),
        Some("execute") => execute(order),
        Some("native") => native::attempt_all(order),
        #[cfg(target_arch = "x86_64")]
        Some("32-bit") => say(&format!("@ pid {}", native::getpid_of_32_bit_interface())),
        Some("echo") => echo(),
        Some("wait") => {
            say("@ ready");
            std::thread::sleep(std::time::Duration::from_secs(300));
        }
        other => panic!("no mode {other:?}"),
    }
}

/// Runs what is ordered in a JVM that is a program of its own, or another program of the JDK. Comes
/// back if that fails.
fn become_program(order: &Order<'_>, inherited: Option<i32>) {
    let home = order.path("home");
    let class_path = order.all("class_path").map(PathBuf::from).collect();
    let confined = Confined {
        java_home: order.get("pretended_home").map_or_else(|| home.clone(), PathBuf::from),
        read: class_path,
        scratch: order.path("scratch"),
        parent: order.number("parent").map_or_else(parent_id, |it| it.try_into().unwrap()),
        without_sandbox: order.get("weaker") == Some("yes"),
    };
    if let Some(descriptor) = inherited {
        // SAFETY: the descriptor is open, and nothing of this process depends on its flags.
        assert_eq!(unsafe { libc::fcntl(descriptor, libc::F_SETFD, 0) }, 0);
    }
    let program = order.get("program").map_or_else(|| home.join("bin/java"), PathBuf::from);
    let mut arguments: Vec<OsString> = order.all("argument").map(OsString::from).collect();
    if arguments.is_empty() {
        arguments.extend(jvm_options(order, inherited).into_iter().map(OsString::from));
        arguments.push("Runner".into());
    }
    let error = confined.become_program(&program, &arguments).unwrap_err();
    say(&format!("@ error {error}"));
    std::process::exit(0);
}

/// Becomes any program, as far as the sandbox lets it.
#[expect(clippy::disallowed_methods, reason = "this process becomes the program")]
fn execute(order: &Order<'_>) {
    let mut arguments = order.all("argument");
    let mut command = Command::new(arguments.next().unwrap());
    say(&format!("@ error {}", command.args(arguments).exec()));
}

/// Sends back what comes from the parent, as the worker's protocol does.
fn echo() {
    // SAFETY: standard input is the socket that the test made.
    let mut socket = unsafe { UnixStream::from_raw_fd(libc::STDIN_FILENO) };
    let mut bytes = [0; 5];
    socket.read_exact(&mut bytes).unwrap();
    socket.write_all(&bytes).unwrap();
}

fn rules(order: &Order<'_>) -> Rules {
    let class_path: Vec<PathBuf> = order.all("class_path").map(PathBuf::from).collect();
    let mut rules = Rules::for_jvm(&order.path("home"), &class_path, order.path("scratch"));
    rules.limits.open_files = order.number("open_files").unwrap_or(rules.limits.open_files);
    rules.limits.file_bytes = order.number("file_bytes").unwrap_or(rules.limits.file_bytes);
    rules.limits.further_threads = order.number("further_threads").unwrap_or(rules.limits.further_threads);
    rules.accept_weaker = order.get("weaker") == Some("yes");
    rules.execute = order.all("execute").map(PathBuf::from).collect();
    rules.dies_with = match order.get("dies_with") {
        Some("parent-thread") => DiesWith::ParentThread,
        Some("lifeline") => DiesWith::Lifeline(libc::STDIN_FILENO),
        _ => DiesWith::Nobody,
    };
    rules
}

/// Starts a JVM on this thread and has it run the chosen classes.
fn java(order: &Order<'_>, inherited: Option<i32>) {
    let mut options = jvm_options(order, inherited);
    options.push(format!("-Djava.io.tmpdir={}", order.get("scratch").unwrap()));
    let strings: Vec<CString> = options.into_iter().map(|option| CString::new(option).unwrap()).collect();
    let mut options: Vec<jni::JavaVMOption> = strings
        .iter()
        .map(|it| jni::JavaVMOption { optionString: it.as_ptr().cast_mut(), extraInfo: ptr::null_mut() })
        .collect();
    let mut arguments = jni::JavaVMInitArgs {
        version: jni::JNI_VERSION_1_8,
        nOptions: options.len().try_into().unwrap(),
        options: options.as_mut_ptr(),
        ignoreUnrecognized: 0,
    };
    // SAFETY: the library is a JVM's and stays loaded; all structures live until the JVM has been
    // created; then this thread belongs to it, and class and method are those that the test
    // compiled.
    unsafe {
        let library = libloading::Library::new(libjvm(&order.path("home"))).unwrap();
        let library: &libloading::Library = Box::leak(Box::new(library));
        let create = library.get::<jni::JNI_CreateJavaVM>(b"JNI_CreateJavaVM").unwrap();
        let (mut vm, mut env) = (ptr::null_mut(), ptr::null_mut::<jni::JNIEnv>());
        assert_eq!(create(&raw mut vm, &raw mut env, &raw mut arguments), jni::JNI_OK);
        let class = ((**env).FindClass)(env, c"Runner".as_ptr());
        let method = ((**env).GetStaticMethodID)(env, class, c"run".as_ptr(), c"()V".as_ptr());
        ((**env).CallStaticVoidMethodA)(env, class, method, ptr::null());
        if ((**env).ExceptionCheck)(env) != 0 {
            ((**env).ExceptionDescribe)(env);
        }
    }
}

fn jvm_options(order: &Order<'_>, inherited: Option<i32>) -> Vec<String> {
    let class_path: Vec<&str> = order.all("class_path").collect();
    let mut options = vec![
        format!("-Djava.class.path={}", class_path.join(":")),
        format!("-Dstage.scratch={}", order.get("scratch").unwrap()),
        format!("-Dstage.inherited={}", inherited.unwrap_or(-1)),
    ];
    options.extend(order.all("jvm").map(str::to_owned));
    options
}

fn libjvm(home: &Path) -> PathBuf {
    let places = ["lib/server", "jre/lib/amd64/server", "jre/lib/aarch64/server"];
    places.map(|place| home.join(place).join("libjvm.so")).into_iter().find(|it| it.exists()).unwrap()
}

/// Makes the kernel look like one without a certain call.
fn hide(call: i64) {
    let call = (call, Vec::new());
    let absent = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    let architecture = env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new([call].into(), SeccompAction::Allow, absent, architecture).unwrap();
    seccompiler::apply_filter(&BpfProgram::try_from(filter).unwrap()).unwrap();
}

/// The program file need not be readable for the user, so this happens here rather than before the
/// start.
fn become_user(user: u32) {
    // SAFETY: plain calls with integers, in a process with one thread.
    unsafe {
        assert_eq!(libc::setgroups(0, ptr::null()), 0);
        assert_eq!(libc::setgid(user), 0);
        assert_eq!(libc::setuid(user), 0);
        // Like a process that the user had started.
        assert_eq!(libc::prctl(libc::PR_SET_DUMPABLE, 1, 0, 0, 0), 0);
    }
}

pub(crate) fn say(line: &str) {
    let mut out = io::stdout();
    writeln!(out, "{line}").unwrap();
    out.flush().unwrap();
}
