//! Wordings of messages that the JDK at hand does not print: those of older and other ones.

use crashback_trace::message::{Fact, are_of_different_causes, facts, say_the_same};

#[track_caller]
fn check(class: &str, message: &str, expected: &[Fact]) {
    assert_eq!(facts(class, message), expected, "{class}: {message}");
}

fn index(index: i64, length: impl Into<Option<i64>>) -> [Fact; 1] {
    [Fact::Index { index, length: length.into() }]
}

fn number(text: &str, value: f64) -> Fact {
    Fact::Number { text: text.to_owned(), value }
}

fn quoted(text: &str) -> Fact {
    Fact::Quoted { text: text.to_owned() }
}

#[test]
fn indices_of_all_releases() {
    let array = "java.lang.ArrayIndexOutOfBoundsException";
    let string = "java.lang.StringIndexOutOfBoundsException";
    let list = "java.lang.IndexOutOfBoundsException";
    check(array, "-1", &index(-1, None));
    check(array, "410101879", &index(410101879, None));
    check(array, "Array index out of range: 7", &index(7, None));
    check(array, "5 >= 3", &index(5, 3));
    check(array, "length=3; index=5", &index(5, 3));
    check(string, "String index out of range: -8", &index(-8, None));
    check(string, "index 3,length 3", &index(3, 3));
    check(string, "index 3, length 2", &index(3, 2));
    check(string, "Index 5 out of bounds for length 5", &index(5, 5));
    check(list, "Index: 3, Size: 2", &index(3, 2));
    check(list, "Index 5 out-of-bounds for length 3", &index(5, 3));
    check(list, "toIndex = 5", &[Fact::Range { begin: None, end: Some(5), length: None }]);
    let range = Fact::Range { begin: Some(7), end: Some(-1), length: Some(8) };
    check(string, "begin 7, end -1, length 8", std::slice::from_ref(&range));
    check(list, "start 7, end -1, length 8", &[range]);
    let span = Fact::Span { offset: 2, count: 9, length: Some(3) };
    check(string, "offset 2, count 9, length 3", std::slice::from_ref(&span));
    check(list, "Range [2, 2 + 9) out of bounds for length 3", &[span]);
    let array_copy = "arraycopy: last destination index 12 out of bounds for object array[10]";
    check(array, array_copy, &[Fact::Range { begin: None, end: Some(12), length: Some(10) }]);
    check(array, "arraycopy: source index -1 out of bounds for byte[4]", &index(-1, 4));
    check(list, "no such row 4", &[number("4", 4.0)]);
    check(array, "", &[]);
}

#[test]
fn casts_of_all_releases() {
    let cast = |from: &str, to: &str| [Fact::Cast { from: from.to_owned(), to: to.to_owned() }];
    let class = "java.lang.ClassCastException";
    check(class, "a.B$C cannot be cast to java.lang.Boolean", &cast("a.B$C", "java.lang.Boolean"));
    check(class, "[I cannot be cast to [Ljava.lang.Object;", &cast("[I", "[Ljava.lang.Object;"));
    let new = "class a.B cannot be cast to class c.D (a.B and c.D are in unnamed module of loader 'app')";
    check(class, new, &cast("a.B", "c.D"));
    let parted = "class [B cannot be cast to class a.C ([B is in module java.base of loader 'bootstrap'; a.C is in unnamed module of loader 'app')";
    check(class, parted, &cast("[B", "a.C"));
    // Class.cast words it with capitals and is no less a cast, but its wording has only one class
    // that matters.
    check(class, "the value cannot be cast to what it should be", &[]);
}

#[test]
fn other_known_wordings() {
    let number_text = |text: Option<&str>| [Fact::NumberText { text: text.map(str::to_owned), radix: None }];
    let format = "java.lang.NumberFormatException";
    check(format, "null", &number_text(None));
    check(format, "Cannot parse null string: null", &number_text(None));
    check(format, "empty String", &number_text(Some("")));
    check(format, "For input string: \"a \"quoted\" b\"", &number_text(Some("a \"quoted\" b")));
    check(format, "2. is not a valid number.", &number_text(Some("2.")));
    check("java.lang.NegativeArraySizeException", "-3", &[Fact::NegativeSize { size: -3 }]);
    check(
        "java.lang.ArrayStoreException",
        "java.lang.Integer",
        &[Fact::StoredElement { class: "java.lang.Integer".to_owned() }],
    );
    check(
        "java.util.NoSuchElementException",
        "key not found: a b",
        &[Fact::MissingKey { key: "a b".to_owned() }],
    );
    check(
        "java.util.NoSuchElementException",
        "Key x is missing in the map.",
        &[Fact::MissingKey { key: "x".to_owned() }],
    );
}

#[test]
fn what_any_message_may_hold() {
    let class = "a.SomeException";
    check(
        class,
        "Value 29 for day must be in the range [1,28]",
        &[number("29", 29.0), quoted("1,28"), number("1", 1.0), number("28", 28.0)],
    );
    check(
        class,
        "require lower (0.0) <= upper (-2.3000000000000007).",
        &[number("0.0", 0.0), number("-2.3000000000000007", -2.3000000000000007)],
    );
    check(class, "1.7976931348623157E308", &[number("1.7976931348623157E308", f64::MAX)]);
    check(class, "d'un l'autre x86 utf8", &[]);
    check(class, "Cannot parse \"2 29\": 'a' is bad", &[quoted("2 29"), quoted("a")]);
    check(
        class,
        "no bean of org.example.Thing$Part.",
        &[Fact::ClassName { name: "org.example.Thing$Part".to_owned() }],
    );
    check(class, "see www.example.com or file.txt", &[]);
    check(class, "unterminated \"text", &[]);
}

#[test]
fn what_tells_causes_apart() {
    let length = |of: &str| format!("Cannot invoke \"String.length()\" because {of} is null");
    let trim = "Cannot invoke \"String.trim()\" because \"<local1>\" is null".to_owned();
    let returned = |method: &str| length(&format!("the return value of \"a.B.{method}()\""));
    let null = "java.lang.NullPointerException";
    let cast =
        |to: &str| format!("class a.B cannot be cast to class {to} (a.B and {to} are in unnamed module)");
    for (class, one, other, expected) in [
        (null, length("\"<local1>\""), length("\"name\""), false),
        (null, length("\"name\""), returned("name"), false),
        (null, returned("name"), returned("name"), false),
        (null, returned("name"), returned("other"), true),
        (null, length("\"name\""), trim.clone(), true),
        (null, String::new(), trim.clone(), false),
        (null, "name".to_owned(), trim, false),
        ("java.lang.ClassCastException", cast("a.C"), cast("a.C"), false),
        ("java.lang.ClassCastException", cast("a.C"), cast("a.D"), true),
        ("java.lang.ArithmeticException", "/ by zero".to_owned(), "overflow".to_owned(), false),
    ] {
        assert_eq!(are_of_different_causes(class, &one, &other), expected, "{one} / {other}");
        assert_eq!(are_of_different_causes(class, &other, &one), expected, "{other} / {one}");
    }
}

#[test]
fn messages_say_the_same_in_the_words_of_different_releases() {
    const ARRAY: &str = "java.lang.ArrayIndexOutOfBoundsException";
    const TEXT: &str = "java.lang.StringIndexOutOfBoundsException";
    const CAST: &str = "java.lang.ClassCastException";
    for (class, one, other, expected) in [
        (ARRAY, "6", "Index 6 out of bounds for length 6", true),
        (ARRAY, "6", "Index 1 out of bounds for length 1", false),
        (ARRAY, "Index 6 out of bounds for length 6", "Index 6 out of bounds for length 5", false),
        (TEXT, "String index out of range: -1", "begin 0, end -1, length 0", true),
        (TEXT, "String index out of range: -2", "begin 3, end 1, length 8", true),
        (TEXT, "String index out of range: 3", "begin 0, end 4, length 2", false),
        (CAST, "a.B cannot be cast to a.C", "class a.B cannot be cast to class a.C (a.B is in)", true),
        (CAST, "a.D cannot be cast to a.C", "class a.B cannot be cast to class a.C (a.B is in)", false),
        ("a.Odd", "no user 17", " no user 17", true),
        ("a.Odd", "no user 17", "no user 18", false),
    ] {
        assert_eq!(say_the_same(class, one, other), expected, "{one} / {other}");
        assert_eq!(say_the_same(class, other, one), expected, "{other} / {one}");
    }
}
