//! Programs whose results are known, compiled as one batch; each runs in every order of threads, over
//! all elements and over some.

mod data;
mod folds;
mod foreign;
mod scans;
mod strided;
mod traps;
mod views;

use crate::{
    launch::{Built, Column, KernelCall, Ran},
    shim::Order,
};
use skel_core::{
    ir::{TrapKind, Value},
    plan::Kernel,
};
use std::sync::{Arc, OnceLock};

/// A program, its arguments, and what it gives.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) kernel: Arc<Kernel>,
    pub(crate) columns: Vec<Column>,
    pub(crate) elems: usize,
    pub(crate) cols: Option<usize>,
    pub(crate) expected: Expected,
}

pub(crate) enum Expected {
    /// Each container that is written: argument and elements.
    Written(Vec<(usize, Vec<Value>)>),
    /// What a fold gives of the elements in a range.
    Folded(fn(&[usize]) -> Value),
    /// What a scan writes to its last argument for the elements in a range, after something.
    Scanned(Option<Value>, fn(&[usize]) -> Vec<Value>),
    /// The element that is named, the line and the reason.
    Trap(Option<usize>, u32, TrapKind),
}

pub(crate) fn all() -> Vec<Case> {
    [
        data::cases(),
        views::cases(),
        foreign::cases(),
        folds::cases(),
        scans::cases(),
        strided::cases(),
        traps::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn built() -> &'static Built {
    static BUILT: OnceLock<Result<Built, String>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let kernels: Vec<_> = all()
            .into_iter()
            .map(|case| (case.name.to_owned(), case.kernel))
            .collect();
        Built::new(&kernels)
    });
    built.as_ref().unwrap_or_else(|e| panic!("{e}"))
}

impl Case {
    pub(crate) fn check(&self) -> Result<(), String> {
        let whole = 0..self.elems;
        let middle = self.elems / 3..self.elems - self.elems / 4;
        // Warps and blocks of which all, some or no lanes have elements.
        let few: &[usize] = match &self.expected {
            Expected::Folded(_) => &[1, 2, 3, 95, 96, 97, 99, 190, 192, 193, 194, 289, 300],
            _ => &[],
        };
        let few = few
            .iter()
            .map(|n| (Order::Shuffled(3), middle.start..middle.start + n));
        for (order, range) in Order::ALL
            .into_iter()
            .map(|order| (order, whole.clone()))
            .chain([(Order::Ascending, middle.clone())])
            .chain(few)
        {
            let call = KernelCall {
                columns: &self.columns,
                range: range.clone(),
                elems: self.elems,
                cols: self.cols,
                order,
            };
            let carry = match &self.expected {
                Expected::Scanned(carry, _) => carry.as_ref(),
                _ => None,
            };
            let ran = built().run_from(carry, self.name, &call)?;
            self.compare(&ran, range.clone())
                .map_err(|what| format!("{order:?}, {range:?}: {what}"))?;
        }
        Ok(())
    }

    pub(crate) fn compare(&self, ran: &Ran, range: std::ops::Range<usize>) -> Result<(), String> {
        match (&self.expected, ran) {
            (Expected::Written(expected), Ran::Done(written)) => {
                for (argument, expected) in expected {
                    for i in range.clone() {
                        let found = &written[argument][i];
                        if !found.same(&expected[i]) {
                            return Err(format!(
                                "element {i} of argument {argument} is {found:?}, not {:?}",
                                expected[i]
                            ));
                        }
                    }
                }
                Ok(())
            }
            (Expected::Folded(native), Ran::Folded(found)) => {
                let all: Vec<usize> = range.collect();
                let wrong = found.iter().find_map(|(elements, found)| {
                    let expected = native(&all[elements.clone()]);
                    let differs = !found.same(&expected);
                    differs.then(|| format!("{elements:?} are {found:?}, not {expected:?}"))
                });
                wrong.map_or(Ok(()), Err)
            }
            (Expected::Scanned(_, native), Ran::Done(written)) => {
                let expected = native(&range.clone().collect::<Vec<_>>());
                let found = &written[&(self.columns.len() - 1)][range];
                match found.iter().zip(&expected).position(|(a, b)| !a.same(b)) {
                    None => Ok(()),
                    Some(k) => Err(format!(
                        "prefix {k} is {:?}, not {:?}",
                        found[k], expected[k]
                    )),
                }
            }
            (Expected::Trap(index, line, kind), Ran::Trapped(found, site)) => {
                let expected = (*index, *line, *kind);
                let found = (*found, site.line, site.kind);
                if found == expected {
                    Ok(())
                } else {
                    Err(format!("{found:?}, not {expected:?}"))
                }
            }
            (_, other) => Err(format!("{other:?} was not expected")),
        }
    }
}

/// Elements of a container.
pub(crate) fn elements<T>(n: usize, of: impl Fn(usize) -> T, value: fn(T) -> Value) -> Vec<Value> {
    (0..n).map(of).map(value).collect()
}
