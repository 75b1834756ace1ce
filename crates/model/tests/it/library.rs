//! Models of a released library.

use crashback_classpath::{ClassPath, Request};
use crashback_model::{Action, Collector, DEFAULT_ORDER, Model, Models};
use crashback_program::ClassSource as _;

fn commons_math() -> Models {
    let coordinates = "org.apache.commons:commons-math3:3.6.1".parse().expect("coordinates");
    let request = Request { maven: vec![coordinates], ..Request::default() };
    let class_path = ClassPath::load(&request).expect("Maven fetches the library");
    let mut collector = Collector::new(DEFAULT_ORDER);
    for class in class_path.index().iter() {
        let bytes = class_path.bytes(class.reference()).expect("the class is there");
        collector.add_class(&bytes, |_| true);
    }
    collector.finish()
}

fn has(model: &Model, from: &str, action: &str) -> bool {
    let states: Vec<String> = model
        .states()
        .map(|it| it.recent.last().map_or("start".to_owned(), |it| it.name.to_string()))
        .collect();
    model.transitions().iter().any(|it| states[it.from] == from && &*it.action.name == action)
}

#[test]
fn lists_of_a_library_are_made_and_filled_before_they_are_asked() {
    let models = commons_math();
    let lists = models.get("java/util/ArrayList").expect("a model of lists");
    for (from, action) in [("start", "<init>"), ("<init>", "add"), ("add", "add")] {
        assert!(has(lists, from, action), "{from} then {action}\n{lists:#?}");
    }
    // A new list has nothing to be sorted or removed.
    assert!(!has(lists, "<init>", "remove") && !has(lists, "<init>", "removeAll"), "{lists:#?}");
    let (new, add) = (Action::new("<init>", "()V"), Action::new("add", "(Ljava/lang/Object;)Z"));
    assert!(lists.accepts(&[new.clone(), add.clone(), add]));
    assert_eq!(Models::from_bytes(&models.to_bytes()), Ok(models));
}
