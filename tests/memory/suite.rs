//! The conformance suite on devices that have room for little of it.

use super::capped;
use skel::{
    Context, Device, Error, Hybrid, Target,
    conformance::{self, Failure, Sizes},
};

/// Runs all cases; gives the names of those for which the device has no room, and how many there are.
pub(crate) fn without_room(context: &Context, target: &Target) -> (Vec<String>, usize) {
    let mut cases = conformance::cases(Sizes::Small);
    // Where there is room for less than a tile of 4096 floats at a time, their sums are grouped otherwise.
    cases.retain(|case| !case.name().split("::").any(|part| part == "bits"));
    let (mut without, mut wrong) = (Vec::new(), Vec::new());
    for case in &cases {
        match case.run(context, target) {
            Ok(()) | Err(Failure::Unsupported(_)) => {}
            Err(Failure::Failed(Error::OutOfMemory { .. })) => without.push(case.name().to_owned()),
            // A case that looks at the error itself.
            Err(Failure::Wrong(what)) if what.contains("out of memory") => {
                without.push(case.name().to_owned());
            }
            Err(failure) => wrong.push(format!("{}: {failure}", case.name())),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    (without, cases.len())
}

#[test]
fn all_cases_are_right_or_have_no_room() {
    for (cap_bytes, most) in [(1 << 10, 25), (4 << 10, 15), (12 << 10, 12)] {
        let (context, mock) = capped(cap_bytes);
        let (without, of) = without_room(&context, &Device(0).into());
        assert!(mock.most_bytes_in_use() <= cap_bytes, "{cap_bytes}");
        println!(
            "{cap_bytes} bytes: no room for {} of {of}: {without:#?}",
            without.len()
        );
        // What is read at random, and rows and columns that are folded to one value; sweeps are taken as a whole.
        let cut = without.iter().filter(|name| !name.starts_with("sweeps::"));
        assert!(
            100 * cut.count() <= most * of,
            "{cap_bytes} bytes: {without:#?}"
        );
    }
}

#[test]
fn beside_the_cpu_nothing_has_no_room() {
    for (cap_bytes, ratio) in [(1 << 10, 0.0), (4 << 10, 0.3)] {
        let (context, mock) = capped(cap_bytes);
        let (without, _) = without_room(&context, &Hybrid::ratio(ratio).into());
        assert!(without.is_empty(), "{cap_bytes} bytes: {without:#?}");
        assert!(mock.most_bytes_in_use() <= cap_bytes, "{cap_bytes}");
    }
}
