//! Values that objects hand on to new ones: the fields of a builder become those of the object that
//! it builds, and a method that yields a changed copy passes one new value beside the old ones.

use std::collections::{BTreeMap, BTreeSet};

use crashback_program::ClassView;
use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::{CallSite, Cfg, MethodBody, Operation, Provenance, ValueOrigin, call_sites};

use crate::preparations::{FieldKey, field_key};

/// How values get from fields into fields of other objects.
#[derive(Default)]
pub(crate) struct Handed {
    /// A field, and one of another object that is given its value.
    flows: BTreeSet<(FieldKey, FieldKey)>,
    /// For a method that makes an object of its own class, the fields that differ from its receiver's.
    changed: BTreeMap<MethodId, BTreeSet<FieldKey>>,
    /// The fields that the parameters of constructors are written to.
    parameters: BTreeMap<(MethodId, usize), BTreeSet<FieldKey>>,
}

/// Constructors that hand their parameters to others, one after the other, at most.
const MAX_CONSTRUCTORS: usize = 3;

impl Handed {
    /// Looks at the methods of some classes.
    pub(crate) fn of(classes: &Classes<'_>, around: &[ClassView<'_>]) -> Self {
        let mut found = Self::default();
        let mut constructors = Vec::new();
        let mut makers = Vec::new();
        for class in around {
            classes.for_each_body(*class, |method, body| {
                let makes = constructor_calls(body).any(|it| is_of(&it, around));
                match method.view(classes.index()).is_some_and(|it| it.name() == "<init>") {
                    true => constructors.push(method),
                    false if makes => makers.push(method),
                    false => {}
                }
            });
        }
        for _ in 0..MAX_CONSTRUCTORS {
            for method in &constructors {
                classes.with_body(*method, |body| found.look_at_constructor(classes, *method, body));
            }
        }
        for method in makers {
            classes.with_body(method, |body| found.look_at_maker(classes, method, body));
        }
        found
    }

    /// Fields whose values a field is given.
    pub(crate) fn sources_of(&self, field: FieldKey) -> impl Iterator<Item = FieldKey> {
        self.flows.iter().filter(move |(_, to)| *to == field).map(|(from, _)| *from)
    }

    /// The fields in which a copy that a method yields differs from the receiver.
    pub(crate) fn changed_by(&self, method: MethodId) -> impl Iterator<Item = &FieldKey> {
        self.changed.get(&method).into_iter().flatten()
    }

    fn look_at_constructor(&mut self, classes: &Classes<'_>, method: MethodId, body: &MethodBody<'_>) {
        let cfg = Cfg::of(body);
        let Ok(provenance) = Provenance::of(body, &cfg) else { return };
        for (at, operation) in body.operations() {
            let Operation::PutField(field) = operation else { continue };
            let Some(to) = field_key(classes, &field.member) else { continue };
            let Some(value) = provenance.operands(at).nth(1) else { continue };
            match provenance.origin(&value) {
                ValueOrigin::Parameter(number) => {
                    self.parameters.entry((method, number)).or_default().insert(to);
                }
                ValueOrigin::Field { field, .. } => {
                    self.add_flows(field_key(classes, &field), &BTreeSet::from([to]));
                }
                _ => {}
            }
        }
        for call in constructor_calls(body) {
            for (origin, fields) in self.arguments(classes, &call, &provenance) {
                match origin {
                    ValueOrigin::Parameter(number) => {
                        self.parameters.entry((method, number)).or_default().extend(fields);
                    }
                    ValueOrigin::Field { field, .. } => self.add_flows(field_key(classes, &field), &fields),
                    _ => {}
                }
            }
        }
    }

    fn look_at_maker(&mut self, classes: &Classes<'_>, method: MethodId, body: &MethodBody<'_>) {
        let cfg = Cfg::of(body);
        let Ok(provenance) = Provenance::of(body, &cfg) else { return };
        let view = method.view(classes.index()).filter(|it| !it.is_static());
        for call in constructor_calls(body) {
            let of = call.method().map(|it| it.owner);
            let is_own = view.is_some_and(|it| of.is_some_and(|of| of == it.class().name()));
            for (origin, fields) in self.arguments(classes, &call, &provenance) {
                match &origin {
                    ValueOrigin::Field { field, .. } => self.add_flows(field_key(classes, field), &fields),
                    _ if is_own => self.changed.entry(method).or_default().extend(fields),
                    _ => {}
                }
            }
        }
    }

    fn add_flows(&mut self, from: Option<FieldKey>, to: &BTreeSet<FieldKey>) {
        let Some(from) = from else { return };
        self.flows.extend(to.iter().filter(|it| **it != from).map(|it| (from, *it)));
    }

    /// The arguments of a call of a constructor, with the fields that they are written to.
    fn arguments<'a>(
        &self,
        classes: &Classes<'_>,
        call: &CallSite<'a>,
        provenance: &Provenance<'_, 'a>,
    ) -> Vec<(ValueOrigin<'a>, BTreeSet<FieldKey>)> {
        let callee = call.method().and_then(|it| {
            let owner = it.owner.to_str();
            classes.hierarchy().resolve_method(&owner, "<init>", &it.descriptor.to_str()).map(MethodId::of)
        });
        let Some(callee) = callee else { return Vec::new() };
        let origins = provenance.arguments_of(call.instruction).into_iter().enumerate();
        origins
            .filter_map(|(number, it)| Some((it, self.parameters.get(&(callee, number))?.clone())))
            .collect()
    }
}

fn constructor_calls<'b, 'a>(body: &'b MethodBody<'a>) -> impl Iterator<Item = CallSite<'a>> + use<'b, 'a> {
    call_sites(body).filter(|it| it.method().is_some_and(|it| it.name == "<init>"))
}

fn is_of(call: &CallSite<'_>, around: &[ClassView<'_>]) -> bool {
    call.method().is_some_and(|it| around.iter().any(|class| it.owner == class.name()))
}
