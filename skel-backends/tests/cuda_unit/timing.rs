//! How long a device is at work is what its own clock says.

use crate::{Test, driver::World};
use skel::prelude::*;
use skel_backends::cuda::Options;
use std::time::Duration;

pub(crate) const TESTS: &[Test] = &[(
    "kernels_are_timed_by_the_devices_clock",
    kernels_are_timed_by_the_devices_clock,
)];

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[user_function]
fn add(a: u32, b: u32) -> u32 {
    a + b
}

/// How long every operation takes by the device's clock: far longer than by anybody else's.
const OPERATION: Duration = Duration::from_secs(1000);

fn kernels_are_timed_by_the_devices_clock(world: &World) {
    let Some(shim) = &world.shim else {
        return;
    };
    let x = Vector::from((0..5000).collect::<Vec<u32>>());
    let context = world.context(&[Options::default()]);
    let (map, fold, scan) = (
        map!(double).within(context.clone()).on(Cuda),
        reduce!(add).within(context.clone()).on(Cuda),
        scan!(add).within(context).on(Cuda),
    );
    shim.set("SKEL_SHIM_OP_NS", &OPERATION.as_nanos().to_string());
    let (results, calls) = skel::observe(|| {
        (
            map.run((&x,)).map(|_| ()),
            fold.run((&x,)).map(|_| ()),
            scan.run((&x,)).map(|_| ()),
        )
    });
    shim.unset("SKEL_SHIM_OP_NS");
    assert!(matches!(results, (Ok(()), Ok(()), Ok(()))), "{results:?}");
    for call in calls {
        let busy = call.parts[0].busy;
        // At least the kernel and the event behind it; at most what was queued for the call, and for others whose
        // tests run at the same time.
        assert!(busy >= 2 * OPERATION, "{}: {busy:?}", call.instance);
        assert!(
            call.elapsed < OPERATION,
            "{}: {:?}",
            call.instance,
            call.elapsed
        );
    }
}
