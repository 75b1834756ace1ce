//! Code that no Java compiler makes: old subroutines, broken jumps, damaged classes.

use crashback_classfile::ClassFile;
use crashback_program::code::{
    Cfg, ControlDependence, Dominators, Edge, EdgeKind, Error, Flow, MethodBody, Provenance, fate_of,
    mentions,
};

use crate::support::jdk_classes;

/// A class with one method `static int m(int)`.
struct Assembly {
    code: Vec<u8>,
    max_stack: u16,
    max_locals: u16,
    /// Start, end, target; all of them catch everything.
    handlers: Vec<[u16; 3]>,
}

impl Assembly {
    fn of(code: &[u8]) -> Self {
        Self { code: code.to_vec(), max_stack: 4, max_locals: 2, handlers: Vec::new() }
    }

    fn handler(mut self, start: u16, end: u16, target: u16) -> Self {
        self.handlers.push([start, end, target]);
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 49, 0, 8];
        let text = |out: &mut Vec<u8>, text: &str| {
            out.extend([1, 0, text.len() as u8]);
            out.extend(text.as_bytes());
        };
        text(&mut out, "T");
        out.extend([7, 0, 1]);
        text(&mut out, "java/lang/Object");
        out.extend([7, 0, 3]);
        text(&mut out, "m");
        text(&mut out, "(I)I");
        text(&mut out, "Code");
        // Flags, this, super, no interfaces, no fields, one method: flags, name, descriptor, one
        // attribute.
        out.extend([0, 0x21, 0, 2, 0, 4, 0, 0, 0, 0, 0, 1, 0, 8, 0, 5, 0, 6, 0, 1, 0, 7]);
        let length = 12 + self.code.len() + 8 * self.handlers.len();
        out.extend((length as u32).to_be_bytes());
        out.extend(self.max_stack.to_be_bytes());
        out.extend(self.max_locals.to_be_bytes());
        out.extend((self.code.len() as u32).to_be_bytes());
        out.extend(&self.code);
        out.extend((self.handlers.len() as u16).to_be_bytes());
        for handler in &self.handlers {
            handler.iter().for_each(|offset| out.extend(offset.to_be_bytes()));
            out.extend([0, 0]);
        }
        out.extend([0, 0, 0, 0]);
        out
    }

    /// The first error that analysing the method meets.
    fn error(&self) -> Option<Error> {
        let bytes = self.bytes();
        let class = ClassFile::parse(&bytes).expect("the frame of the class is sound");
        let body = match MethodBody::of(&class, &class.methods[0]) {
            Ok(body) => body.expect("a body"),
            Err(error) => return Some(error),
        };
        Provenance::of(&body, &Cfg::of(&body)).err()
    }
}

const NOP: u8 = 0x00;
const ICONST_0: u8 = 0x03;
const LCONST_0: u8 = 0x09;
const ILOAD_0: u8 = 0x1a;
const ASTORE_1: u8 = 0x4c;
const ISTORE: u8 = 0x36;
const POP: u8 = 0x57;
const DUP: u8 = 0x59;
const IADD: u8 = 0x60;
const IFEQ: u8 = 0x99;
const GOTO: u8 = 0xa7;
const JSR: u8 = 0xa8;
const RET: u8 = 0xa9;
const IRETURN: u8 = 0xac;
const ATHROW: u8 = 0xbf;

#[test]
fn broken_code_is_an_error() {
    let check =
        |assembly: Assembly, expect: Error| assert_eq!(assembly.error(), Some(expect), "{:?}", assembly.code);
    assert_eq!(Assembly::of(&[ILOAD_0, IRETURN]).error(), None);
    check(Assembly::of(&[]), Error::Empty);
    check(Assembly::of(&[NOP]), Error::FallsOffEnd);
    check(Assembly::of(&[ILOAD_0, IFEQ, 0xff, 0xff]), Error::FallsOffEnd);
    check(Assembly::of(&[JSR, 0, 0]), Error::FallsOffEnd);
    // Some compilers leave dead code behind the last return.
    assert_eq!(Assembly::of(&[ILOAD_0, IRETURN, NOP]).error(), None);
    check(Assembly::of(&[GOTO, 0, 1]), Error::BadTarget { offset: 0, target: 1 });
    check(Assembly::of(&[GOTO, 0xff, 0xff]), Error::BadTarget { offset: 0, target: -1 });
    check(Assembly::of(&[ILOAD_0, IRETURN]).handler(0, 9, 0), Error::BadHandler(0));
    check(Assembly::of(&[ILOAD_0, IRETURN]).handler(1, 1, 0), Error::BadHandler(0));
    check(Assembly::of(&[ILOAD_0, IRETURN]).handler(0, 2, 2), Error::BadHandler(0));
    assert_eq!(Assembly::of(&[ILOAD_0, IRETURN, ATHROW]).handler(0, 2, 2).error(), None);
    check(Assembly::of(&[POP, ICONST_0, IRETURN]), Error::StackMismatch(0));
    check(Assembly::of(&[LCONST_0, POP, ICONST_0, IRETURN]), Error::StackMismatch(1));
    check(Assembly::of(&[LCONST_0, IRETURN]), Error::StackMismatch(1));
    check(Assembly::of(&[ICONST_0, LCONST_0, IADD, IRETURN]), Error::StackMismatch(2));
    check(Assembly::of(&[ICONST_0, ISTORE, 7, ICONST_0, IRETURN]), Error::BadLocal(1));
    // A loop that pushes one value on each round.
    check(Assembly::of(&[ICONST_0, GOTO, 0xff, 0xff]), Error::StackMerge(0));
    let class_file = Assembly::of(&[0xfe]).error();
    assert!(matches!(class_file, Some(Error::ClassFile(_))), "{class_file:?}");
}

#[test]
fn subroutines_return_behind_their_calls() {
    // Two calls of the subroutine at 8, and what follows them.
    let code = [JSR, 0, 8, JSR, 0, 5, ICONST_0, IRETURN, ASTORE_1, RET, 1];
    let bytes = Assembly::of(&code).bytes();
    let class = ClassFile::parse(&bytes).unwrap();
    let body = MethodBody::of(&class, &class.methods[0]).unwrap().unwrap();
    let cfg = Cfg::of(&body);
    let place = |edge: &Edge| {
        let offset = |id| cfg.block(id).map(|block| body.instructions()[block.instructions.start].offset);
        (offset(edge.from), offset(edge.to), edge.kind)
    };
    let edges: Vec<_> = cfg.edges().iter().map(place).collect();
    assert_eq!(
        edges,
        [
            (Some(0), Some(8), EdgeKind::Subroutine),
            (Some(3), Some(8), EdgeKind::Subroutine),
            (Some(6), None, EdgeKind::Return),
            (Some(8), Some(3), EdgeKind::Subroutine),
            (Some(8), Some(6), EdgeKind::Subroutine),
        ]
    );
    let provenance = Provenance::of(&body, &cfg).unwrap();
    assert!((0..body.instructions().len()).all(|index| provenance.is_reached(index)));
}

#[test]
fn deep_and_long_code_is_no_problem() {
    // As many nested conditions as fit: each jumps to the end.
    let branches = 10_000_u32;
    let mut code = Vec::new();
    for branch in 0..branches {
        let wide = (branches - branch) * 4;
        // The distances of 16 bits do not reach; every branch leads to the next one instead, which
        // is a deep chain as well.
        let distance = if wide - 1 < 0x7fff { (wide - 1) as u16 } else { 3 };
        code.push(ILOAD_0);
        code.push(IFEQ);
        code.extend(distance.to_be_bytes());
    }
    code.extend([ICONST_0, DUP, POP, IRETURN]);
    let bytes = Assembly::of(&code).bytes();
    let class = ClassFile::parse(&bytes).unwrap();
    let body = MethodBody::of(&class, &class.methods[0]).unwrap().unwrap();
    let cfg = Cfg::of(&body);
    assert_eq!(cfg.block_count(), branches as usize + 1);
    let dependence = ControlDependence::of(&cfg, Flow::Normal);
    let last = cfg.blocks().last().unwrap().id;
    assert!(Dominators::of(&cfg, Flow::Normal).dominates(cfg.entry(), last));
    assert!(dependence.controllers(last).is_empty());
    // Of the branches that reach the end, all but the last decide on the last.
    let reaching = 0x7fff / 4;
    let before_last = cfg.block_id(cfg.block_count() - 2).unwrap();
    assert_eq!(dependence.approach(&cfg, [before_last]).depth(), reaching - 1);
    assert!(Provenance::of(&body, &cfg).unwrap().is_reached(body.instructions().len() - 1));
}

/// Whatever the bytes are, the answer is a result or an error.
#[test]
fn damaged_classes_never_panic() {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below as u64) as usize
    };
    let mut analysed = 0;
    jdk_classes("java.base", |name, bytes| {
        if !name.starts_with("java/util/") || bytes.len() > 20_000 {
            return;
        }
        for _ in 0..3 {
            let mut damaged = bytes.to_vec();
            for _ in 0..1 + random(8) {
                let at = random(damaged.len());
                damaged[at] = random(256) as u8;
            }
            analysed += usize::from(analyse_everything(&damaged));
        }
    });
    assert!(analysed > 100, "only {analysed} damaged classes could be read at all");
}

/// Whether the bytes were a class; all its methods are analysed in every way.
fn analyse_everything(bytes: &[u8]) -> bool {
    let Ok(class) = ClassFile::parse(bytes) else { return false };
    for method in &class.methods {
        let Ok(Some(body)) = MethodBody::of(&class, method) else { continue };
        mentions(&body);
        let cfg = Cfg::of(&body);
        ControlDependence::of(&cfg, Flow::WithExceptions);
        let Ok(provenance) = Provenance::of(&body, &cfg) else { continue };
        for index in (0..body.instructions().len()).step_by(7) {
            // An error is an answer as well.
            let _ = fate_of(&provenance, index, "java/lang/Exception", &|_, _| None);
        }
    }
    true
}
