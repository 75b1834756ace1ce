//! Modules from the words of build tools, caching, choosing, style.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::Error;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

fn paths(texts: &[&str]) -> Vec<PathBuf> {
    texts.iter().map(PathBuf::from).collect()
}

const POMS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<projects xmlns:xsi="x">
  <!-- Effective POM for project 'g:all:pom:1' -->
  <project xmlns="http://maven.apache.org/POM/4.0.0">
    <groupId>g</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging>
  </project>
  <project xmlns="http://maven.apache.org/POM/4.0.0">
    <groupId>g</groupId><artifactId>core</artifactId><version>1</version>
    <dependencyManagement><dependencies><dependency><groupId>x</groupId></dependency></dependencies>
    </dependencyManagement>
    <dependencies>
      <dependency><groupId>o</groupId><artifactId>lib</artifactId><version>2</version></dependency>
    </dependencies>
    <build><directory>/p/core/target</directory><sourceDirectory>/p/core/src/main/java</sourceDirectory>
      <testSourceDirectory>/p/core/src/test/java</testSourceDirectory>
      <outputDirectory>/p/core/target/classes</outputDirectory>
      <testOutputDirectory>/p/core/target/test-classes</testOutputDirectory></build>
  </project>
  <project xmlns="http://maven.apache.org/POM/4.0.0">
    <groupId>g</groupId><artifactId>web</artifactId><version>1</version><packaging>war</packaging>
    <dependencies>
      <dependency><groupId>g</groupId><artifactId>core</artifactId>
        <version>1</version><type>test-jar</type><scope>test</scope></dependency>
      <dependency><groupId>g</groupId><artifactId>core</artifactId>
        <version>1</version><scope>compile</scope></dependency>
      <dependency><groupId>g</groupId><artifactId>core</artifactId>
        <version>0.9</version><classifier>old</classifier></dependency>
    </dependencies>
    <build><directory>/p/web/target</directory><outputDirectory>/p/web/target/classes</outputDirectory>
      <testOutputDirectory>/p/web/target/test-classes</testOutputDirectory></build>
  </project>
</projects>"#;

#[test]
fn copies_of_poms_depend_on_the_poms_of_other_modules() {
    let resolved: [&[&str]; 3] = [
        &[],
        &["/m2/lib-2.jar"],
        &["/copies/1/pom.xml", "/m2/lib-2.jar", "/m2/core-0.9-old.jar", "/m2/bom-1.pom"],
    ];
    let (copies, modules) = maven::for_tests::modules(POMS, &resolved);
    assert!(
        copies[1].contains("<artifactId>lib</artifactId><version>2</version></dependency>"),
        "{}",
        copies[1]
    );
    assert!(copies[1].contains("<dependencyManagement>") && copies[1].contains("<packaging>pom</packaging>"));
    // The module stands there once, with the wider scope, in the place of its first mention.
    assert_eq!(copies[2].matches("<type>pom</type>").count(), 1, "{}", copies[2]);
    assert!(copies[2].contains("<scope>compile</scope><type>pom</type>"), "{}", copies[2]);
    assert!(copies[2].contains("<version>0.9</version><classifier>old</classifier>"), "{}", copies[2]);

    let core = &modules[1];
    assert_eq!(
        core.class_path,
        paths(&["/p/core/target/test-classes", "/p/core/target/classes", "/m2/lib-2.jar"])
    );
    assert_eq!(
        (core.name.as_str(), core.test_sources[0].as_path()),
        ("core", Path::new("/p/core/src/test/java"))
    );
    let expected = [
        "/p/web/target/test-classes",
        "/p/web/target/classes",
        "/p/core/target/classes",
        "/p/core/target/test-classes",
        "/m2/lib-2.jar",
        "/m2/core-0.9-old.jar",
    ];
    assert_eq!(modules[2].class_path, paths(&expected));
    assert!(modules[2].covers(core) && !core.covers(&modules[2]));
}

#[test]
fn hints_of_maven_are_not_reasons() {
    let telling = maven::for_tests::telling;
    assert!(telling("[ERROR] Failed to execute goal x on project y: z -> [Help 1]"));
    assert!(!telling("[ERROR] "));
    assert!(!telling("[ERROR] [Help 1] http://cwiki"));
    assert!(!telling("[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch."));
    assert!(!telling("[INFO] BUILD FAILURE"));
}

const CORE: &str = r#"{"path":":core","folder":"/p/core","entries":[{"file":"/g/lib-2.jar","project":null}],
  "failures":[],"sets":[
    {"name":"main","java":["/p/core/src/main/java"],"sources":["/p/core/src/main/java",
      "/p/core/src/main/kotlin"],
     "outputs":["/p/core/build/classes/java/main","/p/core/build/resources/main"]},
    {"name":"testFixtures","java":[],"sources":[],"outputs":["/p/core/build/classes/java/testFixtures"]},
    {"name":"test","java":["/p/core/src/test/java"],"sources":["/p/core/src/test/java",
      "/p/core/src/test/kotlin"],
     "outputs":["/p/core/build/classes/java/test"]}]}"#;
const WEB: &str = r#"{"path":":web","folder":"/p/web","entries":[
    {"file":"/p/core/build/libs/core.jar","project":":core"},
    {"file":"/p/core/build/libs/core-test-fixtures.jar","project":":core"},
    {"file":"/g/lib-2.jar","project":null}],
  "failures":["Could not resolve a:b:1: No cached version of a:b:1 available for offline mode."],"sets":[
    {"name":"main","java":["/p/web/src"],"sources":["/p/web/src"],
     "outputs":["/p/web/build/classes/java/main"]},
    {"name":"test","java":["/p/web/test"],"sources":["/p/web/test"],
     "outputs":["/p/web/build/classes/java/test"]}]}"#;

#[test]
fn gradle_projects_stand_on_class_paths_with_their_folders() {
    let modules = gradle::for_tests::modules_of(&[CORE, WEB]);
    let web = &modules[1];
    let expected = [
        "/p/web/build/classes/java/test",
        "/p/web/build/classes/java/main",
        "/p/core/build/classes/java/main",
        "/p/core/build/resources/main",
        "/p/core/build/classes/java/testFixtures",
        "/g/lib-2.jar",
    ];
    assert_eq!(web.class_path, paths(&expected));
    assert!(web.problem.as_ref().is_some_and(|it| it.offline), "{:?}", web.problem);
    assert_eq!(web.test_sources, paths(&["/p/web/test"]));
    let core = &modules[0];
    assert_eq!(core.test_sources, paths(&["/p/core/src/test/java", "/p/core/src/test/kotlin"]));
    assert_eq!(core.problem, None);
}

#[test]
fn failures_of_gradle_are_told_in_its_own_words() {
    let errors = "\nFAILURE: Build failed.\n\n* Where:\nBuild file 'build.gradle' line: 3\n\n\
                  * What went wrong:\nA problem occurred.\n> No such property: x\n\n* Try:\nRun with \
                  --stacktrace\n";
    let (lacking, account) = gradle::for_tests::account(errors);
    assert_eq!((lacking, account.as_str()), (None, "A problem occurred.\n> No such property: x"));
    let (lacking, _) =
        gradle::for_tests::account("   > No cached version of a:b:1 available for offline mode.");
    assert_eq!(lacking.as_deref(), Some("No cached version of a:b:1 available for offline mode."));
    let (_, account) =
        gradle::for_tests::account("* What went wrong:\nUnsupported class file major version 65\n");
    assert!(account.contains("--java-home"), "{account}");
}

/// A project of modules that have a class each and depend on those before them as told.
fn project(root: &Path, modules: &[(&str, &[&str], &[&str])]) -> Project {
    let module = |(name, classes, needs): &(&str, &[&str], &[&str])| {
        let folder = root.join(name);
        for class in *classes {
            write(&folder, &format!("classes/{class}.class"), "");
        }
        let mut class_path = vec![folder.join("classes")];
        class_path.extend(needs.iter().map(|it| root.join(it).join("classes")));
        let (sources, classes) = (vec![folder.join("src")], vec![folder.join("classes")]);
        Module { name: (*name).to_owned(), folder, sources, classes, class_path, ..Module::default() }
    };
    Project {
        root: root.to_owned(),
        tool: BuildTool::Maven,
        program: "mvn".to_owned(),
        modules: modules.iter().map(module).collect(),
        notes: Vec::new(),
    }
}

#[test]
fn the_lowest_module_that_has_the_whole_trace_is_chosen() {
    let folder = folder();
    let project = project(
        folder.path(),
        &[("core", &["a/Core"], &[]), ("web", &["a/Web"], &["core"]), ("app", &["a/App"], &["web", "core"])],
    );
    let chosen = |classes: &[&str]| project.choose(classes).map(|it| project.modules[it].name.clone());
    assert_eq!(chosen(&["java.util.List", "a.Core", "lib.X"]).unwrap(), "core");
    assert_eq!(chosen(&["a.Core", "a.Web$$Lambda/0x12"]).unwrap(), "web");
    assert_eq!(chosen(&["a.Web", "a.Core", "a.App$1"]).unwrap(), "app");
    let foreign = chosen(&["java.util.List", "lib.X"]).unwrap_err();
    assert!(matches!(&foreign, Error::Project(ProjectError::ForeignTrace { class, .. }) if class == "lib.X"));
}

#[test]
fn modules_side_by_side_are_told_apart_by_the_innermost_frame_or_not_at_all() {
    let folder = folder();
    let mut project =
        project(folder.path(), &[("one", &["a/Main", "a/One"], &[]), ("two", &["a/Main", "a/Two"], &[])]);
    assert_eq!(project.choose(&["a.Two", "a.One"]).unwrap(), 1);
    let error = project.choose(&["a.Main"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the class a.Main is in the modules one, two: choose one of them with --module"
    );
    assert_eq!(project.module("two").unwrap().name, "two");
    project.modules[1].name = ":two".to_owned();
    assert_eq!(project.module("two").unwrap().name, ":two");
    let error = project.module("three").unwrap_err().to_string();
    assert!(error.contains("has no module three; it has one, :two"), "{error}");
}

#[test]
fn sources_without_classes_are_not_compiled() {
    let folder = folder();
    let project = project(folder.path(), &[("one", &[], &[]), ("two", &["a/Two"], &[])]);
    write(folder.path(), "one/src/a/One.java", "class One {}");
    let error = project.choose(&["a.One$Inner"]).unwrap_err().to_string();
    assert!(error.contains("module one is not compiled") && error.contains("a/One.class"), "{error}");
    assert!(error.contains("add --build, or run `mvn test-compile`"), "{error}");
}

#[test]
fn old_classes_are_noticed() {
    let folder = folder();
    let project = project(folder.path(), &[("one", &["a/One", "a/Two"], &[])]);
    let made = fs::metadata(folder.path().join("one/classes/a/One.class")).unwrap().modified().unwrap();
    let (old, new) = (made - Duration::from_secs(100), made + Duration::from_secs(100));
    let source = |name: &str| fs::File::open(write(folder.path(), name, "")).unwrap();
    source("one/src/a/One.java").set_modified(old).unwrap();
    source("one/src/a/Kotlin.kt").set_modified(old).unwrap();
    source("one/src/a/package-info.java");
    assert_eq!(project.modules[0].stale(), None);
    assert_eq!(project.stale_note(0), None);
    source("one/src/a/Two.java").set_modified(new).unwrap();
    assert_eq!(project.modules[0].stale().unwrap().count, 1);
    source("one/src/a/Other.kt").set_modified(new).unwrap();
    let note = project.stale_note(0).unwrap();
    assert!(note.starts_with("2 sources are newer") && note.contains("--build"), "{note}");
}

#[test]
fn projects_begin_where_their_build_begins() {
    let folder = folder();
    let root = fs::canonicalize(folder.path()).unwrap();
    write(&root, "pom.xml", "<project><modules><module>a</module></modules></project>");
    write(&root, "a/pom.xml", "<project><modules><module>./b/pom.xml</module></modules></project>");
    write(&root, "a/b/pom.xml", "<project/>");
    write(&root, "a/alone/pom.xml", "<project/>");
    write(&root, "g/settings.gradle.kts", "");
    write(&root, "g/x/build.gradle", "");
    write(&root, "g/x/src/A.java", "");
    write(&root, "both/pom.xml", "<project/>");
    write(&root, "both/build.gradle", "");
    let found = |name: &str| locate(&root.join(name)).map(|it| (it.root, it.tool));
    assert_eq!(found("a/b"), Some((root.clone(), BuildTool::Maven)));
    assert_eq!(found("a/alone"), Some((root.join("a/alone"), BuildTool::Maven)));
    assert_eq!(found("g/x/src"), Some((root.join("g"), BuildTool::Gradle)));
    assert_eq!(found("both"), Some((root.join("both"), BuildTool::Maven)));
    fs::create_dir_all(root.join("both/build/classes")).unwrap();
    assert_eq!(found("both"), Some((root.join("both"), BuildTool::Gradle)));
}

#[test]
fn class_folders_make_a_project_without_a_build_file() {
    let folder = folder();
    let root = fs::canonicalize(folder.path()).unwrap();
    assert_eq!(locate(&root), None);
    fs::create_dir_all(root.join("bin")).unwrap();
    assert_eq!(locate(&root), None, "an empty folder may be anything");
    write(&root, "out/production/shop/shop/Till.class", "");
    write(&root, "out/test/shop/shop/TillTest.class", "");
    write(&root, "lib/a.jar", "");
    write(&root, "test/shop/TillTest.java", "");
    let located = locate(&root).unwrap();
    assert_eq!(located.tool, BuildTool::None);
    let project = located.read(&Settings::default(), None).unwrap();
    let module = &project.modules[0];
    assert_eq!(module.classes, [root.join("out/production/shop")]);
    let expected = ["out/test/shop", "out/production/shop", "lib/a.jar"].map(|it| root.join(it));
    assert_eq!(module.class_path, expected);
    assert_eq!(module.test_sources, [root.join("test")]);
    assert_eq!(project.test_command(&module.name, "shop.TillTest", &root), None);
}

#[test]
fn only_the_content_of_build_files_decides_about_the_cache() {
    let folder = folder();
    let root = folder.path();
    write(root, "build.gradle.kts", "a");
    write(root, "app/gradle.lockfile", "a");
    write(root, "gradle/libs.versions.toml", "a");
    write(root, "buildSrc/src/main/kotlin/Logic.kt", "a");
    let located = Located { root: root.to_owned(), tool: BuildTool::Gradle };
    let key = || build_files::fingerprint(&located, &Settings::default()).unwrap();
    let before = key();
    write(root, "src/main/java/A.java", "b");
    write(root, "build/generated/pom.xml", "b");
    write(root, "target/x.gradle", "b");
    write(root, "build.gradle.kts", "a");
    assert_eq!(key(), before);
    for name in [
        "build.gradle.kts",
        "app/gradle.lockfile",
        "gradle/libs.versions.toml",
        "buildSrc/src/main/kotlin/Logic.kt",
    ] {
        let before = key();
        write(root, name, "b");
        assert_ne!(key(), before, "{name}");
    }
    let before = key();
    write(root, "new/pom.xml", "");
    assert_ne!(key(), before);
}

#[test]
fn a_kept_project_is_used_as_long_as_its_jars_exist() {
    let (folder, cache) = (folder(), folder());
    let root = folder.path();
    write(root, "build.gradle", "");
    let jar = write(root, "lib.jar", "");
    // Answers as the init script would, and counts how often it is asked.
    let script = format!(
        "#!/bin/sh\necho asked >> {0}/asked\n\
         for it in \"$@\"; do case $it in -Dcrashback.output=*) out=${{it#*=}};; esac; done\n\
         cat > \"$out/one.json\" <<'E'\n{{\"path\":\":\",\"folder\":\"{0}\",\"failures\":[],\
         \"entries\":[{{\"file\":\"{0}/lib.jar\",\"project\":null}}],\
         \"sets\":[{{\"name\":\"main\",\"java\":[],\"sources\":[],\
         \"outputs\":[\"{0}/build/classes\"]}}]}}\nE\n",
        root.display()
    );
    let gradlew = write(root, "gradlew", &script);
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(gradlew, fs::Permissions::from_mode(0o755)).unwrap();
    let located = Located { root: root.to_owned(), tool: BuildTool::Gradle };
    let cache = CacheSettings::new(cache.path());
    let read = || located.read(&Settings::default(), Some(&cache));
    let asked = || fs::read_to_string(root.join("asked")).unwrap().lines().count();
    let project = read().unwrap();
    assert_eq!(project.modules[0].class_path, [root.join("build/classes"), jar.clone()]);
    assert_eq!((read().unwrap(), asked()), (project.clone(), 1));
    write(root, "gradle.properties", "x=1");
    assert_eq!((read().unwrap(), asked()), (project, 2));
    fs::remove_file(jar).unwrap();
    read().unwrap();
    assert_eq!(asked(), 3);
}

#[test]
fn a_build_tool_that_is_not_there_or_fails_is_named() {
    let folder = folder();
    let root = folder.path();
    write(root, "pom.xml", "<project/>");
    let located = Located { root: root.to_owned(), tool: BuildTool::Maven };
    let settings = Settings { maven: root.join("no-mvn"), ..Settings::default() };
    let error = located.read(&settings, None).unwrap_err().to_string();
    assert!(error.contains("is a Maven project") && error.contains("no-mvn cannot be run"), "{error}");
    let script = |name: &str, text: &str| {
        use std::os::unix::fs::PermissionsExt as _;
        let path = write(root, name, &format!("#!/bin/sh\n{text}\nexit 1\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    };
    let settings =
        Settings { maven: script("mvn", "echo '[ERROR] Non-parseable POM'"), ..Settings::default() };
    let error = located.read(&settings, None).unwrap_err().to_string();
    assert!(
        error.contains("mvn help:effective-pom` failed") && error.contains("Non-parseable POM"),
        "{error}"
    );
    // A wrapper that cannot fetch its Maven leaves the work to the one of the machine.
    script("mvnw", "echo 'cannot download' >&2");
    let error = located.build(&settings).unwrap_err().to_string();
    assert!(error.contains("mvn test-compile` failed") && error.contains("Non-parseable POM"), "{error}");
    let offline = script("offline", "echo '[ERROR] Cannot access central in offline mode'");
    let settings = Settings { maven: offline, offline: true, ..Settings::default() };
    let error = located.read(&settings, None).unwrap_err().to_string();
    assert!(
        error.contains("Maven has not fetched everything") && error.contains("leave out --offline"),
        "{error}"
    );
}

#[test]
fn tests_are_written_as_others_are() {
    let folder = folder();
    let tests = folder.path().join("src/test/java");
    let module = Module { test_sources: vec![tests.clone()], ..Module::default() };
    assert_eq!(module.style(), Style::default());
    write(
        &tests,
        "ATest.java",
        "import org.junit.Test;\n\npublic class ATest {\n\n\t@Test\n\tpublic void a() {\n",
    );
    assert_eq!(module.style(), Style { api: Some(TestApi::JUnit4), indentation: Indentation::Tab });
    write(
        &tests,
        "BTest.java",
        "import org.junit.jupiter.api.Test;\nclass BTest {\n  @Test void b() {}\n}\n",
    );
    write(
        &tests,
        "CTest.java",
        "import org.junit.jupiter.api.Test;\nclass CTest {\n  @Test void b() {}\n}\n",
    );
    assert_eq!(module.style(), Style { api: Some(TestApi::Jupiter), indentation: Indentation::Spaces(2) });
    let source = "class A {\n\n    void a() {\n        b(\n                c);\n    }\n}\n";
    assert_eq!(Indentation::Usual.apply(source), source);
    assert_eq!(Indentation::Tab.apply(source), source.replace("    ", "\t"));
    assert_eq!(Indentation::Spaces(2).apply(source), source.replace("    ", "  "));
}

#[test]
fn commands_run_one_test_of_one_module() {
    let mut project = Project {
        root: "/p".into(),
        tool: BuildTool::Maven,
        program: "./mvnw".to_owned(),
        modules: vec![Module { name: "solo".into(), folder: "/p".into(), ..Module::default() }],
        notes: Vec::new(),
    };
    let command = |project: &Project, module: &str, from: &str| {
        project.test_command(module, "a.BTest", Path::new(from)).unwrap()
    };
    assert_eq!(command(&project, "solo", "/p"), "./mvnw test -Dtest=a.BTest");
    assert_eq!(command(&project, "solo", "/p/x/y"), "../../mvnw -f ../.. test -Dtest=a.BTest");
    assert_eq!(command(&project, "solo", "/elsewhere"), "/p/mvnw -f /p test -Dtest=a.BTest");
    let core = Module {
        name: "core".into(),
        folder: "/p/core".into(),
        classes: vec!["/c".into()],
        ..Module::default()
    };
    let web = Module {
        name: "web".into(),
        folder: "/p/web".into(),
        class_path: vec!["/c".into()],
        ..Module::default()
    };
    project.modules = vec![core, web];
    project.program = "mvn".to_owned();
    assert_eq!(command(&project, "core", "/p"), "mvn -pl core test -Dtest=a.BTest");
    let with_others = command(&project, "web", "/p");
    assert!(
        with_others.starts_with("mvn -pl web -am test -Dtest=a.BTest -DfailIfNoTests=false"),
        "{with_others}"
    );
    project.tool = BuildTool::Gradle;
    project.program = "./gradlew".to_owned();
    project.modules[0].name = ":core".to_owned();
    project.modules[1].name = ":".to_owned();
    assert_eq!(command(&project, ":core", "/p"), "./gradlew :core:test --tests a.BTest");
    assert_eq!(command(&project, ":", "/p/web"), "../gradlew -p .. :test --tests a.BTest");
}

#[test]
fn versions_are_those_of_the_jars() {
    let class_path =
        paths(&["/m/junit-jupiter-5.10.2.jar", "/m/junit-jupiter-api-5.10.2.jar", "/m/junit-4.13.2.jar"]);
    let mut module = Module { class_path, ..Module::default() };
    assert_eq!((module.junit().as_deref(), module.mockito()), (Some("5.10.2"), None));
    module.class_path.remove(1);
    assert_eq!(module.junit().as_deref(), Some("4.13.2"));
}
