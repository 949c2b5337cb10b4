//! A call as tasks: chunks that the cores and devices of a machine take as a scheduler says.
//!
//! The engine and the schedulers are the crate [`skel_tasks`], which is pure; here are the threads that drive it with
//! real time. Graphs of tasks are in `task_graph`.
//!
//! A call makes a [job](job::Job) on its stack, lets workers in, and returns when all have left, so no lifetime leaves
//! the call.

mod costs;
mod cut;
mod data;
mod device_threads;
#[cfg(all(test, loom))]
mod interleavings;
mod job;
mod run;
mod seats;
mod serve;
mod state;
mod team;

pub(crate) use costs::Measured;
pub(crate) use cut::cut;
pub(crate) use data::{register_at, valid_nodes};
pub(crate) use device_threads::DeviceThreads;
pub(crate) use team::{Seat, Team, machine};

use job::{AtOnce, Job};
use skel_core::{Error, Result, call::Call, frame::Partial, plan::Pattern, schedule::Tasks};
use skel_tasks::{Configuration, Engine, Ns, scheduler::Eager};

/// An engine between calls: its graph is empty, and its scheduler has what it has learned.
pub(crate) struct Kept {
    engine: Engine,
    /// When its last task ended, by the engine's time, which goes on from there.
    now_ns: Ns,
}

/// Runs a call as tasks on a team. `measured` is what is known of the instance's times, and learns, and so does the
/// scheduler in `kept`, which is left there if all went well.
///
/// # Errors
/// [`skel_core::Error::BadOption`], and the first error in the order of elements. No worker uses the caller's memory
/// any more when this returns.
pub(crate) fn execute(
    team: &Team<'_>,
    tasks: &Tasks,
    call: &mut Call<'_>,
    (measured, kept): (&mut Measured, &mut Option<Kept>),
) -> Result<Partial> {
    let is_scan = call.phases.pattern() == Pattern::Scan;
    let machine = team.machine(is_scan)?;
    // One of another machine knows other workers.
    let known = kept.take().filter(|kept| *kept.engine.machine() == machine);
    let mut engine = match known {
        Some(known) => known,
        None => {
            let scheduler = match tasks.scheduler().build(&machine) {
                // One that needs devices has no say about cores alone; what is wrong with it anywhere is an error.
                Err(_) if is_scan => {
                    let built = tasks.scheduler().build(&team.machine(false)?);
                    built.and_then(|_| Eager.build(&machine))
                }
                built => built,
            };
            let scheduler = scheduler.map_err(Error::BadOption)?;
            let costs = Box::new(Measured::default());
            Kept {
                engine: Engine::new(machine.clone(), scheduler, costs),
                now_ns: 0,
            }
        }
    };
    let chunks = cut(call, tasks.wanted_chunks()?, machine.workers())?;
    if let Some(chunk) = chunks.first() {
        team.introduce(measured, &machine, call, chunk);
    }
    engine.engine.expect(Box::new(measured.clone()));
    let at_once = AtOnce {
        ahead: tasks.wanted_ahead()?,
        merge: tasks.wanted_merge()?,
    };
    let plan = (chunks, at_once);
    let job = Job::new(team, engine, plan, call);
    job.run();
    let total = job.finish(measured, kept);
    // What devices write is attributed to the call from now on, even if it fails.
    call.sign();
    total
}
