//! The native function against the interpreter.

use crate::{agree, report::Report};
use skel_core::ir::{
    eval::{self, Env, Stop, View},
    valid,
};
use skel_verify::{Case, Random, message, same_cause};

/// More than any generated function takes.
const MAX_STEPS: u64 = 1 << 20;

/// Calls both on the same inputs.
pub(crate) fn compare(case: &Case, inputs: usize, report: &Report) {
    if let Err(error) = valid::check(&case.program) {
        return report.differs(&case.name, "eval", &format!("invalid IR: {error:?}"));
    }
    let seed = case.name.bytes().fold(7, |hash: u64, byte| {
        hash.wrapping_mul(31).wrapping_add(u64::from(byte))
    });
    let mut random = Random(seed);
    let mut traps = 0;
    for _ in 0..inputs {
        let args = case.arguments(&mut random);
        let native = (case.native)(&args);
        let (passed, views) = case.environment(&args);
        let views: Vec<&dyn View> = views.iter().map(|view| &**view).collect();
        let env = Env {
            views: &views,
            ..Env::steps(MAX_STEPS)
        };
        let interpreted = eval::call_with(&case.program, case.function, &passed, env);
        let fine = match (&native, &interpreted) {
            (Ok((result, changed)), Ok(outcome)) => {
                let found = skel_verify::changed(&outcome.inout, &views);
                agree::same((result, changed), (&outcome.result, &found))
            }
            (Err(panic), Err(Stop::Trap(trap))) => {
                traps += 1;
                !case.never_traps(trap.kind) && same_cause(&message(&**panic), trap.kind.message())
            }
            _ => false,
        };
        if !fine {
            let native = native.map_err(|panic| message(&*panic));
            let how = format!("{args:?} gives {native:?} natively, {interpreted:?} interpreted");
            return report.differs(&case.name, "eval", &how);
        }
    }
    report.agrees(&case.name, "eval", inputs, traps);
}
