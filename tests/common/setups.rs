//! The contexts and targets that the conformance suite runs on.

use crate::virtual_machine;
use skel::{
    Context, Cpu, Device, Hybrid, Sequential, Target, Tasks, Wgpu,
    conformance::Sizes,
    mock::{Law, Mock},
    unit::DeviceUnit,
    webgpu,
};

/// One way to run things.
pub(crate) struct Setup {
    /// For the names of trials.
    pub(crate) name: String,
    /// The units, or why there are none.
    pub(crate) context: Result<Context, String>,
    /// Where to run.
    pub(crate) target: Target,
    /// How large inputs get: software devices and mocks are slow.
    pub(crate) sizes: Sizes,
    /// Which cases: of so many, that with this number.
    pub(crate) one_in: (usize, usize),
}

impl Setup {
    /// Whether it takes case number `k`.
    pub(crate) fn takes(&self, k: usize) -> bool {
        let (cases, one) = self.one_in;
        k % cases == one
    }
}

/// All of them.
pub(crate) fn all() -> Vec<Setup> {
    let mocks = |count: usize| {
        let mut builder = Context::builder();
        for k in 0..count {
            let mock = Mock::named(format!("mock {k}"));
            // Every other one takes its pieces in small steps.
            let mock = if k % 2 == 1 {
                mock.step_bytes(256)
            } else {
                mock
            };
            builder = builder.unit(mock.unit()?);
        }
        builder.build()
    };
    let none = || Context::builder().build().map_err(|e| e.to_string());
    let mocks = |count| mocks(count).map_err(|e: skel::Error| e.to_string());
    let mut setups = vec![
        setup("sequential", none(), Sequential, Sizes::Large),
        setup("cpu", none(), Cpu, Sizes::Large),
        setup(
            "hybrid_without_device",
            none(),
            Hybrid::ratio(0.5),
            Sizes::Small,
        ),
        setup("mock", mocks(1), Device(0), Sizes::Small),
        setup("mock_second_of_two", mocks(2), Device(1), Sizes::Small),
        setup(
            "hybrid_0.3_one_mock",
            mocks(1),
            Hybrid::ratio(0.3),
            Sizes::Large,
        ),
        setup(
            "hybrid_0_three_mocks",
            mocks(3),
            Hybrid::ratio(0.0),
            Sizes::Small,
        ),
        setup(
            "hybrid_1_one_mock",
            mocks(1),
            Hybrid::ratio(1.0),
            Sizes::Small,
        ),
        setup(
            "hybrid_shares",
            mocks(3),
            Hybrid::shares([1.0, 5.0, 0.0, 2.5]),
            Sizes::Small,
        ),
    ];
    setups.extend([
        setup("tasks_eager_cpu", none(), Tasks::default(), Sizes::Large),
        setup(
            "tasks_eager_7_two_mocks",
            mocks(2),
            tasks("tasks:eager,chunks=7"),
            Sizes::Small,
        ),
        setup(
            "tasks_dmda_two_mocks",
            mocks(2),
            tasks("tasks:dmda"),
            Sizes::Small,
        ),
        setup(
            "tasks_lws_5_mock",
            mocks(1),
            tasks("tasks:lws,chunks=5"),
            Sizes::Small,
        ),
    ]);
    setups.extend(all_schedulers());
    setups.extend(wgpu());
    setups
}

/// Every scheduler, in virtual time, on cores and two devices that are unlike. Each case runs under three of them, each
/// scheduler with a ninth of the cases.
fn all_schedulers() -> impl Iterator<Item = Setup> {
    let law = Law::per_elem_ns;
    let machine = virtual_machine::machine(law(3.0), law(10.0), &[law(1.0), law(2.0)]);
    skel::tasks::scheduler::names()
        .enumerate()
        .map(move |(k, name)| {
            let target = tasks(&format!("tasks:{name},chunks=9"));
            Setup {
                one_in: (9, k % 9),
                ..setup(
                    format!("tasks_{name}_in_virtual_time"),
                    Ok(machine.clone()),
                    target,
                    Sizes::Small,
                )
            }
        })
}

fn tasks(text: &str) -> Target {
    text.parse().expect("a scheduler with its options")
}

/// The first device that wgpu finds: a real GPU, or the software device that `cargo xtask test`
/// installs.
fn wgpu() -> Vec<Setup> {
    // A software device twice makes two devices; with lower limits it shows what small devices do.
    let small = webgpu::Options {
        // Nodes of a scan with tiles of 16 take an eighth of its elements, and are bound at once.
        max_binding_bytes: Some(1 << 13),
        max_buffer_bytes: Some(1 << 14),
        max_workgroups_per_dimension: Some(8),
        ..webgpu::Options::default()
    };
    let alone = devices(&[webgpu::Options::default()]);
    let twice = devices(&[webgpu::Options::default(), webgpu::Options::default()]);
    vec![
        setup("wgpu", alone.clone(), Wgpu, Sizes::Huge),
        setup(
            "hybrid_0.4_wgpu",
            alone.clone(),
            Hybrid::ratio(0.4),
            Sizes::Large,
        ),
        setup(
            "tasks_eager_9_wgpu",
            alone,
            tasks("tasks:eager,chunks=9"),
            Sizes::Large,
        ),
        setup(
            "hybrid_0.2_wgpu_twice",
            twice,
            Hybrid::ratio(0.2),
            Sizes::Small,
        ),
        setup(
            "wgpu_with_low_limits",
            devices(&[small]),
            Wgpu,
            Sizes::Small,
        ),
    ]
}

fn devices(options: &[webgpu::Options]) -> Result<Context, String> {
    let found = webgpu::enumerate();
    let rejected: Vec<String> = found
        .iter()
        .filter_map(|d| Some(format!("{}: {}", d.info.name, d.rejected.as_ref()?)))
        .collect();
    let device = found
        .iter()
        .find(|device| device.rejected.is_none())
        .ok_or_else(|| {
            format!(
                "no device that wgpu reaches (Debian: mesa-vulkan-drivers) {}",
                rejected.join("; ")
            )
        })?;
    let mut builder = Context::builder();
    for options in options {
        let driver = webgpu::open_with(device, *options).map_err(|e| e.to_string())?;
        builder = builder.unit(DeviceUnit::new(driver).map_err(|e| e.to_string())?);
    }
    builder.build().map_err(|e| e.to_string())
}

fn setup(
    name: impl Into<String>,
    context: Result<Context, String>,
    target: impl Into<Target>,
    sizes: Sizes,
) -> Setup {
    Setup {
        name: name.into(),
        context,
        target: target.into(),
        sizes,
        one_in: (1, 0),
    }
}
