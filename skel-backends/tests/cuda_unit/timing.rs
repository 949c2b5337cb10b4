//! How long a device is at work is what its own clock says.

use crate::{Test, driver::World};
use skel::prelude::*;
use skel_backends::cuda::Options;
use std::time::Duration;

pub(crate) const TESTS: &[Test] = &[
    (
        "kernels_are_timed_by_the_devices_clock",
        kernels_are_timed_by_the_devices_clock,
    ),
    (
        "kernels_of_all_streams_are_timed",
        kernels_of_all_streams_are_timed,
    ),
];

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[user_function]
fn add(a: u32, b: u32) -> u32 {
    a + b
}

/// How long every operation takes by the device's clock: far longer than by any other clock.
const OPERATION: Duration = Duration::from_secs(1000);

fn kernels_are_timed_by_the_devices_clock(world: &World) {
    let Some(shim) = &world.shim else {
        return;
    };
    world.in_every_order(6, |seed| {
        shim.set("SKEL_SHIM_OP_NS", &OPERATION.as_nanos().to_string());
        let x = Vector::from((0..5000).collect::<Vec<u32>>());
        let context = world.context(&[Options::default()]);
        let (map, fold, scan) = (
            map!(double).within(context.clone()).on(Cuda),
            reduce!(add).within(context.clone()).on(Cuda),
            scan!(add).within(context).on(Cuda),
        );
        let (results, calls) = skel::observe(|| {
            (
                map.run((&x,)).map(|_| ()),
                fold.run((&x,)).map(|_| ()),
                scan.run((&x,)).map(|_| ()),
            )
        });
        shim.unset("SKEL_SHIM_OP_NS");
        assert!(
            matches!(results, (Ok(()), Ok(()), Ok(()))),
            "{results:?}, order {seed}"
        );
        for call in calls {
            let (busy, name) = (call.parts[0].busy, call.instance);
            // At least the kernel and the event behind it.
            assert!(busy >= 2 * OPERATION, "{name}: {busy:?}, order {seed}");
            assert!(call.elapsed < OPERATION, "{name}: {:?}", call.elapsed);
        }
    });
}

/// A device that no other test takes memory from: what does not fit is one step.
const OWN: u16 = 7;

/// Large enough to be taken in several steps, on several streams.
const LARGE: usize = 24 << 20;

fn kernels_of_all_streams_are_timed(world: &World) {
    let Some(shim) = &world.shim else {
        return;
    };
    world.in_every_order(4, |seed| {
        let x = Vector::filled(LARGE, 1_u32);
        let context = world.of_devices([(OWN.into(), Options::default())]);
        let map = map!(double).within(context).on(Cuda);
        let before = shim.launches(OWN);
        shim.set("SKEL_SHIM_OP_NS", &OPERATION.as_nanos().to_string());
        let (result, calls) = skel::observe(|| map.run((&x,)).map(|_| ()));
        shim.unset("SKEL_SHIM_OP_NS");
        assert!(result.is_ok(), "{result:?}, order {seed}");
        let kernels = u32::try_from(shim.launches(OWN) - before).unwrap();
        assert!(kernels > 1, "one step is no test");
        let busy = calls[0].parts[0].busy;
        // And uploads, in pieces of less than 4 MiB.
        let uploads = u32::try_from((LARGE * size_of::<u32>()) >> 22).unwrap();
        assert!(
            busy >= (uploads + kernels) * OPERATION,
            "{busy:?}, {kernels} kernels, order {seed}"
        );
    });
}
