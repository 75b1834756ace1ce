//! Literals and files of the project's tests: valid values of the program, written by people who know it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crashback_classfile::{ClassFile, Constant};
use crashback_testcase::workshop::Tuning;

use super::{Collected, Files, simple_name, source_path};
use crate::models::common;

/// A larger class file holds tables rather than tests.
const LARGEST_CLASS: usize = 1 << 20;

/// The part that strings `a` and `b` are joined with in `"a" + x + "b"` (`StringConcatFactory`): constants
/// with it are no literals of their own.
const CONCATENATED: char = '\u{1}';

/// Adds literals and files of tests. Those of tests that name a class of the trace come first, then files
/// that such tests name, then everything else.
pub(super) fn add(
    traced: &[(String, String)],
    all: &[Box<dyn Files>],
    tuning: &Tuning,
    found: &mut Collected,
) {
    let traced: BTreeSet<&str> = traced.iter().map(|(class, _)| class.as_str()).collect();
    let (mut classes, mut others) = (Vec::new(), Vec::new());
    for files in all {
        for path in files.paths() {
            match path.strip_suffix(".class") {
                Some(class) => classes.push((nearness(&traced, class), &**files, path)),
                None if !path.starts_with("META-INF/") => others.push((&**files, path)),
                None => {}
            }
        }
    }
    // The sort is stable: tests that are equally near stay in their order.
    classes.sort_by_key(|(nearness, _, _)| Reverse(*nearness));
    let (near, far) = literals(&traced, &classes, tuning);
    let (first, rest) = near.split_at(near.len().min(tuning.test_values / 2));
    first.iter().for_each(|it| it.add_to(found));
    add_files(&traced, &near, others, tuning, found);
    rest.iter().chain(&far).for_each(|it| it.add_to(found));
}

/// How near a class of tests is to the trace: whether its name holds that of a class of the trace, and how
/// much their packages have in common.
fn nearness(traced: &BTreeSet<&str>, class: &str) -> (bool, usize) {
    let package = |class: &str| class.rsplit_once('/').map_or("", |(package, _)| package).to_owned();
    let simple = class.rsplit('/').next().unwrap_or(class);
    let is_named = |it: &&str| simple.contains(simple_name(source_path(it)));
    let own = package(class);
    let shared = traced.iter().map(|it| common(&package(it), &own)).max();
    (traced.iter().any(is_named), shared.unwrap_or_default())
}

/// A constant of a class file.
enum Value {
    Text(String),
    Integer(i64),
    Float(f64),
}

impl Value {
    fn add_to(&self, found: &mut Collected) {
        match self {
            Self::Text(text) => found.add_text(text),
            Self::Integer(number) => found.add_integer(*number),
            Self::Float(number) => found.add_float(*number),
        }
    }
}

/// The literals of class files that name a class of the trace, and those of others. How many are read
/// depends on their names and sizes alone.
fn literals(
    traced: &BTreeSet<&str>,
    classes: &[((bool, usize), &dyn Files, String)],
    tuning: &Tuning,
) -> (Vec<Value>, Vec<Value>) {
    let (mut near, mut far) = (Vec::new(), Vec::new());
    let mut left = tuning.test_kilobytes.saturating_mul(1000);
    for (_, files, path) in classes {
        if left == 0 {
            break;
        }
        let Some(bytes) = files.read(path, LARGEST_CLASS) else { continue };
        left = left.saturating_sub(bytes.len());
        let Ok(class) = ClassFile::parse(&bytes) else { continue };
        let names = |index| class.pool.class_name(index).is_ok_and(|it| traced.contains(&*it.to_str()));
        let is_near = class.pool.iter().any(|(index, _)| names(index));
        let values = class.pool.iter().filter_map(|(index, constant)| value(&class, index, constant));
        if is_near { near.extend(values) } else { far.extend(values) }
    }
    (near, far)
}

fn value(class: &ClassFile<'_>, index: u16, constant: Constant<'_>) -> Option<Value> {
    match constant {
        Constant::String { .. } => {
            let text = class.pool.string(index).ok()?.to_str().into_owned();
            (!text.is_empty() && !text.contains(CONCATENATED)).then_some(Value::Text(text))
        }
        Constant::Integer(number) => Some(Value::Integer(number.into())),
        Constant::Long(number) => Some(Value::Integer(number)),
        Constant::Float(bits) => Some(Value::Float(f32::from_bits(bits).into())),
        Constant::Double(bits) => Some(Value::Float(f64::from_bits(bits))),
        _ => None,
    }
}

/// Adds names of files and, where they are short texts, their contents: those first that tests near the trace
/// name, then those in packages near it.
fn add_files(
    traced: &BTreeSet<&str>,
    near: &[Value],
    others: Vec<(&dyn Files, String)>,
    tuning: &Tuning,
    found: &mut Collected,
) {
    let is_named = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        near.iter().any(|it| matches!(it, Value::Text(text) if text.ends_with(name)))
    };
    let rank = |path: &str| (is_named(path), nearness(traced, path).1);
    let mut ranked: Vec<_> = others.into_iter().map(|(files, path)| (rank(&path), files, path)).collect();
    ranked.sort_by_key(|(rank, _, _)| Reverse(*rank));
    for (_, files, path) in ranked.into_iter().take(tuning.test_files) {
        let content = files.read(&path, tuning.longest_recorded_text.saturating_mul(3));
        let content = content.and_then(|it| String::from_utf8(it).ok());
        if let Some(content) = content.filter(|it| !it.contains('\0') && !it.trim().is_empty()) {
            found.add_text(&content);
            found.add_text(content.trim());
        }
        found.add_text(&path);
    }
}
