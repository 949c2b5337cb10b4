//! Every kind of unit, alone and together.

use skel::{Context, Target, mock::Mock, prelude::*, unit::DeviceUnit, webgpu};
use std::{
    io::{Write, stderr},
    sync::OnceLock,
};

/// Units that compute alone, by name.
pub(crate) fn each() -> &'static [(&'static str, Context, Target)] {
    &all()[2..]
}

/// These, and what divides a call between several.
pub(crate) fn all() -> &'static [(&'static str, Context, Target)] {
    static UNITS: OnceLock<Vec<(&'static str, Context, Target)>> = OnceLock::new();
    UNITS.get_or_init(|| {
        let mock = Mock::named("mock").unit().unwrap();
        let host = Context::builder().unit(mock).build().unwrap();
        let mut all = vec![
            ("cpu and mock", host.clone(), Hybrid::ratio(0.4).into()),
            ("tasks", host.clone(), Tasks::default().into()),
            ("sequential", host.clone(), Sequential.into()),
            ("cpu", host.clone(), Cpu.into()),
            ("mock", host, Device(0).into()),
        ];
        let mut found = webgpu::enumerate().into_iter();
        let found = found.find(|found| found.rejected.is_none());
        if found.is_none() {
            writeln!(
                stderr(),
                "skipped: every_unit: no device that wgpu can reach"
            )
            .expect("stderr is open");
        }
        if let Some(found) = found {
            for (name, lanes) in [("wgpu", None), ("wgpu, 32 lanes", Some(32))] {
                let options = webgpu::Options {
                    lanes,
                    ..webgpu::Options::default()
                };
                let unit = DeviceUnit::new(webgpu::open_with(&found, options).unwrap()).unwrap();
                let context = Context::builder().unit(unit).build().unwrap();
                all.push((name, context, Device(0).into()));
            }
        }
        all
    })
}
