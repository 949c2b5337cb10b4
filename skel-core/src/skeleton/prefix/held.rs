//! Elements of a scan, and where among them segments begin.

use super::Form;
use crate::{plan::grouping::BLOCK, skeleton::fold::Operator};

/// Some elements, apart from whether they begin segments: states that hold both lie in memory byte by byte.
pub(super) struct Held<S: Form, const N: usize> {
    pub(super) own: [S::Inner; N],
    pub(super) begins: [bool; N],
    /// Whether any of them begins one.
    pub(super) any: bool,
}

impl<S: Form> Held<S, BLOCK> {
    /// All of them combined, as `tree_of_block` does, where some begin segments.
    #[inline(always)]
    pub(super) fn tree(&self) -> S::State {
        let (mut own, mut begins) = (self.own, self.begins);
        let mut len = BLOCK;
        while len > 1 {
            len /= 2;
            for i in 0..len {
                let (left, right) = (2 * i, 2 * i + 1);
                own[i] = match begins[right] {
                    true => own[right],
                    false => S::InnerOperator::apply(own[left], own[right]),
                };
                begins[i] = begins[left] | begins[right];
            }
        }
        S::outer(own[0], begins[0])
    }
}
