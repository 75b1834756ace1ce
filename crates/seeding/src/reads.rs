//! What the code on the way to the crash reads of state that was there before it ran.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crashback_classfile::{FieldType, MemberRef};
use crashback_program::MemberView;
use crashback_program::callgraph::{CallGraph, Receivers};
use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::calls::initialisations;
use crashback_program::code::operation::Field;
use crashback_program::code::{
    CallSite, Cfg, InvokeKind, Literal, MethodBody, Operation, Provenance, ValueOrigin, call_sites,
};
use crashback_program::frames::{CrashAudit, Origin};
use crashback_program::index::ClassRef;
use crashback_testcase::workshop::Tuning;
use crashback_testcase::{MemberName, Type};

use crate::kinds;

/// Classes of the JDK through which programs get at files.
const FILES: [&str; 9] = [
    "java/io/File",
    "java/io/RandomAccessFile",
    "java/nio/file/",
    "java/nio/channels/FileChannel",
    "java/util/zip/ZipFile",
    "java/util/jar/JarFile",
    "java/util/Scanner",
    "java/net/URL",
    "java/util/logging/FileHandler",
];

/// Methods that read system properties, with the value that lets the answer differ from that
/// without one.
const PROPERTY_READERS: [(&str, &str, Option<&str>); 4] = [
    ("java/lang/System", "getProperty", None),
    ("java/lang/Boolean", "getBoolean", Some("true")),
    ("java/lang/Integer", "getInteger", Some("1")),
    ("java/lang/Long", "getLong", Some("1")),
];

/// What methods on the trace, and what they call, find there.
pub(crate) struct Reads<'s> {
    /// Fields of the program, those that are read nearest to the frames first.
    pub(crate) fields: Vec<Read<'s>>,
    /// Everything that was looked at.
    pub(crate) visited: BTreeSet<MethodId>,
    /// For a class the static member from which the code gets an object of it.
    pub(crate) holders: BTreeMap<String, MemberName>,
    /// Classes to which the code casts what methods of the program yield as any object, in the
    /// order in which it does.
    pub(crate) cast_classes: Vec<String>,
    /// Classes and methods of kinds that the code asks for.
    pub(crate) classes_of_kind: Vec<Type>,
    pub(crate) methods_of_kind: Vec<MemberName>,
    /// Whether files are opened.
    pub(crate) opens_files: bool,
    /// System properties with constant names.
    pub(crate) properties: Vec<Property>,
    /// Where files on the class path are asked for.
    pub(crate) lookups: Vec<Lookup>,
}

/// A method that asks for files on the class path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lookup {
    pub(crate) method: MethodId,
    pub(crate) by: By,
}

/// Who is asked for a file on the class path, and so how it is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// A class, to whose package names are relative unless they begin with a slash.
    Class,
    /// A class loader or module, by the whole path.
    Loader,
    /// `ResourceBundle`, by a name with dots.
    Bundle,
}

/// A system property that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Property {
    pub(crate) name: String,
    /// What it must be to make a difference, where the way in which it is read tells.
    pub(crate) value: Option<&'static str>,
    /// Whether the initialiser of a class reads it.
    pub(crate) by_initialiser: bool,
}

/// A field that is read.
#[derive(Clone, Copy)]
pub(crate) struct Read<'s> {
    pub(crate) field: MemberView<'s>,
    /// Whether the initialiser of another class reads it: then it must be set before that class is
    /// used.
    pub(crate) by_initialiser: bool,
    /// Whether a method on the trace reads it, or one that such a method calls to ask for little else.
    pub(crate) is_near: bool,
}

/// Follows the calls of the methods on the trace.
pub(crate) fn reads<'s>(classes: &Classes<'s>, audit: &CrashAudit, tuning: &Tuning) -> Reads<'s> {
    let traced = audit.frames.iter().filter(|it| it.origin != Origin::Jdk);
    let traced: Vec<MethodId> = traced.filter_map(|it| it.resolved).collect();
    let mut walk = Walk {
        classes,
        tuning,
        traced: Receivers::new(classes, traced.iter().filter_map(|it| classes.index().view(it.class))),
        open: VecDeque::new(),
        seen: BTreeSet::new(),
        found: Reads {
            fields: Vec::new(),
            visited: BTreeSet::new(),
            holders: BTreeMap::new(),
            cast_classes: Vec::new(),
            classes_of_kind: Vec::new(),
            methods_of_kind: Vec::new(),
            opens_files: false,
            properties: Vec::new(),
            lookups: Vec::new(),
        },
    };
    for method in traced {
        walk.open(Visit { method, depth: 0, initialiser: None });
        if let Some(class) = classes.index().view(method.class) {
            walk.initialise(class.name(), 0);
        }
    }
    while let Some(visit) = walk.open.pop_front() {
        if walk.found.visited.len() >= tuning.read_methods {
            break;
        }
        walk.found.visited.insert(visit.method);
        classes.with_body(visit.method, |body| walk.look(body, visit));
    }
    walk.found
}

/// Who is asked by a call for a file on the class path, if it is one.
fn asked_for_file(owner: &str, name: &str) -> Option<By> {
    match (owner, name) {
        ("java/util/ResourceBundle", "getBundle") => Some(By::Bundle),
        ("java/lang/Class", "getResource" | "getResourceAsStream") => Some(By::Class),
        (
            "java/lang/ClassLoader" | "java/lang/Module" | "java/net/URLClassLoader",
            "getResource"
            | "getResourceAsStream"
            | "getResources"
            | "resources"
            | "findResource"
            | "getSystemResource"
            | "getSystemResourceAsStream",
        ) => Some(By::Loader),
        _ => None,
    }
}

#[derive(Clone, Copy)]
struct Visit {
    method: MethodId,
    depth: usize,
    /// The class whose initialiser the method runs in, if it does.
    initialiser: Option<ClassRef>,
}

struct Walk<'c, 's> {
    classes: &'c Classes<'s>,
    tuning: &'c Tuning,
    traced: Receivers<'s>,
    open: VecDeque<Visit>,
    seen: BTreeSet<(MethodId, bool)>,
    found: Reads<'s>,
}

impl Walk<'_, '_> {
    fn open(&mut self, visit: Visit) {
        if self.seen.insert((visit.method, visit.initialiser.is_some())) {
            self.open.push_back(visit);
        }
    }

    fn look(&mut self, body: &MethodBody<'_>, visit: Visit) {
        let is_near = visit.depth == 0 || visit.depth == 1 && self.reads_little(body);
        for (at, operation) in body.operations() {
            match operation {
                Operation::GetStatic(field) => {
                    self.read(field, visit, is_near);
                    self.add_holder(&field.member, field.field_type);
                }
                Operation::GetField(field) => self.read(field, visit, is_near),
                Operation::CheckCast(class) if self.is_answer(body, at) => {
                    let of = FieldType::from_class_constant(*class).ok().filter(|it| it.dimensions == 0);
                    let name = of.and_then(|it| it.class_name()).map(|it| it.to_str().into_owned());
                    if let Some(name) = name.filter(|it| !self.found.cast_classes.contains(it)) {
                        self.found.cast_classes.push(name);
                    }
                }
                _ => {}
            }
        }
        self.look_at_environment(body, visit);
        if visit.depth < self.tuning.read_depth {
            call_sites(body).for_each(|it| self.call(&it, visit));
            for it in initialisations(body) {
                self.initialise(&it.class.to_str(), visit.depth + 1);
            }
        }
    }

    /// Whether what an instruction takes is what a method of the program has just yielded as any
    /// object, as those do that look services up.
    fn is_answer(&self, body: &MethodBody<'_>, instruction: usize) -> bool {
        let before = instruction.checked_sub(1).and_then(|it| CallSite::at(body, it));
        before.is_some_and(|call| {
            let of = call.signature.result().and_then(FieldType::class_name);
            let owner = call.method().map(|it| it.owner.to_str().into_owned());
            of.is_some_and(|it| it == "java/lang/Object") && owner.is_some_and(|it| !self.classes.is_jdk(&it))
        })
    }

    /// Notes files, also those on the class path, and system properties.
    fn look_at_environment(&mut self, body: &MethodBody<'_>, visit: Visit) {
        let mut readers = Vec::new();
        for call in call_sites(body) {
            let Some(method) = call.method() else { continue };
            let (owner, name) = (method.owner.to_str(), method.name.to_str());
            self.found.opens_files |= FILES.iter().any(|it| owner.starts_with(it));
            self.add_kind(&owner, &name);
            let lookup = asked_for_file(&owner, &name).map(|by| Lookup { method: visit.method, by });
            self.found.lookups.extend(lookup.filter(|it| !self.found.lookups.contains(it)));
            if let Some((.., value)) =
                PROPERTY_READERS.iter().find(|(class, reader, _)| owner == *class && name == *reader)
            {
                readers.push((call.instruction, *value));
            }
        }
        if readers.is_empty() {
            return;
        }
        let cfg = Cfg::of(body);
        let Ok(provenance) = Provenance::of(body, &cfg) else { return };
        for (call, value) in readers {
            if let Some(ValueOrigin::Constant(Literal::String(name))) = provenance.arguments_of(call).first()
            {
                let (name, by_initialiser) = (name.to_str().into_owned(), visit.initialiser.is_some());
                let property = Property { name, value, by_initialiser };
                if !self.found.properties.contains(&property) {
                    self.found.properties.push(property);
                }
            }
        }
    }

    /// Notes classes and methods of the kind that a call asks for.
    fn add_kind(&mut self, owner: &str, name: &str) {
        let Some(kind) = kinds::asked_by(owner, name) else { return };
        for class in kind.classes.iter().map(|it| Type((*it).into())) {
            if !self.found.classes_of_kind.contains(&class) {
                self.found.classes_of_kind.push(class);
            }
        }
        for method in kind.methods.iter().filter_map(|it| it.parse::<MemberName>().ok()) {
            if !self.found.methods_of_kind.contains(&method) {
                self.found.methods_of_kind.push(method);
            }
        }
    }

    /// Whether a method reads so few fields that a call of it asks for these.
    fn reads_little(&self, body: &MethodBody<'_>) -> bool {
        let is_read = |it: &Operation<'_>| matches!(it, Operation::GetField(_) | Operation::GetStatic(_));
        let reads = body.operations().filter(|(_, it)| is_read(it));
        reads.take(self.tuning.few_reads + 1).count() <= self.tuning.few_reads
    }

    fn read(&mut self, read: &Field<'_>, visit: Visit, is_near: bool) {
        let (owner, name) = (read.member.owner.to_str(), read.member.name.to_str());
        if self.classes.is_jdk(&owner) {
            return;
        }
        let found = self.classes.hierarchy().resolve_field(&owner, &name, &read.member.descriptor.to_str());
        let Some(field) = found else { return };
        let declaring = field.class().reference();
        let by_initialiser = visit.initialiser.is_some_and(|it| it != declaring);
        let is_it = |it: &&mut Read<'_>| {
            (it.field.class().reference(), it.field.number()) == (declaring, field.number())
        };
        match self.found.fields.iter_mut().find(is_it) {
            Some(known) => {
                known.by_initialiser |= by_initialiser;
                known.is_near |= is_near;
            }
            None => self.found.fields.push(Read { field, by_initialiser, is_near }),
        }
    }

    fn call(&mut self, call: &CallSite<'_>, visit: Visit) {
        let Some(method) = call.method().or_else(|| call.lambda().map(|it| it.member)) else { return };
        let owner = method.owner.to_str();
        if self.classes.is_jdk(&owner) {
            return;
        }
        if call.kind() == InvokeKind::Static
            && call.signature.parameters().next().is_none()
            && let Some(of) = call.signature.result()
        {
            self.add_holder(&method, of);
        }
        for callee in self.callees(call) {
            self.open(Visit { method: callee, depth: visit.depth + 1, initialiser: visit.initialiser });
        }
    }

    /// What a call may run, as far as that is plain: the method itself, what classes on the trace
    /// have in its place, or the few there are.
    fn callees(&self, call: &CallSite<'_>) -> Vec<MethodId> {
        let graph = CallGraph::new(self.classes);
        let found = graph.callees_on(call, &self.traced);
        // Code that makes a lambda or method reference need not call it.
        if !found.is_empty() || call.kind() == InvokeKind::Dynamic {
            return found;
        }
        let all = graph.callees_at(call);
        if all.len() <= self.tuning.read_implementations { all } else { Vec::new() }
    }

    /// The initialisers that run when a class is first used.
    fn initialise(&mut self, class: &str, depth: usize) {
        let superclasses = self.classes.hierarchy().superclasses(class);
        for class in superclasses.take_while(|it| !self.classes.is_jdk(it.name())) {
            if let Some(initialiser) = class.method("<clinit>", "()V") {
                let initialiser = MethodId::of(initialiser);
                self.open(Visit { method: initialiser, depth, initialiser: Some(class.reference()) });
            }
        }
    }

    fn add_holder(&mut self, member: &MemberRef<'_>, of: FieldType<'_>) {
        let Some(class) = of.class_name().filter(|_| of.dimensions == 0) else { return };
        let class = class.to_str();
        if !self.classes.is_jdk(&class) && !self.found.holders.contains_key(&*class) {
            let member = MemberName {
                owner: member.owner.to_str().into_owned(),
                name: member.name.to_str().into_owned(),
                descriptor: member.descriptor.to_str().into_owned(),
            };
            self.found.holders.insert(class.into_owned(), member);
        }
    }
}
