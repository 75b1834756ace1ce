//! The values that make an instruction throw.

use crashback_program::classes::Classes;
use crashback_program::code::calls::Purpose;
use crashback_program::code::{CallSite, Invoke, Kind, Literal, MethodBody, Operation, Provenance, Value};
use crashback_program::frames::CrashAudit;
use crashback_trace::message::Fact;

/// The values that make an instruction throw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// `null`.
    Null,
    /// Objects that are no instances of a class, given by its internal name.
    NoInstance(String),
    /// Texts that are no numbers.
    NoNumber,
}

const NULL_POINTER: &str = "java.lang.NullPointerException";
const NUMBER_FORMAT: &str = "java.lang.NumberFormatException";
const CLASS_CAST: &str = "java.lang.ClassCastException";

/// Whether instructions throw exceptions of a class, given by its binary name, because of a value.
pub(crate) fn grades(exception: &str) -> bool {
    [NULL_POINTER, NUMBER_FORMAT, CLASS_CAST].contains(&exception)
}

const STRING: &str = "java/lang/String";

/// Classes of the JDK whose methods yield objects, never `null`.
const NEVER_NULL: [&str; 11] = [
    STRING,
    "java/lang/StringBuilder",
    "java/lang/StringBuffer",
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Short",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Float",
    "java/lang/Double",
];

impl Wanted {
    /// The values that made one of these instructions throw the exception of a crash; none if
    /// another reason than a value is likely, or nothing is known of it.
    pub(super) fn of(audit: &CrashAudit, body: &MethodBody<'_>, able: &[usize]) -> Option<Self> {
        match audit.exception_class.as_ref().unwrap_or(&audit.exception).as_str() {
            NULL_POINTER => Some(Self::Null),
            NUMBER_FORMAT => Some(Self::NoNumber),
            CLASS_CAST => {
                let told = audit.facts.iter().find_map(|it| match it {
                    Fact::Cast { to, .. } => Some(to.replace('.', "/")),
                    _ => None,
                });
                let casts = able.iter().filter_map(|at| match body.operation(*at)? {
                    Operation::CheckCast(class) => Some(class.to_str().into_owned()),
                    _ => None,
                });
                casts.min_by_key(|it| told.as_ref() != Some(it)).map(Self::NoInstance)
            }
            _ => None,
        }
    }

    /// The operands of an instruction that make it throw if they are such values. `is_in_jdk` tells
    /// that a method of the JDK threw, which the instruction calls.
    pub(super) fn operands(
        &self,
        provenance: &Provenance<'_, '_>,
        instruction: usize,
        is_in_jdk: bool,
    ) -> Vec<Value> {
        let arguments = |is_asked: &dyn Fn(&str, Kind) -> bool| {
            let Some(call) = CallSite::at(provenance.body(), instruction) else { return Vec::new() };
            let values = provenance.operands(instruction).skip(usize::from(call.has_receiver()));
            let with_types = values.zip(call.signature.parameters());
            let asked = with_types.filter(|(_, it)| {
                let class = it.class_name().map(|it| it.to_str().into_owned()).unwrap_or_default();
                is_asked(&class, Kind::of(*it))
            });
            asked.map(|(value, _)| value).collect()
        };
        match (self, provenance.body().operation(instruction)) {
            (Self::Null, _) => {
                let value = provenance.dereferenced(instruction).filter(|it| provenance.may_be_null(it));
                match value.filter(|_| !is_in_jdk) {
                    Some(value) => vec![value],
                    None => arguments(&|_, kind| kind == Kind::Reference),
                }
            }
            (Self::NoInstance(class), Some(Operation::CheckCast(to))) if *to == class.as_str() => {
                provenance.operands(instruction).collect()
            }
            (Self::NoInstance(_), _) => Vec::new(),
            (Self::NoNumber, _) => arguments(&|class, _| class == STRING),
        }
    }

    /// Whether an instruction yields such a value; none if that depends.
    pub(super) fn admits(&self, classes: &Classes<'_>, operation: &Operation<'_>) -> Option<bool> {
        match (self, operation) {
            (_, Operation::InvokeDynamic(call)) => match (self, Purpose::of(call)) {
                (Self::Null, Purpose::Lambda(_) | Purpose::StringConcat) => Some(false),
                _ => None,
            },
            (Self::Null, Operation::Push(literal)) => Some(*literal == Literal::Null),
            (Self::Null, Operation::New(_) | Operation::NewArray { .. }) => Some(false),
            (Self::Null, Operation::Invoke(invoke)) => {
                let owner = invoke.method.owner.to_str();
                NEVER_NULL.contains(&&*owner).then_some(false)
            }
            (Self::NoInstance(_), Operation::Push(Literal::Null)) => Some(false),
            (Self::NoInstance(class), Operation::Push(Literal::String(_))) => {
                is_other(classes, STRING, class)
            }
            (Self::NoInstance(class), Operation::New(made)) => is_other(classes, &made.to_str(), class),
            (Self::NoInstance(class), Operation::Invoke(invoke)) => {
                is_unrelated(classes, &result_class(invoke)?, class)
            }
            (Self::NoInstance(class), Operation::GetField(field) | Operation::GetStatic(field)) => {
                is_unrelated(classes, &field.field_type.class_name()?.to_str(), class)
            }
            (Self::NoNumber, Operation::Push(Literal::Null)) => Some(true),
            (Self::NoNumber, Operation::Push(Literal::String(text))) => is_no_number(&text.to_str()),
            _ => None,
        }
    }
}

fn result_class(invoke: &Invoke<'_>) -> Option<String> {
    Some(invoke.signature.result()?.class_name()?.to_str().into_owned())
}

/// Whether objects of just this class are no instances of another.
fn is_other(classes: &Classes<'_>, made: &str, class: &str) -> Option<bool> {
    classes.hierarchy().is_subtype(made, class).map(|it| !it)
}

/// The same for objects of a class or of those below it, where that is the same for all.
fn is_unrelated(classes: &Classes<'_>, declared: &str, class: &str) -> Option<bool> {
    let hierarchy = classes.hierarchy();
    if hierarchy.is_subtype(declared, class) == Some(true) {
        return Some(false);
    }
    let is_final = classes.index().get(declared).is_some_and(|it| it.access().is_final());
    (is_final && hierarchy.are_related(declared, class) == Some(false)).then_some(true)
}

/// Whether a text is no number; none if it is one for some of the methods that read numbers.
fn is_no_number(text: &str) -> Option<bool> {
    match (text.parse::<i64>(), text.trim().parse::<f64>()) {
        (Ok(_), _) => Some(false),
        (Err(_), Ok(_)) => None,
        (Err(_), Err(_)) => Some(true),
    }
}
