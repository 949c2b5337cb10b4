//! Where items are computed: units with their threads.

use super::StepUnit;
use crate::{
    Context,
    cpu::threads,
    current_task::{self, CurrentTask, ItemId},
    fork::ProcessLocal,
    positions::{CPU, FIRST_DEVICE, SEQUENTIAL},
};
use rayon::{ThreadPool, ThreadPoolBuilder};
use skel_core::{Error, Result, notice, schedule::UnitIndex};
use skel_tasks::{BadOption, distribution::ComputeUnits};
use std::sync::Once;

/// A unit with its threads.
pub(super) struct Place {
    pub(super) unit: StepUnit,
    /// Its position in the context.
    pub(super) index: UnitIndex,
    /// One with all its cores. A device has one of one thread for each item that it is given at once: in one with
    /// several threads, an item that waits for a part of it could begin another one.
    pub(super) pools: Vec<ProcessLocal<ThreadPool>>,
}

impl Place {
    /// What a thread that computes an item here is part of.
    pub(super) fn current_task(
        &self,
        context: &Context,
        steps: usize,
        item: ItemId,
    ) -> CurrentTask {
        CurrentTask {
            context: context.address(),
            graph: steps,
            unit: self.index,
            item: Some(item),
        }
    }

    /// Waits for all that a device has been given; an error is one of this item.
    pub(super) fn settle(&self, context: &Context, item: ItemId) -> Result<()> {
        match self.unit.is_device {
            true => context.unit(self.index)?.settle(item),
            false => Ok(()),
        }
    }

    /// Whether it is a device that is not used any more.
    pub(super) fn is_lost(&self, context: &Context) -> bool {
        self.unit.is_device && context.is_gone(self.index)
    }
}

/// All units of a machine.
pub(super) fn all(context: &Context) -> Result<ComputeUnits> {
    let (with_cores, devices) = context.task_units()?;
    let cores = match with_cores {
        true => threads().saturating_sub(devices.len()).max(1),
        false => 1,
    };
    ComputeUnits::new(cores, 1, devices.len()).map_err(Error::BadOption)
}

/// More threads than any machine runs at once; a typing error would use up what the system has.
const MOST_THREADS: usize = 4096;

/// The units in their order, with new threads.
pub(super) fn places(context: &Context, units: ComputeUnits, ahead: usize) -> Result<Vec<Place>> {
    if units.cpus() * units.cores() + units.devices() * ahead > MOST_THREADS {
        let expected = format!("at most {MOST_THREADS} threads");
        return Err(Error::BadOption(BadOption::new("units", units, expected)));
    }
    let (with_cores, devices) = context.task_units()?;
    if devices.len() < units.devices() {
        return Err(Error::NoDevice {
            wanted: units.to_string(),
            reason: format!(
                "it asks for {}, and {} can be used here; software devices count where SKEL_SOFTWARE_DEVICES is 1",
                units.devices(),
                devices.len()
            ),
        });
    }
    warn(units);
    let host = match (with_cores, units.cores()) {
        (false, _) | (_, 1) => SEQUENTIAL,
        (true, _) => CPU,
    };
    let mut places = Vec::with_capacity(units.len());
    for number in 0..units.len() {
        let is_device = units.is_device(number);
        let cores = if is_device { 1 } else { units.cores() };
        let name = units.name(number);
        let index = match is_device {
            true => devices[number - units.cpus()],
            false => host,
        };
        // Also what rayon moves from the thread that computes an item to others of the unit stays on the unit.
        let part_of = CurrentTask {
            context: context.address(),
            graph: 0,
            unit: index,
            item: None,
        };
        let pool = |part: usize| {
            let name = name.clone();
            let threads = ThreadPoolBuilder::new().num_threads(cores);
            let threads = threads.start_handler(move |_| current_task::always(part_of));
            let threads =
                threads.thread_name(move |thread| format!("skel {name}.{}", part + thread));
            threads.build().map(ProcessLocal::new)
        };
        let pools = (0..if is_device { ahead } else { 1 }).map(pool);
        let pools = pools.collect::<std::result::Result<Vec<_>, _>>();
        let pools = pools.map_err(|error| Error::Device {
            device: units.name(number),
            operation: "starting its threads",
            message: error.to_string(),
        })?;
        places.push(Place {
            unit: StepUnit {
                number,
                is_device,
                cores,
            },
            index,
            pools,
        });
    }
    debug_assert!(
        places
            .iter()
            .all(|it| it.unit.is_device == (it.index >= FIRST_DEVICE))
    );
    Ok(places)
}

/// Says once that there are more threads than the machine runs at once.
fn warn(units: ComputeUnits) {
    static ONCE: Once = Once::new();
    let wanted = units.cpus() * units.cores();
    let has = std::thread::available_parallelism().map_or(usize::MAX, usize::from);
    if wanted > has {
        ONCE.call_once(|| {
            notice::say(format_args!(
                "the units {units} have {wanted} cores, and this machine has {has} (said once)"
            ));
        });
    }
}
