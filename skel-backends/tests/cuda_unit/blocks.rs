//! Block configurations.

use crate::{Test, common, driver::World};
use skel::{
    Context,
    prelude::*,
    unit::{DeviceUnit, Unit},
};
use skel_backends::{
    cuda::{self, Limits, Options},
    device::Driver,
};
use skel_core::{
    call::{Call, Executor},
    frame::Partial,
    plan::{BlockConfig, BlockConfigs},
    space::Shape,
    unit::NodeId,
};
use std::sync::{Arc, Mutex};

pub(crate) const TESTS: &[Test] = &[
    ("all_compute_the_same", all_compute_the_same),
    (
        "blocks_have_as_many_threads_as_there_are_registers_for",
        blocks_have_as_many_threads_as_there_are_registers_for,
    ),
    (
        "sweeps_of_more_blocks_than_a_launch_has_are_refused",
        sweeps_of_more_blocks_than_a_launch_has_are_refused,
    ),
];

fn all_compute_the_same(_: &World) {
    let driver = cuda::open_with(&cuda::enumerate()[0], Options::default()).unwrap();
    let unit = DeviceUnit::new(driver).unwrap();
    let node = unit.node();
    let context = Context::builder().unit(unit).build().unwrap();
    // Those of 3 lanes are not offered.
    common::all_compute_the_same(&context, node, &[64, 256, 1024, 3], &[1, 2, 4, 8, 16, 32]);
}

/// Launches in one configuration, and notes which are offered afterwards.
#[derive(Clone)]
struct Asking {
    context: Context,
    limits: Arc<Limits>,
    node: NodeId,
    block: BlockConfig,
    offered: Arc<Mutex<BlockConfigs>>,
}

impl Executor for Asking {
    fn execute(&self, call: &mut Call<'_>, target: &Target) -> skel::Result<Partial> {
        call.blocks.set(self.node, self.block);
        let kernel = call.kernel()?;
        let result = self.context.execute(call, target);
        // It may only be queued.
        self.context.sync()?;
        *self.offered.lock().unwrap() = cuda::CudaGpu::block_configs(&self.limits, &kernel);
        result
    }
}

#[user_function]
fn tripled(x: u32) -> u32 {
    3 * x
}

#[user_function]
fn add(a: u32, b: u32) -> u32 {
    a + b
}

fn blocks_have_as_many_threads_as_there_are_registers_for(world: &World) {
    let Some(shim) = &world.shim else {
        return;
    };
    let x = Vector::from((0..5000).collect::<Vec<u32>>());
    // Fewer than usual, too.
    for most in [512, 96] {
        shim.set("SKEL_SHIM_MAX_THREADS", &most.to_string());
        let driver = cuda::open_with(&cuda::enumerate()[0], Options::default()).unwrap();
        let limits = driver.limits();
        let unit = DeviceUnit::new(driver).unwrap();
        let node = unit.node();
        let context = Context::builder().unit(unit).build().unwrap();
        for (lanes, does) in [(1024, false), (512, most >= 512), (64, true)] {
            let block = BlockConfig {
                lanes,
                elems_per_lane: 8,
            };
            let asking = Asking {
                context: context.clone(),
                limits: Arc::clone(&limits),
                node,
                block,
                offered: Arc::default(),
            };
            let map = map!(tripled).within(asking.clone()).on(Cuda);
            let y = map.run((&x,)).unwrap();
            assert!((0..5000).eq(y.host().unwrap().iter().map(|y| y / 3)));
            let is_offered = || asking.offered.lock().unwrap().contains(&block);
            assert_eq!(is_offered(), does, "a map, {lanes} of {most}");
            let sum = reduce!(add).within(asking.clone()).on(Cuda);
            assert_eq!(sum.run((&x,)).unwrap(), 4999 * 2500);
            assert_eq!(is_offered(), does, "a fold, {lanes} of {most}");
            let sums = scan!(add).within(asking.clone()).on(Cuda);
            let sums = sums.run((&x,)).unwrap();
            assert_eq!(sums.host().unwrap()[4999], 4999 * 2500);
        }
        shim.unset("SKEL_SHIM_MAX_THREADS");
    }
}

/// Rows do not wait for each other: all of them are in one launch.
#[user_function]
fn along_rows(w: Sweep2<u32, 0, 1>) -> u32 {
    w[(0, 0)] ^ w[(0, -1)]
}

/// Asks for matrices with ever more rows, which no memory holds.
struct Measuring(Arc<Limits>);

impl Executor for Measuring {
    fn execute(&self, call: &mut Call<'_>, _: &Target) -> skel::Result<Partial> {
        let kernel = call.kernel()?;
        let check = |rows| cuda::CudaGpu::check(&self.0, &kernel, Shape::D2(rows, 1));
        assert_eq!(check(1 << 20), Ok(()));
        let reason = check(1 << 45).unwrap_err();
        assert!(reason.contains("rows of tiles"), "{reason}");
        Ok(Partial::NONE)
    }
}

fn sweeps_of_more_blocks_than_a_launch_has_are_refused(_: &World) {
    let driver = cuda::open_with(&cuda::enumerate()[0], Options::default()).unwrap();
    let limits = driver.limits();
    // Its context is left on the unit's thread.
    let _unit = DeviceUnit::new(driver).unwrap();
    let mut matrix = Matrix::filled(2, 2, 1_u32);
    let sweep = sweep!(along_rows).within(Measuring(limits));
    sweep.run((&mut matrix,)).unwrap();
}
