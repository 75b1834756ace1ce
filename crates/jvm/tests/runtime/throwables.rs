//! Exceptions as the worker reports them.

use crashback_protocol::{Caught, Facts, Outcome, Position, StackFrame, Throwable};

use crate::support::{Script, ended, position};

/// What a test reports that throws one of the subjects.
fn thrown(subject: &str) -> Facts {
    let mut runs = Script::new(&[], &[]).test(&[], subject).run().into_iter();
    let facts = ended(&runs.next().unwrap().1).remove(0).facts;
    for (home, lines) in runs {
        let other = ended(&lines).remove(0).facts;
        let shape = |facts: &Facts| -> Vec<Throwable> {
            facts.throwables.iter().map(|it| Throwable { frames: Vec::new(), ..it.clone() }).collect()
        };
        assert_eq!(shape(&facts), shape(&other), "{}", home.display());
    }
    facts
}

fn frames(facts: &Facts, throwable: usize) -> Vec<&StackFrame> {
    facts.throwables[throwable].frames.iter().map(|number| &facts.new_frames[*number as usize]).collect()
}

#[test]
fn type_message_and_frames() {
    let facts = thrown("plain");
    let [throwable] = &facts.throwables[..] else { panic!("{facts:?}") };
    assert_eq!(throwable.class, "java.lang.IllegalStateException");
    assert_eq!(throwable.message.as_deref(), Some("plain \u{e9}\u{4e2d}\u{1f600} \u{fffd} end"));
    assert_eq!((throwable.cause, &throwable.suppressed[..]), (None, &[][..]));
    let frame = frames(&facts, 0)[0];
    assert_eq!((frame.class.as_str(), frame.method.as_str()), ("Subjects", "plain"));
    assert_eq!(frame.file.as_deref(), Some("Subjects.java"));
    assert!(frame.line > 0);
}

#[test]
fn loaders_and_modules_are_known_since_java_9() {
    for (home, lines) in Script::new(&[], &[]).test(&[], "plain").run() {
        let facts = ended(&lines).remove(0).facts;
        let own = frames(&facts, 0)[0].clone();
        let reflection =
            frames(&facts, 0).into_iter().find(|it| it.class == "java.lang.reflect.Method").unwrap();
        let old = home.join("jre/lib/rt.jar").exists();
        assert_eq!(own.loader.as_deref(), if old { None } else { Some("app") });
        assert_eq!((own.module.as_deref(), own.module_version.as_deref()), (None, None));
        assert_eq!(reflection.loader, None);
        assert_eq!(reflection.module.as_deref(), if old { None } else { Some("java.base") });
        assert_eq!(reflection.module_version.is_some(), !old);
    }
}

#[test]
fn causes_and_suppressed_exceptions() {
    let facts = thrown("causes");
    let told: Vec<_> =
        facts.throwables.iter().map(|it| (it.class.as_str(), it.message.as_deref(), it.cause)).collect();
    assert_eq!(
        told,
        [
            ("java.lang.RuntimeException", Some("outer"), Some(1)),
            ("java.lang.IllegalArgumentException", Some("middle"), Some(2)),
            ("java.lang.Error", None, None),
        ]
    );
    let facts = thrown("circle");
    let told: Vec<_> = facts.throwables.iter().map(|it| (it.cause, it.suppressed.clone())).collect();
    assert_eq!(told, [(Some(1), vec![1]), (Some(0), vec![])]);
    let facts = thrown("many");
    assert_eq!(facts.throwables.len(), 32);
    assert_eq!(facts.throwables[0].suppressed, (1..32).collect::<Vec<_>>());
}

#[test]
fn long_ones_are_cut() {
    assert_eq!(thrown("longMessage").throwables[0].message.as_ref().unwrap().chars().count(), 4096);
    assert_eq!(thrown("deep").throwables[0].frames.len(), 1024);
}

#[test]
fn the_frames_of_the_worker_are_no_part_of_it() {
    let facts = thrown("belowStub");
    let methods: Vec<_> = frames(&facts, 0).iter().map(|it| it.method.as_str()).collect();
    assert_eq!(methods, ["inner"]);
    let facts = thrown("fromProperties");
    assert!(facts.new_frames.iter().all(|it| !it.class.starts_with("crashback")));
    let facts = thrown("wrapsEnd");
    assert_eq!(facts.throwables.len(), 1);
}

#[test]
fn exceptions_that_cannot_be_read() {
    let facts = thrown("evil");
    let class_only = |class: &str, frames| Throwable {
        class: class.to_owned(),
        message: None,
        frames,
        cause: None,
        suppressed: Vec::new(),
    };
    assert_eq!(facts.throwables, [class_only("Subjects$Evil", vec![])]);
    let facts = thrown("endless");
    assert_eq!(facts.throwables, [class_only("Subjects$Endless", vec![0])]);
    let line = facts.new_frames[0].line;
    assert_eq!((facts.new_frames.len(), line, facts.new_frames[0].class.as_str()), (1, -2, "a.B"));
    let mut script = Script::new(&[], &[]);
    let ended = ended(&script.test(&[], "exits").run().remove(0).1).remove(0);
    assert_eq!((ended.over, ended.outcome), (0, Outcome::Threw));
    assert_eq!(ended.facts.throwables[0].message, None);
}

#[test]
fn a_batch_introduces_a_frame_once() {
    let mut script = Script::new(&[], &[]);
    script.test(&[], "plain").test(&[], "plain").line("begin ()V").line("undone causes").test(&[], "causes");
    script.line("newBatch ()V").test(&[], "plain");
    for (_, lines) in script.run() {
        let facts: Vec<_> = ended(&lines).into_iter().map(|it| it.facts).collect();
        let [first, second, abandoned, third, next] = &facts[..] else { panic!("{facts:?}") };
        assert!(!first.new_frames.is_empty());
        assert!(second.new_frames.is_empty());
        assert_eq!(first.throwables[0].frames, second.throwables[0].frames);
        let own = third.new_frames.iter().find(|it| it.method == "causes").unwrap();
        assert_eq!(own.class, "Subjects");
        assert_eq!(abandoned, third);
        assert_eq!(first.new_frames, next.new_frames);
        let known = first.new_frames.len() + third.new_frames.len();
        assert!(third.throwables.iter().flat_map(|it| &it.frames).all(|number| (*number as usize) < known));
    }
}

#[test]
fn what_arrives_at_handlers() {
    let caught = |subject: &str, probe: u32| format!("caught (Ljava/lang/Object;I)V {subject} {probe}");
    let mut lines = vec![caught("plain", 3), caught("causes", 3), caught("plain", 3), caught("plain", 4)];
    lines.push("enter (I)V 0".to_owned());
    lines.push(caught("plain", 3));
    let facts = ended(&Script::new(&[], &[0]).test(&lines, "circle").run().remove(0).1).remove(0).facts;
    let entry = |probe, position, throwable| Caught { probe, position, throwable };
    let (outside, inside) = (Position::OUTSIDE, position(0, 0));
    assert_eq!(
        facts.caught,
        [entry(3, outside, 1), entry(3, outside, 2), entry(4, outside, 3), entry(3, inside, 4)]
    );
    assert_eq!(facts.throwables[0].message.as_deref(), Some("first"));
    assert_eq!(facts.throwables[2].message.as_deref(), Some("outer"));
    assert_eq!(facts.throwables[4].class, "java.lang.IllegalStateException");
}
