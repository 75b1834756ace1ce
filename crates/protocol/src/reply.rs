//! How replies are written.
//!
//! Tests of a batch take the same ways past the probes again and again, and few observations hold
//! more than a way and distances. So a way is written where it first occurs, and named by its
//! number after that:
//!
//! ```text
//! reply       = count of observations in 4 bytes, observation…, last, untouched, spent, slow
//! observation = outcome, completed, path, distance…, rest
//! rest        = flags, what they stand for: 8, depth; 4, nulls in 8 bytes; 2, asked; 16, accesses;
//!               32, variables; 64, words; 128, arguments; 1, more
//! variables   = count, variable…
//! variable    = probe, position, count of goals in 1 byte, distance…
//! path        = number, that of an earlier path
//!             | number, the next one, count of places, place…
//! place       = probe * 4 + kind, position
//! kind        = 0: line or block | 1: jump that first jumped | 2: jump that first did not
//!             | 3: the position was entered, the probe is 0
//! position    = count of its places in the call chain, the last of them; outside of it 0, 0
//! distance    = 0 to 253 | 254, whole number in 4 bytes | 255, f64 in 8 bytes
//! ```
//!
//! Postcard writes `last`, `untouched`, `spent`, `slow`, `asked`, `accesses`, `words`, `arguments` and
//! `more`. `slow` lists calls that took long, each behind the place of its observation; nearly all replies
//! have none. Path 0 has no places and is not written. Each jump of a path has a distance: that to the side
//! which the jump did not take; 0 means that it took both. It is neither negative nor infinite.

use std::sync::Arc;

use crashback_testcase::Text;
use postcard::Error;

use crate::bytes::{Reader, put, put_length};
use crate::wire::{PREFIX, WireError, announce};
use crate::{
    Access, Argument, Asked, Branch, Caught, Facts, List, Observation, Operands, Outcome, Position, Reached,
    SlowCall, Spent, StackFrame, SwitchKeys, Throwable, Untouched, Variable,
};

/// What became of the tests of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// One for each test that was run, in order. There are fewer than tests when the worker has to
    /// end: the last one has then left something behind that only a new process gets rid of.
    pub observations: Vec<Observation>,
    /// Whether the worker ends after this reply.
    pub last: bool,
    /// What the worker has left without probes since its last reply.
    pub untouched: Vec<Untouched>,
    /// What its time went into since its last reply.
    pub spent: Spent,
}

impl Reply {
    /// Whether this can be the answer to a request of so many tests: the number of observations is
    /// right, and every number in them names something that is there.
    pub fn answers(&self, tests: usize) -> bool {
        let complete = self.observations.len() == tests || self.last && self.observations.len() < tests;
        let mut frames = 0;
        complete
            && self.observations.iter().all(|observation| {
                frames += observation.facts.new_frames.len();
                observation.facts.names_what_exists(frames)
            })
    }

    fn read(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader(bytes);
        let count = u32::from_le_bytes(reader.chunk()?) as usize;
        let mut observations = read_observations(&mut reader, count)?;
        let (last, untouched, spent, slow): (_, _, _, Vec<(u32, SlowCall)>) = reader.decode()?;
        for (place, call) in slow {
            let observation = observations.get_mut(place as usize).ok_or(Error::SerdeDeCustom)?;
            observation.slow.push(call);
        }
        if reader.0.is_empty() {
            Ok(Self { observations, last, untouched, spent })
        } else {
            Err(Error::SerdeDeCustom)
        }
    }
}

/// Writes a reply piece by piece.
#[derive(Debug, Default)]
pub struct ReplyWriter {
    message: Vec<u8>,
    /// Paths that were written, but for the one without places.
    paths: Vec<Vec<(u32, Position)>>,
    /// Calls that took long, behind the places of their observations.
    slow: Vec<(u32, SlowCall)>,
}

impl ReplyWriter {
    /// Begins a reply; the one before is gone.
    pub fn begin(&mut self) {
        self.message.clear();
        self.message.extend([0; PREFIX + COUNT]);
        self.paths.clear();
        self.slow.clear();
    }

    /// For observations that come encoded. They must name no paths but their own.
    pub fn encoded(&mut self) -> &mut Vec<u8> {
        &mut self.message
    }

    /// Adds a call that took long to the observation at a place.
    pub fn add_slow(&mut self, place: u32, call: SlowCall) {
        self.slow.push((place, call));
    }

    /// Adds an observation, without its slow calls. One that has facts must not be mixed with encoded
    /// ones.
    pub fn push(&mut self, observation: &Observation) -> Result<(), WireError> {
        let Observation { outcome, completed, facts, slow: _ } = observation;
        let Facts {
            entered,
            branches,
            reached,
            switches,
            operands,
            caught,
            asked,
            accesses,
            variables,
            words,
            arguments,
            missed,
            nulls,
            depth,
            throwables,
            new_frames,
        } = facts;
        let to = &mut self.message;
        postcard::to_io(&(outcome, completed), &mut *to)?;
        let kind = |branch: &Branch| if branch.to_jump == 0.0 { JUMPED } else { FELL };
        let entered = entered.iter().map(|position| (ENTERED, *position));
        let jumps = branches.iter().map(|it| (it.probe << KIND_BITS | kind(it), it.position));
        let reached = reached.iter().map(|it| (it.probe << KIND_BITS | REACHED, it.position));
        append_path(to, &mut self.paths, entered.chain(jumps).chain(reached).collect());
        branches.iter().for_each(|branch| append_distance(to, branch.to_jump.max(branch.to_fall)));
        let has_none = missed.is_empty() && throwables.is_empty() && new_frames.is_empty();
        let has_more = !(switches.is_empty() && operands.is_empty() && caught.is_empty() && has_none);
        let few = [
            (*nulls != 0, NULLS),
            (*depth != 0, DEPTH),
            (!accesses.is_empty(), ACCESSES),
            (!variables.is_empty(), VARIABLES),
            (!words.is_empty(), WORDS),
            (!arguments.is_empty(), ARGUMENTS),
        ];
        let flags = [(has_more, MORE), (!asked.is_empty(), ASKED)].into_iter().chain(few);
        to.push(flags.map(|(is_there, flag)| u8::from(is_there) * flag).sum());
        if *depth != 0 {
            put(to, *depth);
        }
        if *nulls != 0 {
            to.extend(nulls.to_le_bytes());
        }
        if !asked.is_empty() {
            postcard::to_io(asked, &mut *to)?;
        }
        if !accesses.is_empty() {
            postcard::to_io(accesses, &mut *to)?;
        }
        if !variables.is_empty() {
            append_variables(to, variables);
        }
        if !words.is_empty() {
            postcard::to_io(words, &mut *to)?;
        }
        if !arguments.is_empty() {
            postcard::to_io(arguments, &mut *to)?;
        }
        if has_more {
            postcard::to_io(&(switches, operands, caught, missed, throwables, new_frames), to)?;
        }
        Ok(())
    }

    /// The whole message, given how many observations were added.
    pub fn finish(
        &mut self,
        count: u32,
        last: bool,
        untouched: &[Untouched],
        spent: Spent,
    ) -> Result<&[u8], WireError> {
        postcard::to_io(&(last, untouched, spent, &self.slow), &mut self.message)?;
        announce(&mut self.message, 0)?;
        let place = self.message.iter_mut().skip(PREFIX);
        place.zip(count.to_le_bytes()).for_each(|(place, byte)| *place = byte);
        Ok(&self.message)
    }
}

/// Bytes of the number of observations.
const COUNT: usize = 4;

fn append_path(to: &mut Vec<u8>, known: &mut Vec<Vec<(u32, Position)>>, path: Vec<(u32, Position)>) {
    if path.is_empty() {
        return to.push(0);
    }
    let number = known.iter().position(|it| *it == path);
    put_length(to, number.unwrap_or(known.len()) + 1);
    if number.is_none() {
        put_length(to, path.len());
        for (head, position) in &path {
            put(to, *head);
            position.to_wire().into_iter().for_each(|number| put(to, number));
        }
        known.push(path);
    }
}

fn append_distance(to: &mut Vec<u8>, distance: f64) {
    let whole = distance as u32;
    match u8::try_from(whole) {
        _ if f64::from(whole) != distance => {
            to.push(ANY);
            to.extend(distance.to_le_bytes());
        }
        Ok(small @ ..WHOLE) => to.push(small),
        _ => {
            to.push(WHOLE);
            to.extend(whole.to_le_bytes());
        }
    }
}

fn append_variables(to: &mut Vec<u8>, variables: &[Variable]) {
    put_length(to, variables.len());
    for Variable { probe, position, distances } in variables {
        put(to, *probe);
        position.to_wire().into_iter().for_each(|number| put(to, number));
        let goals = distances.iter().take_while(|it| it.is_finite());
        to.push(u8::try_from(goals.clone().count()).unwrap_or(u8::MAX));
        goals.for_each(|distance| append_distance(to, *distance));
    }
}

/// Reads a reply from all bytes of its message.
pub fn decode_reply(message: &[u8]) -> Result<Reply, WireError> {
    let body = message.get(PREFIX..).ok_or(Error::DeserializeUnexpectedEnd)?;
    Ok(Reply::read(body)?)
}

/// Reads observations one after the other, as a reply has them behind their number.
pub fn decode_observations(bytes: &[u8], count: usize) -> Result<Vec<Observation>, WireError> {
    Ok(read_observations(&mut Reader(bytes), count)?)
}

fn read_observations(reader: &mut Reader<'_>, count: usize) -> Result<Vec<Observation>, Error> {
    let bytes = reader.0.len();
    let mut observations = Vec::with_capacity(count.min(bytes));
    let mut paths = vec![Path::default()];
    // The branches of all observations, and where those of each begin.
    let mut branches = Vec::with_capacity(count.saturating_mul(USUAL_BRANCHES).min(bytes));
    let mut starts = Vec::with_capacity(count.min(bytes) + 1);
    for _ in 0..count {
        starts.push(branches.len());
        observations.push(read_observation(reader, &mut paths, &mut branches)?);
    }
    starts.push(branches.len());
    let branches = Arc::new(branches);
    for (observation, range) in observations.iter_mut().zip(starts.windows(2)) {
        if let [start, end] = *range {
            let number = |index| u32::try_from(index).unwrap_or(u32::MAX);
            observation.facts.branches = List::part(&branches, number(start), number(end - start));
        }
    }
    Ok(observations)
}

/// Room is made for so many branches of each observation.
const USUAL_BRANCHES: usize = 32;

/// A way past the probes.
#[derive(Default)]
struct Path {
    entered: List<Position>,
    /// The jumps, the side that they did not take at distance 1.
    branches: Vec<Branch>,
    reached: List<Reached>,
}

const REACHED: u32 = 0;
const JUMPED: u32 = 1;
const FELL: u32 = 2;
const ENTERED: u32 = 3;
const KIND_BITS: u32 = 2;

const WHOLE: u8 = 0xfe;
const ANY: u8 = 0xff;

/// What the rest of an observation consists of.
const MORE: u8 = 1;
const ASKED: u8 = 2;
const NULLS: u8 = 4;
const DEPTH: u8 = 8;
const ACCESSES: u8 = 16;
const VARIABLES: u8 = 32;
const WORDS: u8 = 64;
const ARGUMENTS: u8 = 128;

/// What few observations have.
type More = (Vec<SwitchKeys>, Vec<Operands>, Vec<Caught>, Vec<Text>, Vec<Throwable>, Vec<StackFrame>);

#[inline]
fn read_observation(
    reader: &mut Reader<'_>,
    paths: &mut Vec<Path>,
    branches: &mut Vec<Branch>,
) -> Result<Observation, Error> {
    let outcome = match reader.0 {
        [0, ..] => reader.byte().map(|_| Outcome::Returned)?,
        [1, ..] => reader.byte().map(|_| Outcome::Threw)?,
        _ => reader.decode()?,
    };
    let completed = u16::try_from(reader.number()?).unwrap_or(u16::MAX);
    let number = reader.number()? as usize;
    if number == paths.len() {
        paths.push(read_path(reader)?);
    }
    let path = paths.get(number).ok_or(Error::SerdeDeCustom)?;
    for place in &path.branches {
        // 0 times a distance is 0, as it is finite.
        let distance = read_distance(reader)?;
        branches.push(Branch {
            to_jump: place.to_jump * distance,
            to_fall: place.to_fall * distance,
            ..*place
        });
    }
    let (entered, reached) = (path.entered.clone(), path.reached.clone());
    let mut facts = Facts { entered, reached, ..Facts::default() };
    let rest = reader.byte()?;
    if rest & DEPTH != 0 {
        facts.depth = reader.number()?;
    }
    if rest & NULLS != 0 {
        facts.nulls = u64::from_le_bytes(reader.chunk()?);
    }
    if rest & ASKED != 0 {
        facts.asked = reader.decode::<Vec<Asked>>()?;
    }
    if rest & ACCESSES != 0 {
        facts.accesses = reader.decode::<Vec<Access>>()?;
    }
    if rest & VARIABLES != 0 {
        facts.variables = read_variables(reader)?;
    }
    if rest & WORDS != 0 {
        facts.words = reader.decode::<Vec<Text>>()?;
    }
    if rest & ARGUMENTS != 0 {
        facts.arguments = reader.decode::<Vec<Argument>>()?;
    }
    if rest & MORE != 0 {
        let (switches, operands, caught, missed, throwables, new_frames): More = reader.decode()?;
        facts = Facts { switches, operands, caught, missed, throwables, new_frames, ..facts };
    }
    Ok(Observation { outcome, completed, facts, slow: Vec::new() })
}

fn read_variables(reader: &mut Reader<'_>) -> Result<Vec<Variable>, Error> {
    let count = reader.length()?;
    let mut variables = Vec::with_capacity(count.min(reader.0.len()));
    for _ in 0..count {
        let (probe, length, last) = (reader.number()?, reader.number()?, reader.number()?);
        let position = Position::from_wire(length, last).ok_or(Error::SerdeDeCustom)?;
        let mut distances = [f64::INFINITY; Variable::GOALS];
        let goals = reader.byte()?.into();
        for distance in distances.get_mut(..goals).ok_or(Error::SerdeDeCustom)? {
            *distance = read_distance(reader)?;
        }
        variables.push(Variable { probe, position, distances });
    }
    Ok(variables)
}

#[inline]
fn read_distance(reader: &mut Reader<'_>) -> Result<f64, Error> {
    Ok(match reader.byte()? {
        WHOLE => u32::from_le_bytes(reader.chunk()?).into(),
        ANY => {
            let distance = f64::from_le_bytes(reader.chunk()?);
            let is_one = distance.is_finite() && distance.is_sign_positive();
            return if is_one { Ok(distance) } else { Err(Error::SerdeDeCustom) };
        }
        small => small.into(),
    })
}

fn read_path(reader: &mut Reader<'_>) -> Result<Path, Error> {
    let (mut entered, mut branches, mut reached) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..reader.length()? {
        let (head, length, last) = (reader.number()?, reader.number()?, reader.number()?);
        let position = Position::from_wire(length, last).ok_or(Error::SerdeDeCustom)?;
        let probe = head >> KIND_BITS;
        match head & ((1 << KIND_BITS) - 1) {
            REACHED => reached.push(Reached { probe, position }),
            JUMPED => branches.push(Branch { probe, position, to_jump: 0.0, to_fall: 1.0 }),
            FELL => branches.push(Branch { probe, position, to_jump: 1.0, to_fall: 0.0 }),
            _ if probe == 0 => entered.push(position),
            _ => return Err(Error::SerdeDeCustom),
        }
    }
    Ok(Path { entered: entered.into(), branches, reached: reached.into() })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crashback_testcase::MockId;
    use proptest::prelude::*;

    use super::*;
    use crate::{GivenObject, Value};

    fn distance() -> impl Strategy<Value = f64> {
        prop_oneof![
            (0_u32..300).prop_map(f64::from),
            any::<u32>().prop_map(f64::from),
            (0.0..1e300).boxed(),
            Just(f64::MAX),
            Just(f64::MIN_POSITIVE),
        ]
    }

    fn branch() -> impl Strategy<Value = Branch> {
        (0_u32..1 << 20, position(), distance(), any::<bool>()).prop_map(|(probe, position, away, jumped)| {
            let (to_jump, to_fall) = if jumped { (0.0, away) } else { (away, 0.0) };
            Branch { probe, position, to_jump, to_fall }
        })
    }

    fn position() -> impl Strategy<Value = Position> {
        let inside = (0_u16..200, 0_u16..200).prop_map(|(first, more)| Position::new(first, first + more));
        prop_oneof![Just(Position::OUTSIDE), inside.prop_map(Option::unwrap)]
    }

    fn access() -> impl Strategy<Value = Access> {
        (0_u32..1 << 20, position(), any::<i32>(), any::<i32>())
            .prop_map(|(probe, position, index, length)| Access { probe, position, index, length })
    }

    fn variable() -> impl Strategy<Value = Variable> {
        let goals = proptest::collection::vec(distance(), 0..=Variable::GOALS);
        (0_u32..1 << 20, position(), goals).prop_map(|(probe, position, goals)| {
            let mut distances = [f64::INFINITY; Variable::GOALS];
            distances[..goals.len()].copy_from_slice(&goals);
            Variable { probe, position, distances }
        })
    }

    fn argument() -> impl Strategy<Value = Argument> {
        let value = prop_oneof![
            any::<i64>().prop_map(Value::Integer),
            any::<i32>().prop_map(|it| Value::Float(it.into())),
            "[a-zé]{0,9}".prop_map(|it| Value::Text(Text::from(it.as_str()))),
        ];
        let all = (position(), any::<u8>(), value);
        all.prop_map(|(position, parameter, value)| Argument { position, parameter, value })
    }

    fn observation() -> impl Strategy<Value = Observation> {
        let outcome = prop_oneof![
            Just(Outcome::Returned),
            Just(Outcome::Threw),
            Just(Outcome::Stopped),
            any::<i32>().prop_map(Outcome::Exited),
        ];
        let reached = proptest::collection::vec((0_u32..1 << 20, position()), 0..6);
        let entered = proptest::collection::vec(position(), 0..6);
        let branches = proptest::collection::vec(branch(), 0..6);
        let keys = proptest::collection::vec(any::<i32>(), 0..3);
        let object = proptest::option::of((any::<u8>(), "[a-z.]{1,9}"));
        let asked = (any::<u32>(), any::<u16>(), proptest::option::of("[a-z.]{1,9}"), object);
        let asked = proptest::collection::vec(asked, 0..3);
        let nulls = (prop_oneof![Just(0), any::<u64>()], prop_oneof![Just(0), any::<u32>()]);
        let slow = (any::<u16>(), any::<u32>());
        let slow = slow.prop_map(|(statement, microseconds)| SlowCall { statement, microseconds });
        let slow = proptest::collection::vec(slow, 0..3);
        let accesses = proptest::collection::vec(access(), 0..4);
        let text = "[a-zé]{1,9}".prop_map(|it| Text::from(it.as_str()));
        let words = proptest::collection::vec(text.clone(), 0..3);
        let missed = proptest::collection::vec(text, 0..3);
        let arguments = proptest::collection::vec(argument(), 0..3);
        let watched = (accesses, proptest::collection::vec(variable(), 0..4), words, arguments, missed);
        (outcome, any::<u16>(), entered, branches, reached, keys, (asked, nulls, slow, watched)).prop_map(
            |(
                outcome,
                completed,
                entered,
                branches,
                reached,
                keys,
                (asked, (nulls, depth), slow, watched),
            )| {
                let position = entered.first().copied().unwrap_or_default();
                let (entered, reached) = (entered.into(), reached.into_iter());
                let reached = reached.map(|(probe, position)| Reached { probe, position }).collect();
                let keys = keys.into_iter();
                let switches = keys.map(|key| SwitchKeys { probe: 1, position, keys: vec![key] }).collect();
                let asked = asked.into_iter();
                let asked = asked.map(|(mock, method, class, object)| {
                    let object = object.map(|(parameter, class)| GivenObject { parameter, class });
                    Asked { mock: MockId(mock), method, class, object }
                });
                let (branches, asked) = (branches.into(), asked.collect());
                let facts = Facts { entered, branches, reached, switches, asked, nulls, ..Facts::default() };
                let (accesses, variables, words, arguments, missed) = watched;
                let facts = Facts { depth, accesses, variables, words, arguments, missed, ..facts };
                Observation { outcome, completed, facts, slow }
            },
        )
    }

    fn written(observations: &[Observation], last: bool) -> Vec<u8> {
        let mut writer = ReplyWriter::default();
        writer.begin();
        observations.iter().for_each(|it| writer.push(it).unwrap());
        for (place, observation) in observations.iter().enumerate() {
            observation.slow.iter().for_each(|it| writer.add_slow(place as u32, *it));
        }
        let spent = Spent { run: Duration::from_micros(17), stops: 2, ..Spent::default() };
        writer.finish(observations.len() as u32, last, &[], spent).unwrap().to_vec()
    }

    proptest! {
        /// Every observation occurs twice, so that paths are named that were written before.
        #[test]
        fn what_is_written_is_read(
            once in proptest::collection::vec(observation(), 0..8),
            last in any::<bool>(),
        ) {
            let observations = [once.clone(), once].concat();
            let message = written(&observations, last);
            let spent = Spent { run: Duration::from_micros(17), stops: 2, ..Spent::default() };
            let slow = |it: &Reply| it.observations.iter().map(|it| it.slow.clone()).collect::<Vec<_>>();
            let reply = Reply { observations, last, untouched: Vec::new(), spent };
            let read = decode_reply(&message).unwrap();
            prop_assert_eq!(slow(&read), slow(&reply));
            prop_assert_eq!(read, reply);
        }

        #[test]
        fn nonsense_is_refused_or_read(
            observations in proptest::collection::vec(observation(), 0..4),
            at in any::<prop::sample::Index>(),
            byte in any::<u8>(),
        ) {
            let mut message = written(&observations, false);
            prop_assert!(decode_reply(&message[..at.index(message.len())]).is_err());
            let at = at.index(message.len());
            message[at] = byte;
            drop(decode_reply(&message));
        }
    }
}
