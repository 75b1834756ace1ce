//! Files of a test as sources, compiled and run with every generation of JUnit.

use crashback_emit::junit::Generation;
use crashback_emit::source::Mode;
use crashback_emit::verify::{Run, Verification, Verifier};
use crashback_testcase::Literal;

use crate::draft::Draft;
use crate::support::{fetched, jdk, verifier};

/// A file with a text, which is read back as a number: the exception tells the text.
fn read_back(it: &mut Draft) {
    let (folder, name) = (it.literal(Literal::Folder), it.text("file"));
    let file = it.construct("java/io/File.<init>(Ljava/io/File;Ljava/lang/String;)V", &[folder, name]);
    let path = it.call_on(file, "java/io/File.toPath()Ljava/nio/file/Path;", &[]);
    let text = it.text("seven");
    let bytes = it.call_on(text, "java/lang/String.getBytes()[B", &[]);
    let options = it.array("[Ljava/nio/file/OpenOption;", 0);
    let write =
        "java/nio/file/Files.write(Ljava/nio/file/Path;[B[Ljava/nio/file/OpenOption;)Ljava/nio/file/Path;";
    it.call(write, &[path, bytes, options]);
    let scanner = it.construct("java/util/Scanner.<init>(Ljava/nio/file/Path;)V", &[path]);
    let line = it.call_on(scanner, "java/util/Scanner.nextLine()Ljava/lang/String;", &[]);
    it.call("java/lang/Integer.parseInt(Ljava/lang/String;)I", &[line]);
}

#[test]
fn junit_makes_the_folder_of_a_test() {
    let jdk = jdk();
    for (generation, field) in [
        (Generation::Four, "    @Rule\n    public final TemporaryFolder folder = new TemporaryFolder();\n"),
        (Generation::Five, "    @TempDir\n    File folder;\n"),
        (Generation::Six, "    @TempDir\n    File folder;\n"),
    ] {
        let runner = fetched(generation);
        let mut draft = Draft::default();
        read_back(&mut draft);
        let source = draft.source("depot", runner.junit, Mode::Fails, &[]);
        assert!(source.text.contains(field), "{}", source.text);
        let scratch = tempfile::tempdir().unwrap();
        let verifier =
            Verifier { feature: jdk.feature.into(), ..verifier(&runner, &jdk.home, scratch.path()) };
        match verifier.verify(&source, 1).unwrap() {
            Verification::Ran(runs) => match runs.first() {
                Some(Run::Threw(crash)) => {
                    let message = crash.outermost().unwrap().message.clone().unwrap();
                    assert!(message.contains("\"seven\""), "{generation:?}: {message}");
                }
                other => panic!("{generation:?}: {other:?}"),
            },
            other => panic!("{generation:?}: {other:?}\n{}", source.text),
        }
    }
}
