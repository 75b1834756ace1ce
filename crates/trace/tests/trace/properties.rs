//! Properties of the parser: it is total, and reads back what is printed.

use crashback_trace::{Artifact, Crash, Frame, Location, Log, Throwable, ThrowableId, message, parse};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_a_log(bytes in vec(any::<u8>(), 0..2000)) {
        check_total(&bytes);
    }

    /// Lines out of the pieces of traces reach much further into the parser than arbitrary bytes.
    #[test]
    fn any_lines_of_trace_pieces_are_a_log(lines in vec(vec(piece(), 0..6), 0..40)) {
        let text: String = lines.into_iter().map(|pieces| pieces.concat() + "\n").collect();
        check_total(text.as_bytes());
    }

    #[test]
    fn what_is_printed_reads_back(crash in crash()) {
        let log = parse(crash.to_string().as_bytes());
        prop_assert_eq!(log.problems, []);
        prop_assert_eq!(log.crashes.len(), 1);
        let mut read = log.crashes.into_iter().next().unwrap();
        // Lines of the log are not part of what is printed.
        read.first_line = 0;
        read.last_line = 0;
        read.throwables.iter_mut().for_each(|throwable| throwable.line = 0);
        prop_assert_eq!(read, crash);
    }

    #[test]
    fn crashes_read_the_same_amid_other_lines(crashes in vec(crash(), 1..5), noise in vec(noise(), 0..10)) {
        let noise = noise.concat();
        let text: String = crashes.iter().map(|crash| format!("{noise}{crash}")).collect();
        let log = parse(format!("{text}{noise}").as_bytes());
        prop_assert_eq!(log.crashes.len(), crashes.len());
        for (read, crash) in log.crashes.iter().zip(&crashes) {
            prop_assert_eq!(read.to_string(), crash.to_string());
        }
    }

    /// Build tools write a level before each line; a place at the end of a sentence is still no frame.
    #[test]
    fn places_in_sentences_behind_a_level_are_no_frames(
        level in "\\[(error|info|warn|ERROR|debug)\\] {1,3}|app_1  \\| ",
        words in vec("[a-zA-Z]{1,8}[,:;.]?", 1..6),
        gap in " {1,2}",
        end in "|, it says",
    ) {
        let sentence = format!("{level}{}{gap}shop.Till.sell(Till.java:12){end}", words.join(" "));
        let log = parse(format!("java.lang.Error: x\n\tat a.B.c(B.java:1)\n{sentence}\n").as_bytes());
        let frames: usize = log.crashes.iter().flat_map(|it| &it.throwables).map(|it| it.frames.len()).sum();
        prop_assert_eq!(frames, 1, "{}", sentence);
        let frame = format!("{level}\tshop.Till.sell(Till.java:12)");
        let log = parse(format!("{level}java.lang.Error: x\n{frame}\n").as_bytes());
        prop_assert_eq!(log.crashes[0].throwables[0].frames.len(), 1, "{}", frame);
    }

    #[test]
    fn any_message_has_facts(class in exception_class(), text in any::<String>(), pieces in vec(message_piece(), 0..8)) {
        message::facts(&class, &text);
        message::facts(&class, &pieces.concat());
    }
}

fn check_total(bytes: &[u8]) {
    let Log { crashes, problems } = parse(bytes);
    let lines = bytes.iter().filter(|b| **b == b'\n').count() + 1;
    assert!(problems.iter().all(|problem| problem.line >= 1 && problem.line <= lines));
    for crash in &crashes {
        assert!(1 <= crash.first_line && crash.first_line <= crash.last_line && crash.last_line <= lines);
        let mut parents = vec![0; crash.throwables.len()];
        for (id, throwable) in crash.throwables.iter().enumerate() {
            for inner in throwable.cause.iter().chain(&throwable.suppressed) {
                assert!(inner.0 > id);
                parents[inner.0] += 1;
            }
            for frame in &throwable.frames {
                assert!(!frame.class.is_empty() && !frame.method.is_empty());
                frame.display_name();
            }
        }
        assert_eq!(parents[0], 0);
        assert!(parents[1..].iter().all(|count| *count == 1));
    }
}

fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "\t",
        "  ",
        "at ",
        "a.b.C",
        ".f",
        "(C.java:1)",
        "(Native Method)",
        "()",
        "(",
        ")",
        "]",
        "[",
        "~[a.jar:1]",
        "Caused by: ",
        "Suppressed: ",
        "Wrapped by: ",
        "... ",
        "3 more",
        "2 frames excluded",
        "java.lang.Error",
        ": ",
        "text",
        "Exception in thread \"x\" ",
        "[CIRCULAR REFERENCE:",
        "{\"log\":\"",
        "\\n\\tat ",
        "\"}",
        "! ",
        "\r",
        "2024-01-01T00:00:00Z stderr F ",
        "\u{1b}[31m",
        "mod@1/",
        "app//",
        "java.lang.NullPointerException",
        "é",
        "null",
        "2024-01-01 ERROR ",
        "\\",
        "$$Lambda$1/0x1",
        "Nov 18 03:53:15 a b: ",
        "<11>1 - - - - - - ",
        "#012#011",
        "stdout P ",
        "> ",
        "<pre>",
        "<br>",
        "&lt;",
        "{\"frames\":[{\"class\":\"a.B\",\"method\":\"f\"}],\"name\":\"a.C\"}",
        "[",
        "E/a( 1): ",
        "...",
        "Caused by:",
        "\u{2028}",
    ])
}

fn message_piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "Index ",
        "index: ",
        "5",
        "-1",
        " out of bounds for length ",
        "3",
        "begin ",
        ", end ",
        ", length ",
        "\"",
        "'",
        "[",
        "]",
        "Cannot invoke \"",
        "A.b()",
        " because ",
        "<local1>",
        " is null",
        "class ",
        " cannot be cast to ",
        "a.B",
        ".",
        "For input string: ",
        "1.5E3",
        "é",
        "No enum constant ",
        "«",
        "»",
        " ",
        "the return value of ",
        "last source index ",
    ])
}

pub(crate) fn exception_class() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "java.lang.NullPointerException",
            "java.lang.ClassCastException",
            "java.lang.IndexOutOfBoundsException",
            "java.lang.NumberFormatException",
            "java.lang.ArrayStoreException",
            "java.lang.NegativeArraySizeException",
            "java.lang.IllegalArgumentException",
            "java.util.NoSuchElementException",
        ])
        .prop_map(str::to_owned),
        "[a-z]{1,5}\\.[A-Z][a-z]{0,5}(\\$[A-Z][a-z]{1,3})?(Exception|Error)",
    ]
}

/// Lines that belong to no trace, each the beginning of a record.
fn noise() -> impl Strategy<Value = String> {
    "2024-01-01 00:00:00 INFO \\[main\\] [a-z ]{0,30}\n"
}

fn location() -> impl Strategy<Value = Location> {
    let line = option::of(1..70000u32);
    prop_oneof![
        8 => ("[A-Z][A-Za-z0-9_]{0,8}\\.(java|kt|scala|groovy)", line.clone())
            .prop_map(|(name, line)| Location::File { name, line }),
        1 => Just(Location::Native),
        1 => line.prop_map(|line| Location::Unknown { line }),
        1 => Just(Location::Absent),
    ]
}

pub(crate) fn frame() -> impl Strategy<Value = Frame> {
    let class = "([a-zé][a-z0-9_]{0,4}\\.){0,4}[A-Z][A-Za-zü0-9_]{0,6}(\\$([A-Z][a-z]{0,4}|[1-9])){0,2}(\\$\\$Lambda\\$1/0x0[0-9a-f]{1,4})?";
    let method =
        "<init>|<clinit>|[a-zß][A-Za-z0-9_$]{0,8}|lambda\\$[a-z]{1,5}\\$[0-9]|\\$anonfun\\$[a-z]{1,4}\\$1";
    let origin = prop_oneof![
        4 => Just((None, None, None)),
        1 => "[a-z]{2,6}\\.[a-z]{2,6}".prop_map(|module| (None, Some(module), None)),
        1 => ("[a-z.]{1,6}[a-z]", "[1-9](\\.[0-9]){0,2}").prop_map(|(module, version)| (None, Some(module), Some(version))),
        1 => "[a-zA-Z]{1,6}".prop_map(|loader| (Some(loader), None, None)),
        1 => ("[a-zA-Z]{1,6}", "[a-z]{1,6}", "[1-9]\\.[0-9]")
            .prop_map(|(loader, module, version)| (Some(loader), Some(module), Some(version))),
    ];
    let artifact = option::weighted(
        0.3,
        ("[a-z]{1,5}(-[0-9]\\.[0-9])?\\.jar", option::of("[0-9]\\.[0-9](-RC1)?"), any::<bool>()),
    );
    (class, method, location(), origin, artifact, prop_oneof![5 => Just(0), 1 => 1..9u32]).prop_map(
        |(class, method, location, (loader, module, module_version), artifact, omitted_after)| Frame {
            class,
            method,
            location,
            loader,
            module,
            module_version,
            artifact: artifact.map(|(jar, version, exact)| Artifact { jar: Some(jar), version, exact }),
            omitted_after,
            in_app: None,
        },
    )
}

/// A message that no later line of it can be taken for something else.
fn exception_message() -> impl Strategy<Value = Option<String>> {
    let line = "[a-z\"'=é][a-z \"'=:,(é\\\\]{0,20}[a-z]";
    option::of((line, vec(prop_oneof![line.boxed(), Just(String::new()).boxed()], 0..3), line)).prop_map(
        |parts| {
            let (first, middle, last) = parts?;
            let rest: String = middle.iter().map(|line| format!("\n{line}")).collect();
            Some(if rest.is_empty() { first } else { format!("{first}{rest}\n{last}") })
                .filter(|text| text != "null")
        },
    )
}

/// How a throwable hangs below one before it: which, as its cause or suppressed, and how many
/// frames they share.
type Link = (prop::sample::Index, bool, usize);

pub(crate) fn crash() -> impl Strategy<Value = Crash> {
    let throwable = || (exception_class(), exception_message(), vec(frame(), 1..6));
    let linked = (throwable(), (any::<prop::sample::Index>(), any::<bool>(), 0..4usize), any::<bool>());
    (option::of("[a-z0-9 -]{1,8}"), throwable(), vec(linked, 0..5)).prop_map(|(thread, first, others)| {
        let make = |(class, message, frames)| Throwable { class, message, frames, ..Throwable::default() };
        let mut throwables = vec![make(first)];
        for (parts, link, circular) in others {
            hang(&mut throwables, make(parts), link, circular);
        }
        in_order(Crash {
            thread,
            time: None,
            first_line: 0,
            last_line: 0,
            root_cause_first: false,
            throwables,
        })
    })
}

fn hang(throwables: &mut Vec<Throwable>, mut throwable: Throwable, link: Link, circular: bool) {
    let (parent, as_cause, common) = link;
    let id = ThrowableId(throwables.len());
    let at = parent.index(throwables.len());
    if throwables[at].circular || as_cause && throwables[at].cause.is_some() {
        return;
    }
    if circular {
        throwable.frames.clear();
        throwable.circular = true;
        throwable.message = throwable.message.filter(|message| !message.contains('\n'));
    } else {
        let shared = throwables[at].frames.len().saturating_sub(common.max(1));
        let shared = throwables[at].frames[shared.max(1).min(throwables[at].frames.len())..].to_vec();
        throwable.expanded = shared.len();
        throwable.frames.extend(shared);
    }
    if as_cause {
        throwables[at].cause = Some(id);
    } else {
        throwables[at].suppressed.push(id);
    }
    throwables.push(throwable);
}

/// The throwables in the order of the parser: along causes first, then what was suppressed.
fn in_order(mut crash: Crash) -> Crash {
    let mut order = Vec::new();
    let mut waiting = vec![0];
    while let Some(id) = waiting.pop() {
        order.push(id);
        waiting.extend(crash.throwables[id].suppressed.iter().rev().map(|inner| inner.0));
        waiting.extend(crash.throwables[id].cause.map(|cause| cause.0));
    }
    let place = |old: ThrowableId| ThrowableId(order.iter().position(|id| *id == old.0).unwrap());
    crash.throwables = order
        .iter()
        .map(|id| {
            let mut throwable = crash.throwables[*id].clone();
            throwable.cause = throwable.cause.map(place);
            throwable.suppressed = throwable.suppressed.iter().map(|inner| place(*inner)).collect();
            throwable
        })
        .collect();
    crash
}
