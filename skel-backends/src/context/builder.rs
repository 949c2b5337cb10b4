//! Contexts of given units.

use super::{
    Context,
    adaptive::{Learned, MakePolicy},
    devices::{Devices, TimeLimits},
};
use crate::{
    Watchdog,
    clock::{Clock, HostLaw, VirtualClock},
    cpu::CpuUnit,
    device::{DeviceUnit, Driver},
    mock::Law,
    tune::Table,
    unit::Unit,
};
use skel_core::Result;
use skel_model::policy::Policy;
use std::{sync::Arc, time::Duration};

/// Builds a [`Context`] of the CPU and given devices. See [`Context::builder`].
#[derive(Default)]
pub struct ContextBuilder {
    devices: Vec<Arc<dyn Unit>>,
    limits: TimeLimits,
    /// The laws of the CPU and of one thread.
    laws: Option<(Law, Law)>,
    /// How calls learn to share.
    policy: Option<MakePolicy>,
}

impl ContextBuilder {
    /// Adds a device, over any driver. The same hardware may be added twice, as two devices.
    #[must_use]
    pub fn unit<D: Driver>(mut self, device: DeviceUnit<D>) -> Self {
        self.devices.push(Arc::new(device));
        self
    }

    /// Gives devices up that do not answer: one that is longer than so at its part of a call (or, where several
    /// calls were queued, at all of them, as long as all of them may take) is quarantined, and the call is
    /// finished by the others. Without this, a call on a device that hangs does not return.
    ///
    /// A time is for any part, with its transfers, so it is to be longer than the longest call takes. The
    /// compilation of its kernel does not count: see [`ContextBuilder::compile_budget`]. [`Watchdog::ByModel`] goes
    /// by what is predicted for each part, and by a time where nothing is.
    ///
    /// For the default context, `SKEL_WATCHDOG_MS` says the time, where 0 means as long as it takes; and
    /// `SKEL_WATCHDOG=model` that models say more, as in [`Watchdog::by_model`].
    ///
    /// With a watchdog, what is copied between the host and devices goes through memory of the library's
    /// own, so that a device that comes back later finds nothing of the program's to write to.
    ///
    /// ```
    /// use skel::{Context, mock::{Gate, Mock, Operation}, prelude::*};
    /// use std::time::Duration;
    ///
    /// let gate = Gate::new();
    /// let hangs = Mock::named("hangs").waits(Operation::Launch, 1, &gate);
    /// let context = Context::builder()
    ///     .unit(hangs.unit()?)
    ///     .watchdog(Duration::from_millis(50))
    ///     .build()?;
    /// let double = map!(|x: u32| 2 * x).within(context.clone());
    /// let y = double.on(Hybrid::ratio(0.5)).run((&[1, 2, 3, 4],))?;
    /// assert_eq!(y.host()?[..], [2, 4, 6, 8]);
    /// assert!(context.devices()[0].rejected.is_some());
    /// gate.open();
    /// # skel::Result::Ok(())
    /// ```
    #[must_use]
    pub fn watchdog(mut self, watchdog: impl Into<Watchdog>) -> Self {
        self.limits.watchdog = Some(watchdog.into());
        self
    }

    /// Waits no longer than so for the compilation of a kernel on a device; without this,
    /// [`COMPILE_BUDGET`](crate::device::COMPILE_BUDGET). Zero waits as long as it takes.
    ///
    /// What takes longer goes on in the background. Until it ends, the device takes no part in calls of that
    /// kernel: the CPU computes its part, [`Context::devices`] names the function, and where the device was
    /// named the call is [`skel_core::Error::Unsupported`]. When it has ended, the device takes part again.
    ///
    /// For the default context, `SKEL_COMPILE_BUDGET_MS` says the time.
    ///
    /// ```
    /// use skel::{Context, mock::{Gate, Mock}, prelude::*};
    /// use std::time::Duration;
    ///
    /// let gate = Gate::new();
    /// let slow = Mock::named("slow").compiles_behind(1, &gate);
    /// let context = Context::builder()
    ///     .unit(slow.unit()?)
    ///     .compile_budget(Duration::from_millis(1))
    ///     .build()?;
    /// let double = map!(|x: u32| 2 * x).within(context.clone());
    /// let y = double.clone().on(Hybrid::ratio(0.5)).run((&[1, 2, 3, 4],))?;
    /// assert_eq!(y.host()?[..], [2, 4, 6, 8]);
    /// assert_eq!(context.devices()[0].overdue.len(), 1);
    /// gate.open();
    /// while !context.devices()[0].overdue.is_empty() {
    ///     std::thread::yield_now();
    /// }
    /// assert_eq!(double.on(Device(0)).run((&[1, 2],))?.host()?[..], [2, 4]);
    /// # skel::Result::Ok(())
    /// ```
    #[must_use]
    pub fn compile_budget(mut self, budget: Duration) -> Self {
        self.limits.compile_budget = Some(budget);
        self
    }

    /// Gives the context a clock of its own: a call takes what the laws of its units say, whatever the
    /// machine does meanwhile. What `observe` reports and what `Auto` measures are times of this clock, and
    /// so is [`Context::virtual_ns`]. Same program, same times.
    ///
    /// `cpu` is the law of all cores together, `sequential` that of one. Devices are to be mock devices of
    /// which [`Mock::virtual_time`](crate::mock::Mock::virtual_time) was asked; others take no time. A call
    /// takes as long as the unit that is at work longest, transfers included, and returns when all are done.
    /// In a scan, each unit waits for what precedes its elements. Calls are to be made one after the other.
    ///
    /// ```
    /// use skel::{Context, mock::{Law, Mock}, prelude::*};
    ///
    /// let device = Mock::named("device").law(Law::per_elem_ns(1.0)).virtual_time();
    /// let context = Context::builder()
    ///     .unit(device.unit()?)
    ///     .virtual_time(Law::per_elem_ns(3.0), Law::per_elem_ns(6.0))
    ///     .build()?;
    /// let double = map!(|x: u32| 2 * x).within(context.clone());
    /// let x = Vector::from(vec![1; 4000]);
    /// double.clone().on(Sequential).run((&x,))?;
    /// assert_eq!(context.virtual_ns(), Some(24_000));
    /// double.on(Hybrid::ratio(0.25)).run((&x,))?;
    /// assert_eq!(context.virtual_ns(), Some(24_000 + 3_000));
    /// # skel::Result::Ok(())
    /// ```
    #[must_use]
    pub fn virtual_time(mut self, cpu: Law, sequential: Law) -> Self {
        self.laws = Some((cpu, sequential));
        self
    }

    /// Calls with the target [`Hybrid::adaptive`](skel_core::schedule::Hybrid::adaptive) are divided by a policy of the
    /// program's own: `make` gives one for each instance and size class, for so many units. It is asked for every call,
    /// with what is known of the units: their models, where the instance was tuned, and how long an element took them
    /// lately. It must make no calls itself.
    ///
    /// ```
    /// use skel::{Context, mock::{Law, Mock}, prelude::*};
    /// use skel::model::policy::{Assignment, Candidate, Policy, Question};
    ///
    /// /// Each unit gets elements as fast as it computed them last.
    /// struct Proportional;
    ///
    /// impl Policy for Proportional {
    ///     fn assign(&self, question: &Question<'_>) -> Assignment {
    ///         let speed = |unit: &Candidate<'_>| 1.0 / unit.ns_per_elem(question.elems).unwrap_or(1.0);
    ///         question.by_weights(speed)
    ///     }
    /// }
    ///
    /// let device = Mock::named("device").law(Law::per_elem_ns(1.0)).virtual_time();
    /// let context = Context::builder()
    ///     .unit(device.unit()?)
    ///     .virtual_time(Law::per_elem_ns(4.0), Law::per_elem_ns(8.0))
    ///     .policy(|_units| Proportional)
    ///     .build()?;
    /// let double = map!(|x: u32| 2 * x).within(context.clone()).on(Hybrid::adaptive());
    /// let x = Vector::from(vec![1; 4000]);
    /// double.run((&x,))?; // in equal parts: nothing is known
    /// assert_eq!(context.virtual_ns(), Some(8_000));
    /// double.run((&x,))?;
    /// assert_eq!(context.virtual_ns(), Some(8_000 + 3_200));
    /// # skel::Result::Ok(())
    /// ```
    #[must_use]
    pub fn policy<P: Policy + 'static>(
        mut self,
        make: impl Fn(usize) -> P + Send + Sync + 'static,
    ) -> Self {
        self.policy = Some(Arc::new(move |units| Box::new(make(units))));
        self
    }

    /// The context. `Hybrid` uses all its devices, software ones among them.
    ///
    /// # Errors
    /// None today; a context that must allocate would report it here.
    pub fn build(self) -> Result<Context> {
        let learned = self.policy.map_or_else(Learned::default, Learned::by);
        let Some((cpu, sequential)) = self.laws else {
            let devices = Devices::given(self.devices, self.limits);
            let host = (CpuUnit::sequential(), CpuUnit::cores());
            let how = (Clock::Wall, learned);
            return Ok(Context::with_clock(
                host,
                devices,
                Ok(None),
                Table::default(),
                how,
            ));
        };
        let times: Arc<[_]> = self
            .devices
            .iter()
            .map(|unit| unit.virtual_time())
            .collect();
        let host = (
            CpuUnit::sequential().under(HostLaw::new(sequential, &times)),
            CpuUnit::cores().under(HostLaw::new(cpu, &times)),
        );
        let clock = Clock::Virtual(VirtualClock::new(times));
        let devices = Devices::given(self.devices, self.limits);
        Ok(Context::with_clock(
            host,
            devices,
            Ok(None),
            Table::default(),
            (clock, learned),
        ))
    }
}
