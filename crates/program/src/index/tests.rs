use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::*;

/// A class file with a name, a superclass and interfaces, and one abstract method of the name `m`.
fn class_file(name: &str, supertypes: &[&str]) -> Vec<u8> {
    let (superclass, interfaces) = supertypes.split_first().unwrap();
    let texts: Vec<&str> = [name, superclass].into_iter().chain(interfaces.iter().copied()).collect();
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52];
    let number = |bytes: &mut Vec<u8>, number: usize| bytes.extend((number as u16).to_be_bytes());
    // The pool: for each class its name and the class, then name and descriptor of the method.
    number(&mut bytes, texts.len() * 2 + 3);
    for (position, text) in texts.iter().enumerate() {
        bytes.push(1);
        number(&mut bytes, text.len());
        bytes.extend(text.as_bytes());
        bytes.push(7);
        number(&mut bytes, position * 2 + 1);
    }
    for text in ["m", "()V"] {
        bytes.push(1);
        number(&mut bytes, text.len());
        bytes.extend(text.as_bytes());
    }
    [0x0421, 2, 4, interfaces.len()].into_iter().for_each(|it| number(&mut bytes, it));
    (0..interfaces.len()).for_each(|position| number(&mut bytes, position * 2 + 6));
    let method = texts.len() * 2 + 1;
    [0, 1, 0x0401, method, method + 1, 0, 0].into_iter().for_each(|it| number(&mut bytes, it));
    bytes
}

fn shard(classes: &[(String, Vec<String>)]) -> Shard {
    let files: Vec<Vec<u8>> = classes
        .iter()
        .map(|(name, supertypes)| {
            class_file(name, &supertypes.iter().map(String::as_str).collect::<Vec<_>>())
        })
        .collect();
    let inputs =
        (0..).zip(&files).map(|(location, bytes)| ClassInput { location, expected_name: None, bytes });
    let (shard, problems) = Shard::build(inputs);
    assert_eq!(problems, []);
    shard
}

/// Asks everything that can be asked.
fn dump(index: &ClassIndex) -> String {
    let mut out = String::new();
    for class in index.all() {
        let supertypes: Vec<_> = class.direct_supertypes().collect();
        writeln!(out, "{class:?} {supertypes:?} {:?} {:?}", class.access(), class.version()).unwrap();
        writeln!(out, "{:?} {:?} {:?}", class.nesting(), class.enclosing(), class.declared_access()).unwrap();
        writeln!(out, "{:?} {:?} {:?}", class.nest_host(), class.signature(), class.source_file()).unwrap();
        writeln!(out, "{:?} {:?}", class.kind(), class.permitted_subclasses().collect::<Vec<_>>()).unwrap();
        let members: Vec<_> = class.fields().chain(class.methods()).collect();
        for member in members {
            let exceptions: Vec<_> = member.exceptions().collect();
            writeln!(out, "{member:?} {:?} {exceptions:?} {:?}", member.constant(), member.signature())
                .unwrap();
        }
        for annotation in class.annotations() {
            let elements: Vec<_> = annotation.elements().collect();
            writeln!(out, "{} {elements:?}", annotation.descriptor()).unwrap();
        }
    }
    out
}

fn name() -> impl Strategy<Value = String> {
    ("[a-c]", "[A-D]").prop_map(|(package, class)| format!("{package}/{class}"))
}

fn classes() -> impl Strategy<Value = Vec<(String, Vec<String>)>> {
    prop::collection::vec((name(), prop::collection::vec(name(), 1..4)), 0..6)
}

proptest! {
    #[test]
    fn an_index_is_its_list_of_classes(shards in prop::collection::vec(classes(), 0..5)) {
        let index = ClassIndex::new(shards.iter().map(|classes| shard(classes)).collect());
        // The model: all places by name, in order of shard and, within one, of the list.
        let mut places: BTreeMap<&str, Vec<&Vec<String>>> = BTreeMap::new();
        for (name, supertypes) in shards.iter().flatten() {
            places.entry(name).or_default().push(supertypes);
        }
        prop_assert_eq!(index.len(), places.len());
        prop_assert_eq!(index.all().count(), shards.iter().flatten().count());
        let mut names: Vec<&str> = index.iter().map(ClassView::name).collect();
        names.sort();
        prop_assert_eq!(names, places.keys().copied().collect::<Vec<_>>());
        for (name, expected) in &places {
            let found: Vec<ClassRef> = index.places(name).collect();
            prop_assert!(found.is_sorted());
            let views = found.iter().map(|&place| index.view(place).unwrap());
            let supertypes: Vec<Vec<String>> =
                views.map(|view| view.direct_supertypes().map(str::to_owned).collect()).collect();
            prop_assert_eq!(supertypes.iter().collect::<Vec<_>>(), expected.clone());
            prop_assert_eq!(index.get(name).unwrap().reference(), found[0]);
        }
        for supertype in ["a/A", "b/B", "c/D", "d/Unknown"] {
            let expected: Vec<&str> = places
                .iter()
                .flat_map(|(name, copies)| copies[0].iter().filter(|it| *it == supertype).map(|_| *name))
                .collect();
            let subtypes = index.direct_subtypes(supertype).iter();
            let mut found: Vec<&str> = subtypes.map(|&class| index.view(class).unwrap().name()).collect();
            found.sort();
            prop_assert_eq!(found, expected);
            prop_assert_eq!(index.contains(supertype), places.contains_key(supertype));
        }
        let in_packages: usize = index.packages().map(|(name, classes)| {
            assert!(classes.iter().all(|&class| index.view(class).unwrap().package() == name));
            classes.len()
        }).sum();
        prop_assert_eq!(in_packages, index.len());
    }

    #[test]
    fn a_shard_survives_being_stored_and_nothing_else_passes_for_one(
        classes in classes(),
        at in any::<prop::sample::Index>(),
        flip in 1u8..,
        cut in any::<prop::sample::Index>(),
    ) {
        let shard = shard(&classes);
        let bytes = shard.as_bytes().to_vec();
        prop_assert_eq!(Shard::from_bytes(bytes.clone()), Ok(shard));
        prop_assert!(Shard::from_bytes(bytes[..cut.index(bytes.len())].to_vec()).is_err());
        let mut damaged = bytes;
        let at = at.index(damaged.len());
        damaged[at] ^= flip;
        prop_assert!(Shard::from_bytes(damaged).is_err());
    }

    /// Whoever makes a block with a right checksum and wrong contents gets wrong answers, but
    /// answers.
    #[test]
    fn no_content_makes_a_view_panic(
        classes in classes(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
    ) {
        let mut bytes = shard(&classes).as_bytes().to_vec();
        if bytes.len() > 33 {
            let body = bytes.len() - 32;
            for (at, value) in changes {
                bytes[32 + at.index(body)] = value;
            }
        }
        let checksum = xxh3_64(&bytes[32..]).to_le_bytes();
        bytes[24..32].copy_from_slice(&checksum);
        let index = ClassIndex::new(vec![Shard::from_bytes(bytes).unwrap()]);
        dump(&index);
        index.direct_subtypes("a/A");
        index.packages().count();
    }
}

#[test]
fn versions_and_foreign_blocks_are_told_apart() {
    let mut bytes = shard(&[]).as_bytes().to_vec();
    bytes[8] = 200;
    assert_eq!(Shard::from_bytes(bytes.clone()), Err(ShardError::Version { found: 200 }));
    bytes[0] = 0;
    assert_eq!(Shard::from_bytes(bytes), Err(ShardError::Foreign));
    assert_eq!(Shard::from_bytes(Vec::new()), Err(ShardError::Foreign));
}

#[test]
fn refused_classes_leave_no_trace() {
    let (good, other) = (class_file("p/Good", &["x/Y"]), class_file("p/Other", &["x/Y"]));
    let cut = &other[..other.len() - 9];
    let input = |expected_name, bytes| ClassInput { location: 7, expected_name, bytes };
    let with_bad = [
        input(None, b"no class".as_slice()),
        input(Some("p/Good"), &good),
        input(Some("p/Another"), &other),
        input(None, cut),
    ];
    let (shard, problems) = Shard::build(with_bad);
    let alone = Shard::build([input(None, &good)]).0;
    let show = |shard: Shard| dump(&ClassIndex::new(vec![shard]));
    assert_eq!(show(shard), show(alone));
    let places: Vec<usize> = problems.iter().map(|(place, _)| *place).collect();
    assert_eq!(places, [0, 2, 3]);
    assert_eq!(problems[1].1, ClassProblem::OtherName { found: "p/Other".to_owned() });
    assert!(matches!(problems[0].1, ClassProblem::Malformed(_)));
}

#[test]
fn references_of_another_index_lead_nowhere() {
    let index = ClassIndex::new(vec![shard(&[("a/A".to_owned(), vec!["b/B".to_owned()])])]);
    for (shard, class) in [(0, 1), (1, 0), (u32::MAX, u32::MAX)] {
        assert!(index.view(ClassRef { shard, class }).is_none());
    }
    assert!(ClassIndex::new(Vec::new()).get("a/A").is_none());
}
