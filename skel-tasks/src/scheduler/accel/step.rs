//! A sweep of the share.

use super::{
    dealer::Dealer,
    is_share, is_some, is_step,
    meter::Meter,
    period::{EXPECTED, Period},
    side::{Side, Sides},
    split::{Done, Split, Strategy},
};
use crate::{
    BadKnob, Machine, Scheduler, TaskId, View,
    scheduler::{Configuration, knobs::Knobs},
};

/// The devices' share goes down step by step until they get none (ACCEL's `+accelStep`); a step is taken after
/// some periods, the first of which is not counted. ACCEL then stays at none; here the share with the least mean
/// time per task is taken again, for good. On a machine with one side only, that runs all tasks.
///
/// ```
/// use skel_tasks::scheduler::{Configuration, Step};
///
/// let step = Step { step: 0.1, ..Step::default() };
/// assert_eq!(step.text(), "step,device=1,step=0.1,samples=5,period=64");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The share to begin with.
    pub device: f64,
    /// How much it goes down. ACCEL: 0.025.
    pub step: f64,
    /// After so many periods. ACCEL: 5.
    pub samples: u32,
    /// What is measured at once.
    pub period: Period,
}

impl Default for Step {
    fn default() -> Step {
        Step {
            device: 1.0,
            step: 0.025,
            samples: 5,
            period: Period::Tasks(64),
        }
    }
}

impl Step {
    pub(in crate::scheduler) fn make(
        knobs: &mut Knobs<'_>,
    ) -> Result<Box<dyn Configuration>, BadKnob> {
        let default = Step::default();
        Ok(Box::new(Step {
            device: knobs.take("device", "a share from 0 to 1", default.device)?,
            step: knobs.take("step", "a step above 0, at most 1", default.step)?,
            samples: knobs.take("samples", "1 or more", default.samples)?,
            period: knobs.take("period", EXPECTED, default.period)?,
        }))
    }
}

impl Configuration for Step {
    fn text(&self) -> String {
        let Step {
            device,
            step,
            samples,
            period,
        } = self;
        format!("step,device={device},step={step},samples={samples},period={period}")
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadKnob> {
        let sweep = Sweep {
            share: is_share("device", self.device)?,
            step: is_step("step", self.step)?,
            samples: is_some("samples", self.samples)?,
            measured: 0,
            sum_ns: 0.0,
            best: (f64::INFINITY, self.device),
            is_over: false,
            meter: Meter::new(self.period.checked()?),
            dealer: Dealer::default(),
        };
        Ok(Box::new(Split::new(machine, sweep)))
    }
}

pub(super) struct Sweep {
    pub(super) share: f64,
    step: f64,
    samples: u32,
    measured: u32,
    sum_ns: f64,
    /// The least mean so far, and its share.
    best: (f64, f64),
    is_over: bool,
    meter: Meter,
    dealer: Dealer,
}

impl Sweep {
    fn next(&mut self) {
        let mean_ns = self.sum_ns / f64::from(self.samples);
        if mean_ns < self.best.0 {
            self.best = (mean_ns, self.share);
        }
        self.is_over = self.share <= 0.0;
        self.share = match self.is_over {
            true => self.best.1,
            // What is left of sums of decimal fractions is no share.
            false => match self.share - self.step {
                rest if rest < 1e-9 => 0.0,
                rest => rest,
            },
        };
        (self.measured, self.sum_ns) = (0, 0.0);
        self.meter.change();
    }
}

impl Strategy for Sweep {
    fn needs_time(&self) -> bool {
        true
    }

    fn side(&mut self, task: TaskId, view: &View<'_>) -> Side {
        self.dealer.deal(view.task(task).kind, self.share)
    }

    fn period(&mut self, view: &View<'_>) -> u32 {
        self.meter.decided(view.now_ns())
    }

    fn done(&mut self, done: &Done, _: &Sides, view: &View<'_>) {
        let measured = self
            .meter
            .done(done.period, done.side, done.took_ns, view.now_ns());
        let Some(measured) = measured.filter(|measured| !measured.is_first && !self.is_over) else {
            return;
        };
        (self.measured, self.sum_ns) = (self.measured + 1, self.sum_ns + measured.ns_per_task);
        if self.measured >= self.samples {
            self.next();
        }
    }
}
