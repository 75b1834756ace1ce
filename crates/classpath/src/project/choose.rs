//! The module that a crash belongs to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crashback_classfile::{internal_name, is_jdk_name};

use super::{Project, ProjectError};
use crate::Error;

/// The languages whose sources become classes of the same name.
const SOURCES: [&str; 4] = ["java", "kt", "groovy", "scala"];

impl Project {
    /// The number of the module on whose class path the classes of a trace lie, given by binary names
    /// with that of the innermost frame first. One that has a class of the trace itself comes before
    /// others.
    ///
    /// # Errors
    ///
    /// If no module has any of the classes, or several have the same.
    pub fn choose(&self, classes: &[&str]) -> Result<usize, Error> {
        let classes: Vec<&str> =
            classes.iter().copied().filter(|it| !is_jdk_name(&internal_name(it))).collect();
        let owned: Vec<(&str, Vec<usize>)> = classes
            .iter()
            .map(|it| (*it, self.owners(it)))
            .filter(|(_, owners)| !owners.is_empty())
            .collect();
        let Some((innermost, of_innermost)) = owned.first() else { return Err(self.without_owner(&classes)) };
        let covered = |number: &usize| {
            let module = self.modules.get(*number);
            let covers = |owner: &usize| {
                module.zip(self.modules.get(*owner)).is_some_and(|(it, other)| it.covers(other))
            };
            owned.iter().filter(|(_, owners)| owners.iter().any(covers)).count()
        };
        let numbers = 0..self.modules.len();
        let most = numbers.clone().map(|it| covered(&it)).max().unwrap_or(0);
        let best: Vec<usize> = numbers.filter(|it| covered(it) == most).collect();
        let owners: BTreeSet<usize> = owned.iter().flat_map(|(_, owners)| owners.iter().copied()).collect();
        let own: Vec<usize> = best.iter().copied().filter(|it| owners.contains(it)).collect();
        let candidates = if own.is_empty() { best } else { own };
        // Of modules that all cover the trace, one that the others build on is the nearest.
        let lowest: Vec<usize> =
            candidates.iter().copied().filter(|it| !self.covers_another(*it, &candidates)).collect();
        let candidates = if lowest.is_empty() { candidates } else { lowest };
        let of_innermost: Vec<usize> =
            candidates.iter().copied().filter(|it| of_innermost.contains(it)).collect();
        match (of_innermost.as_slice(), candidates.as_slice()) {
            ([module], _) | ([], [module, ..]) => Ok(*module),
            (several, _) => {
                let names = several.iter().filter_map(|it| self.modules.get(*it));
                let modules = names.map(|it| it.name.clone()).collect();
                let class = (*innermost).to_owned();
                Err(ProjectError::AmbiguousModule { class, modules }.into())
            }
        }
    }

    fn covers_another(&self, number: usize, others: &[usize]) -> bool {
        let Some(module) = self.modules.get(number) else { return false };
        let others = others.iter().filter(|it| **it != number).filter_map(|it| self.modules.get(*it));
        others.into_iter().any(|it| module.covers(it) && !it.covers(module))
    }

    /// The modules that have a class among their own, given by its binary name.
    pub fn owners(&self, class: &str) -> Vec<usize> {
        let has = |folder: &PathBuf| candidates(class).iter().any(|it| folder.join(it).is_file());
        let numbered = self.modules.iter().enumerate();
        numbered.filter(|(_, it)| it.classes.iter().any(has)).map(|(number, _)| number).collect()
    }

    /// Why no module has any class of a trace.
    fn without_owner(&self, classes: &[&str]) -> Error {
        for class in classes {
            let source = class.split('$').next().unwrap_or(class).replace('.', "/");
            for module in &self.modules {
                let is_source =
                    |it: &PathBuf| SOURCES.iter().any(|kind| it.join(format!("{source}.{kind}")).is_file());
                if module.sources.iter().any(is_source) {
                    return ProjectError::NotCompiled {
                        module: format!("module {}", module.name),
                        folder: module.classes.first().cloned().unwrap_or_default(),
                        class: format!("{source}.class"),
                        advice: self.build_advice(),
                    }
                    .into();
                }
            }
        }
        if !self.is_compiled() {
            return ProjectError::NotCompiled {
                module: format!("the project {}", self.root.display()),
                folder: self.class_folders().first().map_or(PathBuf::new(), |it| Path::to_owned(it)),
                class: "classes".to_owned(),
                advice: self.build_advice(),
            }
            .into();
        }
        let class = classes.first().copied().unwrap_or("a class of it").to_owned();
        ProjectError::ForeignTrace { root: self.root.clone(), class }.into()
    }
}

/// Class files that a frame's class may be in: classes made at run time lie in none, but beside others.
fn candidates(class: &str) -> Vec<String> {
    let path = class.replace('.', "/");
    let outer = path.split('$').next().filter(|it| !it.is_empty() && !it.ends_with('/'));
    let outer = outer.map(|it| format!("{it}.class"));
    [format!("{path}.class")].into_iter().chain(outer).collect()
}
