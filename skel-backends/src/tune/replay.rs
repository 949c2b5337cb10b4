//! Making a call again, over copies, in pieces.

use super::compare::{differ, partials_are_alike};
use crate::{
    Context,
    context::{CPU, FIRST_DEVICE, Part},
    observe,
};
use skel_core::{
    Result,
    call::{Call, Replica},
    frame::Partial,
    ir::print,
    model::UnitId,
    plan::{BlockConfig, Blocks, Pattern},
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
    /// Which devices launch otherwise than usually.
    blocks: Vec<(UnitIndex, BlockConfig)>,
}

impl<'b, 'e> Bench<'b, 'e> {
    /// Copies of what the call works on; `devices` of them may be measured.
    ///
    /// # Errors
    /// Those of copying.
    pub(super) fn new(context: &'b Context, call: &Call<'e>, devices: usize) -> Result<Self> {
        let first = copy(context, call)?;
        let restores = first.changes_arguments();
        let mut replicas = vec![first];
        if restores {
            for _ in 0..devices {
                replicas.push(copy(context, call)?);
            }
        }
        Ok(Bench {
            context,
            replicas,
            elems: call.shape.len(),
            restores,
            blocks: Vec::new(),
        })
    }

    /// From now on, this device launches in this block configuration.
    pub(super) fn launch_in(&mut self, unit: UnitIndex, block: Option<BlockConfig>) {
        self.blocks.retain(|(known, _)| *known != unit);
        self.blocks.extend(block.map(|block| (unit, block)));
    }

    /// The block configuration that a device launches in, if it is not the usual one.
    pub(super) fn block(&self, unit: UnitIndex) -> Option<BlockConfig> {
        let found = self.blocks.iter().find(|(known, _)| *known == unit);
        found.map(|(_, block)| *block)
    }

    fn blocks(&self) -> Result<Blocks> {
        let mut blocks = Blocks::default();
        for (unit, block) in &self.blocks {
            blocks.set(self.context.unit(*unit)?.node(), *block);
        }
        Ok(blocks)
    }

    /// Which copies a unit works on.
    fn position(&self, index: UnitIndex) -> usize {
        let own = (index + 1).saturating_sub(FIRST_DEVICE);
        if own < self.replicas.len() { own } else { 0 }
    }

    fn replica(&mut self, index: UnitIndex) -> &mut Replica<'e> {
        let position = self.position(index);
        &mut self.replicas[position]
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
        // On the host only: there, values that grow run after run may make the next one slower. What a device
        // has would have to be uploaded again, which is not to be measured here.
        let restores = self.restores && unit < FIRST_DEVICE;
        let (context, blocks) = (self.context, self.blocks()?);
        let replica = self.replica(unit);
        let parts = [(unit, range.clone())];
        if !restores {
            return times(context, replica, &parts, &blocks, batch);
        }
        let mut sum = 0.0;
        for _ in 0..batch {
            replica.restore()?;
            sum += times(context, replica, &parts, &blocks, 1)?;
        }
        Ok(sum / batch as f64)
    }

    /// Runs the whole call, shared; how many nanoseconds it takes.
    ///
    /// # Errors
    /// Those of the call.
    pub(super) fn shared(&mut self, parts: &[Part], batch: usize) -> Result<f64> {
        let blocks = self.blocks()?;
        times(self.context, &mut self.replicas[0], parts, &blocks, batch)
    }

    /// What went wrong on a device in a replay, and has not shown yet.
    ///
    /// # Errors
    /// That.
    pub(super) fn late(&self, unit: UnitIndex) -> Result<()> {
        let replica = &self.replicas[self.position(unit)];
        replica.written(&(0..self.elems)).map(drop)
    }
}

/// Copies of what a call works on. What goes wrong there is the program's affair, which does not know of it yet.
fn copy<'e>(context: &Context, call: &Call<'e>) -> Result<Replica<'e>> {
    let copied = call.replica();
    copied.inspect_err(|error| context.keep_untold(error.clone()))
}

/// Whether a unit computes what the CPU does, of these elements; in words, what it does not.
///
/// # Errors
/// Those of the call.
pub(super) fn check(
    context: &Context,
    unit: UnitIndex,
    range: &Range<usize>,
    call: &Call<'_>,
    blocks: &Blocks,
) -> Result<Option<String>> {
    let (mut here, mut there) = (copy(context, call)?, copy(context, call)?);
    let ours = timed_run(context, &mut here, CPU, range, blocks)?;
    let theirs = timed_run(context, &mut there, unit, range, blocks)?;
    let kernel = call.phases.kernel()?;
    // Nobody asks for the total of a scan's last piece: devices may not give it.
    if kernel.pattern == Pattern::Fold
        && !partials_are_alike(&ours, &theirs, call.phases, kernel.result_ty())
    {
        return Ok(Some(format!("the value of elements {range:?} differs")));
    }
    let text = print(&kernel.program);
    let floats = ["f16", "f32", "f64"]
        .iter()
        .any(|float| text.contains(float));
    for ((ours, ty), (theirs, _)) in here.written(range)?.iter().zip(&there.written(range)?) {
        if let Some(element) = differ(ours, theirs, ty, floats) {
            return Ok(Some(format!("element {element} differs")));
        }
    }
    Ok(None)
}

/// Makes the call some times, and says how many nanoseconds one takes.
fn times(
    context: &Context,
    replica: &mut Replica<'_>,
    parts: &[Part],
    blocks: &Blocks,
    batch: usize,
) -> Result<f64> {
    let all = || {
        context.time(|| {
            for _ in 0..batch {
                run(context, replica, parts, blocks)?;
            }
            Ok(())
        })
    };
    let (result, took) = observe::timed(all);
    result.map(|()| took.as_nanos() as f64 / batch.max(1) as f64)
}

/// Makes the call, and says what came of it.
fn run(
    context: &Context,
    replica: &mut Replica<'_>,
    parts: &[Part],
    blocks: &Blocks,
) -> Result<Partial> {
    let mut call = replica.call();
    call.blocks = blocks.clone();
    context.run_parts(parts, &mut call)
}

/// The same on one unit, which is waited for.
fn timed_run(
    context: &Context,
    replica: &mut Replica<'_>,
    unit: UnitIndex,
    range: &Range<usize>,
    blocks: &Blocks,
) -> Result<Partial> {
    observe::timed(|| run(context, replica, &[(unit, range.clone())], blocks))
}
