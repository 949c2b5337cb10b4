//! A piece that a unit did not finish is taken back, to be computed elsewhere.
#![allow(unsafe_code, reason = "what was lent is lent again")]

use super::{Call, Operand, OutputTarget};
use crate::{Error, Result, container::Remains, space::IntervalSet};
use std::ops::Range;

impl Call<'_> {
    /// A device failed with `cause` while it was to compute elements `r`: they can be computed again, on
    /// the host. Outputs are as if no unit had begun; what is changed in place is what it was, where
    /// a memory node still has it.
    ///
    /// # Errors
    /// [`Error::Lost`] with the first argument of which something is gone.
    ///
    /// # Safety
    /// Memory that was lent of these elements is not used any more. If `remains` does not say otherwise, it
    /// has only been read.
    pub unsafe fn reclaim(
        &mut self,
        r: &Range<usize>,
        remains: Remains,
        cause: &Error,
    ) -> Result<()> {
        let mut lost = Ok(());
        let (instance, shape) = (self.instance, self.space.shape());
        let gone = |k: usize, elements: Vec<Range<usize>>| Error::Lost {
            instance: instance.to_owned(),
            argument: k + 1,
            elements,
            cause: cause.clone().into(),
        };
        for (k, operand) in self.operands.iter_mut().enumerate() {
            let Operand::Output(output) = operand else {
                continue;
            };
            let (elements, keeps) = (output.elements(r), output.keeps());
            let gone_elems = if let Some((target, _)) = output.scattered_by_host(|| shape) {
                // SAFETY: no unit uses the memory any more that was lent of elements `r`: that is what the caller says.
                unsafe { target.reclaim_scattered(r) };
                overwritten(r, remains)
            } else {
                match &mut output.target {
                    OutputTarget::Container(target) => {
                        let places = target.places(&elements);
                        // SAFETY: these places are what was lent of elements `r`, and no unit uses that any more.
                        unsafe { target.reclaim(&places, remains) }
                    }
                    OutputTarget::Slice(slice) => {
                        // SAFETY: these elements are what was lent of elements `r`, and no unit uses that any more.
                        unsafe { slice.reclaim(elements.clone()) };
                        overwritten(&elements, remains)
                    }
                }
            };
            // What outputs were before is not needed.
            if keeps && !gone_elems.is_empty() {
                lost = lost.and(Err(gone(k, gone_elems.ranges().to_vec())));
            }
        }
        lost
    }

    /// What devices write of this call, they write in its name: errors that come late say so.
    pub fn sign(&mut self) {
        let mut name = None;
        let instance = self.instance;
        for output in self.outputs() {
            if let OutputTarget::Container(target) = &mut output.target {
                target.sign(name.get_or_insert_with(|| instance.into()));
            }
        }
    }
}

/// What is lost of elements `r` of memory that has no other copy.
fn overwritten(r: &Range<usize>, remains: Remains) -> IntervalSet {
    match remains.overwrote {
        true => IntervalSet::of(r.clone()),
        false => IntervalSet::new(),
    }
}
