//! The workers of a graph, and their threads.

use super::shared::Shared;
use crate::{Context, cpu::threads, positions::SEQUENTIAL, task::machine};
use skel_core::{Error, Result, schedule::UnitIndex};
use skel_tasks::Machine;
use std::{
    sync::Arc,
    thread::{self, JoinHandle},
};

/// The units of the workers, those on the host first, and the machine that the scheduler sees.
pub(super) fn seats(context: &Context) -> Result<(Vec<UnitIndex>, Machine)> {
    let (with_cores, devices) = context.task_units()?;
    let hosts = match with_cores {
        true => threads(),
        false => 1,
    };
    let mut known = Vec::with_capacity(devices.len());
    for device in &devices {
        let name = context.unit(*device)?.info().name.clone();
        known.push((name, context.link(*device)));
    }
    let known = known.iter().map(|(name, link)| (name.as_str(), *link));
    let machine = machine(hosts, known)?;
    let mut units = vec![SEQUENTIAL; hosts];
    units.extend(devices);
    Ok((units, machine))
}

/// Starts the thread of a worker, which ends when the graph is closed.
pub(super) fn start(shared: &Arc<Shared>, seat: usize) -> Result<JoinHandle<()>> {
    let (shared, name) = (Arc::clone(shared), format!("skel worker {seat}"));
    let thread = thread::Builder::new().name(name);
    let started = thread.spawn(move || shared.serve(seat));
    started.map_err(|error| Error::Device {
        device: format!("worker {seat} of a task graph"),
        operation: "starting its thread",
        message: error.to_string(),
    })
}
