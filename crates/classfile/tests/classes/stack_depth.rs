//! Stack effects followed along all paths of a method, as a verifier does.

use crashback_classfile::{
    Attribute, Code, ConstantPool, Flow, Instruction, Location, StackMapFrame, VerificationType,
};

/// The depth of the operand stack must be the same on all ways to an instruction, never negative,
/// never above the declared maximum, and as deep as each stack map frame says. Methods with
/// subroutines are not followed.
pub(crate) fn consistent(code: &Code<'_>, pool: &ConstantPool<'_>) -> Result<(), String> {
    let mut instructions = vec![None; code.code.len()];
    for step in code.instructions() {
        let (offset, instruction) = step.map_err(|error| error.to_string())?;
        if matches!(instruction.opcode.flow(), Flow::Subroutine | Flow::SubroutineReturn) {
            return Ok(());
        }
        *at(&mut instructions, offset)? = Some(instruction);
    }
    let mut depths = follow(code, pool, &instructions)?;
    for (offset, declared) in declared_depths(code, pool)? {
        match *at(&mut depths, offset)? {
            Some(depth) if depth != declared => {
                return Err(format!("depth {depth} at {offset}, but the stack map says {declared}"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The depth before each instruction that can be reached, by offset.
fn follow(
    code: &Code<'_>,
    pool: &ConstantPool<'_>,
    instructions: &[Option<Instruction<'_>>],
) -> Result<Vec<Option<u16>>, String> {
    let mut depths = vec![None; instructions.len()];
    let mut open = vec![(0_u32, 0_u16)];
    open.extend(code.exception_table.iter().map(|handler| (u32::from(handler.handler_pc), 1)));
    while let Some((offset, depth)) = open.pop() {
        match at(&mut depths, offset)?.replace(depth) {
            Some(before) if before != depth => {
                return Err(format!("depths {before} and {depth} at {offset}"));
            }
            Some(_) => continue,
            None => {}
        }
        let Some([Some(instruction), following @ ..]) = instructions.get(offset as usize..) else {
            return Err(format!("no instruction at {offset}"));
        };
        let (pops, pushes) = instruction.stack_effect(pool).map_err(|error| error.to_string())?;
        let after = depth.checked_sub(pops).ok_or_else(|| format!("empty stack at {offset}"))? + pushes;
        if after > code.max_stack {
            return Err(format!("depth {after} after {offset} is over the maximum {}", code.max_stack));
        }
        open.extend(instruction.targets(offset).map(|target| (target, after)));
        if instruction.opcode.falls_through() {
            let gap = following.iter().position(Option::is_some).ok_or("the code falls off its end")?;
            open.push((offset + 1 + gap as u32, after));
        }
    }
    Ok(depths)
}

fn at<T>(items: &mut [T], offset: u32) -> Result<&mut T, String> {
    items.get_mut(offset as usize).ok_or_else(|| format!("offset {offset} is outside the code"))
}

fn declared_depths(code: &Code<'_>, pool: &ConstantPool<'_>) -> Result<Vec<(u32, u16)>, String> {
    let Some(raw) = code.attribute(pool, "StackMapTable") else { return Ok(Vec::new()) };
    let Ok(Attribute::StackMapTable(frames)) = raw.decode(pool, Location::Code) else {
        return Err("the stack map cannot be decoded".to_owned());
    };
    let mut next = 0;
    Ok(frames
        .iter()
        .map(|frame| {
            let offset = next + u32::from(frame.offset_delta());
            next = offset + 1;
            (offset, frame_depth(frame))
        })
        .collect())
}

fn frame_depth(frame: &StackMapFrame) -> u16 {
    let slots = |value: &VerificationType| match value {
        VerificationType::Long | VerificationType::Double => 2,
        _ => 1,
    };
    match frame {
        StackMapFrame::SameLocals1StackItem { stack, .. }
        | StackMapFrame::SameLocals1StackItemExtended { stack, .. } => slots(stack),
        StackMapFrame::Full { stack, .. } => stack.iter().map(slots).sum(),
        _ => 0,
    }
}
