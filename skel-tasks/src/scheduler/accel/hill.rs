//! The share with the least time, found by measuring.

use super::{
    dealer::Dealer,
    is_share, is_some,
    meter::Meter,
    period::{EXPECTED, Period},
    side::{Side, Sides},
    split::{Done, Split, Strategy},
    valley::Valley,
};
use crate::{
    BadOption, Machine, Scheduler, TaskId, View, scheduler::Configuration, settings::settings,
};

settings! {
    /// Hill climbing (ACCEL's `+accelSampling`): the time per task is measured at one share after the other, in bins of
    /// 0.5 %, towards the least one, and around it for good. The first period at another share is not counted. On a
    /// machine with one side only, that runs all tasks.
    ///
    /// ```
    /// use skel_tasks::scheduler::{Configuration, Hill, Period};
    ///
    /// let hill = Hill { period: Period::Tasks(200), ..Hill::default() };
    /// assert_eq!(hill.text(), "hill,device=0.5,samples=5,period=200");
    /// ```
    Hill, "hill";
    /// The share to begin with.
    device: f64 = 0.5, "a share from 0 to 1";
    /// So many periods at one share. ACCEL: 5.
    samples: u32 = 5, "1 or more";
    /// What is measured at once.
    period: Period = Period::Tasks(64), EXPECTED;
}

impl Configuration for Hill {
    fn text(&self) -> String {
        self.shown()
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        let climb = Climb {
            valley: Valley::new(
                is_share("device", self.device)?,
                is_some("samples", self.samples)?,
            ),
            meter: Meter::new(self.period.checked()?),
            dealer: Dealer::default(),
        };
        Ok(Box::new(Split::new(machine, climb)))
    }
}

struct Climb {
    valley: Valley,
    meter: Meter,
    dealer: Dealer,
}

impl Strategy for Climb {
    fn needs_time(&self) -> bool {
        true
    }

    fn side(&mut self, task: TaskId, view: &View<'_>) -> Side {
        self.dealer.deal(view.task(task).kind, self.valley.share())
    }

    fn period(&mut self, view: &View<'_>) -> u32 {
        self.meter.decided(view.now_ns())
    }

    fn done(&mut self, done: &Done, _: &Sides, view: &View<'_>) {
        let measured = self
            .meter
            .done(done.period, done.side, done.took_ns, view.now_ns());
        if let Some(measured) = measured.filter(|measured| !measured.is_first)
            && self.valley.add(measured.ns_per_task)
        {
            self.meter.change();
        }
    }
}
