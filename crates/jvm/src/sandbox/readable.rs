//! What a JVM reads beside the class path.
//!
//! Nothing here is secret: it is what every user of a machine may read and what differs between
//! machines, not between users. Home folders, `/etc/passwd`, `/run`, `/var` and other processes in
//! `/proc` are left out.

use std::fs;
use std::path::{Path, PathBuf};

/// System files and folders, whether or not they exist here.
const SYSTEM: &[&str] = &[
    // Libraries and how the loader finds them; the stores of NixOS and Guix are their library
    // folders.
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    // Time zones, locales, names of this machine.
    "/etc/localtime",
    "/etc/timezone",
    "/usr/share/zoneinfo",
    "/usr/share/locale",
    "/usr/share/i18n",
    "/etc/locale.conf",
    "/etc/locale.alias",
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/hostname",
    "/etc/nsswitch.conf",
    "/etc/gai.conf",
    // Fonts, for AWT without a screen.
    "/etc/fonts",
    "/usr/share/fonts",
    "/usr/share/fontconfig",
    "/usr/local/share/fonts",
    "/var/cache/fontconfig",
    // What the JVM asks about the machine and about its container.
    "/proc/self",
    "/proc/cgroups",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/uptime",
    "/proc/version",
    "/proc/vmstat",
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/numa_balancing",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/pid_max",
    "/proc/sys/kernel/random",
    "/proc/sys/kernel/threads-max",
    "/proc/sys/net/core/somaxconn",
    "/proc/sys/vm/max_map_count",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/hugepages",
    "/sys/kernel/mm/transparent_hugepage",
    // Devices without state.
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
];

/// The one device that may also be written.
pub(super) const NULL_DEVICE: &str = "/dev/null";

/// The system part of what may be read.
pub(super) fn system() -> Vec<PathBuf> {
    SYSTEM.iter().map(PathBuf::from).collect()
}

/// A JDK and what its links point to: distributions keep its settings below `/etc`.
pub(super) fn java_home(home: &Path) -> Vec<PathBuf> {
    let home = fs::canonicalize(home).unwrap_or_else(|_| home.to_path_buf());
    let mut targets = Vec::new();
    collect_link_targets(&home, MOST_NESTED, &mut targets);
    // A link that leads outside to a folder with the JDK in it would open everything beside the JDK
    // as well.
    targets.retain(|target| !target.starts_with(&home) && !home.starts_with(target));
    targets.sort();
    targets.dedup();
    targets.insert(0, home);
    targets
}

/// A JDK is no deeper than this; a home that is not one should not be walked for long.
const MOST_NESTED: usize = 8;

/// Folders with hundreds of links, to texts that no JVM reads.
const FOR_HUMANS: &[&str] = &["legal", "man", "docs"];

fn collect_link_targets(folder: &Path, levels: usize, targets: &mut Vec<PathBuf>) {
    let Some(levels) = levels.checked_sub(1) else { return };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_symlink() => targets.extend(fs::canonicalize(entry.path()).ok()),
            Ok(kind) if kind.is_dir() && !FOR_HUMANS.iter().any(|name| entry.file_name() == **name) => {
                collect_link_targets(&entry.path(), levels, targets)
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_of_a_jdk_are_followed_but_not_to_its_surroundings() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let home = root.join("jvm/jdk");
        fs::create_dir_all(home.join("conf/security")).unwrap();
        fs::create_dir_all(home.join("lib")).unwrap();
        fs::create_dir_all(root.join("etc")).unwrap();
        fs::write(root.join("etc/java.security"), "").unwrap();
        symlink(root.join("etc/java.security"), home.join("conf/security/java.security")).unwrap();
        symlink("../conf", home.join("lib/conf")).unwrap();
        symlink("../..", home.join("up")).unwrap();
        symlink("/", home.join("top")).unwrap();
        symlink("nowhere", home.join("broken")).unwrap();
        symlink(&home, root.join("default")).unwrap();

        assert_eq!(java_home(&root.join("default")), [home, root.join("etc/java.security")]);
    }

    #[test]
    fn no_private_place_is_readable() {
        for private in [
            "/etc/passwd",
            "/etc/shadow",
            "/root",
            "/home",
            "/tmp",
            "/run",
            "/var/lib",
            "/proc/1",
            "/dev/shm",
        ] {
            let covered = system().iter().any(|path| Path::new(private).starts_with(path));
            assert!(!covered, "{private}");
        }
    }
}
