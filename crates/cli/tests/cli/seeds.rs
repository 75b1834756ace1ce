//! `crashback reproduce --seed-test`, with tests of all kinds that are of little or no use.

use std::fs;

use crate::support::{Program, Run, command, run};

fn reproduce(shop: &Program, flags: &[&str], seeds: &[&str]) -> Run {
    let mut reproduce = command();
    reproduce.arg("reproduce").arg(shop.path("crash.log")).arg("--classpath").arg(shop.path("classes"));
    for seed in seeds {
        reproduce.arg("--seed-test").arg(shop.path(seed));
    }
    reproduce.current_dir(shop.folder.path()).args(["--evaluations", "3000", "--workers", "1", "--force"]);
    run(reproduce.args(flags), b"")
}

#[test]
fn seeds_that_are_no_tests_are_refused() {
    let shop = Program::shop();
    fs::create_dir(shop.path("empty")).expect("a folder");
    shop.write("notes.txt", "none");
    shop.write("Helper.java", "class Helper { static int twice(int it) { return 2 * it; } }");
    shop.write(
        "Broken.java",
        "class Broken { public static void main(String[] all) { shop.Nowhere.go(); } }",
    );
    let fails = |seed: &str, words: &[&str]| {
        reproduce(&shop, &[], &[seed]).failed_with(2, words);
        let object = reproduce(&shop, &["--json"], &[seed]).json();
        let message = object["error"]["message"].as_str().expect("a message");
        assert!(words.iter().all(|it| message.contains(it)), "{message}");
    };
    fails("empty", &["--seed-test", "empty", "has no Java source"]);
    fails("none", &["--seed-test", "none", "neither a Java source nor a folder"]);
    fails("None.java", &["--seed-test", "None.java"]);
    fails("notes.txt", &["notes.txt", "neither a Java source nor a folder"]);
    fails("Helper.java", &["the sources have no test"]);
    fails("Broken.java", &["Broken.java", "does not compile", "Broken.java:1: error", "Nowhere"]);
}

#[test]
fn seeds_that_hang_exit_or_ask_the_network_cost_only_themselves() {
    let shop = Program::shop();
    fs::create_dir(shop.path("seeds")).expect("a folder");
    let write = |name: &str, body: &str| {
        let text = format!(
            "public class {name} {{ public static void main(String[] all) throws Exception {{ {body} }} }}"
        );
        shop.write(&format!("seeds/{name}.java"), text);
    };
    write("Hangs", "new java.util.ArrayList<>(); while (true) { }");
    write("Waits", "new java.util.concurrent.CountDownLatch(1).await();");
    write("Exits", "new java.util.ArrayList<>().size(); System.exit(3);");
    write("Asks", "new java.net.Socket(\"127.0.0.1\", 9).close();");
    write("Broken", "shop.Nowhere.go();");
    let found = reproduce(&shop, &["--json"], &["seeds"]);
    assert_eq!(found.code, 0, "{}{}", found.stdout, found.stderr);
    let object = found.json();
    assert_eq!(object["reproduced"], true);
    let given = object["given_tests"].as_array().expect("a list");
    let of = |name: &str| {
        let is_it = |test: &str| test.starts_with(name) || test.ends_with(&format!("{name}.java"));
        let found = given.iter().find(|it| it["test"].as_str().is_some_and(is_it));
        found.unwrap_or_else(|| panic!("{name} is not in {given:?}"))
    };
    let says = |name: &str, field: &str, words: &str| {
        let test = of(name);
        assert!(test[field].to_string().contains(words), "{words} is not in {test}");
    };
    says("Hangs", "left_out", "goes on for too long");
    says("Hangs", "ended", "returned");
    says("Waits", "ended", "took too long");
    says("Exits", "left_out", "ends the JVM");
    says("Asks", "ended", "threw java.net.");
    says("Broken", "left_out", "Nowhere");
    let text = reproduce(&shop, &[], &["seeds"]);
    assert!(text.stdout.contains("Given test Waits.main"), "{}", text.stdout);
}
