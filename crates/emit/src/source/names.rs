//! Names for test classes and test methods.

use crashback_program::ClassIndex;
use crashback_trace::Frame;

/// A name for the test of a class, such as `StringUtilsCrashTest`, that no class of the package
/// has. Package and class are in internal form.
pub fn free_class_name(index: &ClassIndex, package: &str, target: &str) -> String {
    let simple = target.rsplit('/').next().unwrap_or_default();
    let top_level = simple.split('$').find(|it| !it.is_empty()).unwrap_or("Target");
    let base = format!("{}CrashTest", upper_first(top_level));
    let numbered = (2u32..).map(|number| format!("{base}{number}"));
    let mut names = std::iter::once(base.clone()).chain(numbered);
    let qualified =
        |name: &str| if package.is_empty() { name.to_owned() } else { format!("{package}/{name}") };
    names.find(|it| !index.contains(&qualified(it))).unwrap_or(base)
}

/// A name for the test of a crash, such as `substringThrowsStringIndexOutOfBounds`. The exception
/// is given by its binary name.
pub fn method_name(frame: &Frame, exception: &str) -> String {
    let class = frame.class.rsplit(['.', '$']).find(|it| it.starts_with(|it: char| it.is_alphabetic()));
    let class = class.unwrap_or("Object");
    let subject = match frame.enclosing_method() {
        "<init>" => format!("new{}", upper_first(class)),
        "<clinit>" => format!("initializing{}", upper_first(class)),
        method => method.split('$').rfind(|it| !it.is_empty()).unwrap_or("call").to_owned(),
    };
    // Anonymous classes have numbers: the class around one says more.
    let is_named = |it: &&str| !it.starts_with(|it: char| it.is_ascii_digit());
    let thrown = exception.rsplit(['.', '$']).find(is_named).unwrap_or_default();
    let thrown = thrown.strip_suffix("Exception").filter(|it| !it.is_empty()).unwrap_or(thrown);
    let name = format!("{subject}Throws{}", upper_first(thrown));
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let name: String = name.chars().filter(|it| is_word(*it)).collect();
    if name.starts_with(|it: char| it.is_alphabetic()) { name } else { format!("test{name}") }
}

fn upper_first(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
