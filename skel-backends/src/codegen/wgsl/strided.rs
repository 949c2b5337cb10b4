//! Places of elements that do not lie as the call counts them.
//!
//! Strides may be negative. All is `u32` and wraps, which gives the right place, since that is not
//! negative and fits.

use super::{Member, builder::Builder};
use crate::codegen::Current;

impl Builder<'_> {
    /// The numbers that [`place`] names.
    pub(super) fn bind_strides(&mut self, k: usize, rank: usize) {
        self.push(Member::Base);
        for d in 0..rank {
            self.push(Member::Pitch(k, d));
        }
        if self.current() == Current::Element {
            for d in 1..rank {
                self.push(Member::StridedExtent(k, d));
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
                let span = format!("params.span{k}_{d}");
                terms.push(format!("({rest} % {span}) * params.pitch{k}_{d}"));
                rest = format!("({rest} / {span})");
            }
            terms.push(format!("{rest} * params.pitch{k}_0"));
            terms.reverse();
            format!("({})", terms.join(" + "))
        }
    }
}
