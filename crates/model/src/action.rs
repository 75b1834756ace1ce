use std::fmt;

use crashback_classfile::{FieldType, JavaStr, MethodDescriptor};

/// A constructor or method that is called on objects of a class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action {
    /// Its name, `<init>` for constructors.
    pub name: Box<str>,
    /// Its descriptor.
    pub descriptor: Box<str>,
}

impl Action {
    /// A constructor or method by name and descriptor.
    pub fn new(name: &str, descriptor: &str) -> Self {
        Self { name: name.into(), descriptor: descriptor.into() }
    }

    /// Whether it is a constructor.
    pub fn is_constructor(&self) -> bool {
        &*self.name == "<init>"
    }
}

/// As people write it, with simple names of types: `new(int)`, `put(Object, Object)`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.is_constructor() { "new" } else { &*self.name };
        let Ok(descriptor) = MethodDescriptor::parse(JavaStr::new(self.descriptor.as_bytes())) else {
            return write!(f, "{name}{}", self.descriptor);
        };
        let parameters: Vec<String> = descriptor.parameters().map(simple_name).collect();
        write!(f, "{name}({})", parameters.join(", "))
    }
}

fn simple_name(of: FieldType<'_>) -> String {
    let name = of.java_name();
    name.rsplit(['.', '$']).next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::Action;

    #[test]
    fn actions_read_like_java() {
        let put = Action::new("put", "(Ljava/lang/Object;[Ljava/util/Map$Entry;I)Z");
        assert_eq!(put.to_string(), "put(Object, Entry[], int)");
        assert_eq!(Action::new("<init>", "()V").to_string(), "new()");
        assert_eq!(Action::new("odd", "nothing").to_string(), "oddnothing");
    }
}
