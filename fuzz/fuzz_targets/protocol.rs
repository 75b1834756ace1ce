//! Any bytes are read as messages of both sides. What a worker could have meant is written again as it
//! was understood, and every frame of a call chain can be asked about the positions in it.

#![no_main]

use crashback_protocol::{
    Facts, Observation, ReplyWriter, Request, Results, Spent, TargetChain, decode_observations, decode_reply,
    message_length, read_bytes,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(reply) = decode_reply(bytes) {
        let tests = reply.observations.len();
        check_rewriting(&reply.observations);
        if reply.answers(tests) {
            check_results(reply.observations);
        }
    }
    if let Some((count, rest)) = bytes.split_first()
        && let Ok(observations) = decode_observations(rest, usize::from(*count))
    {
        assert_eq!(observations.len(), usize::from(*count));
        check_rewriting(&observations);
    }
    check_request(bytes);
    if let (Ok(Some(length)), Ok(message)) = (message_length(bytes), read_bytes(&mut &*bytes)) {
        assert_eq!(message.len(), length);
    }
});

/// What was read can be written, and means the same from then on.
fn check_rewriting(observations: &[Observation]) {
    observations.iter().for_each(|it| check_positions(&it.facts));
    let first = written(observations);
    let read = decode_reply(&first).expect("what was written can be read").observations;
    // As text, since operands may be NaN.
    assert_eq!(format!("{read:?}"), format!("{observations:?}"));
    assert_eq!(written(&read), first);
}

fn written(observations: &[Observation]) -> Vec<u8> {
    let mut writer = ReplyWriter::default();
    writer.begin();
    observations.iter().for_each(|it| writer.push(it).expect("an observation can be written"));
    let count = observations.len().try_into().expect("a number of observations");
    writer.finish(count, true, &[], Spent::default()).expect("a reply can be written").to_vec()
}

fn check_positions(facts: &Facts) {
    let chain = [0, 1, 1, 2, 1];
    let reached = facts.reached.iter().map(|it| it.position);
    for position in facts.entered.iter().copied().chain(reached).take(16) {
        assert!(position.places().end <= 1 << 16);
        for target in 0..6 {
            let place = TargetChain::new(&chain, target).innermost(position);
            assert!(place.is_none_or(|it| (target..5).contains(&it)));
        }
    }
}

/// Frames that observations name are there.
fn check_results(observations: Vec<Observation>) {
    let mut results = Results::default();
    results.append(observations);
    let throwables = results.observations.iter().flat_map(|it| &it.facts.throwables);
    assert!(throwables.flat_map(|it| &it.frames).all(|it| results.frames.get(*it as usize).is_some()));
}

/// The memory of an earlier request makes no difference, and every step has its texts and arguments.
fn check_request(bytes: &[u8]) {
    let mut request = Request::default();
    let is_read = request.read(bytes).is_ok();
    let before = format!("{request:?}");
    assert_eq!(request.read(bytes).is_ok(), is_read);
    if is_read {
        assert_eq!(format!("{request:?}"), before);
        assert!((0..request.tests.len()).all(|test| request.tests.get(test).is_some()));
    }
}
