//! Places of elements that do not lie as the call counts them.
//!
//! Strides may be negative. All is `u32` and wraps, which gives the right place, since that is not
//! negative and fits.

use super::builder::Builder;
use crate::codegen::{Current, Number};

impl Builder<'_> {
    /// The numbers that [`place`] names.
    pub(super) fn bind_strides(&mut self, k: usize, rank: usize) {
        self.number(Number::Base);
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

/// How many elements from the first one on the current element of argument `k` lies.
pub(super) fn place(k: usize, rank: usize, current: Current) -> String {
    let element = "(params.base + at)";
    match current {
        Current::Step => {
            format!("({element} * params.pitch{k}_0 + turn * params.pitch{k}_1)")
        }
        Current::Element => {
            let mut terms = Vec::new();
            let mut rest = element.to_owned();
            for d in (1..rank).rev() {
                let extent = format!("params.extent{k}_{d}");
                terms.push(format!("({rest} % {extent}) * params.pitch{k}_{d}"));
                rest = format!("({rest} / {extent})");
            }
            terms.push(format!("{rest} * params.pitch{k}_0"));
            terms.reverse();
            format!("({})", terms.join(" + "))
        }
    }
}
