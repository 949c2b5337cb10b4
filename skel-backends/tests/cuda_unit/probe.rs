//! What is reported where CUDA cannot be used: each in a process of its own, since a driver stays.

use crate::{Test, driver::World};
use skel_verify::driver;
use std::{env, process::Command};

pub(crate) const TESTS: &[Test] = &[
    ("every_device_is_a_unit", every_device_is_a_unit),
    ("a_driver_without_devices", a_driver_without_devices),
    ("an_old_driver", an_old_driver),
    ("a_device_that_is_too_old", a_device_that_is_too_old),
    ("a_machine_without_nvrtc", a_machine_without_nvrtc),
    (
        "a_device_that_cannot_be_opened",
        a_device_that_cannot_be_opened,
    ),
    (
        "a_driver_that_hangs_when_it_is_asked_for_devices",
        a_driver_that_hangs_when_it_is_asked_for_devices,
    ),
    ("no_driver_at_all", no_driver_at_all),
    ("switched_off", switched_off),
];

/// With this variable set, the program only says which devices there are: with the driver of our own, or
/// without any.
const ONLY_DEVICES: &str = "SKEL_TEST_DEVICES";

/// True if this was all that was wanted of the program.
pub(crate) fn says_what_is_there() -> bool {
    let Ok(with) = env::var(ONLY_DEVICES) else {
        return false;
    };
    if with == "shim" {
        driver::install().expect("it was built before");
    }
    for device in skel::devices() {
        println!("{device}");
    }
    let double = skel::map!(|x: u32| 2 * x).on(skel::Cuda);
    match double.run((&[1, 2, 3],)) {
        Ok(doubled) => println!("on CUDA: {:?}", &doubled.host().unwrap()[..]),
        Err(error) => println!("on CUDA: {error}"),
    }
    for device in skel::devices() {
        println!("afterwards: {device}");
    }
    true
}

/// What a program says that has these variables.
pub(crate) fn says(with: &str, variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(env::current_exe().expect("this program"));
    command
        .env(ONLY_DEVICES, with)
        .envs(variables.iter().copied());
    let output = command.output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    text
}

fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
}

fn every_device_is_a_unit(_: &World) {
    let text = says(
        "shim",
        &[
            ("SKEL_SHIM_DEVICES", "3"),
            ("SKEL_SHIM_NAME", "Some GPU"),
            ("SKEL_SHIM_MEMORY", "1073741824"),
        ],
    );
    has(
        &text,
        &[
            "device:0  Some GPU (discrete GPU, CUDA, driver for CUDA 12.8), memory 1024 MiB",
            "device:2  Some GPU",
            "compute capability 9.0",
            "on CUDA: [2, 4, 6]",
            "arithmetic as Rust's",
        ],
    );
}

fn a_driver_without_devices(_: &World) {
    let text = says("shim", &[("SKEL_SHIM_DEVICES", "0")]);
    has(
        &text,
        &[
            "rejected  NVIDIA's driver",
            "device",
            "on CUDA: no device `cuda`",
        ],
    );
}

fn an_old_driver(_: &World) {
    let text = says("shim", &[("SKEL_SHIM_VERSION", "11080")]);
    has(
        &text,
        &[
            "its driver is for CUDA 11.8, and 12 is the oldest",
            "on CUDA: no device `cuda`",
        ],
    );
}

fn a_device_that_is_too_old(_: &World) {
    let text = says("shim", &[("SKEL_SHIM_CAPABILITY", "35")]);
    has(&text, &["this device has 3.5", "on CUDA: no device `cuda`"]);
}

fn a_machine_without_nvrtc(_: &World) {
    let text = says("shim", &[("SKEL_NVRTC", "libno-such-nvrtc.so")]);
    has(
        &text,
        &[
            "rejected  ",
            "libno-such-nvrtc.so",
            "on CUDA: no device `cuda`",
        ],
    );
    // A path where there is no file is a slip of the pen, which the table of variables refuses.
    let text = says("shim", &[("SKEL_NVRTC", "/nowhere/libnvrtc.so")]);
    has(
        &text,
        &["on CUDA: SKEL_NVRTC is `/nowhere/libnvrtc.so`, which is not the file of a library"],
    );
}

fn a_device_that_cannot_be_opened(_: &World) {
    // Nothing else drives it here.
    let text = says("shim", &[("SKEL_SHIM_FAIL", "context:1:101")]);
    has(
        &text,
        &[
            "device:0  CUDA on the CPU",
            "on CUDA: ",
            "opening the device",
        ],
    );
}

fn a_driver_that_hangs_when_it_is_asked_for_devices(_: &World) {
    let variables = [
        ("SKEL_SHIM_FAIL", "init:1:-1"),
        ("SKEL_WATCHDOG_MS", "400"),
        ("SKEL_COMPILE_BUDGET_MS", "100"),
    ];
    let text = says("shim", &variables);
    // By `devices()`, before and after, and by the call.
    assert_eq!(text.matches("all devices of CUDA").count(), 3, "{text}");
    has(
        &text,
        &[
            "rejected  all devices of CUDA",
            "which devices there are, and it took longer than 500ms",
            "on CUDA: no device `cuda`",
        ],
    );
}

fn no_driver_at_all(_: &World) {
    let text = says("nothing", &[]);
    has(&text, &["on CUDA: no device `cuda`", "libcuda"]);
    assert!(!text.contains("CUDA,"), "{text}");
}

fn switched_off(_: &World) {
    let text = says("shim", &[("SKEL_CUDA", "off")]);
    has(&text, &["on CUDA: no device `cuda`"]);
    assert!(!text.contains("CUDA,"), "{text}");
}
