//! `crashback` inside of projects, without any option about the class path.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::json;
use tempfile::TempDir;

use crate::support::{Program, Run, command, compile, crashback, path_with_maven, run, tool};

const PRICES: &str = "package shop.core;

public class Prices {
  public static int cents(String text) {
    String[] parts = text.split(\",\");
    return 100 * Integer.parseInt(parts[0]) + Integer.parseInt(parts[1]);
  }
}
";

const TILL: &str = "package shop.app;

import shop.core.Prices;

public class Till {
  public static void main(String[] prices) {
    int total = 0;
    for (String price : prices) {
      total += Prices.cents(price);
    }
    System.out.println(total);
  }
}
";

/// A project of two modules, `app` on top of `core`, without build files.
struct Shop {
    folder: TempDir,
}

impl Shop {
    fn new() -> Self {
        let shop = Self { folder: tempfile::tempdir().expect("a folder") };
        shop.write("core/src/main/java/shop/core/Prices.java", PRICES);
        shop.write("app/src/main/java/shop/app/Till.java", TILL);
        shop
    }

    /// Compiles it into folders below those of the modules, and crashes it.
    fn compiled(output: &str) -> Self {
        let shop = Self::new();
        let (core, app) = (shop.path("core").join(output), shop.path("app").join(output));
        compile(&shop.path("core/src/main"), &[], &core);
        compile(&shop.path("app/src/main"), &[&core], &app);
        let mut java = tool("java");
        let class_path = std::env::join_paths([core, app]).expect("plain paths");
        let ran = java.arg("-cp").arg(class_path).args(["shop.app.Till", "3"]).output();
        fs::write(shop.path("crash.log"), ran.expect("java runs").stderr).expect("the log");
        shop
    }

    fn root(&self) -> PathBuf {
        fs::canonicalize(self.folder.path()).expect("a folder")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(&path, text).expect("a file");
        path
    }

    fn script(&self, name: &str, text: &str) {
        let path = self.write(name, &format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a script");
    }

    /// A wrapper in the place of Gradle, which answers as the init script would.
    fn answer(&self, modules: &[serde_json::Value]) {
        let mut text = String::from(
            "for it in \"$@\"; do case $it in -Dcrashback.output=*) out=${it#*=};; esac; done\n",
        );
        for (number, module) in modules.iter().enumerate() {
            text.push_str(&format!("cat > \"$out/{number}.json\" <<'END'\n{module}\nEND\n"));
        }
        self.script("gradlew", &text);
        self.write("settings.gradle", "");
    }

    /// A module as the init script tells it, with the class folders that `compiled` makes.
    fn module(&self, name: &str, entries: serde_json::Value) -> serde_json::Value {
        let folder = self.path(name);
        let set = |set: &str| {
            json!({
                "name": set,
                "java": [folder.join(format!("src/{set}/java"))],
                "sources": [folder.join(format!("src/{set}/java"))],
                "outputs": [folder.join(format!("build/classes/java/{set}"))],
            })
        };
        let sets = [set("main"), set("test")];
        let path = format!(":{name}");
        json!({ "path": path, "folder": folder, "sets": sets, "entries": entries, "failures": [] })
    }

    /// The same for both modules.
    fn modules(&self) -> [serde_json::Value; 2] {
        let jar = self.path("core/build/libs/core.jar");
        let app = self.module("app", json!([{ "file": jar, "project": ":core" }]));
        [app, self.module("core", json!([]))]
    }

    /// Explains a log in a folder of the project.
    fn explain(&self, folder: &str, flags: &[&str]) -> Run {
        let mut command = command();
        command.arg("explain").arg(self.path("crash.log")).args(flags).current_dir(self.path(folder));
        run(&mut command, b"")
    }
}

#[test]
fn a_maven_project_needs_no_option() {
    let shop = Shop::compiled("target/classes");
    let pom = |name: &str, content: &str| {
        format!(
            "<project><modelVersion>4.0.0</modelVersion><groupId>shop</groupId>\
             <artifactId>{name}</artifactId><version>1-SNAPSHOT</version>{content}</project>"
        )
    };
    let dependency = |group: &str, name: &str, rest: &str| {
        format!("<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId>{rest}</dependency>")
    };
    let junit = dependency("junit", "junit", "<version>4.13.2</version><scope>test</scope>");
    let core = dependency("shop", "core", "<version>${project.version}</version>");
    let modules = "<packaging>pom</packaging><modules><module>core</module><module>app</module></modules>";
    shop.write("pom.xml", &pom("all", modules));
    shop.write("core/pom.xml", &pom("core", &format!("<dependencies>{junit}</dependencies>")));
    shop.write("app/pom.xml", &pom("app", &format!("<dependencies>{core}{junit}</dependencies>")));

    // The frame of `core`: its test belongs to `core`, though the trace needs the class path of `app`.
    let mut command = command();
    command.arg("reproduce").arg(shop.path("crash.log")).args(["--frame", "1"]);
    let reproduced = run(command.current_dir(shop.path("core/src")), b"");
    assert_eq!(reproduced.code, 0, "{}{}", reproduced.stdout, reproduced.stderr);
    assert!(reproduced.stderr.contains("asking mvn for the class paths"), "{}", reproduced.stderr);
    let test = fs::read_to_string(shop.path("core/src/test/java/shop/core/PricesCrashTest.java"));
    let test = test.unwrap_or_else(|error| panic!("{error}\n{}", reproduced.stdout));
    assert!(test.contains("import org.junit.Test;"), "{test}");
    assert!(test.contains("\n  @Test\n  public void"), "indented as the sources are:\n{test}");
    let run_it = "Run it: mvn -f ../.. -pl core test -Dtest=shop.core.PricesCrashTest";
    assert!(reproduced.stdout.contains(run_it), "{}", reproduced.stdout);

    // The second time Maven is not asked.
    let explained = shop.explain("app", &["--json"]);
    assert!(!explained.stderr.contains("asking"), "{}", explained.stderr);
    let object = explained.json();
    let module = &object["project_module"];
    assert_eq!((&module["module"], &module["build_tool"]), (&"app".into(), &"maven".into()), "{object}");
    assert_eq!((&module["junit"], &module["mockito"]), (&"4.13.2".into(), &serde_json::Value::Null));
    assert_eq!(object["crashes"][0]["highest_target_frame"], 2, "both modules are the project");
}

#[test]
fn a_gradle_project_needs_no_option() {
    let shop = Shop::compiled("build/classes/java/main");
    shop.answer(&shop.modules());
    let explained = shop.explain("core/src", &[]);
    assert_eq!(explained.code, 0, "{}{}", explained.stdout, explained.stderr);
    let told = [
        "Module: :app of ",
        "no JUnit, no Mockito",
        "Highest target: frame 2",
        "core/build/classes/java/main",
    ];
    for words in told {
        assert!(explained.stdout.contains(words), "`{words}` is not in\n{}", explained.stdout);
    }
    let of_core = shop.explain("", &["--module", "core", "--json"]).json();
    assert_eq!(of_core["project_module"]["module"], ":core");
    assert_eq!(of_core["crashes"][0]["highest_target_frame"], 1);

    // Sources that are newer than their classes.
    let source = fs::File::open(shop.path("core/src/main/java/shop/core/Prices.java")).expect("a source");
    let written = source.metadata().and_then(|it| it.modified()).expect("a time");
    source.set_modified(written + std::time::Duration::from_secs(600)).expect("a time");
    let stale = shop.explain("", &[]).stdout;
    assert!(stale.contains("Prices.java is newer than its class") && stale.contains("--build"), "{stale}");
}

#[test]
fn each_way_to_have_no_class_path_has_its_words() {
    let shop = Shop::compiled("build/classes/java/main");
    shop.explain("", &[]).failed_with(2, &["belongs to no Maven or Gradle project", "--project"]);
    shop.explain("", &["--project", "core/src"]).failed_with(2, &["core/src is no project", "--classpath"]);

    let [app, core] = shop.modules();
    shop.answer(&[app.clone(), core.clone()]);
    shop.explain("", &["--module", "till"]).failed_with(2, &["has no module till", ":app, :core"]);
    shop.explain("", &["--project", ".", "--classpath", "x"]).failed_with(2, &["cannot be used with"]);

    // Other modules with the same classes.
    let copy = |module: &serde_json::Value, path: &str| {
        let mut copy = module.clone();
        copy["path"] = path.into();
        copy
    };
    shop.answer(&[copy(&core, ":one"), copy(&core, ":two")]);
    shop.write("build.gradle", "// changed");
    shop.explain("", &[]).failed_with(2, &["shop.core.Prices is in the modules :one, :two", "--module"]);

    // A module whose libraries are not there.
    let mut lacking = core.clone();
    lacking["failures"] =
        json!(["Could not resolve a:b:1: No cached version of a:b:1 available for offline mode."]);
    shop.answer(&[lacking]);
    shop.write("build.gradle", "// changed again");
    shop.explain("", &["--offline"])
        .failed_with(4, &["module :core", "No cached version", "leave out --offline"]);

    // The log of another program.
    shop.answer(&[app, core]);
    let log = fs::read_to_string(shop.path("crash.log")).expect("the log").replace("shop.", "other.");
    shop.write("crash.log", &log);
    let foreign = shop.explain("", &[]);
    foreign.failed_with(3, &["belongs to no module", "other.core.Prices", "--project"]);

    shop.script("gradlew", "echo '* What went wrong:' >&2\necho 'No such property: x' >&2\nexit 1");
    shop.write("build.gradle", "// wrong");
    shop.explain("", &[]).failed_with(4, &["./gradlew crashbackClassPath` failed", "  No such property: x"]);
    shop.script("gradlew", "echo 'at org.gradle.wrapper.Download' >&2\nexit 1");
    let mut command = command();
    let log = shop.path("crash.log");
    command.arg("explain").arg(log).env("PATH", "").arg("--java-home").arg(crate::support::java_home());
    let none = run(command.current_dir(shop.root()), b"");
    none.failed_with(4, &["gradlew crashbackClassPath` failed", "org.gradle.wrapper.Download"]);
}

#[test]
fn a_project_is_compiled_when_that_is_asked_for() {
    let shop = Shop::compiled("build/classes/java/main");
    shop.answer(&shop.modules());
    let kept = shop.path("kept");
    fs::create_dir(&kept).expect("a folder");
    for module in ["app", "core"] {
        fs::rename(shop.path(&format!("{module}/build")), kept.join(module)).expect("a folder");
    }
    shop.explain("", &[])
        .failed_with(4, &["is not compiled", "Prices.class", "--build", "./gradlew testClasses"]);
    // A build that brings the classes back.
    let answers = fs::read_to_string(shop.path("gradlew")).expect("a script");
    let root = shop.root();
    let build = "case \"$*\" in *testClasses*) for it in app core; do \
                 mv \"$ROOT/kept/$it\" \"$ROOT/$it/build\"; done; exit;; esac";
    let build = build.replace("$ROOT", &root.display().to_string());
    shop.script("gradlew", &format!("{build}\n{answers}"));
    let built = shop.explain("", &["--build"]);
    assert_eq!(built.code, 0, "{}{}", built.stdout, built.stderr);
    assert!(built.stderr.contains("with ./gradlew testClasses"), "{}", built.stderr);
}

#[test]
fn maven_that_is_missing_or_fails_is_an_error_of_the_machine() {
    let shop = Shop::compiled("target/classes");
    shop.write("pom.xml", "<project><artifactId>shop</artifactId></project>");
    let explain = |path: &dyn AsRef<std::ffi::OsStr>, flags: &[&str]| {
        let mut command = command();
        command.arg("explain").arg(shop.path("crash.log")).args(flags).env("PATH", path);
        run(command.arg("--java-home").arg(crate::support::java_home()).current_dir(shop.root()), b"")
    };
    explain(&"", &[]).failed_with(4, &["is a Maven project, but mvn cannot be run", "--classpath"]);
    let failing = path_with_maven(&shop.path("bin"), "echo '[ERROR] Non-parseable POM pom.xml'; exit 1");
    explain(&failing, &[])
        .failed_with(4, &["`mvn help:effective-pom` failed", "  [ERROR] Non-parseable POM"]);
    let offline = "echo '[ERROR] Cannot access central in offline mode'; exit 1";
    let offline = path_with_maven(&shop.path("bin2"), offline);
    explain(&offline, &["--offline"]).failed_with(4, &["has not fetched everything", "while online"]);
    explain(&failing, &["--build"]).failed_with(4, &["`mvn test-compile` failed"]);
}

#[test]
fn packaged_applications_are_class_paths() {
    let shop = Program::shop();
    let packed = |name: &str, folder: &str| {
        let root = shop.path(&format!("{name}-root"));
        let classes = root.join(folder);
        fs::create_dir_all(classes.parent().expect("a folder")).expect("folders");
        copy_folder(&shop.path("classes"), &classes);
        let archive = shop.path(name);
        let made = tool("jar").arg("cf").arg(&archive).arg("-C").arg(&root).arg(".").output();
        assert!(made.expect("jar runs").status.success());
        (archive, root)
    };
    let (boot, exploded) = packed("shop.jar", "BOOT-INF/classes");
    let (war, _) = packed("shop.war", "WEB-INF/classes");
    for entry in [&exploded, &war] {
        let explained = shop.explain(&shop.path("crash.log"), entry, &["--json"]).json();
        assert_eq!(explained["crashes"][0]["highest_target_frame"], 3, "{explained}");
        assert_eq!(explained["project"], "classes in folders of the class path");
    }
    // Tests run against it, too, where nothing is kept between runs.
    let (log, out) = (shop.path("crash.log"), shop.path("tests"));
    let arguments = [Path::new("reproduce"), &log, Path::new("--classpath"), &boot, Path::new("--out"), &out];
    let reproduced = crashback(arguments.map(Path::as_os_str));
    assert_eq!(reproduced.code, 0, "{}{}", reproduced.stdout, reproduced.stderr);

    // A folder of an IDE is found in a folder without a build file.
    let ide = shop.path("ide/out/production/shop");
    fs::create_dir_all(ide.parent().expect("a folder")).expect("folders");
    copy_folder(&shop.path("classes"), &ide);
    let mut command = command();
    let explained =
        run(command.arg("explain").arg(&log).arg("--json").current_dir(shop.path("ide")), b"").json();
    let module = &explained["project_module"];
    assert_eq!((&module["module"], &module["build_tool"]), (&"ide".into(), &"none".into()), "{explained}");
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").map(|it| it.expect("an entry").path()) {
        let target = to.join(entry.file_name().expect("a name"));
        if entry.is_dir() {
            copy_folder(&entry, &target);
        } else {
            fs::copy(&entry, &target).expect("a copy");
        }
    }
}
