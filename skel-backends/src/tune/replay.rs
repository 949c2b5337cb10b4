//! Replays: a call is made again over copies, in pieces.

use super::compare::{Agreement, differ, partials_are_alike};
use crate::{Context, context::UnitRange, observe, positions::CPU};
use skel_core::{
    Result,
    call::{Call, Replica},
    frame::Partial,
    plan::{BlockConfig, Blocks, Pattern},
    schedule::UnitIndex,
};
use skel_model::UnitId;
use std::ops::Range;

/// A unit that is measured.
#[derive(Clone)]
pub(crate) struct Contender {
    pub(crate) id: UnitId,
    pub(crate) index: UnitIndex,
}

/// A call to be made again and again.
pub(super) struct Bench<'b, 'e> {
    context: &'b Context,
    replica: Replica<'e>,
    pub(super) elems: usize,
    /// Whether arguments are changed in place: each run gets them as they were.
    restores: bool,
    /// Which devices launch otherwise than usually.
    blocks: Vec<(UnitIndex, BlockConfig)>,
}

impl<'b, 'e> Bench<'b, 'e> {
    /// Copies of what the call works on.
    ///
    /// # Errors
    /// Those of copying.
    pub(super) fn new(context: &'b Context, call: &Call<'e>) -> Result<Self> {
        let replica = copy(context, call)?;
        Ok(Bench {
            context,
            restores: replica.changes_arguments(),
            replica,
            elems: call.space.elems(),
            blocks: Vec::new(),
        })
    }

    /// From now on, this device launches in this block configuration.
    pub(super) fn launch_in(&mut self, unit: UnitIndex, block: Option<BlockConfig>) {
        self.blocks.retain(|(known, _)| *known != unit);
        self.blocks.extend(block.map(|block| (unit, block)));
    }

    fn blocks(&self) -> Result<Blocks> {
        let mut blocks = Blocks::default();
        for (unit, block) in &self.blocks {
            blocks.set(self.context.unit(*unit)?.node(), *block);
        }
        Ok(blocks)
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
        self.shared(&[(unit, range.clone())], batch)
    }

    /// Runs parts of the call, each on its unit; how many nanoseconds that takes.
    ///
    /// # Errors
    /// Those of the call.
    pub(super) fn shared(&mut self, parts: &[UnitRange], batch: usize) -> Result<f64> {
        let (context, blocks) = (self.context, self.blocks()?);
        let replica = &mut self.replica;
        if !self.restores {
            return times(context, replica, parts, &blocks, batch);
        }
        // Values that grow run after run may make the next one slower. What a device is sent for that is not
        // what is measured here.
        let mut sum = 0.0;
        for _ in 0..batch {
            replica.restore()?;
            context.bring(parts, &mut replica.call())?;
            sum += times(context, replica, parts, &blocks, 1)?;
        }
        Ok(sum / batch as f64)
    }

    /// What went wrong on a device in a replay, and has not shown yet.
    ///
    /// # Errors
    /// That.
    pub(super) fn late(&self) -> Result<()> {
        self.replica.written(&(0..self.elems)).map(drop)
    }
}

/// Copies of a call's operands. An error there is the program's own, and was not reported to it yet.
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
    // Parts that do not begin and end with tiles are grouped otherwise.
    let tiles = kernel
        .grouping
        .tiles(range.start, range.end, call.space.elems());
    let combines = kernel.operator.is_some() && !kernel.is_exact;
    let agreement = match kernel.program.is_rounded() || combines && tiles.is_none() {
        true => Agreement::Near,
        false => Agreement::Same,
    };
    // The total of a scan's last piece is not asked for: devices may not give it.
    if kernel.pattern == Pattern::Fold
        && !partials_are_alike(&ours, &theirs, call.phases, kernel.result_ty(), agreement)
    {
        return Ok(Some(format!("the value of elements {range:?} differs")));
    }
    for ((ours, ty), (theirs, _)) in here.written(range)?.iter().zip(&there.written(range)?) {
        if let Some(element) = differ(ours, theirs, ty, agreement) {
            return Ok(Some(format!("element {element} differs")));
        }
    }
    Ok(None)
}

/// Makes the call some times, and says how many nanoseconds one takes.
fn times(
    context: &Context,
    replica: &mut Replica<'_>,
    parts: &[UnitRange],
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

/// Makes the call, and returns its result.
fn run(
    context: &Context,
    replica: &mut Replica<'_>,
    parts: &[UnitRange],
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
