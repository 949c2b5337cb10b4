//! A launch: its arrays, and their taints.

use super::Memory;
use crate::device::{
    Driver, Launch, LaunchArg,
    compile::OverBudget,
    lease,
    residency::{Admission, Slot},
    taint::TaintSource,
    watched::Watched,
    work::{Arg, ArrayId, Work},
};
use skel_core::{Error, Result, space::IntervalSet};
use std::{collections::HashMap, sync::atomic::Ordering};

impl<D: Driver> Memory<D> {
    /// The earlier launches that the inputs depend on.
    pub(super) fn inherited(&mut self, work: &Work) -> Vec<TaintSource> {
        let mut causes = Vec::new();
        for (k, arg) in work.args.iter().enumerate() {
            let (id, read) = match arg {
                Arg::In(id)
                | Arg::InOut(id)
                | Arg::Lines(id, _)
                | Arg::LinesMut(id, _)
                | Arg::Sweep(id, _) => (id, IntervalSet::of(work.places(k))),
                Arg::Strided(id, _, places) | Arg::StridedMut(id, _, places) => {
                    (id, IntervalSet::of(places.clone()))
                }
                Arg::View(id, shape) => (id, IntervalSet::of(0..shape.len())),
                Arg::Window(id, window) => (id, window.halo.clone()),
                Arg::Out(_) | Arg::Uniform(_) => continue,
            };
            if let Some(slot) = self.arrays.get_mut(*id) {
                slot.taints.trim(&mut self.driver);
                for range in read.ranges() {
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
        if !is_waited_for || work.launched.load(Ordering::Acquire) {
            self.taint_outputs(work, &[TaintSource::failed(error.clone())]);
        }
    }

    pub(super) fn taint_outputs(&mut self, work: &Work, causes: &[TaintSource]) {
        for (k, arg) in work.args.iter().enumerate() {
            if let Some(id) = arg.written()
                && let Some(slot) = self.arrays.get_mut(id)
            {
                let places = work.places(k);
                slot.taints.clear(&places);
                slot.taints.trim(&mut self.driver);
                slot.taints.add(&places, causes);
                slot.wrote(places);
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
            .filter_map(|id| self.arrays.take(id))
            .collect();
        let result = {
            let mut to_write: HashMap<ArrayId, &mut Slot<D::Array>> =
                taken.iter_mut().map(|(id, slot)| (*id, slot)).collect();
            let array = |id: ArrayId| self.arrays.get(id)?.array.as_ref();
            let args: Option<Vec<LaunchArg<'_, D::Array>>> = work
                .args
                .iter()
                .map(|arg| match arg {
                    Arg::In(id) => array(*id).map(LaunchArg::In),
                    Arg::Strided(id, layout, _) => {
                        array(*id).map(|array| LaunchArg::Strided(array, *layout))
                    }
                    Arg::StridedMut(id, layout, _) => {
                        let slot = to_write.remove(id);
                        let array = slot.and_then(|slot| slot.array.as_mut());
                        array.map(|array| LaunchArg::StridedMut(array, *layout))
                    }
                    Arg::InOut(id) => {
                        let slot = to_write.remove(id);
                        slot.and_then(|slot| slot.array.as_mut().map(LaunchArg::InOut))
                    }
                    Arg::Out(id) => {
                        let slot = to_write.remove(id);
                        slot.and_then(|slot| slot.array.as_mut().map(LaunchArg::Out))
                    }
                    Arg::Lines(id, lines) => {
                        array(*id).map(|array| LaunchArg::Lines(array, *lines))
                    }
                    Arg::LinesMut(id, lines) => {
                        let slot = to_write.remove(id);
                        let array = slot.and_then(|slot| slot.array.as_mut());
                        array.map(|array| LaunchArg::LinesMut(array, *lines))
                    }
                    Arg::Sweep(id, sweep) => {
                        let pad = sweep.pad.as_ref().map(|pad| pad.view(0..1));
                        let slot = to_write.remove(id);
                        let array = slot.and_then(|slot| slot.array.as_mut());
                        array.map(|array| LaunchArg::Sweep(array, sweep.order, pad))
                    }
                    Arg::Uniform(value) => Some(LaunchArg::Uniform(value.view(0..1))),
                    Arg::View(id, shape) => array(*id).map(|array| LaunchArg::View(array, *shape)),
                    Arg::Window(id, window) => {
                        let pad = window.pad.as_ref().map(|pad| pad.view(0..1));
                        array(*id).map(|array| LaunchArg::Window(array, window.near, pad))
                    }
                })
                .collect();
            match args {
                None => Err(self.no_array("a launch")),
                Some(args) => {
                    let launch = Launch {
                        kernel: &work.kernel,
                        phases: work.phases,
                        args,
                        offsets: work.offsets.clone(),
                        range: work.range.clone(),
                        space: work.space,
                        followed: work.followed,
                        block: work.block,
                    };
                    // If the compiler takes too long, a caller that waits for the piece has it computed
                    // elsewhere. So does a reader of the results, from inputs that are still there.
                    let keeps = lease::is_waited_for() || !work.kernel.changes_arguments();
                    let over_budget = if keeps {
                        OverBudget::Refuse
                    } else {
                        OverBudget::Wait
                    };
                    self.driver.compile(&launch, over_budget).and_then(|()| {
                        work.launched.store(true, Ordering::Release);
                        let done = with(&mut self.driver, launch);
                        // Whatever it has written, it would write again.
                        if matches!(done, Err(Error::OutOfMemory { .. }))
                            && work.kernel.can_be_repeated()
                        {
                            work.launched.store(false, Ordering::Release);
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
