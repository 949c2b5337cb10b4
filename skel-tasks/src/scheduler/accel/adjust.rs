//! A share that moves until both sides are equally busy.

use super::{
    dealer::Dealer,
    is_share,
    meter::Meter,
    period::{EXPECTED, Period},
    side::{Side, Sides},
    split::{Done, Split, Strategy},
};
use crate::{
    BadOption, Machine, Scheduler, TaskId, View, scheduler::Configuration, settings::settings,
};

settings! {
    /// Feedback on busy times (ACCEL's `+accelAdjustBusy`): after each period, which counts its own tasks alone, the share moves away from the side whose
    /// workers were busy longer, if by more than 5 %, in steps that grow with the imbalance from 0.0025 to 0.20. Busy
    /// is execution, without copies. On a machine with one side only, that runs all tasks.
    ///
    /// ```
    /// use skel_tasks::scheduler::{AdjustBusy, Configuration, Period};
    ///
    /// let adjust = AdjustBusy { period: Period::Time { ns: 2_000_000_000 }, ..AdjustBusy::default() };
    /// assert_eq!(adjust.text(), "adjust,device=0.5,period=2000000000ns");
    /// ```
    AdjustBusy, "adjust";
    /// The share to begin with.
    device: f64 = 0.5, "a share from 0 to 1";
    /// After what the share is adjusted. ACCEL: 2 s.
    period: Period = Period::Tasks(64), EXPECTED;
}

impl Configuration for AdjustBusy {
    fn text(&self) -> String {
        self.shown()
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        let feedback = Feedback {
            share: is_share("device", self.device)?,
            needs_time: matches!(self.period, Period::Time { .. }),
            meter: Meter::new(self.period.checked()?),
            dealer: Dealer::default(),
        };
        Ok(Box::new(Split::new(machine, feedback)))
    }
}

const MARGIN: f64 = 1.05;
const LEAST_STEP: f64 = 0.0025;
const MOST_STEP: f64 = 0.20;
/// By how many least steps a step grows where one side is busy twice as long.
const GROWTH: f64 = 5.0;

/// The next share, by how long a worker of each side was busy.
pub(super) fn adjusted(share: f64, host_ns: f64, device_ns: f64) -> f64 {
    // Devices without work get some, as if they had been half as busy.
    let device_ns = if device_ns > 0.0 {
        device_ns
    } else {
        host_ns / 2.0
    };
    let (less, more) = (host_ns.min(device_ns), host_ns.max(device_ns));
    if more <= less * MARGIN {
        return share;
    }
    let imbalance = if less > 0.0 {
        more / less - 1.0
    } else {
        f64::INFINITY
    };
    let step = (LEAST_STEP * (1.0 + GROWTH * imbalance)).min(MOST_STEP);
    match device_ns > host_ns {
        true => (share - step).max(0.0),
        false => (share + step).min(1.0),
    }
}

struct Feedback {
    share: f64,
    needs_time: bool,
    meter: Meter,
    dealer: Dealer,
}

impl Strategy for Feedback {
    fn needs_time(&self) -> bool {
        self.needs_time
    }

    fn side(&mut self, task: TaskId, view: &View<'_>) -> Side {
        self.dealer.deal(view.task(task).kind, self.share)
    }

    fn period(&mut self, view: &View<'_>) -> u32 {
        self.meter.decided(view.now_ns())
    }

    fn done(&mut self, done: &Done, sides: &Sides, view: &View<'_>) {
        let measured = self
            .meter
            .done(done.period, done.side, done.took_ns, view.now_ns());
        let Some([host_ns, device_ns]) = measured.map(|measured| measured.busy_ns) else {
            return;
        };
        let (hosts, devices) = (sides.live(Side::Host, view), sides.live(Side::Device, view));
        if hosts == 0 || devices == 0 {
            return;
        }
        let (host_ns, device_ns) = (host_ns / f64::from(hosts), device_ns / f64::from(devices));
        let share = adjusted(self.share, host_ns, device_ns);
        if share != self.share {
            self.share = share;
            self.meter.change();
        }
    }
}
