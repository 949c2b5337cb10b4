//! Both faces that the CPU has of a function with loops give the same bits: blocks of lanes, and the user's own
//! function. The package is tested without debug assertions, as builds with those have no lanes.

use skel_corpus::corpus;
use skel_verify::compare_lanes;

const BLOCKS: usize = 300;

/// So many functions of the corpus have lanes at least.
const EXPECTED: usize = 167;

#[test]
fn lanes_give_the_bits_of_the_function_itself() {
    std::panic::set_hook(Box::new(|_| {}));
    let (mut failures, mut count) = (Vec::new(), 0);
    for case in corpus().iter().filter(|case| case.lanes.is_some()) {
        count += 1;
        match compare_lanes(case, BLOCKS) {
            Ok(0) => failures.push(format!("{}: no block without a panic", case.name)),
            Ok(_) => {}
            Err(how) => failures.push(format!("{}: {how}", case.name)),
        }
    }
    drop(std::panic::take_hook());
    assert!(
        failures.is_empty(),
        "{} of {count}:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(count >= EXPECTED, "only {count} functions have lanes");
}

/// Every function that was written for lanes has them.
#[test]
fn the_functions_for_lanes_have_lanes() {
    let without: Vec<String> = skel_corpus::for_lanes()
        .into_iter()
        .filter(|case| case.lanes.is_none())
        .map(|case| case.name)
        .collect();
    assert!(without.is_empty(), "{without:?}");
}
