//! What fails is an error that says so; what is broken for good is left alone.

use crate::{Test, driver::World};
use skel::{Error, prelude::*};
use skel_backends::cuda::Options;
use skel_verify::driver::{Code, Kind};

pub(crate) const TESTS: &[Test] = &[
    (
        "a_kernel_that_does_not_compile_is_named",
        a_kernel_that_does_not_compile_is_named,
    ),
    ("errors_that_pass_pass", errors_that_pass_pass),
    (
        "errors_that_stay_stay_on_their_device",
        errors_that_stay_stay_on_their_device,
    ),
];

#[user_function(cuda = "return no_such_function(x);")]
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
        let text = error.to_string();
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

fn errors_that_pass_pass(world: &World) {
    let shim = world.shim.as_ref().expect("these tests need it");
    for kind in [Kind::Launch, Kind::Upload, Kind::Download] {
        let context = world.of_devices([(1, Options::default())]);
        let f = map!(double).within(context).on(Cuda);
        let run = || -> skel::Result<Vec<u32>> {
            let v = f.run((&Vector::from([1_u32, 2, 3]),))?;
            Ok(v.host()?.to_vec())
        };
        assert_eq!(run().unwrap(), [2, 4, 6]);
        shim.fail(Some(1), kind, 1, Code::LAUNCH_OUT_OF_RESOURCES);
        let error = run().unwrap_err();
        assert!(
            error.to_string().contains("OUT_OF_RESOURCES"),
            "{kind:?}: {error}"
        );
        assert_eq!(run().unwrap(), [2, 4, 6], "{kind:?}");
    }
}

fn errors_that_stay_stay_on_their_device(world: &World) {
    let shim = world.shim.as_ref().expect("these tests need it");
    let both = world.of_devices([(0, Options::default()), (2, Options::default())]);
    let on = |device| map!(double).within(both.clone()).on(Device(device));
    let read = |device| -> Result<Vec<u32>, Error> {
        Ok(on(device)
            .run((&Vector::from([1_u32, 2, 3]),))?
            .host()?
            .to_vec())
    };
    assert_eq!(
        (read(0).unwrap(), read(1).unwrap()),
        (vec![2, 4, 6], vec![2, 4, 6])
    );
    shim.fail(Some(2), Kind::Launch, 1, Code::ILLEGAL_ADDRESS);
    for _ in 0..3 {
        let error = read(1).unwrap_err();
        assert!(error.to_string().contains("ILLEGAL_ADDRESS"), "{error}");
    }
    assert_eq!(read(0).unwrap(), [2, 4, 6]);
}
