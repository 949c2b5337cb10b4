//! The driver that tests of CUDA run on.
#![allow(dead_code, reason = "each test uses a part of it")]

use skel::Context;
use skel_backends::{
    cuda::{self, Options},
    device::DeviceUnit,
};
use skel_verify::driver::{self, Driver};
use std::{path::Path, sync::OnceLock};

/// Why tests are not run on real devices.
pub(crate) const NO_FAULTS: &str = "a real device does not fail on purpose";

/// What the tests run on.
pub(crate) struct World {
    /// The driver of our own, if it is that one.
    pub(crate) shim: Option<Driver>,
}

/// Devices that the driver of our own pretends to have: those that tests break for good are not used by
/// others.
const DEVICES: usize = 8;

/// The memory of each.
pub(crate) const MEMORY_MEBIBYTES: usize = 256;

/// The same for all tests of a process; why there is none.
pub(crate) fn world() -> &'static Result<World, String> {
    static WORLD: OnceLock<Result<World, String>> = OnceLock::new();
    WORLD.get_or_init(|| {
        if Path::new("/proc/driver/nvidia/version").exists() {
            return Ok(World { shim: None });
        }
        if let Some(reason) = driver::missing() {
            return Err(reason.to_owned());
        }
        let shim = driver::install()?;
        shim.set("SKEL_SHIM_DEVICES", &DEVICES.to_string());
        shim.set("SKEL_SHIM_MEMORY", &(MEMORY_MEBIBYTES << 20).to_string());
        Ok(World { shim: Some(shim) })
    })
}

impl World {
    /// A context of the first device, once for each of the options.
    pub(crate) fn context(&self, all: &[Options]) -> Context {
        self.of_devices(all.iter().map(|options| (0, *options)))
    }

    /// A context of devices by their numbers.
    pub(crate) fn of_devices(&self, all: impl IntoIterator<Item = (usize, Options)>) -> Context {
        let found = cuda::enumerate();
        let mut builder = Context::builder();
        for (number, options) in all {
            let driver = cuda::open_with(&found[number], options).unwrap();
            builder = builder.unit(DeviceUnit::new(driver).unwrap());
        }
        builder.build().unwrap()
    }

    /// The options to try: all on, each off, all off.
    pub(crate) fn options() -> Vec<(&'static str, Options)> {
        let mut all = vec![("default", Options::default())];
        let mut one = |name, change: fn(&mut Options)| {
            let mut options = Options::default();
            change(&mut options);
            all.push((name, options));
        };
        one("not_pinned", |options| options.pinned = false);
        one("no_pool", |options| options.pool = false);
        one("three_passes", |options| options.one_pass = false);
        one("no_vectors", |options| options.vectors = false);
        one("one_stream", |options| options.streams = 0);
        one("many_streams", |options| {
            options.streams = 6;
            options.copiers = 3;
        });
        one("nothing", |options| {
            options.pinned = false;
            options.pool = false;
            options.one_pass = false;
            options.vectors = false;
            options.streams = 0;
        });
        all
    }

    /// Runs `body` in several orders of what happens on devices: whatever streams and events allow.
    pub(crate) fn in_every_order(&self, orders: u32, mut body: impl FnMut(u32)) {
        let orders = if self.shim.is_some() { orders } else { 1 };
        for seed in 0..orders {
            if let Some(shim) = &self.shim {
                shim.set("SKEL_SHIM_SEED", &seed.to_string());
            }
            body(seed);
        }
    }
}
