//! Calls as tasks: which workers take part, and what is known of their times.

use super::{Clock, Context, call_class::Identity, select};
use crate::{
    Health,
    cpu::threads,
    current_task,
    hybrid::{self, Fallback, Piece},
    positions::{CPU, FIRST_DEVICE, SEQUENTIAL},
    recent::Recent,
    task::{self, Kept, Measured, Seat, Team},
    unit::Unit,
};
use skel_core::{
    Result,
    call::Call,
    frame::Partial,
    schedule::{Target, Tasks, UnitIndex},
};
use skel_tasks::Link;
use std::{
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Engines of each of the two generations; each is as large as the call of most chunks that it has seen.
const MOST_ENGINES: usize = 64;

/// What is known of earlier calls.
pub(super) struct Learned {
    /// What chunks took, by instance.
    times: Mutex<Recent<Identity, Measured>>,
    /// The engines, in which schedulers are that have learned, by instance and scheduler. A call that is under way has its
    /// own.
    engines: Mutex<Recent<(Identity, String), Kept>>,
}

impl Default for Learned {
    fn default() -> Learned {
        Learned {
            times: Mutex::default(),
            engines: Mutex::new(Recent::new(MOST_ENGINES)),
        }
    }
}

impl Learned {
    fn get(&self, instance: Identity) -> Measured {
        let mut known = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        known.get_mut(&instance).cloned().unwrap_or_default()
    }

    fn set(&self, instance: Identity, measured: Measured) {
        let mut known = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(instance, measured);
    }

    fn engines(&self) -> MutexGuard<'_, Recent<(Identity, String), Kept>> {
        self.engines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs a call as tasks: on every core of the current pool, and on the devices that `Auto` may choose and that can run
/// it. A software device computes on the same cores, so it counts only where it is to count.
///
/// # Errors
/// [`skel_core::Error::BadOption`] of the scheduler, what is wrong with the call, and traps.
pub(super) fn run(context: &Context, tasks: &Tasks, call: &mut Call<'_>) -> Result<Partial> {
    let inner = &*context.inner;
    // A clock of laws knows the CPU as a whole, and time that passes in order.
    let in_turn = matches!(inner.clock, Clock::Virtual(_));
    let (hosts, host) = match in_turn {
        true => (1, &inner.cpu),
        false => (threads(), &inner.sequential),
    };
    let mut seats = vec![
        Seat {
            index: CPU,
            unit: host,
            link: None,
        };
        hosts
    ];
    // What is known of the call's devices is needed from here on.
    let _known = context.table().find(context, call);
    for (_, device) in select::able_of(context, call, inner.devices.for_auto())? {
        let index = FIRST_DEVICE + device;
        seats.push(Seat {
            index,
            unit: context.unit(index)?,
            link: context.link(index),
        });
    }
    let deadline =
        |call: &Call<'_>, index, range: &Range<usize>| context.deadline(call, index, range);
    let modelled_ns = |call: &Call<'_>, index, range: &Range<usize>| {
        context.modelled_ns(call, index, range, hosts)
    };
    let team = Team {
        seats,
        fallback: (CPU, host),
        device_threads: &inner.device_threads,
        in_turn,
        deadline: &deadline,
        modelled_ns: &modelled_ns,
    };
    let instance = Identity::of(call);
    let mut measured = inner.tasks.get(instance);
    let of = (instance, tasks.scheduler().text());
    let mut engine = inner.tasks.engines().take(&of);
    let pattern = call.phases.pattern();
    let total = context.pass(pattern, || {
        task::execute(&team, tasks, call, (&mut measured, &mut engine))
    });
    inner.tasks.set(instance, measured);
    if let Some(engine) = engine {
        // A scheduler may be a user's, who may make a call when it is dropped: that is behind the lock.
        let forgotten = inner.tasks.engines().exchange(of, engine);
        drop(forgotten);
    }
    total
}

impl Context {
    /// What tells this context from others while it lives.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.inner).addr()
    }

    /// The units of a graph of tasks: whether all cores work, and which devices.
    ///
    /// # Errors
    /// What is wrong with `SKEL_BACKEND`.
    pub(crate) fn task_units(&self) -> Result<(bool, Vec<UnitIndex>)> {
        let all = || self.inner.devices.for_auto();
        let (cores, devices) = match &self.inner.forced {
            Err(error) => return Err(error.clone()),
            Ok(Some(Target::Sequential)) => (false, Vec::new()),
            Ok(Some(Target::Cpu)) => (true, Vec::new()),
            Ok(Some(Target::Device(which))) => {
                let device = select::device(self, *which).map_err(|error| self.named(error))?;
                (false, vec![device - FIRST_DEVICE])
            }
            Ok(_) => (true, all()),
        };
        let devices = devices.into_iter().map(|device| FIRST_DEVICE + device);
        // One that cannot be opened has no worker.
        let opened = devices.filter(|device| self.unit(*device).is_ok());
        Ok((cores, opened.collect()))
    }

    /// The way to a device, if it was measured for a call that was made here, or for the program that was tuned.
    pub(crate) fn link(&self, index: UnitIndex) -> Option<Link> {
        let id = self.ids().get(index.checked_sub(FIRST_DEVICE)?)?;
        let transfer = self.table().transfer(id)?;
        let bytes_per_ns = 1.0 / transfer.up_ns_per_byte;
        (bytes_per_ns.is_finite() && bytes_per_ns > 0.0).then_some(Link {
            latency_ns: transfer.up_latency_ns.max(0.0) as u64,
            bytes_per_ns,
        })
    }

    /// Whether a unit takes no calls any more.
    pub(crate) fn is_gone(&self, index: UnitIndex) -> bool {
        !matches!(self.unit(index).map(Unit::health), Ok(Health::Well))
    }

    /// Runs a call of a task on the task's unit; what a device cannot run is done by its thread.
    pub(super) fn run_here(&self, unit: UnitIndex, call: &mut Call<'_>) -> Result<Partial> {
        if unit < FIRST_DEVICE {
            return self.run_on_host(unit, call);
        }
        match self.unit(unit).and_then(|device| device.check(call)) {
            Ok(()) => self.run_range_on(unit, call, 0..call.space.elems()),
            Err(error) if error.is_of_device() => self.run_on_host(SEQUENTIAL, call),
            Err(error) => Err(error),
        }
    }

    /// Runs a chunk of a call on the unit of the task that this thread runs. What it was to write is poisoned if it
    /// fails, and nothing else.
    ///
    /// # Errors
    /// As of any call.
    pub(crate) fn run_chunk(&self, call: &mut Call<'_>, range: Range<usize>) -> Result<Partial> {
        let unit = current_task::unit(self.address()).unwrap_or(SEQUENTIAL);
        let unit = match unit < FIRST_DEVICE {
            true => Ok(unit),
            false => match self.unit(unit).and_then(|device| device.check(call)) {
                Ok(()) => Ok(unit),
                Err(error) if error.is_of_device() => Ok(SEQUENTIAL),
                Err(error) => Err(error),
            },
        };
        let ran = unit.and_then(|unit| self.run_range_on(unit, call, range));
        ran.inspect_err(|error| call.poison_outputs(error))
    }

    /// Runs elements of a call on one unit; what that fails to do is done by this thread.
    fn run_range_on(
        &self,
        index: UnitIndex,
        call: &mut Call<'_>,
        range: Range<usize>,
    ) -> Result<Partial> {
        let unit = self.unit(index)?;
        let ranges = unit.pieces(call, range).into_iter();
        let pieces: Vec<Piece<'_>> = ranges
            .map(|range| {
                let deadline = self.deadline(call, index, &range);
                Piece::new(index, unit, range).deadline(deadline)
            })
            .collect();
        // One core: the others have tasks of their own.
        let fallback = Fallback {
            index: SEQUENTIAL,
            unit: &self.inner.sequential,
        };
        self.pass(call.phases.pattern(), || {
            hybrid::execute(&pieces, call, Some(fallback)).map(|outcome| outcome.total)
        })
    }
}
