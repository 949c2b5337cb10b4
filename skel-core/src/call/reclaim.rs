//! A piece that a unit did not finish is taken back, to be computed elsewhere.
#![allow(unsafe_code, reason = "what was lent is lent again")]

use super::{Call, Operand};
use crate::{Error, Result};
use std::ops::Range;

/// What a device may have done of a piece before it failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remains {
    /// It may have computed: what it changes in place on the device is not what it was.
    pub began: bool,
    /// It may have copied results to host memory that it was lent: that is not what it was.
    pub overwrote: bool,
}

impl Call<'_> {
    /// A device failed with `cause` while it was to compute elements `r`: they can be computed again, on
    /// the host. Outputs are as if nobody had begun; what is changed in place is what it was, where
    /// anyone still has it.
    ///
    /// # Errors
    /// [`Error::Lost`] with the first argument of which something is gone.
    ///
    /// # Safety
    /// Nobody uses memory any more that was lent of these elements. If `remains` does not say otherwise, it
    /// has only been read.
    pub unsafe fn reclaim(
        &mut self,
        r: &Range<usize>,
        remains: Remains,
        cause: &Error,
    ) -> Result<()> {
        let mut lost = Ok(());
        let instance = self.instance;
        let gone = |k: usize, elements: Vec<Range<usize>>| Error::Lost {
            instance: instance.to_owned(),
            argument: k + 1,
            elements,
            cause: cause.clone().into(),
        };
        for (k, operand) in self.operands.iter_mut().enumerate() {
            match operand {
                Operand::Update(target) => {
                    let places = target.places(r);
                    // SAFETY: by the contract above.
                    let elements = unsafe { target.reclaim(&places, remains) };
                    if !elements.is_empty() {
                        lost = lost.and(Err(gone(k, elements.ranges().to_vec())));
                    }
                }
                Operand::Write(target) => {
                    let places = target.places(r);
                    // SAFETY: by the contract above. What outputs were, nobody needs.
                    let _old = unsafe { target.reclaim(&places, remains) };
                }
                Operand::UpdateSlice(slice) => {
                    // SAFETY: by the contract above.
                    unsafe { slice.reclaim(r.clone()) };
                    if remains.overwrote {
                        lost = lost.and(Err(gone(k, vec![r.clone()])));
                    }
                }
                // SAFETY: by the contract above.
                Operand::WriteSlice(slice) => unsafe { slice.reclaim(r.clone()) },
                Operand::Scatter(target, _, reads) => {
                    // SAFETY: by the contract above.
                    unsafe { target.reclaim_scattered(r) };
                    if *reads && remains.overwrote {
                        lost = lost.and(Err(gone(k, vec![r.clone()])));
                    }
                }
                Operand::Read(_)
                | Operand::ReadSlice(_)
                | Operand::Strided(..)
                | Operand::Uniform(_)
                | Operand::Scalar(_)
                | Operand::View(..)
                | Operand::ViewSlice(_)
                | Operand::Window(..)
                | Operand::WindowSlice(..)
                | Operand::ViewPart(..)
                | Operand::WindowPart(..) => {}
            }
        }
        lost
    }

    /// What devices write of this call, they write in its name: errors that come late say so.
    pub fn sign(&mut self) {
        let mut name = None;
        for operand in &mut self.operands {
            if let Operand::Update(target) | Operand::Write(target) = operand {
                target.sign(name.get_or_insert_with(|| self.instance.into()));
            }
        }
    }
}
