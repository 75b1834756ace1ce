//! Switches over texts, as javac compiles them.

use crashback_program::code::{MethodBody, text_switches};

use crate::support::Subject;

const SOURCE: &str = "
class Menu {
    int choose(String dish) {
        int price = 3;
        switch (dish) {
            case \"soup\":
                price = 4; // @soup
                break;
            case \"Aa\":
                price = 5; // @first
                break;
            case \"BB\":
                return 6; // @second
            case \"tea\":
            case \"water\":
                return 1; // @drink
        }
        return price;
    }

    int hash(String dish) {
        switch (dish.length()) {
            case 1: return dish.hashCode();
            default: return 0;
        }
    }
}
";

/// Cases of a method as `text marker`, in the order of their texts.
fn cases(method: &str) -> Vec<String> {
    let subject = Subject::compile(SOURCE, &[]);
    let class = subject.class("Menu");
    let method = class.methods.iter().find(|it| it.name(&class.pool).unwrap() == method).unwrap();
    let body = MethodBody::of(class, method).unwrap().unwrap();
    let switches = text_switches(&body);
    let marker = |target| body.line_of(target).map_or("unknown".to_owned(), |line| subject.marker(line));
    let cases = switches.iter().flat_map(|it| &it.cases);
    let mut cases: Vec<String> = cases.map(|it| format!("{} {}", it.text, marker(it.target))).collect();
    cases.sort();
    cases
}

#[test]
fn cases_lead_to_their_code_through_the_second_switch() {
    // "Aa" and "BB" have the same hash code.
    assert_eq!(cases("choose"), ["Aa first", "BB second", "soup soup", "tea drink", "water drink"]);
}

#[test]
fn other_switches_have_no_texts() {
    assert!(cases("hash").is_empty());
}
