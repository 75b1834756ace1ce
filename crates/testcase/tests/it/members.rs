//! Members of the index as entries of a vocabulary, and as text.

use crashback_testcase::{Error, Kind, MemberName, Vocabulary};

use crate::support::WORLD;

#[test]
fn names_are_read_as_they_are_written() {
    let all = [
        ("java/lang/String.length()I", "java/lang/String", "length", "()I"),
        ("pkg/A.<init>(I[[Ljava/lang/String;)V", "pkg/A", "<init>", "(I[[Ljava/lang/String;)V"),
        ("pkg/A$B.f:I", "pkg/A$B", "f", "I"),
        ("[J.clone()Ljava/lang/Object;", "[J", "clone", "()Ljava/lang/Object;"),
        ("A.a:b:[D", "A", "a:b", "[D"),
    ];
    for (text, owner, name, descriptor) in all {
        let parsed: MemberName = text.parse().unwrap();
        assert_eq!((&*parsed.owner, &*parsed.name, &*parsed.descriptor), (owner, name, descriptor));
        assert_eq!(parsed.to_string(), text);
    }
    for text in ["", "A", "A.f", "A.m(", "A.m()", "A.m()VV", ".m()V", "A.()V", "A.f:V", "A.f:", "A.m(V)V"] {
        assert_eq!(text.parse::<MemberName>(), Err(Error::MalformedMember(text.into())));
    }
}

#[test]
fn every_member_of_the_jdk_is_entered_under_its_name() {
    let mut vocabulary = Vocabulary::default();
    let hierarchy = WORLD.context().hierarchy();
    for class in WORLD.index().package("java/util").iter().filter_map(|it| WORLD.index().view(*it)) {
        for method in class.methods() {
            let id = vocabulary.add_method_of(class, method).unwrap();
            let entry = vocabulary.method(id).unwrap();
            let kind = match (method.name(), method.is_static()) {
                ("<init>", _) => Kind::Constructor,
                (_, true) => Kind::Static,
                (_, false) => Kind::Instance,
            };
            assert_eq!(entry.kind, kind);
            let name = vocabulary.method_name(entry).unwrap().to_string();
            assert_eq!(name, format!("{}.{}{}", class.name(), method.name(), method.descriptor()));
            assert_eq!(vocabulary.find_method(hierarchy, &name), Ok(id));
        }
        for field in class.fields() {
            let id = vocabulary.add_field_of(class, field);
            let name = vocabulary.field_name(vocabulary.field(id).unwrap()).unwrap().to_string();
            assert_eq!(name, format!("{}.{}:{}", class.name(), field.name(), field.descriptor()));
            assert_eq!(vocabulary.find_field(hierarchy, &name), Ok(id));
        }
    }
    assert!(vocabulary.known().methods > 1000);
}

#[test]
fn inner_classes_take_the_outer_instance_first() {
    let mut vocabulary = Vocabulary::default();
    let class = WORLD.index().get("away/Away$Inner").unwrap();
    let constructor = class.methods_named("<init>").next().unwrap();
    let id = vocabulary.add_method_of(class, constructor).unwrap();
    let parameters = &vocabulary.method(id).unwrap().parameters;
    let parameters: Vec<_> =
        parameters.iter().map(|it| vocabulary.type_of(*it).unwrap().descriptor()).collect();
    assert_eq!(parameters, ["Laway/Away;", "I"]);
}

#[test]
fn what_does_not_exist_is_not_found() {
    let mut vocabulary = Vocabulary::default();
    let hierarchy = WORLD.context().hierarchy();
    let unknown = |text: &str| Error::UnknownMember(text.into());
    let (method, field) = ("java/lang/String.length()J", "java/lang/String.length:I");
    assert_eq!(vocabulary.find_method(hierarchy, method), Err(unknown(method)));
    assert_eq!(vocabulary.find_field(hierarchy, field), Err(unknown(field)));
}
