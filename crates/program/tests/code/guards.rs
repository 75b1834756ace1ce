//! Conditions on the way to a line, as Java writes them.

use crashback_program::code::{LocalVariables, MethodBody, guards};

use crate::support::Subject;

const SOURCE: &str = "
class Guards {
    int limit;
    static boolean LOUD;
    Guards next;

    int look(String text, char mark, double weight, int[] parts, boolean quiet, Object other) {
        int found = text.indexOf(mark);
        if (found < 3 || mark >= 'b') return 1;
        if (weight > 2.5 && !quiet && LOUD) return 2; // @and
        if (text.isEmpty() || next == null) return 3;
        if (other instanceof String && next.limit + 1 == parts.length) {
            if (\"on\".equals(other) && parts[0] != 7L) return 4; // @deep
        }
        switch (found) {
            case 4: case 5: return 5; // @case
            case 9: return 6;
            default: break;
        }
        try {
            Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return 7; // @handler
        }
        return 8; // @plain
    }
}
";

fn conditions(marker: &str, options: &[&str]) -> Vec<String> {
    let subject = Subject::compile(SOURCE, options);
    let class = subject.class("Guards");
    let method = class.methods.iter().find(|it| it.name(&class.pool).unwrap() == "look").unwrap();
    let body = MethodBody::of(class, method).unwrap().unwrap();
    let variables = LocalVariables::of(class, method).unwrap();
    // The result of the line is its end: what is before it on the line may be a condition itself.
    let last = body.instructions_at_line(subject.line(marker)).last().unwrap().end - 1;
    guards(&body, &variables, &[last]).into_iter().map(|it| it.condition).collect()
}

#[test]
fn conditions_are_told_as_they_must_turn_out() {
    let first = ["found >= 3", "mark < 'b'"];
    let second = ["weight > 2.5", "!quiet", "Guards.LOUD"];
    assert_eq!(conditions("and", &["-g"]), [&first[..], &second[..]].concat());
    let deep = conditions("deep", &["-g"]);
    let expected = [
        "!text.isEmpty()",
        "next != null",
        "other instanceof String",
        "(next.limit + 1) == parts.length",
        "\"on\".equals(other)",
        "parts[0] != 7L",
    ];
    assert_eq!(deep[..2], first);
    assert_eq!(deep[deep.len() - expected.len()..], expected);
}

#[test]
fn cases_and_handlers_are_told() {
    let case = conditions("case", &["-g"]);
    assert_eq!(case.last().map(String::as_str), Some("found is 4 or 5"));
    let plain = conditions("plain", &["-g"]);
    assert!(plain.contains(&"found is none of 4, 5, 9".to_owned()), "{plain:?}");
    let handler = conditions("handler", &["-g"]);
    assert_eq!(handler.last().map(String::as_str), Some("NumberFormatException is thrown and caught"));
}

#[test]
fn parameters_have_numbers_where_names_are_unknown() {
    let conditions = conditions("and", &["-g:lines"]);
    assert_eq!(
        conditions,
        ["… >= 3", "argument 2 < 'b'", "argument 3 > 2.5", "!(argument 5)", "Guards.LOUD"]
    );
}
