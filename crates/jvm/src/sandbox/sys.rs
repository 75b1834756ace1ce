//! Thin safe wrappers of system calls; each says in its name what it does to this process.

use std::io;
use std::mem::{MaybeUninit, size_of};
use std::os::fd::RawFd;
use std::ptr;

use libc::{c_int, c_long, c_ulong};

/// The version of the kernel's Landlock interface.
pub(super) fn landlock_abi() -> io::Result<i32> {
    const VERSION: c_ulong = 1;
    // SAFETY: with this flag the call takes a null pointer and size zero, and only returns a
    // number.
    let abi =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, ptr::null::<u8>(), 0_usize, VERSION) };
    i32::try_from(check(abi)?).map_err(io::Error::other)
}

/// Whether the kernel has seccomp filters that answer with an error number.
pub(super) fn seccomp_can_return_errors() -> bool {
    let action: u32 = libc::SECCOMP_RET_ERRNO;
    let action: *const u32 = &action;
    // SAFETY: the call reads one integer from the pointer, which is valid until it returns.
    unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, action) == 0 }
}

/// The real user of this process.
pub(super) fn user_id() -> u32 {
    // SAFETY: the call has no arguments and cannot fail.
    unsafe { libc::getuid() }
}

/// Closes a descriptor; one that is not open is no error.
pub(super) fn close(descriptor: RawFd) {
    // SAFETY: the caller of the sandbox names all descriptors that are still in use.
    unsafe { libc::close(descriptor) };
}

/// Resources that a process can be limited in.
#[derive(Clone, Copy, Debug)]
pub(super) enum Resource {
    Core,
    OpenFiles,
    FileSize,
    Threads,
}

/// Lowers soft and hard limit of a resource to the given value, or to the hard limit where that is
/// lower.
pub(super) fn limit(resource: Resource, most: u64) -> io::Result<()> {
    let resource = match resource {
        Resource::Core => libc::RLIMIT_CORE,
        Resource::OpenFiles => libc::RLIMIT_NOFILE,
        Resource::FileSize => libc::RLIMIT_FSIZE,
        Resource::Threads => libc::RLIMIT_NPROC,
    };
    let mut now = MaybeUninit::<libc::rlimit>::uninit();
    // SAFETY: the pointer is to a structure of the right type, which the call fills.
    check(unsafe { libc::getrlimit(resource, now.as_mut_ptr()) }.into())?;
    // SAFETY: the call succeeded, so the structure is filled.
    let hard = unsafe { now.assume_init() }.rlim_max.min(most);
    let wanted = libc::rlimit { rlim_cur: hard, rlim_max: hard };
    // SAFETY: the pointer is to a valid structure that the call reads.
    check(unsafe { libc::setrlimit(resource, &raw const wanted) }.into()).map(drop)
}

/// Ignores the signal that a write beyond the file-size limit sends.
pub(super) fn ignore_file_size_signal() -> io::Result<()> {
    // SAFETY: ignoring a signal runs no code of ours.
    if unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) } == libc::SIG_ERR {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Has the kernel kill this process when the thread that started it ends.
pub(super) fn kill_when_parent_thread_ends() -> io::Result<()> {
    prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as c_ulong, 0).map(drop)
}

/// Has the kernel kill this process when the last writing end of a pipe is closed; true if that has
/// happened.
///
/// Asynchronous notification (`F_SETOWN`, `O_ASYNC` in `fcntl(2)`) sends a signal on any event of
/// the pipe; with `F_SETSIG` that signal is the one that nothing can catch.
pub(super) fn kill_when_pipe_closes(pipe: RawFd) -> io::Result<bool> {
    // SAFETY: these commands take integers; a descriptor that is not open gives an error.
    unsafe {
        check(libc::fcntl(pipe, libc::F_SETOWN, libc::getpid()).into())?;
        check(libc::fcntl(pipe, F_SETSIG, libc::SIGKILL).into())?;
        let flags = check(libc::fcntl(pipe, libc::F_GETFL).into())?;
        check(libc::fcntl(pipe, libc::F_SETFL, flags | c_long::from(libc::O_ASYNC)).into())?;
    }
    let mut state = libc::pollfd { fd: pipe, events: libc::POLLIN, revents: 0 };
    // SAFETY: the pointer is to one valid structure, which the call may change.
    check(unsafe { libc::poll(&raw mut state, 1, 0) }.into())?;
    Ok(state.revents & libc::POLLHUP != 0)
}

/// Not in the `libc` crate for all targets.
pub(super) const F_SETSIG: c_int = 10;

/// The capabilities that this thread may use, one bit each.
pub(super) fn permitted_capabilities() -> io::Result<u64> {
    let mut header = CAPABILITY_HEADER;
    let mut sets = [CapabilitySets::default(); 2];
    // SAFETY: version 3 of the interface fills two structures; both pointers are valid.
    check(unsafe { libc::syscall(libc::SYS_capget, &raw mut header, sets.as_mut_ptr()) })?;
    let [low, high] = sets;
    Ok(u64::from(low.permitted) | u64::from(high.permitted) << 32)
}

/// Leaves this thread the given capabilities, none that a started program would inherit.
pub(super) fn set_capabilities(kept: u64) -> io::Result<()> {
    let mut header = CAPABILITY_HEADER;
    let half = |bits: u64| {
        let bits = u32::try_from(bits & u64::from(u32::MAX)).unwrap_or(0);
        CapabilitySets { effective: bits, permitted: bits, inheritable: 0 }
    };
    let sets = [half(kept), half(kept >> 32)];
    // SAFETY: version 3 of the interface reads two structures; both pointers are valid.
    check(unsafe { libc::syscall(libc::SYS_capset, &raw mut header, sets.as_ptr()) }).map(drop)
}

/// Leaves the bounding set the given capabilities, as far as this process may change it.
pub(super) fn drop_bounding_capabilities(kept: u64) {
    let dropped = (0..64).filter(|capability| kept & (1 << capability) == 0);
    dropped.take_while(|capability| prctl(libc::PR_CAPBSET_DROP, *capability, 0).is_ok()).for_each(drop);
}

/// Empties the ambient set. Kernels that have none refuse the call.
pub(super) fn clear_ambient_capabilities() {
    prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL as c_ulong, 0).ok();
}

/// From `linux/capability.h`: version 3, this thread.
const CAPABILITY_HEADER: CapabilityHeader = CapabilityHeader { version: 0x2008_0522, pid: 0 };

#[repr(C)]
struct CapabilityHeader {
    version: u32,
    pid: c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct CapabilitySets {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

const _: () = assert!(size_of::<CapabilitySets>() == 12, "the layout that the kernel reads");

fn prctl(option: c_int, second: c_ulong, third: c_ulong) -> io::Result<c_int> {
    const UNUSED: c_ulong = 0;
    // SAFETY: the options used here take integers only.
    let result = unsafe { libc::prctl(option, second, third, UNUSED, UNUSED) };
    check(result.into()).map(|_| result)
}

fn check(result: c_long) -> io::Result<c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}
