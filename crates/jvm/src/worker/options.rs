//! Options of the embedded JVM.

use std::path::Path;

use crate::WorkerSettings;

/// All options, those of the user last.
pub(super) fn options(settings: &WorkerSettings) -> Vec<String> {
    let machine = &settings.machine;
    let surroundings = &settings.surroundings;
    let scratch = settings.scratch.display();
    let (language, country) =
        surroundings.locale.split_once(['-', '_']).unwrap_or((&surroundings.locale, ""));
    let mut options: Vec<String> = FIXED.iter().map(|it| (*it).to_owned()).collect();
    options.extend([
        format!("-Xmx{}m", machine.heap),
        format!("-Xss{}k", machine.stack),
        format!("-Djava.class.path={}", join(&settings.program.class_path)),
        format!("-Djava.io.tmpdir={scratch}"),
        format!("-Duser.home={scratch}"),
        format!("-Duser.dir={scratch}"),
        "-Duser.name=user".to_owned(),
        format!("-XX:ErrorFile={scratch}/hs_err.log"),
        format!("-Duser.language={language}"),
        format!("-Duser.country={country}"),
        format!("-Dfile.encoding={}", surroundings.encoding),
        format!("-Dsun.jnu.encoding={}", surroundings.encoding),
        format!("-Dstdout.encoding={}", surroundings.encoding),
        format!("-Dstderr.encoding={}", surroundings.encoding),
    ]);
    options.extend(surroundings.zone.iter().map(|it| format!("-Duser.timezone={it}")));
    if settings.program.assertions {
        options.push("-ea".to_owned());
    }
    options.extend(surroundings.properties.iter().map(|(key, value)| format!("-D{key}={value}")));
    options.extend(machine.options.iter().cloned());
    options
}

/// Options that every worker gets. Those that a JVM does not know it ignores.
const FIXED: &[&str] = &[
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:+UnlockDiagnosticVMOptions",
    // What the JVM says when it does not start: standard output leads nowhere.
    "-XX:+DisplayVMOutputToStderr",
    // One thread runs the tests; parallel collectors would compete with other workers.
    "-XX:+UseSerialGC",
    // No collection of everything because classes were loaded: a large program would have many before
    // its first second is over.
    "-XX:MetaspaceSize=256m",
    // Signals are the pool's.
    "-Xrs",
    // A trace that the JVM leaves out cannot be compared.
    "-XX:-OmitStackTraceInFastThrow",
    // No file in the temporary folder, and no socket to attach to.
    "-XX:-UsePerfData",
    "-XX:+DisableAttachMechanism",
    // Nothing is gained by moving the shared archive of the JDK about in memory, as it is done since 17: a
    // worker has no secrets, and starts sooner without.
    "-XX:ArchiveRelocationMode=0",
    "-XX:-CreateCoredumpOnCrash",
    // Every identity hash is 1: nothing else is equal in all workers, whatever ran before.
    "-XX:hashCode=2",
    "-Djava.awt.headless=true",
];

fn join(class_path: &[impl AsRef<Path>]) -> String {
    let entries: Vec<_> = class_path.iter().map(|it| it.as_ref().display().to_string()).collect();
    entries.join(":")
}
