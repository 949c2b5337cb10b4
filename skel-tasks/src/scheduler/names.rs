//! Schedulers as text.

use super::{
    ByScheme, Configuration, Dm, Dmda, Dmdar, Dmdas, Eager, Heft, Heteroprio, LaHeteroprio, Lws,
    Prio, Random, Ws, accel,
};
use crate::{
    BadKnob, Machine,
    distribution::{ClusteredGuided, Dynamic, GuidedRuntime, GuidedSizes, Static, StaticPcf},
    knobs::{Make, parse_one_of},
};

/// All schedulers, by name.
const SCHEDULERS: &[(&str, Make<dyn Configuration>)] = &[
    ("eager", |_| Ok(Box::new(Eager))),
    ("prio", |_| Ok(Box::new(Prio))),
    ("random", Random::parse),
    ("ws", |_| Ok(Box::new(Ws))),
    ("lws", |_| Ok(Box::new(Lws))),
    ("dm", |_| Ok(Box::new(Dm))),
    ("dmda", |knobs| Ok(Box::new(Dmda::take(knobs)?))),
    ("dmdar", |knobs| Ok(Box::new(Dmdar::take(knobs)?))),
    ("dmdas", |knobs| Ok(Box::new(Dmdas::take(knobs)?))),
    ("heft", |_| Ok(Box::new(Heft))),
    ("host", accel::HostOnly::make),
    ("device", accel::DeviceOnly::make),
    ("percent", accel::Percent::make),
    ("step", |knobs| Ok(Box::new(accel::Step::take(knobs)?))),
    ("hill", |knobs| Ok(Box::new(accel::Hill::take(knobs)?))),
    ("adjust", |knobs| {
        Ok(Box::new(accel::AdjustBusy::take(knobs)?))
    }),
    ("greedy", accel::Greedy::make),
    ("crawler", |knobs| {
        Ok(Box::new(accel::Crawler::take(knobs)?))
    }),
    ("ratio", accel::Ratio::make),
    ("heteroprio", |knobs| Ok(Box::new(Heteroprio::take(knobs)?))),
    ("laheteroprio", |knobs| {
        Ok(Box::new(LaHeteroprio::take(knobs)?))
    }),
    ("static", |knobs| ByScheme::take(Static, knobs)),
    ("dynamic", |knobs| {
        ByScheme::take(Dynamic::take(knobs)?, knobs)
    }),
    ("static-pcf", |knobs| {
        ByScheme::take(StaticPcf::take(knobs)?, knobs)
    }),
    ("guided-sizes", |knobs| {
        ByScheme::take(GuidedSizes::take(knobs)?, knobs)
    }),
    ("guided-runtime", |knobs| {
        ByScheme::take(GuidedRuntime::take(knobs)?, knobs)
    }),
    ("clustered-guided", |knobs| {
        ByScheme::take(ClusteredGuided::take(knobs)?, knobs)
    }),
];

/// The names of all schedulers.
pub fn names() -> impl Iterator<Item = &'static str> {
    SCHEDULERS.iter().map(|(name, _)| *name)
}

/// The names of those that can be used on a machine: some need a device, or a core.
///
/// ```
/// use skel_tasks::{Machine, scheduler};
///
/// let cores = Machine::cores(4)?;
/// assert!(scheduler::names().any(|name| name == "device"));
/// assert!(!scheduler::names_for(&cores).any(|name| name == "device"));
/// # Ok::<(), skel_tasks::TaskError>(())
/// ```
pub fn names_for(machine: &Machine) -> impl Iterator<Item = &'static str> {
    names().filter(|name| parse(name).is_ok_and(|made| made.build(machine).is_ok()))
}

/// The scheduler that a text names, with its settings: `NAME` or `NAME,knob=value,…`.
///
/// ```
/// use skel_tasks::scheduler;
///
/// assert_eq!(scheduler::parse("eager")?.text(), "eager");
/// assert!(scheduler::parse("egaer").unwrap_err().to_string().contains("eager"));
/// # Ok::<(), skel_tasks::BadKnob>(())
/// ```
///
/// # Errors
/// The name or the setting that is unknown or cannot be, and what it can be.
pub fn parse(text: &str) -> Result<Box<dyn Configuration>, BadKnob> {
    parse_one_of("scheduler", SCHEDULERS, text)
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::{Link, Machine};

    #[test]
    fn what_is_shown_is_read_again_and_can_be_built() {
        let bus = Link {
            latency_ns: 1,
            bytes_per_ns: 1.0,
        };
        let machine = Machine::builder().arch("cpu", 2);
        let machine = machine.device("gpu", 1, None, bus).build().unwrap();
        for name in names() {
            let made = parse(name).unwrap();
            let text = made.text();
            assert!(text.starts_with(name), "{text}");
            assert_eq!(parse(&text).unwrap().text(), text);
            assert!(made.build(&machine).is_ok());
        }
    }

    #[test]
    fn nonsense_is_named() {
        for (text, what) in [
            ("", "`scheduler` is ``; expected one of eager"),
            ("eager,s=1", "`knob` is `s=1`; expected no knobs"),
            ("eager,s", "`knob` is `s`; expected knob=value"),
            ("eager,s=1,s=2", "`s` is `2`; expected one value only"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
