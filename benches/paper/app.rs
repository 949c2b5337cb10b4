//! What is measured: a program of several skeleton instances, each of which runs where it is told.

use skel::{Result, Target};

/// A program that has its data on the host, and wants its results there.
pub(crate) struct App {
    /// As the paper calls it.
    pub(crate) name: &'static str,
    /// Its instances; a run takes a target for each.
    pub(crate) instances: &'static [&'static str],
    /// Elements of its largest call.
    pub(crate) elems: usize,
    run: Box<Run>,
    expected: f64,
    tolerance: f64,
}

/// One run, which gives a number that all of the result takes part in, or a sample of it.
type Run = dyn Fn(&[Target]) -> Result<f64>;

impl App {
    /// A program whose answer is `expected`, to a relative tolerance.
    pub(crate) fn new<const N: usize>(
        name: &'static str,
        instances: &'static [&'static str; N],
        elems: usize,
        (expected, tolerance): (f64, f64),
        run: impl Fn(&[Target; N]) -> Result<f64> + 'static,
    ) -> App {
        let run = move |targets: &[Target]| {
            let targets = targets.first_chunk().expect("a target for each instance");
            run(targets)
        };
        App {
            name,
            instances,
            elems,
            run: Box::new(run),
            expected,
            tolerance,
        }
    }

    /// Runs it, and checks what comes of it.
    pub(crate) fn run(&self, targets: &[Target]) -> std::result::Result<(), String> {
        let wrong = |what: String| format!("{} at {targets:?}: {what}", self.name);
        let answer = (self.run)(targets).map_err(|error| wrong(error.to_string()))?;
        let error = (answer - self.expected).abs();
        if error <= self.tolerance * self.expected.abs().max(f64::MIN_POSITIVE) {
            Ok(())
        } else {
            Err(wrong(format!("{answer} instead of {}", self.expected)))
        }
    }

    /// The same target for each instance.
    pub(crate) fn all_at(&self, target: impl Into<Target>) -> Vec<Target> {
        vec![target.into(); self.instances.len()]
    }
}

/// The sum of some hundred elements, from all parts of the result.
pub(crate) fn sample(values: &[f32]) -> f64 {
    let every = values.len().div_ceil(500).max(1) | 1;
    values.iter().step_by(every).map(|v| f64::from(*v)).sum()
}

/// The same of what element `i` must be.
pub(crate) fn expected_sample(elems: usize, value: impl Fn(usize) -> f64) -> f64 {
    let every = elems.div_ceil(500).max(1) | 1;
    (0..elems).step_by(every).map(value).sum()
}

/// Data that looks like any: from 0 to 1, and the same in every run.
pub(crate) fn data(elems: usize, seed: u32) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9) | 1;
    let next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 8) as f32 / (1 << 24) as f32
    };
    std::iter::repeat_with(next).take(elems).collect()
}
