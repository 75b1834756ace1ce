//! Descriptors, signatures and names.

use crashback_classfile::{
    ClassSignature, FieldType, JavaStr, MethodDescriptor, MethodSignature, SignatureElement, TypeSignature,
    binary_name, internal_name,
};

fn java(text: &str) -> JavaStr<'_> {
    JavaStr::new(text.as_bytes())
}

#[test]
fn field_types() {
    let check = |descriptor, java_name: &str, slots| {
        let parsed = FieldType::parse(java(descriptor)).unwrap();
        assert_eq!(parsed.to_string(), descriptor);
        assert_eq!(parsed.java_name(), java_name);
        assert_eq!(parsed.slots(), slots);
    };
    check("I", "int", 1);
    check("J", "long", 2);
    check("[D", "double[]", 1);
    check("Ljava/util/Map$Entry;", "java.util.Map$Entry", 1);
    check("[[Ljava/lang/String;", "java.lang.String[][]", 1);
    check(&format!("{}Z", "[".repeat(255)), &format!("boolean{}", "[]".repeat(255)), 1);
    let too_many = format!("{}Z", "[".repeat(256));
    for malformed in ["", "V", "L;", "La", "[", "II", "LA;;", "X", &too_many] {
        assert!(FieldType::parse(java(malformed)).is_err(), "{malformed} is accepted");
    }
}

#[test]
fn method_descriptors() {
    let check = |descriptor, parameters: &[&str], result: Option<&str>, slots| {
        let parsed = MethodDescriptor::parse(java(descriptor)).unwrap();
        assert_eq!(parsed.to_string(), descriptor);
        assert_eq!(
            parsed.parameters().map(|parameter| parameter.to_string()).collect::<Vec<_>>(),
            parameters
        );
        assert_eq!(parsed.result().map(|result| result.to_string()).as_deref(), result);
        assert_eq!(parsed.parameter_slots(), slots);
    };
    check("()V", &[], None, 0);
    check("(IJ[DLa/B;)[I", &["I", "J", "[D", "La/B;"], Some("[I"), 5);
    check("(DD)J", &["D", "D"], Some("J"), 4);
    let many = |count: usize| format!("({})V", "J".repeat(count));
    assert_eq!(MethodDescriptor::parse(java(&many(127))).unwrap().parameter_slots(), 254);
    let too_many = many(128);
    for malformed in ["", "()", "(V)V", "(I", "()VV", "(La)V", "()L;", "I", &too_many] {
        assert!(MethodDescriptor::parse(java(malformed)).is_err(), "{malformed} is accepted");
    }
}

#[test]
fn class_constants() {
    let class = FieldType::from_class_constant(java("a/B")).unwrap();
    assert_eq!(class.to_string(), "La/B;");
    let array = FieldType::from_class_constant(java("[[I")).unwrap();
    assert_eq!(array.component().unwrap().to_string(), "[I");
    assert!(FieldType::from_class_constant(java("[")).is_err());
}

#[test]
fn signatures_print_as_they_were_written() {
    let class = |text| ClassSignature::parse(java(text)).map(|parsed| parsed.to_string());
    let method = |text| MethodSignature::parse(java(text)).map(|parsed| parsed.to_string());
    let field = |text| TypeSignature::parse(java(text)).map(|parsed| parsed.to_string());
    for text in ["La;", "<T:La;>La;", "<A::La;B:TA;:Lb;:Lc;C:[I>La<TA;>.B<*>.C;Ld<+TB;-[[J[La;>;"] {
        assert_eq!(class(text).unwrap(), text);
    }
    for text in ["()V", "<T:>(TT;I[J)[TT;^TT;^La/B<*>;", "(La<La<La<*>;>;>;)La;"] {
        assert_eq!(method(text).unwrap(), text);
    }
    for text in ["TT;", "[[La/B<[I>;", "La/B$C<*>.D;"] {
        assert_eq!(field(text).unwrap(), text);
    }
    for malformed in ["", "T;", "La", "La<>;", "La<I>;", "La.;", "La<*>", "La;La;", "[", "La/b.c/d;", "V"] {
        assert!(field(malformed).is_err(), "{malformed} is accepted");
    }
    for malformed in ["<>La;", "<T>La;", "I", "La;I", "<:La;>La;", "[La;"] {
        assert!(class(malformed).is_err(), "{malformed} is accepted");
    }
    for malformed in ["", "()", "(V)V", "()V^I", "()VV", "(La<*>)V"] {
        assert!(method(malformed).is_err(), "{malformed} is accepted");
    }
}

#[test]
fn nested_types_have_internal_names() {
    let parsed = TypeSignature::parse(java("La/B<TT;>.C.D<*>;")).unwrap();
    let SignatureElement::Class(class) = parsed.element else { panic!("{parsed}") };
    assert_eq!(class.internal_name(), "a/B$C$D");
}

#[test]
fn names_are_translated_both_ways() {
    assert_eq!(binary_name("a/b/C$D"), "a.b.C$D");
    assert_eq!(internal_name("a.b.C$D"), "a/b/C$D");
    assert_eq!(internal_name("C"), "C");
}
