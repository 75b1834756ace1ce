//! Models of how the program uses objects of classes that matter to a crash (Derakhshanfar et al. 2020).

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crashback_classfile::{ClassFile, FieldType, JavaStr, MethodDescriptor};
use crashback_model::select::{Criterion, fitting_number, select};
use crashback_model::{Collector, DEFAULT_ORDER, Model, Models};
use crashback_program::classes::Classes;
use crashback_program::frames::{CrashAudit, FrameAudit, Origin};
use crashback_program::hierarchy::Supertype;
use crashback_program::{ClassRef, ClassView, EntryKind};
use crashback_testcase::workshop::{Behaviour, Tuning};

use crate::collect::Offers;

/// How many classes below a class that matters do so themselves.
const MOST_BELOW: usize = 8;

/// Adds behaviours of objects, from models that are given and from class files near the trace.
///
/// The class files are chosen by their names and sizes alone, so that the result depends neither on the
/// clock nor on a cache.
pub(crate) fn add(
    classes: &Classes<'_>,
    audit: &CrashAudit,
    given: Option<&Models>,
    offers: &mut Offers<'_>,
) {
    if !offers.tuning.source_models {
        return;
    }
    let wanted = Wanted::of(classes, audit, offers);
    let order = given.map_or(DEFAULT_ORDER, Models::order);
    let mut models = learnt(classes, audit, &wanted, order, offers.tuning);
    if let Some(given) = given {
        // The orders are equal, so that this does not fail.
        let _ = models.merge(given.only(|class| wanted.names.contains(class)));
    }
    for class in &wanted.names {
        if let Some(model) = models.get(class) {
            offers.pools.behaviours.insert(class.clone(), behaviours(model));
        }
    }
}

/// Behaviours by all criteria: mostly different ones, and some of the likeliest and the rarest.
fn behaviours(model: &Model) -> Vec<Behaviour> {
    let most = fitting_number(model);
    let mut found: Vec<Behaviour> = Vec::new();
    let shares =
        [(Criterion::Dissimilarity, most), (Criterion::Likelihood, most / 4), (Criterion::Rarity, most / 4)];
    for (criterion, share) in shares {
        for selected in select(model, criterion, share) {
            let calls = selected.actions.iter();
            let calls = calls.map(|it| (it.name.to_string(), it.descriptor.to_string()));
            let behaviour = Behaviour(calls.collect());
            if !found.contains(&behaviour) {
                found.push(behaviour);
            }
        }
    }
    found
}

/// Internal names of classes that matter, none of them the JDK's: those of frames, those below them, types of
/// parameters and fields, types that the code of the frames names, and all types above these.
struct Wanted {
    names: BTreeSet<String>,
    most: usize,
}

impl Wanted {
    fn of(classes: &Classes<'_>, audit: &CrashAudit, offers: &Offers<'_>) -> Self {
        let mut wanted = Self { names: BTreeSet::new(), most: offers.tuning.model_classes };
        let frames = || audit.frames.iter().filter(|it| it.origin != Origin::Jdk);
        let views: Vec<ClassView<'_>> = frames().filter_map(|it| class_of(classes, it)).collect();
        for class in &views {
            wanted.add(classes, class.name());
        }
        for method in frames().filter_map(|it| it.resolved?.view(classes.index())) {
            wanted.add_all(classes, types_of(method.descriptor()));
        }
        for class in &views {
            for below in classes.hierarchy().concrete_subtypes(class.name()).iter().take(MOST_BELOW) {
                wanted.add(classes, below.name());
            }
            for constructor in class.methods_named("<init>") {
                wanted.add_all(classes, types_of(constructor.descriptor()));
            }
            wanted.add_all(classes, class.fields().filter_map(|it| it.type_class()).map(str::to_owned));
        }
        wanted.add_all(classes, offers.pools.mentioned.iter().cloned());
        wanted
    }

    fn add_all(&mut self, classes: &Classes<'_>, names: impl IntoIterator<Item = String>) {
        for name in names {
            self.add(classes, &name);
        }
    }

    /// Adds a class and the types above it, while there is room.
    fn add(&mut self, classes: &Classes<'_>, name: &str) {
        let above = classes.hierarchy().supertypes(name).into_iter().filter_map(Supertype::known);
        let above = above.map(|it| it.name()).filter(|it| !classes.is_jdk(it));
        for name in above {
            if self.names.len() < self.most && !self.names.contains(name) {
                self.names.insert(name.to_owned());
            }
        }
    }
}

/// Whether a class file names one of some classes (internal names).
pub fn names_any(bytes: &[u8], classes: &BTreeSet<String>) -> bool {
    let Ok(file) = ClassFile::parse(bytes) else { return false };
    let pool = &file.pool;
    pool.iter().any(|(index, _)| pool.class_name(index).is_ok_and(|it| classes.contains(&*it.to_str())))
}

fn class_of<'c>(classes: &Classes<'c>, frame: &FrameAudit) -> Option<ClassView<'c>> {
    classes.index().get(&frame.class.replace('.', "/"))
}

/// The classes of the parameters of a method.
fn types_of(descriptor: &str) -> Vec<String> {
    let Ok(descriptor) = MethodDescriptor::parse(JavaStr::new(descriptor.as_bytes())) else {
        return Vec::new();
    };
    descriptor.parameters().filter_map(FieldType::class_name).map(|it| it.to_str().into_owned()).collect()
}

/// Models of the wanted classes, from the class files of the project that are nearest to the trace.
fn learnt(
    classes: &Classes<'_>,
    audit: &CrashAudit,
    wanted: &Wanted,
    order: usize,
    tuning: &Tuning,
) -> Models {
    let mut collector = Collector::new(order);
    let mut left = tuning.model_kilobytes.saturating_mul(1000);
    for class in nearest(classes, audit) {
        if left == 0 {
            break;
        }
        // Past the memory of `Classes`: most of these class files are looked at once.
        let Ok(bytes) = classes.source().bytes(class) else { continue };
        left = left.saturating_sub(bytes.len());
        if names_any(&bytes, &wanted.names) {
            collector.add_class(&bytes, |it| wanted.names.contains(it));
        }
    }
    collector.finish()
}

/// The classes in folders, and in jars that hold classes of the trace; those whose packages have more in
/// common with one of the trace first.
fn nearest(classes: &Classes<'_>, audit: &CrashAudit) -> Vec<ClassRef> {
    let frames = audit.frames.iter().filter(|it| it.origin != Origin::Jdk);
    let traced: Vec<ClassView<'_>> = frames.filter_map(|it| class_of(classes, it)).collect();
    let packages: BTreeSet<&str> = traced.iter().map(|it| it.package()).collect();
    let entries: BTreeSet<&str> =
        traced.iter().filter_map(|it| classes.entry(it.reference())).map(|it| it.path.as_str()).collect();
    let is_near = |class: &ClassView<'_>| {
        classes.entry(class.reference()).is_some_and(|it| {
            it.kind == EntryKind::Directory || it.kind == EntryKind::Jar && entries.contains(it.path.as_str())
        })
    };
    let nearness = |class: ClassView<'_>| packages.iter().map(|it| common(it, class.package())).max();
    let mut found: Vec<(Reverse<Option<usize>>, ClassRef)> =
        classes.index().iter().filter(is_near).map(|it| (Reverse(nearness(it)), it.reference())).collect();
    found.sort_unstable();
    found.into_iter().map(|(_, class)| class).collect()
}

/// How many names two packages begin with alike; one more if they are the same.
pub(crate) fn common(a: &str, b: &str) -> usize {
    let names = a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count();
    names + usize::from(a == b)
}
