use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use crashback_reproduce::{Preset, Settings};
use serde::{Deserialize, Serialize};

/// How runs are made. Runs of one configuration can be compared.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// Its name in the store.
    pub name: String,
    /// Settings of the search. The seed is that of each job.
    pub settings: Settings,
    /// Worker processes of each run.
    pub workers: usize,
    /// Whether assertions are enabled in the program.
    pub assertions: bool,
    /// The program that makes the runs in place of Crashback's search.
    pub tool: Option<Tool>,
}

/// Another program that reproduces crashes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// The program and its arguments, with placeholders: `{log}`, `{classpath}`, `{frame}`, `{seed}`,
    /// `{time}`, `{output}`, `{crash}`.
    pub command: Vec<String>,
}

/// Everything that makes runs comparable, in the order of its canonical text.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    algorithm: Option<String>,
    assertions: bool,
    evaluations: Option<u64>,
    expect: bool,
    fitness: Option<String>,
    frame: Option<u32>,
    population: Option<usize>,
    /// None for the default one, which contents of earlier times do not name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    preset: Option<String>,
    time_seconds: f64,
    tool: Option<Tool>,
    /// Names and values that are not the default.
    tuning: BTreeMap<String, String>,
    workers: usize,
}

impl Configuration {
    /// A name for runs with these settings, equal only for equal preset, algorithm, fitness and tuning:
    /// `ours`, `ours+guided-ga+weighted-sum`, `single+reuse-object=0.3`.
    pub fn default_name(settings: &Settings) -> String {
        let mut parts = vec![settings.preset.name().to_owned()];
        parts.extend(settings.algorithm.map(|it| it.name().to_owned()));
        parts.extend(settings.fitness.map(|it| it.name().to_owned()));
        parts.extend(settings.tuning.changed().map(|it| format!("{}={}", it.name, it.value)));
        parts.join("+")
    }

    /// Everything that must be equal for runs to be compared, as one canonical text: JSON with a fixed
    /// order of its fields. The name is no part of it, nor is the seed.
    ///
    /// Stores keep it, so a change of its fields needs a change of their format.
    pub fn content(&self) -> String {
        let settings = &self.settings;
        let content = Content {
            algorithm: settings.algorithm.map(|it| it.name().to_owned()),
            assertions: self.assertions,
            evaluations: settings.evaluations,
            expect: settings.expect,
            fitness: settings.fitness.map(|it| it.name().to_owned()),
            frame: settings.frame,
            population: settings.population,
            preset: Some(settings.preset)
                .filter(|it| *it != Preset::default())
                .map(|it| it.name().to_owned()),
            time_seconds: settings.time.as_secs_f64(),
            tool: self.tool.clone(),
            tuning: settings.tuning.changed().map(|it| (it.name.to_owned(), it.value)).collect(),
            workers: self.workers,
        };
        serde_json::to_string(&content).unwrap_or_default()
    }

    /// A short name of the content: equal only for equal contents.
    pub fn identity(&self) -> String {
        identity(&self.content())
    }

    /// A configuration of a canonical text; in words why it is none.
    pub fn of_content(name: &str, text: &str) -> Result<Self, String> {
        let content: Content = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let mut settings = Settings {
            algorithm: content.algorithm.as_deref().map(parsed).transpose()?,
            evaluations: content.evaluations,
            expect: content.expect,
            fitness: content.fitness.as_deref().map(parsed).transpose()?,
            frame: content.frame,
            population: content.population,
            preset: content.preset.as_deref().map(parsed).transpose()?.unwrap_or_default(),
            time: Duration::try_from_secs_f64(content.time_seconds).map_err(|it| it.to_string())?,
            ..Settings::default()
        };
        for (name, value) in &content.tuning {
            settings.tuning.set(name, value).map_err(|error| error.to_string())?;
        }
        let Content { workers, assertions, tool, .. } = content;
        Ok(Self { name: name.to_owned(), settings, workers, assertions, tool })
    }

    /// The content in words, for messages.
    pub fn conditions(&self) -> String {
        let settings = &self.settings;
        let Settings { frame, time, evaluations, population, expect, preset, tuning, .. } = settings;
        let mut parts =
            vec![format!("{} s of time", time.as_secs_f64()), format!("{} workers", self.workers)];
        parts.extend(evaluations.map(|it| format!("{it} evaluations")));
        parts.extend(population.map(|it| format!("population {it}")));
        parts.extend(frame.map(|it| format!("frame {it}")));
        parts.extend(expect.then(|| "tests that expect the crash".to_owned()));
        parts.extend(self.assertions.then(|| "assertions enabled".to_owned()));
        match &self.tool {
            Some(tool) => parts.push(format!("tool {}", tool.command.join(" "))),
            None => {
                parts.extend((*preset != Preset::default()).then(|| format!("preset {preset}")));
                parts.push(format!("fitness {}", settings.fitness_name()));
                parts.push(format!("algorithm {}", settings.algorithm_name()));
            }
        }
        parts.extend(tuning.changed().map(|it| format!("{}={}", it.name, it.value)));
        parts.join(", ")
    }
}

/// The value that a text names; in words why it names none.
pub(crate) fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

/// A short name of a text: equal only for equal texts.
pub(crate) fn identity(text: &str) -> String {
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use crashback_reproduce::{AlgorithmKind, Fitness};

    use super::*;

    fn configuration() -> Configuration {
        let mut settings = Settings { evaluations: Some(9), population: Some(40), ..Settings::default() };
        settings.time = Duration::from_millis(2500);
        let name = settings.tuning.entries().next().map(|it| (it.name, it.default)).expect("an entry");
        settings.tuning.set(name.0, &name.1.to_string()).expect("its default");
        let tool = Some(Tool { command: vec!["tool".to_owned(), "{log}".to_owned()] });
        Configuration { name: "n".to_owned(), settings, workers: 3, assertions: true, tool }
    }

    #[test]
    fn a_content_reads_back_as_it_was() {
        let first = configuration();
        let second = Configuration::of_content("other", &first.content()).expect("a configuration");
        assert_eq!(second.content(), first.content());
        assert_eq!((second.identity(), second.name.as_str()), (first.identity(), "other"));
        assert_eq!(second.conditions(), first.conditions());
    }

    #[test]
    fn everything_but_name_and_seed_is_content() {
        let first = configuration();
        let mut same = first.clone();
        (same.name, same.settings.seed) = ("m".to_owned(), 99);
        assert_eq!(same.identity(), first.identity());
        let changes: [fn(&mut Configuration); 9] = [
            |it| it.workers = 4,
            |it| it.assertions = false,
            |it| it.tool = None,
            |it| it.settings.time = Duration::from_secs(3),
            |it| it.settings.evaluations = None,
            |it| it.settings.population = None,
            |it| it.settings.preset = Preset::Single,
            |it| it.settings.algorithm = Some(AlgorithmKind::GuidedGa),
            |it| it.settings.fitness = Some(Fitness::CallChain),
        ];
        for change in changes {
            let mut other = first.clone();
            change(&mut other);
            assert_ne!(other.identity(), first.identity(), "{}", other.content());
        }
    }

    #[test]
    fn an_unknown_field_or_name_is_refused() {
        let mut first = configuration();
        first.settings.algorithm = Some(AlgorithmKind::GuidedGa);
        let text = first.content();
        for (from, to) in [("\"workers\"", "\"wrokers\""), ("guided-ga", "misguided-ga")] {
            assert!(Configuration::of_content("n", &text.replace(from, to)).is_err());
        }
    }
}
