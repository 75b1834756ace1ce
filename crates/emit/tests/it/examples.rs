//! What test cases look like as sources, feature by feature. Every source also compiles.

use std::cell::RefCell;

use crashback_emit::source::{Mode, TestSource};
use crashback_testcase::{Answer, Literal, Text};

use crate::draft::Draft;
use crate::support::{JUNIT_5, jdk, verifier};

/// Makes a test of each function, and one that compiles the sources of all of them together.
macro_rules! examples {
    ($(fn $name:ident() $body:block)*) => {
        $(#[test] fn $name() $body)*

        #[test]
        fn every_example_compiles() {
            $($name();)*
            compile(&SOURCES.take());
        }
    };
}

thread_local! {
    /// The sources of the examples that this thread checked.
    static SOURCES: RefCell<Vec<TestSource>> = const { RefCell::new(Vec::new()) };
}

/// Checks the statements of a test, and its `throws` clause and imports if any are expected: lines
/// that begin with `throws` and `import`.
fn check(draft: impl FnOnce(&mut Draft), expected: &str) {
    check_in("shop", draft, expected);
}

fn check_in(package: &str, draft: impl FnOnce(&mut Draft), expected: &str) {
    let mut written = Draft::default();
    draft(&mut written);
    let source = written.source(package, JUNIT_5.junit, Mode::Fails, &[]);
    assert_eq!(essence(&source), expected.trim());
    SOURCES.with_borrow_mut(|it| it.push(source));
}

fn compile(sources: &[TestSource]) {
    let renamed = sources.iter().enumerate().map(|(number, source)| {
        let class = format!("Some{number}Test");
        TestSource { text: source.text.replace("SomeTest", &class), class, ..source.clone() }
    });
    let renamed: Vec<TestSource> = renamed.collect();
    let scratch = tempfile::tempdir().unwrap();
    let home = jdk().home;
    let refused = verifier(&JUNIT_5, &home, scratch.path()).compile_all(&renamed).unwrap();
    for (source, refused) in renamed.iter().zip(refused) {
        assert_eq!(refused, None, "{}", source.text);
    }
}

fn essence(source: &TestSource) -> String {
    let mut lines = Vec::new();
    for line in source.text.lines() {
        match line.trim() {
            it if it.starts_with("import ") && !it.contains("org.junit") => lines.push(it.to_owned()),
            it if it.contains(" throws ") && it.ends_with('{') => {
                lines.push(it[it.find("throws").unwrap()..].trim_end_matches(" {").to_owned());
            }
            it if line.starts_with("        ") => lines.push(it.to_owned()),
            _ => {}
        }
    }
    lines.join("\n")
}

examples! {
fn literals_are_written_where_they_are_used() {
    check(
        |it| {
            let of = [Literal::Byte(-1), Literal::Short(7), Literal::Char(0xd83d), Literal::Long(5)];
            let mut values: Vec<_> = of.into_iter().map(|of| it.literal(of)).collect();
            values.push(it.literal(Literal::Float(0.5)));
            values.push(it.literal(Literal::Double(f64::NAN)));
            it.call("shop/Shop.take(BSCJFD)V", &values);
        },
        r"Shop.take((byte) -1, (short) 7, '\ud83d', 5L, 0.5f, Double.NaN);",
    );
    check(
        |it| {
            let values = [
                Literal::Byte(i8::MIN),
                Literal::Short(i16::MAX),
                Literal::Char(39),
                Literal::Long(i64::MIN),
                Literal::Float(f32::NEG_INFINITY),
                Literal::Double(-0.0),
            ];
            let values: Vec<_> = values.into_iter().map(|of| it.literal(of)).collect();
            it.call("shop/Shop.take(BSCJFD)V", &values);
        },
        r"Shop.take(Byte.MIN_VALUE, Short.MAX_VALUE, '\'', Long.MIN_VALUE, Float.NEGATIVE_INFINITY, -0.0);",
    );
}

fn long_texts_are_split_and_repeated_ones_get_a_variable() {
    check(
        |it| {
            let text = it.text(&"0123456789".repeat(12));
            it.call("shop/Shop.put(Ljava/lang/String;)V", &[text]);
            let text = it.text("a text of some length");
            it.call("shop/Shop.put(Ljava/lang/String;)V", &[text]);
            it.call("shop/Shop.put(Ljava/lang/String;)V", &[text]);
            let units: Vec<u16> = vec![0x41, 0xd800, 0x5c, 0x75, 0x22, 0xa];
            let text = it.literal(Literal::Text(Text::from(units.as_slice())));
            it.call("shop/Shop.put(Ljava/lang/String;)V", &[text]);
        },
        r#"
Shop.put("01234567890123456789012345678901234567890123456789012345678901234567890123456789"
+ "0123456789012345678901234567890123456789");
String value = "a text of some length";
Shop.put(value);
Shop.put(value);
Shop.put("A\ud800\134u\"\n");
"#,
    );
}

fn bytes_are_written_in_place_unless_they_are_long_or_shared() {
    check(
        |it| {
            let bytes = it.literal(Literal::Bytes([1, 255].as_slice().into()));
            it.call("java/util/Arrays.hashCode([B)I", &[bytes]);
            let bytes = it.literal(Literal::Bytes([3].as_slice().into()));
            it.call("java/util/Arrays.equals([B[B)Z", &[bytes, bytes]);
            let bytes = it.literal(Literal::Bytes([4; 20].as_slice().into()));
            it.call("java/util/Arrays.hashCode([B)I", &[bytes]);
            let bytes = it.literal(Literal::Bytes([0; 40].as_slice().into()));
            it.call("java/util/Arrays.hashCode([B)I", &[bytes]);
        },
        "
import java.util.Arrays;
Arrays.hashCode(new byte[] {1, -1});
byte[] bytes = new byte[] {3};
Arrays.equals(bytes, bytes);
byte[] otherBytes = new byte[] {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
Arrays.hashCode(otherBytes);
Arrays.hashCode(new byte[40]);
",
    );
}

fn fluent_calls_are_chained_but_for_the_call_into_the_crash() {
    check(
        |it| {
            let append = "java/lang/StringBuilder.append(Ljava/lang/String;)Ljava/lang/StringBuilder;";
            let mut builder = it.construct("java/lang/StringBuilder.<init>()V", &[]);
            for text in ["a", "b", "c"] {
                let text = it.text(text);
                builder = it.call_on(builder, append, &[text]);
            }
            let written = it.call_on(builder, "java/lang/StringBuilder.toString()Ljava/lang/String;", &[]);
            let owner = it.text("me");
            let shop = it.call("shop/Shop.open(Ljava/lang/String;)Lshop/Shop;", &[owner]);
            let branch = it.call_on(shop, "shop/Shop.branch()Lshop/Shop;", &[]);
            it.call_on(branch, "shop/Shop.rename(Ljava/lang/String;)V", &[written]);
        },
        r#"
String string = new StringBuilder()
.append("a")
.append("b")
.append("c")
.toString();
Shop shop = Shop.open("me").branch();
shop.rename(string);
"#,
    );
}

fn calls_that_lead_to_another_object_have_a_variable_between_them() {
    check(
        |it| {
            let shop = it.construct("shop/Shop.<init>()V", &[]);
            let hidden = it.call_on(shop, "shop/Shop.branch()Lshop/Shop;", &[]);
            let names = it.call_on(hidden, "shop/Shop.getNames()Ljava/util/List;", &[]);
            it.call_on(names, "java/util/List.size()I", &[]);
            it.call_on(names, "java/util/List.clear()V", &[]);
        },
        "
import java.util.List;
List<String> names = new Shop().branch().getNames();
names.size();
names.clear();
",
    );
}

fn uses_say_more_about_type_arguments_than_contents() {
    check(
        |it| {
            let list = it.construct("java/util/ArrayList.<init>()V", &[]);
            let text = it.text("a");
            it.call_on(list, "java/util/ArrayList.add(Ljava/lang/Object;)Z", &[text]);
            let builder = it.construct("java/lang/StringBuilder.<init>()V", &[]);
            it.call_on(list, "java/util/ArrayList.add(Ljava/lang/Object;)Z", &[builder]);
            let shop = it.construct("shop/Shop.<init>()V", &[]);
            it.call_on(shop, "shop/Shop.read(Ljava/util/List;)V", &[list]);
        },
        r#"
import java.util.ArrayList;
ArrayList<CharSequence> list = new ArrayList<>();
list.add("a");
list.add(new StringBuilder());
Shop shop = new Shop();
shop.read(list);
"#,
    );
}

fn raw_contents_say_nothing_about_type_arguments() {
    check(
        |it| {
            let map = it.construct("java/util/HashMap.<init>()V", &[]);
            let text = it.text("a");
            let put = "java/util/HashMap.put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
            it.call_on(map, put, &[text, map]);
            it.call_on(map, put, &[text, map]);
        },
        r#"
import java.util.HashMap;
HashMap<String, Object> map = new HashMap<>();
map.put("a", map);
map.put("a", map);
"#,
    );
}

fn results_of_factories_have_the_type_arguments_that_uses_ask_for() {
    check(
        |it| {
            let texts = it.call("java/util/Collections.emptyList()Ljava/util/List;", &[]);
            let shop = it.construct("shop/Shop.<init>()V", &[]);
            it.call_on(shop, "shop/Shop.read(Ljava/util/List;)V", &[texts]);
            it.call_on(shop, "shop/Shop.read(Ljava/util/List;)V", &[texts]);
        },
        "
import java.util.Collections;
import java.util.List;
List<CharSequence> texts = Collections.emptyList();
Shop shop = new Shop();
shop.read(texts);
shop.read(texts);
",
    );
}

fn arrays_of_generic_classes_have_wildcards() {
    check(
        |it| {
            let element = it.class("Ljava/lang/String;");
            let types = it.filled("[Ljava/lang/Class;", &[element]);
            it.call("shop/Shop.kinds([Ljava/lang/Class;)V", &[types]);
            it.call("shop/Shop.kinds([Ljava/lang/Class;)V", &[types]);
        },
        "
Class<?>[] types = new Class<?>[] {String.class};
Shop.kinds(types);
Shop.kinds(types);
",
    );
}

fn anonymous_classes_with_one_method_are_lambdas_with_type_arguments() {
    check(
        |it| {
            let source = it.anonymous("shop/Shop$Source");
            let customer = it.construct("shop/Shop$Customer.<init>()V", &[]);
            it.stub(source, "shop/Shop$Source.next()Ljava/lang/Object;", Answer::Return(customer));
            let shop = it.construct("shop/Shop.<init>()V", &[]);
            it.call_on(shop, "shop/Shop.drain(Lshop/Shop$Source;)V", &[source]);
            let face = it.anonymous("shop/Shop$Face");
            it.call_on(shop, "shop/Shop.use(Lshop/Shop$Face;)V", &[face]);
        },
        "
Shop.Customer customer = new Shop.Customer();
Shop.Source<Shop.Customer> source = () -> customer;
Shop shop = new Shop();
shop.drain(source);
Shop.Face face = () -> {};
shop.use(face);
",
    );
}

fn methods_of_anonymous_classes_have_type_arguments_and_names() {
    check(
        |it| {
            let sink = it.anonymous("shop/Shop$Sink");
            let shop = it.construct("shop/Shop.<init>()V", &[]);
            it.call_on(shop, "shop/Shop.fill(Lshop/Shop$Sink;)V", &[sink]);
        },
        "
import java.util.ArrayList;
import java.util.List;
Shop.Sink<Shop.Customer> sink = new Shop.Sink<Shop.Customer>() {
@Override
public void add(Shop.Customer customer, List<Shop.Customer> list) {
}
@Override
public List<Shop.Customer> all() {
return new ArrayList<>();
}
};
Shop shop = new Shop();
shop.fill(sink);
",
    );
}

fn arguments_are_cast_only_where_another_method_would_be_called() {
    check(
        |it| {
            let null = it.null("Ljava/lang/Object;");
            it.call("shop/Shop.put(Ljava/lang/Object;)V", &[null]);
            let null = it.null("Ljava/lang/String;");
            it.call("shop/Shop.put(Ljava/lang/String;)V", &[null]);
            let text = it.text("a");
            let object = it.cast("Ljava/lang/Object;", text);
            it.call("shop/Shop.put(Ljava/lang/Object;)V", &[object]);
            it.call("shop/Shop.put(Ljava/lang/String;)V", &[text]);
            let null = it.null("[Ljava/lang/Object;");
            it.call("shop/Shop.all([Ljava/lang/Object;)V", &[null]);
            let null = it.null("[Ljava/lang/Object;");
            let text = it.text(", ");
            it.call("shop/Shop.join(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;", &[text, null]);
        },
        r#"
Shop.put((Object) null);
Shop.put((String) null);
Shop.put((Object) "a");
Shop.put("a");
Shop.all(null);
Shop.join(", ", (Object[]) null);
"#,
    );
}

fn arrays_have_initialisers_and_variable_arguments_are_listed() {
    check(
        |it| {
            let (one, two) = (it.int(1), it.int(2));
            let numbers = it.filled("[I", &[one, two]);
            it.call("shop/Shop.sum([I)I", &[numbers]);
            let row = it.filled("[I", &[two]);
            let other = it.array("[I", 3);
            let table = it.filled("[[I", &[row, other]);
            it.call("shop/Shop.table([[I)V", &[table]);
            let (separator, text) = (it.text("-"), it.text("x"));
            let parts = it.filled("[Ljava/lang/Object;", &[text, text]);
            it.call(
                "shop/Shop.join(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;",
                &[separator, parts],
            );
            // One array could be the array of all parts.
            let inner = it.array("[Ljava/lang/Object;", 0);
            let parts = it.filled("[Ljava/lang/Object;", &[inner]);
            it.call(
                "shop/Shop.join(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;",
                &[separator, parts],
            );
            let partial = it.array("[B", 3);
            let small = it.literal(Literal::Byte(5));
            it.set(partial, 1, small);
            it.get(partial, 1);
        },
        r#"
Shop.sum(1, 2);
Shop.table(new int[][] {{2}, new int[3]});
Shop.join("-", "x", "x");
Shop.join("-", new Object[] {new Object[0]});
byte[] bytes = new byte[] {0, 5, 0};
byte number = bytes[1];
"#,
    );
}

fn values_keep_their_order_and_are_inlined_where_that_allows_it() {
    check(
        |it| {
            let shop = it.construct("shop/Shop.<init>()V", &[]);
            let customer = it.construct("shop/Shop$Customer.<init>()V", &[]);
            let size = it.read(None, "shop/Shop$Size.LARGE:Lshop/Shop$Size;");
            it.call_on(shop, "shop/Shop.serve(Lshop/Shop$Customer;Lshop/Shop$Size;)V", &[customer, size]);
            // The constant would now be read before the customer is made.
            let size = it.read(None, "shop/Shop$Size.SMALL:Lshop/Shop$Size;");
            let name = it.text("Ann");
            let customer = it.construct("shop/Shop$Customer.<init>(Ljava/lang/String;)V", &[name]);
            it.call_on(shop, "shop/Shop.serve(Lshop/Shop$Customer;Lshop/Shop$Size;)V", &[customer, size]);
            let unused = it.text("unused");
            it.cast("Ljava/lang/Object;", unused);
        },
        r#"
Shop shop = new Shop();
shop.serve(new Shop.Customer(), Shop.Size.LARGE);
Shop.Size size = Shop.Size.SMALL;
shop.serve(new Shop.Customer("Ann"), size);
"#,
    );
}

fn checked_exceptions_are_declared_as_narrowly_as_possible() {
    check(
        |it| {
            let file = it.text("f");
            it.call("shop/Shop.load(Ljava/lang/String;)V", &[file]);
        },
        "import java.io.IOException;\nthrows IOException\nShop.load(\"f\");",
    );
    check(
        |it| {
            let file = it.text("f");
            it.call("shop/Shop.transfer(Ljava/lang/String;)V", &[file]);
        },
        "throws Exception\nShop.transfer(\"f\");",
    );
}

fn inner_classes_are_made_with_their_outer_object() {
    check_in(
        "elsewhere",
        |it| {
            let shop = it.construct("shop/Shop.<init>()V", &[]);
            let boards = it.int(3);
            let shelf = it.construct("shop/Shop$Shelf.<init>(Lshop/Shop;I)V", &[shop, boards]);
            let shelf_box = it.construct("shop/Shop$Shelf$Box.<init>(Lshop/Shop$Shelf;)V", &[shelf]);
            it.call("shop/Shop.put(Ljava/lang/Object;)V", &[shelf_box]);
        },
        r"
import shop.Shop;
Shop shop = new Shop();
Shop.Shelf shelf = shop.new Shelf(3);
Shop.put(shelf.new Box());
",
    );
}

fn classes_with_one_simple_name_are_qualified() {
    check_in(
        "elsewhere",
        |it| {
            let size = it.int(1);
            let list = it.construct("other/List.<init>(I)V", &[size]);
            it.call("shop/Shop.put(Ljava/lang/Object;)V", &[list]);
            let shop = it.construct("shop/Shop.<init>()V", &[]);
            let names = it.call_on(shop, "shop/Shop.getNames()Ljava/util/List;", &[]);
            it.call_on(names, "java/util/List.size()I", &[]);
        },
        r"
import other.List;
import shop.Shop;
Shop.put(new List(1));
Shop shop = new Shop();
java.util.List<String> names = shop.getNames();
names.size();
",
    );
}

fn types_that_cannot_be_named_are_held_by_one_above() {
    check_in(
        "elsewhere",
        |it| {
            let shop = it.construct("shop/Shop.<init>()V", &[]);
            let hidden = it.call_on(shop, "shop/Shop.hidden()Lshop/Shop$Hidden;", &[]);
            it.call_on(shop, "shop/Shop.use(Lshop/Shop$Face;)V", &[hidden]);
        },
        r"
import shop.Shop;
Shop shop = new Shop();
Shop.Face face = shop.hidden();
shop.use(face);
",
    );
}

fn fields_are_read_and_written() {
    check(
        |it| {
            let shop = it.construct("shop/Shop.<init>()V", &[]);
            let number = it.int(7);
            it.write(shop, "shop/Shop.stock:I", number);
            it.write(None, "shop/Shop.visits:I", number);
            let name = it.read(None, "shop/Shop.NAME:Ljava/lang/String;");
            it.write(shop, "shop/Shop.label:Ljava/lang/String;", name);
            it.read(shop, "shop/Shop.label:Ljava/lang/String;");
        },
        r"
Shop shop = new Shop();
shop.stock = 7;
Shop.visits = 7;
shop.label = Shop.NAME;
String text = shop.label;
",
    );
}

fn generic_parameters_that_do_not_fit_are_erased() {
    check(
        |it| {
            let number = it.class("Ljava/lang/Integer;");
            it.call("shop/Shop.types(Ljava/lang/Class;)V", &[number]);
            let text = it.class("Ljava/lang/String;");
            it.call("shop/Shop.types(Ljava/lang/Class;)V", &[text]);
            it.call("shop/Shop.anyType(Ljava/lang/Class;)V", &[text]);
            let value = it.text("v");
            it.call("shop/Shop.pick(Ljava/lang/Class;Ljava/lang/Object;)Ljava/lang/Object;", &[text, value]);
            it.call(
                "shop/Shop.pick(Ljava/lang/Class;Ljava/lang/Object;)Ljava/lang/Object;",
                &[number, value],
            );
            it.call(
                "shop/Shop.larger(Ljava/lang/Comparable;Ljava/lang/Comparable;)Ljava/lang/Comparable;",
                &[value, value],
            );
            let shop = it.construct("shop/Shop.<init>()V", &[]);
            let object = it.cast("Ljava/lang/Object;", shop);
            it.call(
                "shop/Shop.max(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
                &[object, object],
            );
            let order = it.construct("shop/Shop$ByLength.<init>()V", &[]);
            it.call_on(shop, "shop/Shop.sort(Ljava/util/Comparator;)V", &[order]);
            let order = it.read(None, "shop/Shop.BY_LENGTH:Ljava/util/Comparator;");
            it.call_on(shop, "shop/Shop.sort(Ljava/util/Comparator;)V", &[order]);
        },
        r#"
import java.util.Comparator;
Shop.types(Integer.class);
Shop.types((Class) String.class);
Shop.anyType(String.class);
Shop.pick(String.class, "v");
Shop.pick((Class) Integer.class, "v");
Shop.larger("v", "v");
Shop shop = new Shop();
Shop.max((Comparable) shop, (Comparable) shop);
shop.sort((Comparator) new Shop.ByLength());
shop.sort(Shop.BY_LENGTH);
"#,
    );
}

fn inherited_generic_methods_are_called_through_the_raw_class() {
    check(
        |it| {
            let texts = it.construct("shop/Shop$Texts.<init>()V", &[]);
            let text = it.text("v");
            it.call_on(texts, "shop/Shop$Texts.set(Ljava/lang/Object;)V", &[text]);
            let shop = it.construct("shop/Shop.<init>()V", &[]);
            it.call_on(texts, "shop/Shop$Texts.set(Ljava/lang/Object;)V", &[shop]);
            let plain = it.construct("shop/Shop$Plain.<init>()V", &[]);
            it.call_on(plain, "shop/Shop$Plain.set(Ljava/lang/Object;)V", &[shop]);
            it.write(plain, "shop/Shop$Plain.value:Ljava/lang/Object;", shop);
            it.call_on(plain, "shop/Shop$Plain.get()Ljava/lang/Object;", &[]);
        },
        r#"
Shop.Texts texts = new Shop.Texts();
texts.set("v");
Shop shop = new Shop();
((Shop.Base) texts).set(shop);
Shop.Plain plain = new Shop.Plain();
((Shop.Base) plain).set(shop);
((Shop.Base) plain).value = shop;
plain.get();
"#,
    );
}

    fn type_arguments_are_written_where_they_are_known() {
        check(
            |it| {
                let shop = it.construct("shop/Shop.<init>()V", &[]);
                let names = it.construct("java/util/ArrayList.<init>()V", &[]);
                let name = it.text("a");
                it.call_on(names, "java/util/ArrayList.add(Ljava/lang/Object;)Z", &[name]);
                it.call_on(shop, "shop/Shop.setNames(Ljava/util/List;)V", &[names]);
                let names = it.construct("java/util/ArrayList.<init>()V", &[]);
                it.call_on(shop, "shop/Shop.setNames(Ljava/util/List;)V", &[names]);
                let names = it.call_on(shop, "shop/Shop.getNames()Ljava/util/List;", &[]);
                it.call_on(shop, "shop/Shop.setNames(Ljava/util/List;)V", &[names]);
                let first = it.int(0);
                it.call_on(names, "java/util/List.get(I)Ljava/lang/Object;", &[first]);
                let prices = it.call_on(shop, "shop/Shop.getPrices()Ljava/util/Map;", &[]);
                it.call_on(prices, "java/util/Map.keySet()Ljava/util/Set;", &[]);
                let keys = it.call_on(prices, "java/util/Map.keySet()Ljava/util/Set;", &[]);
                it.call_on(keys, "java/util/Set.remove(Ljava/lang/Object;)Z", &[shop]);
            },
            r#"
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
Shop shop = new Shop();
ArrayList<String> list = new ArrayList<>();
list.add("a");
shop.setNames(list);
shop.setNames(new ArrayList<>());
List<String> names = shop.getNames();
shop.setNames(names);
names.get(0);
Map<String, List<Integer>> prices = shop.getPrices();
prices.keySet();
Set<String> set = prices.keySet();
set.remove(shop);
"#,
        );
    }

    fn type_arguments_that_are_in_the_way_are_left_out() {
        check(
            |it| {
                let shop = it.construct("shop/Shop.<init>()V", &[]);
                let names = it.call_on(shop, "shop/Shop.getNames()Ljava/util/List;", &[]);
                it.call_on(names, "java/util/List.add(Ljava/lang/Object;)Z", &[shop]);
                let mixed = it.construct("java/util/ArrayList.<init>()V", &[]);
                let text = it.text("a");
                it.call_on(mixed, "java/util/ArrayList.add(Ljava/lang/Object;)Z", &[text]);
                it.call_on(mixed, "java/util/ArrayList.add(Ljava/lang/Object;)Z", &[shop]);
                let wrong = it.construct("java/util/ArrayList.<init>()V", &[]);
                it.call_on(wrong, "java/util/ArrayList.add(Ljava/lang/Object;)Z", &[shop]);
                it.call_on(shop, "shop/Shop.setNames(Ljava/util/List;)V", &[wrong]);
            },
            r#"
import java.util.ArrayList;
import java.util.List;
Shop shop = new Shop();
List names = shop.getNames();
names.add(shop);
ArrayList<Object> list = new ArrayList<>();
list.add("a");
list.add(shop);
ArrayList arrayList = new ArrayList();
arrayList.add(shop);
shop.setNames(arrayList);
"#,
        );
    }

    fn arrays_that_are_known_better_than_the_test_says_are_widened() {
        check(
            |it| {
                let texts = it.array("[Ljava/lang/String;", 2);
                it.get(texts, 0);
                let objects = it.cast("[Ljava/lang/Object;", texts);
                it.set(objects, 1, objects);
            },
            r"
String[] texts = new String[2];
String text = texts[0];
((Object[]) texts)[1] = texts;
",
        );
    }
}
