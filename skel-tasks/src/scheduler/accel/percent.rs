//! A fixed share for devices.

use super::{
    dealer::Dealer,
    is_share,
    side::{Side, Sides},
    split::{Split, Strategy},
};
use crate::{
    BadOption, HandleId, Machine, Scheduler, TaskId, View, options::Options,
    scheduler::Configuration,
};

/// Of the tasks of each kind that both sides can run, devices get this share (ACCEL's `+accelPercentDevice`),
/// evenly spread over their order and after each of them exact to half a task.
///
/// ```
/// use skel_tasks::scheduler::{self, Configuration, Percent};
///
/// let percent = Percent { device: 0.6, is_static: true };
/// assert_eq!(percent.text(), "percent,device=0.6,static=1");
/// assert_eq!(scheduler::parse(&percent.text())?.text(), percent.text());
/// # Ok::<(), skel_tasks::BadOption>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Percent {
    /// The devices' share.
    pub device: f64,
    /// Whether a task follows its data (`+accelStaticAssign`, where an object stays where it was first): the share
    /// is one of the handles that tasks write (the first one of each, or else the first that it reads), and a
    /// task runs on the side of its handle.
    pub is_static: bool,
}

impl Default for Percent {
    fn default() -> Percent {
        Percent {
            device: 0.5,
            is_static: false,
        }
    }
}

impl Percent {
    pub(in crate::scheduler) fn make(
        options: &mut Options<'_>,
    ) -> Result<Box<dyn Configuration>, BadOption> {
        let default = Percent::default();
        let is_static: u8 = options.take("static", "0 or 1", 0)?;
        if is_static > 1 {
            return Err(BadOption::new("static", is_static, "0 or 1"));
        }
        Ok(Box::new(Percent {
            device: options.take("device", "a share from 0 to 1", default.device)?,
            is_static: is_static == 1,
        }))
    }
}

impl Configuration for Percent {
    fn text(&self) -> String {
        format!(
            "percent,device={},static={}",
            self.device,
            u8::from(self.is_static)
        )
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        let share = is_share("device", self.device)?;
        Sides::of(machine).can_have("device", share)?;
        let strategy = Fixed {
            share,
            dealer: Dealer::default(),
            homes: self.is_static.then(Vec::new),
        };
        Ok(Box::new(Split::new(machine, strategy)))
    }
}

struct Fixed {
    share: f64,
    dealer: Dealer,
    /// The side of each handle, by slot, where tasks follow their data.
    homes: Option<Vec<Option<(HandleId, Side)>>>,
}

impl Strategy for Fixed {
    fn side(&mut self, task: TaskId, view: &View<'_>) -> Side {
        let kind = view.task(task).kind;
        let accesses = view.accesses(task);
        let written = accesses.iter().find(|access| access.mode.writes());
        let home = written.or(accesses.first()).map(|access| access.handle);
        let (Some(homes), Some(handle)) = (&mut self.homes, home) else {
            return self.dealer.deal(kind, self.share);
        };
        if handle.slot() >= homes.len() {
            homes.resize(handle.slot() + 1, None);
        }
        match homes[handle.slot()] {
            Some((known, side)) if known == handle => side,
            _ => {
                let side = self.dealer.deal(kind, self.share);
                homes[handle.slot()] = Some((handle, side));
                side
            }
        }
    }
}
