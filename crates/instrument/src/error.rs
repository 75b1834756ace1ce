use thiserror::Error;

/// Why a method, or a whole class, keeps its code as it is. It then runs unobserved; it is never
/// half rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The code would pass the limit of JVMS 4.7.3.
    #[error("its code would be {0} bytes long, and 65535 is the most a method can have")]
    TooLong(usize),
    /// A conditional jump no longer reaches its target, and no place for a detour is near.
    #[error("its conditional jump at {offset} would not reach the target any more")]
    FarJump {
        /// Offset of the jump.
        offset: u32,
    },
    /// A jump, handler, frame or insertion names an offset at which no instruction begins.
    #[error("no instruction begins at offset {offset}, to which its code refers")]
    NoInstruction {
        /// The offset.
        offset: u32,
    },
    /// A `StackMap` attribute of the limited-device edition, which does not fit rewritten code.
    #[error("it has a StackMap attribute, which only Java ME defines")]
    DeviceStackMap,
    /// A target of a jump has no frame, so none can be given to a detour.
    #[error("its jump target at {offset} has no stack map frame")]
    NoFrame {
        /// Offset of the target.
        offset: u32,
    },
    /// Inserted code that leaves the operand stack deeper or shallower than it found it, or
    /// replacing code that leaves it not as the instruction would; jumps, returns and throws cannot
    /// be replaced at all.
    #[error("the code inserted at {offset} does not leave the operand stack as it should")]
    Unbalanced {
        /// Offset of the instruction it was meant for.
        offset: u32,
    },
    /// A depth or number beyond its field.
    #[error("its {0} would be larger than a class file can say")]
    Overflow(&'static str),
    /// The class has another number of probes than its copy that the plan was numbered by.
    #[error("it has {found} probes where the plan counted {expected}: another copy of the class was counted")]
    OtherCopy {
        /// Probes by the plan.
        expected: u32,
        /// Probes in this copy.
        found: usize,
    },
    /// The method is malformed, or the constant pool is full.
    #[error(transparent)]
    ClassFile(#[from] crashback_classfile::Error),
}
