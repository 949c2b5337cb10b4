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
    BadOption, Machine, Scheduler, TaskId, View, scheduler::Configuration, settings::settings,
};

settings! {
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
    Step, "step";
    /// The share to begin with.
    device: f64 = 1.0, "a share from 0 to 1";
    /// How much it goes down. ACCEL: 0.025.
    step: f64 = 0.025, "a step above 0, at most 1";
    /// After so many periods. ACCEL: 5.
    samples: u32 = 5, "1 or more";
    /// What is measured at once.
    period: Period = Period::Tasks(64), EXPECTED;
}

impl Configuration for Step {
    fn text(&self) -> String {
        self.shown()
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
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
