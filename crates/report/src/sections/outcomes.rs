//! How far crashes came, by application and by exception.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::model::{Crash, CrashResult, Model};
use crate::page::Limits;
use crate::state::State;
use crate::{chart, words};

/// Rows of a chart; smaller groups are put together.
const MOST_ROWS: usize = 16;

/// A group of crashes with the number of crashes in each state.
type Group = (String, Vec<(State, usize)>);

/// The name of a crash's group.
type Key<'k> = &'k dyn for<'r> Fn(&Crash<'r>) -> Option<&'r str>;

pub(crate) fn section(model: &Model<'_>, limits: &Limits) -> Markup {
    html! {
        section #outcomes aria-labelledby="outcomes-title" {
            h2 #outcomes-title { "Outcomes" }
            @for view in 0..limits.views {
                div class={ "view view-" (view) } {
                    (legend(model, view))
                    div.columns {
                        (groups(model, view, "Application", &|crash| Some(crash.application)))
                        @if model.exceptions.is_empty() {
                            p.aside {
                                "Outcomes by exception are left out, because the runs do not tell it: "
                                "--logs names a folder with logs that do."
                            }
                        } @else {
                            (groups(model, view, "Exception", &|it| it.exception().map(words::simple_name)))
                        }
                    }
                }
            }
        }
    }
}

fn legend(model: &Model<'_>, view: usize) -> Markup {
    let counts = count(model.results(view));
    html! {
        ul.legend {
            @for (state, count) in counts.iter().filter(|it| it.1 > 0) {
                li title=(state.meaning()) {
                    svg.swatch aria-hidden="true" { rect class=(state.class()) width="100%" height="100%" {} }
                    (state.label(model.repeated)) " " b { (count) }
                }
            }
        }
    }
}

/// A chart of groups, the largest first.
fn groups(model: &Model<'_>, view: usize, heading: &str, key: Key<'_>) -> Markup {
    let groups = grouped(model, view, key);
    let size = |group: &Group| group.1.iter().map(|it| it.1).sum::<usize>();
    let scale = groups.iter().map(size).max().unwrap_or(1);
    html! {
        table.bars {
            caption { "By " (heading.to_lowercase()) }
            thead.unseen {
                tr { @for title in [heading, "Outcomes", "Reproduced"] { th scope="col" { (title) } } }
            }
            tbody {
                @for group in &groups {
                    tr {
                        th scope="row" title=(group.0) { (group.0) }
                        td.wide { (chart::bar(&group.1, scale, &in_words(model, &group.1))) }
                        td.number { b { (reproduced(&group.1)) } " / " (size(group)) }
                    }
                }
            }
        }
    }
}

fn grouped(model: &Model<'_>, view: usize, key: Key<'_>) -> Vec<Group> {
    let mut by_key: BTreeMap<String, Vec<(&Crash<'_>, &CrashResult<'_>)>> = BTreeMap::new();
    for (crash, result) in model.results(view) {
        let name = key(crash).filter(|it| !it.is_empty()).unwrap_or("not known");
        by_key.entry(name.to_owned()).or_default().push((crash, result));
    }
    let mut groups: Vec<_> = by_key.into_iter().collect();
    groups.sort_by_key(|(_, members)| std::cmp::Reverse(members.len()));
    let rest = if groups.len() > MOST_ROWS { groups.split_off(MOST_ROWS - 1) } else { Vec::new() };
    let mut counted: Vec<Group> =
        groups.into_iter().map(|(name, members)| (name, count(members.into_iter()))).collect();
    if !rest.is_empty() {
        counted.push((format!("{} others", rest.len()), count(rest.into_iter().flat_map(|it| it.1))));
    }
    counted
}

fn count<'m, 'r: 'm>(
    members: impl Iterator<Item = (&'m Crash<'r>, &'m CrashResult<'r>)>,
) -> Vec<(State, usize)> {
    let states: Vec<State> = members.map(|it| it.1.state).collect();
    State::ALL.iter().map(|state| (*state, states.iter().filter(|it| *it == state).count())).collect()
}

fn reproduced(counts: &[(State, usize)]) -> usize {
    counts.iter().find(|it| it.0 == State::InMost).map_or(0, |it| it.1)
}

fn in_words(model: &Model<'_>, counts: &[(State, usize)]) -> String {
    let present = counts.iter().filter(|it| it.1 > 0);
    let words: Vec<String> =
        present.map(|(state, count)| format!("{}: {count}", state.label(model.repeated))).collect();
    words.join(", ")
}
