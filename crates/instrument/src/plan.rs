use std::collections::{BTreeMap, BTreeSet};
use std::ops::{BitOr, BitOrAssign};

use serde::{Deserialize, Serialize};

use crate::variables::WatchedVariable;

/// Which probes go into which methods. Nothing is inserted that no part of the plan asks for.
///
/// Probes that record something have numbers. A class that has such probes is to be named in
/// `classes` with its own first number; [`number_probes`](crate::number_probes) fills these in, so
/// that all who follow the plan use the same numbers. In a class that the plan does not name,
/// probes are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbePlan {
    /// Internal name of the class that the probes call; see [`ProbeMethod`](crate::ProbeMethod) for
    /// its methods.
    pub runtime: String,
    /// Internal name of the class that redirected calls go to; see [`PinMethod`](crate::PinMethod)
    /// for its methods.
    pub pins: String,
    /// Kinds for all methods of all classes.
    pub everywhere: Kinds,
    /// More for single classes, by internal name.
    pub classes: BTreeMap<String, ClassPlan>,
    /// Classes for which `everywhere` does not mean [`Kinds::STATE`].
    pub keeping_state: ClassNames,
    /// The project's classes, whose static objects count as touched when code gets hold of them; if
    /// there are none, all classes count as such. Static fields of other classes count only when
    /// they are written: objects that libraries hold are mostly constant, and to reset them is
    /// costly.
    pub project: ClassNames,
    /// Internal names of types whose objects never change, beside those that
    /// [`is_known_immutable`](crate::is_known_immutable) tells.
    pub immutable: BTreeSet<String>,
}

/// A set of classes by their internal names: `a/b/` stands for all classes in the package `a/b` and
/// below it, `a/b/C` for a single class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassNames(BTreeSet<String>);

impl ClassNames {
    /// Whether the set has no class.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a class is in the set, itself or through its package.
    pub fn contains(&self, class: &str) -> bool {
        let ends = class.match_indices('/').map(|(slash, _)| slash + 1).chain([class.len()]);
        ends.filter_map(|end| class.get(..end)).any(|it| self.0.contains(it))
    }
}

impl FromIterator<String> for ClassNames {
    fn from_iter<T: IntoIterator<Item = String>>(names: T) -> Self {
        Self(names.into_iter().collect())
    }
}

/// The part of a plan that concerns one class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassPlan {
    /// Kinds for all its methods.
    pub kinds: Kinds,
    /// More for single methods, by name and descriptor in one, such as `run(I)V`.
    pub methods: BTreeMap<String, Kinds>,
    /// Offsets of the instructions that [`Kinds::THROWS`] and [`Kinds::INDEXED`] mean, by method; in
    /// methods that are not named they mean all.
    pub throwing: BTreeMap<String, BTreeSet<u32>>,
    /// The variables that [`Kinds::VARIABLES`] means, by method; in methods that are not named it
    /// means all operands of all conditional jumps, as numbers and references.
    pub variables: BTreeMap<String, Vec<WatchedVariable>>,
    /// Number of the first of its probes.
    pub first_id: i32,
    /// How many probes with numbers the class has, once they were counted. A class that turns out
    /// to have another number of them is another copy than the one counted, and is refused: its
    /// numbers would be those of others.
    pub probes: Option<u32>,
}

impl ProbePlan {
    /// Where the runtime class lies unless told otherwise.
    pub const RUNTIME: &'static str = "crashback/runtime/Probes";

    /// Where the class for redirected calls lies unless told otherwise.
    pub const PINS: &'static str = "crashback/runtime/Pins";

    /// A plan with the same kinds for all methods.
    pub fn everywhere(kinds: Kinds) -> Self {
        Self {
            runtime: Self::RUNTIME.to_owned(),
            pins: Self::PINS.to_owned(),
            everywhere: kinds,
            classes: BTreeMap::new(),
            keeping_state: ClassNames::default(),
            project: ClassNames::default(),
            immutable: BTreeSet::new(),
        }
    }

    /// All kinds that the plan asks for in a method; `method` is its name and descriptor in one.
    pub fn kinds(&self, class: &str, method: &str) -> Kinds {
        let everywhere = self.everywhere_in(class);
        let Some(plan) = self.classes.get(class) else { return everywhere };
        everywhere | plan.kinds | plan.methods.get(method).copied().unwrap_or_default()
    }

    /// Whether a kind is asked for in any method of a class.
    pub(crate) fn asks(&self, class: &str, kind: Kinds) -> bool {
        let plan = self.classes.get(class);
        let of_class = plan.iter().flat_map(|plan| plan.methods.values().chain([&plan.kinds]));
        of_class.chain([&self.everywhere_in(class)]).any(|kinds| kinds.contains(kind))
    }

    /// Whether [`Kinds::THROWS`] and [`Kinds::INDEXED`] mean the instruction at an offset of a
    /// method.
    pub(crate) fn watches_throws(&self, class: &str, method: &str, offset: u32) -> bool {
        let offsets = self.classes.get(class).and_then(|plan| plan.throwing.get(method));
        offsets.is_none_or(|it| it.contains(&offset))
    }

    /// The variables that [`Kinds::VARIABLES`] means in a method; none if it means all.
    pub(crate) fn watched_variables(&self, class: &str, method: &str) -> Option<&[WatchedVariable]> {
        self.classes.get(class)?.variables.get(method).map(Vec::as_slice)
    }

    /// Whether to get hold of an object in a static field of a class is to touch the state of that
    /// class.
    pub(crate) fn watches_reads(&self, class: &str) -> bool {
        self.project.is_empty() || self.project.contains(class)
    }

    fn everywhere_in(&self, class: &str) -> Kinds {
        let mut kinds = self.everywhere;
        if self.keeping_state.contains(class) {
            kinds = kinds.without(Kinds::STATE);
        }
        if !self.watches_reads(class) {
            kinds = kinds.without(Kinds::WORDS);
        }
        kinds
    }
}

/// A set of probe kinds. Bits are left for kinds to come; the bits of the kinds below stay what they
/// are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Kinds(u32);

impl Kinds {
    /// No probes.
    pub const NONE: Kinds = Kinds(0);
    /// The test's budget, at entries of methods that may lead to their being entered again, where
    /// loops go round, and at handlers that would catch the end of a test.
    pub const BUDGET: Kinds = Kinds(1);
    /// Operands of conditional jumps, with the compare instruction before them.
    pub const JUMPS: Kinds = Kinds(1 << 1);
    /// Keys of switches.
    pub const SWITCHES: Kinds = Kinds(1 << 2);
    /// Lines reached.
    pub const LINES: Kinds = Kinds(1 << 3);
    /// Basic blocks reached.
    pub const BLOCKS: Kinds = Kinds(1 << 4);
    /// Entering and leaving the method, normally or not.
    pub const FRAMES: Kinds = Kinds(1 << 5);
    /// Operands of calls that compare texts or look something up.
    pub const CALLS: Kinds = Kinds(1 << 6);
    /// Exceptions that arrive at a handler.
    pub const CAUGHT: Kinds = Kinds(1 << 7);
    /// Class initialisers that run and static state that is touched elsewhere: what a reset must
    /// know.
    pub const STATE: Kinds = Kinds(1 << 8);
    /// Clock and random call sites that go to the runtime.
    pub const PINS: Kinds = Kinds(1 << 9);
    /// Operands of instructions that throw by themselves, and of calls that throw by an index: how
    /// near they are to throwing.
    pub const THROWS: Kinds = Kinds(1 << 10);
    /// The first argument of the method, an event of a logging library.
    pub const EVENTS: Kinds = Kinds(1 << 11);
    /// Indexes into arrays, texts and lists, with the lengths that they must stay below.
    pub const INDEXED: Kinds = Kinds(1 << 12);
    /// Values of variables that conditional jumps compare: how near they came to what they could be.
    pub const VARIABLES: Kinds = Kinds(1 << 13);
    /// Texts that calls compare or look up, as words for texts of later tests. Where `everywhere` asks for
    /// them, only classes of the project have them.
    pub const WORDS: Kinds = Kinds(1 << 14);
    /// Arguments that the method is entered with: numbers, characters and texts. Where the call chain is
    /// followed they tell what each of its methods was passed, so [`Kinds::FRAMES`] must be there as well.
    pub const ARGUMENTS: Kinds = Kinds(1 << 15);
    /// Everything.
    pub const ALL: Kinds = Kinds((1 << 16) - 1);

    /// Whether all of `other` are in the set.
    pub fn contains(self, other: Kinds) -> bool {
        self.0 & other.0 == other.0
    }

    fn without(self, other: Kinds) -> Kinds {
        Kinds(self.0 & !other.0)
    }
}

impl BitOr for Kinds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Kinds {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::ClassNames;

    #[test]
    fn packages_stand_for_all_their_classes() {
        let names: ClassNames = ["a/b/", "a/C", "D"].map(str::to_owned).into_iter().collect();
        for class in ["a/b/X", "a/b/c/X", "a/C", "D"] {
            assert!(names.contains(class), "{class}");
        }
        for class in ["a/X", "a/C$1", "a/CX", "a/bc/X", "a/C/X", "E", ""] {
            assert!(!names.contains(class), "{class}");
        }
    }
}
