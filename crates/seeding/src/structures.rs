//! Formats of texts that the code around the crash reads.

use std::collections::{BTreeSet, VecDeque};

use crashback_program::callgraph::CallGraph;
use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::{Literal, Operation};
use crashback_program::frames::{CrashAudit, Origin};
use crashback_testcase::Text;
use crashback_testcase::workshop::{Structure, Tuning};

use crate::collect::Offers;

/// Classes of the JDK that read bytes.
const BYTE_READERS: [&str; 4] =
    ["java/nio/ByteBuffer", "java/io/DataInput", "InputStream", "java/io/RandomAccessFile"];

/// Notes the formats that the classes on the trace, those that they use and their constants hint
/// at.
pub(crate) fn add(classes: &Classes<'_>, audit: &CrashAudit, offers: &mut Offers<'_>) {
    let Offers { pools, tuning } = offers;
    let named: Vec<&String> = pools.traced.iter().map(|(class, _)| class).chain(&pools.mentioned).collect();
    let below = match tuning.source_formats_behind_types {
        true => implementations(classes, &named, tuning),
        false => BTreeSet::new(),
    };
    let has_word = |class: &str, words: &[&str]| words.iter().any(|it| class.contains(it));
    let mentions = |words: &[&str]| named.iter().any(|class| has_word(class, words));
    let reads = |words: &[&str]| mentions(words) || below.iter().any(|class| has_word(class, words));
    let begins = |start: &str| {
        pools.texts.iter().any(|it| it.units().iter().copied().take(start.len()).eq(start.encode_utf16()))
    };
    let letters = || letters_of_constructors(classes, audit, tuning);
    let compares = |letter: u8| pools.integers.contains(&i64::from(letter));
    let xml = reads(&["org/w3c/dom/", "org/xml/sax/", "javax/xml/", "Xml", "XML", "/xml/"]) || begins("<");
    let json = reads(&["Json", "JSON", "json/"])
        || begins("{\"")
        || compares(b'{') && compares(b'"')
        || letters().is_superset(&BTreeSet::from([i32::from(b'{'), i32::from(b'"')]));
    pools.reads_bytes = mentions(&BYTE_READERS)
        && !mentions(&["java/io/BufferedReader", "java/io/FileReader", "java/io/InputStreamReader"]);
    pools.structures.extend(xml.then_some(Structure::Xml));
    pools.structures.extend(json.then_some(Structure::Json));
    let is_token = |letter: &str| pools.tokens.contains(&Text::from(letter));
    let query = is_token("(") && is_token(")");
    pools.structures.extend(query.then_some(Structure::Query));
}

/// The simple names of those classes of the program that implement or extend the abstract ones among
/// some types. Code may know the parser of a format by an interface alone.
fn implementations(classes: &Classes<'_>, named: &[&String], tuning: &Tuning) -> BTreeSet<String> {
    let open = named.iter().filter_map(|it| classes.index().get(it)).filter(|it| it.is_abstract());
    let open = open.filter(|it| !classes.is_jdk(it.name())).take(tuning.types_of_formats);
    let below = open.flat_map(|it| {
        classes.hierarchy().concrete_subtypes(it.name()).into_iter().take(tuning.classes_of_formats)
    });
    let own = below.filter(|it| !classes.is_jdk(it.name()));
    own.map(|it| it.name().rsplit('/').next().unwrap_or_default().to_owned()).collect()
}

/// The numbers, and so letters, in the constructors of classes on the trace and in what these call:
/// objects are often made from texts, and the code that read them is not on the trace.
fn letters_of_constructors(classes: &Classes<'_>, audit: &CrashAudit, tuning: &Tuning) -> BTreeSet<i32> {
    let frames = audit.frames.iter().filter(|it| it.origin == Origin::Project);
    let traced = frames.filter_map(|it| classes.index().view(it.resolved?.class));
    let constructors = traced.flat_map(|it| it.methods_named("<init>").map(MethodId::of).collect::<Vec<_>>());
    let mut open: VecDeque<(MethodId, usize)> = constructors.map(|it| (it, 0)).collect();
    let (mut seen, mut letters) = (BTreeSet::new(), BTreeSet::new());
    while let Some((method, depth)) = open.pop_front() {
        if seen.len() >= tuning.parser_methods || !seen.insert(method) {
            continue;
        }
        classes.with_body(method, |body| {
            letters.extend(body.operations().filter_map(|(_, it)| match it {
                Operation::Push(Literal::Int(value)) => Some(*value),
                _ => None,
            }));
        });
        if depth < tuning.parser_depth {
            let callees = CallGraph::new(classes).callees(method).into_iter();
            let is_own =
                |it: &MethodId| it.view(classes.index()).is_some_and(|it| !classes.is_jdk(it.class().name()));
            open.extend(callees.filter(is_own).map(|it| (it, depth + 1)));
        }
    }
    letters
}
