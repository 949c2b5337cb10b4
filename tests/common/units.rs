//! Contexts and targets whose folds and scans have one grouping.

use skel::{Context, Target, mock::Mock, prelude::*, unit::DeviceUnit, webgpu};

fn mocks(count: usize, memory_bytes: Option<u64>) -> Context {
    let mut builder = Context::builder();
    for k in 0..count {
        let mut mock = Mock::named(format!("mock {k}"));
        if let Some(bytes) = memory_bytes {
            mock = mock.memory_bytes(bytes);
        }
        builder = builder.unit(mock.unit().unwrap());
    }
    builder.build().unwrap()
}

/// Contexts with devices that wgpu reaches, one for each of the options; none where there is no device.
fn devices(options: &[webgpu::Options]) -> Option<Context> {
    capped(options, u64::MAX)
}

/// Those whose arrays take no more than so many bytes.
fn capped(options: &[webgpu::Options], bytes: u64) -> Option<Context> {
    let mut found = webgpu::enumerate().into_iter();
    let found = found.find(|found| found.rejected.is_none())?;
    let mut builder = Context::builder();
    for options in options {
        let driver = webgpu::open_with(&found, *options).unwrap();
        let unit = DeviceUnit::new(driver).unwrap();
        builder = builder.unit(unit.with_memory_cap(bytes));
    }
    Some(builder.build().unwrap())
}

/// Those of devices, in work-groups of several sizes, alone and in company, and bound in several parts.
fn on_devices() -> Vec<(&'static str, Context, Target)> {
    let usual = webgpu::Options::default();
    let narrow = webgpu::Options {
        lanes: Some(32),
        ..usual
    };
    let in_parts = webgpu::Options {
        max_binding_bytes: Some(64 << 10),
        max_buffer_bytes: Some(256 << 10),
        max_workgroups_per_dimension: Some(3),
        ..usual
    };
    let all = [
        ("wgpu", devices(&[usual]), Device(0).into()),
        ("wgpu, 32 lanes", devices(&[narrow]), Device(0).into()),
        ("wgpu in parts", devices(&[in_parts]), Device(0).into()),
        (
            "wgpu in chunks",
            capped(&[usual], 300_000),
            Device(0).into(),
        ),
        ("cpu and wgpu", devices(&[usual]), Hybrid::ratio(0.3).into()),
        (
            "cpu and two of wgpu",
            devices(&[usual, narrow]),
            Hybrid::shares([1.0, 3.0, 2.0]).into(),
        ),
        (
            "tasks with wgpu",
            devices(&[usual]),
            "tasks:eager,chunks=5".parse::<Target>().unwrap(),
        ),
    ];
    let there = all.into_iter();
    there
        .filter_map(|(name, context, target)| Some((name, context?, target)))
        .collect()
}

/// Contexts and targets that keep to the grouping.
pub(crate) fn setups() -> Vec<(&'static str, Context, Target)> {
    let mut all = without_devices();
    all.extend(on_devices());
    all
}

fn without_devices() -> Vec<(&'static str, Context, Target)> {
    let tasks = |text: &str| text.parse::<Target>().unwrap();
    vec![
        ("sequential", mocks(0, None), Sequential.into()),
        ("cpu", mocks(0, None), Cpu.into()),
        ("mock", mocks(1, None), Device(0).into()),
        ("mock in chunks", mocks(1, Some(400_000)), Device(0).into()),
        ("cpu and mock", mocks(1, None), Hybrid::ratio(0.3).into()),
        (
            "three units",
            mocks(2, None),
            Hybrid::shares([1.0, 3.0, 2.0]).into(),
        ),
        ("adaptive", mocks(2, None), Hybrid::adaptive().into()),
        ("auto", mocks(1, None), Auto.into()),
        ("tasks", mocks(0, None), tasks("tasks:eager,chunks=5")),
        (
            "tasks with mocks",
            mocks(2, None),
            tasks("tasks:lws,chunks=7"),
        ),
    ]
}
