//! Facts for those who write a test by hand: how a frame is called, and on which conditions it is run
//! through.

use crashback_classfile::{JavaStr, MethodDescriptor, binary_name};
use serde::Serialize;

use super::audit::FrameAudit;
use super::entry::is_accessible;
use crate::classes::{Classes, MethodId};
use crate::code::{Guard, guards};
use crate::index::MemberView;

/// How a test can come to the line of a frame.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hint {
    /// The level of the frame, 1 for the innermost.
    pub level: u32,
    /// The class, with dots.
    pub class: String,
    /// The method with modifiers, types and declared exceptions; none if the bytecode does not tell which
    /// overload it is.
    pub signature: Option<String>,
    /// Whether a test in the package can call it.
    pub accessible: Option<bool>,
    /// If not, what leads to it, nearest first.
    pub entry_points: Vec<String>,
    /// Constructors of the class that such a test can call; none of a static method.
    pub constructors: Vec<String>,
    /// The line to reach.
    pub line: Option<u32>,
    /// Conditions in the method on which the line depends, in code order.
    pub guards: Vec<Guard>,
}

impl Hint {
    /// The hint for a frame.
    pub fn of(classes: &Classes<'_>, frame: &FrameAudit) -> Self {
        let view = frame.resolved.and_then(|it| it.view(classes.index()));
        let needs_object = view.is_some_and(|it| !it.is_static() && it.name() != "<init>");
        let constructors = view.filter(|_| needs_object).into_iter().flat_map(|it| {
            let all = it.class().methods_named("<init>");
            all.filter(|it| !it.class().is_abstract() && is_accessible(classes, *it)).map(declaration)
        });
        Self {
            level: frame.level,
            class: frame.class.clone(),
            signature: view.map(declaration),
            accessible: frame.accessible,
            entry_points: frame.entry_points.clone(),
            constructors: constructors.collect(),
            line: frame.line_to_reach(),
            guards: frame.resolved.map(|it| guards_of(classes, it, frame)).unwrap_or_default(),
        }
    }

    /// The hint in words, a line for each part.
    pub fn lines(&self) -> Vec<String> {
        let mut lines =
            vec![format!("Frame {}: {}", self.level, self.signature.as_ref().unwrap_or(&self.class))];
        if self.accessible == Some(false) && !self.entry_points.is_empty() {
            lines.push(format!("  cannot be called; enter through {}", self.entry_points.join(" or ")));
        }
        lines.extend(self.constructors.iter().map(|it| format!("  constructor: {it}")));
        if !self.guards.is_empty() {
            let line = self.line.map_or_else(|| "its line".to_owned(), |it| format!("line {it}"));
            lines.push(format!("  {line} depends on:"));
        }
        for Guard { line, condition } in &self.guards {
            let line = line.map(|it| format!("line {it}: ")).unwrap_or_default();
            lines.push(format!("    {line}{condition}"));
        }
        lines
    }
}

fn guards_of(classes: &Classes<'_>, method: MethodId, frame: &FrameAudit) -> Vec<Guard> {
    let found = classes.with_variables(method, |body, variables| {
        let at_line = || frame.line_to_reach().map(|it| body.instructions_at_line(it)).unwrap_or_default();
        let targets = match frame.able.as_slice() {
            [] => at_line().into_iter().flatten().collect(),
            able => able.to_vec(),
        };
        guards(body, variables, &targets)
    });
    found.unwrap_or_default()
}

/// A method as Java declares it, with whole names: `static void a.B.main(java.lang.String[])`.
fn declaration(method: MemberView<'_>) -> String {
    let encoded = JavaStr::encode(method.descriptor());
    let types = MethodDescriptor::parse(JavaStr::new(&encoded)).ok();
    let name = |internal: &str| binary_name(internal).replace('$', ".");
    let parameters: Vec<String> =
        types.iter().flat_map(|it| it.parameters()).map(|it| name(&it.java_name())).collect();
    let class = name(method.class().name());
    let called = match method.name() {
        "<init>" => class,
        "<clinit>" => return format!("static initialiser of {class}"),
        method_name => {
            let result = types.and_then(|it| it.result()).map(|it| name(&it.java_name()));
            format!("{} {class}.{method_name}", result.unwrap_or_else(|| "void".to_owned()))
        }
    };
    let exceptions: Vec<String> = method.exceptions().map(name).collect();
    let throws =
        if exceptions.is_empty() { String::new() } else { format!(" throws {}", exceptions.join(", ")) };
    format!("{}{called}({}){throws}", modifiers(method), parameters.join(", "))
}

fn modifiers(method: MemberView<'_>) -> String {
    let access = method.access();
    let all = [
        (access.is_public(), "public "),
        (access.is_protected(), "protected "),
        (access.is_private(), "private "),
        (access.is_static(), "static "),
        (access.is_abstract(), "abstract "),
    ];
    all.into_iter().filter(|(is_set, _)| *is_set).map(|(_, word)| word).collect()
}
