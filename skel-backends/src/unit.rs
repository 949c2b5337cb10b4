//! What an executor knows of a unit.

use crate::{
    Health, ItemId, Watchdog,
    device::{Scope, VirtualTime},
};
use skel_core::{
    Result,
    call::Call,
    frame::Spine,
    later::Later,
    plan::BlockConfigs,
    unit::{NodeId, UnitInfo},
};
use std::{ops::Range, sync::Arc, time::Duration};

/// Something that runs pieces of plans: a CPU, a device. Knows patterns and phases, never skeletons.
///
/// To add a device, do not implement this, but [`crate::device::Driver`]: it needs no knowledge of
/// containers, threads or late errors.
///
/// # Safety
/// When a [`Running`] that [`Unit::start`] gave has been seen to its end without an error, all elements of its
/// piece have been written: those of borrowed slices, and those that the host scatters, in host
/// memory; those of containers there as well, if the unit's node is the host or [`Running::is_on_host`] says so,
/// and else on the unit's node.
#[expect(
    unsafe_code,
    reason = "executors believe units that something was written"
)]
pub unsafe trait Unit: Send + Sync {
    /// What it is.
    fn info(&self) -> &UnitInfo;

    /// The memory it works on.
    fn node(&self) -> NodeId;

    /// Whether it can run the call; quick, and without a trace on the unit.
    ///
    /// # Errors
    /// [`skel_core::Error::Unsupported`] with the reason, or what is wrong with the user function.
    fn check(&self, call: &Call<'_>) -> Result<()>;

    /// Whether it is still used. One that is not fails [`Unit::check`], with
    /// [`skel_core::Error::DeviceLost`].
    fn health(&self) -> Health {
        Health::Well
    }

    /// From now on, a call's part may take so long; then the unit is quarantined, and the waiting caller goes
    /// on, whatever the unit does.
    fn watchdog(&self, watchdog: Watchdog) {
        let _ = watchdog;
    }

    /// From now on, a kernel may be compiled so long; then the unit takes no part in its calls until that ends.
    fn compile_budget(&self, budget: Duration) {
        let _ = budget;
    }

    /// The kernels, by the names of their functions, that are being compiled for longer than that.
    fn overdue(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Whether it has computed with the call's kernel before, so that elements `range` need no preparation of
    /// which a model knows nothing.
    fn has_run(&self, call: &Call<'_>, range: &Range<usize>) -> bool {
        let _ = (call, range);
        false
    }

    /// The pieces that it takes `range` in, one after the other: several where it can begin with one while
    /// the next one's elements are on their way.
    fn pieces(&self, call: &Call<'_>, range: Range<usize>) -> Vec<Range<usize>> {
        let _ = call;
        vec![range]
    }

    /// The block configurations that it offers for the call's kernel, the usual one first; none where there is
    /// no choice.
    fn block_configs(&self, call: &Call<'_>) -> BlockConfigs {
        let _ = call;
        BlockConfigs::new()
    }

    /// Sends it what it lacks of what elements `range` read and change in place, ahead of the call, and
    /// waits: for measuring the call without that. What does not fit stays where it is.
    ///
    /// # Errors
    /// Those of the device.
    fn bring(&self, call: &mut Call<'_>, range: &Range<usize>) -> Result<()> {
        let _ = (call, range);
        Ok(())
    }

    /// Starts the local phase of `range`, or notes it; of a scan, what can be done before it is known what
    /// precedes the range. **Must not** use host memory after `scope`
    /// has ended, and **must** not wait for other units.
    ///
    /// # Errors
    /// Whatever keeps it from starting; nothing runs then, and what it computes in place is what it was.
    fn start<'u, 'e: 'u>(
        &'u self,
        scope: &'u Scope<'e>,
        call: &mut Call<'e>,
        range: Range<usize>,
    ) -> Result<Box<dyn Running + 'u>>;

    /// Waits until everything that was queued is done.
    ///
    /// # Errors
    /// The first one that was not reported; one of the device's.
    fn sync(&self) -> Result<()> {
        Ok(())
    }

    /// Waits until everything that was queued by calls of an item is done; others may go on.
    ///
    /// # Errors
    /// The first one of these calls that was not reported; one of the device's.
    fn settle(&self, item: ItemId) -> Result<()> {
        let _ = item;
        self.sync()
    }

    /// The counter of the time that it would have taken, if it takes none: see
    /// [`Driver::virtual_time`](crate::device::Driver::virtual_time).
    fn virtual_time(&self) -> Option<Arc<VirtualTime>> {
        None
    }

    /// Drops launches whose results are gone: their errors are not reported.
    fn forget_orphans(&self) {}

    /// How long it takes to send it so many bytes, and to get them back; nothing where it works on host memory.
    ///
    /// # Errors
    /// Those of the device.
    fn time_transfer(&self, bytes: usize) -> Result<Option<(Duration, Duration)>> {
        let _ = bytes;
        Ok(None)
    }

    /// How many bytes it has been sent and has sent back so far.
    fn traffic(&self) -> Traffic {
        Traffic::default()
    }
}

/// A piece that a unit has accepted.
pub trait Running {
    /// What needs the calling thread; called once, when all units have started.
    ///
    /// # Errors
    /// Those of the local phase, as far as they show by now.
    fn work(&mut self) -> Result<()> {
        Ok(())
    }

    /// The partial of the piece; waits for it.
    ///
    /// # Errors
    /// Those of the local phase.
    fn partial(&mut self) -> Result<Spine>;

    /// Scans: what precedes the piece in all is known. Called once, when [`Running::work`] has returned,
    /// in the order of the pieces, if none before it has failed. Gives the carry of what follows, if that
    /// is `wanted`, and **should** not wait longer than that takes.
    ///
    /// # Errors
    /// Those of the piece, as far as they show by now.
    fn finish(&mut self, carry: Spine, wanted: bool) -> Result<Spine>;

    /// Waits for what the caller must not run ahead of: borrowed slices. Of a scan, it computes what
    /// [`Running::finish`] left.
    ///
    /// # Errors
    /// Those of the piece, as far as they show by now.
    fn complete(&mut self) -> Result<()>;

    /// The partial of a fold, to be asked for when the call is over and the caller's memory may be gone; called
    /// instead of [`Running::partial`]. **May** wait for it all the same.
    ///
    /// # Errors
    /// Those of the local phase, as far as they show by now.
    fn later(&mut self) -> Result<Later<Spine>> {
        self.partial().map(Later::Known)
    }

    /// Whether what it writes to containers lands in host memory; then, when all have completed without an
    /// error, it has written all of its piece there.
    fn is_on_host(&self) -> bool {
        false
    }

    /// Whether it may have changed what it changes in place; asked when all has gone wrong, and nothing of the
    /// piece is on its way any more.
    fn has_begun(&self) -> bool {
        true
    }

    /// Scans: how much of [`Running::busy`] had passed when [`Running::finish`] gave the carry, if the unit went on
    /// with the piece after that.
    fn until_carry(&self) -> Option<Duration> {
        None
    }

    /// How long the unit was at work; what is queued and not waited for does not count, unless the
    /// call is observed.
    fn busy(&self) -> Duration;
}

/// Bytes moved between the host and a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// From the host to the device.
    pub uploaded_bytes: u64,
    /// From the device to the host.
    pub downloaded_bytes: u64,
}

impl std::ops::Sub for Traffic {
    type Output = Traffic;

    fn sub(self, earlier: Traffic) -> Traffic {
        Traffic {
            uploaded_bytes: self.uploaded_bytes - earlier.uploaded_bytes,
            downloaded_bytes: self.downloaded_bytes - earlier.downloaded_bytes,
        }
    }
}
