//! Any bytes are read as a class; what can be read at any level is written back as it was.

#![no_main]

#[path = "../../crates/classfile/tests/classes/round_trip.rs"]
mod round_trip;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(difference) = round_trip::round_trip(bytes) {
        panic!("{difference}");
    }
});
