//! What the running kernel can enforce, found out without enforcing anything.

use std::fmt;

use super::sys;

/// What the kernel offers; its text is meant for `crashback doctor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Support {
    /// Confinement of file accesses.
    pub landlock: Landlock,
    /// Whether system calls can be filtered, on this kernel and by us for this processor.
    pub seccomp: bool,
}

/// What the kernel knows of Landlock (`landlock(7)`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landlock {
    /// In the kernel, with this version of its interface.
    Abi(i32),
    /// In the kernel, but not switched on at boot.
    Disabled,
    /// Not in the kernel, or hidden by the container we run in.
    Absent,
}

/// The first ABI that covers truncation: before, files outside the scratch folder could be emptied.
pub(super) const NEEDED_ABI: i32 = 3;

/// Asks the kernel.
#[must_use]
pub fn support() -> Support {
    let landlock = match sys::landlock_abi() {
        Ok(abi) => Landlock::Abi(abi),
        Err(error) if error.raw_os_error() == Some(libc::EOPNOTSUPP) => Landlock::Disabled,
        Err(_) => Landlock::Absent,
    };
    let filter_known = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
    Support { landlock, seccomp: filter_known && sys::seccomp_can_return_errors() }
}

impl Support {
    /// What is missing for the full sandbox, in words that say what to do.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let landlock = match self.landlock {
            Landlock::Abi(abi) if abi >= NEEDED_ABI => None,
            Landlock::Abi(abi) => Some(format!(
                "the kernel has Landlock ABI {abi}, but {NEEDED_ABI} is needed (Linux 6.2 or later)"
            )),
            Landlock::Disabled => Some(
                "Landlock is in the kernel but not switched on (add landlock to the lsm= list on the \
                 kernel command line)"
                    .to_owned(),
            ),
            Landlock::Absent => Some(
                "the kernel has no Landlock, or a container hides it (Linux 6.2 or later with \
                 CONFIG_SECURITY_LANDLOCK)"
                    .to_owned(),
            ),
        };
        let seccomp = (!self.seccomp).then(|| {
            "seccomp filters are not available (needed: x86-64 or AArch64, CONFIG_SECCOMP_FILTER)".to_owned()
        });
        landlock.into_iter().chain(seccomp).collect()
    }
}

impl fmt::Display for Support {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.landlock {
            Landlock::Abi(abi) => {
                write!(f, "Landlock ABI {abi}")?;
                let absent = [(4, "TCP ports"), (5, "device controls"), (6, "signals and abstract sockets")];
                let absent: Vec<_> =
                    absent.iter().filter(|(since, _)| abi < *since).map(|(_, what)| *what).collect();
                if !absent.is_empty() {
                    write!(f, " (without {}: left to seccomp)", absent.join(", "))?;
                }
            }
            Landlock::Disabled => write!(f, "Landlock switched off")?,
            Landlock::Absent => write!(f, "no Landlock")?,
        }
        write!(f, ", {}", if self.seccomp { "seccomp filters" } else { "no seccomp filters" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(landlock: Landlock, seccomp: bool, missing: &[&str]) {
        let told = Support { landlock, seccomp }.missing();
        assert_eq!(told.len(), missing.len(), "{told:?}");
        for (text, part) in told.iter().zip(missing) {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        check(Landlock::Abi(3), true, &[]);
        check(Landlock::Abi(9), true, &[]);
        check(Landlock::Abi(2), true, &["ABI 2"]);
        check(Landlock::Disabled, true, &["not switched on"]);
        check(Landlock::Absent, false, &["no Landlock", "seccomp"]);
    }

    #[test]
    fn rights_of_later_kernels_are_told() {
        let text = |abi| Support { landlock: Landlock::Abi(abi), seccomp: true }.to_string();
        assert_eq!(text(7), "Landlock ABI 7, seccomp filters");
        assert_eq!(
            text(5),
            "Landlock ABI 5 (without signals and abstract sockets: left to seccomp), seccomp filters"
        );
    }
}
