//! Names of the JDK's own classes.

/// Whether a class belongs to the JDK, as far as its internal name tells.
///
/// Only the place of a class on the class path is certain. The name decides where there is no such
/// place: for classes of stack traces that the class path lacks, and inside the process that runs
/// tests. Libraries whose packages look like the JDK's (`javax/servlet`, `com/sun/mail`) are told
/// apart.
pub fn is_jdk_name(internal_name: &str) -> bool {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| internal_name.starts_with(prefix));
    starts(JDK_ONLY)
        || internal_name.starts_with("com/sun/") && !starts(NOT_JDK_SUN)
        || internal_name.starts_with("javax/") && starts(JDK_JAVAX)
        || internal_name.starts_with("org/") && starts(JDK_ORG)
}

/// Packages that belong to the JDK with everything below them.
const JDK_ONLY: &[&str] = &["java/", "jdk/", "sun/", "netscape/javascript/", "org/ietf/jgss/"];

/// Libraries under `com.sun` that the JDK does not hold.
const NOT_JDK_SUN: &[&str] = &[
    "com/sun/mail/",
    "com/sun/faces/",
    "com/sun/jersey/",
    "com/sun/jna/",
    "com/sun/activation/",
    "com/sun/syndication/",
    "com/sun/xml/messaging/",
    "com/sun/xml/ws/",
    "com/sun/xml/bind/",
    "com/sun/xml/stream/",
    "com/sun/xml/fastinfoset/",
    "com/sun/xml/txw2/",
    "com/sun/istack/",
    "com/sun/el/",
    "com/sun/enterprise/",
    "com/sun/grizzly/",
    "com/sun/codemodel/",
    "com/sun/tools/xjc/",
    "com/sun/star/",
    "com/sun/ts/",
];

/// Packages under `javax` that the JDK holds (Java SE 8 to 25, without those that left it with Java
/// 11).
const JDK_JAVAX: &[&str] = &[
    "javax/accessibility/",
    "javax/annotation/processing/",
    "javax/crypto/",
    "javax/imageio/",
    "javax/lang/model/",
    "javax/management/",
    "javax/naming/",
    "javax/net/",
    "javax/print/",
    "javax/rmi/ssl/",
    "javax/script/",
    "javax/security/auth/",
    "javax/security/cert/",
    "javax/security/sasl/",
    "javax/smartcardio/",
    "javax/sound/",
    "javax/sql/",
    "javax/swing/",
    "javax/tools/",
    "javax/transaction/xa/",
    "javax/xml/catalog/",
    "javax/xml/crypto/",
    "javax/xml/datatype/",
    "javax/xml/namespace/",
    "javax/xml/parsers/",
    "javax/xml/stream/",
    "javax/xml/transform/",
    "javax/xml/validation/",
    "javax/xml/xpath/",
    "javax/xml/XMLConstants",
];

/// Standard interfaces that the JDK ships under `org`.
const JDK_ORG: &[&str] = &[
    "org/w3c/dom/bootstrap/",
    "org/w3c/dom/css/",
    "org/w3c/dom/events/",
    "org/w3c/dom/html/",
    "org/w3c/dom/ls/",
    "org/w3c/dom/ranges/",
    "org/w3c/dom/stylesheets/",
    "org/w3c/dom/traversal/",
    "org/w3c/dom/views/",
    "org/w3c/dom/xpath/",
    "org/xml/sax/",
];

#[cfg(test)]
mod tests {
    use super::is_jdk_name;

    #[test]
    fn classes_of_the_jdk_are_told_from_libraries_with_similar_names() {
        for class in [
            "java/util/List",
            "javax/swing/JFrame",
            "javax/xml/XMLConstants",
            "sun/misc/Unsafe",
            "com/sun/crypto/provider/AESCipher",
            "jdk/internal/misc/VM",
            "org/xml/sax/Parser",
            "org/ietf/jgss/Oid",
        ] {
            assert!(is_jdk_name(class), "{class}");
        }
        for class in [
            "javax/servlet/Servlet",
            "com/sun/mail/smtp/SMTP",
            "javax/inject/Inject",
            "javafx/scene/Scene",
            "sunny/Day",
            "org/w3c/css/sac/Parser",
            "Main",
            "",
        ] {
            assert!(!is_jdk_name(class), "{class}");
        }
    }
}
