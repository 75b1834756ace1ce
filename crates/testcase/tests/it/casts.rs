//! Casts are possible exactly if the compiler says so.

use crashback_testcase::Problem;

use crate::compiler::Suite;
use crate::support::Draft;

/// Types without type arguments, which are looked at by compilers and not here.
const TYPES: [&str; 30] = [
    "Ljava/lang/Object;",
    "Ljava/lang/String;",
    "Ljava/lang/Number;",
    "Ljava/lang/Integer;",
    "Ljava/lang/CharSequence;",
    "Ljava/lang/Runnable;",
    "Ljava/lang/Cloneable;",
    "Ljava/io/Serializable;",
    "Ljava/lang/Thread;",
    "[I",
    "[J",
    "[[I",
    "[Ljava/lang/Object;",
    "[Ljava/lang/String;",
    "[Ljava/lang/Runnable;",
    "[Ljava/lang/Cloneable;",
    "Laway/Sealed$Shape;",
    "Laway/Sealed$Round;",
    "Laway/Sealed$Edgy;",
    "Laway/Sealed$Closed;",
    "Laway/Sealed$Only;",
    "Laway/Sealed$Tree;",
    "Laway/Sealed$Leaf;",
    "Laway/Sealed$Free;",
    "Laway/Sealed$Loose;",
    "Laway/Sealed$Last;",
    "Laway/Sealed$Pair;",
    "Laway/Colour;",
    "Lhome/Home$Size;",
    "[Laway/Sealed$Closed;",
];

#[test]
fn casts_between_all_pairs_of_types() {
    let mut draft = Draft::default();
    let mut tests = Vec::new();
    for (from, to) in TYPES.iter().flat_map(|from| TYPES.map(|to| (from, to))) {
        draft.statements.clear();
        let value = draft.any(from);
        draft.cast(to, value);
        tests.push(draft.test_case());
    }
    Suite { vocabulary: draft.vocabulary, tests }.assert_agreement(|problem| {
        // Compilers let pass what the language forbids (JLS 5.1.6.1): classes beside a sealed
        // interface that permits a class open for extension, and arrays of sealed types.
        let Problem::ImpossibleCast { from, to } = problem else { return false };
        let of = [from.descriptor(), to.descriptor()];
        of.contains(&"Laway/Sealed$Shape;") || of.contains(&"[Laway/Sealed$Closed;")
    });
}

#[test]
fn what_hangs_on_a_missing_class_is_not_called_impossible() {
    let mut draft = Draft::default();
    let orphan = draft.construct("away/Orphan.<init>()V", &[]);
    draft.cast("Ljava/lang/Runnable;", orphan);
    draft.cast("Ljava/lang/String;", orphan);
    let runnable = draft.any("Ljava/lang/Runnable;");
    draft.cast("Laway/Orphan;", runnable);
    assert_eq!(draft.check(), Ok(()));
    // A class that a source would have to name is another matter.
    let missing = draft.cast("Laway/Missing;", orphan);
    let problem = Problem::UnknownClass("away/Missing".into());
    let found = draft.check().unwrap_err();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].statement, &found[0].problem), (usize::from(missing.0), &problem));
}
