//! Both faces that the CPU has of a function with loops give the same bits: blocks of lanes, and the user's own
//! function. The package is tested without debug assertions, as builds with those have no lanes.

use skel_core::ir::Value;
use skel_corpus::corpus;
use skel_verify::{Case, LANES, Random};

const BLOCKS: usize = 300;

/// So many functions of the corpus have lanes at least.
const EXPECTED: usize = 60;

/// Compares random blocks; those in which an element panics only come to their end. Says how many were compared.
fn compare(case: &Case, failures: &mut Vec<String>) -> usize {
    let block = case.lanes.expect("it has lanes");
    let seed = case.name.bytes().fold(11, |hash: u64, byte| {
        hash.wrapping_mul(31).wrapping_add(u64::from(byte))
    });
    let mut random = Random(seed);
    // Elements that do not panic come more than once, so that there are blocks of them alone.
    let mut fine: Vec<Vec<Value>> = Vec::new();
    let mut compared = 0;
    for round in 0..BLOCKS {
        let mut elements: Vec<Vec<Value>> =
            (0..LANES).map(|_| case.arguments(&mut random)).collect();
        if round % 2 == 1 && fine.len() >= LANES {
            for element in &mut elements {
                *element = fine[(random.bits() % fine.len() as u64) as usize].clone();
            }
        }
        let found = block(&elements);
        for (values, scalar) in elements.iter().zip(&found.scalar) {
            if scalar.is_ok() {
                fine.push(values.clone());
            }
        }
        let Ok(scalar) = found.scalar.into_iter().collect::<Result<Vec<_>, _>>() else {
            continue;
        };
        let Ok(lanes) = found.lanes else {
            failures.push(format!(
                "{}: lanes panic, and no element: {elements:?}",
                case.name
            ));
            return compared;
        };
        compared += 1;
        let differs = |l: &usize| {
            let ((result, changed), (by_lanes, changed_by_lanes)) = (&scalar[*l], &lanes[*l]);
            !result.same(by_lanes) || !changed.iter().zip(changed_by_lanes).all(|(a, b)| a.same(b))
        };
        if let Some(l) = (0..LANES).find(differs) {
            failures.push(format!(
                "{}: lane {l}, {:?}: {:?} in lanes, not {:?}",
                case.name, elements[l], lanes[l], scalar[l]
            ));
            return compared;
        }
    }
    compared
}

#[test]
fn lanes_give_the_bits_of_the_function_itself() {
    std::panic::set_hook(Box::new(|_| {}));
    let (mut failures, mut count) = (Vec::new(), 0);
    for case in corpus().iter().filter(|case| case.lanes.is_some()) {
        count += 1;
        if compare(case, &mut failures) == 0 {
            failures.push(format!("{}: no block without a panic", case.name));
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
    // Its loops are in what it calls.
    assert_eq!(without, ["generic_at_two_types"]);
}
