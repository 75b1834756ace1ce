//! The index against what a JVM says of the same classes through reflection.

use std::fmt::Write as _;
use std::fs;

use crashback_program::index::Nesting;
use crashback_program::{ClassSource, ClassView, MemberView};

use crate::support::{compile, load_request, real_jdk, run_tool, text};

/// Prints the classes whose names are in the file given, in the way of [`describe`].
const PRINTER: &str = r#"
import java.lang.invoke.MethodType;
import java.lang.reflect.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

public class Printer {
    public static void main(String[] args) throws Exception {
        StringBuilder out = new StringBuilder();
        for (String name : Files.readAllLines(Paths.get(args[0]))) {
            Class<?> c = Class.forName(name.replace('/', '.'), false, ClassLoader.getSystemClassLoader());
            out.append(name).append(' ').append(c.getModifiers()).append(' ').append(nesting(c)).append('\n');
            out.append(" super ").append(c.isInterface() ? "java/lang/Object" : name(c.getSuperclass())).append('\n');
            out.append(" interfaces").append(names(c.getInterfaces())).append('\n');
            out.append(" annotations").append(annotations(c)).append('\n');
            List<String> members = new ArrayList<>();
            for (Field f : c.getDeclaredFields())
                members.add(f.getName() + " " + f.getType().descriptorString() + " " + f.getModifiers() + annotations(f));
            for (Method m : c.getDeclaredMethods())
                members.add(m.getName() + " " + MethodType.methodType(m.getReturnType(), m.getParameterTypes()).descriptorString()
                    + " " + m.getModifiers() + annotations(m) + " throws" + names(m.getExceptionTypes()));
            for (Constructor<?> m : c.getDeclaredConstructors())
                members.add("<init> " + MethodType.methodType(void.class, m.getParameterTypes()).descriptorString()
                    + " " + m.getModifiers() + annotations(m) + " throws" + names(m.getExceptionTypes()));
            Collections.sort(members);
            for (String member : members) out.append("  ").append(member).append('\n');
        }
        System.out.write(out.toString().getBytes("UTF-8"));
        System.out.flush();
    }
    static String name(Class<?> c) { return c == null ? "-" : c.getName().replace('.', '/'); }
    static String names(Class<?>[] all) { return Arrays.stream(all).map(c -> " " + name(c)).collect(Collectors.joining()); }
    static String annotations(AnnotatedElement e) {
        return Arrays.stream(e.getDeclaredAnnotations()).map(a -> " @" + a.annotationType().descriptorString())
            .sorted().collect(Collectors.joining());
    }
    static String nesting(Class<?> c) {
        if (c.isAnonymousClass()) return "anonymous " + enclosing(c);
        if (c.isLocalClass()) return "local " + c.getSimpleName() + " " + enclosing(c);
        if (c.isMemberClass()) return "member " + c.getSimpleName() + " of " + name(c.getDeclaringClass());
        return "top-level";
    }
    static String enclosing(Class<?> c) {
        Method m = c.getEnclosingMethod();
        if (m != null) return name(m.getDeclaringClass()) + " " + m.getName()
            + MethodType.methodType(m.getReturnType(), m.getParameterTypes()).descriptorString();
        Constructor<?> n = c.getEnclosingConstructor();
        if (n != null) return name(n.getDeclaringClass()) + " <init>"
            + MethodType.methodType(void.class, n.getParameterTypes()).descriptorString();
        return name(c.getEnclosingClass());
    }
}
"#;

/// A class with one of everything.
const ZOO: &str = r#"
package zoo;
import java.lang.annotation.*;
import java.util.function.*;
public class Zoo<T extends Number & Comparable<T>> extends java.util.AbstractList<T> implements Cloneable {
    @Retention(RetentionPolicy.RUNTIME) public @interface Tag { String value() default ""; Tag2[] more() default {}; }
    @Retention(RetentionPolicy.RUNTIME) public @interface Tag2 { long n() default 1L; }
    @Tag("field") protected transient volatile T[] grid;
    private static native void nothing() throws java.io.IOException, IllegalStateException;
    static final Supplier<Object> LOCAL = () -> new Object() { int x; };
    static { class InInitialiser { } new InInitialiser(); }
    Zoo(int... rest) { class InConstructor { } new InConstructor(); }
    @Tag(more = @Tag2(n = 5)) @Deprecated public synchronized T get(int i) { return null; }
    public int size() { class InMethod { private class Deeper { } } return new Object() { int n() { return 0; } }.n(); }
    protected abstract static class Member { private Member() { } abstract void go(); }
    public final class Inner { private final Zoo<T> outer = Zoo.this; }
    enum Kind implements IntSupplier { ONE { public int getAsInt() { return 1; } }, TWO { public int getAsInt() { return 2; } } }
    interface Face { default void m() { } static void s() { } private void p() { } }
    void ünïcode(String größe) { }
}
"#;

#[test]
fn members_flags_and_nesting_are_those_of_reflection() {
    let classes = compile(&[("Printer.java", PRINTER), ("zoo/Zoo.java", ZOO)]);
    let loaded = load_request(&[classes.path()], Some(real_jdk().clone()));
    assert_eq!(loaded.problems(), []);
    let folders = ["zoo/", "java/util/", "java/time/", "java/io/", "java/nio/", "java/text/", "java/net/"];
    let is_chosen = |class: &ClassView<'_>| {
        folders.iter().any(|folder| class.name().starts_with(folder))
            && !class.name().ends_with("package-info")
    };
    let chosen: Vec<_> = loaded.index().iter().filter(is_chosen).collect();
    assert!(chosen.len() > 1500, "{}", chosen.len());

    let list = classes.path().join("names.txt");
    let names: Vec<&str> = chosen.iter().map(|class| class.name()).collect();
    fs::write(&list, names.join("\n")).unwrap();
    let theirs = run_tool("java", &["-cp", &text(classes.path()), "Printer", &text(&list)]);
    let mut ours = String::new();
    chosen.iter().for_each(|&class| describe(class, &mut ours));
    for (ours, theirs) in ours.split("\n super").zip(theirs.split("\n super")) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(ours.len(), theirs.len());
}

fn describe(class: ClassView<'_>, out: &mut String) {
    // Reflection leaves out ACC_SUPER.
    let modifiers = class.declared_access().0 & !0x20;
    writeln!(out, "{} {modifiers} {}", class.name(), nesting(class)).unwrap();
    writeln!(out, " super {}", class.super_name().unwrap_or("-")).unwrap();
    writeln!(out, " interfaces{}", words(class.interfaces(), " ")).unwrap();
    writeln!(out, " annotations{}", annotations(class.annotations())).unwrap();
    let fields = class.fields().map(|field| member(field, ""));
    let methods = class.methods().filter(|method| method.name() != "<clinit>").map(|method| {
        let exceptions = words(method.exceptions(), " ");
        member(method, &format!(" throws{exceptions}"))
    });
    let mut members: Vec<String> = fields.chain(methods).collect();
    // Java compares strings by their UTF-16 code units.
    members.sort_by_key(|member| member.encode_utf16().collect::<Vec<_>>());
    members.iter().for_each(|member| writeln!(out, "  {member}").unwrap());
}

fn member(member: MemberView<'_>, more: &str) -> String {
    let annotations = annotations(member.annotations());
    format!("{} {} {}{annotations}{more}", member.name(), member.descriptor(), member.access().0)
}

fn words<'a>(texts: impl Iterator<Item = &'a str>, before: &str) -> String {
    texts.map(|text| format!("{before}{text}")).collect()
}

fn annotations(annotations: crashback_program::index::Annotations<'_>) -> String {
    let mut visible: Vec<&str> = annotations.filter(|it| it.is_visible()).map(|it| it.descriptor()).collect();
    visible.sort();
    words(visible.into_iter(), " @")
}

fn nesting(class: ClassView<'_>) -> String {
    let enclosing = class.enclosing().map(|place| {
        // Reflection does not show static initialisers.
        let method = place.method.filter(|(name, _)| *name != "<clinit>");
        let method = method.map(|(name, descriptor)| format!(" {name}{descriptor}")).unwrap_or_default();
        format!("{}{method}", place.class)
    });
    match class.nesting() {
        Nesting::Anonymous => format!("anonymous {}", enclosing.unwrap_or_default()),
        Nesting::Local { name } => format!("local {name} {}", enclosing.unwrap_or_default()),
        Nesting::Member { outer, name } => format!("member {name} of {outer}"),
        Nesting::TopLevel => "top-level".to_owned(),
    }
}
