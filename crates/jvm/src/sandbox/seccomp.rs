//! Which system calls a worker can make (`seccomp(2)`).
//!
//! Two filters, of which the kernel obeys the stricter and, between two error numbers, the one
//! installed later:
//!
//! 1. Only calls in [`KNOWN`] exist; all others answer `ENOSYS`, as an old kernel would. That
//!    covers calls of other interfaces (x32), calls that kernels will learn after us, and `clone3`,
//!    whose flags a filter cannot see: C libraries then use `clone`, whose flags it can. A call
//!    through the 32-bit interface ends the process.
//! 2. Calls that a program may try with effects beyond its own process answer `EPERM`, so that Java
//!    sees an `IOException`: those in [`REFUSED`], and some in [`KNOWN`] with certain arguments.
//!
//! What Landlock sees to (opening, removing, renaming, truncating) is let through here, and for a
//! process that is to become another program so is `execve`.

use std::collections::BTreeMap;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

use super::{Error, sys};

/// Puts both filters in force for this thread, those that it will start, and a program that takes
/// their place if any may.
pub(super) fn install(may_execute: bool) -> Result<(), Error> {
    let step = "filter system calls with seccomp";
    let own_pid = u64::from(std::process::id());
    let executing = may_execute.then_some(&libc::SYS_execve);
    let known = KNOWN.iter().chain(KNOWN_HERE).chain(executing).map(|call| (*call, Vec::new())).collect();
    let known = compile(known, SeccompAction::Errno(errno(libc::ENOSYS)), SeccompAction::Allow);
    let mut refused = refusals(own_pid).map_err(Error::step(step))?;
    if let Some(call) = executing {
        refused.remove(call);
    }
    let refused = compile(refused, SeccompAction::Allow, SeccompAction::Errno(errno(libc::EPERM)));
    for filter in [known, refused] {
        apply_filter(&filter.map_err(Error::step(step))?).map_err(Error::step(step))?;
    }
    Ok(())
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn compile(
    rules: Rules,
    otherwise: SeccompAction,
    on_match: SeccompAction,
) -> Result<BpfProgram, BackendError> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    BpfProgram::try_from(SeccompFilter::new(rules, otherwise, on_match, architecture)?)
}

fn errno(number: i32) -> u32 {
    number.unsigned_abs()
}

/// All that answers `EPERM`: a call without rules is refused whatever its arguments, others if one
/// of their rules holds.
fn refusals(own_pid: u64) -> Result<Rules, BackendError> {
    let mut rules: Rules = REFUSED.iter().chain(REFUSED_HERE).map(|call| (*call, Vec::new())).collect();
    // Signals go to threads of this process only; `raise` and the JVM send theirs this way.
    rules.insert(libc::SYS_tgkill, vec![none_of(0, &[own_pid])?]);
    // Only this process's limits.
    rules.insert(libc::SYS_prlimit64, vec![none_of(0, &[0, own_pid])?]);
    rules.insert(libc::SYS_clone, clone_refusals()?);
    rules.insert(libc::SYS_prctl, vec![none_of(0, PRCTL_OPTIONS)?]);
    // Device controls reach terminals (`TIOCSTI` types into the user's shell) and send signals
    // (`FIOSETOWN`).
    rules.insert(libc::SYS_ioctl, vec![none_of(1, IOCTL_REQUESTS)?]);
    let fcntl = FCNTL_REFUSED.iter().map(|command| rule(1, SeccompCmpOp::Eq, *command));
    rules.insert(libc::SYS_fcntl, fcntl.collect::<Result<_, _>>()?);
    rules.insert(libc::SYS_socketpair, socket_pair_refusals()?);
    // A datagram with an address would be a way out of a socket that was open before; there is
    // none, but this is cheap.
    let address =
        SeccompRule::new(vec![SeccompCondition::new(4, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?])?;
    rules.insert(libc::SYS_sendto, vec![address]);
    Ok(rules)
}

/// Threads may be started, processes and namespaces not.
fn clone_refusals() -> Result<Vec<SeccompRule>, BackendError> {
    let thread = [libc::CLONE_VM, libc::CLONE_THREAD].map(|flag| (flag, 0));
    let namespaces = [
        libc::CLONE_NEWNS,
        libc::CLONE_NEWCGROUP,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
    ];
    let refused = thread.into_iter().chain(namespaces.map(|flag| (flag, flag)));
    let bits = |flag: i32| u64::from(flag.cast_unsigned());
    refused.map(|(flag, value)| rule(0, SeccompCmpOp::MaskedEq(bits(flag)), bits(value))).collect()
}

/// Java up to 17 needs a pair of connected stream sockets before it opens any file channel (it puts
/// one in the place of a descriptor that is being closed). Such a pair leads nowhere else; a pair
/// of datagram sockets could be pointed elsewhere.
fn socket_pair_refusals() -> Result<Vec<SeccompRule>, BackendError> {
    const TYPE: u64 = 0xf;
    let local = none_of(0, &[libc::AF_UNIX.unsigned_abs().into()]);
    let others = [libc::SOCK_DGRAM, libc::SOCK_RAW, libc::SOCK_RDM, libc::SOCK_SEQPACKET];
    let others = others.map(|kind| rule(1, SeccompCmpOp::MaskedEq(TYPE), kind.unsigned_abs().into()));
    others.into_iter().chain([local]).collect()
}

/// Holds if the argument is none of the values. The kernel reads 32 bits of these arguments, and so
/// do we.
fn none_of(argument: u8, values: &[u64]) -> Result<SeccompRule, BackendError> {
    let conditions = values
        .iter()
        .map(|value| SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, *value));
    SeccompRule::new(conditions.collect::<Result<_, _>>()?)
}

fn rule(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(vec![SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)?])
}

/// Names of threads and memory, huge pages, questions. Not among them: death signal, dumping,
/// capabilities, memory map.
const PRCTL_OPTIONS: &[u64] = &[
    libc::PR_SET_NAME as u64,
    libc::PR_GET_NAME as u64,
    libc::PR_SET_THP_DISABLE as u64,
    libc::PR_GET_THP_DISABLE as u64,
    libc::PR_SET_TIMERSLACK as u64,
    libc::PR_GET_TIMERSLACK as u64,
    libc::PR_GET_DUMPABLE as u64,
    libc::PR_GET_SECCOMP as u64,
    libc::PR_GET_NO_NEW_PRIVS as u64,
    libc::PR_CAPBSET_READ as u64,
    PR_SET_VMA,
];

const PR_SET_VMA: u64 = 0x5356_4d41;

/// What files, pipes and terminals are asked for (`asm-generic/ioctls.h`): kind (`TCGETS`,
/// `TCGETS2`), size (`TIOCGWINSZ`), waiting bytes (`FIONREAD`), blocking or not (`FIONBIO`),
/// closing on exec (`FIONCLEX`, `FIOCLEX`).
const IOCTL_REQUESTS: &[u64] = &[0x5401, 0x802c_542a, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451];

/// Signals on events go to any process of the same user; leases and notifications tell of what
/// others do.
const FCNTL_REFUSED: &[u64] = &[
    libc::F_SETOWN as u64,
    F_SETOWN_EX,
    sys::F_SETSIG as u64,
    libc::F_SETLEASE as u64,
    libc::F_NOTIFY as u64,
];

const F_SETOWN_EX: u64 = 15;

/// Calls that exist for a worker, on all processors; some are refused with certain arguments.
#[rustfmt::skip]
const KNOWN: &[i64] = &[
    // Files; Landlock decides which.
    libc::SYS_openat, libc::SYS_openat2, libc::SYS_close, libc::SYS_close_range, libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64, libc::SYS_preadv, libc::SYS_preadv2, libc::SYS_write, libc::SYS_writev,
    libc::SYS_pwrite64,
    libc::SYS_pwritev, libc::SYS_pwritev2, libc::SYS_lseek, libc::SYS_truncate, libc::SYS_ftruncate,
    libc::SYS_fallocate, libc::SYS_fadvise64, libc::SYS_readahead, libc::SYS_fsync, libc::SYS_fdatasync,
    libc::SYS_sync_file_range, libc::SYS_sendfile, libc::SYS_copy_file_range, libc::SYS_splice, libc::SYS_tee,
    libc::SYS_vmsplice, libc::SYS_fcntl, libc::SYS_flock, libc::SYS_ioctl, libc::SYS_dup, libc::SYS_dup3,
    libc::SYS_pipe2, libc::SYS_umask,
    // Folders and what is known about files.
    libc::SYS_getdents64, libc::SYS_getcwd, libc::SYS_mkdirat, libc::SYS_unlinkat, libc::SYS_renameat2,
    libc::SYS_linkat, libc::SYS_symlinkat, libc::SYS_readlinkat, libc::SYS_fstat, libc::SYS_newfstatat,
    libc::SYS_statx, libc::SYS_statfs, libc::SYS_fstatfs, libc::SYS_faccessat, libc::SYS_faccessat2,
    // Memory of this process.
    libc::SYS_brk, libc::SYS_mmap, libc::SYS_munmap, libc::SYS_mremap, libc::SYS_mprotect, libc::SYS_madvise,
    libc::SYS_msync, libc::SYS_mincore, libc::SYS_mlock, libc::SYS_mlock2, libc::SYS_munlock,
    libc::SYS_mlockall,
    libc::SYS_munlockall, libc::SYS_mbind, libc::SYS_get_mempolicy, libc::SYS_set_mempolicy,
    libc::SYS_pkey_alloc,
    libc::SYS_pkey_free, libc::SYS_pkey_mprotect, libc::SYS_membarrier, SYS_MAP_SHADOW_STACK, SYS_MSEAL,
    // Threads of this process.
    libc::SYS_clone, libc::SYS_exit, libc::SYS_exit_group, libc::SYS_futex, libc::SYS_futex_waitv,
    libc::SYS_set_robust_list, libc::SYS_set_tid_address, libc::SYS_rseq, libc::SYS_getpid, libc::SYS_gettid,
    libc::SYS_getppid, libc::SYS_wait4, libc::SYS_waitid, libc::SYS_sched_yield, libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam, libc::SYS_sched_getscheduler, libc::SYS_sched_getattr,
    libc::SYS_sched_get_priority_max, libc::SYS_sched_get_priority_min, libc::SYS_sched_rr_get_interval,
    libc::SYS_getpriority, libc::SYS_getcpu, libc::SYS_restart_syscall,
    // Signals.
    libc::SYS_tgkill, libc::SYS_rt_sigaction, libc::SYS_rt_sigprocmask, libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigsuspend, libc::SYS_rt_sigpending, libc::SYS_rt_sigtimedwait, libc::SYS_sigaltstack,
    libc::SYS_signalfd4,
    // Time and waiting.
    libc::SYS_nanosleep, libc::SYS_clock_nanosleep, libc::SYS_clock_gettime, libc::SYS_clock_getres,
    libc::SYS_gettimeofday, libc::SYS_times, libc::SYS_timer_create, libc::SYS_timer_settime,
    libc::SYS_timer_gettime, libc::SYS_timer_getoverrun, libc::SYS_timer_delete, libc::SYS_timerfd_create,
    libc::SYS_timerfd_settime, libc::SYS_timerfd_gettime, libc::SYS_getitimer, libc::SYS_setitimer,
    libc::SYS_ppoll,
    libc::SYS_pselect6, libc::SYS_epoll_create1, libc::SYS_epoll_ctl, libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_eventfd2, libc::SYS_inotify_init1, libc::SYS_inotify_rm_watch,
    // The socket to the parent, which is open already, and pairs connected to each other.
    libc::SYS_socketpair, libc::SYS_recvfrom, libc::SYS_sendto, libc::SYS_shutdown,
    // Questions about machine and process, and lower limits for the process.
    libc::SYS_uname, libc::SYS_sysinfo, libc::SYS_getrandom, libc::SYS_getrusage, libc::SYS_getrlimit,
    libc::SYS_setrlimit, libc::SYS_prlimit64, libc::SYS_getuid, libc::SYS_geteuid, libc::SYS_getgid,
    libc::SYS_getegid, libc::SYS_getresuid, libc::SYS_getresgid, libc::SYS_getgroups, libc::SYS_getpgid,
    libc::SYS_getsid, libc::SYS_capget, libc::SYS_prctl,
    // For the second filter, which then refuses a third.
    libc::SYS_seccomp,
];

/// These have the same number on all processors; the `libc` crate does not have them everywhere.
const SYS_MAP_SHADOW_STACK: i64 = 453;
const SYS_FCHMODAT2: i64 = 452;
const SYS_MSEAL: i64 = 462;

/// Older forms of known calls, which AArch64 never had.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
const KNOWN_HERE: &[i64] = &[
    libc::SYS_open, libc::SYS_creat, libc::SYS_stat, libc::SYS_lstat, libc::SYS_access, libc::SYS_readlink,
    libc::SYS_mkdir, libc::SYS_rmdir, libc::SYS_unlink, libc::SYS_rename, libc::SYS_renameat, libc::SYS_link,
    libc::SYS_symlink, libc::SYS_getdents, libc::SYS_dup2, libc::SYS_pipe, libc::SYS_poll, libc::SYS_select,
    libc::SYS_epoll_create, libc::SYS_epoll_wait, libc::SYS_eventfd, libc::SYS_signalfd,
    libc::SYS_inotify_init,
    libc::SYS_alarm, libc::SYS_pause, libc::SYS_time, libc::SYS_getpgrp, libc::SYS_arch_prctl,
];
#[cfg(target_arch = "aarch64")]
const KNOWN_HERE: &[i64] = &[libc::SYS_renameat];
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const KNOWN_HERE: &[i64] = &[];

/// Calls that answer `EPERM` on all processors.
#[rustfmt::skip]
const REFUSED: &[i64] = &[
    // Other programs.
    libc::SYS_execve, libc::SYS_execveat,
    // Sockets of all kinds, and descriptors sent through the one that is open.
    libc::SYS_socket, libc::SYS_connect, libc::SYS_bind, libc::SYS_listen, libc::SYS_accept,
    libc::SYS_accept4, libc::SYS_getsockname, libc::SYS_getpeername, libc::SYS_getsockopt,
    libc::SYS_setsockopt,
    libc::SYS_sendmsg, libc::SYS_recvmsg, libc::SYS_sendmmsg,
    libc::SYS_recvmmsg,
    // Other processes: memory, signals, handles, priorities, groups.
    libc::SYS_ptrace, libc::SYS_process_vm_readv, libc::SYS_process_vm_writev, libc::SYS_process_madvise,
    libc::SYS_process_mrelease, libc::SYS_move_pages, libc::SYS_migrate_pages, libc::SYS_kcmp,
    libc::SYS_get_robust_list,
    libc::SYS_kill, libc::SYS_tkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd, libc::SYS_pidfd_send_signal, libc::SYS_setpriority, libc::SYS_ioprio_set,
    libc::SYS_sched_setaffinity, libc::SYS_sched_setparam, libc::SYS_sched_setscheduler,
    libc::SYS_sched_setattr,
    libc::SYS_setpgid, libc::SYS_setsid,
    // What Landlock does not see: modes, owners, times, attributes, devices, handles, activity in
    // folders, all disks.
    libc::SYS_fchmod, libc::SYS_fchmodat, SYS_FCHMODAT2, libc::SYS_fchown, libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr, libc::SYS_lsetxattr, libc::SYS_fsetxattr, libc::SYS_getxattr, libc::SYS_lgetxattr,
    libc::SYS_fgetxattr, libc::SYS_listxattr, libc::SYS_llistxattr, libc::SYS_flistxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr, libc::SYS_fremovexattr, libc::SYS_mknodat, libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at, libc::SYS_inotify_add_watch, libc::SYS_fanotify_init,
    libc::SYS_fanotify_mark,
    libc::SYS_chdir, libc::SYS_fchdir, libc::SYS_sync, libc::SYS_syncfs,
    // Memory that no count of ours shows, or that outlives the process.
    libc::SYS_memfd_create, libc::SYS_memfd_secret, libc::SYS_shmget, libc::SYS_shmat, libc::SYS_shmctl,
    libc::SYS_shmdt, libc::SYS_semget, libc::SYS_semop, libc::SYS_semtimedop, libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd, libc::SYS_msgrcv, libc::SYS_msgctl, libc::SYS_mq_open, libc::SYS_mq_unlink,
    // Ways around a filter of system calls.
    libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register, libc::SYS_io_setup,
    libc::SYS_io_submit, libc::SYS_seccomp, libc::SYS_landlock_create_ruleset, libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
    // The kernel itself, and large parts of it that a JVM has no use for.
    libc::SYS_bpf, libc::SYS_perf_event_open, libc::SYS_userfaultfd, libc::SYS_keyctl, libc::SYS_add_key,
    libc::SYS_request_key, libc::SYS_init_module, libc::SYS_finit_module, libc::SYS_delete_module,
    libc::SYS_kexec_load, libc::SYS_kexec_file_load, libc::SYS_reboot, libc::SYS_swapon, libc::SYS_swapoff,
    libc::SYS_acct, libc::SYS_syslog, libc::SYS_quotactl, libc::SYS_personality, libc::SYS_vhangup,
    libc::SYS_settimeofday, libc::SYS_clock_settime, libc::SYS_clock_adjtime, libc::SYS_adjtimex,
    libc::SYS_sethostname, libc::SYS_setdomainname,
    // File systems and namespaces.
    libc::SYS_mount, libc::SYS_umount2, libc::SYS_pivot_root, libc::SYS_chroot, libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_tree, libc::SYS_move_mount, libc::SYS_fsopen, libc::SYS_fsconfig, libc::SYS_fsmount,
    libc::SYS_fspick, libc::SYS_mount_setattr,
    // Users and rights.
    libc::SYS_setuid, libc::SYS_setgid, libc::SYS_setreuid, libc::SYS_setregid, libc::SYS_setresuid,
    libc::SYS_setresgid, libc::SYS_setfsuid, libc::SYS_setfsgid, libc::SYS_setgroups, libc::SYS_capset,
];

/// Older forms of refused calls, and calls that only x86 has.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
const REFUSED_HERE: &[i64] = &[
    libc::SYS_fork, libc::SYS_vfork, libc::SYS_chmod, libc::SYS_chown, libc::SYS_lchown, libc::SYS_utime,
    libc::SYS_utimes, libc::SYS_futimesat, libc::SYS_mknod, libc::SYS_modify_ldt, libc::SYS_iopl,
    libc::SYS_ioperm,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[i64] = &[];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_call_is_both_known_and_refused() {
        let known: BTreeSet<_> = KNOWN.iter().chain(KNOWN_HERE).collect();
        let both: Vec<_> = REFUSED.iter().chain(REFUSED_HERE).filter(|call| known.contains(call)).collect();
        // Installing the second filter needs the call that it then refuses.
        assert_eq!(both, [&libc::SYS_seccomp]);
    }

    #[test]
    fn every_call_is_listed_once() {
        for lists in [[KNOWN, KNOWN_HERE], [REFUSED, REFUSED_HERE]] {
            let all = lists.concat();
            assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        }
    }

    #[test]
    fn calls_refused_by_argument_are_known() {
        let always: BTreeSet<_> = REFUSED.iter().chain(REFUSED_HERE).copied().collect();
        for call in refusals(1).unwrap().into_keys().filter(|call| !always.contains(call)) {
            assert!(KNOWN.contains(&call), "{call}");
        }
    }
}
