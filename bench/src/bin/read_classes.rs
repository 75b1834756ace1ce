//! Speed of reading class files: the frame of the class alone, everything in it, and `cafebabe` on
//! the same data.
//!
//! Usage: `read_classes [--round-trip] (JAR | FOLDER | --jdk HOME)...`. With `--round-trip` nothing
//! is measured; each class is taken apart, put together and compared with what `cafebabe` reads.

#[path = "../../../crates/classfile/tests/classes/oracle.rs"]
mod oracle;
#[path = "../../../crates/classfile/tests/classes/oracle_attributes.rs"]
mod oracle_attributes;
#[path = "../../../crates/classfile/tests/classes/round_trip.rs"]
mod round_trip;
#[path = "../../../crates/classfile/tests/classes/subjects.rs"]
mod subjects;

use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use crashback_classfile::{Attribute, ClassFile, ConstantPool, Location, RawAttribute};
use subjects::Subject;

/// The time of each batch is the best of so many, taken in turn, so that other work on the machine
/// hardly shows.
const RUNS: usize = 7;

/// Classes in a batch: some milliseconds of work.
const BATCH: usize = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let mut subjects = Vec::new();
    let mut compare = false;
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--round-trip" {
            compare = true;
        } else if argument == "--jdk" {
            let home = arguments.next().ok_or("--jdk needs the home of a JDK")?;
            subjects.extend(subjects::from_jdk(Path::new(&home))?);
        } else {
            subjects.extend(subjects::from_path(Path::new(&argument))?);
        }
    }
    if subjects.is_empty() {
        return Err("usage: read_classes [--round-trip] (JAR | FOLDER | --jdk HOME)...".into());
    }
    if compare { round_trips(&subjects) } else { speeds(&subjects) }
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn round_trips(subjects: &[Subject]) -> Result<(), Box<dyn Error>> {
    let (mut unreadable, mut different, mut silent, mut malformed) = (0, 0, 0, 0);
    let (mut attributes, mut unknown, mut instructions, mut signatures) = (0, 0, 0, 0);
    for (name, bytes) in subjects {
        match round_trip::round_trip(bytes) {
            Ok(Some(survey)) => {
                attributes += survey.attributes;
                unknown += survey.unknown_attributes;
                instructions += survey.instructions;
                signatures += survey.signatures;
                malformed += survey.malformed.len();
                survey.malformed.iter().for_each(|problem| println!("{name}: {problem}"));
            }
            Ok(None) => {
                unreadable += 1;
                println!("{name}: {:?}", ClassFile::parse(bytes).err());
                continue;
            }
            Err(difference) => {
                different += 1;
                println!("{name}: {difference}");
            }
        }
        match oracle::agrees(bytes) {
            Ok(oracle::Verdict::Agrees) => {}
            Ok(oracle::Verdict::Silent) => silent += 1,
            Err(difference) => {
                different += 1;
                println!("{name}: {difference}");
            }
        }
    }
    println!("classes {}, unreadable {unreadable}, different {different}", subjects.len());
    println!("the oracle cannot read {silent}");
    println!(
        "attributes {attributes}, unknown {unknown}, instructions {instructions}, signatures {signatures}"
    );
    println!("malformed parts {malformed}");
    if different == 0 { Ok(()) } else { Err("some classes come out different".into()) }
}

type Work = fn(&[u8]) -> Option<usize>;

#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn speeds(subjects: &[Subject]) -> Result<(), Box<dyn Error>> {
    let bytes: usize = subjects.iter().map(|(_, bytes)| bytes.len()).sum();
    println!("{} classes, {:.1} MB", subjects.len(), bytes as f64 / 1e6);
    let works: [(&str, Work); 4] = [
        ("cafebabe, everything", |bytes| cafebabe::parse_class(bytes).ok().map(|class| class.methods.len())),
        ("frame only", |bytes| ClassFile::parse(bytes).ok().map(|class| class.methods.len())),
        ("all attributes and instructions", |bytes| decode_everything(bytes, false)),
        ("the same with constants resolved", |bytes| decode_everything(bytes, true)),
    ];
    let mut best = [Duration::ZERO; 4];
    for batch in subjects.chunks(BATCH) {
        let mut best_of_batch = [Duration::MAX; 4];
        for _ in 0..RUNS {
            for ((_, work), best) in works.iter().zip(&mut best_of_batch) {
                *best = time(batch, *work).min(*best);
            }
        }
        best.iter_mut().zip(best_of_batch).for_each(|(total, batch)| *total += batch);
    }
    let [baseline, ..] = best;
    for ((name, _), time) in works.iter().zip(best) {
        let speed = bytes as f64 / 1e6 / time.as_secs_f64();
        println!(
            "{name}: {speed:.0} MB/s, {:.2} times cafebabe",
            baseline.as_secs_f64() / time.as_secs_f64()
        );
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a benchmark looks at the clock")]
fn time(subjects: &[Subject], work: Work) -> Duration {
    let start = Instant::now();
    for (_, bytes) in subjects {
        black_box(work(black_box(bytes)));
    }
    start.elapsed()
}

/// Decodes every attribute and instruction and gives the number of both.
fn decode_everything(bytes: &[u8], resolve: bool) -> Option<usize> {
    let class = ClassFile::parse(bytes).ok()?;
    let pool = &class.pool;
    let mut count = decode_attributes(&class.attributes, pool, Location::Class, resolve)?;
    for (members, location) in [(&class.fields, Location::Field), (&class.methods, Location::Method)] {
        for member in members {
            count += decode_attributes(&member.attributes, pool, location, resolve)?;
        }
    }
    Some(count)
}

fn decode_attributes(
    attributes: &[RawAttribute<'_>],
    pool: &ConstantPool<'_>,
    location: Location,
    resolve: bool,
) -> Option<usize> {
    let mut count = attributes.len();
    for raw in attributes {
        match black_box(raw.decode(pool, location).ok()?) {
            Attribute::Code(code) => {
                for step in code.instructions() {
                    let (_, instruction) = black_box(step).ok()?;
                    count += 1;
                    if resolve {
                        black_box(instruction.stack_effect(pool).ok()?);
                        black_box(instruction.constant_index().and_then(|index| pool.member_ref(index).ok()));
                    }
                }
                count += decode_attributes(&code.attributes, pool, Location::Code, resolve)?;
            }
            Attribute::LineNumberTable(lines) => count += black_box(lines.iter().count()),
            Attribute::Record(components) => {
                for component in &components {
                    count +=
                        decode_attributes(&component.attributes, pool, Location::RecordComponent, resolve)?;
                }
            }
            _ => {}
        }
    }
    Some(count)
}
