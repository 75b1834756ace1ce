//! How far a class is from a test, and which classes of the JDK are plain values: the only place of
//! the workshop that looks at names of the JDK's packages.

use crashback_program::origins::Origin;

/// How far a class is from a test in a package, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Distance {
    /// The package of the test.
    Package,
    /// The project of the test.
    Project,
    /// The packages of the JDK that every program uses.
    CommonJdk,
    /// Neither the project nor the JDK.
    Library,
    /// Other public packages of the JDK.
    Jdk,
    /// The program's own tests.
    Tests,
    /// Insides of the JDK, which no test should use.
    JdkInternal,
}

/// How far a class of an origin, given by its internal name, is from a test in a package.
pub(super) fn distance(origin: Origin, class: &str, package: &str) -> Distance {
    let own = class.rsplit_once('/').map_or("", |(package, _)| package);
    match origin {
        _ if own == package => Distance::Package,
        Origin::Project => Distance::Project,
        Origin::Library => Distance::Library,
        Origin::Jdk if ["java/util", "java/lang", "java/io", "java/text"].contains(&own) => {
            Distance::CommonJdk
        }
        Origin::Jdk if ["sun/", "jdk/", "com/sun/"].iter().any(|it| own.starts_with(it)) => {
            Distance::JdkInternal
        }
        Origin::Jdk => Distance::Jdk,
    }
}

/// Whether a class of the JDK is a value, or so plain that a real object is as easily made as a
/// mock. Such classes are never mocked, and such interfaces only where nothing implements them.
pub(super) fn is_plain(class: &str) -> bool {
    const PACKAGES: [&str; 12] = [
        "java/lang/",
        "java/util/",
        "java/io/",
        "java/nio/",
        "java/math/",
        "java/text/",
        "java/time/",
        "java/net/",
        "java/security/",
        "javax/swing/",
        "sun/",
        "jdk/",
    ];
    PACKAGES.iter().any(|it| class.starts_with(it))
}

/// Whether nearly every class is below a type, so that the type says nothing about its values.
pub(super) fn is_wide(class: &str) -> bool {
    ["java/lang/Object", "java/io/Serializable", "java/lang/Comparable", "java/lang/Cloneable"]
        .contains(&class)
}

#[cfg(test)]
mod tests {
    use super::{Distance, Origin, distance, is_plain, is_wide};

    #[test]
    fn near_classes_come_first() {
        let test = "org/example/shop/cart";
        for (origin, class, expect) in [
            (Origin::Project, "org/example/shop/cart/Item", Distance::Package),
            (Origin::Project, "org/example/shop/Shop", Distance::Project),
            (Origin::Jdk, "java/util/List", Distance::CommonJdk),
            (Origin::Library, "org/example/other/Thing", Distance::Library),
            (Origin::Jdk, "java/awt/Point", Distance::Jdk),
            (Origin::Jdk, "sun/misc/Unsafe", Distance::JdkInternal),
        ] {
            assert_eq!(distance(origin, class, test), expect, "{class}");
        }
        assert!(Distance::Package < Distance::Library && Distance::Library < Distance::JdkInternal);
    }

    #[test]
    fn names_tell_plain_and_wide_types() {
        assert!(is_plain("java/util/List") && !is_plain("javax/sql/DataSource"));
        assert!(is_wide("java/lang/Object") && !is_wide("java/lang/String"));
    }
}
