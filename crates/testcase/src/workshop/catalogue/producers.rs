//! Methods of the project that make an object of texts, numbers or streams. People get objects from them
//! rather than put them together, and so come objects that hang together.

use std::collections::BTreeMap;

use crashback_classfile::{JavaStr, MethodDescriptor};
use crashback_program::origins::Origin;
use crashback_program::{ClassRef, ClassView, MemberView};

use super::{Catalogue, Maker, Way};
use crate::workshop::origin::{Distance, is_wide};
use crate::{MemberName, MethodId, TypeRef};

/// Producers by the internal name of the class that they yield.
pub(super) type Producers = BTreeMap<String, Vec<(ClassRef, u16)>>;

/// What producers take beside numbers.
const PLAIN: [&str; 11] = [
    "Ljava/lang/String;",
    "Ljava/lang/CharSequence;",
    "Ljava/io/InputStream;",
    "Ljava/io/Reader;",
    "Ljava/io/File;",
    "Ljava/nio/file/Path;",
    "Ljava/net/URL;",
    "[B",
    "[C",
    "[Ljava/lang/String;",
    "Ljava/nio/ByteBuffer;",
];

impl Catalogue<'_> {
    /// Adds the producers of a class, and those of classes above it whose results may be its objects. The
    /// nearest come first.
    pub(super) fn add_producers(&mut self, makers: &mut Vec<Maker>, name: &str) {
        if !self.tuning.source_factories || self.origins.is_jdk(name) || is_wide(name) {
            return;
        }
        let context = self.context;
        let above = context.hierarchy().supertypes(name).into_iter().filter_map(|it| it.known());
        let above = above.map(|it| it.name()).filter(|it| *it != name && !is_wide(it));
        let yielded: Vec<&str> =
            [name].into_iter().chain(above.filter(|it| !self.origins.is_jdk(it))).collect();
        let mut found: Vec<(bool, Distance, usize, ClassView<'_>, MemberView<'_>)> = Vec::new();
        for class in yielded {
            for (owner, number) in self.producers().get(class).cloned().unwrap_or_default() {
                let Some(owner) = context.index().view(owner) else { continue };
                let method = owner.methods().find(|it| it.number() == number);
                if let Some(method) = method.filter(|it| self.can_call(owner, *it)) {
                    let is_wider = class != name;
                    let length = method.descriptor().len();
                    found.push((is_wider, self.distance(owner.name()), length, owner, method));
                }
            }
        }
        found.sort_by(|a, b| (a.0, a.1, a.2, a.3.name()).cmp(&(b.0, b.1, b.2, b.3.name())));
        for (is_wider, _, _, owner, method) in found.into_iter().take(self.tuning.producers) {
            let Ok(id) = self.vocabulary.add_method_of(owner, method) else { continue };
            let is_known = |it: &Maker| matches!(it.way, Way::Call(known) if known == id);
            if !makers.iter().any(is_known) {
                let weight = self.share(self.tuning.factory * self.tuning.factory_of_texts, 1);
                let way = if is_wider { Way::Narrow(id) } else { Way::Call(id) };
                makers.push(Maker { way, weight, is_deep: self.is_deep_call(id) });
            }
        }
    }

    fn can_call(&self, owner: ClassView<'_>, method: MemberView<'_>) -> bool {
        self.context.method(&MemberName::through(owner.name(), method)).is_ok()
    }

    fn is_deep_call(&self, method: MethodId) -> bool {
        let parameters = self.vocabulary.method(method).map(|it| it.parameters.clone()).unwrap_or_default();
        parameters.iter().any(|it| self.needs_object(*it)) || self.needs_receiver(Way::Call(method))
    }

    /// The producers of the project, looked for once.
    fn producers(&mut self) -> &Producers {
        if self.producers.is_none() {
            self.producers = Some(self.find_producers());
        }
        self.producers.get_or_insert_default()
    }

    fn find_producers(&self) -> Producers {
        let mut found = Producers::new();
        let index = self.context.index();
        let classes = index.packages().flat_map(|(_, classes)| classes.iter().copied());
        for class in classes.filter(|it| self.origins.origin_at(*it) == Origin::Project) {
            let Some(view) = index.view(class) else { continue };
            for method in view.methods().filter(|it| !it.is_private() && !it.is_synthetic()) {
                if let Some(result) = produced(method.descriptor()) {
                    found.entry(result.to_owned()).or_default().push((class, method.number()));
                }
            }
        }
        found
    }
}

/// The class that a method yields, if it makes it of plain values, a text among them.
fn produced(descriptor: &str) -> Option<&str> {
    let (_, result) = descriptor.rsplit_once(')')?;
    let result = TypeRef(result).class_name().filter(|it| !it.starts_with("java/"))?;
    let encoded = JavaStr::encode(descriptor);
    let parsed = MethodDescriptor::parse(JavaStr::new(&encoded)).ok()?;
    let mut takes_text = false;
    for parameter in parsed.parameters() {
        let parameter = parameter.to_string();
        let is_plain = PLAIN.contains(&parameter.as_str());
        takes_text |= is_plain;
        if !is_plain && parameter.len() > 1 {
            return None;
        }
    }
    takes_text.then_some(result)
}

#[cfg(test)]
mod tests {
    use super::produced;

    #[test]
    fn producers_take_texts_and_numbers_alone() {
        assert_eq!(produced("(Ljava/lang/String;I)La/Plan;"), Some("a/Plan"));
        assert_eq!(produced("([B)La/Plan;"), Some("a/Plan"));
        for other in ["(I)La/Plan;", "()La/Plan;", "(Ljava/lang/String;La/B;)La/Plan;", "([B)V", "([B)[La/B;"]
        {
            assert_eq!(produced(other), None, "{other}");
        }
        assert_eq!(produced("(Ljava/lang/String;)Ljava/util/List;"), None);
    }
}
