//! The interface of a driver: what a device must be able to do.
#![allow(unsafe_code, reason = "declares what drivers promise")]

use super::{Compilation, Launch, VirtualTime};
use skel_core::{
    Error, Result,
    frame::{ElementLayout, Spine, View, ViewOut},
    ir::Ty,
    plan::{BlockConfigs, Kernel},
    space::Shape,
    unit::UnitInfo,
};
use std::{
    ops::Range,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

/// Drives one device. [`super::DeviceUnit`] makes a unit of it: it owns the thread, the queue, the
/// coherence, poisoned arrays and late errors, so that a driver is plain sequential code.
///
/// All functions but [`Driver::check`] run on the device's own thread, one at a time, in the order
/// in which calls were made. Work may be queued on the hardware: "done" means *done in the order of
/// the hardware's queue*, and only [`Driver::download`], [`Driver::partial`],
/// [`Driver::wait`] and [`Driver::read_traps`] wait for it. What is queued on the hardware **should** have a bound,
/// at which uploads and launches wait for earlier ones: programs need never read anything.
///
/// # Safety
/// A [`Driver::download`] that returns `Ok` has written all elements of the window: host memory that
/// was never written becomes readable by it. (That what it wrote is *right* is not a matter of safety.)
///
/// A driver **must not** panic on anything that a user can cause; it **must** leave the device usable
/// after an error, or say [`Error::Device`] to everything that follows.
pub unsafe trait Driver: Send + 'static {
    /// Memory for the elements of one container (or the window of a borrowed slice).
    type Array: Send + 'static;

    /// What [`Driver::launch`] started and a caller waits for: a fold's partial, a scan before its last
    /// phase.
    type Pending: Send + 'static;

    /// What [`Driver::check`] needs; shared with the threads that make calls.
    type Limits: Send + Sync + 'static;

    /// What the device is called, what it has, and what it can.
    fn info(&self) -> UnitInfo;

    /// The limits, for [`Driver::check`].
    fn limits(&self) -> Arc<Self::Limits>;

    /// Whether this device can run `kernel` over `range` of `shape`; the reason if not. Must be
    /// quick and must not allocate on the device: it is asked before every call.
    ///
    /// # Errors
    /// A sentence that names what is missing, for [`Error::Unsupported`].
    fn check(
        limits: &Self::Limits,
        kernel: &Kernel,
        shape: Shape,
    ) -> std::result::Result<(), String>;

    /// Whether a kernel can read a container of `elems` elements of type `ty` at random; the reason if
    /// not. Quick, as [`Driver::check`].
    ///
    /// # Errors
    /// As [`Driver::check`].
    fn check_whole(
        limits: &Self::Limits,
        ty: &Ty,
        elems: usize,
    ) -> std::result::Result<(), String> {
        let _ = (limits, ty, elems);
        Ok(())
    }

    /// Whether a kernel can read an argument of type `ty` by strides; the reason if not. `elems` lie from
    /// the first to the last of those that it needs at once, and `together` must lie in one piece of memory,
    /// from the first one on. Quick, as [`Driver::check`].
    ///
    /// # Errors
    /// As [`Driver::check`].
    fn check_strided(
        limits: &Self::Limits,
        ty: &Ty,
        elems: usize,
        together: usize,
    ) -> std::result::Result<(), String> {
        Self::check_whole(limits, ty, elems.max(together))
    }

    /// The bytes of the device's memory that an array of so many elements takes.
    fn array_bytes(layout: ElementLayout, ty: &Ty, elems: usize) -> u64 {
        let _ = ty;
        (elems as u64).saturating_mul(layout.size_bytes() as u64)
    }

    /// How many bytes all arrays may take together, if there is a limit: the device's memory, less what the
    /// driver itself needs.
    fn capacity_bytes(&self) -> Option<u64> {
        self.info().memory_bytes.map(|bytes| bytes - bytes / 32)
    }

    /// Whether the device computes while elements are on their way to it, and then in steps of about how
    /// many bytes a large upload is worth dividing: see `device/pipeline`.
    fn step_bytes(&self) -> Option<u64> {
        None
    }

    /// Whether all that was queued is known to be done, just after something was waited for. Does not wait.
    fn is_idle(&mut self) -> bool {
        true
    }

    /// Asked when a launch was [`skel_core::Error::Unsupported`]: whether the kernel of this hash is, whatever it is called
    /// with; otherwise only that call was.
    fn refuses(&self, kernel: u64) -> bool {
        let _ = kernel;
        true
    }

    /// What its clock says, for code that measures. Simulated devices have a clock of their own.
    fn clock(&self) -> Duration {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    }

    /// The counter of the time that its operations would take, if they take none: a device of a simulation.
    /// Always the same one.
    fn virtual_time(&self) -> Option<Arc<VirtualTime>> {
        None
    }

    /// The block configurations that a kernel can be launched in, the default first: tuning measures them.
    /// None if there is no choice. Quick, as [`Driver::check`].
    fn block_configs(limits: &Self::Limits, kernel: &Kernel) -> BlockConfigs {
        let _ = (limits, kernel);
        BlockConfigs::new()
    }

    /// From now on it is timed how long the device is at work, by a clock of its own, if it has one: what the
    /// host takes to learn that it is done does not count then. A driver that cannot time it leaves it to the
    /// host's clock.
    fn start_timer(&mut self) {}

    /// Nothing that is queued after the last launch is timed. Does not wait.
    fn stop_timer(&mut self) {}

    /// How long the device was at work from [`Driver::start_timer`] to [`Driver::stop_timer`], when all is done; said
    /// once.
    fn timed(&mut self) -> Option<Duration> {
        None
    }

    /// Gives back what it keeps for later, such as memory of arrays that were freed: no call will use the device
    /// any more, only downloads of what it has.
    fn trim(&mut self) {}

    /// Room for elements `window`, not initialised. A driver that keeps memory for later **must** give it
    /// back before it says that there is none.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Device`].
    fn allocate(
        &mut self,
        layout: ElementLayout,
        ty: &Ty,
        window: Range<usize>,
    ) -> Result<Self::Array>;

    /// Copies `from` to the same elements of `to`. The host memory is not used after the return.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn upload(&mut self, to: &mut Self::Array, from: View<'_>) -> Result<()>;

    /// Copies elements `to.window()` of `from` to the host, after all work queued before. Waits.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn download(&mut self, from: &Self::Array, to: ViewOut<'_>) -> Result<()>;

    /// Copies `elements`, which both have, from one array to another, after all work queued before.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn copy(
        &mut self,
        from: &Self::Array,
        to: &mut Self::Array,
        elements: Range<usize>,
    ) -> Result<()>;

    /// What must be compiled before [`Driver::launch`] and [`Driver::finish`] can do this: work for a thread
    /// of its own, which **must** leave what comes of it, a failure too, where they find it, whenever that
    /// is. None if nothing is missing. Quick. A launch without this may have to wait for the compiler.
    fn compilation(&mut self, launch: &Launch<'_, Self::Array>) -> Option<Compilation> {
        let _ = launch;
        None
    }

    /// Queues the local phase; of a scan, what can be done before its carry is known, and leaves something
    /// pending.
    ///
    /// # Errors
    /// [`Error::Device`], [`Error::OutOfMemory`].
    fn launch(&mut self, launch: Launch<'_, Self::Array>) -> Result<Launched<Self::Pending>>;

    /// Queues the last phase of a scan, of which [`Driver::launch`] left `pending`. `carry` is what precedes
    /// the elements in all. Leaves the carry of what follows pending if it is `wanted`.
    ///
    /// # Errors
    /// As [`Driver::launch`].
    fn finish(
        &mut self,
        launch: Launch<'_, Self::Array>,
        pending: Self::Pending,
        carry: Spine,
        wanted: bool,
    ) -> Result<Launched<Self::Pending>>;

    /// Waits for the partial of a fold (`Spine::EMPTY` if no element was folded), or for what
    /// [`Driver::finish`] left.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn partial(&mut self, pending: Self::Pending) -> Result<Spine>;

    /// Waits until everything that was queued is done.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn wait(&mut self) -> Result<()>;

    /// Marks all that has been queued so far, so that [`Driver::has_passed`] can be asked while other work is queued.
    /// `traps` will be read when it has passed: a driver may fetch them behind what has been queued. None if the driver
    /// cannot say without waiting that something is done: the caller waits at once then.
    ///
    /// # Errors
    /// [`Error::Device`], [`Error::OutOfMemory`].
    fn mark(&mut self, traps: &[TrapWords]) -> Result<Option<Mark>> {
        let _ = traps;
        Ok(None)
    }

    /// Whether all that was queued before the mark is done. Does not wait. A mark that has passed, or of which this was
    /// an error, is not asked for again.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn has_passed(&mut self, mark: Mark) -> Result<bool> {
        let _ = mark;
        Ok(true)
    }

    /// Waits for the launch and reads what it trapped at; the words are free again.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn read_traps(&mut self, traps: TrapWords) -> Result<Option<Trapped>>;

    /// These words will not be read any more; they are free again. Does not wait.
    fn forget_traps(&mut self, traps: TrapWords);
}

/// What a launch left behind.
pub struct Launched<P> {
    /// Folds: what [`Driver::partial`] waits for. Scans: what [`Driver::finish`] goes on with.
    pub pending: Option<P>,
    /// Where the kernel notes its traps, if it can trap. Those of a scan's last phase may go to the words of its launch,
    /// which are neither read nor named by a mark before [`Driver::finish`].
    pub traps: Option<TrapWords>,
}

/// Names the status words of one launch; the meaning is the driver's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TrapWords(pub u64);

/// Names a moment of a device's queues; the meaning is the driver's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mark(pub u64);

/// A trap that a launch ran into.
#[derive(Clone, Debug)]
pub struct Trapped {
    /// The smallest element, if it was in an element function.
    pub index: Option<usize>,
    /// Why, and where in the source; its own `index`, if it has one, is filled in from here.
    pub error: Error,
}

impl Trapped {
    /// The error, with its index.
    #[must_use]
    pub fn into_error(self) -> Error {
        let (found, mut error) = (self.index, self.error);
        if let Error::Trap { index, .. } = &mut error {
            *index = found;
        }
        error
    }
}
