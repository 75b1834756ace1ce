//! Names of files on the class path, where the code on the way to the crash asks for such.

use crashback_program::classes::Classes;
use crashback_program::code::{Literal, Mentioned, mentions};
use crashback_testcase::Text;

use crate::collect::Offers;
use crate::reads::{By, Lookup};

/// Adds the names by which the files would be found, those that fit the code best first, and what
/// is left of them without the constants that the code puts before and behind: that is what an
/// argument may have to be.
pub(crate) fn add(classes: &Classes<'_>, lookups: &[Lookup], offers: &mut Offers<'_>) {
    let mut found: Vec<Candidate> = lookups.iter().flat_map(|it| candidates(classes, it)).collect();
    found.sort_by_key(|it| it.rank);
    found.dedup_by(|later, kept| later.name == kept.name);
    for Candidate { name, part, .. } in found.into_iter().take(offers.tuning.resource_files) {
        part.into_iter().chain([name]).for_each(|it| offers.add_text(Text::from(it.as_str())));
    }
}

/// A file that could be meant.
struct Candidate {
    name: String,
    /// What constants leave of it, if any are in it.
    part: Option<String>,
    /// Less for what fits better: made of constants, in the package.
    rank: (bool, bool),
}

fn candidates(classes: &Classes<'_>, lookup: &Lookup) -> Vec<Candidate> {
    let Some(class) = classes.index().view(lookup.method.class) else { return Vec::new() };
    let constants = constants(classes, lookup);
    let candidate = |path: String| {
        let is_near = path.rsplit_once('/').map_or("", |(folder, _)| folder) == class.package();
        let name = name(&path, class.package(), lookup.by)?;
        let part = without_constants(&name, &constants);
        Some(Candidate { rank: (part.is_none(), !is_near), part, name })
    };
    classes.source().resources(class.reference()).into_iter().filter_map(candidate).collect()
}

/// The name by which a program asks for a file.
fn name(path: &str, package: &str, by: By) -> Option<String> {
    match by {
        By::Loader => Some(path.to_owned()),
        By::Bundle => path.strip_suffix(".properties").map(|it| it.replace('/', ".")),
        By::Class => {
            let inside = path.strip_prefix(package).filter(|_| !package.is_empty());
            let relative = inside.and_then(|it| it.strip_prefix('/'));
            Some(relative.map_or_else(|| format!("/{path}"), str::to_owned))
        }
    }
}

/// The texts that a method is written with, as far as they can be parts of names.
fn constants(classes: &Classes<'_>, lookup: &Lookup) -> Vec<String> {
    let texts = classes.with_body(lookup.method, |body| {
        let text = |what: &Mentioned<'_>| match what {
            Mentioned::Constant(Literal::String(text)) => Some(text.to_str().into_owned()),
            Mentioned::ConcatPart(text) => Some(text.clone()),
            _ => None,
        };
        mentions(body).iter().filter_map(|it| text(&it.what)).collect::<Vec<String>>()
    });
    texts.unwrap_or_default().into_iter().filter(|it| !it.is_empty()).collect()
}

/// A name without the longest constants that it begins and ends with; none if there are none, or
/// nothing is left.
fn without_constants(name: &str, constants: &[String]) -> Option<String> {
    let longest = |found: &mut dyn Iterator<Item = &String>| found.map(String::len).max().unwrap_or(0);
    let start = longest(&mut constants.iter().filter(|it| name.starts_with(it.as_str())));
    let rest = name.get(start..)?;
    let end = longest(&mut constants.iter().filter(|it| rest.ends_with(it.as_str())));
    let part = rest.get(..rest.len().checked_sub(end)?)?;
    (start + end > 0 && !part.is_empty()).then(|| part.to_owned())
}
