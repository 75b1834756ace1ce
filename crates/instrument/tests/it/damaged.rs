//! Damaged classes give a result or a reason, never a panic.

use crashback_instrument::{Kinds, ProbePlan, instrument};

use crate::stress::{libraries, stress_if_readable};

/// A fixed sequence of numbers; which ones does not matter, that they are the same each time does.
fn numbers() -> impl Iterator<Item = usize> {
    let step = |state: &u64| Some(state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407));
    std::iter::successors(Some(42_u64), step).map(|state| (state >> 33) as usize)
}

#[test]
fn damaged_classes_never_panic() {
    let plan = ProbePlan::everywhere(Kinds::ALL);
    let mut numbers = numbers();
    let (mut done, mut refused, mut unreadable) = (0, 0, 0);
    for bytes in libraries().values().step_by(10).filter(|bytes| bytes.len() < 20_000) {
        for _ in 0..20 {
            let mut damaged = bytes.clone();
            for _ in 0..1 + numbers.next().unwrap() % 3 {
                let position = 10 + numbers.next().unwrap() % (damaged.len() - 10);
                damaged[position] = numbers.next().unwrap() as u8;
            }
            match instrument(&damaged, &plan, &mut |_| 7) {
                Ok(result) if result.untouched.is_empty() => done += 1,
                Ok(_) => refused += 1,
                Err(_) => unreadable += 1,
            }
            stress_if_readable(&damaged);
        }
    }
    assert!(done > 100 && refused > 100 && unreadable > 100, "{done} {refused} {unreadable}");
}
