/// A logged stack trace, as a report shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Class of the exception.
    pub exception: String,
    /// Its message.
    pub message: Option<String>,
    /// All frames, innermost first; the first has level 1.
    pub frames: Vec<TraceFrame>,
}

/// One line of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceFrame {
    /// The frame: `org.example.Shop.sell:17`.
    pub frame: String,
    /// Why no test aims at it, in words; none for target frames, and where it is not known.
    pub reason: Option<String>,
}
