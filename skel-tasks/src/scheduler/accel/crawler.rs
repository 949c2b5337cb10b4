//! Greedy, then small steps for one kind at a time.

use super::{
    is_some, is_step,
    kinds::Kinds,
    meter::Meter,
    period::{EXPECTED, Period},
    side::{Side, Sides},
    split::{Done, Split, Strategy},
};
use crate::{
    BadOption, Machine, Scheduler, TaskId, View, scheduler::Configuration, settings::settings,
};

settings! {
    /// Begins with the allocation of [`Greedy`](super::Greedy), then descends (ACCEL's `+accelGreedyCrawler`): in turn it
    /// measures the shares as they are, and with the share of one kind a step up or down, and takes what was fastest.
    /// So it finds what profiles do not tell, such as copies. One kind at a time, it gets no further where both sides
    /// are equally long and two kinds would have to change places. A kind that appears later is profiled first, and
    /// greedy begins anew.
    ///
    /// ```
    /// use skel_tasks::scheduler::{Configuration, Crawler};
    ///
    /// let crawler = Crawler { step: 0.02, ..Crawler::default() };
    /// assert_eq!(crawler.text(), "crawler,profile=10,step=0.02,samples=3,period=64");
    /// ```
    Crawler, "crawler";
    /// So many times of each kind on each side make its profile.
    profile: u32 = 10, "1 or more";
    /// By how much a share is changed. ACCEL: 0.005.
    step: f64 = 0.005, "a step above 0, at most 1";
    /// So many periods for each change, the first one not counted. ACCEL: 3.
    samples: u32 = 3, "1 or more";
    /// What is measured at once.
    period: Period = Period::Tasks(64), EXPECTED;
}

impl Configuration for Crawler {
    fn text(&self) -> String {
        self.shown()
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        let descent = Descent {
            kinds: Kinds::new(is_some("profile", self.profile)?),
            meter: Meter::new(self.period.checked()?),
            step: is_step("step", self.step)?,
            samples: is_some("samples", self.samples)?,
            base: Vec::new(),
            now: Move::Stay,
            measured: 0,
            sum_ns: 0.0,
            best: (f64::INFINITY, Move::Stay),
        };
        Ok(Box::new(Split::new(machine, descent)))
    }
}

/// What is tried.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Move {
    Stay,
    Up(usize),
    Down(usize),
}

struct Descent {
    kinds: Kinds,
    meter: Meter,
    step: f64,
    samples: u32,
    /// The share of each kind, without what is tried; empty until greedy has been.
    base: Vec<f64>,
    now: Move,
    measured: u32,
    sum_ns: f64,
    /// The least mean of this turn, and the move.
    best: (f64, Move),
}

impl Descent {
    /// The kind that a move is about, and its share.
    fn moved(&self, to: Move) -> Option<(usize, f64)> {
        let (kind, step) = match to {
            Move::Stay => return None,
            Move::Up(kind) => (kind, self.step),
            Move::Down(kind) => (kind, -self.step),
        };
        Some((kind, self.base.get(kind)? + step))
    }

    /// The move after this one; nothing at the end of the turn.
    fn after(&self, mut at: Move) -> Option<Move> {
        loop {
            at = match at {
                Move::Stay => Move::Up(0),
                Move::Up(kind) => Move::Down(kind),
                Move::Down(kind) => Move::Up(kind + 1),
            };
            let (kind, share) = self.moved(at)?;
            if self.kinds.is_free(kind) && (0.0..=1.0).contains(&share) {
                return Some(at);
            }
        }
    }

    fn begin(&mut self, sides: &Sides, view: &View<'_>) {
        self.kinds.allocate(sides, view);
        self.base.clear();
        self.base
            .extend((0..self.kinds.len()).map(|kind| self.kinds.share(kind)));
        self.turn();
        self.start(Move::Stay);
    }

    fn turn(&mut self) {
        self.best = (f64::INFINITY, Move::Stay);
    }

    /// Tries a move.
    fn start(&mut self, to: Move) {
        for (kind, share) in self.base.iter().enumerate() {
            self.kinds.set_share(kind, *share);
        }
        if let Some((kind, share)) = self.moved(to) {
            self.kinds.set_share(kind, share);
        }
        (self.now, self.measured, self.sum_ns) = (to, 0, 0.0);
        self.meter.change();
    }

    fn sample(&mut self, ns_per_task: f64) {
        (self.measured, self.sum_ns) = (self.measured + 1, self.sum_ns + ns_per_task);
        if self.measured < self.samples {
            return;
        }
        let mean_ns = self.sum_ns / f64::from(self.samples);
        if mean_ns < self.best.0 {
            self.best = (mean_ns, self.now);
        }
        if let Some(next) = self.after(self.now) {
            return self.start(next);
        }
        if let Some((kind, share)) = self.moved(self.best.1) {
            self.base[kind] = share;
        }
        self.turn();
        self.start(Move::Stay);
    }
}

impl Strategy for Descent {
    fn needs_time(&self) -> bool {
        true
    }

    fn side(&mut self, task: TaskId, view: &View<'_>) -> Side {
        self.kinds.side(view.task(task).kind)
    }

    fn forced(&mut self, task: TaskId, side: Side, view: &View<'_>) {
        self.kinds.forced(view.task(task).kind, side);
    }

    fn period(&mut self, view: &View<'_>) -> u32 {
        self.meter.decided(view.now_ns())
    }

    fn done(&mut self, done: &Done, sides: &Sides, view: &View<'_>) {
        let is_new = self.kinds.done(done);
        let measured = self
            .meter
            .done(done.period, done.side, done.took_ns, view.now_ns());
        if is_new {
            self.begin(sides, view);
        } else if let Some(measured) = measured.filter(|measured| !measured.is_first)
            && !self.base.is_empty()
            && self.kinds.are_known()
        {
            self.sample(measured.ns_per_task);
        }
    }
}
