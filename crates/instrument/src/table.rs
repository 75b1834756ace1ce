//! Numbers for the probes of a plan that all processes agree on.

use std::borrow::Cow;

use thiserror::Error;

use crate::{Instrumented, MethodName, MethodProbes, Probe, ProbePlan, Refusal, instrument};

/// Gives the probes of all classes that a plan names their numbers: class by class in the order of
/// names, without gaps from 0.
///
/// `bytes` gives the original class file by internal name. Whoever instruments the same bytes by
/// the returned plan gets the probes of the returned table, whatever else differs between the two
/// processes.
pub fn number_probes<'s>(
    plan: &ProbePlan,
    mut bytes: impl FnMut(&str) -> Option<Cow<'s, [u8]>>,
) -> (ProbePlan, ProbeTable) {
    let mut numbered = plan.clone();
    let mut table = ProbeTable::default();
    for name in plan.classes.keys() {
        let first_id = table.next_id();
        if let Some(class) = numbered.classes.get_mut(name) {
            class.first_id = first_id;
            class.probes = None;
        }
        let count = match count(&numbered, name, bytes(name)) {
            Ok(class) => table.add(first_id, class),
            Err(reason) => {
                table.uncounted.push((name.clone(), reason));
                0
            }
        };
        if let Some(class) = numbered.classes.get_mut(name) {
            class.probes = Some(count);
        }
    }
    (numbered, table)
}

fn count(plan: &ProbePlan, name: &str, bytes: Option<Cow<'_, [u8]>>) -> Result<Instrumented, Uncounted> {
    // Numbers of classes have no influence on those of probes.
    let class = instrument(&bytes.ok_or(Uncounted::Missing)?, plan, &mut |_| 0)?;
    if class.name == name { Ok(class) } else { Err(Uncounted::Misnamed(class.name)) }
}

/// All probes with numbers of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProbeTable {
    classes: Vec<ClassProbes>,
    /// The classes that have no probes because they could not be read or instrumented. In them
    /// nothing is observed.
    pub uncounted: Vec<(String, Uncounted)>,
}

/// The probes of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassProbes {
    /// Internal name of the class.
    pub name: String,
    /// Number of its first probe.
    pub first_id: i32,
    /// How many it has.
    pub count: u32,
    /// The methods that have some, in file order.
    pub methods: Vec<MethodProbes>,
    /// The methods for which probes were asked but that keep their code, and why.
    pub untouched: Vec<(MethodName, Refusal)>,
}

/// Why a class of the plan has no probes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Uncounted {
    /// No class of that name was found.
    #[error("the class was not found")]
    Missing,
    /// What was found under the name is another class.
    #[error("the class file found is that of {0}")]
    Misnamed(String),
    /// The class cannot be instrumented.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// A probe and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeEntry<'t> {
    /// Internal name of the class.
    pub class: &'t str,
    /// The method.
    pub method: &'t MethodName,
    /// The probe.
    pub probe: &'t Probe,
}

impl ProbeTable {
    /// How many probes there are; their numbers are those below.
    pub fn len(&self) -> usize {
        usize::try_from(self.next_id()).unwrap_or(0)
    }

    /// Whether there are no probes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The classes of the plan that could be instrumented, in the order of names.
    pub fn classes(&self) -> &[ClassProbes] {
        &self.classes
    }

    /// The probe with a number.
    pub fn get(&self, id: i32) -> Option<ProbeEntry<'_>> {
        let class = last_at_most(&self.classes, id, |class| Some(class.first_id))?;
        let method = last_at_most(&class.methods, id, |method| method.probes.first().map(|it| it.id))?;
        let probe = last_at_most(&method.probes, id, |probe| Some(probe.id)).filter(|it| it.id == id)?;
        Some(ProbeEntry { class: &class.name, method: &method.method, probe })
    }

    /// All probes in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = ProbeEntry<'_>> {
        self.classes.iter().flat_map(|class| {
            class.methods.iter().flat_map(|method| {
                let entry = |probe| ProbeEntry { class: &class.name, method: &method.method, probe };
                method.probes.iter().map(entry)
            })
        })
    }

    /// The [jump code](Probe::jump_code) of every probe, by number.
    pub fn jump_codes(&self) -> Vec<u8> {
        self.iter().map(|entry| entry.probe.jump_code()).collect()
    }

    fn next_id(&self) -> i32 {
        self.classes.last().map_or(0, |last| last.first_id.saturating_add_unsigned(last.count))
    }

    fn add(&mut self, first_id: i32, class: Instrumented) -> u32 {
        let last = class.probes().last().map_or(first_id, |last| last.id + 1);
        let count = last.abs_diff(first_id);
        let Instrumented { name, methods, untouched, .. } = class;
        self.classes.push(ClassProbes { name, first_id, count, methods, untouched });
        count
    }
}

/// The last item whose number is not above `id`; items without probes have the number of the next,
/// so the last is the one that has it.
fn last_at_most<T>(items: &[T], id: i32, number: impl Fn(&T) -> Option<i32>) -> Option<&T> {
    let after = items.partition_point(|item| number(item).is_none_or(|first| first <= id));
    items.get(after.checked_sub(1)?)
}
