//! Properties that hold for every method of the JDK's base module, checked against definitions
//! computed naively.

use std::collections::{BTreeMap, BTreeSet};

use crashback_classfile::{Attribute, ClassFile, JavaStr, Location, Member, StackMapFrame, VerificationType};
use crashback_program::code::{
    BlockId, Cfg, ControlDependence, Definition, Dominators, Edge, EdgeId, EdgeKind, Flow, Kind,
    LocalVariables, MethodBody, Outcome, PostDominators, Provenance, backward_slice, branch_operands,
    call_sites, fate_of, mentions,
};

use crate::support::jdk_classes;

const FLOWS: [Flow; 2] = [Flow::Normal, Flow::WithExceptions];

/// Up to this size the naive algorithms are affordable.
const SMALL: usize = 60;

#[test]
fn every_method_of_java_base_keeps_the_invariants() {
    let (mut methods, mut stray_frames) = (0, 0);
    jdk_classes("java.base", |name, bytes| {
        let class = ClassFile::parse(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        for method in &class.methods {
            let context = format!("{name} {}", method.name(&class.pool).unwrap());
            let body = MethodBody::of(&class, method).unwrap_or_else(|error| panic!("{context}: {error}"));
            let Some(body) = body else { continue };
            let cfg = Cfg::of(&body);
            blocks_partition_the_code(&body, &cfg, &context);
            let frames = stack_map(&class, method, &body);
            stray_frames += frames_inside_blocks(&frames, &cfg, &context);
            let provenance = Provenance::of(&body, &cfg).unwrap_or_else(|error| panic!("{context}: {error}"));
            stack_depths_fit(&frames, &provenance, &context);
            calls_have_their_operands(&provenance, &context);
            every_exception_has_a_fate(&provenance, &context);
            branch_operands_fit(&provenance, &LocalVariables::of(&class, method).unwrap(), &context);
            if cfg.block_count() <= SMALL {
                FLOWS.into_iter().for_each(|flow| dominance_is_by_definition(&cfg, flow, &context));
            }
            methods += 1;
        }
    });
    assert!(methods > 50_000, "only {methods} methods were seen");
    assert!(stray_frames < methods / 500, "{stray_frames} stack map frames lie inside blocks");
}

/// Types of what jumps compare agree with the stack, and slices of jumps are closed: each step leads from an
/// instruction one step nearer.
fn branch_operands_fit(provenance: &Provenance<'_, '_>, variables: &LocalVariables<'_>, context: &str) {
    let operands = branch_operands(provenance, variables);
    for operand in &operands {
        let is_reference = operand.kind == Kind::Reference;
        let described = operand.descriptor.as_deref().map(|it| it.starts_with(['L', '[']));
        assert!(described.is_none_or(|it| it == is_reference), "{context}: {operand:?}");
        assert!(!operand.has_point || !is_reference, "{context}: {operand:?}");
    }
    let Some(first) = operands.first().filter(|_| provenance.cfg().block_count() <= SMALL) else { return };
    let control = ControlDependence::of(provenance.cfg(), Flow::Normal);
    let slice = backward_slice(provenance, &control, [first.jump]);
    for (&instruction, &steps) in &slice {
        let leads_here = |(from, nearer): (&usize, &u32)| {
            let makes = Definition::Instruction(instruction);
            let is_operand = || provenance.operands(*from).any(|it| it.definitions.contains(&makes));
            let decides = || {
                let block = provenance.cfg().block_at(*from).unwrap();
                let edges =
                    control.controllers(block).iter().map(|it| provenance.cfg().edge(*it).unwrap().from);
                edges
                    .map(|it| provenance.cfg().block(it).unwrap().instructions.end - 1)
                    .any(|it| it == instruction)
            };
            nearer + 1 == steps && (is_operand() || decides())
        };
        assert!(steps == 0 || slice.iter().any(leads_here), "{context}: {instruction} in {slice:?}");
    }
}

fn blocks_partition_the_code(body: &MethodBody<'_>, cfg: &Cfg, context: &str) {
    let mut next = 0;
    for block in cfg.blocks() {
        assert_eq!(block.instructions.start, next, "{context}");
        assert!(!block.instructions.is_empty(), "{context}");
        next = block.instructions.end;
        for index in block.instructions.clone() {
            assert_eq!(cfg.block_at(index), Some(block.id), "{context}");
        }
        for handler in body.handlers() {
            let inside = |index| handler.covers.contains(&index);
            assert_eq!(inside(block.instructions.start), inside(block.instructions.end - 1), "{context}");
        }
        assert!(!cfg.outgoing(block.id).is_empty(), "{context}: a block without a way out");
        assert!(cfg.outgoing(block.id).iter().all(|edge| edge.from == block.id), "{context}");
    }
    assert_eq!(next, body.instructions().len(), "{context}");
    for line in body.lines() {
        for block in cfg.blocks_of_line(body, line) {
            assert!(cfg.lines_of_block(body, block).contains(&line), "{context}");
        }
    }
}

/// The stack map frames (JVMS 4.7.4) of a method: index of the instruction and slots on the operand
/// stack.
fn stack_map(class: &ClassFile<'_>, method: &Member<'_>, body: &MethodBody<'_>) -> BTreeMap<usize, u16> {
    let code = method.code(&class.pool).unwrap().unwrap();
    let Some(attribute) = code.attribute(&class.pool, "StackMapTable") else { return BTreeMap::new() };
    let Ok(Attribute::StackMapTable(frames)) = attribute.decode(&class.pool, Location::Code) else {
        panic!("a stack map that cannot be read")
    };
    let slots = |stack: &[VerificationType]| {
        let wide =
            |value: &&VerificationType| matches!(value, VerificationType::Long | VerificationType::Double);
        (stack.len() + stack.iter().filter(wide).count()) as u16
    };
    let mut next = 0;
    let mut found = BTreeMap::new();
    for frame in frames {
        let offset = next + u32::from(frame.offset_delta());
        next = offset + 1;
        let depth = match &frame {
            StackMapFrame::SameLocals1StackItem { stack, .. }
            | StackMapFrame::SameLocals1StackItemExtended { stack, .. } => slots(std::slice::from_ref(stack)),
            StackMapFrame::Full { stack, .. } => slots(stack),
            _ => 0,
        };
        found.insert(body.index_at(offset).expect("frames lie at instructions"), depth);
    }
    found
}

/// Counts stack map frames that do not begin a block: the compiler writes one for a loop head even
/// if the loop turns out never to jump back. In the other direction there is no exception (JVMS
/// 4.10.1): whatever is jumped to has a frame.
fn frames_inside_blocks(frames: &BTreeMap<usize, u16>, cfg: &Cfg, context: &str) -> usize {
    for edge in cfg.edges().iter().filter(|edge| edge.kind != EdgeKind::Next && edge.to != cfg.exit()) {
        let target = cfg.block(edge.to).unwrap().instructions.start;
        assert!(frames.contains_key(&target), "{context}: {edge:?} leads to a place without a frame");
    }
    let begins_block = |index| cfg.block(cfg.block_at(index).unwrap()).unwrap().instructions.start == index;
    frames.keys().filter(|index| !begins_block(**index)).count()
}

fn stack_depths_fit(frames: &BTreeMap<usize, u16>, provenance: &Provenance<'_, '_>, context: &str) {
    let (body, cfg) = (provenance.body(), provenance.cfg());
    let reached = cfg.reachable(Flow::WithExceptions);
    for index in 0..body.instructions().len() {
        let block = cfg.block_at(index).unwrap();
        assert_eq!(provenance.is_reached(index), reached[block.index()], "{context}: instruction {index}");
        let depth = provenance.stack_depth(index);
        assert!(depth.is_none_or(|depth| depth <= body.max_stack()), "{context}: {depth:?} at {index}");
        if let (Some(depth), Some(expected)) = (depth, frames.get(&index)) {
            assert_eq!(depth, *expected, "{context}: instruction {index}");
        }
    }
}

fn calls_have_their_operands(provenance: &Provenance<'_, '_>, context: &str) {
    for call in call_sites(provenance.body()).filter(|call| provenance.is_reached(call.instruction)) {
        let arguments = provenance.arguments_of(call.instruction).len();
        assert_eq!(arguments, call.signature.parameters().count(), "{context}: call at {}", call.instruction);
        assert_eq!(provenance.receiver_of(call.instruction).is_some(), call.has_receiver(), "{context}");
    }
    let last = mentions(provenance.body()).into_iter().map(|mention| mention.instruction).max();
    assert!(last.is_none_or(|last| last < provenance.body().instructions().len()), "{context}");
}

/// With a hierarchy that knows nothing, an exception may always escape what does not catch
/// everything.
fn every_exception_has_a_fate(provenance: &Provenance<'_, '_>, context: &str) {
    let body = provenance.body();
    for call in call_sites(body).step_by(5) {
        let fate = fate_of(provenance, call.instruction, "java/lang/Exception", &|_, _| None);
        let fate = fate.unwrap_or_else(|error| panic!("{context}: {error}"));
        assert!(!fate.outcomes.is_empty(), "{context}: call at {}", call.instruction);
        let catch_all = |class: JavaStr<'_>| class == "java/lang/Throwable";
        let all_caught =
            body.handlers_at(call.instruction).any(|(_, handler)| handler.catch_type.is_none_or(catch_all));
        assert!(
            all_caught || fate.outcomes.contains(&Outcome::Escapes),
            "{context}: call at {}",
            call.instruction
        );
        assert_eq!(
            fate.handlers.is_empty(),
            body.handlers_at(call.instruction).next().is_none(),
            "{context}"
        );
    }
}

fn dominance_is_by_definition(cfg: &Cfg, flow: Flow, context: &str) {
    let nodes: Vec<BlockId> = (0..=cfg.block_count()).filter_map(|position| cfg.block_id(position)).collect();
    let forward = Graph::new(cfg, flow, &[]);
    let dominators = Dominators::of(cfg, flow);
    let reached = forward.reach(cfg.entry(), None);
    for &a in &nodes {
        let without = forward.reach(cfg.entry(), Some(a));
        for &b in &nodes {
            let expected = reached.contains(&b) && !without.contains(&b);
            assert_eq!(
                dominators.dominates(a, b),
                expected,
                "{context}: {a:?} dominates {b:?} along {flow:?}"
            );
        }
    }
    let post = PostDominators::of(cfg, flow);
    let backward = Graph::new(cfg, flow, post.pseudo_exits()).reversed(cfg);
    let mut post_dominates = vec![BTreeSet::new(); nodes.len()];
    for &a in &nodes {
        let without = backward.reach(cfg.exit(), Some(a));
        for &b in &nodes {
            if !without.contains(&b) {
                post_dominates[a.index()].insert(b);
            }
            assert_eq!(
                post.post_dominates(a, b),
                !without.contains(&b),
                "{context}: {a:?} after {b:?} ({flow:?})"
            );
        }
    }
    for block in cfg.blocks() {
        assert!(post.immediate(block.id).is_some(), "{context}: {:?} has no post-dominator", block.id);
        let dominated = dominators.immediate(block.id).is_some();
        assert_eq!(dominated, reached.contains(&block.id) && block.id != cfg.entry(), "{context}");
    }
    control_dependence_is_by_definition(cfg, flow, &post_dominates, &reached, context);
}

fn control_dependence_is_by_definition(
    cfg: &Cfg,
    flow: Flow,
    post_dominates: &[BTreeSet<BlockId>],
    reached: &BTreeSet<BlockId>,
    context: &str,
) {
    let dependence = ControlDependence::of(cfg, flow);
    let choices = |block| cfg.edges_along(flow).filter(|edge| edge.from == block).count();
    let decides = |edge: &&Edge| edge.kind.is_exception() || choices(edge.from) > 1;
    let deciding: Vec<&Edge> = cfg.edges().iter().filter(decides).collect();
    for block in cfg.blocks() {
        let before = &post_dominates[block.id.index()];
        let depends = |edge: &&&Edge| {
            let followed =
                flow == Flow::WithExceptions || !edge.kind.is_exception() || !reached.contains(&block.id);
            let strictly_after_source = block.id != edge.from && before.contains(&edge.from);
            followed && before.contains(&edge.to) && !strictly_after_source
        };
        let expected: Vec<EdgeId> = deciding.iter().filter(depends).map(|edge| edge.id).collect();
        assert_eq!(dependence.controllers(block.id), expected, "{context}: {:?} along {flow:?}", block.id);
    }
}

/// Successors of each block.
struct Graph(Vec<Vec<BlockId>>);

impl Graph {
    fn new(cfg: &Cfg, flow: Flow, pseudo_exits: &[BlockId]) -> Self {
        let mut graph = Self(vec![Vec::new(); cfg.block_count() + 1]);
        for edge in cfg.edges_along(flow) {
            graph.0[edge.from.index()].push(edge.to);
        }
        for head in pseudo_exits {
            graph.0[head.index()].push(cfg.exit());
        }
        graph
    }

    fn reversed(self, cfg: &Cfg) -> Self {
        let mut reversed = Self(vec![Vec::new(); self.0.len()]);
        for (from, successors) in self.0.iter().enumerate() {
            for to in successors {
                reversed.0[to.index()].push(cfg.block_id(from).unwrap());
            }
        }
        reversed
    }

    /// What can be reached, with one node taken out.
    fn reach(&self, root: BlockId, without: Option<BlockId>) -> BTreeSet<BlockId> {
        let mut reached = BTreeSet::new();
        let mut stack = vec![root];
        while let Some(block) = stack.pop() {
            if Some(block) != without && reached.insert(block) {
                stack.extend(&self.0[block.index()]);
            }
        }
        reached
    }
}
