//! Dominators, post-dominators, control dependence and approach levels.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::dominators::simple_fast;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Reversed;

use super::cfg::{BlockId, Cfg, Edge, EdgeId};

/// Which edges of a control-flow graph an analysis follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// All edges but those into exception handlers.
    Normal,
    /// All edges.
    WithExceptions,
}

/// The dominator tree of the blocks that the entry reaches along a flow.
#[derive(Clone, Debug)]
pub struct Dominators {
    tree: Tree,
}

impl Dominators {
    /// Computes the tree (Cooper, Harvey and Kennedy: A Simple, Fast Dominance Algorithm).
    pub fn of(cfg: &Cfg, flow: Flow) -> Self {
        let graph = graph_of(cfg, flow, &[]);
        let found = simple_fast(&graph, node(cfg.entry()));
        Self { tree: Tree::new(cfg, cfg.entry(), |block| found.immediate_dominator(node(block))) }
    }

    /// The closest block that every way from the entry to `block` passes before it; none for the
    /// entry and for blocks that the flow does not reach.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.tree.parent(block)
    }

    /// Whether every way from the entry to `block` passes `dominator`; a reached block dominates
    /// itself.
    pub fn dominates(&self, dominator: BlockId, block: BlockId) -> bool {
        self.tree.is_ancestor(dominator, block)
    }
}

/// The post-dominator tree of all blocks, rooted in the virtual exit.
///
/// Endless loops are connected to the exit: of each strongly connected component that no edge
/// leaves, the first loop head in block order is taken to have a pseudo edge to the exit. Thus
/// every block has a post-dominator, and inside an endless loop the head plays the part of the
/// loop's end.
#[derive(Clone, Debug)]
pub struct PostDominators {
    tree: Tree,
    pseudo_exits: Vec<BlockId>,
}

impl PostDominators {
    /// Computes the tree as the dominators of the reversed graph.
    pub fn of(cfg: &Cfg, flow: Flow) -> Self {
        let pseudo_exits = pseudo_exits(cfg, flow);
        let graph = graph_of(cfg, flow, &pseudo_exits);
        let found = simple_fast(Reversed(&graph), node(cfg.exit()));
        let tree = Tree::new(cfg, cfg.exit(), |block| found.immediate_dominator(node(block)));
        Self { tree, pseudo_exits }
    }

    /// The closest block that every way from `block` to the exit passes after it; none for the exit
    /// alone.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.tree.parent(block)
    }

    /// Whether every way from `block` to the exit passes `post_dominator`; a block post-dominates
    /// itself.
    pub fn post_dominates(&self, post_dominator: BlockId, block: BlockId) -> bool {
        self.tree.is_ancestor(post_dominator, block)
    }

    /// The heads of endless loops that were connected to the exit.
    pub fn pseudo_exits(&self) -> &[BlockId] {
        &self.pseudo_exits
    }
}

/// For each block the edges that decide whether it is executed.
///
/// A block depends on an edge when it post-dominates the edge's target but does not strictly
/// post-dominate its source (Ferrante, Ottenstein and Warren: The Program Dependence Graph and Its
/// Use in Optimization). With [`Flow::Normal`], exceptional edges count in one place only: a block
/// that the entry reaches through handlers alone depends on the exceptional edges into them, for
/// nothing else leads there. An edge without an alternative decides nothing and is left out,
/// although the pseudo edges of endless loops would make some of them count.
#[derive(Clone, Debug)]
pub struct ControlDependence {
    controllers: Vec<Vec<EdgeId>>,
}

impl ControlDependence {
    /// Computes the relation for all blocks.
    pub fn of(cfg: &Cfg, flow: Flow) -> Self {
        let post = PostDominators::of(cfg, flow);
        let reached = cfg.reachable(flow);
        let mut controllers = vec![Vec::new(); cfg.block_count()];
        for edge in cfg.edges().iter().filter(|edge| decides(cfg, edge, flow)) {
            let followed = flow == Flow::WithExceptions || !edge.kind.is_exception();
            let strictly_after = |block| block != edge.from && post.post_dominates(block, edge.from);
            let mut current = Some(edge.to);
            while let Some(block) = current.filter(|&block| !strictly_after(block) && block != cfg.exit()) {
                let only_by_handlers = !reached.get(block.index()).copied().unwrap_or(false);
                if let Some(list) =
                    controllers.get_mut(block.index()).filter(|_| followed || only_by_handlers)
                {
                    list.push(edge.id);
                }
                current = post.immediate(block);
            }
        }
        Self { controllers }
    }

    /// The edges on which a block depends directly, in the order of their sources.
    pub fn controllers(&self, block: BlockId) -> &[EdgeId] {
        self.controllers.get(block.index()).map_or(&[], Vec::as_slice)
    }

    /// How far each controlling edge is from the nearest of the given blocks.
    pub fn approach(&self, cfg: &Cfg, targets: impl IntoIterator<Item = BlockId>) -> ApproachLevels {
        let targets: BTreeSet<BlockId> = targets.into_iter().collect();
        let mut levels = BTreeMap::new();
        let mut seen = targets.clone();
        let mut frontier: Vec<BlockId> = targets.iter().copied().collect();
        let mut level = 0;
        while !frontier.is_empty() {
            let mut next = Vec::new();
            for edge in frontier.iter().flat_map(|&block| self.controllers(block)) {
                levels.entry(*edge).or_insert(level);
                let source = cfg.edge(*edge).map(|edge| edge.from);
                next.extend(source.filter(|&block| seen.insert(block)));
            }
            frontier = next;
            level += 1;
        }
        ApproachLevels { targets, levels }
    }
}

/// The controlling edges of a set of target blocks, each with its approach level: how many further
/// controlling edges an execution still has to take once it has taken this one (McMinn:
/// Search-Based Software Test Data Generation).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApproachLevels {
    targets: BTreeSet<BlockId>,
    levels: BTreeMap<EdgeId, u32>,
}

/// How close an execution came to a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closeness {
    /// A target block was executed.
    Reached,
    /// The execution reached the source of this controlling edge and left by another one.
    Missed {
        /// The edge that leads on to the target.
        edge: EdgeId,
        /// Its approach level.
        level: u32,
    },
    /// No block that decides on the target was executed.
    Far,
}

impl ApproachLevels {
    /// The blocks that are approached.
    pub fn targets(&self) -> &BTreeSet<BlockId> {
        &self.targets
    }

    /// All edges that decide on the targets, with their levels.
    pub fn edges(&self) -> impl Iterator<Item = (EdgeId, u32)> + '_ {
        self.levels.iter().map(|(&edge, &level)| (edge, level))
    }

    /// One more than the largest level: the distance of an execution that never came near.
    pub fn depth(&self) -> u32 {
        self.levels.values().max().map_or(0, |level| level + 1)
    }

    /// The place where an execution came closest to a target, given which blocks it executed; of
    /// equally close edges the first.
    pub fn closest(&self, cfg: &Cfg, executed: impl Fn(BlockId) -> bool) -> Closeness {
        if self.targets.iter().any(|&block| executed(block)) {
            return Closeness::Reached;
        }
        self.edges()
            .filter(|&(edge, _)| cfg.edge(edge).is_some_and(|edge| executed(edge.from)))
            .min_by_key(|&(_, level)| level)
            .map_or(Closeness::Far, |(edge, level)| Closeness::Missed { edge, level })
    }
}

/// A tree over the blocks and the exit, with pre-order intervals that answer ancestor queries in
/// constant time.
#[derive(Clone, Debug)]
struct Tree {
    parents: Vec<Option<BlockId>>,
    /// First and one past the last pre-order number of the subtree; empty for what is not in the
    /// tree.
    intervals: Vec<(u32, u32)>,
}

impl Tree {
    fn new(cfg: &Cfg, root: BlockId, parent: impl Fn(BlockId) -> Option<NodeIndex>) -> Self {
        let nodes = || cfg.blocks().map(|block| block.id).chain([cfg.exit()]);
        let parents: Vec<Option<BlockId>> =
            nodes().map(|block| parent(block).and_then(|found| cfg.block_id(found.index()))).collect();
        let mut children = vec![Vec::new(); parents.len()];
        for block in nodes() {
            let parent = parents.get(block.index()).copied().flatten();
            if let Some(list) = parent.and_then(|parent| children.get_mut(parent.index())) {
                list.push(block);
            }
        }
        let intervals = intervals(root, &children);
        Self { parents, intervals }
    }

    fn parent(&self, block: BlockId) -> Option<BlockId> {
        self.parents.get(block.index()).copied().flatten()
    }

    fn is_ancestor(&self, ancestor: BlockId, block: BlockId) -> bool {
        let interval = |block: BlockId| self.intervals.get(block.index()).copied().unwrap_or((0, 0));
        let ((first, end), (number, own_end)) = (interval(ancestor), interval(block));
        number < own_end && first <= number && number < end
    }
}

/// Numbers a tree in pre-order without recursion.
fn intervals(root: BlockId, children: &[Vec<BlockId>]) -> Vec<(u32, u32)> {
    let mut intervals = vec![(0, 0); children.len()];
    let mut number = 0;
    let mut stack = vec![(root, false)];
    while let Some((block, done)) = stack.pop() {
        let Some(interval) = intervals.get_mut(block.index()) else { continue };
        if done {
            interval.1 = number;
            continue;
        }
        interval.0 = number;
        number += 1;
        stack.push((block, true));
        stack.extend(children.get(block.index()).into_iter().flatten().map(|&child| (child, false)));
    }
    intervals
}

/// Whether there is a choice where an edge begins.
fn decides(cfg: &Cfg, edge: &Edge, flow: Flow) -> bool {
    let choices = cfg
        .outgoing(edge.from)
        .iter()
        .filter(|edge| flow == Flow::WithExceptions || !edge.kind.is_exception());
    edge.kind.is_exception() || choices.take(2).count() > 1
}

fn node(block: BlockId) -> NodeIndex {
    NodeIndex::new(block.index())
}

fn graph_of(cfg: &Cfg, flow: Flow, pseudo_exits: &[BlockId]) -> DiGraph<(), ()> {
    let mut graph = DiGraph::with_capacity(cfg.block_count() + 1, cfg.edges().len());
    for _ in 0..=cfg.block_count() {
        graph.add_node(());
    }
    for edge in cfg.edges_along(flow) {
        graph.add_edge(node(edge.from), node(edge.to), ());
    }
    for &block in pseudo_exits {
        graph.add_edge(node(block), node(cfg.exit()), ());
    }
    graph
}

/// One loop head of each endless loop that cannot be left: a strongly connected component without a
/// way out.
fn pseudo_exits(cfg: &Cfg, flow: Flow) -> Vec<BlockId> {
    let graph = graph_of(cfg, flow, &[]);
    let mut component_of = vec![0; cfg.block_count() + 1];
    let components = kosaraju_scc(&graph);
    for (number, component) in components.iter().enumerate() {
        for member in component {
            if let Some(slot) = component_of.get_mut(member.index()) {
                *slot = number;
            }
        }
    }
    let number_of = |block: BlockId| component_of.get(block.index()).copied().unwrap_or(0);
    let mut leaves = vec![false; components.len()];
    for edge in cfg.edges_along(flow).filter(|edge| number_of(edge.from) != number_of(edge.to)) {
        if let Some(slot) = leaves.get_mut(number_of(edge.from)) {
            *slot = true;
        }
    }
    // The first head seen stands for its component, which from then on counts as one that is left.
    let mut first =
        |head: &BlockId| leaves.get_mut(number_of(*head)).is_some_and(|slot| !std::mem::replace(slot, true));
    cfg.loop_heads(flow).into_iter().filter(|head| first(head)).collect()
}
