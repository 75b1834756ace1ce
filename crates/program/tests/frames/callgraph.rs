//! Who calls whom in a small program.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crashback_program::callgraph::{CallGraph, Receivers};
use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::calls::CallTarget;
use crashback_program::code::{InvokeKind, call_sites};
use crashback_program::{ClassSource, ClassView};

use crate::program::{Entry, TestClassPath, compile};

static CLASS_PATH: LazyLock<TestClassPath> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    TestClassPath::new(vec![Entry::directory("classes", compile(SOURCE, folder.path(), &[]))])
});

const SOURCE: &str = r#"package shop;

import java.util.function.Function;
import java.util.function.Supplier;

interface Animal {
    String name();
    default String greet() { return "I am " + name(); }
    static Animal make() { return new Dog(); }
}
abstract class Pet implements Animal {
    public String greet() { return Animal.super.greet(); }
    abstract void feed(int amount);
}
class Dog extends Pet {
    public String name() { return "Dog"; }
    void feed(int amount) { bark(); }
    private void bark() { }
}
class Cat extends Pet {
    public String name() { return "Cat"; }
    void feed(int amount) { super.toString(); }
    public String greet() { return name(); }
}
class Rock implements Animal {
    public String name() { return "Rock"; }
}
class Puppy extends Dog { }
interface Wall { void apply(); }
class Paint { public void apply() { } }
class Painted extends Paint implements Wall { }
interface Coated { default void coat() { } }
interface Gloss extends Coated { default void coat() { } }
abstract class Door implements Coated { }
class Gate extends Door implements Gloss { }
class Keeper {
    void feed(Pet pet) { pet.feed(1); }
    void greet(Animal animal) { animal.greet(); }
    void rock(Rock rock) { rock.greet(); }
    Runnable later(Pet pet) { return () -> feed(pet); }
    Function<Animal, String> reference() { return Animal::name; }
    Function<String, Integer> text() { return String::length; }
    Object[] copy(Object[] all) { return all.clone(); }
    void time() { System.nanoTime(); }
    Supplier<Dog> make() { return Dog::new; }
    void paint(Wall wall, Door door) { wall.apply(); door.coat(); }
    void none() { }
}
"#;

fn class(classes: &Classes<'_>, name: &str) -> ClassView<'static> {
    let _ = classes;
    CLASS_PATH.index().get(&format!("shop/{name}")).unwrap_or_else(|| panic!("no class {name}"))
}

/// The only method `Class.name`.
fn method(classes: &Classes<'_>, name: &str) -> MethodId {
    let (owner, name) = name.split_once('.').expect("a class and a method");
    let found: Vec<_> = class(classes, owner).methods_named(name).collect();
    assert_eq!(found.len(), 1, "{name}");
    MethodId::of(found[0])
}

fn names(methods: Vec<MethodId>) -> BTreeSet<String> {
    let count = methods.len();
    let names: BTreeSet<String> = methods
        .into_iter()
        .map(|it| {
            let view = it.view(CLASS_PATH.index()).expect("a method of the index");
            let class = view.class().name();
            format!("{}.{}", class.strip_prefix("shop/").unwrap_or(class), view.name())
        })
        .collect();
    assert_eq!(names.len(), count, "each once: {names:?}");
    names
}

fn check_callees(caller: &str, expected: &[&str]) {
    let classes = Classes::new(&*CLASS_PATH);
    let callees = CallGraph::new(&classes).callees(method(&classes, caller));
    assert_eq!(names(callees), expected.iter().map(|&it| it.to_owned()).collect(), "{caller}");
}

fn check_callers(callee: &str, expected: &[&str]) {
    let classes = Classes::new(&*CLASS_PATH);
    let among: Vec<_> = CLASS_PATH.index().iter().filter(|it| it.package() == "shop").collect();
    let callers = CallGraph::new(&classes).callers(method(&classes, callee), &among);
    assert_eq!(names(callers), expected.iter().map(|&it| it.to_owned()).collect(), "{callee}");
}

#[test]
fn virtual_calls_run_all_overrides() {
    check_callees("Keeper.feed", &["Dog.feed", "Cat.feed"]);
    check_callees("Keeper.greet", &["Animal.greet", "Pet.greet", "Cat.greet"]);
    check_callees("Keeper.rock", &["Animal.greet"]);
    check_callees("Cat.greet", &["Cat.name"]);
    // Native methods have no body.
    check_callees("Keeper.copy", &[]);
    check_callees("Keeper.time", &[]);
    // A class may inherit what its interface asks for from elsewhere.
    check_callees("Keeper.paint", &["Paint.apply", "Gloss.coat", "Coated.coat"]);
}

#[test]
fn static_and_special_calls_run_one_method() {
    check_callees("Animal.make", &["Dog.<init>"]);
    check_callees("Dog.<init>", &["Pet.<init>"]);
    check_callees("Dog.feed", &["Dog.bark"]);
    check_callees("Cat.feed", &["java/lang/Object.toString"]);
    check_callees("Pet.greet", &["Animal.greet"]);
    check_callees("Keeper.none", &[]);
    check_callees("Pet.feed", &[]);
}

#[test]
fn making_a_lambda_calls_its_body() {
    check_callees("Keeper.later", &["Keeper.lambda$later$0"]);
    check_callees("Keeper.lambda$later$0", &["Keeper.feed"]);
    check_callees("Keeper.reference", &["Dog.name", "Cat.name", "Rock.name"]);
    check_callees("Keeper.text", &["java/lang/String.length"]);
    check_callees("Keeper.make", &["Dog.<init>"]);
}

#[test]
fn callers_are_callees_turned_around() {
    check_callers("Dog.feed", &["Keeper.feed"]);
    check_callers("Keeper.feed", &["Keeper.lambda$later$0"]);
    check_callers("Animal.greet", &["Keeper.greet", "Keeper.rock", "Pet.greet"]);
    check_callers("Cat.name", &["Animal.greet", "Keeper.reference", "Cat.greet"]);
    check_callers("Dog.bark", &["Dog.feed"]);
    check_callers("Pet.<init>", &["Dog.<init>", "Cat.<init>"]);
    check_callers("Dog.<init>", &["Animal.make", "Keeper.make", "Puppy.<init>"]);
    check_callers("Keeper.none", &[]);
}

#[test]
fn both_directions_agree_everywhere() {
    let classes = Classes::new(&*CLASS_PATH);
    let graph = CallGraph::new(&classes);
    let among: Vec<_> = CLASS_PATH.index().iter().filter(|it| it.package() == "shop").collect();
    let methods = || among.iter().flat_map(|it| it.methods()).map(MethodId::of);
    let mut edges = 0;
    for callee in methods() {
        let callers: BTreeSet<MethodId> = graph.callers(callee, &among).into_iter().collect();
        let expected: BTreeSet<MethodId> =
            methods().filter(|&it| graph.callees(it).contains(&callee)).collect();
        assert_eq!(callers, expected);
        edges += callers.len();
    }
    assert!(edges > 20, "{edges}");
}

#[test]
fn receivers_run_the_method_itself() {
    let classes = Classes::new(&*CLASS_PATH);
    let check = |class: &str, name: &str, expected: &[&str]| {
        let class = CLASS_PATH.index().get(&format!("shop/{class}")).unwrap();
        let method = class.methods().find(|it| it.name() == name).unwrap();
        let found: Vec<&str> =
            CallGraph::new(&classes).receivers(method).iter().map(|it| it.name()).collect();
        assert_eq!(found, expected.iter().map(|it| format!("shop/{it}")).collect::<Vec<_>>(), "{name}");
    };
    check("Pet", "greet", &["Dog", "Puppy"]);
    check("Animal", "greet", &["Rock"]);
    check("Dog", "feed", &["Dog", "Puppy"]);
    check("Cat", "greet", &["Cat"]);
    check("Pet", "feed", &[]);
}

#[test]
fn all_forms_of_the_question_agree() {
    let classes = Classes::new(&*CLASS_PATH);
    let graph = CallGraph::new(&classes);
    let index = CLASS_PATH.index();
    let shop: Vec<_> = index.iter().filter(|it| it.package() == "shop").collect();
    let receivers = Receivers::new(&classes, shop.iter().copied());
    let mut calls = 0;
    for class in &shop {
        classes.for_each_body(*class, |_, body| {
            for call in call_sites(body) {
                let listed: BTreeSet<MethodId> = graph.callees_at(&call).into_iter().collect();
                let listed_in_shop: BTreeSet<MethodId> = listed
                    .iter()
                    .copied()
                    .filter(|it| shop.iter().any(|class| class.reference() == it.class))
                    .collect();
                let among: BTreeSet<MethodId> = graph.callees_among(&call, &shop).into_iter().collect();
                assert_eq!(among, listed_in_shop, "{call:?}");
                let on: BTreeSet<MethodId> = graph.callees_on(&call, &receivers).into_iter().collect();
                assert!(on.is_subset(&listed), "{call:?}");
                // The receiver of a lambda is not known where it is made.
                let is_known = call.kind() != InvokeKind::Dynamic;
                assert!(!is_known || listed_in_shop.is_subset(&on), "{call:?}");
                for method in shop.iter().flat_map(|it| it.methods()).filter(|it| it.has_code()) {
                    let is_listed = listed.contains(&MethodId::of(method));
                    assert_eq!(graph.may_run(&call, method), is_listed, "{call:?} {method:?}");
                    // Less is known of frames, so more is possible.
                    if let (true, CallTarget::Method { kind, method: called }) = (is_listed, &call.target) {
                        let class = method.class().name();
                        assert!(graph.may_run_frame(*kind, *called, class, method.name()), "{call:?}");
                    }
                }
                calls += listed.len();
            }
        });
    }
    assert!(calls > 30, "{calls}");
}

#[test]
fn objects_may_be_of_unrelated_types() {
    let hierarchy = Classes::new(&*CLASS_PATH).hierarchy();
    let share = |one: &str, other: &str| hierarchy.may_share_objects(one, other);
    assert_eq!(share("shop/Wall", "shop/Paint"), Some(true));
    assert_eq!(share("shop/Paint", "shop/Wall"), Some(true));
    assert_eq!(share("shop/Dog", "shop/Animal"), Some(true));
    assert_eq!(share("shop/Dog", "shop/Cat"), Some(false));
    assert_eq!(share("shop/Missing", "shop/Cat"), None);
}

#[test]
fn a_nest_is_a_top_level_class_with_all_inside() {
    let classes = Classes::new(&*CLASS_PATH);
    let names = |name: &str| -> Vec<&str> {
        classes.nest(class(&classes, name)).iter().map(|it| it.name()).collect()
    };
    assert_eq!(names("Dog"), ["shop/Dog"]);
    let map = CLASS_PATH.index().get("java/util/HashMap$TreeNode").expect("a class of the JDK");
    let nest = classes.nest(map);
    assert!(nest.iter().any(|it| it.name() == "java/util/HashMap"));
    assert!(nest.iter().all(|it| it.nest_host().is_none_or(|host| host == "java/util/HashMap")));
    let members = |it: &ClassView<'_>| it.nest_host() == Some("java/util/HashMap");
    let by_attribute = CLASS_PATH.index().iter().filter(members).count();
    assert_eq!(nest.len(), by_attribute + 1);
}
