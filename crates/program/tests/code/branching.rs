//! Operands of branches, with and without names of local variables.

use crashback_program::code::{
    BranchOperand, Cfg, ControlDependence, Flow, LocalVariables, MethodBody, Provenance, backward_slice,
    branch_operands,
};

use crate::support::Subject;

const SOURCE: &str = "
class Branches {
    int limit;

    int look(String text, char mark, double weight, int[] parts, boolean loud) {
        int found = text.indexOf(mark);
        if (found < 3 && mark >= 'b') return 1; // @first
        if (weight > 2.5 || limit == parts.length || loud) return 2; // @second
        char last = text.charAt(found);
        if (text == null || last == '_' || 7 < text.length()) return 3; // @third
        return found;
    }

    void fail(int wanted, int other) {
        if (other > 5) System.out.println(other);
        int sum = wanted + 2;
        if (sum > 9) { // @guard
            throw new IllegalStateException(); // @throw
        }
    }
}
";

/// Operands as `marker name descriptor`, those that have a point with a star, second ones with a `2`.
fn operands(options: &[&str]) -> Vec<String> {
    let subject = Subject::compile(SOURCE, options);
    let class = subject.class("Branches");
    let method = class.methods.iter().find(|it| it.name(&class.pool).unwrap() == "look").unwrap();
    let body = MethodBody::of(class, method).unwrap().unwrap();
    let cfg = Cfg::of(&body);
    let provenance = Provenance::of(&body, &cfg).unwrap();
    let variables = LocalVariables::of(class, method).unwrap();
    let words = |it: BranchOperand| {
        let name = it.name.split('#').next().filter(|it| !it.is_empty()).unwrap_or("#").to_owned();
        let marker = it.line.map_or("unknown".to_owned(), |line| subject.marker(line));
        let (second, point) = (if it.is_second { "2" } else { "" }, if it.has_point { "*" } else { "" });
        let local = if it.is_local { "local " } else { "" };
        format!("{marker} {local}{name}{second}{point} {}", it.descriptor.as_deref().unwrap_or("?"))
    };
    branch_operands(&provenance, &variables).into_iter().map(words).collect()
}

#[test]
fn jumps_compare_locals_fields_and_results() {
    let expected = [
        "first local found* I",
        "first local mark* C",
        "second local weight* D",
        "second Branches.limit I",
        "second #2 I",
        "second local loud Z",
        "third local text Ljava/lang/String;",
        "third local last* C",
        "third length()2* I",
    ];
    assert_eq!(operands(&[]), expected);
}

/// Without a table of variables slots stand for names, and types come from parameters, calls and fields.
#[test]
fn types_are_known_without_names() {
    let expected = [
        "first local #* I",
        "first local #* C",
        "second local #* D",
        "second Branches.limit I",
        "second #2 I",
        "second local # Z",
        "third local # Ljava/lang/String;",
        "third local #* C",
        "third length()2* I",
    ];
    assert_eq!(operands(&["-g:lines"]), expected);
}

#[test]
fn slices_leave_out_what_does_not_matter() {
    let subject = Subject::compile(SOURCE, &[]);
    let class = subject.class("Branches");
    let body = crate::support::body(class, "fail");
    let cfg = Cfg::of(&body);
    let provenance = Provenance::of(&body, &cfg).unwrap();
    let control = ControlDependence::of(&cfg, Flow::Normal);
    let thrown = body.instructions_at_line(subject.line("throw")).last().unwrap().end - 1;
    let slice = backward_slice(&provenance, &control, [thrown]);
    let operands = branch_operands(&provenance, &LocalVariables::default());
    let steps: Vec<_> = operands.iter().map(|it| slice.get(&it.jump)).collect();
    assert_eq!(steps, [None, Some(&1)]);
}
