//! Where crashes come from: checkouts of JCrashPack, folders of logs, lists of ExRunner.

mod exrunner;
mod jcrashpack;
mod logs;

pub use logs::{CrashFiles, LogFolder};
