//! Which method a call means to a compiler (JLS 15.12.2), by erased types.
//!
//! Arguments of a test case have the types that the callee asks for or subtypes of them, so the
//! callee is applicable by subtyping alone, and a compiler looks no further than at the other
//! methods of which that is true, too. A generic method is applicable to no more than its erasure
//! is.

use crashback_classfile::{JavaStr, MethodDescriptor};
use crashback_program::hierarchy::{Hierarchy, Supertype};
use crashback_program::{ClassView, MemberView};
use crashback_testcase::{Context, MemberName, TypeRef};

use super::inference::Inference;
use super::java_type::{JavaType, Signatures, Variable, method_signature, variables};

/// The methods or constructors of a name that a source can call through a class.
pub(crate) struct Overloads {
    /// For each the descriptors of its parameters as sources write them.
    pub(crate) candidates: Vec<Candidate>,
}

/// A method or constructor.
pub(crate) struct Candidate {
    /// Descriptors of its parameters.
    parameters: Vec<String>,
    /// The same with type arguments, and with variables of the method.
    generic: Vec<JavaType>,
    variables: Vec<Variable>,
    is_varargs: bool,
}

impl Overloads {
    /// Constructors of a class, without the outer instance in front.
    pub(crate) fn constructors(context: Context<'_>, class: ClassView<'_>) -> Self {
        let skipped = usize::from(context.has_outer_instance(class));
        let mut found = Self { candidates: Vec::new() };
        for constructor in class.methods_named("<init>") {
            found.add(context, class.name(), constructor, skipped);
        }
        found
    }

    /// Methods of a class or of an array, with those that it inherits.
    pub(crate) fn methods(context: Context<'_>, owner: &str, name: &str) -> Self {
        let class = if owner.starts_with('[') { "java/lang/Object" } else { owner };
        let mut found = Self { candidates: Vec::new() };
        let above = context.hierarchy().supertypes(class).into_iter().filter_map(Supertype::known);
        // An interface has the methods of Object too.
        let object = context.index().get("java/lang/Object");
        for class in above.chain(object) {
            for method in class.methods_named(name) {
                found.add(context, owner, method, 0);
            }
        }
        found
    }

    fn add(&mut self, context: Context<'_>, owner: &str, method: MemberView<'_>, skipped: usize) {
        if method.is_synthetic() {
            return;
        }
        let member = MemberName::through(owner, method);
        let parameters: Vec<String> = parameters(method.descriptor()).into_iter().skip(skipped).collect();
        let is_known = self.candidates.iter().any(|it| it.parameters == parameters);
        if is_known || context.method(&member).is_err() {
            return;
        }
        let signature = method.signature().and_then(method_signature);
        let signature = signature.filter(|it| it.parameters.len() == parameters.len());
        let generic = signature.as_ref().map(|it| it.parameters.iter().map(JavaType::of_signature).collect());
        self.candidates.push(Candidate {
            parameters,
            generic: generic.unwrap_or_default(),
            variables: signature.map_or_else(Vec::new, |it| variables(&it.type_parameters)),
            is_varargs: method.access().is_varargs(),
        });
    }

    /// Whether at most one of the methods can be called with so many arguments.
    pub(crate) fn is_alone_with(&self, count: usize) -> bool {
        let takes = |it: &&Candidate| {
            it.parameters.len() == count || it.is_varargs && it.parameters.len() <= count + 1
        };
        self.candidates.iter().filter(takes).count() <= 1
    }

    /// Whether a compiler chooses the method with these parameters for arguments of these types;
    /// none is `null`.
    pub(crate) fn chooses(
        &self,
        signatures: Signatures<'_>,
        target: &[String],
        actual: &[Option<String>],
    ) -> bool {
        let hierarchy = signatures.hierarchy();
        self.candidates.iter().filter(|it| it.parameters != target).all(|other| {
            let mut pairs = actual.iter().zip(&other.parameters);
            let is_applicable = other.parameters.len() == actual.len()
                && pairs.all(|(actual, formal)| is_applicable(hierarchy, actual.as_deref(), formal));
            !is_applicable || other.is_above(signatures, target)
        })
    }

    /// Whether a compiler chooses a method of variable arity for these arguments, the last of them
    /// listed one by one.
    pub(crate) fn chooses_varargs(
        &self,
        hierarchy: Hierarchy<'_>,
        target: &[String],
        actual: &[Option<String>],
    ) -> bool {
        let mut same_form = self.candidates.iter().filter(|it| it.parameters != target);
        same_form.all(|other| {
            let by_count = other.parameters.len() == actual.len()
                || other.is_varargs && other.parameters.len() <= actual.len() + 1;
            if !by_count {
                return true;
            }
            // Boxing makes many things applicable; two kinds of references are told apart here, and
            // primitives from arrays.
            actual.iter().zip(&other.parameters).any(|(actual, formal)| {
                let formal = if other.is_varargs { formal.trim_start_matches('[') } else { formal };
                match actual {
                    Some(actual) => {
                        let (actual, formal) = (TypeRef(actual), TypeRef(formal));
                        actual.is_reference()
                            && formal.is_reference()
                            && is_below(hierarchy, actual.descriptor(), formal.descriptor()) == Some(false)
                    }
                    None => !TypeRef(formal).is_reference(),
                }
            })
        })
    }
}

impl Candidate {
    /// Whether a method with these parameters is more specific (JLS 15.12.2.5).
    fn is_above(&self, signatures: Signatures<'_>, target: &[String]) -> bool {
        let hierarchy = signatures.hierarchy();
        let mut pairs = target.iter().zip(&self.parameters);
        let mut inference = Inference::new(signatures, self.variables.clone());
        let mut with_arguments = target.iter().zip(&self.generic).filter(|(_, it)| it.is_parameterized());
        pairs.all(|(one, two)| is_below(hierarchy, one, two) == Some(true))
            && with_arguments.all(|(one, two)| inference.accepts(&Some(JavaType::erased(TypeRef(one))), two))
    }
}

/// Descriptors of the parameters of a method.
pub(crate) fn parameters(descriptor: &str) -> Vec<String> {
    let parsed = MethodDescriptor::parse(JavaStr::new(descriptor.as_bytes()));
    parsed.map_or_else(|_| Vec::new(), |it| it.parameters().map(|it| it.to_string()).collect())
}

/// Whether a value may stand for a parameter without boxing (JLS 5.3). Where a class is missing it
/// may.
fn is_applicable(hierarchy: Hierarchy<'_>, actual: Option<&str>, formal: &str) -> bool {
    match actual {
        None => TypeRef(formal).is_reference(),
        Some(actual) => is_below(hierarchy, actual, formal) != Some(false),
    }
}

/// Subtyping, among primitive types too (JLS 4.10); none if it hangs on a missing class.
pub(crate) fn is_below(hierarchy: Hierarchy<'_>, sub: &str, sup: &str) -> Option<bool> {
    match (TypeRef(sub).class_constant(), TypeRef(sup).class_constant()) {
        (Some(sub), Some(sup)) => hierarchy.is_subtype(sub, sup),
        (None, None) => Some(sub == sup || widens(sub, sup)),
        _ => Some(false),
    }
}

/// Whether a primitive type is below another (JLS 4.10.1).
fn widens(from: &str, to: &str) -> bool {
    const ORDER: [&str; 6] = ["B", "S", "I", "J", "F", "D"];
    let place = |of: &str| ORDER.iter().position(|it| *it == of);
    // A char is below int, beside byte and short.
    let from = if from == "C" { Some(1) } else { place(from) };
    matches!((from, place(to)), (Some(from), Some(to)) if from < to)
}
