//! Block configurations.

use crate::{Test, common};
use skel::{
    Context,
    unit::{DeviceUnit, Unit},
};
use skel_backends::webgpu;

pub(crate) const TESTS: &[Test] = &[("all_compute_the_same", all_compute_the_same)];

fn all_compute_the_same() {
    let found = crate::harness::found().expect("tests without a device are ignored");
    let unit = DeviceUnit::new(webgpu::open(&found).expect("the device opens")).expect("a unit");
    let node = unit.node();
    let context = Context::builder().unit(unit).build().expect("a context");
    // Those that are offered, and others.
    let lanes = [64, 128, 256, 512, 1024, 3, u32::MAX];
    let elems_per_lane = [0, 1, 2, 4, 8, 16, 32];
    common::all_compute_the_same(&context, node, &lanes, &elems_per_lane);
}
