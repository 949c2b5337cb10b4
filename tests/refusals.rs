//! Cases of the conformance suite on devices that refuse most of their inputs, or all: they have not passed.

use skel::{
    Context, Error,
    conformance::{self, Failure, Sizes},
    mock::Mock,
    prelude::*,
    unit::DeviceUnit,
    webgpu,
};
use std::io::{Write, stderr};

/// A device that binds so many bytes at once.
fn device(max_binding_bytes: u64) -> Option<Context> {
    let mut found = webgpu::enumerate().into_iter();
    let found = found.find(|found| found.rejected.is_none())?;
    let options = webgpu::Options {
        max_binding_bytes: Some(max_binding_bytes),
        max_buffer_bytes: Some(2 * max_binding_bytes),
        ..webgpu::Options::default()
    };
    let unit = DeviceUnit::new(webgpu::open_with(&found, options).unwrap()).unwrap();
    Some(Context::builder().unit(unit).build().unwrap())
}

#[test]
fn a_case_of_which_a_device_refuses_most_is_unsupported() {
    let Some(tiny) = device(1 << 12) else {
        let line = "skipped: refusals: no device that wgpu can reach";
        writeln!(stderr(), "{line}").expect("stderr is open");
        return;
    };
    let small = device(1 << 13).unwrap();
    let names = ["sweeps::independent", "sweeps::structs", "sweeps::random"];
    let cases = conformance::cases(Sizes::Small);
    for name in names {
        let case = cases.iter().find(|case| case.name() == name).unwrap();
        let refused = case.run(&tiny, &Device(0).into());
        let is_refusal = matches!(
            &refused,
            Err(Failure::Unsupported(Error::Unsupported { reason, .. })) if reason.contains("binds 4096 bytes")
        );
        assert!(is_refusal, "{name}: {refused:?}");
        // What another case was refused does not count, and half of this one is what such a device runs.
        case.run(&small, &Device(0).into()).unwrap();
    }
}

#[test]
fn a_split_in_which_the_device_refuses_all_is_unsupported() {
    let split = |mock: Mock| {
        let context = Context::builder()
            .unit(mock.unit().unwrap())
            .build()
            .unwrap();
        conformance::run(&context, &Hybrid::ratio(0.3).into())
    };
    let able = split(Mock::named("able"));
    assert!(
        able.unsupported.is_empty() && able.wrong.is_empty(),
        "{able}"
    );
    let unable = split(Mock::named("unable").cannot("none of them"));
    assert!(unable.wrong.is_empty(), "{unable}");
    // Of these, every call fails before a unit is asked.
    let without_parts = [
        "scan::columns_must_fit",
        "whole::shapes_must_fit",
        "parts::shapes_must_fit",
        "along::shapes_must_fit",
        "along::of_a_wrong_shape",
        "outputs::shapes_must_fit",
        "overlap::iterate::unlike_shapes",
        "lines::refused",
        "sweeps::refused",
    ];
    assert_eq!(unable.passed, without_parts, "{unable}");
}
