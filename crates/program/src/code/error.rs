use thiserror::Error;

/// Why the code of a method cannot be analysed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// The class file is malformed where the method is described.
    #[error("the class file is malformed: {0}")]
    ClassFile(#[from] crashback_classfile::Error),
    /// A method without a single instruction.
    #[error("the method has a body without instructions")]
    Empty,
    /// A jump to a place where no instruction begins.
    #[error("the jump at offset {offset} leads to offset {target}, where no instruction begins")]
    BadTarget {
        /// Offset of the jump.
        offset: u32,
        /// Offset it leads to.
        target: i64,
    },
    /// An exception handler whose range or target is not made of whole instructions.
    #[error("exception handler {0} does not begin, end or lie at an instruction")]
    BadHandler(usize),
    /// The last instruction lets execution run out of the code.
    #[error("execution can run past the end of the code")]
    FallsOffEnd,
    /// A dynamic call whose bootstrap method is not described.
    #[error("bootstrap method {0} is missing from the class")]
    NoBootstrapMethod(u16),
    /// An array of an array of 255 dimensions.
    #[error("an array has more than 255 dimensions")]
    TooManyDimensions,
    /// Far more exception handlers, variables or stack than a compiler makes.
    #[error("the method is too complex to analyse: {0}")]
    TooComplex(&'static str),
    /// An instruction takes more values from the operand stack than there are, or of the wrong
    /// size.
    #[error("the operand stack does not fit the instruction at index {0}")]
    StackMismatch(usize),
    /// Two ways lead to one instruction with operand stacks of different shape.
    #[error("operand stacks of different shape meet at instruction index {0}")]
    StackMerge(usize),
    /// A local variable beyond the declared number.
    #[error("the instruction at index {0} uses a local variable that the method does not have")]
    BadLocal(usize),
}

/// Result of reading or analysing code.
pub type Result<T, E = Error> = std::result::Result<T, E>;
