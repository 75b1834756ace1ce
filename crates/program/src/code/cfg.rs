//! The control-flow graph of a method body.

use std::ops::Range;

use super::body::MethodBody;
use super::dominance::Flow;
use super::operation::Operation;

/// Basic blocks, the edges between them, and a virtual exit.
///
/// Every instruction belongs to exactly one block. A block begins at the first instruction, at jump
/// targets, after instructions that jump or end the method, at handlers and at both borders of the
/// range that a handler covers. So a handler covers a block wholly or not at all, and a block has
/// one exceptional edge to each handler that covers it, in table order up to the first that catches
/// everything: any instruction can be left by an asynchronous exception (JVMS 2.10), hence no
/// attempt is made to drop edges of blocks that cannot throw by themselves. Exceptions that no
/// handler takes leave without an edge, but for `athrow`, which always has one to the exit.
///
/// `ret` of old class files may return behind any `jsr` of the method; that is more than the truth
/// and never less.
#[derive(Clone, Debug)]
pub struct Cfg {
    blocks: Vec<Block>,
    block_of: Vec<BlockId>,
    /// In the order of their sources; ids are positions.
    edges: Vec<Edge>,
    /// Where the edges of each block begin, with one more entry for the end.
    first_edge: Vec<usize>,
}

/// A basic block or the virtual exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(u32);

impl BlockId {
    /// Position among the blocks, in code order; the exit follows the last.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An edge of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(u32);

/// A maximal run of instructions that is entered at the top and left at the bottom, exceptions
/// aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its name.
    pub id: BlockId,
    /// Indices of its instructions; never empty.
    pub instructions: Range<usize>,
}

/// A possible step from one block to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Its name.
    pub id: EdgeId,
    /// The block that is left.
    pub from: BlockId,
    /// The block that is entered.
    pub to: BlockId,
    /// When it is taken.
    pub kind: EdgeKind,
}

/// When an edge is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// The next instruction follows, also when a condition does not hold.
    Next,
    /// A condition holds.
    Taken,
    /// Always, by `goto`.
    Jump,
    /// A switch meets this key.
    Case(i32),
    /// A switch meets no key.
    Default,
    /// Into or out of a subroutine.
    Subroutine,
    /// The handler at this position of the exception table takes an exception.
    Exception(usize),
    /// The method returns.
    Return,
    /// `athrow` leaves the method.
    Throw,
}

impl EdgeKind {
    /// Whether the edge leads into an exception handler.
    pub fn is_exception(self) -> bool {
        matches!(self, Self::Exception(_))
    }
}

impl Cfg {
    /// Builds the graph.
    pub fn of(body: &MethodBody<'_>) -> Self {
        let (blocks, block_of) = split(body);
        let mut cfg = Self { blocks, block_of, edges: Vec::new(), first_edge: Vec::new() };
        let return_sites: Vec<usize> = subroutine_return_sites(body);
        let covering = covering_handlers(body, &cfg);
        for (position, handlers) in covering.into_iter().enumerate() {
            cfg.first_edge.push(cfg.edges.len());
            let Some(last) = cfg.blocks.get(position).and_then(|block| block.instructions.end.checked_sub(1))
            else {
                continue;
            };
            let from = BlockId(position as u32);
            cfg.add_normal_edges(body, from, last, &return_sites);
            for handler in handlers {
                let target = body.handlers().get(handler).and_then(|handler| cfg.block_at(handler.target));
                if let Some(to) = target {
                    cfg.add_edge(from, to, EdgeKind::Exception(handler));
                }
            }
        }
        cfg.first_edge.push(cfg.edges.len());
        cfg
    }

    /// Number of blocks, the exit not counted.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// The blocks in code order, without the exit.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = &Block> + Clone {
        self.blocks.iter()
    }

    /// A block; none for the exit.
    pub fn block(&self, id: BlockId) -> Option<&Block> {
        self.blocks.get(id.index())
    }

    /// The block, or the exit, at a position.
    pub fn block_id(&self, position: usize) -> Option<BlockId> {
        u32::try_from(position).ok().filter(|_| position <= self.blocks.len()).map(BlockId)
    }

    /// Where the method begins.
    pub fn entry(&self) -> BlockId {
        BlockId(0)
    }

    /// The virtual block that follows every return and every `athrow`.
    pub fn exit(&self) -> BlockId {
        BlockId(self.blocks.len() as u32)
    }

    /// The block of an instruction.
    pub fn block_at(&self, instruction: usize) -> Option<BlockId> {
        self.block_of.get(instruction).copied()
    }

    /// All edges in the order of their sources.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// An edge.
    pub fn edge(&self, id: EdgeId) -> Option<&Edge> {
        self.edges.get(id.0 as usize)
    }

    /// The edges that a flow follows.
    pub fn edges_along(&self, flow: Flow) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(move |edge| follows(flow, edge))
    }

    /// The edges that leave a block: those of its last instruction first, then the exceptional ones
    /// in table order.
    pub fn outgoing(&self, block: BlockId) -> &[Edge] {
        let bound = |position: usize| self.first_edge.get(position).copied().unwrap_or(self.edges.len());
        self.edges.get(bound(block.index())..bound(block.index() + 1)).unwrap_or_default()
    }

    /// Which blocks the entry reaches, the exit last.
    pub fn reachable(&self, flow: Flow) -> Vec<bool> {
        let mut reached = vec![false; self.blocks.len() + 1];
        let mut stack = vec![self.entry()];
        while let Some(block) = stack.pop() {
            if let Some(seen) = reached.get_mut(block.index()).filter(|seen| !**seen) {
                *seen = true;
                stack.extend(
                    self.outgoing(block).iter().filter(|edge| follows(flow, edge)).map(|edge| edge.to),
                );
            }
        }
        reached
    }

    /// The edges that close a cycle: those that lead back to a block from which a depth-first walk
    /// came. In code that compilers make from Java these are the edges from the end of a loop to
    /// its head.
    pub fn back_edges(&self, flow: Flow) -> Vec<EdgeId> {
        let mut walk =
            DepthFirst { state: vec![Visit::Unseen; self.blocks.len() + 1], back_edges: Vec::new() };
        for block in &self.blocks {
            walk.from(self, flow, block.id);
        }
        walk.back_edges.sort_unstable();
        walk.back_edges
    }

    /// The targets of [back edges](Self::back_edges) in code order.
    pub fn loop_heads(&self, flow: Flow) -> Vec<BlockId> {
        let back_edges = self.back_edges(flow);
        let mut heads: Vec<_> =
            back_edges.iter().filter_map(|&id| self.edge(id)).map(|edge| edge.to).collect();
        heads.sort_unstable();
        heads.dedup();
        heads
    }

    /// The blocks that hold an instruction of a line.
    pub fn blocks_of_line(&self, body: &MethodBody<'_>, line: u32) -> Vec<BlockId> {
        let mut blocks: Vec<_> = body
            .instructions_at_line(line)
            .into_iter()
            .flatten()
            .filter_map(|index| self.block_at(index))
            .collect();
        blocks.dedup();
        blocks
    }

    /// The lines of which a block holds an instruction, ascending.
    pub fn lines_of_block(&self, body: &MethodBody<'_>, block: BlockId) -> Vec<u32> {
        let instructions = self.block(block).map_or(0..0, |block| block.instructions.clone());
        let mut lines: Vec<_> = instructions.filter_map(|index| body.line_of(index)).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    fn add_normal_edges(
        &mut self,
        body: &MethodBody<'_>,
        from: BlockId,
        last: usize,
        return_sites: &[usize],
    ) {
        let Some(operation) = body.operation(last) else { return };
        match operation {
            Operation::Branch { target, .. } => {
                self.add_jump(from, last + 1, EdgeKind::Next);
                self.add_jump(from, *target, EdgeKind::Taken);
            }
            Operation::Goto { target } => self.add_jump(from, *target, EdgeKind::Jump),
            Operation::Subroutine { target } => self.add_jump(from, *target, EdgeKind::Subroutine),
            Operation::Switch(switch) => {
                for &(key, target) in &switch.cases {
                    self.add_jump(from, target, EdgeKind::Case(key));
                }
                self.add_jump(from, switch.default, EdgeKind::Default);
            }
            Operation::EndSubroutine { .. } if return_sites.is_empty() => {
                self.add_edge(from, self.exit(), EdgeKind::Subroutine);
            }
            Operation::EndSubroutine { .. } => {
                for &site in return_sites {
                    self.add_jump(from, site, EdgeKind::Subroutine);
                }
            }
            Operation::Return(_) => self.add_edge(from, self.exit(), EdgeKind::Return),
            Operation::Throw => self.add_edge(from, self.exit(), EdgeKind::Throw),
            // Dead code may run past the end; the exit stands for what would follow.
            _ if last + 1 == self.block_of.len() => self.add_edge(from, self.exit(), EdgeKind::Next),
            _ => self.add_jump(from, last + 1, EdgeKind::Next),
        }
    }

    fn add_jump(&mut self, from: BlockId, target: usize, kind: EdgeKind) {
        if let Some(to) = self.block_at(target) {
            self.add_edge(from, to, kind);
        }
    }

    fn add_edge(&mut self, from: BlockId, to: BlockId, kind: EdgeKind) {
        self.edges.push(Edge { id: EdgeId(self.edges.len() as u32), from, to, kind });
    }
}

fn follows(flow: Flow, edge: &Edge) -> bool {
    flow == Flow::WithExceptions || !edge.kind.is_exception()
}

/// The blocks, and the block of each instruction.
fn split(body: &MethodBody<'_>) -> (Vec<Block>, Vec<BlockId>) {
    let count = body.instructions().len();
    let mut leads = vec![false; count];
    let mut mark = |index: usize| {
        if let Some(lead) = leads.get_mut(index) {
            *lead = true;
        }
    };
    mark(0);
    for (index, instruction) in body.instructions().iter().enumerate() {
        let operation = &instruction.operation;
        operation.targets().for_each(&mut mark);
        if !operation.falls_through() || matches!(operation, Operation::Branch { .. }) {
            mark(index + 1);
        }
    }
    for handler in body.handlers() {
        [handler.covers.start, handler.covers.end, handler.target].into_iter().for_each(&mut mark);
    }
    let starts: Vec<usize> = (0..count).filter(|&index| leads.get(index) == Some(&true)).collect();
    let ends = starts.iter().skip(1).copied().chain([count]);
    let blocks: Vec<Block> = starts
        .iter()
        .zip(ends)
        .enumerate()
        .map(|(position, (&start, end))| Block { id: BlockId(position as u32), instructions: start..end })
        .collect();
    let block_of = blocks.iter().flat_map(|block| block.instructions.clone().map(|_| block.id)).collect();
    (blocks, block_of)
}

/// For each block the handlers that may take an exception from it, in table order.
fn covering_handlers(body: &MethodBody<'_>, cfg: &Cfg) -> Vec<Vec<usize>> {
    let mut covering: Vec<Vec<usize>> = vec![Vec::new(); cfg.block_count()];
    let mut caught_all = vec![false; cfg.block_count()];
    for (position, handler) in body.handlers().iter().enumerate() {
        let first = cfg.block_at(handler.covers.start).map_or(cfg.block_count(), BlockId::index);
        let end = cfg.block_at(handler.covers.end).map_or(cfg.block_count(), BlockId::index);
        for (list, caught_all) in covering.iter_mut().zip(&mut caught_all).take(end).skip(first) {
            if !*caught_all {
                list.push(position);
                *caught_all = handler.catch_type.is_none();
            }
        }
    }
    covering
}

fn subroutine_return_sites(body: &MethodBody<'_>) -> Vec<usize> {
    let is_call = |index: &usize| matches!(body.operation(*index), Some(Operation::Subroutine { .. }));
    (0..body.instructions().len()).filter(is_call).map(|index| index + 1).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    Unseen,
    Open,
    Done,
}

/// A depth-first walk that keeps its stack on the heap, for code can be deeper than ours.
struct DepthFirst {
    state: Vec<Visit>,
    back_edges: Vec<EdgeId>,
}

impl DepthFirst {
    fn from(&mut self, cfg: &Cfg, flow: Flow, root: BlockId) {
        if !self.open(root) {
            return;
        }
        let mut stack = vec![(root, cfg.outgoing(root).iter())];
        while let Some((block, edges)) = stack.last_mut() {
            let Some(edge) = edges.find(|edge| follows(flow, edge)) else {
                self.set(*block, Visit::Done);
                stack.pop();
                continue;
            };
            if self.state.get(edge.to.index()) == Some(&Visit::Open) {
                self.back_edges.push(edge.id);
            } else if self.open(edge.to) {
                stack.push((edge.to, cfg.outgoing(edge.to).iter()));
            }
        }
    }

    fn open(&mut self, block: BlockId) -> bool {
        let unseen = self.state.get(block.index()) == Some(&Visit::Unseen);
        if unseen {
            self.set(block, Visit::Open);
        }
        unseen
    }

    fn set(&mut self, block: BlockId, visit: Visit) {
        if let Some(state) = self.state.get_mut(block.index()) {
            *state = visit;
        }
    }
}
