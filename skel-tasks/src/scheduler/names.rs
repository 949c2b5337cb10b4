//! Schedulers as text.

use super::{
    ByScheme, Configuration, Dm, Dmda, Dmdar, Dmdas, Eager, Heft, Heteroprio, LaHeteroprio, Lws,
    Prio, Random, Ws, accel,
};
use crate::{
    BadOption, Machine,
    distribution::{ClusteredGuided, Dynamic, GuidedRuntime, GuidedSizes, Static, StaticPcf},
    options::{Make, parse_one_of},
};

/// All schedulers, by name.
const SCHEDULERS: &[(&str, Make<dyn Configuration>)] = &[
    ("eager", |_| Ok(Box::new(Eager))),
    ("prio", |_| Ok(Box::new(Prio))),
    ("random", Random::parse),
    ("ws", |_| Ok(Box::new(Ws))),
    ("lws", |_| Ok(Box::new(Lws))),
    ("dm", |_| Ok(Box::new(Dm))),
    ("dmda", |options| Ok(Box::new(Dmda::take(options)?))),
    ("dmdar", |options| Ok(Box::new(Dmdar::take(options)?))),
    ("dmdas", |options| Ok(Box::new(Dmdas::take(options)?))),
    ("heft", |_| Ok(Box::new(Heft))),
    ("host", accel::HostOnly::make),
    ("device", accel::DeviceOnly::make),
    ("percent", accel::Percent::make),
    ("step", |options| Ok(Box::new(accel::Step::take(options)?))),
    ("hill", |options| Ok(Box::new(accel::Hill::take(options)?))),
    ("adjust", |options| {
        Ok(Box::new(accel::AdjustBusy::take(options)?))
    }),
    ("greedy", accel::Greedy::make),
    ("crawler", |options| {
        Ok(Box::new(accel::Crawler::take(options)?))
    }),
    ("ratio", accel::Ratio::make),
    ("heteroprio", |options| {
        Ok(Box::new(Heteroprio::take(options)?))
    }),
    ("laheteroprio", |options| {
        Ok(Box::new(LaHeteroprio::take(options)?))
    }),
    ("static", |options| ByScheme::take(Static, options)),
    ("dynamic", |options| {
        ByScheme::take(Dynamic::take(options)?, options)
    }),
    ("static-pcf", |options| {
        ByScheme::take(StaticPcf::take(options)?, options)
    }),
    ("guided-sizes", |options| {
        ByScheme::take(GuidedSizes::take(options)?, options)
    }),
    ("guided-runtime", |options| {
        ByScheme::take(GuidedRuntime::take(options)?, options)
    }),
    ("clustered-guided", |options| {
        ByScheme::take(ClusteredGuided::take(options)?, options)
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

/// The scheduler that a text names, with its settings: `NAME` or `NAME,option=value,…`.
///
/// ```
/// use skel_tasks::scheduler;
///
/// assert_eq!(scheduler::parse("eager")?.text(), "eager");
/// assert!(scheduler::parse("egaer").unwrap_err().to_string().contains("eager"));
/// # Ok::<(), skel_tasks::BadOption>(())
/// ```
///
/// # Errors
/// The name or the setting that is unknown, or is of another type, and what it can be. What numbers may be is said for a
/// machine, by [`Configuration::build`].
pub fn parse(text: &str) -> Result<Box<dyn Configuration>, BadOption> {
    parse_one_of("scheduler", SCHEDULERS, text, |_| Ok(())).map(|(made, ())| made)
}

/// A configuration, and so many numbers that its text gives beside its options.
pub type WithCounts<const N: usize> = (Box<dyn Configuration>, [Option<usize>; N]);

/// The same, of a text which gives numbers of other names as well: each from 1 on, or nothing where it is not given.
///
/// ```
/// use skel_tasks::scheduler;
///
/// let (made, counts) = scheduler::parse_with_counts("percent,chunks=64,device=0.3", ["chunks", "ahead"])?;
/// assert_eq!(made.text(), scheduler::parse("percent,device=0.3")?.text());
/// assert_eq!(counts, [Some(64), None]);
/// # Ok::<(), skel_tasks::BadOption>(())
/// ```
///
/// # Errors
/// Those of [`parse`], and what is no such number.
pub fn parse_with_counts<const N: usize>(
    text: &str,
    names: [&'static str; N],
) -> Result<WithCounts<N>, BadOption> {
    parse_one_of("scheduler", SCHEDULERS, text, |options| {
        let mut counts = [None; N];
        for (count, name) in counts.iter_mut().zip(names) {
            *count = options.take_count(name)?;
        }
        Ok(counts)
    })
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
            ("eager,s=1", "`s` is `1`; expected no option"),
            ("dmda,s=1", "`s` is `1`; expected one of the options alpha"),
            ("eager, s", "`s` is `no value`; expected no option"),
            ("dmda, alpha", "`alpha` is `no value`; expected a "),
            ("eager,s=1,s=2", "`s` is `2`; expected one value only"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
