//! Whether a compiler accepts values as arguments, and the types that it infers for type variables.
//!
//! A proof, not the whole of JLS 18: calls that are accepted here compile; others may compile all
//! the same, and are then written with a cast to the erased type, which always compiles.

use std::collections::BTreeMap;

use super::java_type::{Argument, JavaType, Seen, Signatures, Substitution, Variable};

/// The static type of an expression; none is that of `null`.
pub(crate) type Static = Option<JavaType>;

/// Collects the bounds that arguments set for the type variables of a method.
pub(crate) struct Inference<'a> {
    signatures: Signatures<'a>,
    variables: Vec<Variable>,
    bounds: BTreeMap<String, Bounds>,
    /// Whether a raw type stood where arguments are asked for: then the result is erased (JLS
    /// 15.12.2.6).
    pub(crate) is_unchecked: bool,
}

#[derive(Default)]
struct Bounds {
    equal: Vec<JavaType>,
    lower: Vec<JavaType>,
    upper: Vec<JavaType>,
}

impl<'a> Inference<'a> {
    pub(crate) fn new(signatures: Signatures<'a>, variables: Vec<Variable>) -> Self {
        Self { signatures, variables, bounds: BTreeMap::new(), is_unchecked: false }
    }

    /// Whether a value can stand for a parameter.
    pub(crate) fn accepts(&mut self, actual: &Static, formal: &JavaType) -> bool {
        match actual {
            None => !formal.is_primitive(),
            Some(actual) => self.is_subtype(actual, formal),
        }
    }

    fn is_subtype(&mut self, actual: &JavaType, formal: &JavaType) -> bool {
        match (actual, formal) {
            (_, JavaType::Variable(name)) if self.is_inferred(name) => {
                self.bound(name).lower.push(actual.clone());
                !actual.is_primitive()
            }
            (JavaType::Primitive(_), _) | (_, JavaType::Primitive(_)) => actual == formal,
            (JavaType::Array(actual), JavaType::Array(formal)) => self.is_subtype(actual, formal),
            (_, JavaType::Class { name, arguments }) => {
                let below = actual.class_constant();
                let hierarchy = self.signatures.hierarchy();
                below.is_some_and(|it| hierarchy.is_subtype(&it, name) != Some(false))
                    && (arguments.is_empty() || self.has_arguments(actual, name, arguments))
            }
            _ => false,
        }
    }

    fn has_arguments(&mut self, actual: &JavaType, name: &str, formal: &[Argument]) -> bool {
        match self.signatures.seen_from(actual, name) {
            Seen::Plain => true,
            Seen::Raw => {
                self.is_unchecked |= formal.iter().any(|it| *it != Argument::Any);
                true
            }
            Seen::With(substitution) => {
                let parameters = self.signatures.parameters(name);
                parameters.iter().zip(formal).all(|(parameter, formal)| {
                    substitution.get(&parameter.name).is_some_and(|actual| self.contains(formal, actual))
                })
            }
        }
    }

    /// Whether a type argument contains another (JLS 4.5.1).
    fn contains(&mut self, formal: &Argument, actual: &Argument) -> bool {
        match (formal, actual) {
            (Argument::Any, _) => true,
            (Argument::Exact(JavaType::Variable(name)), Argument::Exact(actual))
                if self.is_inferred(name) =>
            {
                self.bound(name).equal.push(actual.clone());
                true
            }
            (Argument::Exact(_), _) => formal == actual,
            (Argument::Extends(bound), Argument::Exact(actual) | Argument::Extends(actual)) => {
                self.is_subtype(actual, bound)
            }
            (
                Argument::Super(JavaType::Variable(name)),
                Argument::Exact(actual) | Argument::Super(actual),
            ) if self.is_inferred(name) => {
                self.bound(name).upper.push(actual.clone());
                true
            }
            (Argument::Super(bound), Argument::Exact(actual) | Argument::Super(actual)) => {
                !bound.mentions_variable() && self.is_subtype(bound, actual)
            }
            _ => false,
        }
    }

    /// The types of the variables, if there is a choice that fits all arguments. Variables of which
    /// nothing is known are left out.
    pub(crate) fn solve(mut self) -> Option<Solution> {
        let mut solved = Substitution::new();
        for variable in std::mem::take(&mut self.variables) {
            let bounds = self.bounds.remove(&variable.name).unwrap_or_default();
            if let Some(of) = self.solve_one(&variable, &bounds)? {
                solved.insert(variable.name, Argument::Exact(of));
            }
        }
        Some(Solution { types: solved, is_unchecked: self.is_unchecked })
    }

    fn solve_one(&mut self, variable: &Variable, bounds: &Bounds) -> Option<Option<JavaType>> {
        let mut known =
            bounds.equal.iter().chain(if bounds.equal.is_empty() { &bounds.lower } else { &[] as &[_] });
        let Some(first) = known.next() else {
            // Nothing is as good as the one type that all ask for.
            let is_free = variable.bounds.iter().all(|it| *it == JavaType::object());
            let is_one = bounds.upper.iter().skip(1).zip(&bounds.upper).all(|(one, other)| one == other);
            return (bounds.upper.is_empty() || is_free && is_one).then_some(None);
        };
        if known.any(|it| it != first) {
            // Of different types a compiler makes their common supertype; simple bounds hold for
            // that too.
            let holds = bounds.equal.is_empty()
                && bounds.upper.is_empty()
                && bounds.lower.iter().all(|lower| {
                    variable.bounds.iter().all(|bound| {
                        !bound.mentions_variable()
                            && !bound.is_parameterized()
                            && self.is_subtype(lower, bound)
                    })
                });
            return holds.then_some(None);
        }
        let itself = Substitution::from([(variable.name.clone(), Argument::Exact(first.clone()))]);
        let holds = bounds.lower.iter().all(|lower| self.is_subtype(lower, first))
            && bounds.upper.iter().all(|upper| self.is_subtype(first, upper))
            && variable.bounds.iter().all(|bound| {
                let bound = bound.substitute(&itself).filter(|it| !it.mentions_variable());
                bound.is_some_and(|bound| self.is_subtype(first, &bound))
            });
        holds.then(|| Some(first.clone()))
    }

    fn is_inferred(&self, name: &str) -> bool {
        self.bounds.contains_key(name) || self.variables.iter().any(|it| it.name == name)
    }

    fn bound(&mut self, name: &str) -> &mut Bounds {
        self.bounds.entry(name.to_owned()).or_default()
    }
}

/// The types that were inferred for type variables.
pub(crate) struct Solution {
    pub(crate) types: Substitution,
    pub(crate) is_unchecked: bool,
}
