use crate::table::record;

record! {
    /// From `start_pc` on, the code belongs to a line of the source (JVMS 4.7.12).
    pub struct LineNumber {
        /// First offset of the line.
        pub start_pc: u16,
        /// Number of the line, from 1.
        pub line: u16,
    }
}
