//! All tasks on one side.

use super::{
    side::{Side, Sides},
    split::{Split, Strategy},
};
use crate::{
    BadOption, Machine, Scheduler, TaskId, View, options::Options, scheduler::Configuration,
};

/// Tasks run on the host (ACCEL's `+accelHostOnly`), but for those that only devices can run.
///
/// ```
/// use skel_tasks::{Machine, scheduler::{Configuration, HostOnly}};
///
/// assert_eq!(HostOnly.text(), "host");
/// assert!(HostOnly.build(&Machine::cores(2)?).is_ok());
/// # Ok::<(), skel_tasks::TaskError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct HostOnly;

/// Tasks run on devices (ACCEL's `+accelDeviceOnly`), but for those that only the host can run.
///
/// ```
/// use skel_tasks::{Machine, scheduler::{Configuration, DeviceOnly}};
///
/// let error = DeviceOnly.build(&Machine::cores(2)?).err().unwrap();
/// assert!(error.to_string().contains("no device"));
/// # Ok::<(), skel_tasks::TaskError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct DeviceOnly;

impl HostOnly {
    pub(in crate::scheduler) fn make(
        _: &mut Options<'_>,
    ) -> Result<Box<dyn Configuration>, BadOption> {
        Ok(Box::new(HostOnly))
    }
}

impl DeviceOnly {
    pub(in crate::scheduler) fn make(
        _: &mut Options<'_>,
    ) -> Result<Box<dyn Configuration>, BadOption> {
        Ok(Box::new(DeviceOnly))
    }
}

impl Configuration for HostOnly {
    fn text(&self) -> String {
        "host".into()
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        only(
            machine,
            Side::Host,
            "host",
            "another one, since the machine has devices only",
        )
    }
}

impl Configuration for DeviceOnly {
    fn text(&self) -> String {
        "device".into()
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        only(
            machine,
            Side::Device,
            "device",
            "another one, since the machine has no device",
        )
    }
}

fn only(
    machine: &Machine,
    side: Side,
    name: &str,
    expected: &str,
) -> Result<Box<dyn Scheduler>, BadOption> {
    match Sides::of(machine).classes(side).is_empty() {
        true => Err(BadOption::new("scheduler", name, expected)),
        false => Ok(Box::new(Split::new(machine, Only(side)))),
    }
}

struct Only(Side);

impl Strategy for Only {
    fn side(&mut self, _: TaskId, _: &View<'_>) -> Side {
        self.0
    }
}
