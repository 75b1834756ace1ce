//! Words and characters that code below the frames looks for. A lexer is rarely on a trace, yet a
//! text that it refuses never gets to the crash.

use std::collections::BTreeSet;

use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::{Literal, Mentioned, mentions};
use crashback_testcase::Text;

use crate::collect::Offers;

/// Notes the constants of methods that the frames call, as far as they can be parts of texts.
pub(crate) fn add(classes: &Classes<'_>, visited: &BTreeSet<MethodId>, offers: &mut Offers<'_>) {
    for method in visited {
        classes.with_body(*method, |body| {
            for mention in mentions(body) {
                match &mention.what {
                    Mentioned::Constant(Literal::String(text)) => {
                        add_token(offers, Text::from(&*text.to_str()));
                    }
                    Mentioned::Constant(Literal::Int(number)) | Mentioned::SwitchKey(number) => {
                        if let Some(unit) = character(*number) {
                            add_token(offers, Text::from([unit].as_slice()));
                        }
                    }
                    _ => {}
                }
            }
        });
    }
}

/// The character that a number stands for, if it is likely to stand for one: most small numbers
/// count something.
pub(crate) fn character(number: i32) -> Option<u16> {
    let unit = u16::try_from(number).ok()?;
    (matches!(unit, 9 | 10 | 13) || (32..127).contains(&unit)).then_some(unit)
}

fn add_token(offers: &mut Offers<'_>, token: Text) {
    let Offers { pools, tuning } = offers;
    let is_short = (1..=tuning.longest_token).contains(&token.units().len());
    if is_short && pools.tokens.len() < tuning.tokens && !pools.tokens.contains(&token) {
        pools.tokens.push(token);
    }
}
