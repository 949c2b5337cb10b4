//! Making a call again, over copies, in pieces.

use super::compare::{differ, partials_are_alike};
use crate::{Context, context::Part, observe};
use skel_core::{
    Result,
    call::{Call, Replica},
    frame::Partial,
    model::UnitId,
    plan::Pattern,
    schedule::UnitIndex,
};
use std::ops::Range;

/// A unit that is measured.
pub(crate) struct Contender {
    pub(crate) id: UnitId,
    pub(crate) index: UnitIndex,
}

/// A call to be made again and again.
pub(super) struct Bench<'b, 'e> {
    context: &'b Context,
    /// One for all, or, where arguments are changed in place and so would move to and fro, one for the host and
    /// one for each device.
    replicas: Vec<Replica<'e>>,
    pub(super) elems: usize,
    /// Whether arguments are changed in place.
    pub(super) restores: bool,
}

impl<'b, 'e> Bench<'b, 'e> {
    /// Copies of what the call works on; `devices` of them may be measured.
    ///
    /// # Errors
    /// Those of copying.
    pub(super) fn new(context: &'b Context, call: &Call<'e>, devices: usize) -> Result<Self> {
        let first = call.replica()?;
        let restores = first.changes_arguments();
        let mut replicas = vec![first];
        if restores {
            for _ in 0..devices {
                replicas.push(call.replica()?);
            }
        }
        Ok(Bench {
            context,
            replicas,
            elems: call.shape.len(),
            restores,
        })
    }

    fn replica(&mut self, index: UnitIndex) -> &mut Replica<'e> {
        let own = index.saturating_sub(crate::context::FIRST_DEVICE) + 1;
        let own = if index < crate::context::FIRST_DEVICE || own >= self.replicas.len() {
            0
        } else {
            own
        };
        &mut self.replicas[own]
    }

    /// Runs elements `range` on one unit, `batch` times, and says how many nanoseconds one run takes.
    ///
    /// # Errors
    /// Those of the call.
    pub(super) fn single(
        &mut self,
        unit: UnitIndex,
        range: &Range<usize>,
        batch: usize,
    ) -> Result<f64> {
        let (context, restores) = (self.context, self.restores);
        let replica = self.replica(unit);
        // On the host only: there, values that grow run after run may make the next one slower. What a device
        // has would have to be uploaded again, which is not to be measured here.
        if restores && unit < crate::context::FIRST_DEVICE {
            replica.restore()?;
        }
        let parts = [(unit, range.clone())];
        let mut sum = 0.0;
        for _ in 0..batch {
            sum += run(context, replica, &parts)?.1;
        }
        Ok(sum / batch as f64)
    }

    /// Runs the whole call, shared; how many nanoseconds it takes.
    ///
    /// # Errors
    /// Those of the call.
    pub(super) fn shared(&mut self, parts: &[Part], batch: usize) -> Result<f64> {
        let context = self.context;
        let mut sum = 0.0;
        for _ in 0..batch {
            sum += run(context, &mut self.replicas[0], parts)?.1;
        }
        Ok(sum / batch as f64)
    }

    /// Whether a unit computes what the CPU does, of these elements; in words, what it does not.
    ///
    /// # Errors
    /// Those of the call.
    pub(super) fn check(
        &mut self,
        unit: UnitIndex,
        range: &Range<usize>,
        call: &Call<'e>,
    ) -> Result<Option<String>> {
        let context = self.context;
        let (mut here, mut there) = (call.replica()?, call.replica()?);
        let (ours, _) = run(context, &mut here, &[(crate::context::CPU, range.clone())])?;
        let (theirs, _) = run(context, &mut there, &[(unit, range.clone())])?;
        let kernel = call.phases.kernel()?;
        // Nobody asks for the total of a scan's last piece: devices may not give it.
        if kernel.pattern == Pattern::Fold
            && !partials_are_alike(&ours, &theirs, call.phases, kernel.result_ty())
        {
            return Ok(Some(format!("the value of elements {range:?} differs")));
        }
        for ((ours, ty), (theirs, _)) in here.written(range)?.iter().zip(&there.written(range)?) {
            if let Some(element) = differ(ours, theirs, ty) {
                return Ok(Some(format!("element {element} differs")));
            }
        }
        Ok(None)
    }
}

/// Makes the call, and says what came of it and how many nanoseconds it took.
fn run(context: &Context, replica: &mut Replica<'_>, parts: &[Part]) -> Result<(Partial, f64)> {
    let mut call = replica.call();
    let timed = || {
        context.time(|| {
            let whole = matches!(parts, [(_, range)] if range.len() == call.shape.len());
            context.run_parts(parts, whole, &mut call)
        })
    };
    let (result, took) = observe::timed(timed);
    Ok((result?, took.as_nanos() as f64))
}
