//! The ways through a body on which every loop goes round at most once.

use std::collections::BTreeMap;

use crashback_program::code::{BlockId, Cfg, Edge, MethodBody};

/// An acyclic graph of places that run the instructions of a block each.
///
/// A loop that is left at its head has a second place for the head, behind the body: there its condition
/// is asked once more and fails. A loop that is left at its end needs none. A handler is entered from
/// before the first instruction that it covers: further ways into it would repeat the beginnings of one
/// sequence and show nothing new.
pub(super) struct Ways {
    /// For each place the position of its block.
    blocks: Vec<usize>,
    /// For each place the later places that follow it.
    next: Vec<Vec<usize>>,
    /// For each place the later places that are entered in its stead.
    instead: Vec<Vec<usize>>,
    /// All places that can be reached, each before those that follow it.
    order: Vec<usize>,
    /// For each block whether it has a second place.
    is_repeated: Vec<bool>,
}

impl Ways {
    pub(super) fn new(body: &MethodBody<'_>, cfg: &Cfg) -> Self {
        let mut ways = Self::first_places(body, cfg);
        let cut = ways.cut_cycles();
        ways.add_second_places(&cut);
        ways.cut_cycles();
        ways
    }

    /// One place for each block, and one for the exit.
    fn first_places(body: &MethodBody<'_>, cfg: &Cfg) -> Self {
        let count = cfg.block_count() + 1;
        let mut next = vec![Vec::new(); count];
        let mut instead = vec![Vec::new(); count];
        let normal = |edge: &&Edge| !edge.kind.is_exception();
        for edge in cfg.edges().iter().filter(normal) {
            add(&mut next, edge.from.index(), edge.to.index());
        }
        for handler in body.handlers() {
            let [from, to] = [handler.covers.start, handler.target].map(|it| cfg.block_at(it));
            if let (Some(from), Some(to)) = (from, to) {
                add(&mut instead, from.index(), to.index());
            }
        }
        let (blocks, is_repeated) = ((0..count).collect(), vec![false; count]);
        Self { blocks, next, instead, order: Vec::new(), is_repeated }
    }

    /// Whether a block runs at most once on every way.
    pub(super) fn runs_once(&self, block: BlockId) -> bool {
        self.is_repeated.get(block.index()) == Some(&false)
    }

    /// How many places there are.
    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// The places in an order in which each comes before those that follow it.
    pub(super) fn order(&self) -> &[usize] {
        &self.order
    }

    /// The position of the block of a place.
    pub(super) fn block_of(&self, place: usize) -> Option<usize> {
        self.blocks.get(place).copied()
    }

    /// The places that follow a place; none where ways end.
    pub(super) fn next(&self, place: usize) -> &[usize] {
        self.next.get(place).map_or(&[], Vec::as_slice)
    }

    /// The places that are entered in the stead of a place.
    pub(super) fn instead(&self, place: usize) -> &[usize] {
        self.instead.get(place).map_or(&[], Vec::as_slice)
    }

    /// Drops edges that close a cycle, sets the order, and yields the dropped edges.
    fn cut_cycles(&mut self) -> Vec<(usize, usize)> {
        let mut state = vec![Visit::Unseen; self.len()];
        let mut cut = Vec::new();
        let mut finished = Vec::new();
        let mut stack: Vec<(usize, usize)> = Vec::new();
        if let Some(first) = state.first_mut() {
            *first = Visit::Open;
            stack.push((0, 0));
        }
        while let Some((place, taken)) = stack.last_mut() {
            let place = *place;
            let (next, instead) = (self.next(place), self.instead(place));
            let Some(to) = next.get(*taken).or_else(|| instead.get(*taken - next.len())).copied() else {
                finished.push(place);
                set(&mut state, place, Visit::Done);
                stack.pop();
                continue;
            };
            *taken += 1;
            match state.get(to) {
                Some(Visit::Open) => cut.push((place, to)),
                Some(Visit::Unseen) => {
                    set(&mut state, to, Visit::Open);
                    stack.push((to, 0));
                }
                _ => {}
            }
        }
        finished.reverse();
        self.order = finished;
        for (from, to) in &cut {
            for edges in [&mut self.next, &mut self.instead] {
                if let Some(edges) = edges.get_mut(*from) {
                    edges.retain(|it| it != to);
                }
            }
        }
        cut
    }

    /// Leads the ends of loops to a second place of the head, from which the loop is left. An end that can
    /// leave the loop itself does so instead.
    fn add_second_places(&mut self, back_edges: &[(usize, usize)]) {
        let loops = self.loops(back_edges);
        let first_new = self.len();
        let mut second: BTreeMap<usize, usize> = BTreeMap::new();
        for (place, found) in (first_new..).zip(&loops) {
            second.insert(found.head, place);
            self.blocks.push(found.head);
            self.next.push(found.exits.clone());
            self.instead.push(Vec::new());
            set(&mut self.is_repeated, found.head, true);
        }
        for (place, found) in (first_new..).zip(&loops) {
            for end in &found.ends {
                add(&mut self.next, *end, place);
                // An inner loop may be left into the head of this one, from its second place, too.
                if let Some(inner) = second.get(end).filter(|_| *end != found.head) {
                    add(&mut self.next, *inner, place);
                }
            }
        }
    }

    /// The loops that are left at their heads, with the ends that cannot leave them.
    fn loops(&self, back_edges: &[(usize, usize)]) -> Vec<Loop> {
        let mut ends_of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (end, head) in back_edges {
            ends_of.entry(*head).or_default().push(*end);
        }
        let before = self.before(back_edges);
        let mut loops = Vec::new();
        for (head, ends) in ends_of {
            let inside = self.blocks_of_loop(head, &ends, &before);
            let is_outside = |it: &usize| inside.get(*it) == Some(&false);
            let exits: Vec<usize> = self.next(head).iter().copied().filter(is_outside).collect();
            let can_leave = |end: &usize| self.next(*end).iter().any(is_outside);
            let ends: Vec<usize> = ends.into_iter().filter(|it| !can_leave(it)).collect();
            // The exit may be the head of an outer loop, to which the edge is cut.
            let ends_outer = back_edges.iter().any(|(from, to)| *from == head && is_outside(to));
            if !ends.is_empty() && (ends_outer || !exits.is_empty()) {
                loops.push(Loop { head, exits, ends });
            }
        }
        loops
    }

    /// For each place those that it follows, the ends of loops included.
    fn before(&self, back_edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
        let mut before = vec![Vec::new(); self.len()];
        for (end, head) in back_edges {
            add(&mut before, *head, *end);
        }
        for place in 0..self.len() {
            for next in self.next(place) {
                add(&mut before, *next, place);
            }
        }
        before
    }

    /// The blocks of a loop: its head, and all from which one of its ends is reached without it.
    fn blocks_of_loop(&self, head: usize, ends: &[usize], before: &[Vec<usize>]) -> Vec<bool> {
        let mut inside = vec![false; self.len()];
        set(&mut inside, head, true);
        let mut open: Vec<usize> = ends.to_vec();
        while let Some(place) = open.pop() {
            if inside.get(place) == Some(&false) {
                set(&mut inside, place, true);
                open.extend(before.get(place).into_iter().flatten());
            }
        }
        inside
    }
}

/// A loop that is left at its head.
struct Loop {
    head: usize,
    /// The places behind it.
    exits: Vec<usize>,
    /// The places that lead back to the head and nowhere else.
    ends: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    Unseen,
    Open,
    Done,
}

fn add(edges: &mut [Vec<usize>], from: usize, to: usize) {
    if let Some(edges) = edges.get_mut(from).filter(|it| !it.contains(&to)) {
        edges.push(to);
    }
}

fn set<T>(list: &mut [T], place: usize, value: T) {
    if let Some(slot) = list.get_mut(place) {
        *slot = value;
    }
}
