use crashback_classfile::{ElementType, FieldType, Primitive};
use crashback_program::classes::Classes;
use crashback_program::code::{
    CallSite, Cfg, Literal as Constant, MethodBody, Provenance, ValueOrigin, call_sites,
};
use crashback_program::frames::{CrashAudit, FrameAudit};
use crashback_testcase::{Literal, Text};

/// For each parameter of a frame's method the constants that the frame above passes on its line:
/// exact values of the crash, where they are constants at all. Empty where the frame above tells
/// nothing.
pub fn known_arguments(classes: &Classes<'_>, audit: &CrashAudit, level: u32) -> Vec<Vec<Literal>> {
    let find = |level| audit.frames.iter().find(|it| it.level == level);
    let (Some(frame), Some(caller)) = (find(level), find(level + 1)) else { return Vec::new() };
    let Some(method) = caller.resolved else { return Vec::new() };
    let found = classes.with_body(method, |body| arguments_at(body, frame, caller.line_to_reach()?));
    found.flatten().unwrap_or_default()
}

/// Whether the frame above calls a frame's method on another object than its own, as a node of a
/// tree does with its children.
pub fn runs_on_other_object(classes: &Classes<'_>, frame: &FrameAudit, caller: &FrameAudit) -> bool {
    let is_other = |body: &MethodBody<'_>| {
        let cfg = Cfg::of(body);
        let provenance = Provenance::of(body, &cfg).ok()?;
        let mut calls = calls_at(body, frame, caller.line_to_reach()?).peekable();
        calls.peek()?;
        Some(calls.all(|it| provenance.receiver_of(it.instruction).is_some_and(|it| it != ValueOrigin::This)))
    };
    let method = caller.resolved.filter(|_| caller.level == frame.level + 1);
    method.and_then(|it| classes.with_body(it, is_other)).flatten().unwrap_or(false)
}

/// The calls on a line that may have led into a frame.
fn calls_at<'b, 'a>(
    body: &'b MethodBody<'a>,
    callee: &'b FrameAudit,
    line: u32,
) -> impl Iterator<Item = CallSite<'a>> + use<'b, 'a> {
    let is_it = |call: &CallSite<'_>| {
        call.method().is_some_and(|it| {
            it.name == callee.method.as_str()
                && callee.descriptor.as_deref().is_none_or(|descriptor| it.descriptor == descriptor)
        })
    };
    call_sites(body).filter(move |it| it.line == Some(line) && is_it(it))
}

fn arguments_at(body: &MethodBody<'_>, callee: &FrameAudit, line: u32) -> Option<Vec<Vec<Literal>>> {
    let cfg = Cfg::of(body);
    let provenance = Provenance::of(body, &cfg).ok()?;
    let mut all: Vec<Vec<Literal>> = Vec::new();
    for call in calls_at(body, callee, line) {
        let origins = provenance.arguments_of(call.instruction);
        for (number, (origin, of)) in origins.iter().zip(call.signature.parameters()).enumerate() {
            if all.len() <= number {
                all.resize(number + 1, Vec::new());
            }
            let mut constants = Vec::new();
            collect(origin, of, &mut constants);
            all.get_mut(number)?.extend(constants);
        }
    }
    Some(all)
}

fn collect(origin: &ValueOrigin<'_>, of: FieldType<'_>, found: &mut Vec<Literal>) {
    match origin {
        ValueOrigin::Constant(constant) => found.extend(literal(constant, of)),
        ValueOrigin::OneOf(several) => several.iter().for_each(|it| collect(it, of, found)),
        _ => {}
    }
}

/// The constant as a literal of the parameter's type.
fn literal(constant: &Constant<'_>, of: FieldType<'_>) -> Option<Literal> {
    let primitive = match of {
        FieldType { dimensions: 0, element: ElementType::Primitive(primitive) } => Some(primitive),
        _ => None,
    };
    Some(match (constant, primitive) {
        (Constant::Int(it), Some(Primitive::Boolean)) => Literal::Boolean(*it != 0),
        (Constant::Int(it), Some(Primitive::Byte)) => Literal::Byte((*it).try_into().ok()?),
        (Constant::Int(it), Some(Primitive::Short)) => Literal::Short((*it).try_into().ok()?),
        (Constant::Int(it), Some(Primitive::Char)) => Literal::Char((*it).try_into().ok()?),
        (Constant::Int(it), Some(Primitive::Int)) => Literal::Int(*it),
        (Constant::Long(it), Some(Primitive::Long)) => Literal::Long(*it),
        (Constant::Float(it), Some(Primitive::Float)) => Literal::Float(f32::from_bits(*it)),
        (Constant::Double(it), Some(Primitive::Double)) => Literal::Double(f64::from_bits(*it)),
        (Constant::String(it), None) => Literal::Text(Text::from(&*it.to_str())),
        _ => return None,
    })
}
