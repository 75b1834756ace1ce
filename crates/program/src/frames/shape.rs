//! The sort of method that a frame is in.

use crashback_classfile::AccessFlags;
use crashback_trace::{Frame, FrameKind};
use serde::Serialize;

use crate::index::{self, ClassView, MemberView};

/// The sort of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// An ordinary method.
    Method,
    /// A constructor.
    Constructor,
    /// A static initialiser.
    StaticInitializer,
    /// The body of a lambda or closure.
    Lambda,
    /// A bridge that the compiler made for an overridden generic or covariant method.
    Bridge,
    /// A method through which nested classes reach private members.
    Accessor,
    /// Another method without a counterpart in the source.
    Synthetic,
    /// A native method.
    Native,
    /// A method of a class that exists only at run time: proxies, mocks, hidden classes.
    Generated,
}

impl Shape {
    /// The shape by the frame's names and, if it was found, the method's flags.
    pub(super) fn of(frame: &Frame, method: Option<MemberView<'_>>) -> Self {
        let flags = method.map_or(AccessFlags(0), MemberView::access);
        match (frame.method.as_str(), frame.kind()) {
            ("<init>", _) => Self::Constructor,
            ("<clinit>", _) => Self::StaticInitializer,
            (_, FrameKind::Lambda) => Self::Lambda,
            (_, FrameKind::Accessor) => Self::Accessor,
            (_, FrameKind::HiddenLambda | FrameKind::Proxy | FrameKind::Mock | FrameKind::Generated) => {
                Self::Generated
            }
            _ if flags.is_bridge() => Self::Bridge,
            _ if flags.is_synthetic() => Self::Synthetic,
            _ if flags.is_native() => Self::Native,
            _ => Self::Method,
        }
    }
}

/// Where a class is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Nesting {
    /// A class of its own.
    TopLevel,
    /// A member of another class without an enclosing instance.
    StaticNested,
    /// A member of another class with an enclosing instance.
    Inner,
    /// Declared in a block.
    Local,
    /// Without a name.
    Anonymous,
}

impl Nesting {
    pub(super) fn of(class: ClassView<'_>) -> Self {
        match class.nesting() {
            index::Nesting::TopLevel => Self::TopLevel,
            index::Nesting::Member { .. } if class.is_static() => Self::StaticNested,
            index::Nesting::Member { .. } => Self::Inner,
            index::Nesting::Local { .. } => Self::Local,
            index::Nesting::Anonymous => Self::Anonymous,
        }
    }
}

/// Who may call a method, as declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Visibility {
    /// Everybody.
    Public,
    /// Subclasses and the package.
    Protected,
    /// The package.
    Package,
    /// The class and those nested with it.
    Private,
}

impl Visibility {
    pub(super) fn of(flags: AccessFlags) -> Self {
        if flags.is_public() {
            Self::Public
        } else if flags.is_protected() {
            Self::Protected
        } else if flags.is_private() {
            Self::Private
        } else {
            Self::Package
        }
    }
}
