//! Calls, constants, types, throws, and where operands come from.

use std::sync::LazyLock;

use crashback_program::code::calls::{Purpose, initialisations};
use crashback_program::code::throws::{self, Reason};
use crashback_program::code::{
    CallSite, CallTarget, Cfg, InvokeKind, Literal, Mentioned, MethodBody, Operation, Provenance,
    ValueOrigin, call_sites, mentions,
};

use crate::support::{Subject, body, feature_version};

static SUBJECT: LazyLock<Subject> = LazyLock::new(|| {
    // Patterns in switches are a preview in Java 17 and part of the language since Java 21.
    let release = feature_version().to_string();
    Subject::compile(SOURCE, &["--enable-preview", "--release", &release])
});

const SOURCE: &str = r#"
import java.util.*;
import java.util.function.*;

class Facts {
    static int counter;
    int size;
    Facts next;
    List<String> names;
    record Point(int x, int y) {}

    Facts(int size) { this.size = size; }
    static void take(String key, int number, Object value) {}
    String name() { return null; }

    void kinds(List<String> list) {
        name(); // @virtual
        list.size(); // @interface
        take("k", 1, null); // @static
        new Facts(3); // @special
    }

    void dynamic(String a, int b) {
        Runnable r = () -> System.out.println(a); // @lambda
        Function<String, Integer> f = String::length; // @reference
        Supplier<List<String>> s = ArrayList::new; // @constructor-reference
        String text = "size " + b + " of " + a; // @concat
    }

    static int patterns(Object o) {
        return switch (o) { // @patterns
            case String s -> s.length();
            case Integer i -> i;
            default -> 0;
        };
    }

    void initialise() {
        counter = 1; // @put
        int c = counter; // @get
        Object o = new StringBuilder(); // @new
        Math.abs(c); // @call
    }

    void constants(Object o) {
        take("text", 70000, null); // @constants
        long l = 5000000000L;
        float f = 2.5f;
        double d = 0.1;
        Class<?> c = String.class;
        switch ((int) l) { case 3: break; case 900: break; }
        Object[] array = new Integer[(int) l];
        int[][] grid = new int[2][3];
        String s = (String) o; // @cast
        boolean b = o instanceof Map; // @instanceof
        try { name(); } catch (IllegalStateException e) { } // @caught
    }

    void arguments(String p, int n, Object[] items) {
        take("fixed", 42, null); // @fixed
        take(p, n, this); // @given
        take(name(), size, next.names); // @fields
        take(p.trim(), n + 1, items[0]); // @derived
        String choice = n > 0 ? "yes" : "no";
        take(choice, counter, new Point(1, 2)); // @choice
        for (int i = 0; i < n; i++) {
            take(p, i, (Object) items); // @loop
        }
        try {
            name();
        } catch (RuntimeException e) {
            take(null, -1, e); // @caught-argument
        }
        p = "changed";
        take(p, 1L > n ? 1 : 2, Integer.valueOf(7)); // @changed
    }

    static double wide(double a, long b, int c) {
        take("wide", c, null); // @wide
        return a * b;
    }

    void throwing(int n, Object o, int[] array, RuntimeException given) {
        if (n == 0) throw new IllegalArgumentException( // @throw
            "bad " + n);
        if (n == 1) throw given; // @throw-given
        RuntimeException later = new IllegalStateException(); // @construct
        int x = n / array[n]; // @implicit
        Point p = (Point) o; // @implicit-cast
        int y = next.size; // @implicit-null
        synchronized (o) { // @monitor
            float z = 1f / n; // @no-exception
        } // @monitor-end
        Object[] made = new Object[n]; // @implicit-size
        throw later; // @throw-later
    }
}
"#;

struct Method {
    body: &'static MethodBody<'static>,
    provenance: Provenance<'static, 'static>,
}

fn method(name: &str) -> Method {
    let body: &'static MethodBody<'static> = Box::leak(Box::new(body(SUBJECT.class("Facts"), name)));
    let cfg: &'static Cfg = Box::leak(Box::new(Cfg::of(body)));
    Method { body, provenance: Provenance::of(body, cfg).expect("the body is sound") }
}

impl Method {
    /// The calls of a line.
    fn calls(&self, marker: &str) -> Vec<CallSite<'static>> {
        call_sites(self.body).filter(|call| call.line == Some(SUBJECT.line(marker))).collect()
    }

    /// Where the arguments of the call of `take` on a line come from.
    fn arguments(&self, marker: &str) -> Vec<String> {
        let takes = |call: &CallSite<'_>| call.method().is_some_and(|method| method.name == "take");
        let call = self.calls(marker).into_iter().find(takes).expect("a call of take");
        self.provenance.arguments_of(call.instruction).iter().map(|origin| self.render(origin)).collect()
    }

    fn render(&self, origin: &ValueOrigin<'_>) -> String {
        match origin {
            ValueOrigin::Constant(literal) => literal_text(literal),
            ValueOrigin::This => "this".to_owned(),
            ValueOrigin::Parameter(number) => format!("parameter {number}"),
            ValueOrigin::Field { field, receiver: None } => format!("{}.{}", field.owner, field.name),
            ValueOrigin::Field { field, receiver: Some(receiver) } => {
                format!("{}.{}", self.render(receiver), field.name)
            }
            ValueOrigin::Call { instruction } => {
                match CallSite::at(self.body, *instruction).expect("a call").method() {
                    Some(method) => format!("{}()", method.name),
                    None => "dynamic()".to_owned(),
                }
            }
            ValueOrigin::New { class, .. } => format!("new {class}"),
            ValueOrigin::NewArray { array, .. } => format!("new {array}"),
            ValueOrigin::Element { array } => format!("{}[]", self.render(array)),
            ValueOrigin::Caught { .. } => "caught".to_owned(),
            ValueOrigin::Computed { .. } => "computed".to_owned(),
            ValueOrigin::OneOf(all) => all.iter().map(|one| self.render(one)).collect::<Vec<_>>().join(" | "),
            ValueOrigin::Unknown => "unknown".to_owned(),
        }
    }

    fn implicit(&self, marker: &str) -> Vec<&'static str> {
        let runs = self.body.instructions_at_line(SUBJECT.line(marker)).into_iter().flatten();
        let all = runs.flat_map(|index| throws::implicit_exceptions(&self.body.instructions()[index]));
        let mut found: Vec<_> = all.filter(|it| it.reason == Reason::Operands).map(|it| it.class).collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|class| class.strip_prefix("java/lang/").expect("of java.lang")).collect()
    }
}

fn literal_text(literal: &Literal<'_>) -> String {
    match literal {
        Literal::Null => "null".to_owned(),
        Literal::Int(value) => value.to_string(),
        Literal::Long(value) => format!("{value}L"),
        Literal::Float(bits) => format!("{}f", f32::from_bits(*bits)),
        Literal::Double(bits) => format!("{}d", f64::from_bits(*bits)),
        Literal::String(text) => format!("{:?}", text.to_str()),
        Literal::Class(name) => format!("{name}.class"),
        other => format!("{other:?}"),
    }
}

#[test]
fn calls_are_named_with_kind_and_line() {
    let kinds = method("kinds");
    let check = |marker: &str, expect: &[(InvokeKind, &str)]| {
        let calls = kinds.calls(marker);
        let text = |call: &CallSite<'_>| {
            let method = call.method().expect("by name");
            (call.kind(), format!("{}.{}{}", method.owner, method.name, method.descriptor))
        };
        let expect: Vec<_> = expect.iter().map(|&(kind, text)| (kind, text.to_owned())).collect();
        assert_eq!(calls.iter().map(text).collect::<Vec<_>>(), expect);
    };
    check("virtual", &[(InvokeKind::Virtual, "Facts.name()Ljava/lang/String;")]);
    check("interface", &[(InvokeKind::Interface, "java/util/List.size()I")]);
    check("static", &[(InvokeKind::Static, "Facts.take(Ljava/lang/String;ILjava/lang/Object;)V")]);
    check("special", &[(InvokeKind::Special, "Facts.<init>(I)V")]);
}

#[test]
fn dynamic_calls_tell_what_they_make() {
    let dynamic = method("dynamic");
    let implementation = |marker: &str| {
        let calls = dynamic.calls(marker);
        let handle = calls.iter().find_map(CallSite::lambda).expect("a lambda");
        format!("{}.{}", handle.member.owner, handle.member.name)
    };
    assert!(implementation("lambda").starts_with("Facts.lambda$dynamic$"));
    assert_eq!(implementation("reference"), "java/lang/String.length");
    assert_eq!(implementation("constructor-reference"), "java/util/ArrayList.<init>");
    let purpose = |method: &Method, marker: &str| match &method.calls(marker)[0].target {
        CallTarget::Dynamic(target) => target.purpose.clone(),
        CallTarget::Method { .. } => panic!("a plain call"),
    };
    assert_eq!(purpose(&dynamic, "concat"), Purpose::StringConcat);
    let patterns = method("patterns");
    let switches = call_sites(patterns.body).filter_map(|call| match call.target {
        CallTarget::Dynamic(target) => Some(target.purpose),
        CallTarget::Method { .. } => None,
    });
    assert_eq!(switches.collect::<Vec<_>>(), [Purpose::PatternSwitch]);
    let record = body(SUBJECT.class("Facts$Point"), "toString");
    let CallTarget::Dynamic(target) = call_sites(&record).next().expect("a call").target else {
        panic!("a plain call")
    };
    assert_eq!(target.purpose, Purpose::RecordMethod);
}

#[test]
fn uses_of_classes_that_initialise_them() {
    let initialise = method("initialise");
    let found: Vec<_> = initialisations(initialise.body)
        .map(|it| (SUBJECT.marker(it.line.unwrap()), it.class.to_str().into_owned(), it.instantiates))
        .collect();
    let expect = [
        ("put", "Facts", false),
        ("get", "Facts", false),
        ("new", "java/lang/StringBuilder", true),
        ("call", "java/lang/Math", false),
    ];
    assert_eq!(found, expect.map(|(marker, class, made)| (marker.to_owned(), class.to_owned(), made)));
}

#[test]
fn constants_and_types_are_mentioned() {
    let constants = method("constants");
    let all = mentions(constants.body);
    let has = |what: Mentioned<'_>| all.iter().any(|mention| mention.what == what);
    let pushed: Vec<String> = all
        .iter()
        .filter_map(|mention| match &mention.what {
            Mentioned::Constant(literal) => Some(literal_text(literal)),
            _ => None,
        })
        .collect();
    for expect in ["\"text\"", "70000", "null", "5000000000L", "2.5f", "0.1d", "java/lang/String.class"] {
        assert!(pushed.iter().any(|text| text == expect), "{expect} in {pushed:?}");
    }
    assert!(has(Mentioned::SwitchKey(3)) && has(Mentioned::SwitchKey(900)) && !has(Mentioned::SwitchKey(4)));
    let class = |name: &'static str| crashback_classfile::JavaStr::new(name.as_bytes());
    let of = |name| crashback_classfile::FieldType::from_class_constant(class(name)).unwrap();
    assert!(has(Mentioned::Cast(of("java/lang/String"))));
    assert!(has(Mentioned::InstanceOf(of("java/util/Map"))));
    assert!(has(Mentioned::NewArray(of("[Ljava/lang/Integer;"))));
    assert!(has(Mentioned::NewArray(of("[[I"))));
    assert!(has(Mentioned::MethodOwner(class("Facts"))));
    assert!(has(Mentioned::Caught(class("java/lang/IllegalStateException"))));
    assert!(!has(Mentioned::New(class("java/lang/Integer"))));
    let line_of = |what: Mentioned<'_>| all.iter().find(|mention| mention.what == what).unwrap().line;
    assert_eq!(line_of(Mentioned::Cast(of("java/lang/String"))), Some(SUBJECT.line("cast")));
    assert_eq!(line_of(Mentioned::Constant(Literal::Int(70000))), Some(SUBJECT.line("constants")));
}

#[test]
fn recipes_of_concatenations_are_split() {
    let parts: Vec<String> = mentions(method("dynamic").body)
        .into_iter()
        .filter_map(|mention| match mention.what {
            Mentioned::ConcatPart(part) => Some(part),
            _ => None,
        })
        .collect();
    assert_eq!(parts, ["size ", " of "]);
    let labels: Vec<String> = mentions(method("patterns").body)
        .into_iter()
        .filter_map(|mention| match mention.what {
            Mentioned::BootstrapConstant(literal) => Some(literal_text(&literal)),
            _ => None,
        })
        .collect();
    assert_eq!(labels, ["java/lang/String.class", "java/lang/Integer.class"]);
}

#[test]
fn arguments_are_traced_to_their_origins() {
    let arguments = method("arguments");
    let check = |marker: &str, expect: [&str; 3]| assert_eq!(arguments.arguments(marker), expect, "{marker}");
    check("fixed", ["\"fixed\"", "42", "null"]);
    check("given", ["parameter 0", "parameter 1", "this"]);
    check("fields", ["name()", "this.size", "this.next.names"]);
    check("derived", ["trim()", "computed", "parameter 2[]"]);
    check("choice", ["\"yes\" | \"no\"", "Facts.counter", "new Facts$Point"]);
    check("loop", ["parameter 0", "0 | computed", "parameter 2"]);
    check("caught-argument", ["null", "-1", "caught"]);
    check("changed", ["\"changed\"", "1 | 2", "valueOf()"]);
    assert_eq!(method("wide").arguments("wide"), ["\"wide\"", "parameter 2", "null"]);
}

#[test]
fn operands_that_must_not_be_null_are_known() {
    let throwing = method("throwing");
    let dereferenced = |marker: &str, wanted: fn(&Operation<'_>) -> bool| {
        let mut indices = throwing.body.instructions_at_line(SUBJECT.line(marker)).into_iter().flatten();
        let index =
            indices.find(|&index| wanted(throwing.body.operation(index).unwrap())).expect("the instruction");
        let value = throwing.provenance.dereferenced(index).expect("a dereference");
        (throwing.render(&throwing.provenance.origin(&value)), throwing.provenance.may_be_null(&value))
    };
    // The first access of the line is that of `next` on `this`.
    let field_of_this = |operation: &Operation<'_>| matches!(operation, Operation::GetField(_));
    assert_eq!(dereferenced("implicit-null", field_of_this), ("this".to_owned(), false));
    let size =
        |operation: &Operation<'_>| matches!(operation, Operation::GetField(f) if f.member.name == "size");
    assert_eq!(dereferenced("implicit-null", size), ("this.next".to_owned(), true));
    let element = |operation: &Operation<'_>| matches!(operation, Operation::LoadElement(_));
    assert_eq!(dereferenced("implicit", element), ("parameter 2".to_owned(), true));
    let constructor = |operation: &Operation<'_>| matches!(operation, Operation::Invoke(_));
    assert!(!dereferenced("construct", constructor).1);
}

#[test]
fn implicit_exceptions_follow_the_instructions() {
    let throwing = method("throwing");
    assert_eq!(
        throwing.implicit("implicit"),
        ["ArithmeticException", "ArrayIndexOutOfBoundsException", "NullPointerException"]
    );
    assert_eq!(throwing.implicit("implicit-cast"), ["ClassCastException"]);
    assert_eq!(throwing.implicit("implicit-null"), ["NullPointerException"]);
    assert_eq!(throwing.implicit("implicit-size"), ["NegativeArraySizeException"]);
    assert_eq!(throwing.implicit("no-exception"), [""; 0]);
    assert_eq!(throwing.implicit("construct"), [""; 0]);
    assert_eq!(throwing.implicit("throw-given"), ["NullPointerException"]);
    assert_eq!(throwing.implicit("monitor"), ["NullPointerException"]);
    assert_eq!(throwing.implicit("monitor-end"), ["IllegalMonitorStateException", "NullPointerException"]);
    let constructor = &throwing.calls("construct")[0];
    let reasons: Vec<Reason> =
        throws::implicit_exceptions(&throwing.body.instructions()[constructor.instruction])
            .into_iter()
            .map(|implicit| implicit.reason)
            .collect();
    assert_eq!(reasons, [Reason::Linkage, Reason::Stack]);
}

#[test]
fn thrown_objects_are_traced_to_their_construction() {
    let throwing = method("throwing");
    let constructed: Vec<_> = throws::constructions(throwing.body, &throwing.provenance)
        .into_iter()
        .map(|it| (it.class.to_str().into_owned(), SUBJECT.marker(it.line.unwrap())))
        .collect();
    let expect =
        [("java/lang/IllegalArgumentException", "throw"), ("java/lang/IllegalStateException", "construct")];
    assert_eq!(constructed, expect.map(|(class, marker)| (class.to_owned(), marker.to_owned())));
    // The compiler's handlers around `synchronized` throw again what they caught.
    let thrown: Vec<_> = throws::throw_sites(throwing.body, &throwing.provenance)
        .into_iter()
        .map(|site| throwing.render(&site.thrown))
        .filter(|thrown| thrown != "caught")
        .collect();
    assert_eq!(
        thrown,
        ["new java/lang/IllegalArgumentException", "parameter 3", "new java/lang/IllegalStateException"]
    );
    // `super(…)` and `this(…)` construct nothing new.
    let constructor = method("<init>");
    assert!(throws::constructions(constructor.body, &constructor.provenance).is_empty());
}
