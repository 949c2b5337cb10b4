//! The programs that know the answer: each compares its own with one from elsewhere, and fails if they
//! differ. Here they run on every back end, at sizes that a software device manages.

use super::{BACKENDS, program::Examples};
use crate::cmd::{Failure, Result};

/// Programs, their arguments, and what they print.
const PROGRAMS: [(&str, &[&str], &str); 20] = [
    (
        "adi_heat",
        &["--size", "60", "--steps", "10"],
        "the wave keeps",
    ),
    // As by default.
    ("adi_heat", &[], "the wave keeps"),
    (
        "black_scholes",
        &["--options", "100000"],
        "call 4.76, put 0.81",
    ),
    ("cma", &["--n", "200000"], "mean temperature"),
    ("conjugate_gradient", &["--level", "5"], "961 unknowns"),
    (
        "coulombic",
        &["--size", "96x64", "--atoms", "50"],
        "potential from",
    ),
    ("kmeans", &[], "16 flowers among others"),
    ("matmul", &["--n", "100"], "row × column"),
    (
        "md",
        &["--cells", "3", "--particles", "16", "--steps", "10"],
        "432 particles",
    ),
    // The same checks over more steps, as by default.
    ("md", &[], "8000 particles"),
    ("miller_rabin", &["--power", "5"], "9592 primes"),
    (
        "monte_carlo_pi",
        &["--points", "4000000"],
        "3142271 hits of 4000000",
    ),
    (
        "nbody",
        &["--bodies", "200", "--steps", "20"],
        "energy -0.97458",
    ),
    (
        "nbody",
        &["--bodies", "200", "--steps", "20", "--pairs"],
        "energy -0.97458",
    ),
    // Orbits are compared only for as long as they are comparable.
    (
        "nbody",
        &["--bodies", "100", "--steps", "3000"],
        "200 steps",
    ),
    ("riemann_sum", &["--strips", "200000"], "exactly 47.2"),
    // Two values of the antiderivative that are the same but for their last digits.
    (
        "riemann_sum",
        &[
            "--coefficients=0,1",
            "--from=1e8",
            "--to=100000001",
            "--strips=1000",
        ],
        "exactly 100000000.5",
    ),
    (
        "smith_waterman",
        &["--length", "300"],
        "letters are the same",
    ),
    (
        "stencil2d",
        &["--size", "200x150", "--steps", "5"],
        "the last of 5 steps changed the plate by",
    ),
    ("taylor", &["--terms", "100000"], "exactly 0.6931472"),
];

/// Runs them.
pub(super) fn run(examples: &Examples) -> Result {
    for (name, args, says) in PROGRAMS {
        for backend in BACKENDS {
            let args = [args, &["--backend", backend]].concat();
            let Some(ran) = examples.ok(name, &args)? else {
                continue;
            };
            if !ran.stdout.contains(says) {
                return Err(Failure::Check(format!(
                    "{}: expected `{says}` in what it prints:\n{}",
                    ran.line, ran.stdout
                )));
            }
        }
    }
    Ok(())
}
