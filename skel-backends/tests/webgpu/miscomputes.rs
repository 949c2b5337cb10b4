//! A type that a device was found to compute wrongly: others take the calls, and all that is said of the device says it.

use crate::{
    Test, harness,
    ir::{cast, map_of},
    numeric::x,
};
use skel::{Context, Error, Target, prelude::*, unit::DeviceUnit};
use skel_backends::{
    device::Driver,
    webgpu::{self, Options, WebGpu},
};
use skel_core::{ir::Ty, space::Shape};

pub(crate) const TESTS: &[Test] = &[
    (
        "a_type_that_a_device_computes_wrongly_is_left_to_others",
        a_type_that_a_device_computes_wrongly_is_left_to_others,
    ),
    (
        "halves_that_a_device_computes_wrongly_are_no_reason_against_singles",
        halves_that_a_device_computes_wrongly_are_no_reason_against_singles,
    ),
    (
        "a_device_that_computes_f32_or_words_wrongly_is_not_used",
        a_device_that_computes_f32_or_words_wrongly_is_not_used,
    ),
];

/// What opening gives of a device that was found to do this wrongly.
fn opened((ty, operation): (&'static str, &'static str)) -> skel::Result<WebGpu> {
    let found = harness::found().expect("tests without a device are ignored");
    let options = Options {
        found_wrong: Some((ty, operation)),
        ..Options::default()
    };
    webgpu::open_with(&found, options)
}

/// The CPU and such a device.
fn context(wrong: (&'static str, &'static str)) -> Context {
    let unit = DeviceUnit::new(opened(wrong).expect("the device opens")).expect("a unit");
    let builder = Context::builder().unit(unit);
    builder.build().expect("a context")
}

/// What is said of a device that computes this wrongly.
fn said((ty, operation): (&str, &str)) -> String {
    format!("`{ty}` not used: `{operation}` of `{ty}` is wrong (of 0x")
}

/// Doubles some numbers, and says what they are to be.
macro_rules! doubled {
    ($t:ident, $context:expr, $target:expr) => {{
        let x: Vec<$t> = (0..100_u8).map($t::from).collect();
        let double = map!(|x: $t| x + x).within($context.clone());
        let found = double
            .on($target)
            .run((&x,))
            .and_then(|y| Ok(y.host()?.to_vec()));
        let right: Vec<$t> = x.iter().map(|x| x + x).collect();
        found.map(|found| assert_eq!(found, right, "{}", stringify!($t)))
    }};
}

type Double = fn(&Context, Target) -> skel::Result<()>;

const TYPES: [(&str, Double); 5] = [
    ("f64", |context, target| doubled!(f64, context, target)),
    ("i64", |context, target| doubled!(i64, context, target)),
    ("u64", |context, target| doubled!(u64, context, target)),
    ("f32", |context, target| doubled!(f32, context, target)),
    ("u32", |context, target| doubled!(u32, context, target)),
];

fn a_type_that_a_device_computes_wrongly_is_left_to_others() {
    if !harness::Device::open().has_f64() {
        return;
    }
    // What is not used where an operation of a type is wrong: the bits of `f64` are those of `u64`.
    let cases: [((&str, &str), &[&str]); 3] = [
        (("f64", "%"), &["f64"]),
        (("i64", "/"), &["f64", "i64", "u64"]),
        (("u64", "rotate_left"), &["f64", "i64", "u64"]),
    ];
    for (wrong, unused) in cases {
        let context = context(wrong);
        let line = context.devices()[0].to_string();
        assert!(line.contains(&said(wrong)), "{line}");
        for (ty, double) in TYPES {
            let before = context.traffic().uploaded_bytes;
            let named = double(&context, Device(0).into());
            if !unused.contains(&ty) {
                named.unwrap_or_else(|error| panic!("{ty} with {wrong:?}: {error}"));
                continue;
            }
            let error = named.expect_err("the type is not used there");
            assert!(matches!(error, Error::Unsupported { .. }), "{error:?}");
            let why = format!("`{ty}`, in which this device's driver gives wrong results");
            assert!(error.to_string().contains(&why), "{error}");
            double(&context, Hybrid::ratio(0.3).into()).expect("the CPU computes it all");
            let moved = context.traffic().uploaded_bytes - before;
            assert_eq!(moved, 0, "{ty}: the device took a share");
        }
    }
}

/// A kernel over `f16` is refused with the reason, and all else is as it was.
fn halves_that_a_device_computes_wrongly_are_no_reason_against_singles() {
    let wrong = ("f16", "as f32");
    let device = opened(wrong).expect("the device opens");
    let rounded = cast(cast(x::<f32>(), Ty::F16), Ty::F32);
    let kernel = map_of("rounded", &[Ty::F32], rounded);
    let refused = WebGpu::check(&device.limits(), &kernel, Shape::D1(7));
    let why = refused.expect_err("it computes with `f16`");
    assert!(
        why.contains("`f16`, in which this device's driver gives wrong results"),
        "{why}"
    );
    let context = context(wrong);
    let line = context.devices()[0].to_string();
    assert!(line.contains(&said(wrong)), "{line}");
    for (ty, double) in TYPES.iter().filter(|(ty, _)| ["f32", "u32"].contains(ty)) {
        let named = double(&context, Device(0).into());
        named.unwrap_or_else(|error| panic!("{ty}: {error}"));
    }
}

fn a_device_that_computes_f32_or_words_wrongly_is_not_used() {
    for (ty, operation) in [("f32", "*"), ("u32", "<<"), ("i32", "abs")] {
        let error = opened((ty, operation))
            .map(|_| ())
            .expect_err("it is of no use");
        assert!(matches!(error, Error::NoDevice { .. }), "{error:?}");
        let why = format!("its arithmetic is wrong: `{operation}` of `{ty}` is wrong");
        assert!(error.to_string().contains(&why), "{error}");
    }
}
