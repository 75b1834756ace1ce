//! Whose a class is, by its name: the only place of the workshop that looks at names of packages.

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
    /// Insides of the JDK, which no test should use.
    JdkInternal,
}

/// How far a class, given by its internal name, is from a test in a package.
pub(super) fn distance(class: &str, package: &str) -> Distance {
    let project = |name: &str| name.split('/').take(3).collect::<Vec<_>>().join("/");
    match class.rsplit_once('/').map_or("", |(package, _)| package) {
        own if own == package => Distance::Package,
        other if project(other) == project(package) => Distance::Project,
        "java/util" | "java/lang" | "java/io" | "java/text" => Distance::CommonJdk,
        other if ["sun/", "jdk/", "com/sun/"].iter().any(|it| other.starts_with(it)) => Distance::JdkInternal,
        other if is_java(other) => Distance::Jdk,
        _ => Distance::Library,
    }
}

/// Whether a package is named as those of the JDK's specifications are.
pub(super) fn is_java(package: &str) -> bool {
    package.starts_with("java")
}

/// Whether the name of a class is one of the JDK's. Some specifications of `javax` that come as
/// libraries count too.
pub(super) fn is_jdk(class: &str) -> bool {
    ["java/", "javax/", "sun/", "jdk/"].iter().any(|it| class.starts_with(it))
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
    use super::{Distance, distance, is_jdk, is_plain, is_wide};

    #[test]
    fn near_classes_come_first() {
        let test = "org/example/shop/cart";
        for (class, expect) in [
            ("org/example/shop/cart/Item", Distance::Package),
            ("org/example/shop/Shop", Distance::Project),
            ("java/util/List", Distance::CommonJdk),
            ("org/other/Thing", Distance::Library),
            ("java/awt/Point", Distance::Jdk),
            ("sun/misc/Unsafe", Distance::JdkInternal),
        ] {
            assert_eq!(distance(class, test), expect, "{class}");
        }
        assert!(Distance::Package < Distance::Library && Distance::Library < Distance::JdkInternal);
    }

    #[test]
    fn names_tell_the_jdk_from_others() {
        assert!(is_jdk("java/util/List") && is_jdk("javax/swing/JFrame") && !is_jdk("org/java/X"));
        assert!(is_plain("java/util/List") && !is_plain("javax/sql/DataSource"));
        assert!(is_wide("java/lang/Object") && !is_wide("java/lang/String"));
    }
}
