/// A released library with its own tests.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// Name of its artifact.
    pub name: &'static str,
    /// Group of its artifact.
    pub group: &'static str,
    /// Its version; the tests are the artifact with the classifier `tests`.
    pub version: &'static str,
    /// Coordinates of what its tests need, at the versions that its project file names or the
    /// nearest that the launcher accepts.
    pub needs: &'static [&'static str],
    /// Names of test classes end in one of these, by its project file.
    pub includes: &'static [&'static str],
    /// But not in one of these.
    pub excludes: &'static [&'static str],
    /// Options of the JVM, by its project file.
    pub options: &'static [&'static str],
    /// Tests, by class and method, that must fail when the library's clock and random numbers are
    /// pinned: they compare them with the JDK's own.
    pub pinned: &'static [(&'static str, &'static str)],
    /// Class and method of the frames of a typical stack trace, outermost first: what a search
    /// would observe.
    pub chain: &'static [(&'static str, &'static str)],
}

/// Libraries that publish their tests.
pub const LIBRARIES: &[Library] = &[
    Library {
        name: "commons-lang3",
        group: "org.apache.commons",
        version: "3.17.0",
        needs: &[
            "org.junit.jupiter:junit-jupiter:5.11.0",
            "org.junit.platform:junit-platform-launcher:1.11.0",
            "org.junit-pioneer:junit-pioneer:1.9.1",
            "org.hamcrest:hamcrest:3.0",
            "org.easymock:easymock:5.4.0",
            "org.openjdk.jmh:jmh-core:1.37",
            "com.google.code.findbugs:jsr305:3.0.2",
        ],
        includes: &["Test"],
        excludes: &[],
        options: &[
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-opens=java.base/java.net=ALL-UNNAMED",
            "--add-opens=java.base/java.time=ALL-UNNAMED",
            "--add-opens=java.base/java.time.chrono=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
        ],
        pinned: &[
            ("org.apache.commons.lang3.concurrent.EventCountCircuitBreakerTest", "testNow()"),
            ("org.apache.commons.lang3.time.CalendarUtilsTest", "testGetDayOfMonth()"),
            ("org.apache.commons.lang3.time.CalendarUtilsTest", "testGetDayOfYear()"),
            ("org.apache.commons.lang3.time.CalendarUtilsTest", "testGetMonth()"),
            ("org.apache.commons.lang3.time.CalendarUtilsTest", "testGetYear()"),
            ("org.apache.commons.lang3.time.StopWatchTest", "testGetStartInstant()"),
            ("org.apache.commons.lang3.time.StopWatchTest", "testGetStartTime()"),
            ("org.apache.commons.lang3.time.StopWatchTest", "testSimple()"),
            ("org.apache.commons.lang3.time.StopWatchTest", "testSplit()"),
            ("org.apache.commons.lang3.time.StopWatchTest", "testStopInstantSimple()"),
            ("org.apache.commons.lang3.time.StopWatchTest", "testStopTimeSimple()"),
            ("org.apache.commons.lang3.time.StopWatchTest", "testSuspend()"),
        ],
        chain: &[
            ("org/apache/commons/lang3/builder/ToStringBuilder", "reflectionToString"),
            ("org/apache/commons/lang3/builder/ReflectionToStringBuilder", "appendFieldsIn"),
            ("org/apache/commons/lang3/builder/ToStringStyle", "appendInternal"),
        ],
    },
    Library {
        name: "commons-math3",
        group: "org.apache.commons",
        version: "3.6.1",
        needs: &[
            "junit:junit:4.13.2",
            "org.junit.vintage:junit-vintage-engine:5.11.0",
            "org.junit.platform:junit-platform-launcher:1.11.0",
        ],
        includes: &["Test", "TestBinary", "TestPermutations"],
        excludes: &["AbstractTest"],
        options: &[],
        pinned: &[("org.apache.commons.math3.genetics.FixedElapsedTimeTest", "testIsSatisfied(")],
        chain: &[
            (
                "org/apache/commons/math3/distribution/AbstractRealDistribution",
                "inverseCumulativeProbability",
            ),
            ("org/apache/commons/math3/analysis/solvers/BaseAbstractUnivariateSolver", "solve"),
            ("org/apache/commons/math3/analysis/solvers/BrentSolver", "brent"),
        ],
    },
];

impl Library {
    /// Whether a test, by its unique name, may go another way when clock and random numbers are
    /// pinned.
    pub fn is_pinned(&self, test: &str) -> bool {
        self.pinned.iter().any(|(class, method)| test.contains(class) && test.contains(&format!(":{method}")))
    }

    /// All that its suite needs: itself first, then its tests.
    pub(super) fn coordinates(&self) -> Vec<String> {
        let Self { group, name, version, .. } = self;
        let own = [format!("{group}:{name}:{version}"), format!("{group}:{name}:{version}:tests")];
        own.into_iter().chain(self.needs.iter().map(|it| (*it).to_owned())).collect()
    }

    /// Whether a class, by its internal name, belongs to the suite. Nested classes run with the
    /// class around them.
    pub(super) fn is_test(&self, class: &str) -> bool {
        let ends = |ends: &[&str]| ends.iter().any(|end| class.ends_with(end));
        !class.contains('$') && ends(self.includes) && !ends(self.excludes)
    }
}
