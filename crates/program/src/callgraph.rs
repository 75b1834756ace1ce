//! The methods that a call may run, by class hierarchy alone, worked out on demand.
//!
//! This is the only place that answers the question. [`CallGraph::may_run`] defines the answer;
//! [`CallGraph::callees_at`] lists all methods for which it is yes and that have a body,
//! [`CallGraph::callees_on`] those for few receivers, and [`CallGraph::may_run_frame`] answers for a
//! frame of a stack trace, of which less is known. [`CallGraph::receivers`] asks the other way round.
//!
//! A virtual call may run any override in any subtype on the class path (class-hierarchy analysis).
//! Making a lambda or method reference counts as calling the method that it refers to, since any
//! code that gets the object may call it.

use std::collections::{BTreeSet, HashMap};

use crashback_classfile::MemberRef;

use crate::classes::{Classes, MethodId};
use crate::code::{CallSite, InvokeKind, MethodBody, call_sites};
use crate::hierarchy::{Hierarchy, Supertype};
use crate::index::{ClassView, MemberView};

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

    /// Whether a call may run a method, native ones included. Calls of static methods, constructors
    /// and private methods, and those by `super`, run the one method that the reference means;
    /// other calls run the method that the class of the receiver has in its place.
    pub fn may_run(&self, call: &CallSite<'_>, method: MemberView<'_>) -> bool {
        called_method(call).is_some_and(|it| Call::new(self.classes, call.kind(), it).may_run(method))
    }

    /// Whether a call may run a method of which only its class (internal name) and its own name are
    /// known, as a stack trace tells. Where classes are missing, whatever they allow counts.
    pub fn may_run_frame(&self, kind: InvokeKind, called: MemberRef<'_>, class: &str, method: &str) -> bool {
        if called.name != method {
            return false;
        }
        let (owner, hierarchy) = (called.owner.to_str(), self.classes.hierarchy());
        match kind {
            _ if method == "<init>" => *owner == *class,
            InvokeKind::Static | InvokeKind::Special => hierarchy.is_subtype(&owner, class) != Some(false),
            _ => hierarchy.may_share_objects(&owner, class) != Some(false),
        }
    }

    /// Everything with a body that a method may call, each once, in order of identity. Nothing for
    /// a method without code, or whose code cannot be read.
    pub fn callees(&self, method: MethodId) -> Vec<MethodId> {
        let callees = |body: &MethodBody<'_>| call_sites(body).flat_map(|it| self.callees_at(&it)).collect();
        let mut callees: Vec<MethodId> = self.classes.with_body(method, callees).unwrap_or_default();
        callees.sort_unstable();
        callees.dedup();
        callees
    }

    /// The methods of some classes that may call the method, in order.
    pub fn callers(&self, callee: MethodId, among: &[ClassView<'_>]) -> Vec<MethodId> {
        let mut callers = Vec::new();
        let Some(callee) = callee.view(self.classes.index()) else { return callers };
        for class in among {
            self.classes.for_each_body(*class, |method, body| {
                if call_sites(body).any(|it| self.may_run(&it, callee)) {
                    callers.push(method);
                }
            });
        }
        callers
    }

    /// Everything with a body that a call may run. Nothing where the code names no method.
    pub fn callees_at(&self, call: &CallSite<'_>) -> Vec<MethodId> {
        let Some(method) = called_method(call) else { return Vec::new() };
        let run = Call::new(self.classes, call.kind(), method).all();
        run.into_iter().filter(|it| it.has_code()).map(MethodId::of).collect()
    }

    /// The methods with bodies that a call runs on objects of few classes: of the one that the code
    /// names, and of those of some others that are its subtypes. The object that a lambda or method
    /// reference is called on is not known where it is made, so there it is the former alone.
    pub fn callees_on(&self, call: &CallSite<'_>, receivers: &Receivers<'_>) -> Vec<MethodId> {
        let Some(method) = called_method(call) else { return Vec::new() };
        let (kind, call) = (call.kind(), Call::new(self.classes, call.kind(), method));
        let others = if kind.has_receiver() { receivers.of_type(&call.owner) } else { &[] };
        let run = call.resolved.into_iter().chain(others.iter().filter_map(|it| call.on(*it)));
        run.filter(|it| it.has_code()).map(MethodId::of).collect()
    }

    /// The classes whose objects run this very method when it is called on them, and no override: the
    /// method's own class and its subtypes, as far as they can be instantiated.
    pub fn receivers(&self, method: MemberView<'_>) -> Vec<ClassView<'s>> {
        let hierarchy = self.classes.hierarchy();
        let runs_it = |class: &ClassView<'_>| {
            let found = hierarchy.resolve_method(class.name(), method.name(), method.descriptor());
            found.map(MethodId::of) == Some(MethodId::of(method))
        };
        hierarchy.concrete_subtypes(method.class().name()).into_iter().filter(runs_it).collect()
    }

    /// The methods of some classes that a call may run. Quick for few classes, however many
    /// implement the method.
    pub fn callees_among(&self, call: &CallSite<'_>, among: &[ClassView<'_>]) -> Vec<MethodId> {
        let Some(method) = called_method(call) else { return Vec::new() };
        let (name, descriptor) = (method.name.to_str(), method.descriptor.to_str());
        let declared: Vec<_> = among.iter().filter_map(|it| it.method(&name, &descriptor)).collect();
        if declared.is_empty() {
            return Vec::new();
        }
        let call = Call::new(self.classes, call.kind(), method);
        declared.into_iter().filter(|it| call.may_run(*it)).map(MethodId::of).collect()
    }
}

/// Classes whose objects calls may run on, by the types that they have. Calls are asked about by the
/// hundred thousand, so the types are worked out once.
pub struct Receivers<'s> {
    by_type: HashMap<String, Vec<ClassView<'s>>>,
}

impl<'s> Receivers<'s> {
    /// These classes, each counted once.
    pub fn new(classes: &Classes<'s>, receivers: impl IntoIterator<Item = ClassView<'s>>) -> Self {
        let mut by_type: HashMap<String, Vec<ClassView<'s>>> = HashMap::new();
        let mut seen = BTreeSet::new();
        for class in receivers.into_iter().filter(|it| seen.insert(it.reference())) {
            let above = classes.hierarchy().supertypes(class.name());
            let mut names: BTreeSet<&str> = above.iter().map(Supertype::name).collect();
            names.insert("java/lang/Object");
            for name in names {
                by_type.entry(name.to_owned()).or_default().push(class);
            }
        }
        Self { by_type }
    }

    /// The classes of a type, in the order in which they were given.
    fn of_type(&self, name: &str) -> &[ClassView<'s>] {
        self.by_type.get(name).map_or(&[], Vec::as_slice)
    }
}

/// A call of a method by name, resolved.
struct Call<'s> {
    hierarchy: Hierarchy<'s>,
    owner: String,
    name: String,
    descriptor: String,
    /// The method that the reference means.
    resolved: Option<MemberView<'s>>,
    /// Whether it runs that method whatever the receiver is.
    is_fixed: bool,
}

impl<'s> Call<'s> {
    fn new(classes: &Classes<'s>, kind: InvokeKind, method: MemberRef<'_>) -> Self {
        let hierarchy = classes.hierarchy();
        let [owner, name, descriptor] =
            [method.owner, method.name, method.descriptor].map(|it| it.to_str().into_owned());
        let resolved = hierarchy.resolve_method(&owner, &name, &descriptor);
        // References to methods may mean constructors and static methods too.
        let is_fixed = matches!(kind, InvokeKind::Static | InvokeKind::Special)
            || name == "<init>"
            || resolved.is_some_and(|it| it.is_static());
        Self { hierarchy, owner, name, descriptor, resolved, is_fixed }
    }

    fn may_run(&self, method: MemberView<'_>) -> bool {
        if method.is_abstract() {
            return false;
        }
        match self.resolved {
            Some(resolved) if MethodId::of(resolved) == MethodId::of(method) => true,
            _ if self.is_fixed => false,
            _ => self.hierarchy.may_override(&self.owner, &self.name, &self.descriptor, method),
        }
    }

    /// The method that it runs on an object of a subtype in place of the one that the reference means.
    fn on(&self, class: ClassView<'_>) -> Option<MemberView<'s>> {
        let is_fixed = self.is_fixed || self.resolved.is_some_and(|it| it.is_private());
        let resolve = || self.hierarchy.resolve_method(class.name(), &self.name, &self.descriptor);
        (!is_fixed).then(resolve)?
    }

    fn all(&self) -> Vec<MemberView<'s>> {
        if self.is_fixed {
            return self.resolved.into_iter().collect();
        }
        self.hierarchy.implementations(&self.owner, &self.name, &self.descriptor)
    }
}

/// The method that a call names, or that the lambda or method reference made there refers to.
fn called_method<'a>(call: &CallSite<'a>) -> Option<MemberRef<'a>> {
    call.method().or_else(|| call.lambda().map(|it| it.member))
}
