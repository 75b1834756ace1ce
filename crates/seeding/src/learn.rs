use crashback_protocol::{Facts, Operands, Value};
use crashback_testcase::Text;
use crashback_testcase::workshop::{Pools, Scalar};

/// How many comparisons are remembered.
const MOST_COMPARED: usize = 64;

/// How many texts the pool holds at most, those of static sources included.
const MOST_TEXTS: usize = 160;

/// Takes in what an execution compared: the two sides of comparisons that failed, for mutations to
/// put one in the place of the other.
pub fn learn(facts: &Facts, pools: &mut Pools) {
    for Operands { left, right, .. } in &facts.operands {
        let (Some(left), Some(right)) = (scalar(left), scalar(right)) else { continue };
        if left == right {
            continue;
        }
        for side in [&left, &right] {
            if let Scalar::Text(text) = side {
                add_text(pools, text);
            }
        }
        let pair = (left, right);
        if !pools.compared.contains(&pair) {
            if pools.compared.len() >= MOST_COMPARED {
                pools.compared.remove(0);
            }
            pools.compared.push(pair);
        }
    }
}

fn scalar(value: &Value) -> Option<Scalar> {
    match value {
        Value::Integer(it) => Some(Scalar::Integer(*it)),
        Value::Float(it) => Some(Scalar::Float(*it)),
        Value::Text(it) => Some(Scalar::Text(it.clone())),
        Value::Null | Value::Object(_) => None,
    }
}

fn add_text(pools: &mut Pools, text: &Text) {
    if pools.texts.len() < MOST_TEXTS && !pools.texts.contains(text) {
        pools.texts.push(text.clone());
    }
}
