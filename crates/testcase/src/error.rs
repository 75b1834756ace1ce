use thiserror::Error;

/// What can be wrong with the name of a member.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// Not the name of a method or field.
    #[error("{0} is no member; write it as pkg/Class.method(I)V or pkg/Class.field:I")]
    MalformedMember(String),
    /// No class of the index, or above it, has the member.
    #[error("there is no {0}; check the class path, the name and the descriptor")]
    UnknownMember(String),
}
