//! Types whose instances never change, as far as tests can tell.

use std::collections::BTreeSet;

use crashback_classfile::{ElementType, FieldType, JavaStr};

/// The facts that decide whether values of a type can change.
#[derive(Clone, Copy)]
pub(crate) struct Types<'t> {
    /// The class that is looked at.
    own: JavaStr<'t>,
    /// Whether its objects cannot change.
    own_is_immutable: bool,
    /// Types that were found to be immutable elsewhere.
    found: &'t BTreeSet<String>,
}

impl<'t> Types<'t> {
    /// The types as a class sees them whose own objects may change, unless they were found not to.
    pub(crate) fn new(own: JavaStr<'t>, found: &'t BTreeSet<String>) -> Self {
        Self { own, own_is_immutable: found.contains(&*own.to_str()), found }
    }

    /// The same where objects of the class itself do not change.
    pub(crate) fn with_own_immutable(self) -> Self {
        Self { own_is_immutable: true, ..self }
    }

    /// The class that is looked at.
    pub(crate) fn own(self) -> JavaStr<'t> {
        self.own
    }

    /// Whether objects of the class that is looked at do not change.
    pub(crate) fn own_is_immutable(self) -> bool {
        self.own_is_immutable
    }

    /// Whether values of a type have no state of their own: primitives, and objects of immutable
    /// types.
    pub(crate) fn is_immutable(self, field: FieldType<'_>) -> bool {
        match field {
            FieldType { dimensions: 0, element: ElementType::Primitive(_) } => true,
            _ => field.class_name().is_some_and(|name| {
                (self.own_is_immutable && name == self.own)
                    || is_known_immutable(&name.to_str())
                    || self.found.contains(&*name.to_str())
            }),
        }
    }
}

/// Whether objects of a class or interface of the JDK never change, as far as tests can tell, or it
/// is a logger of a logging library. Loggers count as immutable: their output is not part of a
/// test's result, and nearly every class holds one.
pub fn is_known_immutable(name: &str) -> bool {
    IMMUTABLE.binary_search(&name).is_ok() || (name.starts_with("java/time/") && !name.ends_with("Builder"))
}

/// Whether a type is a collection of the JDK by the name of its class.
pub(crate) fn is_collection(field: FieldType<'_>) -> bool {
    field.class_name().is_some_and(|name| {
        let name = name.to_str();
        name.starts_with("java/util/") && ["Map", "List", "Set"].iter().any(|end| name.ends_with(end))
    })
}

/// Classes and interfaces in the order of their names. Of the interfaces, all implementations worth
/// mentioning are immutable.
const IMMUTABLE: &[&str] = &[
    "java/awt/BasicStroke",
    "java/awt/Color",
    "java/awt/Font",
    "java/awt/Paint",
    "java/awt/Stroke",
    "java/io/File",
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Class",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/String",
    "java/lang/Void",
    "java/lang/annotation/ElementType",
    "java/lang/annotation/RetentionPolicy",
    "java/lang/invoke/MethodHandle",
    "java/lang/invoke/MethodType",
    "java/lang/invoke/VarHandle",
    "java/lang/reflect/Constructor",
    "java/lang/reflect/Field",
    "java/lang/reflect/Method",
    "java/lang/reflect/Type",
    "java/math/BigDecimal",
    "java/math/BigInteger",
    "java/math/MathContext",
    "java/math/RoundingMode",
    "java/net/URI",
    "java/net/URL",
    "java/nio/ByteOrder",
    "java/nio/charset/Charset",
    "java/nio/charset/CodingErrorAction",
    "java/nio/file/LinkOption",
    "java/nio/file/Path",
    "java/nio/file/StandardCopyOption",
    "java/nio/file/StandardOpenOption",
    "java/text/Normalizer$Form",
    "java/util/Currency",
    "java/util/Locale",
    "java/util/UUID",
    "java/util/concurrent/TimeUnit",
    "java/util/logging/Level",
    "java/util/logging/Logger",
    "java/util/regex/Pattern",
    "org/apache/commons/logging/Log",
    "org/apache/log4j/Category",
    "org/apache/log4j/Logger",
    "org/apache/logging/log4j/Logger",
    "org/apache/logging/log4j/Marker",
    "org/jboss/logging/Logger",
    "org/slf4j/Logger",
    "org/slf4j/Marker",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        assert!(IMMUTABLE.is_sorted());
    }

    #[test]
    fn types_are_told_apart() {
        let found = BTreeSet::from(["a/Point".to_owned()]);
        let types = Types::new(b"a/Own".as_slice().into(), &found);
        for (descriptor, expected) in [
            ("I", true),
            ("Ljava/lang/String;", true),
            ("Ljava/time/LocalDate;", true),
            ("Ljava/time/format/DateTimeFormatterBuilder;", false),
            ("Lorg/slf4j/Logger;", true),
            ("La/Point;", true),
            ("La/Own;", false),
            ("[I", false),
            ("[Ljava/lang/String;", false),
            ("Ljava/util/Date;", false),
            ("Ljava/lang/Object;", false),
        ] {
            let field = FieldType::parse(descriptor.as_bytes().into()).unwrap();
            assert_eq!(types.is_immutable(field), expected, "{descriptor}");
        }
        let own = FieldType::parse(b"La/Own;".as_slice().into()).unwrap();
        assert!(types.with_own_immutable().is_immutable(own));
    }
}
