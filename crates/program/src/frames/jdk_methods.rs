//! Common methods of the JDK that run no code of others, and the exceptions that they throw.
//!
//! Whatever a call of the JDK might do is assumed of all others. Knowing these few tells apart the
//! lines of a method: nearly every line builds a text, measures one or converts a number, and none of
//! that calls the program back or throws most exceptions.

/// The exceptions, by internal names, that a method of the JDK throws by itself; none if the method
/// is not known or may run code of others. Errors and the NullPointerException of arguments are not
/// listed.
pub(super) fn thrown_by(owner: &str, name: &str, descriptor: &str) -> Option<&'static [&'static str]> {
    if name == "<init>" && is_exception(owner) && takes_plain_values(owner, name, descriptor) {
        return Some(&[]);
    }
    let group = GROUPS.iter().find(|it| it.owners.contains(&owner))?;
    let (_, thrown) = group.methods.iter().find(|(names, _)| names.contains(&name))?;
    takes_plain_values(owner, name, descriptor).then_some(thrown)
}

/// Whether a class is an exception of the JDK, by its name.
fn is_exception(class: &str) -> bool {
    class.starts_with("java/") && (class.ends_with("Exception") || class.ends_with("Error"))
}

/// Whether null is among the values that a method can be given.
pub(super) fn takes_references(descriptor: &str) -> bool {
    parameters(descriptor).contains(['L', '['])
}

/// Methods of some classes that are alike.
struct Group {
    owners: &'static [&'static str],
    methods: &'static [(&'static [&'static str], &'static [&'static str])],
}

const TEXT_INDEX: &str = "java/lang/StringIndexOutOfBoundsException";
const INDEX: &str = "java/lang/IndexOutOfBoundsException";
const ARRAY_INDEX: &str = "java/lang/ArrayIndexOutOfBoundsException";
const ARGUMENT: &str = "java/lang/IllegalArgumentException";
const NUMBER_FORMAT: &str = "java/lang/NumberFormatException";
const PATTERN: &str = "java/util/regex/PatternSyntaxException";

const GROUPS: [Group; 7] = [
    Group {
        owners: &["java/lang/String"],
        methods: &[
            (&["charAt", "substring", "subSequence", "codePointAt", "codePointBefore"], &[TEXT_INDEX, INDEX]),
            (&["indexOf", "lastIndexOf", "regionMatches", "startsWith", "endsWith"], &[TEXT_INDEX]),
            (&["split", "matches", "replaceAll", "replaceFirst"], &[PATTERN, ARGUMENT, INDEX, TEXT_INDEX]),
            (&["repeat"], &[ARGUMENT]),
            (&["length", "isEmpty", "isBlank", "hashCode", "toString", "intern", "toCharArray"], &[]),
            (&["equals", "equalsIgnoreCase", "compareTo", "compareToIgnoreCase", "concat"], &[]),
            (&["trim", "strip", "toLowerCase", "toUpperCase", "replace", "valueOf"], &[]),
        ],
    },
    Group {
        owners: &["java/lang/StringBuilder", "java/lang/StringBuffer"],
        methods: &[
            (&["append", "insert", "delete", "deleteCharAt", "charAt"], &[TEXT_INDEX, INDEX]),
            (&["setCharAt", "setLength", "replace", "substring"], &[TEXT_INDEX, INDEX]),
            (&["<init>"], &["java/lang/NegativeArraySizeException"]),
            (&["length", "capacity", "reverse", "toString", "indexOf", "lastIndexOf"], &[]),
        ],
    },
    Group {
        owners: &[
            "java/lang/Byte",
            "java/lang/Short",
            "java/lang/Integer",
            "java/lang/Long",
            "java/lang/Float",
            "java/lang/Double",
            "java/lang/Boolean",
        ],
        methods: &[
            (&["valueOf", "decode", "parseByte", "parseShort", "parseInt", "parseLong"], &[NUMBER_FORMAT]),
            (&["parseFloat", "parseDouble", "parseUnsignedInt", "parseUnsignedLong"], &[NUMBER_FORMAT]),
            (&["byteValue", "shortValue", "intValue", "longValue", "floatValue", "doubleValue"], &[]),
            (&["booleanValue", "parseBoolean", "toString", "toHexString", "equals", "hashCode"], &[]),
            (&["compare", "compareTo", "isNaN", "isInfinite", "doubleToLongBits", "bitCount"], &[]),
        ],
    },
    Group {
        owners: &["java/lang/Character"],
        methods: &[
            (&["valueOf", "charValue", "isDigit", "isLetter", "isLetterOrDigit", "isWhitespace"], &[]),
            (&["isUpperCase", "isLowerCase", "toUpperCase", "toLowerCase", "digit", "getNumericValue"], &[]),
        ],
    },
    Group {
        owners: &["java/lang/Math", "java/lang/StrictMath"],
        methods: &[
            (&["abs", "min", "max", "sqrt", "pow", "exp", "log", "floor", "ceil", "round", "rint"], &[]),
            (&["sin", "cos", "tan", "atan", "atan2", "signum", "hypot", "random"], &[]),
        ],
    },
    Group {
        owners: &["java/lang/System"],
        methods: &[
            (&["arraycopy"], &[ARRAY_INDEX, INDEX, "java/lang/ArrayStoreException"]),
            (&["currentTimeMillis", "nanoTime", "identityHashCode"], &[]),
        ],
    },
    Group { owners: &["java/lang/Object"], methods: &[(&["getClass"], &[])] },
];

/// Whether a method takes nothing whose code it might run: `append(Object)` calls `toString`.
fn takes_plain_values(owner: &str, name: &str, descriptor: &str) -> bool {
    if name == "equals" || owner == "java/lang/System" {
        return true;
    }
    let objects = parameters(descriptor).split('L').skip(1).filter_map(|it| it.split(';').next());
    let is_plain = |class: &str| class == owner || matches!(class, "java/lang/String" | "java/util/Locale");
    let mut objects = objects.peekable();
    objects.all(is_plain)
}

fn parameters(descriptor: &str) -> &str {
    descriptor.split(')').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_index_is_no_array_index() {
        let thrown = thrown_by("java/lang/String", "charAt", "(I)C").expect("a known method");
        assert!(thrown.contains(&TEXT_INDEX) && !thrown.contains(&ARRAY_INDEX));
        assert_eq!(thrown_by("java/lang/String", "length", "()I"), Some(&[][..]));
    }

    #[test]
    fn methods_that_may_call_back_are_not_known() {
        for (owner, name, descriptor) in [
            ("java/lang/StringBuilder", "append", "(Ljava/lang/Object;)Ljava/lang/StringBuilder;"),
            ("java/lang/StringBuilder", "append", "(Ljava/lang/CharSequence;II)Ljava/lang/StringBuilder;"),
            ("java/lang/String", "valueOf", "(Ljava/lang/Object;)Ljava/lang/String;"),
            ("java/lang/String", "format", "(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;"),
            ("java/lang/Object", "toString", "()Ljava/lang/String;"),
            ("java/util/List", "get", "(I)Ljava/lang/Object;"),
        ] {
            assert_eq!(thrown_by(owner, name, descriptor), None, "{owner}.{name}{descriptor}");
        }
        let append = "(Ljava/lang/String;)Ljava/lang/StringBuilder;";
        assert!(thrown_by("java/lang/StringBuilder", "append", append).is_some());
        let (failure, text) = ("java/lang/IllegalStateException", "(Ljava/lang/String;)V");
        assert_eq!(thrown_by(failure, "<init>", text), Some(&[][..]));
        assert_eq!(thrown_by(failure, "<init>", "(Ljava/lang/Throwable;)V"), None);
        assert!(takes_references(append) && !takes_references("(I)Ljava/lang/StringBuilder;"));
    }
}
