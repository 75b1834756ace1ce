//! Attempts that Java alone cannot make: what native code in the worker could try.
//!
//! Without the sandbox each is made in a process of its own, since some would change or replace the
//! one that makes them.

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::fd::AsRawFd;

use libc::{c_long, pid_t};

use crate::child::{Order, say};

/// What attempts aim at.
pub(crate) struct Aim {
    /// Another process of the same user.
    process: pid_t,
    /// A folder outside with `file` in it.
    outside: String,
    /// A file that may be read but not changed.
    readable: String,
    /// The own folder.
    scratch: String,
}

/// Which attempts can be shown to succeed without the sandbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Control {
    Always,
    /// Only root may do it anyway.
    AsRoot,
    /// It depends on settings of the machine, or it would do harm.
    Never,
}

pub(crate) type Attempt = (&'static str, Control, fn(&Aim) -> io::Result<()>);

pub(crate) const ATTEMPTS: &[Attempt] = &[
    ("nativeFork", Control::Always, fork),
    ("nativeClone3", Control::Always, clone3),
    ("nativeExec", Control::Always, exec),
    ("nativeExecFromMemory", Control::Always, exec_from_memory),
    ("nativeDatagramPair", Control::Always, datagram_pair),
    ("nativeAbstractSocket", Control::Always, abstract_socket),
    ("nativeNetlinkSocket", Control::Always, netlink_socket),
    ("nativeKill", Control::Always, |aim| call(libc::SYS_kill, &[aim.process.into(), 0])),
    ("nativeKillOwnGroup", Control::Always, |_| call(libc::SYS_kill, &[0, 0])),
    ("nativeKillThread", Control::Always, |aim| {
        call(libc::SYS_tgkill, &[aim.process.into(), aim.process.into(), 0])
    }),
    ("nativeQueueSignal", Control::Always, queue_signal),
    ("nativeProcessHandle", Control::Always, |aim| call(libc::SYS_pidfd_open, &[aim.process.into(), 0])),
    ("nativeSignalOnEvent", Control::Always, signal_on_event),
    ("nativeTrace", Control::Always, |aim| call(libc::SYS_ptrace, &[SEIZE, aim.process.into(), 0, 0])),
    ("nativeReadMemory", Control::Always, read_memory),
    ("nativeRenice", Control::Always, |aim| call(libc::SYS_setpriority, &[0, aim.process.into(), 19])),
    ("nativePinToProcessor", Control::Always, pin_to_processor),
    ("nativeLimitsOfProcess", Control::Always, limits_of_process),
    ("nativeRaiseOwnLimit", Control::Never, raise_own_limit),
    ("nativeAsynchronousCalls", Control::Never, asynchronous_calls),
    ("nativeFaultHandler", Control::Never, |_| call(libc::SYS_userfaultfd, &[1])),
    ("nativeNamespace", Control::AsRoot, |_| call(libc::SYS_unshare, &[libc::CLONE_NEWNS.into()])),
    ("nativeMount", Control::Never, |_| call(libc::SYS_mount, &[0, 0, 0, 0, 0])),
    ("nativeBpf", Control::Never, |_| call(libc::SYS_bpf, &[0, 0, 0])),
    ("nativePerformanceEvents", Control::Never, |_| call(libc::SYS_perf_event_open, &[0, 0, -1, -1, 0])),
    ("nativeKeyring", Control::Never, |_| call(libc::SYS_keyctl, &[0, -3, 0])),
    ("nativePersonality", Control::Always, |_| call(libc::SYS_personality, &[0xffff_ffff])),
    ("nativeSetUser", Control::Always, |_| call(libc::SYS_setuid, &[own_user()])),
    ("nativeOutliveParent", Control::Always, |_| {
        call(libc::SYS_prctl, &[libc::PR_SET_PDEATHSIG.into(), 0, 0, 0, 0])
    }),
    ("nativeAllowDumps", Control::Always, |_| {
        call(libc::SYS_prctl, &[libc::PR_SET_DUMPABLE.into(), 1, 0, 0, 0])
    }),
    ("nativeChangeModeOfReadable", Control::Always, |aim| {
        let file = fs::File::open(&aim.readable)?;
        call(libc::SYS_fchmod, &[file.as_raw_fd().into(), 0o666])
    }),
    ("nativeChangeTimeOfReadable", Control::Always, |aim| {
        let file = fs::File::open(&aim.readable)?;
        call(libc::SYS_utimensat, &[file.as_raw_fd().into(), 0, 0, 0])
    }),
    ("nativeTruncate", Control::Always, |aim| {
        with_path(&format!("{}/file", aim.outside), |path| call(libc::SYS_truncate, &[path, 0]))
    }),
    ("nativeFileHandle", Control::Always, file_handle),
    ("nativePipeInScratch", Control::Always, |aim| {
        with_path(&format!("{}/pipe", aim.scratch), |path| {
            call(libc::SYS_mknodat, &[libc::AT_FDCWD.into(), path, (libc::S_IFIFO | 0o600).into(), 0])
        })
    }),
    ("nativeSharedMemory", Control::Always, shared_memory),
    ("nativeHiddenMemory", Control::Always, |_| {
        with_path("hidden", |name| call(libc::SYS_memfd_create, &[name, 0]))
    }),
    ("nativeTypeIntoTerminal", Control::Never, |_| {
        with_path("x", |character| {
            call(libc::SYS_ioctl, &[0, c_long::try_from(libc::TIOCSTI).unwrap(), character])
        })
    }),
    ("nativeOtherInterface", Control::Never, |_| call(X32 | libc::SYS_getpid, &[])),
];

/// `PTRACE_SEIZE`.
const SEIZE: c_long = 0x4206;
/// The bit that marks calls of the x32 interface; elsewhere such numbers do not exist.
const X32: c_long = 0x4000_0000;

/// Prints for each attempt how it ended.
pub(crate) fn attempt_all(order: &Order<'_>) {
    for (name, control, attempt) in ATTEMPTS {
        let aim = Aim {
            process: order.number("process").unwrap().try_into().unwrap(),
            outside: format!("{}/{name}", order.get("outside").unwrap()),
            readable: order.all("class_path").last().unwrap().to_owned(),
            scratch: order.get("scratch").unwrap().to_owned(),
        };
        if order.confined() {
            say(&format!("@ {name} {}", outcome(attempt(&aim))));
        } else if *control == Control::Always || (*control == Control::AsRoot && own_user() == 0) {
            // SAFETY: the process has one thread, so that its copy can do everything it could do.
            match unsafe { libc::fork() } {
                0 => {
                    say(&format!("@ {name} {}", outcome(attempt(&aim))));
                    // SAFETY: ends the copy.
                    unsafe { libc::_exit(0) };
                }
                child => {
                    let mut status = 0;
                    // SAFETY: the pointer is to an integer that the call fills.
                    unsafe { libc::waitpid(child, &raw mut status, 0) };
                }
            }
        }
    }
    say("@ end");
}

/// A call that reaches the kernel through the 32-bit interface of x86, where numbers mean other
/// calls.
#[cfg(target_arch = "x86_64")]
pub(crate) fn getpid_of_32_bit_interface() -> i64 {
    let mut number: i64 = 20;
    // SAFETY: the call takes no arguments and changes nothing but the register of its result.
    unsafe {
        std::arch::asm!("int 0x80", inout("rax") number, out("r8") _, out("r9") _, out("r10") _, out("r11") _)
    };
    number
}

fn outcome(result: io::Result<()>) -> String {
    match result {
        Ok(()) => "done".to_owned(),
        Err(error) => format!("threw {error}"),
    }
}

fn fork(_: &Aim) -> io::Result<()> {
    // SAFETY: without flags for memory or threads this is `fork`.
    let child = check(unsafe { libc::syscall(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0) })?;
    end_if_child(child)
}

fn clone3(_: &Aim) -> io::Result<()> {
    // `struct clone_args` with only the exit signal, the fifth field.
    let mut arguments = [0_u64; 8];
    arguments[4] = u64::from(libc::SIGCHLD.unsigned_abs());
    // SAFETY: the pointer is to a structure of the given size.
    let child = unsafe { libc::syscall(libc::SYS_clone3, arguments.as_ptr(), size_of_val(&arguments)) };
    end_if_child(check(child)?)
}

fn end_if_child(child: c_long) -> io::Result<()> {
    if child == 0 {
        // SAFETY: ends the new process.
        unsafe { libc::_exit(0) };
    }
    Ok(())
}

fn exec(_: &Aim) -> io::Result<()> {
    let program = CString::new("/bin/sh").unwrap();
    let option = CString::new("-c").unwrap();
    let script = CString::new("echo @ nativeExec done").unwrap();
    let arguments = [program.as_ptr(), option.as_ptr(), script.as_ptr(), std::ptr::null()];
    // SAFETY: strings and list end with zero.
    unsafe { libc::execv(program.as_ptr(), arguments.as_ptr()) };
    Err(io::Error::last_os_error())
}

/// Where the memory cannot be had, the execution alone is tried.
fn exec_from_memory(_: &Aim) -> io::Result<()> {
    let name = CString::new("program").unwrap();
    // SAFETY: the name ends with zero.
    let memory = unsafe { libc::syscall(libc::SYS_memfd_create, name.as_ptr(), 0) };
    if memory >= 0 {
        fs::write(format!("/proc/self/fd/{memory}"), "#!/bin/sh\necho @ nativeExecFromMemory done\n")?;
    }
    let (empty, nothing) = (CString::default(), [std::ptr::null::<u8>()]);
    let (path, list) = (empty.as_ptr(), nothing.as_ptr());
    // SAFETY: strings and lists end with zero.
    check(unsafe { libc::syscall(libc::SYS_execveat, memory, path, list, list, libc::AT_EMPTY_PATH) })
        .map(drop)
}

fn datagram_pair(_: &Aim) -> io::Result<()> {
    let mut ends = [0_i32; 2];
    call(
        libc::SYS_socketpair,
        &[libc::AF_UNIX.into(), libc::SOCK_DGRAM.into(), 0, address(ends.as_mut_ptr())],
    )
}

fn abstract_socket(_: &Aim) -> io::Result<()> {
    // SAFETY: a call with integers.
    let socket = check(unsafe { libc::syscall(libc::SYS_socket, libc::AF_UNIX, libc::SOCK_STREAM, 0) })?;
    let mut name = libc::sockaddr_un { sun_family: libc::AF_UNIX.try_into().unwrap(), sun_path: [0; 108] };
    name.sun_path[1] = 1;
    call(libc::SYS_bind, &[socket, address(&raw mut name), 2 + 12])
}

fn netlink_socket(_: &Aim) -> io::Result<()> {
    call(libc::SYS_socket, &[libc::AF_NETLINK.into(), libc::SOCK_RAW.into(), 0])
}

fn queue_signal(aim: &Aim) -> io::Result<()> {
    // `siginfo_t` with the code of `sigqueue`.
    let mut info = [0_i32; 32];
    info[2] = -1;
    call(libc::SYS_rt_sigqueueinfo, &[aim.process.into(), 0, address(info.as_mut_ptr())])
}

fn signal_on_event(aim: &Aim) -> io::Result<()> {
    let (reader, _writer) = io::pipe()?;
    call(libc::SYS_fcntl, &[reader.as_raw_fd().into(), libc::F_SETOWN.into(), aim.process.into()])
}

fn read_memory(aim: &Aim) -> io::Result<()> {
    let map = fs::read_to_string(format!("/proc/{}/maps", aim.process)).unwrap_or_default();
    let start = map.split('-').next().and_then(|it| usize::from_str_radix(it, 16).ok()).unwrap_or(0x1000);
    let mut byte = 0_u8;
    let mut local = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
    let mut remote = libc::iovec { iov_base: start as *mut _, iov_len: 1 };
    let (local, remote) = (address(&raw mut local), address(&raw mut remote));
    call(libc::SYS_process_vm_readv, &[aim.process.into(), local, 1, remote, 1, 0])
}

fn pin_to_processor(aim: &Aim) -> io::Result<()> {
    let mut processors = [0_u64; 128];
    let (length, mask) =
        (c_long::try_from(size_of_val(&processors)).unwrap(), address(processors.as_mut_ptr()));
    call(libc::SYS_sched_getaffinity, &[0, length, mask])?;
    call(libc::SYS_sched_setaffinity, &[aim.process.into(), length, mask])
}

fn limits_of_process(aim: &Aim) -> io::Result<()> {
    let mut limit = [0_u64; 2];
    call(libc::SYS_prlimit64, &[aim.process.into(), 7, 0, address(limit.as_mut_ptr())])
}

fn raise_own_limit(_: &Aim) -> io::Result<()> {
    let mut limit = [0_u64; 2];
    call(libc::SYS_prlimit64, &[0, 7, 0, address(limit.as_mut_ptr())])?;
    let mut higher = limit.map(|it| it + 1);
    call(libc::SYS_prlimit64, &[0, 7, address(higher.as_mut_ptr()), 0])
}

fn asynchronous_calls(_: &Aim) -> io::Result<()> {
    let mut parameters = [0_u8; 120];
    call(libc::SYS_io_uring_setup, &[1, address(parameters.as_mut_ptr())])
}

fn file_handle(aim: &Aim) -> io::Result<()> {
    // `struct file_handle` with room for 128 bytes.
    let mut handle = [0_u32; 34];
    handle[0] = 128;
    let mut mount = 0_i32;
    with_path(&format!("{}/file", aim.outside), |path| {
        let (handle, mount) = (address(handle.as_mut_ptr()), address(&raw mut mount));
        call(libc::SYS_name_to_handle_at, &[libc::AT_FDCWD.into(), path, handle, mount, 0])
    })
}

fn shared_memory(_: &Aim) -> io::Result<()> {
    // SAFETY: a call with integers.
    let segment = check(unsafe { libc::syscall(libc::SYS_shmget, 0, 4096, 0o600) })?;
    call(libc::SYS_shmctl, &[segment, libc::IPC_RMID.into(), 0])
}

fn own_user() -> c_long {
    // SAFETY: the call has no arguments and cannot fail.
    unsafe { libc::getuid() }.into()
}

fn with_path(path: &str, act: impl FnOnce(c_long) -> io::Result<()>) -> io::Result<()> {
    let path = CString::new(path).unwrap();
    act(address(path.as_ptr().cast_mut()))
}

fn address<T>(of: *mut T) -> c_long {
    of as c_long
}

/// Makes a call; a descriptor that it may give is closed at the end of the process.
fn call(number: c_long, arguments: &[c_long]) -> io::Result<()> {
    let mut all = [0; 6];
    all[..arguments.len()].copy_from_slice(arguments);
    let [a, b, c, d, e, f] = all;
    // SAFETY: addresses among the arguments are of values that outlive the call, and of the size
    // that it expects.
    check(unsafe { libc::syscall(number, a, b, c, d, e, f) }).map(drop)
}

fn check(result: c_long) -> io::Result<c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}
