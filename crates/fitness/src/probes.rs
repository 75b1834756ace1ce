/// What is observed of the method of a frame. Whoever made the probe plan tells.
///
/// To tell whether a line was reached takes line or block probes; to tell how near an execution
/// came takes probes at jumps and switches. What is missing costs guidance, nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameProbes {
    /// The level in the call chain at which the frame runs: 1 for the outermost method of the
    /// chain; see [`Facts`](crashback_protocol::Facts). What the method does at other levels says
    /// nothing about the frame.
    pub level: u32,
    /// The probes of the method. Their numbers lie together.
    pub probes: Vec<Probe>,
}

/// A probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Its number in observations.
    pub number: u32,
    /// Offset of the instruction that it watches in the original code.
    pub offset: u32,
    /// What it watches.
    pub kind: ProbeKind,
}

/// What a probe watches. There are others, which say nothing about distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeKind {
    /// A conditional jump.
    Jump,
    /// A switch.
    Switch,
    /// The first instruction of a line.
    Line,
    /// The first instruction of a basic block.
    Block,
}
