//! Names for variables.

use std::collections::BTreeSet;

use crashback_classfile::{Attribute, ClassFile, JavaStr, Location, Member, MethodDescriptor};
use crashback_program::classes::Classes;
use crashback_program::{MemberView, names};
use crashback_testcase::TypeRef;

/// Hands out each name once.
pub(crate) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// Names that are not these.
    pub(crate) fn except(taken: BTreeSet<String>) -> Self {
        Self { taken }
    }

    /// The first wish that is still free; else the first of all as another one, then with a number.
    pub(crate) fn take(&mut self, wishes: &[String]) -> String {
        let is_free = |it: &String| !self.taken.contains(it) && !is_reserved(it);
        let first = wishes.iter().find(|it| !is_reserved(it)).or(wishes.first());
        let first = first.map_or("value", |it| it);
        let other = std::iter::once(format!("other{}", upper_first(first)));
        let numbered = (2u32..).map(|number| format!("{first}{number}"));
        let free = wishes.iter().cloned().chain(other).chain(numbered).find(is_free).unwrap_or_default();
        self.taken.insert(free.clone());
        free
    }
}

/// The names of a method's parameters, where the class file has them: `MethodParameters` (JVMS
/// 4.7.24), else `LocalVariableTable` (JVMS 4.7.13). As many as the descriptor has parameters.
pub(crate) fn parameter_names(classes: &Classes<'_>, method: MemberView<'_>) -> Vec<Option<String>> {
    let read = || {
        let bytes = classes.bytes(method.class().reference()).ok()?;
        let file = ClassFile::parse(&bytes).ok()?;
        let member = file.methods.get(usize::from(method.number()))?;
        let descriptor = MethodDescriptor::parse(JavaStr::new(method.descriptor().as_bytes())).ok()?;
        let names = declared_names(&file, member, descriptor);
        Some(names.or_else(|| local_names(&file, member, descriptor)).unwrap_or_default())
    };
    read().unwrap_or_default()
}

fn declared_names(
    file: &ClassFile<'_>,
    member: &Member<'_>,
    descriptor: MethodDescriptor<'_>,
) -> Option<Vec<Option<String>>> {
    let attribute = member.attribute(&file.pool, "MethodParameters")?;
    let Ok(Attribute::MethodParameters(found)) = attribute.decode(&file.pool, Location::Method) else {
        return None;
    };
    let name = |index| file.pool.utf8(index).ok().map(|it| it.to_str().into_owned());
    let names: Vec<Option<String>> = found.parameters.iter().map(|it| name(it.name_index)).collect();
    (names.len() == descriptor.parameters().count()).then_some(names)
}

fn local_names(
    file: &ClassFile<'_>,
    member: &Member<'_>,
    descriptor: MethodDescriptor<'_>,
) -> Option<Vec<Option<String>>> {
    let code = member.code(&file.pool).ok()??;
    let raw = code
        .attributes
        .iter()
        .find(|it| it.name(&file.pool).is_ok_and(|it| it.as_bytes() == b"LocalVariableTable"))?;
    let Ok(Attribute::LocalVariableTable(table)) = raw.decode(&file.pool, Location::Code) else {
        return None;
    };
    let mut slot = u16::from(!member.access.is_static());
    let mut names = Vec::new();
    for parameter in descriptor.parameters() {
        let found = table.iter().find(|it| it.start_pc == 0 && it.slot == slot);
        names
            .push(found.and_then(|it| file.pool.utf8(it.name_index).ok()).map(|it| it.to_str().into_owned()));
        slot = slot.saturating_add(parameter.slots());
    }
    Some(names)
}

/// A name from that of a parameter, without the number at its end, unless it says nothing.
pub(crate) fn from_parameter(name: &str) -> Option<String> {
    let name = name.trim_end_matches(|it: char| it.is_ascii_digit());
    let says_nothing = name.len() < 3 || ["arg", "param", "par"].contains(&name);
    (!says_nothing && is_plain(name)).then(|| name.to_owned())
}

/// A name from that of a method that is given the value: `setName` gives `name`.
pub(crate) fn from_setter(method: &str) -> Option<String> {
    const PREFIXES: [&str; 4] = ["set", "add", "with", "register"];
    let rest = PREFIXES.iter().find_map(|it| method.strip_prefix(it))?;
    let is_word = rest.starts_with(|it: char| it.is_uppercase());
    is_word.then(|| lower_first(rest)).filter(|it| it.len() > 2 && is_plain(it))
}

/// A name from that of the method that gives the value: `getName` gives `name`.
pub(crate) fn from_method(method: &str) -> Option<String> {
    const PREFIXES: [&str; 9] = ["get", "create", "make", "build", "find", "to", "as", "new", "read"];
    let rest = PREFIXES.iter().find_map(|it| method.strip_prefix(it))?;
    rest.starts_with(|it: char| it.is_uppercase())
        .then(|| lower_first(rest))
        .filter(|it| it.len() > 2 && is_plain(it))
}

/// Names from a type, the shortest first: `builder` for a `StringBuilder`, then `stringBuilder`; `numbers`
/// for an `int[]`.
pub(crate) fn from_type(of: TypeRef<'_>) -> Vec<String> {
    let singular = match of.innermost().descriptor() {
        "Z" | "Ljava/lang/Boolean;" => "flag",
        "B" | "Ljava/lang/Byte;" if of.dimensions() > 0 => "byte",
        "B"
        | "S"
        | "I"
        | "J"
        | "Ljava/lang/Byte;"
        | "Ljava/lang/Short;"
        | "Ljava/lang/Integer;"
        | "Ljava/lang/Long;"
        | "Ljava/lang/Number;" => "number",
        "F" | "D" | "Ljava/lang/Float;" | "Ljava/lang/Double;" => "value",
        "C" | "Ljava/lang/Character;" => "character",
        "Ljava/lang/String;" | "Ljava/lang/CharSequence;" => "text",
        "Ljava/lang/Class;" => "type",
        _ => "",
    };
    let singular = if singular.is_empty() {
        let name = of.innermost().class_name().unwrap_or_default();
        words(name.rsplit(['/', '$']).next().unwrap_or_default())
    } else {
        vec![singular.to_owned()]
    };
    if of.dimensions() == 0 { singular } else { singular.iter().map(|it| plural(it)).collect() }
}

fn plural(singular: &str) -> String {
    match singular.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if singular.ends_with(['s', 'x']) || singular.ends_with("ch") => format!("{singular}es"),
        _ => format!("{singular}s"),
    }
}

/// The last word of a name in camel case, unless it is a short one, and all of them: `ItemRendererImpl` is a
/// `renderer`, or an `itemRenderer`, and `AnyOf` is an `anyOf`.
fn words(simple: &str) -> Vec<String> {
    let simple = simple.strip_suffix("Impl").filter(|it| !it.is_empty()).unwrap_or(simple);
    let starts = simple
        .char_indices()
        .zip(simple.chars().skip(1))
        .filter(|((_, first), second)| first.is_uppercase() && second.is_lowercase());
    let last = starts.last().map_or(0, |((at, _), _)| at);
    let mut found: Vec<String> = Vec::new();
    let last = if simple.len() - last < 3 { 0 } else { last };
    for start in [last, 0] {
        let word = lower_first(simple.get(start..).unwrap_or(simple));
        let word = if is_plain(&word) { word } else { "value".to_owned() };
        if !found.contains(&word) {
            found.push(word);
        }
    }
    found
}

fn upper_first(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A name that begins small: `seriesKey` for `SeriesKey`, `urlPath` for `URLPath`.
fn lower_first(name: &str) -> String {
    let capitals = name.chars().take_while(|it| it.is_uppercase()).count();
    let is_whole = capitals == name.chars().count();
    let lowered = if is_whole { capitals } else { capitals.saturating_sub(1).max(1) };
    let letters = name.chars().enumerate();
    letters.map(|(at, it)| if at < lowered { it.to_ascii_lowercase() } else { it }).collect()
}

/// Whether a name is one of small and big letters and digits, as people give them.
fn is_plain(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_lowercase()) && name.chars().all(|it| it.is_ascii_alphanumeric())
}

/// Words that cannot be names of variables, or would look odd as such. Parameters of anonymous classes
/// have names with numbers.
fn is_reserved(name: &str) -> bool {
    let is_parameter = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    names::is_reserved(name)
        || matches!(name, "record" | "var" | "yield")
        || name.strip_prefix("argument").is_some_and(is_parameter)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Names, from_method, from_parameter, from_setter, from_type};
    use crashback_testcase::TypeRef;

    #[test]
    fn names_come_from_types() {
        for (descriptor, name) in [
            ("Ljava/lang/StringBuilder;", "builder"),
            ("Ljava/util/ArrayList;", "list"),
            ("[I", "numbers"),
            ("[B", "bytes"),
            ("Ljava/util/Map$Entry;", "entry"),
            ("[Ljava/util/Map$Entry;", "entries"),
            ("La/RendererImpl;", "renderer"),
            ("La/URL;", "url"),
            ("La/Vector3D;", "vector3D"),
            ("La/AnyOf;", "anyOf"),
            ("La/AbstractXYItem;", "item"),
            ("La/$1;", "value"),
            ("[[Ljava/lang/String;", "texts"),
        ] {
            assert_eq!(from_type(TypeRef(descriptor)).first().map(String::as_str), Some(name));
        }
        let all = ["class", "mailMetaClass"].map(str::to_owned);
        assert_eq!(from_type(TypeRef("La/MailMetaClass;")), all);
    }

    #[test]
    fn longer_names_come_before_numbers() {
        let mut names = Names::except(BTreeSet::new());
        let wishes = from_type(TypeRef("La/MailMetaClass;"));
        let mut next = || names.take(&wishes);
        assert_eq!([next(), next(), next()], ["mailMetaClass", "otherMailMetaClass", "mailMetaClass2"]);
    }

    #[test]
    fn names_come_from_parameters_and_methods_that_say_something() {
        assert_eq!(from_parameter("locale").as_deref(), Some("locale"));
        assert_eq!(from_parameter("array1").as_deref(), Some("array"));
        for name in ["arg0", "s", "p0", "Über"] {
            assert_eq!(from_parameter(name), None);
        }
        assert_eq!(from_setter("setMaxRows").as_deref(), Some("maxRows"));
        for name in ["set", "settle", "put", "addAt"] {
            assert_eq!(from_setter(name), None);
        }
        assert_eq!(from_method("getSeriesKey").as_deref(), Some("seriesKey"));
        assert_eq!(from_method("toURL").as_deref(), Some("url"));
        assert_eq!(from_method("getURLPath").as_deref(), Some("urlPath"));
        for name in ["get", "getter", "size"] {
            assert_eq!(from_method(name), None);
        }
    }
}
