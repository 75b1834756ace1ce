//! Who calls whom, by class hierarchy alone, worked out on demand.
//!
//! A virtual call may run any override in any subtype on the class path (class-hierarchy analysis). Making a lambda or
//! method reference counts as calling what it refers to, since whoever gets it may.

use crashback_classfile::{ClassFile, MemberRef};

use crate::classes::{Classes, MethodId};
use crate::code::{InvokeKind, MethodBody, call_sites};
use crate::index::ClassView;
use crate::source::SourceError;

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

    /// Everything with a body that a method may call, each once, in order of identity. Nothing for a method without code, or
    /// whose code is malformed.
    pub fn callees(&self, method: MethodId) -> Result<Vec<MethodId>, SourceError> {
        let bytes = self.classes.bytes(method.class)?;
        let Ok(file) = ClassFile::parse(&bytes) else { return Ok(Vec::new()) };
        let member = file.methods.get(usize::from(method.number));
        let body = member.and_then(|it| MethodBody::of(&file, it).ok().flatten());
        let mut callees: Vec<MethodId> = body.iter().flat_map(|it| self.callees_of(it)).collect();
        callees.sort_unstable();
        callees.dedup();
        Ok(callees)
    }

    /// The methods of some classes that may call the method, in order. Classes whose bytes cannot be had are passed over.
    pub fn callers(&self, callee: MethodId, among: &[ClassView<'_>]) -> Vec<MethodId> {
        let mut callers = Vec::new();
        for class in among {
            let Ok(bytes) = self.classes.bytes(class.reference()) else { continue };
            let Ok(file) = ClassFile::parse(&bytes) else { continue };
            for method in class.methods() {
                let member = file.methods.get(usize::from(method.number()));
                let body = member.and_then(|it| MethodBody::of(&file, it).ok().flatten());
                if body.is_some_and(|it| self.callees_of(&it).contains(&callee)) {
                    callers.push(MethodId::of(method));
                }
            }
        }
        callers
    }

    /// What a body may call.
    fn callees_of(&self, body: &MethodBody<'_>) -> Vec<MethodId> {
        let hierarchy = self.classes.hierarchy();
        let mut callees = Vec::new();
        for (kind, method) in named_methods(body) {
            let (owner, name) = (method.owner.to_str(), method.name.to_str());
            let descriptor = method.descriptor.to_str();
            // Constructors that references name are not overridden either.
            let is_fixed = matches!(kind, InvokeKind::Static | InvokeKind::Special) || *name == *"<init>";
            if is_fixed {
                let only = hierarchy.resolve_method(&owner, &name, &descriptor).filter(|it| it.has_code());
                callees.extend(only.map(MethodId::of));
            } else {
                let all = hierarchy.implementations(&owner, &name, &descriptor);
                callees.extend(all.into_iter().map(MethodId::of));
            }
        }
        callees
    }
}

/// The methods that a body names in calls, lambdas and method references.
pub(crate) fn named_methods<'b, 'a>(
    body: &'b MethodBody<'a>,
) -> impl Iterator<Item = (InvokeKind, MemberRef<'a>)> + use<'b, 'a> {
    call_sites(body).filter_map(|call| {
        let method = call.method().or_else(|| call.lambda().map(|it| it.member))?;
        Some((call.kind(), method))
    })
}
