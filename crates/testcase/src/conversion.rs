//! Which values can stand where, by erased types and as a JVM sees them.

use crashback_program::hierarchy::Hierarchy;
use crashback_program::{ClassIndex, ClassView};

use crate::TypeRef;

/// Whether a value of one type can be assigned to a variable of another (JLS 5.2, 5.3); none if
/// that hangs on a missing class.
///
/// References by subtyping, arrays covariantly; `null` has a type as every other value. Primitives
/// must be the same: a test case writes down the exact type, no conversion is implied, and none is
/// boxed.
pub(crate) fn is_assignable(hierarchy: Hierarchy<'_>, from: TypeRef<'_>, to: TypeRef<'_>) -> Option<bool> {
    match (from.class_constant(), to.class_constant()) {
        (Some(from), Some(to)) => hierarchy.is_subtype(from, to),
        _ => Some(from == to),
    }
}

/// Whether a cast between reference types can succeed for an object (JLS 5.1.6.1, 5.5); none if
/// that hangs on a missing class.
pub(crate) fn is_castable(index: &ClassIndex, from: TypeRef<'_>, to: TypeRef<'_>) -> Option<bool> {
    let hierarchy = Hierarchy::new(index);
    match (from.element(), to.element()) {
        (Some(from), Some(to)) if from.is_reference() && to.is_reference() => is_castable(index, from, to),
        (Some(from), Some(to)) => Some(from == to),
        (Some(_), None) => is_assignable(hierarchy, from, to),
        (None, Some(_)) => is_assignable(hierarchy, to, from),
        (None, None) => match (from.class_name(), to.class_name()) {
            (Some(from), Some(to)) => Overlap { index, hierarchy }.find(from, to, DEEPEST_SEALING),
            _ => Some(from == to),
        },
    }
}

/// Sealed hierarchies are not deeper than this, except on damaged class paths, where they may be
/// circles.
const DEEPEST_SEALING: u8 = 50;

/// Looks for a class that could be two types at once.
struct Overlap<'a> {
    index: &'a ClassIndex,
    hierarchy: Hierarchy<'a>,
}

impl Overlap<'_> {
    fn find(&self, one: &str, other: &str, depth: u8) -> Option<bool> {
        let related = self.hierarchy.are_related(one, other)?;
        let depth = depth.checked_sub(1)?;
        let (first, second) = (self.index.get(one)?, self.index.get(other)?);
        match (first.is_interface(), second.is_interface()) {
            _ if related => Some(true),
            (false, false) => Some(false),
            (false, true) => self.class_and_interface(first, second, depth),
            (true, false) => self.class_and_interface(second, first, depth),
            (true, true) => Some(
                self.permitted(first, other, depth).unwrap_or(Some(true))?
                    && self.permitted(second, one, depth).unwrap_or(Some(true))?,
            ),
        }
    }

    fn class_and_interface(&self, class: ClassView<'_>, interface: ClassView<'_>, depth: u8) -> Option<bool> {
        if class.access().is_final() {
            return Some(false);
        }
        let of_class = self.permitted(class, interface.name(), depth);
        of_class.or_else(|| self.permitted(interface, class.name(), depth)).unwrap_or(Some(true))
    }

    /// Whether one of the types that a sealed class permits overlaps with another type; none if it
    /// is not sealed.
    fn permitted(&self, sealed: ClassView<'_>, other: &str, depth: u8) -> Option<Option<bool>> {
        sealed.permitted_subclasses().map(|it| self.find(it, other, depth)).reduce(|one, another| {
            match (one, another) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            }
        })
    }
}
