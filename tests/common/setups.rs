//! The contexts and targets that the conformance suite runs on.

use skel::{
    Context, Cpu, Device, Hybrid, Sequential, Target,
    conformance::Sizes,
    mock::Mock,
};

/// One way to run things.
pub(crate) struct Setup {
    /// For the names of trials.
    pub(crate) name: &'static str,
    /// The units, or why there are none.
    pub(crate) context: Result<Context, String>,
    /// Where to run.
    pub(crate) target: Target,
    /// How large inputs get: software devices and mocks are slow.
    pub(crate) sizes: Sizes,
}

/// All of them.
pub(crate) fn all() -> Vec<Setup> {
    let mocks = |count: usize| {
        let mut builder = Context::builder();
        for k in 0..count {
            builder = builder.unit(Mock::named(format!("mock {k}")).unit()?);
        }
        builder.build()
    };
    let none = || Context::builder().build().map_err(|e| e.to_string());
    let mocks = |count| mocks(count).map_err(|e: skel::Error| e.to_string());
    vec![
        setup("sequential", none(), Sequential, Sizes::Large),
        setup("cpu", none(), Cpu, Sizes::Large),
        setup("hybrid_without_device", none(), Hybrid::ratio(0.5), Sizes::Small),
        setup("mock", mocks(1), Device(0), Sizes::Small),
        setup("mock_second_of_two", mocks(2), Device(1), Sizes::Small),
        setup("hybrid_0.3_one_mock", mocks(1), Hybrid::ratio(0.3), Sizes::Large),
        setup("hybrid_0_three_mocks", mocks(3), Hybrid::ratio(0.0), Sizes::Small),
        setup("hybrid_1_one_mock", mocks(1), Hybrid::ratio(1.0), Sizes::Small),
        setup("hybrid_shares", mocks(3), Hybrid::shares([1.0, 5.0, 0.0, 2.5]), Sizes::Small),
    ]
}

fn setup(
    name: &'static str,
    context: Result<Context, String>,
    target: impl Into<Target>,
    sizes: Sizes,
) -> Setup {
    Setup { name, context, target: target.into(), sizes }
}
