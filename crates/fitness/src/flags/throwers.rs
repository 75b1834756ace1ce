//! Where exceptions come from that lead to a line through a handler.
//!
//! A log often shows only the exception that a handler makes of another, whose own trace was cut
//! off. Then any exception that the handler catches will do, and the decisions before the code that
//! throws one tell how near it was.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::throws::{Reason, implicit_exceptions, throw_sites};
use crashback_program::code::{
    BlockId, CallSite, Cfg, Flow, Handler, Instruction, MethodBody, Provenance, ValueOrigin,
};

use super::sources::callees;

/// How many calls below a handler's range exceptions are followed, and into how many methods in all.
const DEEPEST: u8 = 3;
const MOST_METHODS: usize = 32;

/// Types that so much is thrown of that only explicit `throw`s are worth following.
const GENERAL: [&str; 4] =
    ["java/lang/Throwable", "java/lang/Exception", "java/lang/RuntimeException", "java/lang/Error"];

/// The handlers that must be entered on the way to instructions, and the code that throws below
/// them.
#[derive(Clone, Debug, Default)]
pub(super) struct Throwers {
    pub(super) handlers: Vec<CatchingHandler>,
    /// What the methods below throw.
    pub(super) thrown: BTreeMap<MethodId, Vec<ThrowSource>>,
}

/// A handler that must be entered.
#[derive(Clone, Debug)]
pub(super) struct CatchingHandler {
    pub(super) method: MethodId,
    /// The instruction at which it begins.
    pub(super) target: usize,
    /// Internal name of the class that it catches.
    pub(super) catches: String,
    /// The instructions that it covers and that may throw.
    pub(super) sources: Vec<ThrowSource>,
}

/// An instruction that may throw.
#[derive(Clone, Debug)]
pub(super) struct ThrowSource {
    /// Its index.
    pub(super) at: usize,
    pub(super) thrown: Thrown,
}

/// What an instruction may throw.
#[derive(Clone, Debug)]
pub(super) enum Thrown {
    /// A new object of a class, given by its internal name.
    New(String),
    /// An exception of a class, if its operands are wrong.
    Implicit(&'static str),
    /// What one of these methods throws.
    By(Vec<MethodId>),
}

impl Thrown {
    /// Whether a handler catches it; none if that depends on the methods that are called.
    pub(super) fn is_caught(&self, classes: &Classes<'_>, catches: &str) -> Option<bool> {
        let class = match self {
            Self::New(class) => class,
            Self::Implicit(_) if GENERAL.contains(&catches) => return Some(false),
            Self::Implicit(class) => *class,
            Self::By(_) => return None,
        };
        Some(classes.hierarchy().is_subtype(class, catches) == Some(true))
    }
}

impl Throwers {
    /// Looks for handlers on the way to instructions of methods.
    pub(super) fn of<'f>(
        classes: &Classes<'_>,
        goals: impl IntoIterator<Item = (MethodId, &'f [usize])>,
    ) -> Self {
        let mut found = Self::default();
        for (method, instructions) in goals {
            let handlers = classes.with_body(method, |body| handlers(classes, method, body, instructions));
            found.handlers.extend(handlers.into_iter().flatten());
        }
        let sources = found.handlers.iter().flat_map(|it| &it.sources);
        let mut open: VecDeque<(MethodId, u8)> = called(sources).into_iter().map(|it| (it, 1)).collect();
        while let Some((method, depth)) = open.pop_front() {
            if found.thrown.contains_key(&method) || found.thrown.len() >= MOST_METHODS {
                continue;
            }
            let sources = classes.with_body(method, |body| throw_sources(classes, body, |_| true));
            let sources = sources.unwrap_or_default();
            if depth < DEEPEST {
                open.extend(called(&sources).into_iter().map(|it| (it, depth + 1)));
            }
            found.thrown.insert(method, sources);
        }
        found
    }

    /// The methods below the handlers.
    pub(super) fn methods(&self) -> impl Iterator<Item = MethodId> {
        self.thrown.keys().copied()
    }
}

fn called<'t>(sources: impl IntoIterator<Item = &'t ThrowSource>) -> BTreeSet<MethodId> {
    let methods = sources.into_iter().filter_map(|it| match &it.thrown {
        Thrown::By(methods) => Some(methods),
        Thrown::New(_) | Thrown::Implicit(_) => None,
    });
    methods.flatten().copied().collect()
}

/// The handlers of a method that must be entered before one of the instructions is reached.
fn handlers(
    classes: &Classes<'_>,
    method: MethodId,
    body: &MethodBody<'_>,
    instructions: &[usize],
) -> Vec<CatchingHandler> {
    let cfg = Cfg::of(body);
    let wanted: BTreeSet<BlockId> = instructions.iter().filter_map(|it| cfg.block_at(*it)).collect();
    let reached = cfg.reachable(Flow::Normal);
    let is_reached = |it: &BlockId| reached.get(it.index()).copied().unwrap_or(true);
    if wanted.is_empty() || wanted.iter().any(is_reached) {
        return Vec::new();
    }
    let leads_there =
        |it: &&Handler<'_>| cfg.block_at(it.target).is_some_and(|block| reaches(&cfg, block, &wanted));
    let handler = |it: &Handler<'_>| {
        let catches = it.catch_type?.to_str().into_owned();
        let sources = throw_sources(classes, body, |at| it.covers.contains(&at));
        Some(CatchingHandler { method, target: it.target, catches, sources })
    };
    body.handlers().iter().filter(leads_there).filter_map(handler).collect()
}

/// Whether normal flow leads from a block to one of others.
fn reaches(cfg: &Cfg, from: BlockId, wanted: &BTreeSet<BlockId>) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        if wanted.contains(&block) {
            return true;
        }
        if seen.insert(block) {
            open.extend(cfg.outgoing(block).iter().filter(|it| !it.kind.is_exception()).map(|it| it.to));
        }
    }
    false
}

/// The instructions among some of a body that may throw.
fn throw_sources(
    classes: &Classes<'_>,
    body: &MethodBody<'_>,
    is_asked: impl Fn(usize) -> bool,
) -> Vec<ThrowSource> {
    let cfg = Cfg::of(body);
    let mut sources = Vec::new();
    if let Ok(provenance) = Provenance::of(body, &cfg) {
        for site in throw_sites(body, &provenance) {
            if let ValueOrigin::New { class, .. } = site.thrown {
                sources.push(ThrowSource {
                    at: site.instruction,
                    thrown: Thrown::New(class.to_str().into_owned()),
                });
            }
        }
    }
    for (at, instruction) in body.instructions().iter().enumerate() {
        sources.extend(implicit(instruction).map(|it| ThrowSource { at, thrown: Thrown::Implicit(it) }));
        let methods = CallSite::at(body, at).and_then(|it| callees(classes, &it));
        sources.extend(methods.map(|it| ThrowSource { at, thrown: Thrown::By(it) }));
    }
    sources.retain(|it| is_asked(it.at));
    sources
}

/// The exceptions that an instruction throws if its operands are wrong.
fn implicit(instruction: &Instruction<'_>) -> impl Iterator<Item = &'static str> {
    let all = implicit_exceptions(instruction).into_iter();
    all.filter(|it| it.reason == Reason::Operands).map(|it| it.class)
}
