//! Contexts: units that work together.
//!
//! The design is described in the README.md of this folder.

mod adaptive;
mod auto;
mod bounded;
mod builder;
mod call_class;
mod deadline;
mod default;
mod devices;
mod discovery;
mod later;
mod lazy;
pub(crate) mod moves;
mod select;
mod steps;
mod tasks;
pub(crate) mod tuned;
pub(crate) mod tuning;

pub use builder::ContextBuilder;
pub use default::DefaultContext;
pub use devices::DeviceReport;

use crate::{
    chunked,
    clock::Clock,
    cpu::CpuUnit,
    current_task, hybrid,
    observe::{self, Busy},
    positions::{CPU, FIRST_DEVICE, SEQUENTIAL},
    task::DeviceThreads,
    trace,
    tune::Table,
    unit::{Traffic, Unit},
};
use devices::Devices;
use skel_core::{
    Error, Result,
    call::{Call, Executor},
    frame::Partial,
    later::Later,
    plan::{Pattern, grouping},
    schedule::{Split, Target, UnitIndex},
};
use std::{borrow::Cow, fmt, ops::Range, sync::Arc};

/// Units, and the executor that decides between them. Clones share everything.
///
/// Most programs never see one: skeleton instances made by the macros use the default context, which
/// is built at the first call. Others are made by [`Context::builder`], for tests and for units from
/// elsewhere, and given to an instance by `.within(context)`.
///
/// # When the last handle is dropped
/// Nothing is moved, nothing is waited for, and nothing is lost. A device frees what the host has as well, and
/// ends: its thread, its driver, its memory. What only the device has keeps it, and just it, until that has been
/// downloaded or overwritten, or its container is dropped. So results can be read after their context is gone.
///
/// ```
/// use skel::{Context, mock::Mock, prelude::*};
///
/// let context = Context::builder().unit(Mock::named("device").unit()?).build()?;
/// let double = map!(|x: u32| 2 * x).within(context).on(Device(0));
/// let x = Vector::from([1, 2, 3]);
/// let y = double.run((&x,))?;
/// drop(double); // and with it the context
/// assert_eq!(y.host()?[..], [2, 4, 6]); // now the device is gone as well
/// # skel::Result::Ok(())
/// ```
///
/// # Processes that fork
/// In a child, devices that its parent had opened, or had looked for, are lost: calls that name one, and reads of
/// what only one has, give [`Error::DeviceLost`] at once; all others run on the CPU, by the calling thread. A
/// parent that has done neither leaves its children free to do so.
#[derive(Clone)]
pub struct Context {
    inner: Arc<Inner>,
}

struct Inner {
    sequential: CpuUnit,
    cpu: CpuUnit,
    devices: Devices,
    /// What `SKEL_BACKEND` says.
    forced: Result<Option<Target>>,
    auto: auto::Experience,
    adaptive: adaptive::Learned,
    tasks: tasks::Learned,
    device_threads: DeviceThreads,
    clock: Clock,
    tuning: tuning::Tuning,
}

/// Elements, and the unit that computes them.
pub(crate) type UnitRange = (UnitIndex, Range<usize>);

impl Context {
    /// A context of the CPU and given devices; no devices are discovered, and the environment is ignored.
    #[must_use]
    pub fn builder() -> ContextBuilder {
        ContextBuilder::default()
    }

    fn with_models(devices: Devices, forced: Result<Option<Target>>, models: Table) -> Self {
        let host = (CpuUnit::sequential(), CpuUnit::cores());
        let learned = adaptive::Learned::default();
        Context::with_clock(host, devices, forced, models, (Clock::Wall, learned))
    }

    fn with_clock(
        (sequential, cpu): (CpuUnit, CpuUnit),
        devices: Devices,
        forced: Result<Option<Target>>,
        models: Table,
        (clock, adaptive): (Clock, adaptive::Learned),
    ) -> Self {
        let auto = auto::Experience::default();
        Context {
            inner: Arc::new(Inner {
                sequential,
                cpu,
                devices,
                forced,
                auto,
                adaptive,
                tasks: tasks::Learned::default(),
                device_threads: DeviceThreads::new(),
                clock,
                tuning: tuning::Tuning::over(models),
            }),
        }
    }

    /// All devices of the context, numbered as `Device(i)` counts them, and those that were found and
    /// rejected, with the reason.
    #[must_use]
    pub fn devices(&self) -> Vec<DeviceReport> {
        self.inner.devices.reports()
    }

    /// Opens all devices, and says what was found: whether they open, and what their arithmetic is like
    /// (see [`crate::arithmetic`]). [`Context::devices`] knows that only of devices that were used.
    #[must_use]
    pub fn open_devices(&self) -> Vec<DeviceReport> {
        for index in 0..self.inner.devices.accepted().len() {
            // What goes wrong is in the report.
            let _opened = self.inner.devices.open(index).is_ok();
        }
        self.devices()
    }

    /// Bytes moved so far between the host and the devices that were used.
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        let mut sum = Traffic::default();
        for unit in self.inner.devices.opened() {
            let traffic = unit.traffic();
            sum.uploaded_bytes += traffic.uploaded_bytes;
            sum.downloaded_bytes += traffic.downloaded_bytes;
        }
        sum
    }

    /// The virtual time, in nanoseconds, that has passed since the context was built, if it has a clock of
    /// its own: what its calls took by the laws of their units, and what its devices did besides. See
    /// [`ContextBuilder::virtual_time`].
    #[must_use]
    pub fn virtual_ns(&self) -> Option<u64> {
        match &self.inner.clock {
            Clock::Wall => None,
            Clock::Virtual(clock) => {
                Some(u64::try_from(clock.now().as_nanos()).unwrap_or(u64::MAX))
            }
        }
    }

    /// Runs a call, or what stands for one; the virtual clock, if there is one, goes on.
    fn pass<R>(&self, pattern: Pattern, body: impl FnOnce() -> R) -> R {
        let Clock::Virtual(clock) = &self.inner.clock else {
            return body();
        };
        let before = clock.spent();
        let (result, parts) = observe::measured(body);
        clock.passed(pattern, &parts, &before);
        result
    }

    /// The unit at a position.
    pub(crate) fn unit(&self, index: UnitIndex) -> Result<&dyn Unit> {
        match index {
            SEQUENTIAL => Ok(&self.inner.sequential),
            CPU => Ok(&self.inner.cpu),
            device => self.inner.devices.open(device - FIRST_DEVICE),
        }
    }

    /// Runs a call on a single unit of the host, which needs no preparation.
    fn run_on_host(&self, index: UnitIndex, call: &mut Call<'_>) -> Result<Partial> {
        let unit = if index == SEQUENTIAL {
            &self.inner.sequential
        } else {
            &self.inner.cpu
        };
        self.pass(call.phases.pattern(), || {
            if !observe::is_timed() {
                return unit.run(call);
            }
            let (total, busy) = unit.run_measured(call)?;
            let busy = Busy {
                unit: index,
                busy,
                until_carry: None,
            };
            observe::piece(unit, &(0..call.space.elems()), busy);
            Ok(total)
        })
    }

    /// Runs a call on several units. What devices fail to do is done by the CPU, unless they were asked
    /// for by name.
    fn run_on(&self, choice: &select::Choice, call: &mut Call<'_>) -> Result<hybrid::CallOutcome> {
        let done = |total| hybrid::CallOutcome {
            total,
            failed: Vec::new(),
            broke: false,
        };
        let parts = aligned(call, &choice.pieces);
        match parts[..] {
            [] => Ok(done(call.initial.clone())),
            [(index @ (SEQUENTIAL | CPU), _)] => self.run_on_host(index, call).map(done),
            _ => {
                let mut pieces = Vec::with_capacity(parts.len());
                for (index, range) in &*parts {
                    let unit = self.unit(*index)?;
                    for range in unit.pieces(call, range.clone()) {
                        let deadline = self.deadline(call, *index, &range);
                        pieces.push(hybrid::Piece::new(*index, unit, range).deadline(deadline));
                    }
                }
                let fallback = hybrid::Fallback {
                    index: CPU,
                    unit: &self.inner.cpu,
                };
                let fallback = (!choice.by_name).then_some(fallback);
                self.pass(call.phases.pattern(), || {
                    hybrid::execute(&pieces, call, fallback)
                })
            }
        }
    }

    /// Waits until all devices have done what they were given.
    ///
    /// # Errors
    /// The first error since the last `sync()` that was not reported yet: calls return before their devices
    /// are done, so they cannot report it. The parts of a call on several units, and the chunks of one that
    /// did not fit a device, count separately: one may have been reported, and another not. So does the value
    /// of a reduction that was not waited for: its error is reported here, unless reading the value has
    /// reported it. In a forked process, devices cannot be waited for.
    ///
    /// ```
    /// use skel::{Context, mock::Mock, prelude::*};
    ///
    /// let context = Context::builder().unit(Mock::named("device").unit()?).build()?;
    /// let inverse = map!(|x: u32| 12 / x).within(context.clone()).on(Device(0));
    /// let x = inverse.run((&Vector::from([1, 2]),))?;
    /// context.sync()?;
    /// let y = map!(|x: u32| 1 / (x - 12)).within(context.clone()).on(Device(0)).run((&x,))?;
    /// // `y` has not been read.
    /// assert!(matches!(context.sync(), Err(skel::Error::Trap { index: Some(0), .. })));
    /// assert!(context.sync().is_ok());
    /// # drop(y);
    /// # skel::Result::Ok(())
    /// ```
    pub fn sync(&self) -> Result<()> {
        // All of them are waited for, also after an error.
        let waited: Vec<Result<()>> = self.inner.devices.opened().map(Unit::sync).collect();
        let waited: Result<()> = waited.into_iter().collect();
        self.take_untold().map_or(waited, Err)
    }
}

/// The same parts, whose boundaries are where the grouping of folds and scans may be cut: the nearest such places. A
/// unit whose part comes to nothing takes none.
fn aligned<'p>(call: &Call<'_>, parts: &'p [UnitRange]) -> Cow<'p, [UnitRange]> {
    if parts.len() < 2 {
        return Cow::Borrowed(parts);
    }
    let Some(grain) = call.grain() else {
        return Cow::Borrowed(parts);
    };
    let elems = call.space.elems();
    let place = |boundary: usize| grouping::rounded(boundary, grain, elems);
    let parts = parts
        .iter()
        .map(|(index, range)| (*index, place(range.start)..place(range.end)));
    parts.filter(|(_, range)| !range.is_empty()).collect()
}

impl Executor for Context {
    fn execute(&self, call: &mut Call<'_>, target: &Target) -> Result<Partial> {
        if chunked::has_role()
            && let Some(done) = chunked::intercept(call, |call, r| self.run_chunk(call, r))
        {
            return done;
        }
        let target = match &self.inner.forced {
            Ok(None) => target,
            Ok(Some(forced)) => forced,
            Err(error) => return Err(error.clone()),
        };
        self.tell_of(call);
        let _traced = trace::call(call, target);
        let observed = observe::is_active().then(|| (self.inner.clock.start(), self.traffic()));
        let result = if call.space.shape().is_empty() {
            select::validate(self, target).map(|()| call.initial.clone())
        } else if let Some(unit) = current_task::unit(self.address()) {
            self.run_here(unit, call)
        } else {
            self.run_at(target, call)
        };
        let result = result.map_err(|error| self.named(error));
        match &result {
            Err(error) => {
                // An error that measuring this call has found is reported now.
                let _told = self.take_untold();
                call.poison_outputs(error);
            }
            Ok(_) => {
                if let Some((started, before)) = observed {
                    let traffic = self.traffic() - before;
                    let elapsed = self.inner.clock.elapsed(started);
                    observe::call(call.instance, call.space.elems(), elapsed, traffic);
                }
            }
        }
        result
    }

    fn execute_later(&self, call: &mut Call<'_>, target: &Target) -> Result<Later<Partial>> {
        later::execute(self, call, target)
    }

    fn execute_steps(
        &self,
        call: &mut Call<'_>,
        target: &Target,
        most_steps: usize,
    ) -> Result<usize> {
        steps::execute(self, call, target, most_steps)
    }

    fn stays_on_host(&self, target: &Target) -> bool {
        let devices = &self.inner.devices;
        if chunked::has_role() || current_task::unit(self.address()).is_some() {
            return false;
        }
        let target = match &self.inner.forced {
            Ok(forced) => forced.as_ref().unwrap_or(target),
            // Calls fail, whatever they are.
            Err(_) => return true,
        };
        match target {
            Target::Sequential | Target::Cpu => true,
            // Until there is a reason to look for devices, it is the CPU.
            Target::Auto | Target::Hybrid(Split::Tuned) => {
                !devices.are_known() || devices.for_auto().is_empty()
            }
            _ => false,
        }
    }
}

impl Context {
    /// An error; if it depends on where the environment has sent the call, it says so.
    fn named(&self, error: Error) -> Error {
        let is_of_target = matches!(
            error,
            Error::NoDevice { .. } | Error::BadRatio { .. } | Error::BadOption(_)
        );
        match &self.inner.forced {
            Ok(Some(target)) if is_of_target || error.is_of_device() => {
                default::forced(target, error)
            }
            _ => error,
        }
    }

    fn run_at(&self, target: &Target, call: &mut Call<'_>) -> Result<Partial> {
        match target {
            Target::Sequential => self.run_on_host(SEQUENTIAL, call),
            Target::Cpu => self.run_on_host(CPU, call),
            Target::Auto | Target::Hybrid(Split::Tuned) => self.run_tuned(call),
            Target::Hybrid(Split::Adaptive) => adaptive::run(self, &self.inner.adaptive, call),
            Target::Tasks(tasks) => tasks::run(self, tasks, call),
            _ => {
                let choice = select::choose(self, target, call)?;
                self.run_on(&choice, call).map(|outcome| outcome.total)
            }
        }
    }
}

impl Context {
    /// Runs a call as its model says, or, if it has none, where it seems best.
    fn run_tuned(&self, call: &mut Call<'_>) -> Result<Partial> {
        let Some(mut tuned) = tuned::choose(self, call) else {
            return auto::run(self, call);
        };
        call.blocks = std::mem::take(&mut tuned.blocks);
        // What is on a device alone may not be done when the call returns.
        let waited = tuned
            .choice
            .pieces
            .iter()
            .any(|(index, _)| *index < FIRST_DEVICE);
        let (outcome, took) = self.time(|| self.run_on(&tuned.choice, call));
        // A session measures between calls, and empties the caches.
        let disturbed = self.inner.tuning.session().is_some();
        if let (Ok(outcome), true) = (&outcome, waited && !disturbed) {
            tuned.took(took, outcome.failed.is_empty());
        }
        outcome.map(|outcome| outcome.total)
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("devices", &self.devices())
            .finish_non_exhaustive()
    }
}
