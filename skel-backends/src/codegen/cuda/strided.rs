//! Places of elements that do not lie as the call counts them. All is `u64` and wraps: strides may be
//! negative.

use super::{Member, kernel::Builder};
use crate::codegen::{Current, Number};

impl Builder<'_> {
    /// What the function is applied to.
    pub(super) fn current(&self) -> Current {
        Current::of(self.kernel)
    }

    /// Whether an argument is strided.
    pub(super) fn strides(&self) -> bool {
        let arguments = &self.kernel.arguments;
        arguments.iter().any(|a| a.role.strides().is_some())
    }

    /// The numbers that [`place`] names.
    pub(super) fn bind_strides(&mut self, k: usize, rank: usize) {
        self.number(Member::Offset(k));
        for d in 0..rank {
            self.number(Number::Pitch(k, d));
        }
        if self.current() == Current::Element {
            for d in 1..rank {
                self.number(Number::Extent(k, d));
            }
        }
    }
}

/// Which element of the array of argument `k` the current one is.
pub(super) fn place(k: usize, rank: usize, current: Current) -> String {
    let element = "(params.base + at)";
    let mut terms = vec![format!("params.offset{k}")];
    let mut rest = element.to_owned();
    match current {
        Current::Step => terms.push(format!("turn * params.pitch{k}_1")),
        Current::Element => {
            for d in (1..rank).rev() {
                let extent = format!("params.extent{k}_{d}");
                terms.push(format!("{rest} % {extent} * params.pitch{k}_{d}"));
                rest = format!("({rest} / {extent})");
            }
        }
    }
    terms.push(format!("{rest} * params.pitch{k}_0"));
    terms.join(" + ")
}
