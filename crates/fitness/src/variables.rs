//! Variables that decide on branches, and the goals that their values may meet.

use std::collections::{BTreeMap, BTreeSet};

use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::{
    BranchOperand, Cfg, ControlDependence, Flow, Kind, Provenance, backward_slice, branch_operands,
};
use crashback_program::hierarchy::Hierarchy;

/// The variables that conditional jumps of some methods compare.
#[derive(Clone, Debug, Default)]
pub struct BranchVariables {
    methods: BTreeMap<MethodId, Vec<BranchVariable>>,
}

/// A variable that a conditional jump compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchVariable {
    /// Offset of the jump in the code.
    pub offset: u32,
    /// Whether it is the second of two operands.
    pub is_second: bool,
    /// The sort of its values.
    pub sort: VariableSort,
    /// Whether it is a number or character that is compared with a constant other than 0.
    pub has_point: bool,
    /// Line of the jump.
    pub line: Option<u32>,
    /// Its name, or one for the expression.
    pub name: String,
    /// Whether it is a local variable, rather than a field or the result of a call or computation.
    pub is_local: bool,
    /// Steps from the instructions that matter to the jump, if they depend on it.
    pub steps: Option<u32>,
}

/// Sorts of variables, by their types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VariableSort {
    /// A primitive number.
    Number,
    /// `char`.
    Character,
    /// `boolean`.
    Boolean,
    /// `java.lang.Number` or a class below it.
    NumberObject,
    /// `java.lang.Character`.
    CharacterObject,
    /// `java.lang.Boolean`.
    BooleanObject,
    /// A list.
    List,
    /// A set.
    Set,
    /// An array.
    Array,
    /// A map.
    Map,
    /// A string.
    String,
    /// Any other reference.
    Reference,
}

/// What the value of a variable may be: the twenty objectives of the paper, and three for numbers that
/// are compared with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it, as in table 4.1 of the paper")]
pub enum VariableGoal {
    ReferenceNull,
    ReferenceNonNull,
    ListEmpty,
    ListNonEmpty,
    SetEmpty,
    SetNonEmpty,
    ArrayEmpty,
    ArrayNonEmpty,
    MapEmpty,
    MapNonEmpty,
    StringEmpty,
    StringNonEmpty,
    CharacterLetter,
    CharacterDigit,
    CharacterOther,
    BooleanTrue,
    BooleanFalse,
    NumberPositive,
    NumberZero,
    NumberNegative,
    AbovePoint,
    AtPoint,
    BelowPoint,
}

impl VariableSort {
    /// The goals of its variables, in the order in which observations have their distances. A string or
    /// container that is not null is empty or not, so that there is no further goal for that: a string
    /// has three, as in the paper's count for its example.
    pub fn goals(self) -> &'static [VariableGoal] {
        use VariableGoal as Goal;
        match self {
            Self::Number => &[Goal::NumberPositive, Goal::NumberZero, Goal::NumberNegative],
            Self::Character => &[Goal::CharacterLetter, Goal::CharacterDigit, Goal::CharacterOther],
            Self::Boolean => &[Goal::BooleanTrue, Goal::BooleanFalse],
            Self::NumberObject => {
                &[Goal::ReferenceNull, Goal::NumberPositive, Goal::NumberZero, Goal::NumberNegative]
            }
            Self::CharacterObject => {
                &[Goal::ReferenceNull, Goal::CharacterLetter, Goal::CharacterDigit, Goal::CharacterOther]
            }
            Self::BooleanObject => &[Goal::ReferenceNull, Goal::BooleanTrue, Goal::BooleanFalse],
            Self::List => &[Goal::ReferenceNull, Goal::ListEmpty, Goal::ListNonEmpty],
            Self::Set => &[Goal::ReferenceNull, Goal::SetEmpty, Goal::SetNonEmpty],
            Self::Array => &[Goal::ReferenceNull, Goal::ArrayEmpty, Goal::ArrayNonEmpty],
            Self::Map => &[Goal::ReferenceNull, Goal::MapEmpty, Goal::MapNonEmpty],
            Self::String => &[Goal::ReferenceNull, Goal::StringEmpty, Goal::StringNonEmpty],
            Self::Reference => &[Goal::ReferenceNull, Goal::ReferenceNonNull],
        }
    }

    /// The sort of a type by its descriptor, or as far as the stack tells.
    fn of(descriptor: Option<&str>, kind: Kind, hierarchy: Hierarchy<'_>) -> Self {
        let is_reference = kind == Kind::Reference;
        // Tables of variables may lie.
        let fits = |it: &&str| it.starts_with(['L', '[']) == is_reference;
        let Some(descriptor) = descriptor.filter(fits) else {
            return if is_reference { Self::Reference } else { Self::Number };
        };
        match descriptor.as_bytes() {
            [b'Z', ..] => Self::Boolean,
            [b'C', ..] => Self::Character,
            [b'[', ..] => Self::Array,
            [b'L', ..] => {
                Self::of_class(descriptor.get(1..descriptor.len() - 1).unwrap_or_default(), hierarchy)
            }
            _ => Self::Number,
        }
    }

    fn of_class(class: &str, hierarchy: Hierarchy<'_>) -> Self {
        const CLASSES: [(&str, VariableSort); 7] = [
            ("java/lang/String", VariableSort::String),
            ("java/lang/Character", VariableSort::CharacterObject),
            ("java/lang/Boolean", VariableSort::BooleanObject),
            ("java/lang/Number", VariableSort::NumberObject),
            ("java/util/List", VariableSort::List),
            ("java/util/Set", VariableSort::Set),
            ("java/util/Map", VariableSort::Map),
        ];
        let above = CLASSES.iter().find(|(above, _)| hierarchy.is_subtype(class, above) == Some(true));
        above.map_or(Self::Reference, |(_, sort)| *sort)
    }
}

impl BranchVariables {
    /// Looks at all conditional jumps of some methods, each with the instructions of it that matter.
    pub fn of<'f>(classes: &Classes<'_>, methods: impl IntoIterator<Item = (MethodId, &'f [usize])>) -> Self {
        let mut goals: BTreeMap<MethodId, BTreeSet<usize>> = BTreeMap::new();
        for (method, instructions) in methods {
            goals.entry(method).or_default().extend(instructions);
        }
        let methods = goals.into_iter().map(|(method, goals)| (method, in_method(classes, method, &goals)));
        Self { methods: methods.collect() }
    }

    /// The methods with their variables.
    pub fn methods(&self) -> impl Iterator<Item = (MethodId, &[BranchVariable])> {
        self.methods.iter().map(|(method, variables)| (*method, variables.as_slice()))
    }

    /// A variable of a method by its jump and place.
    pub fn get(&self, method: MethodId, offset: u32, is_second: bool) -> Option<&BranchVariable> {
        let variables = self.methods.get(&method)?;
        variables.iter().find(|it| it.offset == offset && it.is_second == is_second)
    }
}

fn in_method(classes: &Classes<'_>, method: MethodId, goals: &BTreeSet<usize>) -> Vec<BranchVariable> {
    let found = classes.with_variables(method, |body, variables| {
        let cfg = Cfg::of(body);
        let Ok(provenance) = Provenance::of(body, &cfg) else { return Vec::new() };
        let control = ControlDependence::of(&cfg, Flow::Normal);
        let slice = backward_slice(&provenance, &control, goals.iter().copied());
        let variable = |operand: BranchOperand| {
            let BranchOperand { jump, is_second, line, name, is_local, kind, descriptor, has_point } =
                operand;
            let sort = VariableSort::of(descriptor.as_deref(), kind, classes.hierarchy());
            Some(BranchVariable {
                offset: body.instructions().get(jump)?.offset,
                is_second,
                sort,
                has_point: has_point && matches!(sort, VariableSort::Number | VariableSort::Character),
                line,
                name,
                is_local,
                steps: slice.get(&jump).copied(),
            })
        };
        branch_operands(&provenance, variables).into_iter().filter_map(variable).collect()
    });
    found.unwrap_or_default()
}
