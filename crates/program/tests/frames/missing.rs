//! What a class path lacks.

use std::sync::LazyLock;

use crashback_program::missing::MissingClass;

use crate::program::{ClassBytes, Entry, Program, TestClassPath, audit};

static PROGRAM: LazyLock<Program> = LazyLock::new(|| Program::run(SOURCE));

const SOURCE: &str = r#"package shop.front;

import harness.Harness.Crash;

class Base { }
class Shelf { }
class Slip { }
class Stock { static int size() { return 1; } }
class Lost extends RuntimeException { }

class Till extends Base {
    int sell(Object what, Slip[] slips) {
        int number = what.hashCode();
        try {
            return number + Stock.size();
        } catch (Lost e) {
            return 0;
        }
    }
    int shelve(Object what, Shelf shelf) {
        return what.hashCode();
    }
}

class Sells implements Crash {
    public void crash() {
        new Till().sell(null, new Slip[0]);
    }
}

class Shelves implements Crash {
    public void crash() {
        new Till().shelve(null, null);
    }
}
"#;

/// What is missing for a crash when these classes are.
fn check(case: &str, absent: &[&str], expected: &[(&str, &str)]) {
    let (in_jar, in_folder): (ClassBytes, ClassBytes) =
        PROGRAM.class_path.classes("classes").into_iter().partition(|(name, _)| name.ends_with("/Shelf"));
    let mut in_folder = in_folder;
    in_folder.retain(|name, _| !absent.iter().any(|it| *name == format!("shop/front/{it}")));
    let jar = Entry::jar("shop-front-1.2.jar", Some("1.2"), in_jar);
    let class_path = TestClassPath::new(vec![Entry::directory("classes", in_folder), jar]);
    let missing = audit(&class_path, &PROGRAM.throwable(case)).missing_classes;
    let expected = expected.iter().map(|(class, needed_by)| MissingClass {
        class: format!("shop.front.{class}"),
        needed_by: format!("shop.front.{needed_by}"),
        coordinates: None,
        beside: Some("shop-front-1.2.jar".to_owned()),
    });
    assert_eq!(missing, expected.collect::<Vec<_>>(), "{case} without {absent:?}");
}

#[test]
fn what_the_frames_need_is_named_and_nothing_else() {
    check("shop.front.Sells", &[], &[]);
    check("shop.front.Sells", &["Stock"], &[("Stock", "Till")]);
    let all = ["Base", "Lost", "Slip", "Stock"];
    let of_till = [("Base", "Till"), ("Lost", "Till"), ("Slip", "Till"), ("Stock", "Till")];
    check("shop.front.Sells", &all, &of_till);
    check("shop.front.Shelves", &all, &[("Base", "Till")]);
}

#[test]
fn advice_is_as_good_as_what_is_known() {
    let missing = |coordinates: Option<&str>, beside: Option<&str>| MissingClass {
        class: "a.B".to_owned(),
        needed_by: "c.D".to_owned(),
        coordinates: coordinates.map(str::to_owned),
        beside: beside.map(str::to_owned),
    };
    assert_eq!(missing(None, None).advice(), "a.B, which c.D needs, is not on the class path");
    assert!(
        missing(None, Some("a-1.jar")).advice().ends_with(": it may come with a-1.jar from the same place")
    );
    assert!(missing(Some("a:a:1"), None).advice().ends_with(": --maven a:a:1 may bring it"));
}
