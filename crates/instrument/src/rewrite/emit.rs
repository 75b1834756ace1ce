//! The new code as bytes.

use crashback_classfile::{Instruction, LookupSwitch, Opcode, Operand, TableSwitch};

use super::body::{Body, Insertions};
use super::layout::Layout;
use crate::Refusal;

pub(super) fn code(body: &Body<'_>, insertions: &Insertions, layout: &Layout) -> Result<Vec<u8>, Refusal> {
    let mut out = Vec::with_capacity(layout.end() as usize);
    for (position, (offset, instruction)) in body.instructions().iter().enumerate() {
        out.extend_from_slice(insertions.edge(position));
        out.extend_from_slice(insertions.always(position));
        let place = Moved { body, layout, old: *offset, new: layout.at(position) };
        match (insertions.instead(position), instruction.operand) {
            (Some(code), _) => out.extend_from_slice(code),
            (None, Operand::Branch(distance)) => {
                place.jump(position, instruction.opcode, distance, &mut out)?
            }
            (None, Operand::TableSwitch(switch)) => place.table_switch(switch, &mut out)?,
            (None, Operand::LookupSwitch(switch)) => place.lookup_switch(switch, &mut out)?,
            (None, _) => out.extend_from_slice(body.bytes(position)),
        }
        for (detour, at) in layout.stops_behind(position) {
            let operand = Operand::Branch(distance(at, layout.label(detour.target)));
            Instruction { opcode: Opcode::GotoW, wide: false, operand }.encode_into(at, &mut out)?;
        }
    }
    Ok(out)
}

/// An instruction on its way from one offset to another.
struct Moved<'m, 'c> {
    body: &'m Body<'c>,
    layout: &'m Layout,
    old: u32,
    new: u32,
}

impl Moved<'_, '_> {
    fn jump(
        &self,
        position: usize,
        opcode: Opcode,
        old_distance: i32,
        out: &mut Vec<u8>,
    ) -> Result<(), Refusal> {
        let opcode = match opcode {
            Opcode::Goto if self.layout.is_wide(position) => Opcode::GotoW,
            Opcode::Jsr if self.layout.is_wide(position) => Opcode::JsrW,
            other => other,
        };
        let operand = match self.layout.detour_of(position) {
            Some(stop) => Operand::Branch(distance(self.new, stop)),
            None => Operand::Branch(self.moved(old_distance)?),
        };
        Ok(Instruction { opcode, wide: false, operand }.encode_into(self.new, out)?)
    }

    fn table_switch(&self, switch: TableSwitch<'_>, out: &mut Vec<u8>) -> Result<(), Refusal> {
        let mut distances = Vec::new();
        for (_, old_distance) in switch.cases() {
            distances.extend_from_slice(&self.moved(old_distance)?.to_be_bytes());
        }
        let switch = TableSwitch::new(self.moved(switch.default)?, switch.low, &distances)?;
        let operand = Operand::TableSwitch(switch);
        Ok(Instruction { opcode: Opcode::Tableswitch, wide: false, operand }.encode_into(self.new, out)?)
    }

    fn lookup_switch(&self, switch: LookupSwitch<'_>, out: &mut Vec<u8>) -> Result<(), Refusal> {
        let mut pairs = Vec::new();
        for (key, old_distance) in switch.cases() {
            pairs.extend_from_slice(&key.to_be_bytes());
            pairs.extend_from_slice(&self.moved(old_distance)?.to_be_bytes());
        }
        let operand = Operand::LookupSwitch(LookupSwitch::new(self.moved(switch.default)?, &pairs)?);
        Ok(Instruction { opcode: Opcode::Lookupswitch, wide: false, operand }.encode_into(self.new, out)?)
    }

    /// The new distance to a target of the instruction.
    fn moved(&self, old_distance: i32) -> Result<i32, Refusal> {
        let target = self.body.relative(self.old, old_distance)?;
        Ok(distance(self.new, self.layout.label(target)))
    }
}

/// Offsets are far below 2^31: the layout of more than 64 KB is refused before anything is written.
fn distance(from: u32, to: u32) -> i32 {
    to as i32 - from as i32
}
