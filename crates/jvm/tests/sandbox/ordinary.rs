//! What programs do every day works inside.

use crate::support::{Jdk, Stage, User, methods, snapshot};

#[test]
fn ordinary_work_is_not_disturbed() {
    for jdk in Jdk::all().iter() {
        for (user, mode) in User::all().into_iter().flat_map(|user| [(user, "java"), (user, "program")]) {
            let names = methods("Ordinary");
            let stage = Stage::new(user, names.iter().map(String::as_str));
            let before = snapshot(&[stage.outside()]);
            let mut child = stage.child(jdk, mode, true);
            child.property("run", "Ordinary");
            let report = child.report();
            for name in &names {
                assert_eq!(report[name], "done", "{name} as {user:?} on {} ({mode})", jdk.feature);
            }
            assert_eq!(snapshot(&[stage.outside()]), before);
        }
    }
}
