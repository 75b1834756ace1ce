//! Class files on demand, each read at most once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crashback_classfile::ClassFile;

use crate::code::{LocalVariables, MethodBody};
use crate::hierarchy::Hierarchy;
use crate::index::{ClassIndex, ClassRef, ClassView, MemberView};
use crate::origins::is_jdk;
use crate::source::{ClassSource, EntryInfo, SourceError};

/// A class source with the bytes that were already asked for.
pub struct Classes<'s> {
    source: &'s dyn ClassSource,
    loaded: Mutex<BTreeMap<ClassRef, Arc<[u8]>>>,
}

impl<'s> Classes<'s> {
    /// Classes of this source, none read yet.
    pub fn new(source: &'s dyn ClassSource) -> Self {
        Self { source, loaded: Mutex::default() }
    }

    /// The index of all classes.
    pub fn index(&self) -> &'s ClassIndex {
        self.source.index()
    }

    /// Type questions over the index.
    pub fn hierarchy(&self) -> Hierarchy<'s> {
        Hierarchy::new(self.source.index())
    }

    /// The class file of a class.
    pub fn bytes(&self, class: ClassRef) -> Result<Arc<[u8]>, SourceError> {
        // A poisoned lock only means that another thread died between two complete states of the
        // map.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = loaded.get(&class) {
            return Ok(Arc::clone(bytes));
        }
        let bytes = self.source.bytes(class)?;
        loaded.insert(class, Arc::clone(&bytes));
        Ok(bytes)
    }

    /// Gives a class's methods with their bodies, in the order of the class file, to a function.
    /// Methods without code and code that cannot be read are passed over: the class path reports
    /// damaged classes.
    pub fn for_each_body(&self, class: ClassView<'_>, mut look: impl FnMut(MethodId, &MethodBody<'_>)) {
        let Ok(bytes) = self.bytes(class.reference()) else { return };
        let Ok(file) = ClassFile::parse(&bytes) else { return };
        for (number, method) in (0..).zip(&file.methods) {
            if let Ok(Some(body)) = MethodBody::of(&file, method) {
                look(MethodId { class: class.reference(), number }, &body);
            }
        }
    }

    /// Gives the body of a method to a function; none if it has no code or its code cannot be read.
    pub fn with_body<R>(&self, method: MethodId, look: impl FnOnce(&MethodBody<'_>) -> R) -> Option<R> {
        let bytes = self.bytes(method.class).ok()?;
        let file = ClassFile::parse(&bytes).ok()?;
        let member = file.methods.get(usize::from(method.number))?;
        MethodBody::of(&file, member).ok().flatten().map(|body| look(&body))
    }

    /// Gives the body of a method and its local variables to a function, as [`with_body`](Self::with_body)
    /// does.
    pub fn with_variables<R>(
        &self,
        method: MethodId,
        look: impl FnOnce(&MethodBody<'_>, &LocalVariables<'_>) -> R,
    ) -> Option<R> {
        let bytes = self.bytes(method.class).ok()?;
        let file = ClassFile::parse(&bytes).ok()?;
        let member = file.methods.get(usize::from(method.number))?;
        let body = MethodBody::of(&file, member).ok()??;
        // Names that cannot be read are as good as none.
        let variables = LocalVariables::of(&file, member).unwrap_or_default();
        Some(look(&body, &variables))
    }

    /// The class-path entry that holds a class.
    pub fn entry(&self, class: ClassRef) -> Option<&'s EntryInfo> {
        self.source.entry(class)
    }

    /// The source behind.
    pub fn source(&self) -> &'s dyn ClassSource {
        self.source
    }

    /// Whether a class belongs to the JDK, by its place or, if it is not on the class path, by its
    /// name. Whether another class is the project's or a library's, [`Origins`](crate::Origins)
    /// tells.
    pub fn is_jdk(&self, internal_name: &str) -> bool {
        let entry = self.index().places(internal_name).next().and_then(|it| self.entry(it));
        is_jdk(internal_name, entry)
    }

    /// The classes that share a top-level class with this one, itself among them; these can see its
    /// private members. Found by name, so that classes from before nest mates (Java 11) are served
    /// too.
    pub fn nest(&self, class: ClassView<'_>) -> Vec<ClassView<'s>> {
        let top = top_level_name(class.name());
        let package = self.index().package(class.package());
        package
            .iter()
            .filter_map(|&it| self.index().view(it))
            .filter(|it| top_level_name(it.name()) == top)
            .collect()
    }
}

/// One method of the class path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodId {
    /// The class that declares it.
    pub class: ClassRef,
    /// Its number among the methods of the class.
    pub number: u16,
}

impl MethodId {
    /// The identity of a method in the index.
    pub fn of(method: MemberView<'_>) -> Self {
        Self { class: method.class().reference(), number: method.number() }
    }

    /// The method as the index knows it.
    pub fn view(self, index: &ClassIndex) -> Option<MemberView<'_>> {
        index.view(self.class)?.methods().nth(usize::from(self.number))
    }
}

/// The name up to the first `$` that does not begin a simple name.
fn top_level_name(internal_name: &str) -> &str {
    let start = internal_name.rfind('/').map_or(0, |slash| slash + 1);
    let simple = internal_name.get(start..).unwrap_or_default();
    match simple.char_indices().skip(1).find(|(_, it)| *it == '$') {
        Some((dollar, _)) => internal_name.get(..start + dollar).unwrap_or(internal_name),
        None => internal_name,
    }
}

#[cfg(test)]
mod tests {
    use super::top_level_name;

    #[test]
    fn nested_classes_share_their_top_level_name() {
        assert_eq!(top_level_name("a/b/Outer"), "a/b/Outer");
        assert_eq!(top_level_name("a/b/Outer$Inner$1"), "a/b/Outer");
        assert_eq!(top_level_name("Outer$1"), "Outer");
        assert_eq!(top_level_name("a/$Odd$1"), "a/$Odd");
    }
}
