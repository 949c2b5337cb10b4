//! The conformance suite on devices that have room for little of it.

use super::capped;
use skel::{
    Device, Error, Target,
    conformance::{self, Failure, Sizes},
};

/// Cases that a device with `cap_bytes` has no room for, and how many there are.
fn without_room(cap_bytes: u64) -> (Vec<String>, usize) {
    let (context, mock) = capped(cap_bytes);
    let cases = conformance::cases(Sizes::Small);
    let mut without = Vec::new();
    for case in &cases {
        match case.run(&context, &Target::from(Device(0))) {
            Ok(()) => {}
            Err(Failure::Failed(Error::OutOfMemory { .. })) => without.push(case.name().to_owned()),
            Err(failure) => panic!("{} with {cap_bytes} bytes: {failure}", case.name()),
        }
    }
    assert!(mock.most_bytes_in_use() <= cap_bytes, "{cap_bytes}");
    (without, cases.len())
}

#[test]
fn all_cases_are_right_or_have_no_room() {
    for cap_bytes in [1 << 10, 4 << 10, 12 << 10] {
        let (without, of) = without_room(cap_bytes);
        println!(
            "{cap_bytes} bytes: {} of {of} without room: {without:#?}",
            without.len()
        );
    }
}
