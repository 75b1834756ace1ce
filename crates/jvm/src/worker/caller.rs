//! The class whose native method calls the statements of tests.
//!
//! Code that looks at its caller fails falsely when there is no Java frame below it, and code that
//! asks who calls it for access expects a class of the program. So the caller lives in the package
//! of the tests, defined by the program's loader.

/// Simple name of the class.
pub(super) const NAME: &str = "CrashbackCaller";
/// Name of its native method.
pub(super) const METHOD: &str = "call";
/// Its descriptor: a pointer to the job.
pub(super) const DESCRIPTOR: &str = "(J)V";

/// A class file (JVMS 4.1) with one method: `static native void call(long)`.
pub(super) fn class_file(internal_name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(0xCAFE_BABE_u32.to_be_bytes());
    // Version 52, Java 8.
    bytes.extend([0, 0, 0, 52]);
    bytes.extend(7_u16.to_be_bytes());
    for text in [internal_name, "java/lang/Object", METHOD, DESCRIPTOR] {
        bytes.push(1);
        bytes.extend(u16::try_from(text.len()).unwrap_or(u16::MAX).to_be_bytes());
        bytes.extend(text.bytes());
    }
    // Entries 5 and 6: the class and its superclass.
    bytes.extend([7, 0, 1, 7, 0, 2]);
    // Public, super; this class, superclass; no interfaces, no fields.
    bytes.extend([0, 0x21, 0, 5, 0, 6, 0, 0, 0, 0]);
    // One method: static native, without attributes; none of the class either.
    bytes.extend([0, 1, 0x01, 0x08, 0, 3, 0, 4, 0, 0, 0, 0]);
    bytes
}

/// Internal name of the caller in a package.
pub(super) fn internal_name(package: &str) -> String {
    match package {
        "" => NAME.to_owned(),
        package => format!("{}/{NAME}", package.replace('.', "/")),
    }
}
