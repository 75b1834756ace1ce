//! The highest frames of each crash.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Published;
use super::runs::CrashRuns;
use crate::CrashSummary;

/// How high the configurations and published systems came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CrashFrames {
    /// The crash.
    pub crash: String,
    /// The program that crashed.
    pub application: String,
    /// The exception's class, where it is known.
    pub exception: Option<String>,
    /// The highest target frame.
    pub highest_target_frame: Option<u32>,
    /// By configuration, in the order of asking.
    pub configurations: Vec<HighestFrames>,
    /// By published system.
    pub published: BTreeMap<String, HighestFrames>,
}

/// The highest frames that were reproduced. In published results 0 stands for none, and a missing
/// number for an unknown one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HighestFrames {
    /// By strictly more than half of the runs.
    pub in_most: Option<u32>,
    /// By any run.
    pub once: Option<u32>,
}

impl HighestFrames {
    /// Those of a configuration.
    pub(super) fn of(crash: &CrashRuns<'_>, position: usize) -> Self {
        let summary = CrashSummary::of(crash.of(position));
        Self { in_most: summary.frame_in_most, once: summary.frame_once }
    }
}

pub(super) fn of(
    crashes: &[CrashRuns<'_>],
    configurations: &[String],
    published: Option<&Published>,
) -> Vec<CrashFrames> {
    let frames = |crash: &CrashRuns<'_>| CrashFrames {
        crash: crash.crash.to_owned(),
        application: crash.application.to_owned(),
        exception: crash.exception.clone(),
        highest_target_frame: crash.frames.keys().max().copied(),
        configurations: (0..configurations.len()).map(|it| HighestFrames::of(crash, it)).collect(),
        published: published.map(|it| it.of(crash.crash)).unwrap_or_default(),
    };
    crashes.iter().map(frames).collect()
}
