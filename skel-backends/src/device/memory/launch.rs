//! A launch: its arrays, and their taints.

use super::Memory;
use crate::device::{
    Arg, Driver, Launch, LaunchArg,
    compile::OverBudget,
    lease,
    residency::{Admission, Slot},
    taint::TaintSource,
    watched::Watched,
    work::{ArrayId, Work},
};
use skel_core::{Error, Result};
use std::{collections::HashMap, sync::atomic::Ordering};

impl<D: Driver> Memory<D> {
    /// The earlier launches that the inputs depend on.
    pub(super) fn inherited(&mut self, work: &Work) -> Vec<TaintSource> {
        let mut causes = Vec::new();
        for read in work.args.iter().filter_map(Arg::array_before) {
            if let Some(slot) = self.arrays.get_mut(read.id) {
                slot.taints.trim(&mut self.driver);
                for range in read.elements.ranges() {
                    slot.taints.of(range, &mut causes);
                }
            }
        }
        causes
    }

    /// The piece has failed: what it was to write is not what it should be. But if nothing was launched, it
    /// is unchanged, and the waiting caller takes it from here.
    pub(in crate::device) fn taint_failed(&mut self, work: &Work, error: &Error) {
        let is_waited_for = lease::is_waited_for();
        if !is_waited_for || work.job.launched.load(Ordering::Acquire) {
            self.taint_outputs(work, &[TaintSource::failed(error.clone())]);
        }
    }

    pub(super) fn taint_outputs(&mut self, work: &Work, causes: &[TaintSource]) {
        for written in work.args.iter().filter_map(Arg::written) {
            if let Some(slot) = self.arrays.get_mut(written.id) {
                for places in written.elements.ranges() {
                    slot.taints.clear(places);
                    slot.taints.trim(&mut self.driver);
                    slot.taints.add(places, causes);
                    slot.wrote(places.clone());
                }
            }
        }
    }

    pub(super) fn launch<R>(
        &mut self,
        work: &Work,
        with: impl FnOnce(&mut Watched<D>, Launch<'_, D::Array>) -> Result<R>,
    ) -> Result<R> {
        self.reside(&work.needs(), Admission::Granted)?;
        // What is written is taken out, so that it can be borrowed beside what is read.
        let mut taken: HashMap<ArrayId, Slot<D::Array>> = work
            .args
            .iter()
            .filter_map(Arg::written)
            .filter_map(|written| self.arrays.take(written.id))
            .collect();
        let result = {
            let mut to_write: HashMap<ArrayId, &mut Slot<D::Array>> =
                taken.iter_mut().map(|(id, slot)| (*id, slot)).collect();
            let (arrays, args) = (&self.arrays, work.args.iter());
            let args: Option<Vec<LaunchArg<'_, D::Array>>> = args
                .map(|arg| {
                    arg.map(
                        |read| arrays.get(read.id)?.array.as_ref(),
                        |written| to_write.remove(&written.id)?.array.as_mut(),
                        |value| value.view(0..1),
                    )
                })
                .collect();
            match args {
                None => Err(self.no_array("a launch")),
                Some(args) => {
                    let launch = Launch {
                        kernel: &work.job.kernel,
                        phases: work.job.phases,
                        args,
                        offsets: work.offsets.clone(),
                        range: work.range.clone(),
                        space: work.job.space,
                        followed: work.range.end < work.job.space.elems(),
                        block: work.job.block,
                    };
                    // If the compiler takes too long, a caller that waits for the piece has it computed
                    // elsewhere. So does a reader of the results, from inputs that are still there.
                    let keeps = lease::is_waited_for() || !work.job.kernel.changes_arguments();
                    let over_budget = if keeps {
                        OverBudget::Refuse
                    } else {
                        OverBudget::Wait
                    };
                    self.driver.compile(&launch, over_budget).and_then(|()| {
                        work.job.launched.store(true, Ordering::Release);
                        let done = with(&mut self.driver, launch);
                        // Whatever it has written, it would write again.
                        if matches!(done, Err(Error::OutOfMemory { .. }))
                            && work.job.kernel.can_be_repeated()
                        {
                            work.job.launched.store(false, Ordering::Release);
                        }
                        done
                    })
                }
            }
        };
        self.arrays.put_back(taken);
        result
    }

    /// Cannot happen: handles keep their arrays.
    pub(super) fn no_array(&self, operation: &'static str) -> Error {
        Error::Device {
            device: self.driver.info().name,
            operation,
            message: "an array was freed before".into(),
        }
    }
}
