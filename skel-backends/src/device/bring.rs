//! What a piece changes in place is sent ahead of its call.

use super::{
    bind::Bound,
    driver::Driver,
    scope::{Scope, scope},
    unit::DeviceUnit,
};
use skel_core::{
    Error, Result,
    call::{Call, Operand, OutputTarget},
};
use std::ops::Range;

impl<D: Driver> DeviceUnit<D> {
    /// As [`Unit::bring`](crate::Unit::bring).
    pub(super) fn bring_ahead<'e>(&self, call: &mut Call<'e>, r: &Range<usize>) -> Result<()> {
        let reserved = match self.reserve(call, r) {
            // It goes through in chunks, each with what it needs.
            Err(Error::OutOfMemory { .. }) => return Ok(()),
            reserved => reserved?,
        };
        let mut bound = Bound::new(self);
        scope(|scope: &Scope<'e>| {
            self.fetch(scope, call, r, &reserved, &mut bound)?;
            for (operand, held) in call.operands.iter_mut().zip(&reserved) {
                let (Operand::Output(output), Some(held)) = (operand, held) else {
                    continue;
                };
                if !output.reads || !output.is_ranged() {
                    continue;
                }
                let elements = output.elements(r);
                let OutputTarget::Container(target) = &mut output.target else {
                    continue;
                };
                let places = target.places(&elements);
                self.move_here(scope, held.id, target, places)?;
            }
            Ok(())
        })?;
        self.queue.ask(|memory| memory.wait())?;
        bound.uploads.confirm();
        Ok(())
    }
}
