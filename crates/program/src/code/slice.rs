//! Backward slices within a method.

use std::collections::{BTreeMap, VecDeque};

use super::dominance::ControlDependence;
use super::provenance::{Definition, Provenance};

/// The instructions on which some instructions depend, themselves included, each with the fewest steps
/// that lead there (Weiser: Program Slicing). A step leads from an instruction to one that makes an
/// operand of it, or to the end of a block that decides whether it runs.
///
/// Changes of objects are not followed: what was written into a field or array does not count, nor does
/// what a call did to its receiver.
pub fn backward_slice(
    provenance: &Provenance<'_, '_>,
    control: &ControlDependence,
    from: impl IntoIterator<Item = usize>,
) -> BTreeMap<usize, u32> {
    let cfg = provenance.cfg();
    let mut slice = BTreeMap::new();
    let mut open: VecDeque<(usize, u32)> = from.into_iter().map(|it| (it, 0)).collect();
    while let Some((instruction, steps)) = open.pop_front() {
        if slice.contains_key(&instruction) {
            continue;
        }
        slice.insert(instruction, steps);
        let definitions = provenance.operands(instruction).flat_map(|value| value.definitions);
        let makers = definitions.filter_map(|definition| match definition {
            Definition::Instruction(maker) => Some(maker),
            _ => None,
        });
        open.extend(makers.map(|maker| (maker, steps + 1)));
        let controllers = cfg.block_at(instruction).map_or(&[][..], |block| control.controllers(block));
        let deciding = controllers.iter().filter_map(|edge| {
            let block = cfg.block(cfg.edge(*edge)?.from)?;
            block.instructions.end.checked_sub(1)
        });
        open.extend(deciding.map(|last| (last, steps + 1)));
    }
    slice
}
