//! Block configurations.

use crate::{Test, common, driver::World};
use skel::{
    Context,
    unit::{DeviceUnit, Unit},
};
use skel_backends::cuda::{self, Options};

pub(crate) const TESTS: &[Test] = &[("all_compute_the_same", all_compute_the_same)];

fn all_compute_the_same(_: &World) {
    let driver = cuda::open_with(&cuda::enumerate()[0], Options::default()).unwrap();
    let unit = DeviceUnit::new(driver).unwrap();
    let node = unit.node();
    let context = Context::builder().unit(unit).build().unwrap();
    // Those of 3 lanes are not offered.
    common::all_compute_the_same(&context, node, &[64, 256, 1024, 3], &[1, 2, 4, 8, 16, 32]);
}
