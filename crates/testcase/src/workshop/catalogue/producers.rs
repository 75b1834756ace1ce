//! Methods of the project that make an object of texts, numbers or streams. People get objects from them
//! rather than put them together, and so come objects that hang together.

use std::collections::BTreeMap;

use crashback_classfile::{JavaStr, MethodDescriptor, MethodSignature, SignatureElement, TypeArgument};
use crashback_program::origins::Origin;
use crashback_program::{ClassRef, ClassView, MemberView};

use super::{Catalogue, Maker, Way};
use crate::workshop::origin::{Distance, is_wide};
use crate::{MemberName, MethodId, TypeRef};

/// Producers by the internal name of the class that they yield.
pub(super) type Producers = BTreeMap<String, Vec<Producer>>;

/// A method that makes an object of plain values, or hands out a part of such an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Producer {
    owner: ClassRef,
    /// Number of the method.
    method: u16,
    /// The container that the object lies in, if it does.
    container: Option<Container>,
    /// Whether it is a part of the object whose method this is.
    is_part: bool,
}

/// A container from which an object is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    /// `java.util.List`, by its first index.
    List,
    /// Any other that can be gone through.
    Iterable,
    /// What goes through one.
    Iterator,
    /// The values of a map.
    Map,
    /// `java.util.Optional`
    Optional,
    /// An array.
    Array,
}

impl Container {
    /// What a class of the JDK is, and which of its type arguments is that of its elements.
    fn of(class: &str) -> Option<(Self, usize)> {
        Some(match class {
            "java/util/List" | "java/util/ArrayList" | "java/util/LinkedList" => (Self::List, 0),
            "java/lang/Iterable"
            | "java/util/Collection"
            | "java/util/Set"
            | "java/util/SortedSet"
            | "java/util/HashSet"
            | "java/util/LinkedHashSet"
            | "java/util/TreeSet"
            | "java/util/Queue"
            | "java/util/Deque" => (Self::Iterable, 0),
            "java/util/Iterator" | "java/util/ListIterator" => (Self::Iterator, 0),
            "java/util/Map"
            | "java/util/HashMap"
            | "java/util/LinkedHashMap"
            | "java/util/SortedMap"
            | "java/util/TreeMap" => (Self::Map, 1),
            "java/util/Optional" => (Self::Optional, 0),
            _ => return None,
        })
    }
}

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
        let mut found: Vec<(Rank<'_>, ClassView<'_>, MemberView<'_>)> = Vec::new();
        for class in yielded {
            for producer in self.producers().get(class).cloned().unwrap_or_default() {
                let Producer { owner, method, container, is_part } = producer;
                let Some(owner) = context.index().view(owner) else { continue };
                let method = owner.methods().find(|it| it.number() == method);
                if let Some(method) = method.filter(|it| self.can_call(owner, *it)) {
                    let (distance, length) = (self.distance(owner.name()), method.descriptor().len());
                    let is_wider = class != name;
                    let rank = Rank { is_wider, is_part, container, distance, length, owner: owner.name() };
                    found.push((rank, owner, method));
                }
            }
        }
        found.sort_by_key(|(rank, ..)| rank.key());
        for (rank, owner, method) in found.into_iter().take(self.tuning.producers) {
            let Ok(id) = self.vocabulary.add_method_of(owner, method) else { continue };
            let is_known = |it: &Maker| matches!(it.way, Way::Call(known) if known == id);
            if !makers.iter().any(is_known) {
                let weight = self.share(self.tuning.factory * self.tuning.factory_of_texts, 1);
                let way = match rank.container {
                    Some(container) => Way::Take(id, container),
                    None if rank.is_wider => Way::Narrow(id),
                    None => Way::Call(id),
                };
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
        let of_project = |it: &ClassRef| self.origins.origin_at(*it) == Origin::Project;
        let classes = index.packages().flat_map(|(_, classes)| classes.iter().copied());
        let classes: Vec<ClassView<'_>> =
            classes.filter(of_project).filter_map(|it| index.view(it)).collect();
        let is_usable = |it: &MemberView<'_>| !it.is_private() && !it.is_synthetic();
        for class in &classes {
            for method in class.methods().filter(is_usable).filter(|it| takes_text(it.descriptor())) {
                self.add_producer(&mut found, *class, method, false);
            }
        }
        // What producers yield as a whole has parts.
        let is_whole = |it: &ClassView<'_>| {
            let of = found.get(it.name());
            of.is_some_and(|it| it.iter().any(|it| it.container.is_none()))
        };
        let wholes: Vec<ClassView<'_>> = classes.iter().copied().filter(is_whole).collect();
        for class in wholes.iter().filter(|_| self.tuning.source_parts) {
            let is_getter = |it: &MemberView<'_>| !it.is_static() && it.descriptor().starts_with("()");
            for method in class.methods().filter(is_usable).filter(is_getter) {
                self.add_producer(&mut found, *class, method, true);
            }
        }
        found
    }

    fn add_producer(
        &self,
        found: &mut Producers,
        class: ClassView<'_>,
        method: MemberView<'_>,
        is_part: bool,
    ) {
        let Some((result, container)) = yielded(method.descriptor(), method.signature()) else { return };
        let is_itself = is_part && result == class.name();
        if !is_itself && (container.is_none() || self.tuning.source_containers) {
            let (owner, method) = (class.reference(), method.number());
            found.entry(result).or_default().push(Producer { owner, method, container, is_part });
        }
    }
}

/// What decides which of several producers come first: those of the class itself, those that yield it
/// as it is, near and simple ones.
struct Rank<'r> {
    is_wider: bool,
    is_part: bool,
    container: Option<Container>,
    distance: Distance,
    length: usize,
    owner: &'r str,
}

impl<'r> Rank<'r> {
    fn key(&self) -> (bool, bool, bool, Distance, usize, &'r str) {
        (self.is_wider, self.is_part, self.container.is_some(), self.distance, self.length, self.owner)
    }
}

/// The class of the object that a method yields, and the container that it lies in; none for those of
/// the JDK.
fn yielded(descriptor: &str, signature: Option<&str>) -> Option<(String, Option<Container>)> {
    let (_, result) = descriptor.rsplit_once(')')?;
    let of_program = |it: &str| Some(it.to_owned()).filter(|it| !it.starts_with("java/"));
    if let Some(element) = result.strip_prefix('[') {
        let class = TypeRef(element).class_name().and_then(of_program)?;
        return Some((class, Some(Container::Array)));
    }
    let class = TypeRef(result).class_name()?;
    let Some((container, number)) = Container::of(class) else {
        return of_program(class).map(|it| (it, None));
    };
    let signature = MethodSignature::parse(JavaStr::new(signature?.as_bytes())).ok()?;
    let SignatureElement::Class(of) = &signature.result.as_ref()?.element else { return None };
    let (TypeArgument::Exact(element) | TypeArgument::Extends(element)) = of.arguments.get(number)? else {
        return None;
    };
    match &element.element {
        SignatureElement::Class(class) if element.dimensions == 0 => {
            of_program(&class.internal_name()).map(|it| (it, Some(container)))
        }
        _ => None,
    }
}

/// Whether a method takes plain values alone, a text among them.
fn takes_text(descriptor: &str) -> bool {
    let encoded = JavaStr::encode(descriptor);
    let Ok(parsed) = MethodDescriptor::parse(JavaStr::new(&encoded)) else { return false };
    let mut takes_text = false;
    for parameter in parsed.parameters() {
        let parameter = parameter.to_string();
        let is_plain = PLAIN.contains(&parameter.as_str());
        takes_text |= is_plain;
        if !is_plain && parameter.len() > 1 {
            return false;
        }
    }
    takes_text
}

#[cfg(test)]
mod tests {
    use super::{Container, takes_text, yielded};

    #[test]
    fn producers_take_texts_and_numbers_alone() {
        assert!(takes_text("(Ljava/lang/String;I)La/Plan;") && takes_text("([B)La/Plan;"));
        for other in ["(I)La/Plan;", "()La/Plan;", "(Ljava/lang/String;La/B;)La/Plan;"] {
            assert!(!takes_text(other), "{other}");
        }
    }

    #[test]
    fn objects_are_found_in_containers() {
        let of = |descriptor: &str, signature: Option<&str>| yielded(descriptor, signature);
        let part = |container| Some(("a/Part".to_owned(), container));
        assert_eq!(of("()La/Part;", None), part(None));
        assert_eq!(of("()[La/Part;", None), part(Some(Container::Array)));
        assert_eq!(
            of("()Ljava/util/List;", Some("()Ljava/util/List<La/Part;>;")),
            part(Some(Container::List))
        );
        let map = "()Ljava/util/Map<Ljava/lang/String;+La/Part;>;";
        assert_eq!(of("()Ljava/util/Map;", Some(map)), part(Some(Container::Map)));
        for (descriptor, signature) in [
            ("()V", None),
            ("()Ljava/util/List;", None),
            ("()Ljava/util/List;", Some("()Ljava/util/List<Ljava/lang/String;>;")),
            ("()Ljava/util/Optional;", Some("<T:Ljava/lang/Object;>()Ljava/util/Optional<TT;>;")),
            ("()[[La/Part;", None),
        ] {
            assert_eq!(of(descriptor, signature), None, "{descriptor}");
        }
    }
}
