use std::collections::BTreeMap;

use crashback_classfile::{ClassFile, Member, PoolExtension};

use crate::pins::redirected;
use crate::probes::Probe;
use crate::state::{ClassState, Statics, variable_fields};
use crate::weave::{Shared, Woven, weave};
use crate::{Kinds, ProbePlan, Refusal};

/// A class after [`instrument`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instrumented {
    /// Internal name of the class.
    pub name: String,
    /// The new class file; none when nothing was asked for or possible.
    pub bytes: Option<Vec<u8>>,
    /// The methods that have probes with numbers, in file order.
    pub methods: Vec<MethodProbes>,
    /// The methods for which probes were asked but that keep their code, and why.
    pub untouched: Vec<(MethodName, Refusal)>,
    /// What a reset must know of the class; none when the plan does not ask for [`Kinds::STATE`] or
    /// the class has no static fields but constants.
    pub state: Option<ClassState>,
}

/// A method of an instrumented class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodName {
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
}

/// The probes of one method, in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodProbes {
    /// The method.
    pub method: MethodName,
    /// Its probes; probes without number are not listed.
    pub probes: Vec<Probe>,
}

impl Instrumented {
    /// All probes with numbers, in the order of these.
    pub fn probes(&self) -> impl Iterator<Item = &Probe> {
        self.methods.iter().flat_map(|method| &method.probes)
    }
}

/// Puts the probes of a plan into a class. Probes are numbered without gaps from the first number
/// that the plan gives the class.
///
/// Where a plan asks for [`Kinds::STATE`], static final fields of classes with state lose `final`,
/// so that their initialiser can run again; the default `serialVersionUID` stays what it was.
/// Probes for the state of classes tell these by other numbers: `class_number` gives that of a
/// class by its internal name. These numbers may differ from process to process; nothing else
/// depends on them.
///
/// Fails when the class cannot be read or written, or is not the one that the plan was numbered by;
/// it is then best left as it is. What is wrong with single methods is reported in the result.
pub fn instrument(
    class: &[u8],
    plan: &ProbePlan,
    class_number: &mut dyn FnMut(&str) -> i32,
) -> Result<Instrumented, Refusal> {
    let class = ClassFile::parse(class)?;
    let name = class.name()?.to_str().into_owned();
    let statics =
        plan.asks(&name, Kinds::STATE).then(|| Statics::find(&class, &plan.immutable)).transpose()?;
    let pinned = plan.asks(&name, Kinds::PINS);
    let redirected = if pinned { redirected(&class.pool) } else { BTreeMap::new() };
    let pool = PoolExtension::new(&class.pool);
    let mut shared = Shared { class: &class, plan, statics, redirected, pool, class_number };
    let mut result =
        Instrumented { name, bytes: None, methods: Vec::new(), untouched: Vec::new(), state: None };
    let changed = result.weave(&mut shared)?;
    let found = result.probes().count();
    let expected = plan.classes.get(&result.name).and_then(|plan| plan.probes);
    if let Some(expected) = expected.filter(|count| *count as usize != found) {
        return Err(Refusal::OtherCopy { expected, found });
    }
    let Shared { statics, mut pool, .. } = shared;
    result.state = statics.and_then(|statics| statics.state);
    let fields = result.state.as_ref().map(|state| variable_fields(&class, state, &mut pool)).transpose()?;
    let fields = fields.flatten();
    if fields.is_some() || changed.iter().any(Option::is_some) {
        let methods = class.methods.iter().zip(changed);
        let methods = methods.map(|(old, new)| new.unwrap_or_else(|| old.clone())).collect();
        let fields = fields.unwrap_or_else(|| class.fields.clone());
        result.bytes = Some(ClassFile { fields, methods, ..class }.write_extended(&pool)?);
    }
    Ok(result)
}

impl Instrumented {
    /// Notes the probes of all methods, and gives those methods that are changed.
    fn weave<'a>(&mut self, shared: &mut Shared<'_, 'a>) -> Result<Vec<Option<Member<'a>>>, Refusal> {
        let class = shared.class;
        let mut next_id = shared.plan.classes.get(&self.name).map_or(0, |plan| plan.first_id);
        let mut changed = Vec::with_capacity(class.methods.len());
        for (place, method) in class.methods.iter().enumerate() {
            let name = method.name(&class.pool)?.to_str().into_owned();
            let descriptor = method.descriptor(&class.pool)?.to_str().into_owned();
            let kinds = shared.plan.kinds(&self.name, &format!("{name}{descriptor}"));
            let method = MethodName { name, descriptor };
            let woven = match kinds {
                Kinds::NONE => Ok(None),
                kinds => weave(shared, place, kinds, next_id),
            };
            changed.push(match woven {
                Ok(Some(Woven { method: new, probes })) => {
                    if let Some(last) = probes.last() {
                        next_id = last.id + 1;
                        self.methods.push(MethodProbes { method, probes });
                    }
                    Some(new)
                }
                Ok(None) => None,
                Err(refusal) => {
                    self.untouched.push((method, refusal));
                    None
                }
            });
        }
        Ok(changed)
    }
}
