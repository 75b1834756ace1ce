//! Call sequences of objects, from the bytecode of single methods (Derakhshanfar et al. 2020, section
//! 3.1.1).
//!
//! Every object of a method has one sequence for each way through the method that makes a difference to
//! it. Ways are not gone through one by one: for each object the sequences that lead to a place in the
//! code are kept as a set, and sets meet where ways do. So the work grows with the code and not with the
//! number of ways.

mod objects;
mod ways;

use std::collections::HashMap;

use crashback_classfile::JavaStr;
use crashback_program::code::{Cfg, InvokeKind, MethodBody, Operation, Provenance};

use objects::{Event, Object};
use ways::Ways;

/// A constructor or method, as code names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call<'a> {
    /// Internal name of the class through which it is called.
    pub owner: JavaStr<'a>,
    /// Its name, `<init>` for constructors.
    pub name: JavaStr<'a>,
    /// Its descriptor.
    pub descriptor: JavaStr<'a>,
}

impl Call<'_> {
    /// Whether it is a constructor.
    pub fn is_constructor(&self) -> bool {
        self.name == "<init>"
    }
}

/// Sequences of one object that are kept where ways meet.
const MAX_SEQUENCES: usize = 16;
/// Calls of a sequence that are kept; the first ones stay.
const MAX_LENGTH: usize = 40;
/// Places times objects above which only objects that are used in a single block are looked at: generated
/// code.
const MAX_CELLS: usize = 1 << 22;

/// Gives the sequences of all objects of a body to a function, each with the internal name of the class
/// of its object: the class that is constructed, else that to which the object is cast before its calls,
/// else the declared one. Texts have none, since tests write them as literals.
pub fn for_each_sequence<'a>(body: &MethodBody<'a>, mut look: impl FnMut(JavaStr<'a>, &[Call<'a>])) {
    if !calls_anything(body) {
        return;
    }
    let cfg = Cfg::of(body);
    // Code that cannot be understood shows no use of anything.
    let Ok(provenance) = Provenance::of_first_rounds(body, &cfg) else { return };
    let objects = objects::objects(body, &provenance);
    let mut paths = Paths { cfg: &cfg, body, ways: None, prefixes: Prefixes::default() };
    let is_large = cfg.block_count().saturating_mul(objects.len()) > MAX_CELLS;
    for object in &objects {
        for sequence in paths.sequences(object, is_large) {
            if let Some(class) = class_of(object, &sequence)
                && class != "java/lang/Object"
                && class != "java/lang/String"
            {
                look(class, &sequence);
            }
        }
    }
}

fn calls_anything(body: &MethodBody<'_>) -> bool {
    let is_call = |operation: &Operation<'_>| match operation {
        Operation::Invoke(invoke) => invoke.kind != InvokeKind::Static,
        _ => false,
    };
    body.operations().any(|(_, it)| is_call(it))
}

/// The class of an object on which a sequence was seen.
fn class_of<'a>(object: &Object<'a>, sequence: &[Call<'a>]) -> Option<JavaStr<'a>> {
    let first = sequence.first().filter(|it| it.is_constructor());
    // The methods of all objects say nothing about the class.
    let narrower = |it: &&Call<'a>| it.owner != "java/lang/Object" && Some(it.owner) != object.declared;
    let cast = || sequence.iter().rev().find(narrower).map(|it| it.owner);
    first.map(|it| it.owner).or_else(cast).or(object.declared)
}

/// The sequences of objects along the ways through a body.
struct Paths<'x, 'a> {
    cfg: &'x Cfg,
    body: &'x MethodBody<'a>,
    /// Worked out for the first object that needs them.
    ways: Option<Ways>,
    prefixes: Prefixes<'a>,
}

impl<'a> Paths<'_, 'a> {
    /// The different sequences of an object, none of them empty.
    fn sequences(&mut self, object: &Object<'a>, in_blocks_only: bool) -> Vec<Vec<Call<'a>>> {
        let mut by_block: Vec<(usize, Vec<Event<'a>>)> = Vec::new();
        for (index, event) in &object.events {
            let Some(block) = self.cfg.block_at(*index).map(|it| it.index()) else { continue };
            match by_block.binary_search_by_key(&block, |(it, _)| *it) {
                Ok(at) => by_block.get_mut(at).map(|(_, it)| it.push(*event)).unwrap_or_default(),
                Err(at) => by_block.insert(at, (block, vec![*event])),
            }
        }
        self.prefixes.clear();
        let mut found = Vec::new();
        match by_block.as_slice() {
            [(block, events)] if self.runs_once(*block) => {
                let begin = if object.is_given { Prefixes::EMPTY } else { Prefixes::NOT_BEGUN };
                let last = self.prefixes.live_through(begin, events, &mut found);
                found.push(last);
            }
            _ if in_blocks_only => {}
            _ => found = self.along_ways(object, &by_block),
        }
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|it| self.prefixes.calls(it)).filter(|it| !it.is_empty()).collect()
    }

    fn runs_once(&mut self, block: usize) -> bool {
        let ways = self.ways.get_or_insert_with(|| Ways::new(self.body, self.cfg));
        self.cfg.block_id(block).is_some_and(|it| ways.runs_once(it))
    }

    fn along_ways(&mut self, object: &Object<'a>, by_block: &[(usize, Vec<Event<'a>>)]) -> Vec<u32> {
        let Self { cfg, body, ways, prefixes } = self;
        let ways = ways.get_or_insert_with(|| Ways::new(body, cfg));
        let mut found = Vec::new();
        let mut states: Vec<Vec<u32>> = vec![Vec::new(); ways.len()];
        let begin = if object.is_given { Prefixes::EMPTY } else { Prefixes::NOT_BEGUN };
        if let Some(first) = states.first_mut() {
            first.push(begin);
        }
        for place in ways.order() {
            let entered = states.get_mut(*place).map(std::mem::take).unwrap_or_default();
            for handler in ways.instead(*place) {
                join(&mut states, *handler, &entered);
            }
            let block = ways.block_of(*place).unwrap_or_default();
            let events = by_block.binary_search_by_key(&block, |(it, _)| *it).ok();
            let events = events.and_then(|it| by_block.get(it)).map_or(&[][..], |(_, events)| events);
            let left: Vec<u32> =
                entered.into_iter().map(|it| prefixes.live_through(it, events, &mut found)).collect();
            match ways.next(*place) {
                [] => found.extend(left),
                next => next.iter().for_each(|it| join(&mut states, *it, &left)),
            }
        }
        found
    }
}

/// Unites the sequences that lead to a place with further ones. Of too many, every other one takes the
/// place of a known one: those in the same place mostly have the same beginning, so that beginnings and
/// ends stay as different as they are.
fn join(states: &mut [Vec<u32>], place: usize, more: &[u32]) {
    let Some(known) = states.get_mut(place) else { return };
    let fresh: Vec<u32> = more.iter().copied().filter(|it| !known.contains(it)).collect();
    for (number, sequence) in fresh.into_iter().enumerate() {
        if known.len() < MAX_SEQUENCES {
            known.push(sequence);
        } else if is_turn(number, place)
            && let Some(slot) = known.get_mut(number % MAX_SEQUENCES)
        {
            *slot = sequence;
        }
    }
}

/// Every other answer is yes, in an order of its own for each place (multiplicative hashing, Knuth, volume 3,
/// section 6.4).
fn is_turn(number: usize, place: usize) -> bool {
    let mixed = (number as u64 + 1).wrapping_mul(place as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed >> 63 == 1
}

/// The beginnings of sequences of one object, as a tree.
#[derive(Default)]
struct Prefixes<'a> {
    /// Parent, last call and length of each but the empty one, from number 1 on.
    nodes: Vec<(u32, Call<'a>, usize)>,
    numbers: HashMap<(u32, Call<'a>), u32>,
}

impl<'a> Prefixes<'a> {
    /// The empty sequence.
    const EMPTY: u32 = 0;
    /// The sequence of an object that is not there yet: calls on it are calls on another object.
    const NOT_BEGUN: u32 = u32::MAX;

    fn clear(&mut self) {
        self.nodes.clear();
        self.numbers.clear();
    }

    /// The sequence after some events; those that end meanwhile are added to the found ones.
    fn live_through(&mut self, from: u32, events: &[Event<'a>], found: &mut Vec<u32>) -> u32 {
        let mut at = from;
        for event in events {
            at = match event {
                Event::Begins => {
                    found.push(at);
                    Self::EMPTY
                }
                Event::Called(_) if at == Self::NOT_BEGUN => at,
                Event::Called(call) => self.longer(at, *call),
            };
        }
        at
    }

    fn longer(&mut self, parent: u32, call: Call<'a>) -> u32 {
        let length = self.node(parent).map_or(0, |(_, _, length)| *length) + 1;
        if length > MAX_LENGTH {
            return parent;
        }
        let Self { nodes, numbers } = self;
        *numbers.entry((parent, call)).or_insert_with(|| {
            nodes.push((parent, call, length));
            u32::try_from(nodes.len()).unwrap_or(parent)
        })
    }

    fn node(&self, number: u32) -> Option<&(u32, Call<'a>, usize)> {
        self.nodes.get(usize::try_from(number.checked_sub(1)?).ok()?)
    }

    /// The calls of a sequence.
    fn calls(&self, number: u32) -> Vec<Call<'a>> {
        let mut calls = Vec::new();
        let mut at = number;
        while let Some((parent, call, _)) = self.node(at) {
            calls.push(*call);
            at = *parent;
        }
        calls.reverse();
        calls
    }
}
