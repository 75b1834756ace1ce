//! Whether a line fits the trace: the line of the innermost frame must be able to throw the
//! exception, every other one to call the next inner frame.
//!
//! The answer rests on single instructions of the line. Evidence is certain where the instruction
//! itself does it, and only possible where code outside the log may do it: logs often lack the
//! frames of the JDK, and calls through functional interfaces, proxies and reflection name another
//! method than the one that runs.

use crashback_classfile::MemberRef;
use crashback_trace::{Frame, FrameKind};
use serde::Serialize;

use super::goal::is_passed_over;
use super::jdk_methods::{takes_references, thrown_by};
use crate::callgraph::CallGraph;
use crate::classes::Classes;
use crate::code::calls::{CallTarget, DynamicTarget, Purpose, initialisations};
use crate::code::operation::Invoke;
use crate::code::provenance::ValueOrigin;
use crate::code::throws::{Implicit, Reason, constructions, implicit_exceptions};
use crate::code::{CallSite, Cfg, InvokeKind, MethodBody, Operation, Provenance, call_sites};
use crate::index::MemberView;

/// What the trace demands of a frame's line.
pub(super) enum Need<'t> {
    /// Throw this exception (internal name), as the innermost frame.
    Throw(&'t str),
    /// Call the next inner frame.
    Call(&'t Callee),
    /// Call something of a library, given by the path of its class-path entry: its build is not the
    /// log's, so that other methods than the logged ones may stand between.
    Enter(&'t str),
    /// Nothing that can be checked: frames next to it were cut from the log.
    Unknown,
}

/// The next inner frame, prepared for many comparisons.
pub(super) struct Callee {
    /// Internal name of its class.
    class: String,
    method: String,
    kind: FrameKind,
    /// For a lambda: name and type of the interface method by which it is called, where its class
    /// tells.
    interface_method: Option<(String, String)>,
}

impl Callee {
    pub(super) fn new(classes: &Classes<'_>, frame: &Frame) -> Self {
        let class = frame.class.replace('.', "/");
        // Nothing tells how machinery that the class path lacks is called.
        let kind = if is_passed_over(classes, frame) { FrameKind::Generated } else { frame.kind() };
        let interface_method =
            if kind == FrameKind::Lambda { lambda_interface(classes, &class, &frame.method) } else { None };
        Self { class, method: frame.method.clone(), kind, interface_method }
    }
}

/// Evidence that a line can throw or call as the trace says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Evidence {
    /// The line constructs the exception.
    Constructs,
    /// An instruction of the line throws the exception by itself.
    ThrowsImplicitly {
        /// The instruction.
        instruction: &'static str,
    },
    /// The line begins the method, and entering it takes more stack than is left.
    ExhaustsStack,
    /// The line calls the method of the next inner frame.
    Calls {
        /// The call as the code names it.
        callee: String,
    },
    /// The line initialises the class of the next inner frame.
    Initialises {
        /// The class as the code names it.
        class: String,
    },
    /// The line calls code of the JDK whose frames are not in the log.
    ThroughJdk {
        /// The call as the code names it; several that may be meant are joined by "or".
        callee: String,
    },
    /// The line calls something that may lead on: a functional interface, a proxy, a dynamically
    /// linked call.
    Indirectly {
        /// The call as the code names it.
        callee: String,
    },
}

impl Evidence {
    /// Whether the code itself shows it, without an assumption about frames that are not in the
    /// log.
    pub fn is_certain(&self) -> bool {
        !matches!(self, Self::ThroughJdk { .. } | Self::Indirectly { .. })
    }
}

/// An instruction that meets the demand.
#[derive(Clone, Debug)]
pub(super) struct Witness {
    pub(super) instruction: usize,
    pub(super) evidence: Evidence,
}

/// The constructor call of an exception whose statement a line belongs to, if it stands on another
/// line: compilers differ in the line that they give a constructor whose arguments go over several
/// lines.
pub(super) fn constructor_beside(
    body: &MethodBody<'_>,
    line: u32,
    exception: &str,
) -> Option<(u32, Witness)> {
    let cfg = Cfg::of(body);
    let provenance = Provenance::of(body, &cfg).ok()?;
    let is_on_line = |instruction: usize| body.line_of(instruction) == Some(line);
    let made = constructions(body, &provenance).into_iter().filter(|it| it.class == exception);
    made.filter_map(|it| {
        let Some(ValueOrigin::New { instruction: new, .. }) = provenance.receiver_of(it.instruction) else {
            return None;
        };
        let other = it.line.filter(|it| *it != line)?;
        let witness = Witness { instruction: it.instruction, evidence: Evidence::Constructs };
        (new..it.instruction).any(is_on_line).then_some((other, witness))
    })
    .next()
}

/// All witnesses on a line, the certain ones alone if there are any. Without a line the whole body
/// is searched.
pub(super) fn witnesses(
    classes: &Classes<'_>,
    body: &MethodBody<'_>,
    line: Option<u32>,
    need: &Need<'_>,
) -> Vec<Witness> {
    let indices: Vec<usize> = match line {
        Some(line) => body.instructions_at_line(line).into_iter().flatten().collect(),
        None => (0..body.instructions().len()).collect(),
    };
    let cfg = Cfg::of(body);
    let nulls = matches!(need, Need::Throw(NULL_POINTER)).then(|| Provenance::of(body, &cfg).ok()).flatten();
    let judge = Judge { classes, body, nulls };
    let mut found: Vec<Witness> = indices
        .into_iter()
        .filter_map(|instruction| Some(Witness { instruction, evidence: judge.evidence(instruction, need)? }))
        .collect();
    if found.iter().any(|it| it.evidence.is_certain()) {
        found.retain(|it| it.evidence.is_certain());
    }
    found
}

const NULL_POINTER: &str = "java/lang/NullPointerException";

struct Judge<'j, 's, 'a> {
    classes: &'j Classes<'s>,
    body: &'j MethodBody<'a>,
    /// Where values come from, if it matters whether they can be null.
    nulls: Option<Provenance<'j, 'a>>,
}

impl Judge<'_, '_, '_> {
    fn evidence(&self, instruction: usize, need: &Need<'_>) -> Option<Evidence> {
        match need {
            Need::Throw(exception) => self.throws(instruction, exception),
            Need::Call(callee) => self.calls(instruction, callee),
            Need::Enter(entry) => self.enters(instruction, entry),
            Need::Unknown => None,
        }
    }

    fn throws(&self, instruction: usize, exception: &str) -> Option<Evidence> {
        if let Some(Operation::Invoke(invoke)) = self.body.operation(instruction)
            && is_constructor(invoke)
            && invoke.method.owner == exception
        {
            return Some(Evidence::Constructs);
        }
        // A trace shows the beginning of a method for which there was no more room.
        if instruction == 0 && exception == "java/lang/StackOverflowError" {
            return Some(Evidence::ExhaustsStack);
        }
        self.throws_implicitly(instruction, exception)
            .or_else(|| self.throws_by_reference(instruction, exception))
            .or_else(|| self.takes_trace_anew(instruction, exception))
            .or_else(|| self.throws_in_jdk(instruction, exception))
    }

    /// The frames in which a reference such as `Failure::new` runs the constructor are hidden: the
    /// exception seems to come from where the reference is called, or made if that is in the JDK
    /// and not in the log.
    fn throws_by_reference(&self, instruction: usize, exception: &str) -> Option<Evidence> {
        let call = CallSite::at(self.body, instruction)?;
        let made = call.lambda().is_some_and(|it| it.member.name == "<init>" && it.member.owner == exception);
        let returns_object = || call.signature.result().is_some_and(|it| it.class_name().is_some());
        let called = || returns_object() && self.calls_functional(&call);
        (made || called()).then(|| Evidence::Indirectly { callee: call_name(&call) })
    }

    /// An exception that was made before may take its trace here.
    fn takes_trace_anew(&self, instruction: usize, exception: &str) -> Option<Evidence> {
        let call = CallSite::at(self.body, instruction)?;
        let method = call.method().filter(|it| it.name == "fillInStackTrace")?;
        let related = self.classes.hierarchy().are_related(&method.owner.to_str(), exception);
        (related != Some(false)).then(|| Evidence::Indirectly { callee: call_name(&call) })
    }

    fn throws_implicitly(&self, instruction: usize, exception: &str) -> Option<Evidence> {
        if exception == NULL_POINTER && self.is_never_null(instruction) {
            return None;
        }
        let instruction = self.body.instructions().get(instruction)?;
        let throws = |it: &Implicit| match it.reason {
            Reason::Linkage => self.is_subtype(exception, it.class),
            _ => exception == it.class,
        };
        let by_itself = implicit_exceptions(instruction).iter().any(throws);
        by_itself.then(|| Evidence::ThrowsImplicitly { instruction: instruction.opcode.mnemonic() })
    }

    /// Whether the object that an instruction dereferences cannot be null: `this`, a new object, a
    /// constant.
    fn is_never_null(&self, instruction: usize) -> bool {
        let Some(nulls) = &self.nulls else { return false };
        nulls.dereferenced(instruction).is_some_and(|value| !nulls.may_be_null(&value))
    }

    /// The JDK throws its own exceptions only, as far as its code goes without calling back; but by
    /// reflection it constructs any.
    fn throws_in_jdk(&self, instruction: usize, exception: &str) -> Option<Evidence> {
        let call = CallSite::at(self.body, instruction)?;
        let may_throw = match self.thrown_by_jdk(&call) {
            Some((thrown, takes_references)) => {
                thrown.contains(&exception)
                    || (takes_references && exception == NULL_POINTER)
                    || self.is_subtype(exception, "java/lang/Error")
            }
            None => self.classes.is_jdk(exception),
        };
        let throws = may_throw || constructs_reflectively(&call);
        (throws && self.runs_in_jdk(&call)).then(|| Evidence::ThroughJdk { callee: call_name(&call) })
    }

    fn calls(&self, instruction: usize, callee: &Callee) -> Option<Evidence> {
        if callee.method == "<clinit>" {
            let touched = initialisations(self.body).find(|it| it.instruction == instruction);
            let class = touched.map(|it| it.class.to_str().into_owned());
            if let Some(class) = class.filter(|it| self.is_subtype(it, &callee.class)) {
                return Some(Evidence::Initialises { class: class.replace('/', ".") });
            }
        }
        let call = CallSite::at(self.body, instruction)?;
        let named = match &call.target {
            CallTarget::Method { kind, method } => self.names(*kind, *method, callee),
            CallTarget::Dynamic(_) => false,
        };
        if named {
            return Some(Evidence::Calls { callee: call_name(&call) });
        }
        self.calls_indirectly(&call, callee)
    }

    fn enters(&self, instruction: usize, entry: &str) -> Option<Evidence> {
        let call = CallSite::at(self.body, instruction)?;
        let owner = self.classes.index().get(&call.method()?.owner.to_str())?;
        let is_in_entry = self.classes.entry(owner.reference()).is_some_and(|it| it.path == entry);
        is_in_entry.then(|| Evidence::Indirectly { callee: call_name(&call) })
    }

    /// Whether a call can run the callee's method, itself or as the body of a lambda.
    fn names(&self, kind: InvokeKind, called: MemberRef<'_>, callee: &Callee) -> bool {
        let hierarchy = self.classes.hierarchy();
        let is_lambda = callee.interface_method.as_ref().is_some_and(|(method, interface)| {
            called.name == method.as_str()
                && hierarchy.are_related(&called.owner.to_str(), interface) != Some(false)
        });
        let may_run =
            || CallGraph::new(self.classes).may_run_frame(kind, called, &callee.class, &callee.method);
        is_lambda || may_run()
    }

    fn calls_indirectly(&self, call: &CallSite<'_>, callee: &Callee) -> Option<Evidence> {
        let name = || call_name(call);
        match &call.target {
            CallTarget::Dynamic(target) => {
                may_call_back(target).then(|| Evidence::Indirectly { callee: name() })
            }
            CallTarget::Method { .. } if self.calls_functional(call) => {
                Some(Evidence::Indirectly { callee: name() })
            }
            CallTarget::Method { .. } if self.runs_in_jdk(call) => {
                let leads_on = self.thrown_by_jdk(call).is_none() || self.classes.is_jdk(&callee.class);
                leads_on.then(|| Evidence::ThroughJdk { callee: name() })
            }
            CallTarget::Method { .. } => {
                let generated =
                    matches!(callee.kind, FrameKind::Proxy | FrameKind::Mock | FrameKind::Generated);
                generated.then(|| Evidence::Indirectly { callee: name() })
            }
        }
    }

    /// The exceptions that a call of the JDK throws by itself, and whether it takes values that may
    /// be null; none if it is not known, or may run other code.
    fn thrown_by_jdk(&self, call: &CallSite<'_>) -> Option<(&'static [&'static str], bool)> {
        let method = call.method()?;
        let (owner, descriptor) = (method.owner.to_str(), method.descriptor.to_str());
        let thrown = thrown_by(&owner, &method.name.to_str(), &descriptor)?;
        Some((thrown, takes_references(&descriptor)))
    }

    /// Whether a call may run a method of the JDK.
    fn runs_in_jdk(&self, call: &CallSite<'_>) -> bool {
        let Some(method) = call.method() else { return true };
        let (owner, name) = (method.owner.to_str(), method.name.to_str());
        if owner.starts_with('[') || self.classes.is_jdk(&owner) {
            // The constructor of Object does nothing.
            return !(*owner == *"java/lang/Object" && *name == *"<init>");
        }
        let resolved = self.classes.hierarchy().resolve_method(&owner, &name, &method.descriptor.to_str());
        resolved.is_some_and(|it| self.classes.is_jdk(it.class().name()))
    }

    /// Whether a call runs the body of a lambda or the target of a method reference.
    fn calls_functional(&self, call: &CallSite<'_>) -> bool {
        let Some(method) = call.method().filter(|_| call.kind() == InvokeKind::Interface) else {
            return false;
        };
        let hierarchy = self.classes.hierarchy();
        let owner = method.owner.to_str();
        let resolved = hierarchy.resolve_method(&owner, &method.name.to_str(), &method.descriptor.to_str());
        resolved.is_some_and(MemberView::is_abstract) && hierarchy.is_functional(&owner)
    }

    fn is_subtype(&self, sub: &str, sup: &str) -> bool {
        self.classes.hierarchy().is_subtype(sub, sup) == Some(true)
    }
}

/// Concatenation calls `toString`, record methods call those of their parts, unknown bootstraps
/// anything; making a lambda calls nothing.
fn may_call_back(target: &DynamicTarget<'_>) -> bool {
    !matches!(target.purpose, Purpose::Lambda(_))
}

fn constructs_reflectively(call: &CallSite<'_>) -> bool {
    call.method().is_some_and(|method| match method.owner.as_bytes() {
        b"java/lang/Class" | b"java/lang/reflect/Constructor" => method.name == "newInstance",
        b"java/lang/invoke/MethodHandle" => method.name.as_bytes().starts_with(b"invoke"),
        _ => false,
    })
}

fn is_constructor(invoke: &Invoke<'_>) -> bool {
    invoke.kind == InvokeKind::Special && invoke.method.name == "<init>"
}

/// A call as people write it: `Owner.name`.
fn call_name(call: &CallSite<'_>) -> String {
    match &call.target {
        CallTarget::Method { method, .. } => {
            let owner = method.owner.to_str().replace('/', ".");
            if method.name == "<init>" { format!("new {owner}") } else { format!("{owner}.{}", method.name) }
        }
        CallTarget::Dynamic(target) => match target.purpose {
            Purpose::StringConcat => "string concatenation".to_owned(),
            _ => format!("dynamically linked {}", target.name),
        },
    }
}

/// The interface method by which a lambda's body is called: the class that owns the body also makes
/// the lambda.
fn lambda_interface(classes: &Classes<'_>, class: &str, body_name: &str) -> Option<(String, String)> {
    let mut found = None;
    classes.for_each_body(classes.index().get(class)?, |_, body| {
        for site in call_sites(body) {
            let makes_it = site.lambda().is_some_and(|handle| handle.member.name == body_name);
            if let (true, CallTarget::Dynamic(target)) = (makes_it, &site.target) {
                let interface = site.signature.result().and_then(|it| it.class_name());
                found = interface.map(|it| (target.name.to_str().into_owned(), it.to_str().into_owned()));
            }
        }
    });
    found
}
