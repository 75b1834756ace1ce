//! Landlock (`landlock(7)`): which files can be opened, made, changed and removed.
//!
//! All rights that the kernel knows are withheld, then some are given back: reading below
//! [`Rules::read`], and reading and changing below [`Rules::scratch`]. Nothing may be executed but
//! [`Rules::execute`], no device, pipe or socket be made. Rules hold for the file a path leads to,
//! so links lead nowhere new.

use std::fs;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetStatus, Scope, make_bitflags,
};
use rustix::io::{FdFlags, fcntl_setfd};

use super::readable::NULL_DEVICE;
use super::{Error, Landlock, Rules, support};

/// The newest rights that the crate knows; the kernel's are a part of them or they of the kernel's.
const NEWEST: ABI = ABI::V9;

const READ: BitFlags<AccessFs> = make_bitflags!(AccessFs::{ReadFile | ReadDir});

const CHANGE: BitFlags<AccessFs> = make_bitflags!(AccessFs::{
    WriteFile | Truncate | MakeReg | MakeDir | MakeSym | RemoveFile | RemoveDir | Refer
});

/// Puts the rules in force for this thread and those that it will start; gives the ABI, if the
/// kernel has any.
pub(super) fn confine(rules: &Rules) -> Result<Option<i32>, Error> {
    let Landlock::Abi(abi) = support().landlock else {
        return Ok(None);
    };
    let step = "confine file accesses with Landlock";
    let mut ruleset = everything_withheld().map_err(Error::step(step))?;
    for path in &rules.read {
        // What is not there or cannot be opened cannot be read either: no rule is needed.
        let Ok(handle) = PathFd::new(path) else { continue };
        ruleset = allow(ruleset, &handle, READ).map_err(Error::step(step))?;
        if path.starts_with("/proc") {
            // Rules hold for inodes, and procfs makes new ones, for which there is no rule, once
            // its entries have fallen out of the cache. A handle that is never closed keeps the
            // entry there, also for a program that takes this one's place.
            if !rules.execute.is_empty() {
                fcntl_setfd(&handle, FdFlags::empty()).map_err(Error::step(step))?;
            }
            std::mem::forget(handle);
        }
    }
    for handle in rules.execute.iter().flat_map(PathFd::new) {
        ruleset = allow(ruleset, &handle, AccessFs::Execute.into()).map_err(Error::step(step))?;
    }
    if let Ok(handle) = PathFd::new(NULL_DEVICE) {
        let access = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate;
        ruleset = allow(ruleset, &handle, access).map_err(Error::step(step))?;
    }
    let scratch = open_scratch(&rules.scratch)?;
    ruleset = allow(ruleset, &scratch, READ | CHANGE).map_err(Error::step(step))?;

    let status = ruleset.restrict_self().map_err(Error::step(step))?;
    if status.ruleset == RulesetStatus::NotEnforced {
        return Err(Error::Unsupported(vec![
            "Landlock accepted the rules but does not enforce them".to_owned(),
        ]));
    }
    Ok(Some(abi))
}

fn everything_withheld() -> Result<RulesetCreated, landlock::RulesetError> {
    Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()
}

/// Rights that only folders can have are left out for files by the crate.
fn allow(
    ruleset: RulesetCreated,
    handle: &PathFd,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, landlock::RulesetError> {
    ruleset.add_rule(PathBeneath::new(handle, access))
}

fn open_scratch(path: &Path) -> Result<PathFd, Error> {
    let unusable = |source| Error::Scratch { path: path.to_path_buf(), source };
    if !fs::metadata(path).map_err(unusable)?.is_dir() {
        return Err(unusable(std::io::ErrorKind::NotADirectory.into()));
    }
    PathFd::new(path).map_err(|error| unusable(std::io::Error::other(error)))
}
