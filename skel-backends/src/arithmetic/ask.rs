//! Runs the checks on a device.

use super::{
    Arithmetic, Wrong,
    checks::{self, Check, Consequence},
    kernel::kernel,
};
use crate::device::{Driver, Launch, LaunchArg};
use skel_core::{
    Element, Result,
    frame::{ElementLayout, View, ViewMut},
    ir::Ty,
    plan::{DeviceOnly, Kernel},
    space::{IndexSpace, Shape, Stream},
};
use std::sync::Arc;

/// Types that are asked about together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Integers of 32 bits.
    Words,
    /// `f32`.
    F32,
    /// Integers of 64 bits.
    Longs,
    /// `f64`.
    F64,
}

impl Class {
    /// The operands' type.
    pub(super) fn operand(self) -> Ty {
        match self {
            Class::Words => Ty::U32,
            Class::F32 => Ty::F32,
            Class::Longs => Ty::U64,
            Class::F64 => Ty::F64,
        }
    }

    /// All that is asked about these types.
    pub(crate) fn kernels(self) -> Vec<Kernel> {
        let groups = checks::groups(self);
        groups.iter().map(|checks| kernel(self, checks)).collect()
    }

    /// The type of the results' bits.
    pub(super) fn result(self) -> Ty {
        match self {
            Class::Words | Class::F32 => Ty::U32,
            Class::Longs | Class::F64 => Ty::U64,
        }
    }
}

/// An operation that counts as wrong whatever the device makes of it, for tests: its type, and how Rust spells it.
pub(crate) type Distrusted = Option<(&'static str, &'static str)>;

/// What a device makes of all checks of these classes, as its kernels are printed now; the remedies are those
/// of what is wrong.
///
/// # Errors
/// Those of the driver: a device whose arithmetic cannot be asked for is of no use.
pub(crate) fn ask<D: Driver>(
    driver: &mut D,
    classes: &[Class],
    distrusted: Distrusted,
) -> Result<Arithmetic> {
    let mut found = Arithmetic::default();
    for class in classes {
        for checks in checks::groups(*class) {
            let mut answers = answers(driver, *class, &checks)?;
            spoil(&mut answers, &checks, distrusted);
            judge(&mut found, &checks, &answers);
        }
    }
    Ok(found)
}

/// Changes a bit of what is not believed.
fn spoil(answers: &mut [u64], checks: &[Check], distrusted: Distrusted) {
    let cases = checks
        .iter()
        .flat_map(|check| check.cases.iter().map(move |_| check));
    for (answer, check) in answers.iter_mut().zip(cases) {
        if distrusted == Some((check.ty, check.operation)) {
            *answer ^= 1;
        }
    }
}

/// Compares, and notes what is wrong, and what would help.
pub(super) fn judge(found: &mut Arithmetic, checks: &[Check], answers: &[u64]) {
    let mut answers = answers.iter();
    for check in checks {
        for case in &check.cases {
            let Some(answer) = answers.next().copied() else {
                return;
            };
            let nan = |bits| check.result.is_some_and(|format| format.is_nan(bits));
            if answer == case.expected || nan(answer) && nan(case.expected) {
                continue;
            }
            // What is only rounded to the least normal number may be flushed before it is rounded: NVIDIA's Vulkan driver
            // does.
            let rounded = check.result.filter(|_| check.rounds());
            let flushed_early =
                rounded.is_some_and(|f| f.is_least_normal(case.expected) && f.is_zero(answer));
            let note = |types: &mut Vec<&'static str>| {
                if !types.contains(&check.ty) {
                    types.push(check.ty);
                }
            };
            match (check.meaning, check.remedy) {
                _ if case.subnormal || flushed_early => note(&mut found.flushes),
                (Consequence::Contracts, _) => note(&mut found.contracts),
                (Consequence::Wrong, remedy) => {
                    if let Some(remedy) = remedy {
                        found.remedies = found.remedies.with(remedy);
                    }
                    let known = |w: &Wrong| w.ty == check.ty && w.operation == check.operation;
                    if !found.wrong.iter().any(known) {
                        found.wrong.push(Wrong {
                            ty: check.ty,
                            operation: check.operation.to_owned(),
                            operands: case.operands,
                            expected: case.expected,
                            found: answer,
                        });
                    }
                }
            }
        }
    }
}

/// The bits of all results, check by check.
fn answers<D: Driver>(driver: &mut D, class: Class, checks: &[Check]) -> Result<Vec<u64>> {
    let cases = || {
        (0_u32..)
            .zip(checks)
            .flat_map(|(number, check)| check.cases.iter().map(move |case| (number, case)))
    };
    let numbers: Vec<u32> = cases().map(|(number, _)| number).collect();
    let operands = |k: usize| cases().map(move |(_, case)| case.operands[k]);
    let [x, y] = [0, 1].map(|k| operands(k).collect::<Vec<u64>>());
    let kernel = Arc::new(kernel(class, checks));
    let of_words = |bits: &[u64]| bits.iter().map(|b| *b as u32).collect::<Vec<u32>>();
    match class {
        Class::Words => {
            let [x, y] = [&x, &y].map(|bits| of_words(bits));
            let found = launch::<D, u32, u32>(driver, &kernel, &numbers, &x, &y)?;
            Ok(found.into_iter().map(u64::from).collect())
        }
        Class::F32 => {
            let floats = |bits: &[u64]| bits.iter().map(|b| f32::from_bits(*b as u32)).collect();
            let [x, y]: [Vec<f32>; 2] = [floats(&x), floats(&y)];
            let found = launch::<D, f32, u32>(driver, &kernel, &numbers, &x, &y)?;
            Ok(found.into_iter().map(u64::from).collect())
        }
        Class::Longs => launch::<D, u64, u64>(driver, &kernel, &numbers, &x, &y),
        Class::F64 => {
            let floats = |bits: &[u64]| bits.iter().map(|b| f64::from_bits(*b)).collect();
            let [x, y]: [Vec<f64>; 2] = [floats(&x), floats(&y)];
            launch::<D, f64, u64>(driver, &kernel, &numbers, &x, &y)
        }
    }
}

fn launch<D: Driver, T: Element, R: Element + Default>(
    driver: &mut D,
    kernel: &Arc<Kernel>,
    numbers: &[u32],
    x: &[T],
    y: &[T],
) -> Result<Vec<R>> {
    let n = numbers.len();
    let numbers = uploaded(driver, numbers)?;
    let x = uploaded(driver, x)?;
    let y = uploaded(driver, y)?;
    let mut results = driver.allocate(ElementLayout::of::<R>(), &R::ty(), 0..n)?;
    let launched = driver.launch(Launch {
        kernel,
        phases: &DeviceOnly::<R>::FACE,
        args: vec![
            LaunchArg::In(&numbers),
            LaunchArg::In(&x),
            LaunchArg::In(&y),
            LaunchArg::Out(&mut results),
        ],
        offsets: Vec::new(),
        range: 0..n,
        space: IndexSpace::new(Shape::D1(n), Stream::default()),
        followed: false,
        block: None,
    })?;
    if let Some(traps) = launched.traps {
        // No case divides by zero.
        driver.forget_traps(traps);
    }
    let mut found = vec![R::default(); n];
    driver.download(&results, ViewMut::of(&mut found).into_out())?;
    Ok(found)
}

fn uploaded<D: Driver, T: Element>(driver: &mut D, elements: &[T]) -> Result<D::Array> {
    let mut array = driver.allocate(ElementLayout::of::<T>(), &T::ty(), 0..elements.len())?;
    driver.upload(&mut array, View::of(elements))?;
    Ok(array)
}
