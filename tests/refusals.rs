//! Cases of the conformance suite on a device that refuses most of their inputs: they have not passed.

use skel::{
    Context, Error,
    conformance::{self, Failure, Sizes},
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
