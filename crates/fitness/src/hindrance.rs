/// What stood between an execution and the line of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hindrance {
    /// The method was not entered, or not from inside the frames around it.
    NotEntered,
    /// A condition never turned out as it would have to.
    Condition {
        /// Its line.
        line: Option<u32>,
    },
    /// A switch never met a case that leads on.
    Switch {
        /// Its line.
        line: Option<u32>,
    },
    /// The line lies behind a handler, and nothing was thrown that it catches.
    NothingThrown {
        /// A line from which it would have to be thrown.
        line: Option<u32>,
    },
    /// All decisions went the right way, but something on the way was left by an exception or did
    /// not end.
    Left,
}

/// The first frame from outside that an execution did not run through, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hindered {
    /// Level of the frame in the trace, 1 for the innermost.
    pub frame: u32,
    /// The line that was not reached.
    pub line: Option<u32>,
    /// What stood in the way.
    pub by: Hindrance,
}
