//! The sort of code that a frame is in, as far as its names tell.

use serde::Serialize;

use crate::model::Frame;

/// The sorts of frames, told by the names that compilers and libraries generate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FrameKind {
    /// A method as it is in the source.
    Ordinary,
    /// The body of a lambda or closure.
    Lambda,
    /// The class that the JVM spins for a lambda (`$$Lambda`).
    HiddenLambda,
    /// A dynamic proxy (`$Proxy12`).
    Proxy,
    /// Reflective calls: `java.lang.reflect`, `NativeMethodAccessorImpl` and its successors.
    Reflection,
    /// Method handles and their lambda forms.
    MethodHandle,
    /// A method through which javac before 11 lets nested classes reach private members
    /// (`access$000`).
    Accessor,
    /// A class made by a mock library.
    Mock,
    /// Another class made at run time: subclassing proxies of containers, hidden classes.
    Generated,
}

impl Frame {
    /// The sort of code that the frame is in.
    pub fn kind(&self) -> FrameKind {
        let class = self.class.as_str();
        let simple = class.rsplit('.').next().unwrap_or(class);
        if class.contains(LAMBDA) {
            FrameKind::HiddenLambda
        } else if is_any(class, &["java.lang.reflect.", "sun.reflect.", "jdk.internal.reflect."]) {
            FrameKind::Reflection
        } else if class.starts_with("java.lang.invoke.") {
            FrameKind::MethodHandle
        } else if simple.strip_prefix("$Proxy").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit())) {
            FrameKind::Proxy
        } else if contains_any(class, MOCK) {
            FrameKind::Mock
        } else if class.contains('/') || contains_any(class, GENERATED) {
            FrameKind::Generated
        } else if self.method.strip_prefix("access$").is_some_and(|rest| !rest.is_empty()) {
            FrameKind::Accessor
        } else if closure(self).is_some() {
            FrameKind::Lambda
        } else {
            FrameKind::Ordinary
        }
    }

    /// The method that the code was written in: that around a lambda, else the method itself. Empty
    /// where the compiler left it out (javac 8 calls nested lambdas `lambda$null$0`, ecj all of
    /// them `lambda$0`).
    pub fn enclosing_method(&self) -> &str {
        closure(self).map_or(self.method.as_str(), |(_, method)| method)
    }

    /// The class that holds [`Frame::enclosing_method`]; differs from the frame's where closures
    /// are classes.
    pub fn enclosing_class(&self) -> &str {
        closure(self).map_or(self.class.as_str(), |(class, _)| class)
    }
}

const LAMBDA: &str = "$$Lambda";
/// Marks in the names of classes that mock libraries make.
const MOCK: &[&str] = &["$MockitoMock$", "$$EnhancerByMockito", "$$FastClassByMockito", "$$$EasyMock$"];
/// Marks in the names of classes that containers and mappers make.
const GENERATED: &[&str] = &[
    "$$EnhancerBy",
    "$$FastClassBy",
    "$$SpringCGLIB$$",
    "$ByteBuddy$",
    "_$$_javassist",
    "_$$_jvst",
    "$HibernateProxy$",
];

/// The class in the source from which another was made at run time.
pub(crate) fn written_class(class: &str) -> &str {
    let marks = MOCK.iter().chain(GENERATED).chain(&[LAMBDA]);
    let end = marks.filter_map(|mark| class.find(mark)).chain(class.find('/')).min();
    end.and_then(|end| class.get(..end)).filter(|class| !class.is_empty()).unwrap_or(class)
}

fn is_any(class: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| class.starts_with(prefix))
}

fn contains_any(class: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| class.contains(part))
}

/// The class and method around the lambda or closure that the frame is in.
fn closure(frame: &Frame) -> Option<(&str, &str)> {
    let in_method = closure_method(&frame.method).map(|method| (frame.class.as_str(), method));
    in_method.or_else(|| closure_class(&frame.class, &frame.method))
}

/// Closures that are methods: javac's `lambda$f$0`, ecj's `lambda$0`, Kotlin's `f$lambda$0` and
/// `f$lambda-0`, Scala's `$anonfun$f$1`.
fn closure_method(method: &str) -> Option<&str> {
    if let Some(rest) = method.strip_prefix("lambda$") {
        if is_number(rest) {
            return Some("");
        }
        let (name, ordinal) = rest.rsplit_once('$')?;
        is_number(ordinal).then_some(())?;
        return Some(match name {
            "new" => "<init>",
            "static" => "<clinit>",
            "null" => "",
            name => name,
        });
    }
    if let Some(rest) = method.strip_prefix("$anonfun$") {
        let rest = rest.strip_suffix("$adapted").unwrap_or(rest);
        let (name, ordinal) = rest.rsplit_once('$')?;
        return is_number(ordinal).then_some(if name == "new" { "<init>" } else { name });
    }
    let (name, rest) = method.split_once("$lambda")?;
    let ordinal = rest.strip_prefix(['$', '-'])?;
    (!name.is_empty() && ordinal.starts_with(|c: char| c.is_ascii_digit())).then_some(name)
}

/// Closures that are classes: Groovy's `A$_f_closure1.doCall`, Scala's `A$$anonfun$f$1.apply`,
/// Kotlin's `A$f$1.invoke`.
fn closure_class<'a>(class: &'a str, method: &str) -> Option<(&'a str, &'a str)> {
    if let Some((outer, rest)) = class.split_once("$_")
        && let Some((name, ordinal)) = rest.split_once("_closure")
        && ordinal.starts_with(|c: char| c.is_ascii_digit())
        && matches!(method, "doCall" | "call")
    {
        return Some((outer, name));
    }
    if let Some((outer, rest)) = class.split_once("$$anonfun$")
        && method.starts_with("apply")
    {
        return Some((outer, rest.split('$').next().unwrap_or(rest)));
    }
    if matches!(method, "invoke" | "invokeSuspend") {
        let (rest, ordinal) = class.rsplit_once('$')?;
        let (outer, name) = rest.rsplit_once('$')?;
        let method_name = name.starts_with(|c: char| c.is_lowercase());
        return (is_number(ordinal) && method_name).then_some((outer, name));
    }
    None
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}
