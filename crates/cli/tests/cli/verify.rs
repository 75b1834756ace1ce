//! `crashback verify-instrumentation` on classes compiled on the spot, whole and damaged.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Program, Run, command, run, tool};

fn verify(class_path: &Path, flags: &[&str]) -> Run {
    run(command().args(["verify-instrumentation", "--classpath"]).arg(class_path).args(flags), b"")
}

/// Compiles one source into the program's classes.
fn compile(program: &Program, name: &str, text: &str) {
    let source = program.write(&format!("{name}.java"), text);
    let compiled = tool("javac").arg("-d").arg(program.path("classes")).arg(source).output();
    let compiled = compiled.expect("javac runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|it| it["class"].as_str().expect("a class")).collect()
}

#[test]
fn whole_classes_are_checked() {
    let shop = Program::shop();
    let classes = fs::read_dir(shop.path("classes/shop")).expect("classes").count();
    for class_path in [shop.path("classes"), shop.jar()] {
        let verified = verify(&class_path, &["--json"]);
        assert_eq!(verified.code, 0, "{}", verified.stderr);
        let object = verified.json();
        assert_eq!(
            (&object["classes"], &object["checked"]),
            (&json!(classes), &json!(classes)),
            "{object:#}"
        );
        for list in ["failed", "unlinkable", "untouched", "of_the_jdk"] {
            assert_eq!(object[list], json!([]), "{list}");
        }
        assert_eq!(object["probes"], "all");
    }
    let text = verify(&shop.path("classes"), &["--probes", "search"]);
    assert_eq!(text.code, 0, "{}", text.stderr);
    assert!(
        text.stdout.contains(&format!("checked          {classes}  link as they are")),
        "{}",
        text.stdout
    );
}

#[test]
fn what_does_not_link_anyway_is_no_failure() {
    let shop = Program::shop();
    compile(&shop, "Lonely", "class Lonely extends Missing { } class Missing { }");
    fs::remove_file(shop.path("classes/Missing.class")).expect("a class");
    // A branch without its stack map is wrong in both forms.
    compile(&shop, "Mapless", "class Mapless { int half(int n) { return n > 1 ? n / 2 : n; } }");
    let mapless = shop.path("classes/Mapless.class");
    let mut bytes = fs::read(&mapless).expect("a class");
    let map = bytes.windows(13).position(|it| it == b"StackMapTable").expect("a stack map");
    bytes[map] = b'X';
    fs::write(mapless, bytes).expect("a class");

    let verified = verify(&shop.path("classes"), &["--json"]);
    assert_eq!(verified.code, 0, "{}", verified.stderr);
    let object = verified.json();
    assert_eq!(object["failed"], json!([]));
    assert_eq!(names(&object["unlinkable"]), ["Lonely", "Mapless"]);
    assert_eq!(object["unlinkable"][0]["error"], "java.lang.NoClassDefFoundError");
    assert_eq!(object["unlinkable"][1]["error"], "java.lang.VerifyError");
    let text = verify(&shop.path("classes"), &[]);
    for words in ["1  java.lang.NoClassDefFoundError", "Lonely: ", "unlinkable       2"] {
        assert!(text.stdout.contains(words), "`{words}` is not in:\n{}", text.stdout);
    }
}

/// A class of version 50 whose stack map is missing links as it is, because the JVM falls back to
/// its old verifier.
#[test]
fn old_classes_without_stack_maps_are_checked_as_they_are() {
    let shop = Program::shop();
    let source = shop.write("Old.java", "class Old { int half(int n) { return n > 1 ? n / 2 : n; } }");
    let mut javac = tool("javac");
    javac.args(["--release", "8", "-nowarn", "-d"]).arg(shop.path("classes")).arg(source);
    assert!(javac.output().expect("javac runs").status.success());
    let class = shop.path("classes/Old.class");
    let mut bytes = fs::read(&class).expect("a class");
    bytes[7] = 50;
    let map = bytes.windows(13).position(|it| it == b"StackMapTable").expect("a stack map");
    bytes[map] = b'X';
    fs::write(class, bytes).expect("a class");
    let object = verify(&shop.path("classes"), &["--json"]).json();
    assert_eq!((&object["unlinkable"], &object["failed"]), (&json!([]), &json!([])), "{object:#}");
}

#[test]
fn methods_that_keep_their_code_are_told_with_the_reason() {
    let shop = Program::shop();
    let mut text = "class Huge { static int sum(int[] a) { int n = 0;\n".to_owned();
    for i in 0..3000 {
        let _ = writeln!(text, "if (a[{i}] > {i}) n += a[{i}];");
    }
    text.push_str("return n; } static int small(int n) { return n > 1 ? 1 : n; } }");
    compile(&shop, "Huge", &text);
    let object = verify(&shop.path("classes"), &["--json"]).json();
    assert_eq!(object["exit_code"], 0);
    let untouched = &object["untouched"];
    assert_eq!(names(untouched), ["Huge"]);
    assert_eq!(untouched[0]["method"], "sum([I)I");
    assert!(untouched[0]["reason"].as_str().is_some_and(|it| it.contains("65535")), "{untouched:#}");
    let text = verify(&shop.path("classes"), &[]);
    for words in ["untouched        1", "its code would be … bytes long", "Huge.sum([I)I\n"] {
        assert!(text.stdout.contains(words), "`{words}` is not in:\n{}", text.stdout);
    }
}

#[test]
fn classes_that_the_jdk_has_itself_are_set_apart() {
    let shop = Program::shop();
    let own = shop.path("classes/java/util");
    fs::create_dir_all(&own).expect("a folder");
    compile(&shop, "Subject", "class Subject { }");
    // Any bytes under a name of the JDK will do: nobody looks at them.
    let source = shop.write("ArrayList.java", "package java.util; public class ArrayList<T> { }");
    let mut javac = tool("javac");
    javac.args(["--patch-module"]).arg(format!("java.base={}", shop.folder.path().display()));
    javac.arg("-d").arg(shop.path("classes")).arg(source);
    assert!(javac.output().expect("javac runs").status.success());
    let object = verify(&shop.path("classes"), &["--json"]).json();
    assert_eq!(object["of_the_jdk"], json!(["java/util/ArrayList"]), "{object:#}");
    assert_eq!(object["exit_code"], 0);
}

#[test]
fn a_run_that_cannot_begin() {
    let shop = Program::shop();
    let check = |run: Run, code: i32, words: &[&str]| {
        run.failed_with(code, words);
        let object = run.json();
        assert!(object["error"]["message"].as_str().is_some_and(|it| it.contains(words[0])), "{object:#}");
        assert_eq!(object["failed"], json!([]));
    };
    check(run(command().args(["verify-instrumentation", "--json"]), b""), 2, &["no class path"]);
    check(verify(&shop.path("gone.jar"), &["--json"]), 2, &["gone.jar"]);
    let mut nowhere = command();
    nowhere.args(["verify-instrumentation", "--json", "--classpath"]).arg(shop.path("classes"));
    nowhere.env_remove("JAVA_HOME").env("PATH", "");
    check(run(&mut nowhere, b""), 4, &["no JDK found"]);
    let refused = verify(&shop.path("classes"), &["--json", "--jvm-option", "-Xmx1k"]);
    check(refused, 4, &["worker processes do not start", "Too small maximum heap"]);
}
