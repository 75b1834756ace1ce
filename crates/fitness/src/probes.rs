use crate::variables::BranchVariable;

/// The probes in the method of a frame, as the maker of the probe plan knows them.
///
/// Line or block probes tell whether a line was reached; probes at jumps and switches tell how near
/// an execution came. Missing probes cost guidance, nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameProbes {
    /// The place of the frame in the target call chain, 0 for the outermost; see
    /// [`Position`](crashback_protocol::Position). What the method does elsewhere says nothing
    /// about the frame.
    pub place: u32,
    /// The probes of the method. Their numbers lie together.
    pub probes: Vec<Probe>,
    /// The variables of the method that are observed, with the numbers of their probes.
    pub variables: Vec<(u32, BranchVariable)>,
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

/// What a probe watches. Probes of other kinds say nothing about distances.
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
    /// An instruction that throws if its operands are wrong; facts have it as a jump that is taken if it
    /// throws.
    Throw,
    /// A bound that an access by index must keep. Those of one access have its offset.
    Indexed,
}
