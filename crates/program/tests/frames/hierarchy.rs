//! Subtypes and members, with reflection as the judge.

use std::sync::LazyLock;

use crashback_program::ClassSource;
use crashback_program::hierarchy::{Hierarchy, Supertype};

use crate::program::{ClassBytes, Entry, Program, TestClassPath};

static PROGRAM: LazyLock<Program> = LazyLock::new(|| Program::run(SOURCE));

const SOURCE: &str = r#"package shop;

import harness.Harness.Crash;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

interface A { default int both() { return 1; } default int again() { return 1; } default int left() { return 1; } int FIELD = 1; }
interface B extends A { default int both() { return 2; } int again(); }
interface C extends A { default int left() { return 3; } }
class Diamond implements A, B, C { public int again() { return 4; } }
abstract class Open implements A, B { }
class Base { public int low() { return 1; } static int FIELD = 2; }
interface Low { int low(); }
class Derived extends Base implements Low { }
class Shadow extends Base implements A { }

class Jdk {
    static List<Class<?>> classes() throws Exception {
        Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules/java.base");
        List<Class<?>> classes = new ArrayList<>();
        for (String part : new String[] { "java/lang", "java/util", "java/io", "java/time" }) {
            try (Stream<Path> files = Files.walk(root.resolve(part))) {
                for (Path file : files.sorted().collect(Collectors.toList())) {
                    String name = root.relativize(file).toString();
                    if (!name.endsWith(".class") || name.contains("-info")) continue;
                    name = name.substring(0, name.length() - 6).replace('/', '.');
                    classes.add(Class.forName(name, false, null));
                }
            }
        }
        return classes;
    }
    static String name(Class<?> c) { return c.getName().replace('.', '/'); }
}

class Assignable implements Crash {
    private final Random random = new Random(1);
    public void crash() throws Exception {
        List<Class<?>> classes = Jdk.classes();
        for (int i = 0; i < 1500; i++) {
            Class<?> sub = pick(classes);
            Class<?> sup = random.nextInt(3) == 0 ? pick(classes) : above(sub);
            int arrays = random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0;
            for (int n = 0; n < arrays; n++) sub = array(sub);
            for (int n = random.nextInt(4) == 0 ? 1 : arrays; n > 0; n--) sup = array(sup);
            System.err.println(Jdk.name(sub) + " " + Jdk.name(sup) + " " + sup.isAssignableFrom(sub));
        }
        Class<?>[] odd = { int[].class, long[].class, int[][].class, Object[].class, Object.class, Cloneable.class,
            java.io.Serializable.class, Cloneable[].class, String.class };
        for (Class<?> sub : odd) for (Class<?> sup : odd)
            System.err.println(Jdk.name(sub) + " " + Jdk.name(sup) + " " + sup.isAssignableFrom(sub));
    }
    private Class<?> pick(List<Class<?>> classes) { return classes.get(random.nextInt(classes.size())); }
    private Class<?> array(Class<?> c) { return java.lang.reflect.Array.newInstance(c, 0).getClass(); }
    private Class<?> above(Class<?> c) {
        for (int steps = random.nextInt(4); steps > 0; steps--) {
            List<Class<?>> up = new ArrayList<>(List.of(c.getInterfaces()));
            if (c.getSuperclass() != null) up.add(c.getSuperclass());
            if (up.isEmpty()) return c;
            c = pick(up);
        }
        return c;
    }
}

class Methods implements Crash {
    public void crash() throws Exception {
        Random random = new Random(2);
        List<Class<?>> classes = Jdk.classes();
        classes.removeIf(c -> !Modifier.isPublic(c.getModifiers()) || !c.getModule().isExported(c.getPackageName()));
        for (int i = 0; i < 300; i++) resolve(classes.get(random.nextInt(classes.size())), random);
        for (Class<?> c : new Class<?>[] { Diamond.class, Open.class, Derived.class, Shadow.class, B.class, Low.class })
            for (Method m : c.getMethods()) print(c, m);
    }
    private void resolve(Class<?> c, Random random) throws Exception {
        Method[] methods = c.getMethods();
        for (int i = 0; i < 8 && methods.length > 0; i++) print(c, methods[random.nextInt(methods.length)]);
    }
    private void print(Class<?> c, Method m) throws Exception {
        if (Modifier.isStatic(m.getModifiers())) return;
        // The JVM takes the public methods of Object before those of superinterfaces, reflection
        // does not.
        if (c.isInterface() && m.getDeclaringClass() != c) {
            for (Method of : Object.class.getMethods()) if (of.getName().equals(m.getName())) return;
        }
        MethodType type = MethodType.methodType(m.getReturnType(), m.getParameterTypes());
        String found = Jdk.name(m.getDeclaringClass()) + " " + Modifier.isAbstract(m.getModifiers());
        System.err.println(Jdk.name(c) + " " + m.getName() + " " + type.toMethodDescriptorString() + " " + found);
    }
}

class Fields implements Crash {
    public void crash() throws Exception {
        for (Class<?> c : Jdk.classes()) {
            for (Field f : c.getFields()) {
                // The same search as that of the JVM: class, interfaces, superclass.
                Field first = c.getField(f.getName());
                if (first.getType() != f.getType()) continue;
                String type = MethodType.methodType(f.getType()).toMethodDescriptorString().substring(2);
                System.err.println(Jdk.name(c) + " " + f.getName() + " " + type + " " + Jdk.name(first.getDeclaringClass()));
            }
        }
        Field shadow = Shadow.class.getField("FIELD");
        System.err.println("shop/Shadow FIELD I " + Jdk.name(shadow.getDeclaringClass()));
    }
}
"#;

fn hierarchy() -> Hierarchy<'static> {
    Hierarchy::new(PROGRAM.class_path.index())
}

fn rows<const N: usize>(case: &str) -> Vec<[&'static str; N]> {
    let words = |line: &'static str| line.split(' ').collect::<Vec<_>>().try_into().ok();
    PROGRAM.log(case).lines().map(|it| words(it).unwrap_or_else(|| panic!("{it}"))).collect()
}

#[test]
fn subtypes_are_those_of_reflection() {
    let rows = rows::<3>("shop.Assignable");
    assert!(rows.len() > 1500);
    let mut yes = 0;
    for [sub, sup, expected] in rows {
        let expected = expected == "true";
        assert_eq!(hierarchy().is_subtype(sub, sup), Some(expected), "{sub} {sup}");
        yes += usize::from(expected);
        if expected {
            assert_eq!(hierarchy().are_related(sup, sub), Some(true));
        }
        if !sub.starts_with('[') && !sup.starts_with('[') && sub != sup {
            let is_above = |it: &Supertype<'_>| matches!(it, Supertype::Known(it) if it.name() == sup);
            let interface_to_object = sup == "java/lang/Object";
            assert!(interface_to_object || hierarchy().supertypes(sub).iter().any(is_above) == expected);
        }
    }
    assert!(yes > 500, "{yes}");
}

#[test]
fn methods_resolve_as_reflection_does() {
    let rows = rows::<5>("shop.Methods");
    assert!(rows.len() > 1000, "{}", rows.len());
    for [owner, name, descriptor, declaring, is_abstract] in rows {
        let found = hierarchy().resolve_method(owner, name, descriptor);
        let found = found.unwrap_or_else(|| panic!("no {owner}.{name}{descriptor}"));
        assert_eq!(found.is_abstract(), is_abstract == "true", "{owner}.{name}{descriptor}");
        // Of several abstract methods any will do.
        if is_abstract == "false" {
            assert_eq!(found.class().name(), declaring, "{owner}.{name}{descriptor}");
        }
    }
}

#[test]
fn fields_resolve_as_reflection_does() {
    let rows = rows::<4>("shop.Fields");
    assert!(rows.len() > 500, "{}", rows.len());
    for [owner, name, descriptor, declaring] in rows {
        let found = hierarchy().resolve_field(owner, name, descriptor).map(|it| it.class().name());
        assert_eq!(found, Some(declaring), "{owner}.{name}");
    }
    assert!(hierarchy().resolve_field("shop/Shadow", "FIELD", "J").is_none());
}

#[test]
fn diamonds_take_the_most_specific_method() {
    let resolve = |owner: &str, name: &str| {
        let found = hierarchy().resolve_method(&format!("shop/{owner}"), name, "()I");
        found.map(|it| it.class().name().to_owned())
    };
    assert_eq!(resolve("Diamond", "both").as_deref(), Some("shop/B"));
    assert_eq!(resolve("Diamond", "left").as_deref(), Some("shop/C"));
    assert_eq!(resolve("Open", "again").as_deref(), Some("shop/B"));
    assert_eq!(resolve("Derived", "low").as_deref(), Some("shop/Base"));
    assert_eq!(resolve("Derived", "none"), None);
    assert_eq!(resolve("Gone", "both"), None);
    // Arrays have the methods of Object, interfaces the public ones.
    let object =
        |owner: &str, name: &str| hierarchy().resolve_method(owner, name, "()Ljava/lang/Object;").is_some();
    assert!(object("[I", "clone") && object("shop/Base", "clone") && !object("shop/A", "clone"));
    assert!(hierarchy().resolve_method("shop/A", "hashCode", "()I").is_some());
}

#[test]
fn one_abstract_method_makes_an_interface_functional() {
    let functional = |name: &str| hierarchy().is_functional(name);
    let yes = [
        "java/lang/Runnable",
        "java/util/Comparator",
        "java/util/function/UnaryOperator",
        "shop/B",
        "shop/Low",
    ];
    assert!(yes.iter().all(|it| functional(it)), "{:?}", yes.map(functional));
    let no = [
        "shop/A",
        "shop/C",
        "java/util/List",
        "java/util/Iterator",
        "java/lang/Object",
        "shop/Open",
        "shop/Gone",
    ];
    assert!(!no.iter().any(|it| functional(it)), "{:?}", no.map(functional));
}

#[test]
fn concrete_subtypes_can_be_instantiated() {
    let concrete = |name: &str| -> Vec<&str> {
        let mut names: Vec<_> = hierarchy().concrete_subtypes(name).iter().map(|it| it.name()).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(concrete("shop/A"), ["shop/Diamond", "shop/Shadow"]);
    assert_eq!(concrete("shop/Base"), ["shop/Base", "shop/Derived", "shop/Shadow"]);
    assert_eq!(concrete("shop/Open"), Vec::<&str>::new());
    assert!(concrete("java/util/AbstractList").contains(&"java/util/ArrayList"));
    assert!(!concrete("java/util/AbstractList").contains(&"java/util/AbstractList"));
}

#[test]
fn answers_that_hang_on_missing_classes_are_open() {
    let mut classes: ClassBytes = PROGRAM.class_path.classes("classes");
    classes.remove("shop/B");
    let class_path = TestClassPath::new(vec![Entry::directory("classes", classes)]);
    let hierarchy = Hierarchy::new(class_path.index());
    assert_eq!(hierarchy.is_subtype("shop/Diamond", "shop/A"), Some(true), "directly");
    assert_eq!(hierarchy.is_subtype("shop/Diamond", "shop/B"), Some(true), "the missing class itself");
    assert_eq!(hierarchy.is_subtype("shop/Diamond", "shop/Low"), None);
    assert_eq!(hierarchy.is_subtype("[Lshop/Diamond;", "[Lshop/Low;"), None);
    assert_eq!(hierarchy.is_subtype("shop/B", "shop/A"), None);
    assert_eq!(hierarchy.is_subtype("shop/Derived", "shop/B"), Some(false), "all its supertypes are known");
    assert_eq!(hierarchy.are_related("shop/B", "shop/Derived"), None);
    assert_eq!(hierarchy.is_subtype("shop/Diamond", "java/lang/Object"), Some(true));
    let names: Vec<&str> = hierarchy.subtypes("shop/B").iter().map(|it| it.name()).collect();
    assert_eq!(names, ["shop/Diamond", "shop/Open"], "what names a missing class is known");
}
