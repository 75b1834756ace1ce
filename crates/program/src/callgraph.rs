//! Who calls whom, by class hierarchy alone, worked out on demand.
//!
//! A virtual call may run any override in any subtype on the class path (class-hierarchy analysis).
//! Making a lambda or method reference counts as calling what it refers to, since whoever gets it
//! may.

use crashback_classfile::MemberRef;

use crate::classes::{Classes, MethodId};
use crate::code::{CallSite, InvokeKind, MethodBody, call_sites};
use crate::index::ClassView;

/// The call graph of a class path.
#[derive(Clone, Copy)]
pub struct CallGraph<'s> {
    classes: &'s Classes<'s>,
}

impl<'s> CallGraph<'s> {
    /// The graph of these classes.
    pub fn new(classes: &'s Classes<'s>) -> Self {
        Self { classes }
    }

    /// Everything with a body that a method may call, each once, in order of identity. Nothing for
    /// a method without code, or whose code cannot be read.
    pub fn callees(&self, method: MethodId) -> Vec<MethodId> {
        let mut callees = self.classes.with_body(method, |body| self.callees_of(body)).unwrap_or_default();
        callees.sort_unstable();
        callees.dedup();
        callees
    }

    /// The methods of some classes that may call the method, in order.
    pub fn callers(&self, callee: MethodId, among: &[ClassView<'_>]) -> Vec<MethodId> {
        let mut callers = Vec::new();
        for class in among {
            self.classes.for_each_body(*class, |method, body| {
                if self.callees_of(body).contains(&callee) {
                    callers.push(method);
                }
            });
        }
        callers
    }

    /// What a call may run: everything with a body. Nothing where the code names no method.
    pub fn callees_at(&self, call: &CallSite<'_>) -> Vec<MethodId> {
        call.method().map(|it| self.run_by(call, it)).unwrap_or_default()
    }

    /// What a body may call.
    fn callees_of(&self, body: &MethodBody<'_>) -> Vec<MethodId> {
        named_methods(body).flat_map(|(call, method)| self.run_by(&call, method)).collect()
    }

    fn run_by(&self, call: &CallSite<'_>, method: MemberRef<'_>) -> Vec<MethodId> {
        let hierarchy = self.classes.hierarchy();
        let (owner, name) = (method.owner.to_str(), method.name.to_str());
        let descriptor = method.descriptor.to_str();
        // Constructors that references name are not overridden either.
        let is_fixed = matches!(call.kind(), InvokeKind::Static | InvokeKind::Special) || *name == *"<init>";
        if is_fixed {
            let only = hierarchy.resolve_method(&owner, &name, &descriptor).filter(|it| it.has_code());
            only.map(MethodId::of).into_iter().collect()
        } else {
            let all = hierarchy.implementations(&owner, &name, &descriptor);
            all.into_iter().map(MethodId::of).collect()
        }
    }
}

/// The methods that a body names in calls, lambdas and method references.
pub(crate) fn named_methods<'b, 'a>(
    body: &'b MethodBody<'a>,
) -> impl Iterator<Item = (CallSite<'a>, MemberRef<'a>)> + use<'b, 'a> {
    call_sites(body).filter_map(|call| {
        let method = call.method().or_else(|| call.lambda().map(|it| it.member))?;
        Some((call, method))
    })
}
