//! What a crash and the program offer before anything has run.

use std::sync::LazyLock;

use crashback_classfile::JavaStr;
use crashback_model::Collector;
use crashback_model::sequences::Call;
use crashback_program::frames::CrashAudit;
use crashback_seeding::{Records, known_arguments, pools};
use crashback_testcase::workshop::{Expectation, Influence, Pools, Preparation, Spot, Structure, Tuning};
use crashback_testcase::{Literal, MemberName, Text, Type};

use crate::support::Program;

const FILES: [(&str, &str); 8] = [
    (
        "shop/Shop.java",
        "package shop;
public class Shop {
    static String owner;
    private static Shop instance;
    int stock;
    Runnable task;
    static Shop instance() { return instance; }
    static void open(Shop shop) { instance = shop; }
    public void setStock(int stock) { this.stock = stock; }
    public int sell(String item, int count) {
        if (item.startsWith(\"box-\") && owner != null) {
            return price(item, 3, true) / stock;
        }
        return -1;
    }
    private int price(String item, int factor, boolean isSale) {
        if (!isSale) {
            throw new IllegalStateException(\"no price for \" + item + \" today\");
        }
        return factor;
    }
}
",
    ),
    (
        "shop/Till.java",
        "package shop;
public class Till {
    static final boolean LOUD = Boolean.getBoolean(\"till.loud\");
    public int close(Object drawer) {
        java.util.List<?> list = (java.util.List<?>) drawer;
        return Shop.instance().sell(\"box-7\", list.size());
    }
}
",
    ),
    (
        "shop/Labels.java",
        "package shop;
public class Labels {
    public String read(String language) throws Exception {
        java.io.InputStream in = Labels.class.getResourceAsStream(\"labels-\" + language + \".txt\");
        java.io.File file = new java.io.File(\"cache\");
        return in.toString() + file;
    }
}
",
    ),
    (
        "shop/Parser.java",
        "package shop;
public class Parser {
    private final int kind;
    public Parser(String text) { kind = kindOf(text.charAt(0)); }
    private static int kindOf(char letter) { return letter == '{' ? 1 : letter == '\"' ? 2 : 3; }
    public int parse() { return 1 / (kind - kind); }
}
",
    ),
    (
        "shop/Parcel.java",
        "package shop;
public class Parcel {
    public static final Parcel NONE = new Parcel(null);
    private final Object content;
    public Parcel(Object content) { this.content = content; }
    public Object content() { return content; }
}
",
    ),
    (
        "shop/Packer.java",
        "package shop;
import java.util.*;
public class Packer {
    public int pack(Parcel parcel, Map context, Collection<?> labels) {
        if (parcel == Parcel.NONE) {
            return 0;
        }
        Shop shop = (Shop) context.get(\"pack.shop\");
        for (Object label : labels) {
            ((Labels) label).hashCode();
        }
        return open(parcel) / shop.stock;
    }
    private int open(Parcel parcel) { return ((Till) parcel.content()).hashCode(); }
}
",
    ),
    (
        "shop/Style.java",
        "package shop;
public class Style {
    private final int width;
    private final int height;
    private boolean wide;
    private Style(int width, int height) { this.width = width; this.height = height; }
    private Style(Builder builder) { this(builder.width, builder.height); }
    public Style withWidth(int width) { return new Style(width, height); }
    public Style withHeight(int height) { return new Style(width, height); }
    private Style copy() {
        Style copy = new Style(width, height);
        copy.wide = wide;
        return copy;
    }
    public Style widened(boolean wide) {
        Style copy = copy();
        copy.wide = wide;
        return copy;
    }
    boolean isWide() { return wide; }
    public String describe(String name) { return name + width + height + wide + width + height + wide; }
    public int print(int columns) {
        describe(\"all\");
        return isWide() ? columns / width : 0;
    }
    public static class Builder {
        private int width;
        private int height;
        public Builder width(int width) { this.width = width; return this; }
        public Builder height(int height) { this.height = height; return this; }
        public Style build() { return new Style(this); }
    }
}
",
    ),
    ("shop/labels-en.txt", "hello"),
];

static PROGRAM: LazyLock<Program> = LazyLock::new(|| Program::compile(&FILES));

fn audit(log: &str) -> CrashAudit {
    PROGRAM.audit(log)
}

fn offered(log: &str) -> Pools {
    pools(&PROGRAM.classes, &audit(log), &Records::default(), None, &Tuning::default())
}

const SALE: &str = "java.lang.ArithmeticException: / by zero
\tat shop.Shop.sell(Shop.java:12)
\tat shop.Till.close(Till.java:6)
";

fn texts(pools: &Pools) -> Vec<String> {
    pools.texts.iter().map(|it| String::from_utf16_lossy(it.units())).collect()
}

fn preparation<'p>(pools: &'p Pools, member: &str) -> Option<&'p Preparation> {
    pools.preparations.iter().find(|it| it.member.to_string().starts_with(member))
}

#[test]
fn constants_and_types_of_frames_are_offered() {
    let pools = offered(SALE);
    assert!(pools.integers.contains(&3), "{:?}", pools.integers);
    assert!(texts(&pools).contains(&"box-".to_owned()), "{:?}", texts(&pools));
    assert_eq!(pools.types, ["shop/Shop", "shop/Till", "java/util/List"]);
    assert_eq!(pools.traced[0], ("shop/Shop".to_owned(), "sell".to_owned()));
    assert!(pools.mentioned.contains("shop/Shop"));
    assert!(!pools.is_null_crash && !pools.is_mock_library && pools.is_small);
}

#[test]
fn pools_are_bounded_by_settings() {
    let mut tuning = Tuning::default();
    for (name, value) in [("pool-size", "1"), ("mentioned-classes", "1"), ("preparations", "1")] {
        tuning.set(name, value).unwrap();
    }
    let pools = pools(&PROGRAM.classes, &audit(SALE), &Records::default(), None, &tuning);
    assert_eq!(pools.types, ["shop/Shop"]);
    assert_eq!((pools.mentioned.len(), pools.preparations.len()), (1, 1));
}

#[test]
fn messages_come_first() {
    let pools = offered(
        "java.lang.IllegalStateException: no price for box-99 today
\tat shop.Shop.price(Shop.java:18)
\tat shop.Shop.sell(Shop.java:12)
",
    );
    let texts = texts(&pools);
    let place = |text: &str| texts.iter().position(|it| it == text);
    assert!(place("box-99 today").is_some(), "{texts:?}");
    assert!(place("box-99 today") < place("box-"), "{texts:?}");
}

#[test]
fn facts_of_messages_become_values() {
    let frames = "\tat shop.Till.close(Till.java:5)\n";
    let index = offered(&format!(
        "java.lang.ArrayIndexOutOfBoundsException: Index 17 out of bounds for length 9\n{frames}"
    ));
    assert_eq!(index.integers.get(..2), Some([17, 9].as_slice()));
    let cast = offered(&format!(
        "java.lang.ClassCastException: class shop.Parser cannot be cast to class java.util.List (shop.Parser \
         is in unnamed module of loader 'app'; java.util.List is in module java.base of loader 'bootstrap')\n{frames}"
    ));
    assert_eq!(cast.types.first().map(String::as_str), Some("shop/Parser"));
    assert!(offered(&format!("java.lang.NullPointerException\n{frames}")).is_null_crash);
}

#[test]
fn writers_of_what_frames_read_are_offered() {
    let pools = offered(SALE);
    let owner = preparation(&pools, "shop/Shop.owner:").unwrap();
    assert!(owner.provides.contains("shop/Shop.owner") && !owner.precedes_initialiser);
    let open = preparation(&pools, "shop/Shop.open(").unwrap();
    assert!(open.provides.contains("shop/Shop.instance"), "{open:?}");
    assert!(pools.influential.keys().any(|it| it.name == "setStock"), "{:?}", pools.influential);
    // The initialiser of a class on the trace reads the property.
    let property = preparation(&pools, "java/lang/System.setProperty(").unwrap();
    let arguments = [Literal::Text("till.loud".into()), Literal::Text("true".into())];
    assert_eq!((property.arguments.as_slice(), property.precedes_initialiser), (arguments.as_slice(), true));
}

#[test]
fn writers_of_what_frames_read_themselves_are_near() {
    let pools = offered(
        "java.lang.ArithmeticException: / by zero
\tat shop.Style.print(Style.java:24)
",
    );
    let influence = |name: &str| {
        let named = |(it, _): &(&MemberName, _)| it.name == name;
        pools.influential.iter().find(named).map(|(_, influence)| *influence)
    };
    for near in ["withWidth", "width", "widened"] {
        assert_eq!(influence(near), Some(Influence::Near), "{near}: {:?}", pools.influential);
    }
    for far in ["withHeight", "height"] {
        assert_eq!(influence(far), Some(Influence::Far), "{far}: {:?}", pools.influential);
    }
    assert_eq!(influence("describe"), None);
}

#[test]
fn resources_are_named_as_the_code_names_them() {
    let pools = offered(
        "java.lang.NullPointerException
\tat shop.Labels.read(Labels.java:6)
",
    );
    let texts = texts(&pools);
    assert!(texts.contains(&"en".to_owned()), "{texts:?}");
    assert!(texts.contains(&"labels-en.txt".to_owned()), "{texts:?}");
    assert!(pools.opens_files);
    assert!(!offered(SALE).opens_files);
}

#[test]
fn formats_are_told_by_the_letters_that_constructors_compare() {
    let pools = offered(
        "java.lang.ArithmeticException: / by zero
\tat shop.Parser.parse(Parser.java:6)
",
    );
    assert_eq!(pools.structures, [Structure::Json]);
    assert!(offered(SALE).structures.is_empty());
}

const PACKING: &str = "java.lang.ArithmeticException: / by zero
\tat shop.Packer.pack(Packer.java:12)
";

/// What is expected of a parameter of a method.
fn expected(pools: &Pools, member: &str, parameter: usize) -> Expectation {
    let spot = Spot::Parameter(member.parse().unwrap(), parameter);
    pools.expectations.get(&spot).cloned().unwrap_or_default()
}

const PACK: &str = "shop/Packer.pack(Lshop/Parcel;Ljava/util/Map;Ljava/util/Collection;)I";

#[test]
fn casts_tell_what_parts_of_arguments_are() {
    let pools = offered(PACKING);
    let shop = vec![Type::of_class("shop/Shop")];
    assert_eq!(expected(&pools, PACK, 1).entries.get("pack.shop").map(|it| &it.types), Some(&shop));
    assert_eq!(expected(&pools, PACK, 2).element.types, [Type::of_class("shop/Labels")]);
}

#[test]
fn casts_are_followed_back_through_fields_and_results() {
    let expected = expected(&offered(PACKING), "shop/Parcel.<init>(Ljava/lang/Object;)V", 0);
    assert_eq!(expected.whole.types, [Type::of_class("shop/Till")]);
}

#[test]
fn the_class_whose_cast_failed_is_expected_first() {
    let log = "java.lang.ClassCastException: class shop.Shop cannot be cast to class shop.Till (shop.Shop is)
\tat shop.Packer.open(Packer.java:14)
\tat shop.Packer.pack(Packer.java:12)
";
    let expected = expected(&offered(log), "shop/Parcel.<init>(Ljava/lang/Object;)V", 0);
    assert_eq!(expected.whole.types, ["shop/Shop", "shop/Till"].map(Type::of_class));
}

#[test]
fn constants_are_expected_where_they_are_compared_by_identity() {
    let expected = expected(&offered(PACKING), PACK, 0);
    assert_eq!(expected.whole.constants, ["shop/Parcel.NONE:Lshop/Parcel;".parse().unwrap()]);
}

#[test]
fn words_of_called_code_are_tokens() {
    let pools = offered(
        "java.lang.NullPointerException
\tat shop.Till.close(Till.java:6)
",
    );
    assert!(pools.tokens.contains(&Text::from("box-")), "{:?}", pools.tokens);
    assert!(!texts(&pools).contains(&"box-".to_owned()), "they are no constants of the trace");
}

#[test]
fn constants_that_the_caller_passes_are_known() {
    let audit = audit(
        "java.lang.IllegalStateException
\tat shop.Shop.price(Shop.java:18)
\tat shop.Shop.sell(Shop.java:12)
\tat shop.Till.close(Till.java:6)
",
    );
    let arguments = |level| known_arguments(&PROGRAM.classes, &audit, level);
    assert_eq!(arguments(1), [vec![], vec![Literal::Int(3)], vec![Literal::Boolean(true)]]);
    assert_eq!(arguments(2), [vec![Literal::Text(Text::from("box-7"))], vec![]]);
    assert!(arguments(3).is_empty(), "nothing calls the outermost frame");
}

#[test]
fn uses_of_classes_of_the_trace_are_learnt_from_the_program_and_from_given_models() {
    let names = |pools: &Pools| -> Vec<Vec<String>> {
        let found = pools.behaviours.get("shop/Shop").into_iter().flatten();
        found.map(|it| it.0.iter().map(|(name, _)| name.clone()).collect()).collect()
    };
    let (audit, mut tuning) = (audit(SALE), Tuning::default());
    let learnt = pools(&PROGRAM.classes, &audit, &Records::default(), None, &tuning);
    assert!(names(&learnt).contains(&vec!["sell".to_owned()]), "{:?}", learnt.behaviours);
    assert!(!learnt.behaviours.contains_key("java/util/List"), "the JDK's classes are left out");

    let call = |name: &'static str, descriptor: &'static str| Call {
        owner: JavaStr::new(b"shop/Shop"),
        name: JavaStr::new(name.as_bytes()),
        descriptor: JavaStr::new(descriptor.as_bytes()),
    };
    let used = [call("<init>", "()V"), call("setStock", "(I)V"), call("sell", "(Ljava/lang/String;I)I")];
    let mut collector = Collector::new(3);
    collector.add("shop/Shop", &used);
    collector.add("shop/Nowhere", &used);
    let given = collector.finish();
    let both = pools(&PROGRAM.classes, &audit, &Records::default(), Some(&given), &tuning);
    for expected in [&["sell"][..], &["<init>", "setStock", "sell"]] {
        assert!(names(&both).iter().any(|it| it == expected), "{:?}", both.behaviours);
    }
    assert!(!both.behaviours.contains_key("shop/Nowhere"));

    tuning.set("model-kilobytes", "0").unwrap();
    assert!(pools(&PROGRAM.classes, &audit, &Records::default(), None, &tuning).behaviours.is_empty());
    tuning.set("source.models", "off").unwrap();
    assert!(
        pools(&PROGRAM.classes, &audit, &Records::default(), Some(&given), &tuning).behaviours.is_empty()
    );
}
