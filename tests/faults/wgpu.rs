//! A device that wgpu reaches, and that is lost. A software one will do.
#![allow(
    unsafe_code,
    reason = "texts for devices compute from their parameters alone"
)]

use crate::cases::CASES;
use skel::{
    Context, Error,
    mock::Mock,
    prelude::*,
    unit::DeviceUnit,
    webgpu::{self, Loss},
};
use std::io::Write;

/// The CPU, a device that can be lost, and one that computes on.
fn context(test: &str) -> Option<(Context, Loss)> {
    let found = webgpu::enumerate();
    let Some(found) = found.iter().find(|device| device.rejected.is_none()) else {
        let reason = "no device that wgpu reaches (Debian: mesa-vulkan-drivers)";
        writeln!(std::io::stderr(), "skipped: {test}: {reason}").expect("stderr is open");
        return None;
    };
    let device = webgpu::open(found).unwrap();
    let loss = device.loss();
    let builder = Context::builder()
        .unit(DeviceUnit::new(device).unwrap())
        .unit(Mock::named("sound").unit().unwrap());
    Some((builder.build().unwrap(), loss))
}

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[user_function(unsafe(wgsl = "return 2u * x + no_such_thing;"))]
fn cannot_be_compiled(x: u32) -> u32 {
    2 * x
}

#[test]
fn a_device_that_is_lost_leaves_every_call_to_the_others() {
    for case in &CASES {
        let Some((context, loss)) =
            context("a_device_that_is_lost_leaves_every_call_to_the_others")
        else {
            return;
        };
        for turn in 0..3 {
            if turn == 1 {
                loss.now();
            }
            let done = (case.run)(&context, &Hybrid::ratio(0.3).into());
            assert!(done.is_ok(), "{}, {turn}: {done:?}", case.name);
        }
        let devices = context.devices();
        let line = devices[0].to_string();
        assert!(line.contains("quarantined: the device was lost"), "{line}");
        assert_eq!(devices[1].rejected, None);
        let failed = (case.run)(&context, &Device(0).into());
        assert!(
            matches!(failed, Err(Error::DeviceLost { .. })),
            "{failed:?}"
        );
    }
}

#[test]
fn what_only_a_lost_device_had_is_named() {
    let Some((context, loss)) = context("what_only_a_lost_device_had_is_named") else {
        return;
    };
    let f = map!(double).within(context).on(Device(0));
    let y = f
        .named("loses")
        .run((&Vector::from([1_u32, 2, 3]),))
        .unwrap();
    loss.now();
    match y.host().map(|_| ()) {
        Err(Error::Late {
            call,
            elements,
            cause,
        }) => {
            assert_eq!((&*call, elements), ("loses", 0..3));
            assert!(matches!(*cause, Error::DeviceLost { .. }), "{cause}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_kernel_that_does_not_compile_is_left_alone_and_others_are_not() {
    let Some((context, _)) =
        context("a_kernel_that_does_not_compile_is_left_alone_and_others_are_not")
    else {
        return;
    };
    let f = map!(cannot_be_compiled).within(context.clone());
    let y = f
        .clone()
        .on(Hybrid::ratio(0.4))
        .run((&[1, 2, 3, 4],))
        .unwrap();
    assert_eq!(y.host().unwrap()[..], [2, 4, 6, 8]);
    for _ in 0..2 {
        match f.clone().on(Device(0)).run((&[1],)).map(|_| ()) {
            Err(Error::Unsupported { reason, .. }) => {
                assert!(reason.contains("does not compile"), "{reason}");
            }
            other => panic!("{other:?}"),
        }
    }
    let g = map!(double).within(context).on(Device(0));
    assert_eq!(g.run((&[1],)).unwrap().host().unwrap()[..], [2]);
}
