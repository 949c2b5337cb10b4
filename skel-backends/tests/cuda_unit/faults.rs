//! What fails is an error that says so; what is broken for good is left alone.
#![allow(
    unsafe_code,
    reason = "texts for devices compute from their parameters alone"
)]

use crate::{Test, driver::World};
use skel::{Error, prelude::*};
use skel_backends::cuda::Options;
use skel_verify::driver::{Code, Kind};

pub(crate) const TESTS: &[Test] = &[
    (
        "a_kernel_that_does_not_compile_is_named",
        a_kernel_that_does_not_compile_is_named,
    ),
    (
        "transfers_that_fail_are_tried_again",
        transfers_that_fail_are_tried_again,
    ),
    (
        "a_host_that_can_lock_no_more_pages_is_no_full_device",
        a_host_that_can_lock_no_more_pages_is_no_full_device,
    ),
    (
        "a_launch_that_fails_ends_the_unit_and_not_the_device",
        a_launch_that_fails_ends_the_unit_and_not_the_device,
    ),
    (
        "errors_that_stay_stay_on_their_device",
        errors_that_stay_stay_on_their_device,
    ),
];

#[user_function(unsafe(cuda = "return no_such_function(x);"))]
fn broken(x: u32) -> u32 {
    x
}

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

fn a_kernel_that_does_not_compile_is_named(world: &World) {
    let context = world.context(&[Options::default()]);
    let f = map!(broken).within(context.clone()).on(Cuda);
    for _ in 0..2 {
        let error = f
            .run((&[1, 2],))
            .map(|v| v.host().map(|_| ()))
            .and_then(|read| read)
            .unwrap_err();
        let text = format!("{error:?}");
        assert!(
            text.contains("broken") && text.contains("no_such_function"),
            "{text}"
        );
    }
    let fine = map!(double)
        .within(context)
        .on(Cuda)
        .run((&[1, 2],))
        .unwrap();
    assert_eq!(fine.host().unwrap()[..], [2, 4]);
}

fn read(f: impl FnOnce(&Vector<u32>) -> skel::Result<Vector<u32>>) -> skel::Result<Vec<u32>> {
    let v = f(&Vector::from([1_u32, 2, 3]))?;
    Ok(v.host()?.to_vec())
}

fn transfers_that_fail_are_tried_again(world: &World) {
    let shim = world.shim.as_ref().expect("these tests need it");
    for kind in [Kind::Upload, Kind::Download] {
        let context = world.of_devices([(1, Options::default())]);
        let f = map!(double).within(context).on(Cuda);
        let run = || read(|v| f.run((v,)));
        assert_eq!(run().unwrap(), [2, 4, 6]);
        shim.fail(Some(1), kind, 1, Code::LAUNCH_OUT_OF_RESOURCES);
        let error = run().unwrap_err();
        assert!(
            format!("{error:?}").contains("OUT_OF_RESOURCES"),
            "{kind:?}: {error}"
        );
        assert_eq!(run().unwrap(), [2, 4, 6], "{kind:?}");
    }
}

fn a_host_that_can_lock_no_more_pages_is_no_full_device(world: &World) {
    let shim = world.shim.as_ref().expect("these tests need it");
    let context = world.of_devices([(1, Options::default())]);
    let f = map!(double).within(context.clone()).on(Cuda);
    let there = Vector::from([5_u32; 1000]);
    drop(f.run((&there,)).unwrap());
    let before = context.traffic();
    // Transfers of another size need memory of their own.
    let large: Vec<u32> = (0..40_000).collect();
    shim.fail(Some(1), Kind::HostAlloc, 1, Code::OUT_OF_MEMORY);
    let found = f.run((&large,)).unwrap();
    assert!(
        found
            .host()
            .unwrap()
            .iter()
            .zip(&large)
            .all(|(y, x)| *y == 2 * x)
    );
    // What was there has not been sent away to make room.
    drop(f.run((&there,)).unwrap());
    let moved = context.traffic() - before;
    assert_eq!(moved.uploaded_bytes, 4 * large.len() as u64);
}

fn a_launch_that_fails_ends_the_unit_and_not_the_device(world: &World) {
    let shim = world.shim.as_ref().expect("these tests need it");
    let context = || world.of_devices([(2, Options::default())]);
    let f = map!(double).within(context());
    shim.fail(Some(2), Kind::Launch, 1, Code::LAUNCH_OUT_OF_RESOURCES);
    let error = read(|v| f.clone().on(Cuda).run((v,))).unwrap_err();
    assert!(
        format!("{error:?}").contains("OUT_OF_RESOURCES"),
        "{error:?}"
    );
    // It is listed no more, and left out by calls that do not name it.
    let error = read(|v| f.clone().on(Cuda).run((v,))).unwrap_err();
    assert!(matches!(error, Error::DeviceLost { .. }), "{error}");
    let split = read(|v| f.clone().on(Hybrid::ratio(0.5)).run((v,)));
    assert_eq!(split.unwrap(), [2, 4, 6]);
    let again = map!(double).within(context()).on(Cuda);
    assert_eq!(read(|v| again.run((v,))).unwrap(), [2, 4, 6]);
}

fn errors_that_stay_stay_on_their_device(world: &World) {
    let shim = world.shim.as_ref().expect("these tests need it");
    let both = world.of_devices([(0, Options::default()), (5, Options::default())]);
    let on = |device| {
        let f = map!(double).within(both.clone()).on(Device(device));
        read(|v| f.run((v,)))
    };
    assert_eq!(
        (on(0).unwrap(), on(1).unwrap()),
        (vec![2, 4, 6], vec![2, 4, 6])
    );
    shim.fail(Some(5), Kind::Launch, 1, Code::ILLEGAL_ADDRESS);
    for _ in 0..3 {
        let error = on(1).unwrap_err();
        assert!(
            format!("{error:?}").contains("ILLEGAL_ADDRESS"),
            "{error:?}"
        );
    }
    assert_eq!(on(0).unwrap(), [2, 4, 6]);
    // Not even a new unit can have it.
    let found = &skel_backends::cuda::enumerate()[5];
    let opened = skel_backends::cuda::open(found).map(|_| ());
    assert!(opened.is_err());
}
