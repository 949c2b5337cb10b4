//! A device that wgpu reaches, and that is lost. A software one will do.
#![allow(
    unsafe_code,
    reason = "texts for devices compute from their parameters alone"
)]

use super::cases::CASES;
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

/// The CPU and the first device that wgpu reaches, whose compiler gets no time to speak of, if there is one.
fn impatient(test: &str) -> Option<Context> {
    let found = webgpu::enumerate();
    let Some(found) = found.iter().find(|device| device.rejected.is_none()) else {
        let reason = "no device that wgpu reaches (Debian: mesa-vulkan-drivers)";
        writeln!(std::io::stderr(), "skipped: {test}: {reason}").expect("stderr is open");
        return None;
    };
    let unit = DeviceUnit::new(webgpu::open(found).unwrap()).unwrap();
    let builder = Context::builder().unit(unit);
    let builder = builder.compile_budget(std::time::Duration::from_nanos(1));
    Some(builder.build().unwrap())
}

#[test]
fn a_kernel_that_comes_too_late_is_used_when_it_is_there() {
    let test = "a_kernel_that_comes_too_late_is_used_when_it_is_there";
    let Some(context) = impatient(test) else {
        return;
    };
    let f = map!(double).within(context.clone());
    let y = f.clone().on(Hybrid::ratio(0.5)).run((&[1, 2, 3, 4],));
    assert_eq!(y.unwrap().host().unwrap()[..], [2, 4, 6, 8]);
    while !context.devices()[0].overdue.is_empty() {
        std::thread::yield_now();
    }
    let y = f.on(Device(0)).run((&[1, 2, 3, 4],)).unwrap();
    assert_eq!(y.host().unwrap()[..], [2, 4, 6, 8]);
}

/// Three places index it: the store, and two loads.
#[user_function]
#[expect(clippy::needless_range_loop, reason = "the store is by index")]
fn scrambled<const N: usize>(x: u32) -> u32 {
    let mut a = [x; N];
    for i in 0..N {
        a[i] = x.wrapping_mul(i as u32);
    }
    a[x as usize % N] ^ a[(x as usize + 1) % N]
}

fn by_hand(x: u32, n: u32) -> u32 {
    x.wrapping_mul(x % n) ^ x.wrapping_mul((x + 1) % n)
}

#[test]
fn arrays_that_the_compiler_of_a_software_device_takes_minutes_for_are_refused() {
    let found = webgpu::enumerate();
    let software = skel::unit::UnitKind::SoftwareDevice;
    let found = found.iter().find(|device| device.info.kind == software);
    let Some(found) = found.filter(|device| device.rejected.is_none()) else {
        writeln!(std::io::stderr(), "skipped: no software device").expect("stderr is open");
        return;
    };
    let unit = DeviceUnit::new(webgpu::open(found).unwrap()).unwrap();
    let context = Context::builder().unit(unit).build().unwrap();
    let x: Vec<u32> = (0..100).map(|i| i * 77).collect();
    let fits = map!(scrambled::<170>).within(context.clone());
    let y = fits.on(Device(0)).run((&x[..],)).unwrap();
    let expected: Vec<u32> = x.iter().map(|x| by_hand(*x, 170)).collect();
    assert_eq!(y.host().unwrap()[..], expected[..]);
    let large = map!(scrambled::<171>).within(context);
    match large.clone().on(Device(0)).run((&x[..],)) {
        Err(Error::Unsupported { reason, .. }) => {
            assert!(reason.contains("come to 513 words"), "{reason}");
        }
        other => panic!("{:?}", other.map(|_| ())),
    }
    let y = large.on(Hybrid::ratio(0.5)).run((&x[..],)).unwrap();
    let expected: Vec<u32> = x.iter().map(|x| by_hand(*x, 171)).collect();
    assert_eq!(y.host().unwrap()[..], expected[..]);
}
