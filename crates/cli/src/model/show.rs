//! The model of one class.

use crashback::{Error, ErrorKind, Models, read_models};
use crashback_model::select::{Behaviour, Criterion, fitting_number, select};
use crashback_model::{Action, Model, render};
use serde_json::{Value, json};

use super::Output;
use crate::args::ModelShowArguments;

/// How many classes with a similar name are named.
const MOST_SIMILAR: usize = 3;

pub(super) fn shown(arguments: &ModelShowArguments) -> Result<Output, Error> {
    let models = read_models(&arguments.model)?.unwrap_or_else(|| Models::empty(2));
    let class = arguments.class.replace('.', "/");
    let model = models.get(&class).ok_or_else(|| unknown(&models, &class))?;
    let text = match (arguments.dot, arguments.svg) {
        (true, _) => render::dot(&class, model),
        (_, true) => render::svg(&class, model),
        _ => format!("{}{}", render::text(&class, model), behaviours(model)),
    };
    Ok(Output { text, document: document(&class, &models, model) })
}

fn unknown(models: &Models, class: &str) -> Error {
    let simple = |name: &str| name.rsplit(['/', '$']).next().unwrap_or_default().to_ascii_lowercase();
    let similar = models.iter().map(|(it, _)| it).filter(|it| simple(it) == simple(class));
    let similar: Vec<String> = similar.take(MOST_SIMILAR).map(|it| it.replace('/', ".")).collect();
    let advice = match similar.as_slice() {
        [] => "its class files show no call on such an object".to_owned(),
        names => format!("there are models of {}", names.join(", ")),
    };
    Error::new(ErrorKind::Usage, format!("no model of {}: {advice}", class.replace('/', ".")))
}

fn selected(model: &Model) -> Vec<Behaviour> {
    select(model, Criterion::Dissimilarity, fitting_number(model))
}

fn behaviours(model: &Model) -> String {
    let mut text = String::from("\nBehaviours that differ most\n");
    for behaviour in selected(model) {
        let calls: Vec<String> = behaviour.actions.iter().map(ToString::to_string).collect();
        text.push_str(&format!("  {}\n", calls.join(", ")));
    }
    text
}

fn document(class: &str, models: &Models, model: &Model) -> Value {
    let action = |it: &Action| json!({ "name": it.name, "descriptor": it.descriptor });
    let states = model.states().map(
        |it| json!({ "recent": it.recent.iter().map(|it| action(it)).collect::<Vec<_>>(), "ends": it.ends }),
    );
    let transitions = model
        .transitions()
        .into_iter()
        .map(|it| json!({ "from": it.from, "action": action(it.action), "to": it.to, "weight": it.weight }));
    let behaviours = selected(model).into_iter().map(|it| {
        let actions: Vec<Value> = it.actions.iter().map(action).collect();
        json!({ "actions": actions, "probability": it.log_probability.exp() })
    });
    json!({
        "exit_code": 0,
        "error": null,
        "class": class.replace('/', "."),
        "ngram": models.order(),
        "sequences": model.sequences(),
        "states": states.collect::<Vec<_>>(),
        "transitions": transitions.collect::<Vec<_>>(),
        "behaviours": behaviours.collect::<Vec<_>>(),
    })
}
