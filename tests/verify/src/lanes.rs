//! A block of elements by both faces that the CPU has of a function with loops.

use super::{
    Case, Random,
    run::{Arguments, AtValue, Native, ToValue},
};
use skel_core::{
    ir::{Program, Value, functions_that_trap},
    lanes::{self, Lane},
    param::{Position, Source},
    user_function::{Typed, UserFunction},
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The elements of a block.
pub const LANES: usize = 16;

/// What the faces of a function give for the elements of a block.
pub struct Block {
    /// By the user's own function, one after the other.
    pub scalar: Vec<Native>,
    /// All at once: what is given, and what is left behind `&mut`; `Err` if it panics.
    pub lanes: std::thread::Result<Vec<(Value, Vec<Value>)>>,
}

/// Arguments from values.
struct Values<'v, P: Arguments, At> {
    stores: &'v mut [P::Store],
    at: Vec<Box<dyn Fn() -> At + std::panic::RefUnwindSafe>>,
}

impl<P: Arguments, At: Position> Source<P> for Values<'_, P, At> {
    type At = At;

    fn at(&self, l: usize) -> At {
        self.at[l]()
    }

    fn args(&mut self, l: usize) -> P::Args<'_> {
        P::args(&mut self.stores[l])
    }
}

/// Computes a block; uniform arguments are those of the first element.
pub(crate) fn block<F, P>(elements: &[Vec<Value>]) -> Block
where
    P: Arguments,
    F: UserFunction<P, Output: Typed + ToValue + Lane, At: AtValue>,
{
    assert_eq!(elements.len(), LANES, "elements of a block");
    let stores = || -> Vec<P::Store> {
        let rests = elements.iter().map(|values| F::At::take(values).1);
        let mut stores: Vec<P::Store> = rests.map(|rest| P::store(&rest)).collect();
        let (first, others) = stores.split_first_mut().expect("a block has elements");
        for other in others {
            P::share(first, other);
        }
        stores
    };
    let at = || elements.iter().map(|values| F::At::take(values).0);
    let scalar = stores()
        .into_iter()
        .zip(at())
        .map(|(mut store, at)| {
            catch_unwind(AssertUnwindSafe(|| {
                let result = F::call(at(), P::args(&mut store)).to_value();
                (result, P::changed(&store))
            }))
        })
        .collect();
    let lanes = catch_unwind(AssertUnwindSafe(|| {
        let (mut stores, at) = (stores(), at().collect());
        let mut results = lanes::var::<F::Output, LANES>();
        let mut values = Values::<P, F::At> {
            stores: &mut stores,
            at,
        };
        F::lanes(&mut values, &mut results);
        let changed = stores.iter().map(P::changed);
        (0..LANES)
            .map(|l| lanes::get(&results, l).to_value())
            .zip(changed)
            .collect()
    }));
    Block { scalar, lanes }
}

/// Whether lanes that take no part run something that can trap: an operator of a type of the user's own. No call of a
/// skeleton takes the lanes of such a function.
fn runs_what_traps(program: &Program) -> bool {
    let trapping = functions_that_trap(program);
    let mut functions = program.functions.iter();
    functions.any(|f| f.implied.iter().any(|implied| trapping[implied.0]))
}

/// Compares both faces of a function on random blocks; those in which an element panics only come to their end. Says
/// how many were compared; none if it has no lanes in this build.
///
/// # Errors
/// A lane whose bits are not those of the function, or lanes that panic where no element does and nothing that traps is
/// run by all of them.
pub fn compare(case: &Case, blocks: usize) -> Result<usize, String> {
    let Some(block) = case.lanes else {
        return Ok(0);
    };
    let seed = case.name.bytes().fold(11, |hash: u64, byte| {
        hash.wrapping_mul(31).wrapping_add(u64::from(byte))
    });
    let mut random = Random(seed);
    // Elements that do not panic come more than once, so that there are blocks of them alone.
    let mut fine: Vec<Vec<Value>> = Vec::new();
    let mut compared = 0;
    for round in 0..blocks {
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
            if runs_what_traps(&case.program) {
                continue;
            }
            return Err(format!("lanes panic, and no element: {elements:?}"));
        };
        compared += 1;
        let differs = |l: &usize| {
            let ((result, changed), (by_lanes, changed_by_lanes)) = (&scalar[*l], &lanes[*l]);
            !result.same(by_lanes) || !changed.iter().zip(changed_by_lanes).all(|(a, b)| a.same(b))
        };
        if let Some(l) = (0..LANES).find(differs) {
            return Err(format!(
                "lane {l}, {:?}: {:?} in lanes, not {:?}",
                elements[l], lanes[l], scalar[l]
            ));
        }
    }
    Ok(compared)
}
