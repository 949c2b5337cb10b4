//! One step, on the threads of all units, or in virtual time on one.

use super::{
    StepUnit, Steps,
    places::Place,
    worker::{Job, Shared},
};
use rayon::ThreadPool;
use skel_core::{Error, Result};
use skel_tasks::{
    BadOption,
    distribution::{StepReport, virtual_time},
};
use std::sync::Mutex;

type Failures = Vec<(usize, Error)>;

impl Steps {
    /// Computes all items; gives the report, and what failed, in the order of items.
    pub(super) fn step<T: Send>(
        &mut self,
        items: &mut [T],
        f: &(impl Fn(&mut T, StepUnit) -> Result<()> + Sync),
    ) -> std::result::Result<(StepReport, Failures), BadOption> {
        let job = Job {
            context: &self.context,
            places: &self.places,
            // Each item is given to one unit at a time, so these are always free.
            items: items.iter_mut().map(Mutex::new).collect(),
            f,
            is_repeatable: self.is_repeatable,
            address: std::ptr::from_ref(&self.last).addr(),
        };
        let (report, mut failures) = match self.context.virtual_ns() {
            None => {
                let shared = Shared::new(self.distributor.begin()?);
                let seats = self.places.iter();
                let seats =
                    seats.flat_map(|place| place.pools.iter().map(move |pool| (place, &**pool)));
                let seats: Vec<(&Place, &ThreadPool)> = seats.collect();
                on_threads(&seats, &|place| shared.serve(&job, place));
                let (turn, makespan_ns, failures) = shared.into_parts();
                (self.distributor.end(&turn, makespan_ns), failures)
            }
            Some(_) => {
                let mut failures = Failures::new();
                let run = |item, unit: usize| job.in_virtual_time(item, unit, &mut failures);
                let report = virtual_time::step_of(&mut self.distributor, run, &[])?;
                (report, failures)
            }
        };
        failures.sort_by_key(|(item, _)| *item);
        let known = failures.len();
        for item in report.failed() {
            let of_known = failures[..known].binary_search_by_key(&item, |(failed, _)| *failed);
            if of_known.is_err() {
                let left = Error::DeviceLost {
                    device: format!("the last of {}", self.distributor.units()),
                    reason: "no unit is left that could compute it".into(),
                };
                failures.push((item, left));
            }
        }
        failures.sort_by_key(|(item, _)| *item);
        Ok((report, failures))
    }
}

/// Runs `body` on a thread of each pool, and waits for all of them.
fn on_threads<'p>(seats: &[(&'p Place, &'p ThreadPool)], body: &(impl Fn(&'p Place) + Sync)) {
    let Some(((place, pool), others)) = seats.split_first() else {
        return;
    };
    pool.in_place_scope(|scope| {
        scope.spawn(move |_| body(place));
        on_threads(others, body);
    });
}
