//! `crashback model`: how the objects of a program's classes are used.

mod file;
mod show;
mod tests;

use std::path::Path;
use std::process::ExitCode;

use crashback::{Error, ErrorKind, Models, Program, read_models};
use crashback_model::MergeError;
use serde_json::{Value, json};

use crate::args::{ModelArguments, ModelBuildArguments, ModelJob, ModelMergeArguments, ScopeArguments};
use crate::environment::Environment;
use crate::interrupt::Interrupts;
use crate::{output, program};

use file::ModelFile;

/// Runs the command and gives its exit code.
pub(crate) fn run(
    arguments: &ModelArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> ExitCode {
    let as_json = match &arguments.job {
        ModelJob::Build(it) => it.json,
        ModelJob::Show(it) => it.json,
        ModelJob::Merge(it) => it.json,
    };
    if as_json {
        interrupts.leave_with(output::json_text(&failed(&Error::interrupted())));
    }
    let done = match &arguments.job {
        ModelJob::Build(it) => build(it, environment, interrupts),
        ModelJob::Show(it) => show::shown(it),
        ModelJob::Merge(it) => merge(it),
    };
    interrupts.speak_for_yourself();
    match done {
        Ok(Output { document, .. }) if as_json => {
            output::print_json(&document);
            ExitCode::SUCCESS
        }
        Ok(Output { text, .. }) => {
            output::print(&text);
            ExitCode::SUCCESS
        }
        Err(failure) => {
            output::tell(&format!("crashback: {failure}"));
            if as_json {
                output::print_json(&failed(&failure));
            }
            crate::exit::code_of(&failure)
        }
    }
}

/// The result of a job, for people and as JSON.
struct Output {
    text: String,
    document: Value,
}

fn failed(failure: &Error) -> Value {
    json!({ "exit_code": crate::exit::code(failure.kind), "error": failure })
}

fn build(
    arguments: &ModelBuildArguments,
    environment: &Environment,
    interrupts: &Interrupts,
) -> Result<Output, Error> {
    let file = ModelFile { path: arguments.out.clone() };
    file.check()?;
    let request = program::request(&arguments.classes, false, &ScopeArguments::default(), environment)?;
    let program = Program::load(&request, &interrupts.interruption)?;
    let mut built = program.models(arguments.ngram.into())?;
    if interrupts.happened() {
        return Err(Error::interrupted());
    }
    for problem in program.class_path.problems().iter().filter(|it| !it.kind.is_note()) {
        output::tell(&format!("crashback: {problem}"));
    }
    if let Some(problem) = &built.cache_problem {
        output::tell(&format!("crashback: {problem}"));
    }
    let tests = &arguments.tests;
    let observed = tests.tests.then(|| {
        let session = environment.session(interrupts)?;
        tests::observe(&program, arguments.ngram.into(), tests, session)
    });
    let Some(observed) = observed.transpose()? else {
        file.write(&built.models)?;
        return Ok(written(&built.models, Some(built.classes), &arguments.out));
    };
    let internal = |error: MergeError| Error::new(ErrorKind::Internal, error.to_string());
    built.models.merge(observed.models).map_err(internal)?;
    file.write(&built.models)?;
    let mut output = written(&built.models, Some(built.classes), &arguments.out);
    output.text.push_str(&tests::text(&observed.summary));
    if let Value::Object(fields) = &mut output.document {
        fields.insert("tests".to_owned(), json!(observed.summary));
    }
    Ok(output)
}

fn merge(arguments: &ModelMergeArguments) -> Result<Output, Error> {
    let file = ModelFile { path: arguments.out.clone() };
    file.check()?;
    let models = read_models(&arguments.files)?.unwrap_or_else(|| Models::empty(2));
    file.write(&models)?;
    Ok(written(&models, None, &arguments.out))
}

fn written(models: &Models, classes: Option<usize>, path: &Path) -> Output {
    let sequences: u64 = models.iter().map(|(_, it)| it.sequences()).sum();
    let transitions: usize = models.iter().map(|(_, it)| it.transition_count()).sum();
    let source = classes.map_or(String::new(), |it| format!(" in {it} class files"));
    let text = format!(
        "{} models with {transitions} transitions, from {sequences} call sequences{source}, in {}\n",
        models.len(),
        path.display()
    );
    let document = json!({
        "exit_code": 0,
        "error": null,
        "file": path.display().to_string(),
        "ngram": models.order(),
        "class_files": classes,
        "models": models.len(),
        "transitions": transitions,
        "sequences": sequences,
        "tests": null,
    });
    Output { text, document }
}
